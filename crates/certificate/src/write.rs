//! Writes a certificate by walking a strategy that the caller provides.

use crate::claim::Claim;
use crate::file::{Certificate, Evidence};
use crate::line_end::{Ends, LineEnds};
use crate::number;
use crate::position_set::{Note, Seen};
use crate::walk::{Fault, Shape, Walk, Walked};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use proofplay_core::{Bounds, Game, Hints, Line, Position, Score, TextError};
use std::cmp::Reverse;

/// A certificate, ready to be put into a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// What is in it, both strategies together.
    pub walked: Walked,
}

/// Why there is no certificate; `E` is the strategy's error when it has no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError<E> {
    /// The position could not be set up.
    #[error("{0}")]
    Line(TextError),
    /// The texts of the game or the position would break the lines of the head.
    #[error(
        "the game, the moves or the position do not fit into the head of a certificate: a line each, 1 MiB together"
    )]
    Lines,
    /// Plies are counted only where somebody wins by a known score and lines end with the game.
    #[error("plies are counted if somebody wins by a known score, and lines of play end where the game does")]
    NoPlies,
    /// Histories cannot be left aside.
    #[error(
        "the history cannot be left aside here: it decides more than draws, has a repetition, or plies are counted"
    )]
    NoRanks,
    /// Nothing can be counted in this game.
    #[error("there is no count for {0}: its certificates end where the game does")]
    NoCount(String),
    /// The walk stopped.
    #[error("{claim}, after `{}`: {fault}", .line.join(" "))]
    Walk {
        /// Which half it was.
        claim: Claim,
        /// The moves to where it stopped.
        line: Vec<String>,
        /// Why.
        fault: Fault<E>,
    },
}

/// What a certificate says: that the value of a position lies within some bounds, which hold for certain.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Statement {
    /// What leads to the position.
    pub line: Line,
    /// What is certain about its value.
    pub bounds: Bounds,
    /// The plies after which the game is over if both play their best; the value must be known and
    /// no draw. `None` if the certificate is about the value alone.
    pub within: Option<u16>,
    /// Where lines of play end.
    pub ends: Ends,
    /// Positions are merged although they can repeat ([`Shape::Ranks`]).
    pub ranks: bool,
    /// About so many bytes are used to remember positions.
    pub memory: usize,
}

impl Statement {
    /// About the value at the end of a line. Lines of play end where the game does; 512 MiB of memory.
    pub fn new(line: Line, bounds: Bounds) -> Statement {
        Statement { line, bounds, within: None, ends: Ends::Rules, ranks: false, memory: 1 << 29 }
    }

    /// The same, and the game is over after so many plies.
    pub fn after(self, plies: Option<u16>) -> Statement {
        Statement { within: plies, ..self }
    }

    /// The same with lines of play that end there.
    pub fn ending(self, ends: Ends) -> Statement {
        Statement { ends, ..self }
    }

    /// The same with positions merged, their histories left aside. The strategy is asked about positions without a history, and
    /// must come nearer to a win with every move.
    pub fn by_ranks(self) -> Statement {
        Statement { ranks: true, ..self }
    }

    /// Whether histories may be left aside in a proof of this statement about `root`, a position of the game that starts at
    /// `start`.
    pub fn admits_ranks<P: Position>(&self, start: &P, root: &P) -> bool {
        self.within.is_none()
            && self.ends == Ends::Rules
            && Shape::Ranks.suits(start)
            && self.claims().iter().all(|&claim| Shape::Ranks.proves(root, claim))
    }

    fn claims(&self) -> [Claim; 2] {
        let claims = [Claim::at_least(self.bounds.pess), Claim::at_most(self.bounds.opti)];
        claims.map(|claim| claim.with_plies(self.within))
    }

    /// The same with this many bytes to remember positions.
    pub fn with_memory(self, memory: usize) -> Statement {
        Statement { memory, ..self }
    }
}

/// Writes a statement down with the strategies that prove it.
///
/// `choose` appends moves by which the claim's owner, who is to move so many plies after the root, keeps what is claimed: at
/// least one; of several the one is taken that seems to add the least. `watch` is called with the progress of each half and may stop it with `false`.
///
/// # Panics
/// If a game ends with a score outside [`Position::range`].
pub fn write<G: Game, E>(
    game: &G,
    statement: &Statement,
    mut choose: impl FnMut(&G::Pos, usize, Claim, &mut Vec<<G::Pos as Position>::Move>) -> Result<(), E>,
    mut watch: impl FnMut(&Walked) -> bool,
) -> Result<Written, WriteError<E>> {
    let Statement { ref line, bounds, within, ends, ranks, memory } = *statement;
    if within.is_some() && (ends == Ends::Counted || bounds.value().is_none_or(|value| value == Score::DRAW))
    {
        return Err(WriteError::NoPlies);
    }
    let line_ends = LineEnds::new(game, ends).ok_or_else(|| WriteError::NoCount(game.name()))?;
    let root = line.position(game).map_err(WriteError::Line)?;
    let start = game.start();
    if ranks && !statement.admits_ranks(&start, &root) {
        return Err(WriteError::NoRanks);
    }
    let shape = if ranks { Shape::Ranks } else { Shape::of(&start) };
    // The text that the game writes, not the one that was typed.
    let plain = |text: &String| game.parse(text).map(|pos| game.show(&pos));
    let from = line.from.as_ref().map(plain).transpose().map_err(WriteError::Line)?;
    let (by_rules, claims) = (start.range(), statement.claims());
    let mut half = |claim, needed: bool| {
        let walk = || Walk::new(game, claim, shape, &line_ends, memory);
        let strategy = Strategy { claim, shape, ends: &line_ends, hints: &*game.hints() };
        (needed || within.is_some())
            .then(|| write_half(walk(), &root, &strategy, &mut choose, &mut watch))
            .transpose()
    };
    let at_least = half(claims[0], bounds.pess > by_rules.pess)?;
    let at_most = half(claims[1], bounds.opti < by_rules.opti)?;
    let certificate = Certificate {
        line: Line { game: game.id(), from, moves: line.moves.clone() },
        position: game.show(&root),
        shape,
        within,
        ends,
        halves: [(claims[0], evidence(&at_least)), (claims[1], evidence(&at_most))],
        intact: true,
    };
    let bytes = certificate.to_bytes().ok_or(WriteError::Lines)?;
    let walked = [&at_least, &at_most].into_iter().flatten().map(|half| half.0).sum();
    Ok(Written { bytes, walked })
}

