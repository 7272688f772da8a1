//! Drawing moves of Amazons at random: uniformly over whole moves, or in stages.
//!
//! *Whole moves.* All pairs of a move and an arrow are equally likely. Listing them is slow: there
//! are thousands. So draw a move of an amazon, then a number n below the most arrows that any cell
//! could have. If the cell reached has an arrow number n, take it; otherwise draw both again. Every
//! whole move has the same chance in each try. Where few cells can be reached, most tries would
//! fail: there the arrows of all moves are counted.
//!
//! *Stages.* First a uniformly random move of an amazon, then a uniformly random arrow. Cheaper,
//! but another distribution: the more arrows could follow the move of the amazon, the rarer each
//! whole move, so amazons go to narrow places more often than in uniform play.

use super::lines::{DIRECTIONS, Lines, Runs, Tables};
use super::{Board, Shot};
use crate::board::{Interned, Word};
use proofplay_core::{Player, Rng, Score};

/// With at most this many moves of amazons it is faster to count all arrows than to draw again and
/// again (measured on 10x10).
const FEW: u32 = 10;

/// A position as playouts see it.
pub(super) struct Table<W: Word> {
    tables: Interned<Tables<W>>,
    lines: Lines,
    /// The cells of the amazons of First and of Second.
    amazons: [[u8; 4]; 2],
}

/// What the four amazons of a player can reach.
struct Reach {
    runs: [Runs; 4],
    /// `sums[i]`: the moves of the amazons before number i.
    sums: [u32; 5],
}

impl Reach {
    /// The number of moves of amazons.
    #[inline]
    fn hops(&self) -> u32 {
        self.sums[4]
    }
}

/// One move of an amazon, and where its arrow can go.
struct Hop {
    amazon: usize,
    to: u8,
    arrows: Runs,
}

impl<W: Word> Table<W> {
    #[inline]
    pub fn new(pos: &Board<W>) -> Table<W> {
        let amazons = pos.amazons.map(|set| {
            let mut cells = set.cells();
            std::array::from_fn(|_| cells.next().map_or(0, |cell| cell as u8))
        });
        Table { tables: pos.tables, lines: pos.tables.lines(pos.occupied()), amazons }
    }

    #[inline(always)]
    fn reach(&self, player: Player) -> Reach {
        let mut reach = Reach { runs: [Runs::default(); 4], sums: [0; 5] };
        for (i, &cell) in self.amazons[player.index()].iter().enumerate() {
            reach.runs[i] = self.tables.runs(&self.lines, cell);
            reach.sums[i + 1] = reach.sums[i] + reach.runs[i].total();
        }
        reach
    }

    /// The move of an amazon in a direction.
    #[inline]
    fn hop(&self, player: Player, reach: &Reach, amazon: usize, (direction, distance): (usize, u32)) -> Hop {
        let to = self.tables.cell(self.amazons[player.index()][amazon % 4], direction, distance);
        let arrows = self.tables.arrows(&self.lines, reach.runs[amazon % 4], direction, distance, to);
        Hop { amazon, to, arrows }
    }

    /// Move number `n` of an amazon.
    #[inline(always)]
    fn nth_hop(&self, player: Player, reach: &Reach, n: u32) -> Hop {
        let amazon = reach.sums[1..4].iter().map(|&sum| usize::from(n >= sum)).sum::<usize>();
        self.hop(player, reach, amazon, reach.runs[amazon].nth(n - reach.sums[amazon]))
    }

    /// The whole move of a hop and arrow number `n`.
    #[inline]
    fn shot(&self, player: Player, hop: &Hop, n: u32) -> Shot {
        let (direction, distance) = hop.arrows.nth(n);
        let from = self.amazons[player.index()][hop.amazon % 4];
        Shot::new(from, hop.to, self.tables.cell(hop.to, direction, distance))
    }

    /// A uniformly random whole move, if there is any, and the number of the amazon.
    #[inline]
    fn uniform(&self, player: Player, rng: &mut Rng) -> Option<(usize, Shot)> {
        let reach = self.reach(player);
        let (hops, widest) = (reach.hops(), self.tables.widest);
        match hops {
            0 => None,
            1..=FEW => Some(self.counted(player, &reach, rng)),
            _ => loop {
                let n = rng.below(hops * widest);
                let hop = self.nth_hop(player, &reach, n / widest);
                if n % widest < hop.arrows.total() {
                    return Some((hop.amazon, self.shot(player, &hop, n % widest)));
                }
            },
        }
    }

