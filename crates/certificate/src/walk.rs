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
//!
//! Where a repetition is a draw and the history decides nothing else, it can be left aside
//! ([`Shape::Ranks`]): positions are merged again. A win must come nearer with every move, so no
//! position may occur below itself: the rank of a position is the plies of the longest line from
//! it. Not to lose needs no rank: the positions of the strategy only have to be a closed set, which
//! [`Walk::run_closed`] walks.

use crate::claim::Claim;
use crate::line_end::{End, LineEnds};
use crate::move_order::TextOrder;
use crate::position_set::{Inserted, Note, Seen};
use proofplay_core::{Game, Position, Score, guard};
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
    /// Every position once, its history left aside.
    Ranks,
}

impl Shape {
    /// The shape that the game of `pos` needs, if histories are not left aside.
    pub fn of<P: Position>(pos: &P) -> Shape {
        if pos.repeats() { Shape::Tree } else { Shape::Graph }
    }

    /// Whether a strategy of the game that starts at `start` may be walked like this.
    pub fn suits<P: Position>(self, start: &P) -> bool {
        match self {
            Shape::Graph | Shape::Tree => self == Shape::of(start),
            Shape::Ranks => start.repeats() && start.packed().is_some(),
        }
    }

    /// Whether the walk from `root` is a proof of the claim. Where histories are left aside, a win is none if some position has
    /// occurred twice: its next occurrence would be a draw.
    pub fn proves<P: Position>(self, root: &P, claim: Claim) -> bool {
        self != Shape::Ranks || !claim.wins() || guard::ended(root).is_some() || !root.has_repeated()
    }

