//! The walk through a strategy: its owner's chosen move, every move of the opponent, depth first.
//!
//! The same walk writes and verifies; only where a choice comes from differs. Moves are taken in the order of their texts,
//! byte by byte, so that anyone who knows the notation knows the order.
//!
//! Where no position can repeat, one met before is not walked again ([`Shape::Graph`]): its value does not depend on how it
//! was reached. Positions are compared whole, never by a hash alone. Where positions can repeat, which histories are
//! alike is a question of each game's rules, so nothing is left out ([`Shape::Tree`]). A position that comes again below
//! itself is refused, for then the strategy would rest on itself.

use crate::claim::Claim;
use proofplay_core::{Game, Position, Score};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::iter::Sum;

type MoveOf<G> = <<G as Game>::Pos as Position>::Move;

/// Positions and the order in which they were met.
pub type Seen<P> = HashMap<P, u64>;

/// Names the number of the owner's move in a position among its moves. It also hears of the positions met so far.
pub type Choose<'a, P, E> = dyn FnMut(&P, &[<P as Position>::Move], &Seen<P>) -> Result<usize, E> + 'a;

/// What of the positions below the root is walked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Every position once.
    Graph,
    /// Every line of play to its end.
    Tree,
}

impl Shape {
    /// What the positions of a game need.
    pub fn of<P: Position>() -> Shape {
        if P::ACYCLIC { Shape::Graph } else { Shape::Tree }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shape::Graph => "graph",
            Shape::Tree => "tree",
        })
    }
}

/// How much was walked.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Walked {
    /// Positions in which somebody had to move; in a graph all of them differ.
    pub positions: u64,
    /// Ends of the game that were looked at, the same one perhaps several times.
    pub ends: u64,
    /// How often a move led to a position that was walked before.
    pub again: u64,
}

impl Sum for Walked {
    fn sum<I: Iterator<Item = Walked>>(walks: I) -> Walked {
        walks.fold(Walked::default(), |a, b| Walked {
            positions: a.positions + b.positions,
            ends: a.ends + b.ends,
            again: a.again + b.again,
        })
    }
}

/// What stopped a walk; `E` is what the source of the choices may say.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault<E> {
    /// There is no usable choice.
    #[error("{0}")]
    Choice(E),
    /// An end of the game is worse for the owner than claimed.
    #[error("the game ends with score {0}")]
    Score(Score),
    /// A position comes again below itself.
    #[error("the position repeats itself")]
    Repeats,
    /// No memory is left to remember positions.
    #[error("more positions than fit into the memory that may be used")]
    Memory,
    /// The watch said so.
    #[error("stopped")]
    Stopped,
}

/// A position on the way down from the root.
struct Step<P> {
    pos: P,
    /// Positions are numbered as they are met.
    number: u64,
    /// Where its moves begin, and which of them is next.
    first: usize,
    next: usize,
}

/// A walk in progress.
pub struct Walk<'a, G: Game> {
    game: &'a G,
    claim: Claim,
    /// The positions met, but of a tree only those of the path.
    seen: Seen<G::Pos>,
    most: usize,
    path: Vec<Step<G::Pos>>,
    /// The moves to be walked from the positions of the path, block after block.
    moves: Vec<MoveOf<G>>,
    named: Vec<(String, MoveOf<G>)>,
    walked: Walked,
}

/// How many entries of a hash map fit into so many bytes while it grows: it doubles, and the old half stays until all
/// is moved; seven eighths are used, and every entry has a byte of its own.
fn entries_in<T>(bytes: usize) -> usize {
    let places = bytes * 2 / 3 / (size_of::<T>() + 1);
    let places = if places.is_power_of_two() { places } else { places.next_power_of_two() / 2 };
    (places / 8 * 7).max(64)
}

