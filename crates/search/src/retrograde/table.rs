//! The table of a set of positions that is closed under moves: all that can follow one position, its history left aside.
//!
//! ```text
//! listing   every position found is expanded once; new ones get the next number, edges are counted by the node they lead to
//! linking   every position is expanded again, and its edges are stored with the node they lead to
//! solving   backwards from the ends (`backward.rs`)
//! ```
//!
//! Moves are made twice, since storing the edges forwards as well would take twice the memory. Bytes: for each position its packed
//! number (8, or 16 where one is above 2^64) and 5.3 to 8 to find it, 4 for its place among the edges, 10 for its value and the
//! lists of `backward.rs`; and 4 for each edge.

use super::backward::{Backward, Graph};
use super::positions::{NoNumber, Positions, push};
use crate::report::Halt;
use crate::watch::Watch;
use proofplay_core::{Entry, Position, Score, guard};

/// What is known about a position that is not over.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its value, in the view of First.
    pub value: Score,
    /// The plies to the end if the winner hurries and the loser holds out; `None` if nobody wins.
    pub plies: Option<u32>,
}

/// All positions that can follow one position, and what is known about them.
pub struct Table<P: Position> {
    positions: Positions<P>,
    graph: Graph,
    /// How many edges lead to a position, and to each end, while they are counted.
    edges_to_ends: Vec<u32>,
    edges: usize,
    /// The next position to be listed or linked.
    next: u32,
    phase: Phase,
    moves: Vec<P::Move>,
}

enum Phase {
    Listing,
    Linking,
    Solving(Backward),
    Done(Backward),
    /// A position cannot be told from others without its history.
    Failed,
}

impl<P: Position> Table<P> {
    /// The table of what can follow `root`, which is not over. Nothing is done yet.
    pub fn new(root: &P) -> Result<Self, NoNumber> {
        let mut table = Table {
            positions: Positions::new(root)?,
            graph: Graph::default(),
            edges_to_ends: Vec::new(),
            edges: 0,
            next: 0,
            phase: Phase::Listing,
            moves: Vec::new(),
        };
        table.meet(root)?;
        Ok(table)
    }