    /// A position as it is walked and compared.
    #[inline]
    pub fn of_position<P: Position>(self, pos: P) -> P {
        match self {
            Shape::Ranks if guard::ended(&pos).is_none() => {
                pos.unpacked(pos.packed().expect("positions of this game have numbers"))
            }
            _ => pos,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shape::Graph => "graph",
            Shape::Tree => "tree",
            Shape::Ranks => "ranks",
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
    shape: Shape,
    ends: &'a LineEnds<G::Pos>,
    /// The positions of a graph that were met.
    seen: Seen<G::Pos>,
    path: Vec<Step<G::Pos>>,
    /// The moves to be walked from the positions of the path, block after block.
    moves: Vec<MoveOf<G>>,
    order: TextOrder,
    walked: Walked,
    longest: Longest<MoveOf<G>>,
    /// Where the walk of a closed set is, and the end of the game that stopped it.
    at: Option<usize>,
    over: Option<G::Pos>,
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
    /// A walk of this shape with about `memory` bytes for positions.
    pub fn new(game: &'a G, claim: Claim, shape: Shape, ends: &'a LineEnds<G::Pos>, memory: usize) -> Self {
        Walk {
            game,
            claim,
            shape,
            ends,
            seen: Seen::new(memory),
            path: Vec::new(),
            moves: Vec::new(),
            order: TextOrder::new(),
            walked: Walked::default(),
            longest: Longest { moves: Vec::new(), then: None },
            at: None,
            over: None,
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
        let root = self.shape.of_position(root.clone());
        if self.shape == Shape::Ranks && !self.claim.wins() {
            return self.run_closed(root, choose, watch);
        }
        self.enter(root, choose)?;
        while let Some(step) = self.path.last_mut() {
            if step.next == self.moves.len() {
                self.moves.truncate(step.first);
                self.leave();
                continue;
            }
            let child = self.shape.of_position(step.pos.after(self.moves[step.next]));
            step.next += 1;
            match self.enter(child, choose)? {
                Below::Open => {}
                Below::End => self.reach(0, None),
                Below::Known(number) => {
                    let plies = self.seen.note(number).longest;
                    self.reach(plies, Some(number));
                }
            }
            self.tell(watch)?;
        }
        Ok(self.walked)
    }

    /// Calls `watch` now and then.
    fn tell<E>(&self, watch: &mut dyn FnMut(&Walked) -> bool) -> Result<(), Fault<E>> {
        let Walked { positions, ends, counted, again, late, .. } = self.walked;
        let due = (positions + ends + counted + again + late).is_multiple_of(64);
        if due && !watch(&self.walked) { Err(Fault::Stopped) } else { Ok(()) }
    }

    /// Walks a set of positions that the opponent cannot leave except by ends of the game that are good for the owner: one
    /// position after the other, in the order in which they are met.
    fn run_closed<E>(
        &mut self,
        root: G::Pos,
        choose: &mut Choose<G::Pos, E>,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Walked, Fault<E>> {
        self.meet(root, None)?;
        for number in 0.. {
            if number == self.seen.len() {
                break;
            }
            self.at = Some(number);
            let pos = self.seen.get(number).clone();
            self.moves.clear();
            self.list(&pos, 0, choose)?;
            for i in 0..self.moves.len() {
                self.meet(pos.after(self.moves[i]), Some(number))?;
                self.tell(watch)?;
            }
        }
        self.at = None;
        Ok(self.walked)
    }

    /// Adds a position of a closed set, which a move leads to from the one with number `from`.
    fn meet<E>(&mut self, pos: G::Pos, from: Option<usize>) -> Result<(), Fault<E>> {
        if let Some(score) = guard::ended(&pos) {
            self.walked.ends += 1;
            if !self.claim.holds(score, 0) {
                self.over = Some(pos);
                return Err(Fault::Score(score));
            }
            return Ok(());
        }
        match self.seen.insert(&self.shape.of_position(pos), 0) {
            Inserted::Full => return Err(Fault::Memory(self.walked.positions)),
            Inserted::Known(_) => self.walked.again += 1,
            Inserted::New(number) => {
                self.walked.positions += 1;
                let from = from.unwrap_or(0);
                let note = self.seen.note(number);
                (note.longest, note.first) = ((from >> 16) as u16, from as u16);
            }
        }
        Ok(())
    }

    /// Appends the moves to be walked from a position, and returns the number of the one that the owner has chosen.
    fn list<E>(
        &mut self,
        pos: &G::Pos,
        plies: usize,
        choose: &mut Choose<G::Pos, E>,
    ) -> Result<usize, Fault<E>> {
        let (first, mut chosen) = (self.moves.len(), 0);
        self.order.list(self.game, pos, &mut self.moves);
        if pos.turn() == self.claim.owner && self.moves.len() - first > 1 {
            chosen = choose(pos, plies, &self.moves[first..], &self.seen).map_err(Fault::Choice)?;
            self.moves[first] = self.moves[first + chosen];
            self.moves.truncate(first + 1);
        }
        Ok(chosen)
    }

    /// Takes the last position of the path away; all below it was walked.
    fn leave(&mut self) {
        let Some(Step { number, longest, by, .. }) = self.path.pop() else { return };
        if self.shape != Shape::Tree {
            let note = self.seen.note(number);
            (note.longest, note.first) = (longest, by);
        }
        self.lengthen(longest);
    }

    /// The line of the path goes on for so many plies after its last move.
    fn lengthen(&mut self, plies: u16) {
        let Some(step) = self.path.last_mut() else { return };
        let plies = (plies + 1).min(Note::OPEN - 1);
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
        let number = match self.shape {
            Shape::Tree if self.path.iter().any(|step| step.pos == pos) => return Err(Fault::Repeats),
            Shape::Tree => 0,
            Shape::Graph | Shape::Ranks => match self.seen.insert(&pos, self.claim.level(plies)) {
                Inserted::New(number) => {
                    self.seen.note(number).longest = Note::OPEN;
                    number
                }
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
        let first = self.moves.len();
        let chosen = self.list(&pos, plies, choose)?;
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
            pos = self.shape.of_position(pos.after(mv));
            then = self.seen.number(&pos, self.claim.level(line.len()));
        }
        line
    }

    /// The moves from the root to where the walk is, or was when it stopped.
    pub fn line(&mut self) -> Vec<String> {
        if let Some(at) = self.at {
            return self.line_in_closed_set(at);
        }
        let made = self.path.iter().filter(|step| step.next > step.first);
        made.map(|step| self.game.show_move(&step.pos, self.moves[step.next - 1])).collect()
    }

    /// The moves by which position number `at` of a closed set was first met, and the one that ended the game.
    fn line_in_closed_set(&mut self, at: usize) -> Vec<String> {
        let (mut line, mut to, mut moves) = (Vec::new(), self.over.clone(), Vec::new());
        let mut number = at;
        loop {
            let pos = self.seen.get(number).clone();
            if let Some(to) = to {
                moves.clear();
                pos.moves(&mut moves);
                let leads = |&&mv: &&MoveOf<G>| self.shape.of_position(pos.after(mv)) == to;
                line.extend(moves.iter().find(leads).map(|&mv| self.game.show_move(&pos, mv)));
            }
            to = Some(pos);
            if number == 0 {
                break;
            }
            let Note { longest, first, .. } = *self.seen.note(number);
            number = usize::from(longest) << 16 | usize::from(first);
        }
        line.reverse();
        line
    }
}