impl<'a, G: Game> Walk<'a, G> {
    /// Will remember positions in about `memory` bytes.
    pub fn new(game: &'a G, claim: Claim, memory: usize) -> Self {
        Walk {
            game,
            claim,
            seen: HashMap::new(),
            most: entries_in::<(G::Pos, u64)>(memory),
            path: Vec::new(),
            moves: Vec::new(),
            named: Vec::new(),
            walked: Walked::default(),
        }
    }

    /// Walks everything below `root`. `choose` is asked for the owner's move unless there is only one. `watch` hears of the progress now and then and may end the walk with `false`.
    pub fn run<E>(
        &mut self,
        root: &G::Pos,
        choose: &mut Choose<G::Pos, E>,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Walked, Fault<E>> {
        self.enter(root.clone(), choose)?;
        while let Some(step) = self.path.last_mut() {
            if step.next == self.moves.len() {
                self.moves.truncate(step.first);
                if Shape::of::<G::Pos>() == Shape::Tree {
                    self.seen.remove(&step.pos);
                }
                self.path.pop();
                continue;
            }
            let child = step.pos.after(self.moves[step.next]);
            step.next += 1;
            self.enter(child, choose)?;
            let Walked { positions, ends, again } = self.walked;
            if (positions + ends + again).is_multiple_of(64) && !watch(&self.walked) {
                return Err(Fault::Stopped);
            }
        }
        Ok(self.walked)
    }

    /// Looks at a position; unless it needs no walk it becomes the end of the path.
    fn enter<E>(&mut self, pos: G::Pos, choose: &mut Choose<G::Pos, E>) -> Result<(), Fault<E>> {
        if let Some(score) = pos.outcome() {
            self.walked.ends += 1;
            return if self.claim.holds(score) { Ok(()) } else { Err(Fault::Score(score)) };
        }
        let full = self.seen.len() >= self.most;
        let number = self.walked.positions;
        match self.seen.entry(pos.clone()) {
            Entry::Occupied(known) => {
                // Numbers grow along the path.
                if self.path.binary_search_by_key(known.get(), |step| step.number).is_ok() {
                    return Err(Fault::Repeats);
                }
                self.walked.again += 1;
                return Ok(());
            }
            Entry::Vacant(_) if full => return Err(Fault::Memory),
            Entry::Vacant(place) => _ = place.insert(number),
        }
        self.walked.positions += 1;
        let first = self.moves.len();
        self.list(&pos);
        if pos.turn() == self.claim.owner && self.moves.len() - first > 1 {
            let chosen = choose(&pos, &self.moves[first..], &self.seen).map_err(Fault::Choice)?;
            self.moves[first] = self.moves[first + chosen];
            self.moves.truncate(first + 1);
        }
        self.path.push(Step { pos, number, first, next: first });
        Ok(())
    }

    /// Adds the moves of a position in the order of their texts.
    fn list(&mut self, pos: &G::Pos) {
        let first = self.moves.len();
        pos.moves(&mut self.moves);
        self.named.clear();
        self.named.extend(self.moves.drain(first..).map(|mv| (self.game.show_move(pos, mv), mv)));
        self.named.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        self.moves.extend(self.named.iter().map(|named| named.1));
    }

    /// The moves from the root to where the walk is, or was when it stopped.
    pub fn line(&self) -> Vec<String> {
        let made = self.path.iter().filter(|step| step.next > step.first);
        made.map(|step| self.game.show_move(&step.pos, self.moves[step.next - 1])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_map_stays_in_bounds() {
        for bytes in [1 << 16, 1 << 20, 3 << 20] {
            let most = entries_in::<(u128, u64)>(bytes);
            let mut map: HashMap<u128, u64> = (0..most as u128).map(|i| (i, 0)).collect();
            map.shrink_to_fit();
            // A full map of the size allowed, and the half that was moved into it.
            assert!(map.capacity() * 8 / 7 * 33 * 3 / 2 <= bytes, "{} for {bytes}", map.capacity());
            assert!(most * 33 * 5 > bytes, "{most} entries waste {bytes} bytes");
        }
    }
}
