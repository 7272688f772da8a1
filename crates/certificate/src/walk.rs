//! The walk through a strategy: its owner's chosen move, every move of the opponent, depth first.
//!
//! The same walk writes and verifies; only where a choice comes from differs. Moves are taken in
//! the order of their texts, byte by byte, so that the notation fixes the order.
//!
//! Where no position can repeat, one met before is not walked again ([`Shape::Graph`]): its value
//! does not depend on how it was reached. If plies count, it may depend on their number: positions
//! after different numbers of plies differ. Positions are compared whole, never by a hash alone.
//! Where positions can repeat, the value depends on the history, so positions are never merged
//! ([`Shape::Tree`]). A position that occurs again below itself is refused: the strategy would rest
//! on itself.

use crate::claim::Claim;
use crate::line_end::{End, LineEnds};
use crate::move_order::TextOrder;
use crate::position_set::{Inserted, Seen};
use proofplay_core::{Game, Position, Score};
use std::fmt;
use std::iter::Sum;

type MoveOf<G> = <<G as Game>::Pos as Position>::Move;

/// Returns the number of the owner's move among the moves of a position, so many plies after the
/// root. Also gets the positions met so far.
pub type Choose<'a, P, E> = dyn FnMut(&P, usize, &[<P as Position>::Move], &Seen<P>) -> Result<usize, E> + 'a;

/// Which positions below the root are walked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Every position once.
    Graph,
    /// Every line of play to its end.
    Tree,
}

impl Shape {
    /// The shape that the game of `pos` needs.
    pub fn of<P: Position>(pos: &P) -> Shape {
        if pos.repeats() { Shape::Tree } else { Shape::Graph }
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
#[non_exhaustive]
pub struct Walked {
    /// Positions with a move to make; in a graph all of them differ.
    pub positions: u64,
    /// Ends of the game, the same one perhaps several times.
    pub ends: u64,
    /// Positions, not among these ends, at which a count decided, perhaps after a move of the
    /// owner; the same one perhaps several times.
    pub counted: u64,
    /// How often a move led to a position that was walked before.
    pub again: u64,
    /// Positions at which the game has lasted as long as claimed, the same one perhaps several
    /// times.
    pub late: u64,
    /// The plies of the longest line.
    pub longest: usize,
}

impl Sum for Walked {
    fn sum<I: Iterator<Item = Walked>>(walks: I) -> Walked {
        walks.fold(Walked::default(), |a, b| Walked {
            positions: a.positions + b.positions,
            ends: a.ends + b.ends,
            counted: a.counted + b.counted,
            again: a.again + b.again,
            late: a.late + b.late,
            longest: a.longest.max(b.longest),
        })
    }
}

/// What stopped a walk; `E` is the error of the source of the choices.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault<E> {
    /// There is no usable choice.
    #[error("{0}")]
    Choice(E),
    /// An end of the game is worse for the owner than claimed.
    #[error("the game ends with score {0}")]
    Score(Score),
    /// The game ends too soon or too late.
    #[error("the game ends with score {0} after {1} plies")]
    Plies(Score, usize),
    /// A position occurs again below itself.
    #[error("the position repeats itself")]
    Repeats,
    /// Memory is full after this many positions.
    #[error("there are more than the {0} positions that fit into the memory that may be used")]
    Memory(u64),
    /// `watch` returned `false`.
    #[error("stopped")]
    Stopped,
}

/// A position on the way down from the root.
struct Step<P> {
    pos: P,
    /// Its number in a graph, in which positions are numbered as they are met.
    number: usize,
    /// Where its moves begin, and which of them is next.
    first: usize,
    next: usize,
    /// The number of the owner's move among the moves in their order.
    chosen: usize,
    /// The longest line so far.
    longest: u16,
    by: u16,
}

/// A walk in progress.
pub struct Walk<'a, G: Game> {
    game: &'a G,
    claim: Claim,
    ends: &'a LineEnds<G::Pos>,
    /// The positions of a graph that were met.
    seen: Seen<G::Pos>,
    path: Vec<Step<G::Pos>>,
    /// The moves to be walked from the positions of the path, block after block.
    moves: Vec<MoveOf<G>>,
    order: TextOrder,
    walked: Walked,
    longest: Longest<MoveOf<G>>,
}

/// The longest line, as far as the walk has made its moves, and where it was walked before after
/// that.
struct Longest<M> {
    moves: Vec<M>,
    then: Option<usize>,
}

/// What is below a position that was entered.
enum Below {
    /// It has to be walked.
    Open,
    /// Nothing: a line ends here.
    End,
    /// What was walked before, from the position of this number.
    Known(usize),
}

impl<'a, G: Game> Walk<'a, G> {
    /// A walk with about `memory` bytes for positions.
    pub fn new(game: &'a G, claim: Claim, ends: &'a LineEnds<G::Pos>, memory: usize) -> Self {
        Walk {
            game,
            claim,
            ends,
            seen: Seen::new(memory),
            path: Vec::new(),
            moves: Vec::new(),
            order: TextOrder::new(),
            walked: Walked::default(),
            longest: Longest { moves: Vec::new(), then: None },
        }
    }

