//! Random games of Chinese Checkers, each legal move equally likely.
//!
//! A piece and a direction are drawn until they are a step or a single hop (`singles.rs`). The
//! further goals of chains, one move of thirty, have separate lots, as many as there can be at
//! most; `classes.rs` looks for them only where such a lot is drawn, for an eighth of all moves.

use super::classes::{Hops, may_chain_within};
use super::singles::{NOWHERE, Taken};
use super::star::Star;
use super::{Board, PASS, StarWord, Step, step};
use crate::board::Seen;
use proofplay_core::{Player, Rng, Score};
use std::hint::select_unpredictable;

/// More than the pieces of a player.
const MOST: usize = 16;

/// The position of a playout in a form that is cheap to read and to change. Cells are numbers.
struct Tables<W: StarWord> {
    taken: Taken,
    hops: Hops<W>,
    /// The pieces of each player, in no order, and then [`NOWHERE`].
    pieces: [[u8; MOST]; 2],
    /// By cell: [`arm`] of the player whose target arm it is in.
    arms: [u32; 256],
    /// Pieces of a player.
    all: u32,
    /// The occupied cells of the target arms in multiples of [`arm`], and those with own pieces.
    filled: u32,
    arrived: [u32; 2],
    ahead: Lots,
}

/// A try: which piece goes where, and 0 if that is a move, 1 if not.
struct Attempt {
    piece: usize,
    goal: u8,
    blocked: u8,
}

/// Random numbers for two tries: a piece and a direction each, and 64 bits, not quite all of them
/// random, that decide about chains.
struct Lots {
    tries: [(usize, usize); 2],
    chain: u64,
}

impl Lots {
    #[inline(always)]
    fn draw<W: StarWord>(rng: &mut Rng) -> Lots {
        let mut digits = rng.digits();
        let mut lot = || (digits.take(W::PIECES as u32) as usize, digits.take(6) as usize);
        Lots { tries: [lot(), lot()], chain: digits.rest() }
    }
}

/// After this many tries without a move, look whether there is any.
const PATIENCE: usize = 40;

/// The bits that count for a player.
const COUNT: u32 = 16;

/// One cell of a player's target arm.
#[inline]
fn arm(player: usize) -> u32 {
    1 << (COUNT * player as u32)
}

impl<W: StarWord> Tables<W> {
    fn new(pos: &Board<W>, rng: &mut Rng) -> Self {
        let star = &*pos.star;
        let occupied = pos.occupied();
        let mut tables = Tables {
            taken: Taken::new(star.numbers(occupied)),
            hops: star.classes.hops(star, pos.pieces),
            pieces: [[NOWHERE; MOST]; 2],
            arms: [0; 256],
            all: pos.pieces[0].count(),
            filled: 0,
            arrived: [0, 1].map(|player| (star.targets[player] & pos.pieces[player]).count()),
            ahead: Lots::draw::<W>(rng),
        };
        for (list, pieces) in tables.pieces.iter_mut().zip(pos.pieces) {
            list.iter_mut().zip(star.numbers(pieces)).for_each(|(piece, cell)| *piece = cell as u8);
        }
        for (player, target) in star.targets.into_iter().enumerate() {
            star.numbers(target).for_each(|cell| tables.arms[cell as usize] = arm(player));
            tables.filled += arm(player) * (target & occupied).count();
        }
        tables
    }

    /// How many cells of a player's target arm are occupied.
    #[inline]
    fn filled(&self, player: usize) -> u32 {
        self.filled >> (COUNT * player as u32) & ((1 << COUNT) - 1)
    }