    /// Whether all is known.
    pub fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done(_))
    }

    /// How many positions were found.
    pub fn found(&self) -> u64 {
        self.positions.len() as u64
    }

    /// How many positions have had all their moves made.
    pub fn listed(&self) -> u64 {
        if matches!(self.phase, Phase::Listing) { u64::from(self.next) } else { self.found() }
    }

    /// How many moves those have.
    pub fn edges(&self) -> u64 {
        self.edges as u64
    }

    /// Bytes for what was found; those that solving it will take are included.
    pub fn bytes(&self) -> usize {
        let edges = if matches!(self.phase, Phase::Listing) { self.edges * size_of::<u32>() } else { 0 };
        self.positions.bytes() + self.graph.bytes() + edges + Backward::bytes_for(self.positions.len())
    }

    /// Whether a position belongs to the set.
    pub fn has(&self, pos: &P) -> bool {
        self.positions.find(pos).is_some()
    }

    /// What is known about a position that is not over, its history left aside.
    pub fn known(&self, pos: &P) -> Option<Known> {
        let Phase::Done(answers) = &self.phase else { return None };
        let (value, plies) = answers.answer(self.positions.find(pos)?);
        Some(Known { value, plies })
    }

    /// All positions by their packed numbers, ascending; `None` if there are none, or if an entry has no room for what is known.
    pub fn entries(&self) -> Option<impl Iterator<Item = (u128, Entry)> + '_> {
        let Phase::Done(answers) = &self.phase else { return None };
        let entry = move |number: u32| {
            let (value, plies) = answers.answer(number);
            Entry::of(value, plies, self.positions.get(number).turn())
        };
        let mut numbers: Vec<u32> = (0..self.positions.len() as u32).collect();
        if !self.positions.is_packed() || numbers.iter().any(|&number| entry(number).is_none()) {
            return None;
        }
        numbers.sort_unstable_by_key(|&number| self.positions.code(number));
        Some(numbers.into_iter().map(move |number| {
            (self.positions.code(number), entry(number).expect("it was looked at before"))
        }))
    }

    /// The number of a position, which is added if it is new.
    fn meet(&mut self, pos: &P) -> Result<u32, NoNumber> {
        let number = self.positions.add(pos)?;
        if number as usize == self.graph.starts.len() {
            push(&mut self.graph.starts, 0);
            self.graph.second.push(number as usize, pos.turn().index() == 1);
        }
        Ok(number)
    }

    /// The number of an end with this score, which is added if it is new.
    fn end(&mut self, score: Score) -> usize {
        let known = self.graph.ends.iter().position(|&end| end == score);
        known.unwrap_or_else(|| {
            self.graph.ends.push(score);
            self.edges_to_ends.push(0);
            self.graph.ends.len() - 1
        })
    }

    /// Calls `each` with what every move of a position leads to.
    fn expand(
        &mut self,
        number: u32,
        mut each: impl FnMut(&mut Self, Result<Score, &P>) -> Result<(), NoNumber>,
    ) -> Result<(), NoNumber> {
        let pos = self.positions.get(number);
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        pos.moves(&mut moves);
        for &mv in &moves {
            let child = pos.after(mv);
            each(self, guard::ended(&child).ok_or(&child))?;
        }
        self.moves = moves;
        Ok(())
    }

    /// Finds the successors of the next position and counts its edges.
    fn list_next(&mut self) -> Result<(), NoNumber> {
        self.expand(self.next, |table, child| {
            table.edges += 1;
            match child {
                Ok(score) => {
                    let end = table.end(score);
                    table.edges_to_ends[end] += 1;
                }
                Err(child) => {
                    let number = table.meet(child)?;
                    table.graph.starts[number as usize] += 1;
                }
            }
            Ok(())
        })?;
        self.next += 1;
        Ok(())
    }

    /// Makes room for the edges: each node's list ends where `starts` says, and is filled from there down.
    fn make_room(&mut self) {
        let starts = &mut self.graph.starts;
        starts.reserve_exact(self.edges_to_ends.len() + 1);
        starts.append(&mut self.edges_to_ends);
        let mut sum = 0;
        for start in &mut *starts {
            sum += *start;
            *start = sum;
        }
        starts.push(sum);
        self.graph.before = vec![0; self.edges];
    }

    /// Stores the edges of the next position.
    fn link_next(&mut self) -> Result<(), NoNumber> {
        let (from, n) = (self.next, self.positions.len());
        self.expand(from, |table, child| {
            let node = match child {
                Ok(score) => n + table.end(score),
                Err(child) => table.positions.add(child)? as usize,
            };
            let place = &mut table.graph.starts[node];
            *place -= 1;
            table.graph.before[*place as usize] = from;
            Ok(())
        })?;
        self.next += 1;
        Ok(())
    }

    /// Whether another position and its moves still fit: into memory, and into numbers of 32 bits.
    fn fits(&self, memory: usize) -> bool {
        const MOST: usize = (u32::MAX - (1 << 20)) as usize;
        self.bytes() <= memory && self.edges < MOST && self.positions.len() < MOST
    }

    /// Goes on until all is known, or says why not. `nodes` limits the positions found in this call. `look` is called after
    /// each step.
    pub fn go_on(
        &mut self,
        memory: usize,
        nodes: Option<u64>,
        watch: &mut Watch,
        look: &mut dyn FnMut(&Self, &mut Watch),
    ) -> Result<(), Halt> {
        let before = self.found();
        loop {
            let step = match &mut self.phase {
                Phase::Done(_) => return Ok(()),
                Phase::Failed => return Err(Halt::Exhausted),
                Phase::Solving(backward) => {
                    if !backward.go_on(&self.graph, watch) {
                        return Err(Halt::Limit);
                    }
                    let Phase::Solving(answers) = std::mem::replace(&mut self.phase, Phase::Failed) else {
                        unreachable!("it is being solved")
                    };
                    // Values need no edges.
                    self.graph = Graph::default();
                    self.phase = Phase::Done(answers);
                    return Ok(());
                }
                _ if watch.step(1) => return Err(Halt::Limit),
                Phase::Listing if (self.next as usize) < self.positions.len() => {
                    if nodes.is_some_and(|most| self.found() - before >= most) {
                        return Err(Halt::Limit);
                    }
                    if !self.fits(memory) {
                        return Err(Halt::Memory);
                    }
                    self.list_next()
                }
                Phase::Listing => {
                    self.make_room();
                    (self.next, self.phase) = (0, Phase::Linking);
                    Ok(())
                }
                Phase::Linking if (self.next as usize) < self.positions.len() => self.link_next(),
                Phase::Linking => {
                    self.phase = Phase::Solving(Backward::new(&self.graph));
                    Ok(())
                }
            };
            if step.is_err() {
                self.phase = Phase::Failed;
            }
            look(self, watch);
        }
    }
}