    /// A uniformly random whole move by counting the arrows of all, at most [`FEW`], moves of
    /// amazons.
    #[inline]
    fn counted(&self, player: Player, reach: &Reach, rng: &mut Rng) -> (usize, Shot) {
        let (hops, mut sums, mut sum) = (reach.hops(), [0; FEW as usize], 0);
        for (n, slot) in (0..hops).zip(&mut sums) {
            sum += self.nth_hop(player, reach, n).arrows.total();
            *slot = sum;
        }
        let n = rng.below(sum);
        let hop = sums[..hops as usize].iter().filter(|&&sum| sum <= n).count();
        let before = if hop == 0 { 0 } else { sums[hop - 1] };
        let hop = self.nth_hop(player, reach, hop as u32);
        (hop.amazon, self.shot(player, &hop, n - before))
    }

    /// A random move of an amazon, then a random arrow, if there is any move.
    #[inline]
    fn staged(&self, player: Player, rng: &mut Rng) -> Option<(usize, Shot)> {
        let reach = self.reach(player);
        if reach.hops() == 0 {
            return None;
        }
        let hop = self.nth_hop(player, &reach, rng.below(reach.hops()));
        let arrow = rng.below(hop.arrows.total());
        Some((hop.amazon, self.shot(player, &hop, arrow)))
    }

    /// Appends all whole moves of a player.
    pub fn list(&self, player: Player, out: &mut Vec<Shot>) {
        let reach = self.reach(player);
        for (amazon, runs) in reach.runs.into_iter().enumerate() {
            for direction in 0..DIRECTIONS {
                for distance in 1..=runs.get(direction) {
                    let hop = self.hop(player, &reach, amazon, (direction, distance));
                    out.extend((0..hop.arrows.total()).map(|n| self.shot(player, &hop, n)));
                }
            }
        }
    }

    /// How many arrows could follow the move of the amazon in a whole move.
    pub fn arrows_beside(&mut self, shot: Shot) -> u32 {
        let [from, to, _] = shot.cells();
        self.tables.flip(&mut self.lines, from);
        let arrows = self.tables.runs(&self.lines, to).total();
        self.tables.flip(&mut self.lines, from);
        arrows
    }

    /// How many whole moves a player has.
    pub fn count(&self, player: Player) -> u32 {
        let cells = self.amazons[player.index()];
        let count = |cell| self.tables.count(&self.lines, cell, self.tables.runs(&self.lines, cell));
        cells.into_iter().map(count).sum()
    }

    /// A uniformly random whole move of a player who has one.
    pub fn draw(&self, player: Player, rng: &mut Rng) -> Shot {
        self.uniform(player, rng).expect("the game is not over").1
    }

    /// Makes `pos` the position of the table.
    fn store(&self, pos: &mut Board<W>, mover: Player) {
        pos.amazons = self
            .amazons
            .map(|cells| cells.into_iter().fold(W::EMPTY, |set, cell| set | W::bit(u32::from(cell))));
        pos.arrows = self.tables.occupied(&self.lines) & !pos.amazons[0] & !pos.amazons[1];
        pos.mover = mover;
    }

    #[inline]
    fn play(&mut self, player: Player, amazon: usize, shot: Shot) {
        let [from, to, arrow] = shot.cells();
        for cell in [from, to, arrow] {
            self.tables.flip(&mut self.lines, cell);
        }
        self.amazons[player.index()][amazon % 4] = to;
    }
}

/// Plays random moves to the end of the game, in stages or uniformly over whole moves.
#[inline]
pub(super) fn playout<W: Word, const STAGED: bool>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Shot),
) -> Score {
    let mut table = Table::new(pos);
    let mut mover = pos.mover;
    loop {
        let drawn = if STAGED { table.staged(mover, rng) } else { table.uniform(mover, rng) };
        let Some((amazon, shot)) = drawn else { break };
        trace(mover, shot);
        table.play(mover, amazon, shot);
        mover = !mover;
    }
    table.store(pos, mover);
    Score::win_of(!mover)
}