    /// A uniformly random move, unless there is none: which piece, and the cell it goes to.
    ///
    /// There is a lot for every try and one for every chain that there may be at most. A lot that
    /// is no move is drawn again, so all moves are equally likely. Tries are made first, and then
    /// it is drawn whether a chain came before them.
    #[inline(always)]
    fn draw<const PLAYER: usize>(&mut self, star: &Star<W>, rng: &mut Rng) -> Option<(usize, u8)> {
        let within = may_chain_within(self.filled(PLAYER), self.all);
        let (chainers, mut chains) = self.hops.chainers(&star.classes, PLAYER, within);
        loop {
            // A chain begins with a single hop: without one there is no chain.
            let (piece, goal, tries, lot) = self.single::<PLAYER>(star, rng)?;
            if !star.singles.is_chain::<W>(lot, chains, tries) {
                return Some((piece, goal));
            }
            match self.hops.chain(&star.classes, PLAYER, chainers, rng.digits().take(chains)) {
                Ok((from, to)) => {
                    let piece = self.pieces[PLAYER].iter().position(|&cell| cell == from);
                    return Some((piece.expect("own pieces move"), to));
                }
                Err(count) => chains = count,
            }
        }
    }

    /// A uniformly random step or single hop, unless there is none: which piece, the cell it goes
    /// to, after how many tries, and a lot for chains. Two tries are made at once, since which of
    /// them is a move cannot be predicted, with numbers drawn ahead, so that a wrong prediction
    /// does not wait for them.
    #[inline(always)]
    fn single<const PLAYER: usize>(
        &mut self,
        star: &Star<W>,
        rng: &mut Rng,
    ) -> Option<(usize, u8, usize, u64)> {
        let mut tries = 1;
        loop {
            let lots = std::mem::replace(&mut self.ahead, Lots::draw::<W>(rng));
            let [a, b] = lots.tries.map(|(piece, direction)| self.attempt::<PLAYER>(star, piece, direction));
            if a.blocked & b.blocked == 0 {
                let first = a.blocked == 0;
                let piece = select_unpredictable(first, a.piece, b.piece);
                let goal = select_unpredictable(first, a.goal, b.goal);
                return Some((piece, goal, tries + usize::from(a.blocked), lots.chain));
            }
            tries += 2;
            if tries > PATIENCE && !self.has_moves::<PLAYER>(star) {
                return None;
            }
        }
    }

    #[inline(always)]
    fn attempt<const PLAYER: usize>(&self, star: &Star<W>, piece: usize, direction: usize) -> Attempt {
        let from = self.pieces[PLAYER][piece % MOST];
        let (goal, blocked) = star.singles.attempt(&self.taken, PLAYER, from, direction);
        Attempt { piece, goal, blocked }
    }

    /// Whether any try is a move.
    #[cold]
    fn has_moves<const PLAYER: usize>(&self, star: &Star<W>) -> bool {
        (0..W::PIECES).any(|piece| (0..6).any(|d| self.attempt::<PLAYER>(star, piece, d).blocked == 0))
    }

    /// Moves a piece. Returns the cell it came from, and whether it has entered its target arm.
    #[inline(always)]
    fn play<const PLAYER: usize>(&mut self, star: &Star<W>, piece: usize, to: u8) -> (u8, bool) {
        let from = std::mem::replace(&mut self.pieces[PLAYER][piece % MOST], to);
        self.taken.play(from, to);
        self.hops.play(&star.classes, PLAYER, from, to);
        let (left, entered) = (self.arms[usize::from(from)], self.arms[usize::from(to)]);
        self.filled = self.filled + entered - left;
        (from, entered & !left & arm(PLAYER) != 0)
    }

    /// Whether a player who has just moved has won.
    #[inline(always)]
    fn has_won(&self, player: usize) -> bool {
        self.filled(player) == self.all && self.arrived[player] > 0
    }

    /// Puts the pieces of a position where they are here.
    fn write(&self, pos: &mut Board<W>) {
        let star = pos.star.get();
        for (pieces, list) in pos.pieces.iter_mut().zip(&self.pieces) {
            let cells = list.iter().take(self.all as usize);
            *pieces = cells.fold(W::EMPTY, |set, &cell| set | W::bit(star.bit(u32::from(cell))));
        }
    }
}

/// Plays uniformly random legal moves to the end of the game.
#[inline(never)]
pub(super) fn playout<W: StarWord>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Step),
) -> Score {
    let (mut tables, mut seen) = (Tables::new(pos, rng), Seen::new(&pos.history, pos.mover));
    if pos.end.is_none() && pos.mover == Player::Second {
        turn::<W, 1>(&mut tables, &mut seen, pos, rng, trace);
    }
    // Each player's turn has its own code: looking up the mover each time takes a tenth more.
    while pos.end.is_none() {
        turn::<W, 0>(&mut tables, &mut seen, pos, rng, trace);
        if pos.end.is_none() {
            turn::<W, 1>(&mut tables, &mut seen, pos, rng, trace);
        }
    }
    tables.write(pos);
    pos.end.expect("the game is over")
}