    /// Walks everything below `root`. `choose` is called for the owner's move unless there is only
    /// one. `watch` is called with the progress now and then and ends the walk by returning
    /// `false`.
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
                self.leave();
                continue;
            }
            let child = step.pos.after(self.moves[step.next]);
            step.next += 1;
            match self.enter(child, choose)? {
                Below::Open => {}
                Below::End => self.reach(0, None),
                Below::Known(number) => {
                    let plies = self.seen.note(number).longest;
                    self.reach(plies, Some(number));
                }
            }
            let Walked { positions, ends, counted, again, late, .. } = self.walked;
            if (positions + ends + counted + again + late).is_multiple_of(64) && !watch(&self.walked) {
                return Err(Fault::Stopped);
            }
        }
        Ok(self.walked)
    }

    /// Takes the last position of the path away; all below it was walked.
    fn leave(&mut self) {
        let Some(Step { number, longest, by, pos, .. }) = self.path.pop() else { return };
        if Shape::of(&pos) == Shape::Graph {
            let note = self.seen.note(number);
            (note.longest, note.first) = (longest, by);
        }
        self.lengthen(longest);
    }

    /// The line of the path goes on for so many plies after its last move.
    fn lengthen(&mut self, plies: u16) {
        let Some(step) = self.path.last_mut() else { return };
        let plies = plies.saturating_add(1);
        if plies > step.longest {
            let by = step.chosen + step.next - 1 - step.first;
            (step.longest, step.by) = (plies, by.min(usize::from(u16::MAX)) as u16);
        }
    }

    /// The line of the path has reached its end, or what was walked before with so many plies.
    fn reach(&mut self, plies: u16, then: Option<usize>) {
        self.lengthen(plies);
        let length = self.path.len() + usize::from(plies);
        if length > self.walked.longest {
            self.walked.longest = length;
            self.longest.moves.clear();
            self.longest.moves.extend(self.path.iter().map(|step| self.moves[step.next - 1]));
            self.longest.then = then;
        }
    }

    /// Enters a position: it becomes the end of the path if it has to be walked.
    fn enter<E>(&mut self, pos: G::Pos, choose: &mut Choose<G::Pos, E>) -> Result<Below, Fault<E>> {
        let plies = self.path.len();
        match self.ends.at(&pos, plies, self.claim) {
            None => {}
            Some(End::Counted) => {
                self.walked.counted += 1;
                return Ok(Below::End);
            }
            Some(End::Late) => {
                self.walked.late += 1;
                return Ok(Below::End);
            }
            Some(End::Over(score)) => {
                self.walked.ends += 1;
                return match self.claim.holds(score, plies) {
                    true => Ok(Below::End),
                    false if score == self.claim.score => Err(Fault::Plies(score, plies)),
                    false => Err(Fault::Score(score)),
                };
            }
        }
        if self.ends.counts() && pos.turn() == self.claim.owner && self.ends_at_once(&pos) {
            self.walked.counted += 1;
            return Ok(Below::End);
        }
        let number = match Shape::of(&pos) {
            Shape::Tree if self.path.iter().any(|step| step.pos == pos) => return Err(Fault::Repeats),
            Shape::Tree => 0,
            Shape::Graph => match self.seen.insert(&pos, self.claim.level(plies)) {
                Inserted::New(number) => number,
                Inserted::Full => return Err(Fault::Memory(self.walked.positions)),
                Inserted::Known(known) => {
                    // Numbers grow along the path.
                    if self.path.binary_search_by_key(&known, |step| step.number).is_ok() {
                        return Err(Fault::Repeats);
                    }
                    self.walked.again += 1;
                    return Ok(Below::Known(known));
                }
            },
        };
        self.walked.positions += 1;
        let (first, mut chosen) = (self.moves.len(), 0);
        self.order.list(self.game, &pos, &mut self.moves);
        if pos.turn() == self.claim.owner && self.moves.len() - first > 1 {
            chosen = choose(&pos, plies, &self.moves[first..], &self.seen).map_err(Fault::Choice)?;
            self.moves[first] = self.moves[first + chosen];
            self.moves.truncate(first + 1);
        }
        self.path.push(Step { pos, number, first, next: first, chosen, longest: 0, by: 0 });
        Ok(Below::Open)
    }

    /// Whether the owner, who is to move, has a move that ends the line as claimed.
    fn ends_at_once(&mut self, pos: &G::Pos) -> bool {
        let (first, plies) = (self.moves.len(), self.path.len() + 1);
        pos.moves(&mut self.moves);
        let ends = |&mv: &MoveOf<G>| self.ends.good(&pos.after(mv), plies, self.claim) == Some(true);
        let found = self.moves[first..].iter().any(ends);
        self.moves.truncate(first);
        found
    }

    /// The longest line of what was walked from `root`.
    pub fn longest_line(&mut self, root: &G::Pos) -> Vec<String> {
        let (mut pos, mut line, mut list) = (root.clone(), Vec::new(), Vec::new());
        for &mv in &self.longest.moves {
            line.push(self.game.show_move(&pos, mv));
            pos.play(mv);
        }
        let mut then = self.longest.then;
        while let Some(number) = then {
            list.clear();
            self.order.list(self.game, &pos, &mut list);
            // A move whose number was too large to be noted is missing.
            let Some(&mv) = list.get(usize::from(self.seen.note(number).first)) else { break };
            line.push(self.game.show_move(&pos, mv));
            pos.play(mv);
            then = self.seen.number(&pos, self.claim.level(line.len()));
        }
        line
    }

    /// The moves from the root to where the walk is, or was when it stopped.
    pub fn line(&self) -> Vec<String> {
        let made = self.path.iter().filter(|step| step.next > step.first);
        made.map(|step| self.game.show_move(&step.pos, self.moves[step.next - 1])).collect()
    }
}