/// What chooses among the moves of a strategy.
struct Strategy<'a, P: Position> {
    claim: Claim,
    shape: Shape,
    ends: &'a LineEnds<P>,
    hints: &'a dyn Hints<P>,
}

impl<P: Position> Strategy<'_, P> {
    /// Whether a position was met after so many plies, and the walk may go there again.
    fn was_met(&self, pos: P, plies: usize, seen: &Seen<P>) -> bool {
        let number = seen.number(&self.shape.of_position(pos), self.claim.level(plies));
        // A way back to the path is no progress.
        let is_open = |number| self.claim.wins() && seen.noted(number).longest == Note::OPEN;
        number.is_some_and(|number| !is_open(number))
    }

    /// A move that ends the game well, or leads to a position already in the strategy: it adds nothing
    /// to walk.
    fn free_move(&self, pos: &P, plies: usize, moves: &[P::Move], seen: &Seen<P>) -> Option<usize> {
        let is_free = |&mv: &P::Move| {
            let child = pos.after(mv);
            let good = self.ends.good(&child, plies + 1, self.claim);
            good.unwrap_or_else(|| self.was_met(child, plies + 1, seen))
        };
        moves.iter().position(is_free)
    }

    /// The one of several good moves after which the fewest replies lead to new positions; of these the
    /// most promising one.
    fn smallest(
        &self,
        pos: &P,
        plies: usize,
        good: &mut [P::Move],
        seen: &Seen<P>,
        replies: &mut Vec<P::Move>,
    ) -> P::Move {
        if good.len() > 1 {
            let mut promise = vec![0; good.len()];
            self.hints.order(pos, good, &mut promise);
            let unsorted = good.to_vec();
            for (place, i) in good.iter_mut().zip(most_promising_first(&promise)) {
                *place = unsorted[i];
            }
        }
        let mut fresh = |mv: P::Move| {
            let child = pos.after(mv);
            replies.clear();
            if child.outcome().is_none() {
                child.moves(replies);
            }
            let is_new = |next: P| {
                self.ends.at(&next, plies + 2, self.claim).is_none() && !self.was_met(next, plies + 2, seen)
            };
            replies.iter().filter(|&&reply| is_new(child.after(reply))).count()
        };
        match good {
            [only] => *only,
            _ => good
                .iter()
                .copied()
                .take(COMPARED)
                .min_by_key(|&mv| fresh(mv))
                .expect("at least one move is good"),
        }
    }
}

/// The numbers of moves; equally promising ones stay in their order.
fn most_promising_first(promise: &[u8]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..promise.len()).collect();
    order.sort_by_key(|&i| Reverse(promise[i]));
    order
}

/// More moves than that are not compared.
const COMPARED: usize = 8;

fn evidence(half: &Option<(Walked, Vec<u8>)>) -> Evidence<'_> {
    match half {
        None => Evidence::Rules,
        Some((walked, data)) => Evidence::Strategy { positions: walked.positions, data },
    }
}

/// Walks one strategy and writes its choices.
fn write_half<G: Game, E>(
    mut walk: Walk<G>,
    root: &G::Pos,
    strategy: &Strategy<G::Pos>,
    choose: &mut impl FnMut(&G::Pos, usize, Claim, &mut Vec<<G::Pos as Position>::Move>) -> Result<(), E>,
    watch: &mut dyn FnMut(&Walked) -> bool,
) -> Result<(Walked, Vec<u8>), WriteError<E>> {
    let mut data = ZlibEncoder::new(Vec::new(), Compression::best());
    let (mut good, mut replies, claim) = (Vec::new(), Vec::new(), strategy.claim);
    let mut choose = |pos: &G::Pos, plies: usize, moves: &[_], seen: &Seen<_>| {
        let chosen = match strategy.free_move(pos, plies, moves, seen) {
            Some(free) => free,
            None => {
                good.clear();
                choose(pos, plies, claim, &mut good)?;
                let mv = strategy.smallest(pos, plies, &mut good, seen, &mut replies);
                moves.iter().position(|&other| other == mv).expect("a strategy makes legal moves")
            }
        };
        number::put(chosen as u32, &mut data).expect("a vector takes any bytes");
        Ok(chosen)
    };
    let walked = walk.run(root, &mut choose, watch);
    let walked = walked.map_err(|fault| WriteError::Walk { claim, line: walk.line(), fault })?;
    Ok((walked, data.finish().expect("a vector takes any bytes")))
}