/// Plays a random move of a player.
#[inline(always)]
fn turn<W: StarWord, const PLAYER: usize>(
    tables: &mut Tables<W>,
    seen: &mut Seen,
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Step),
) {
    let (star, mover) = (pos.star.get(), Player::BOTH[PLAYER]);
    let (mut from, mut to, mut enters) = (0, 0, false);
    match tables.draw::<PLAYER>(star, rng) {
        Some((piece, reaches)) => {
            (from, enters) = tables.play::<PLAYER>(star, piece, reaches);
            to = reaches;
            trace(mover, step(u32::from(from), u32::from(to)));
        }
        None => trace(mover, PASS),
    }
    if enters {
        tables.arrived[PLAYER] += 1;
        pos.history.clear();
    } else {
        pos.history.push(from, to);
        if seen.may_be_third(mover, from, to) && pos.history.recurrences::<u128>() >= 2 {
            pos.end = Some(Score::DRAW);
        }
    }
    if tables.has_won(PLAYER) {
        pos.end = Some(Score::win_of(mover));
    }
    pos.mover = !mover;
}

#[cfg(test)]
mod tests {
    use super::super::{ChineseCheckers, ends};
    use super::*;
    use crate::board::U256;
    use proofplay_core::{Game, Position};
    use std::collections::HashMap;

    /// Many draws in positions of random games: each move as often as any other. Sums of squares
    /// are those of chance.
    fn check<W: StarWord>(side: u32, seed: u64) {
        const EACH: u32 = 200;
        let game = ChineseCheckers::<W>::new(super::super::Setup { side });
        let (mut rng, mut buf) = (Rng::new(seed), Vec::new());
        let (mut chi2, mut free, mut chains) = (0.0, 0.0, 0);
        for _ in 0..60 {
            let mut pos = game.start();
            for _ in 0..60 + rng.below(100) {
                let mv = pos.random_move(&mut rng, &mut buf);
                pos.play(mv);
                if pos.outcome().is_some() {
                    pos = game.start();
                }
            }
            let (star, mut tables) = (pos.star.get(), Tables::new(&pos, &mut rng));
            pos.moves(&mut buf);
            let mut counts: HashMap<_, u32> = buf.drain(..).map(|mv| (ends(mv), 0)).collect();
            if counts.contains_key(&ends(PASS)) {
                continue;
            }
            let mover = pos.mover.index();
            let rows = |cell: u32| i32::from(star.places[cell as usize].0);
            chains += counts.keys().filter(|&&(from, to)| (rows(from) - rows(to)).abs() > 2).count();
            for _ in 0..EACH * counts.len() as u32 {
                let (piece, to) = match mover {
                    0 => tables.draw::<0>(star, &mut rng),
                    _ => tables.draw::<1>(star, &mut rng),
                }
                .expect("there are moves");
                let mv = (u32::from(tables.pieces[mover][piece]), u32::from(to));
                *counts.get_mut(&mv).unwrap_or_else(|| panic!("{mv:?} in {pos:?}")) += 1;
            }
            let excess = |&count: &u32| (f64::from(count) - f64::from(EACH)).powi(2) / f64::from(EACH);
            chi2 += counts.values().map(excess).sum::<f64>();
            free += counts.len() as f64 - 1.0;
        }
        assert!(side < 3 || chains > 20, "side {side}: only {chains} long chains");
        let deviation = (chi2 - free) / (2.0 * free).sqrt();
        assert!(deviation.abs() < 4.0, "side {side}: chi-square {chi2} of {free}");
    }

    #[test]
    fn draws_are_uniform() {
        check::<u64>(1, 1);
        check::<u64>(2, 2);
        check::<u128>(3, 3);
        check::<U256>(4, 4);
    }
}
