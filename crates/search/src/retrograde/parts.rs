//! Solves a numbered set of positions, part by part ([`Numbering`]).
//!
//! ```text
//! counting   every position makes its moves: successors in the same part are counted, those before it and ends are looked up
//! linking    … again, and the edges within the part are stored backwards
//! solving    step k finds what is decided in k plies:
//!              a position with a move to a loss in k - 1 is a win
//!              a position whose moves all lead to wins, the longest in k - 1, is a loss
//! ```
//!
//! All three run on several threads. While a part is solved each number takes 8 bytes, and up to 4 more in lists; each edge
//! within the part takes 4. A part that is done takes 2 for each number. What no step decides is a draw: nobody can be made to lose there.
//!
//! A position can become a win in one way only, by the first step that shows it, and a loss by the last of its moves. So the order
//! in which threads work does not change the result.

use crate::Limits;
use crate::report::Halt;
use crate::watch::Watch;
use proofplay_core::threads::{Job, together};
use proofplay_core::{Entry, Numbering, Place, Position};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Numbers that a thread works on at a time, and threads until the clock is read.
const CHUNK: usize = 1 << 12;

/// A set of positions that is being solved.
pub struct Parts<P: Position> {
    numbering: Arc<dyn Numbering<P>>,
    sizes: Vec<u64>,
    threads: usize,
    memory: usize,
    done: Vec<Vec<Entry>>,
    progress: Progress,
}

/// How far it has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Parts that are done, and all.
    pub parts: (usize, usize),
    /// Numbers in the parts that are done, and all.
    pub numbers: (u64, u64),
    /// Moves that were made, each counted once.
    pub moves: u64,
    /// Bytes that the part which does not fit would take with all before it; else those that were taken at most.
    pub bytes: u64,
    /// The plies of the present step.
    pub ply: u32,
}

/// Is told of the progress, and after each part of all that are done.
pub type Look<'a> = dyn FnMut(Progress, Option<&[Vec<Entry>]>) + 'a;

impl<P: Position> fmt::Debug for Parts<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("progress", &self.progress).finish_non_exhaustive()
    }
}

/// The part that is being solved.
struct Part<'a, P: Position> {
    set: &'a Parts<P>,
    part: u32,
    size: usize,
    entries: Vec<AtomicU16>,
    /// Moves that do not lead to wins of the opponent, as far as is known; those to earlier parts count as one.
    left: Vec<AtomicU16>,
    /// By number: where its predecessors begin; while edges are counted and linked, how many there are and where they end.
    starts: Vec<AtomicU32>,
    before: Vec<AtomicU32>,
}

/// An entry that is not known yet. What remains so is a draw.
const OPEN: u16 = 0;

impl<P: Position> Parts<P> {
    /// Nothing is solved yet. `threads` work on it, with about `memory` bytes.
    pub fn new(numbering: Arc<dyn Numbering<P>>, threads: usize, memory: usize) -> Self {
        let sizes = numbering.parts();
        let all = sizes.iter().sum();
        let progress = Progress { parts: (0, sizes.len()), numbers: (0, all), ..Progress::default() };
        Parts { numbering, sizes, threads: threads.max(1), memory, done: Vec::new(), progress }
    }

    /// Goes on with parts that were solved before, the first ones.
    ///
    /// # Panics
    /// If they have other sizes than the numbering says.
    pub fn with_done(mut self, done: Vec<Vec<Entry>>) -> Self {
        assert!(done.len() <= self.sizes.len(), "too many parts");
        assert!(done.iter().zip(&self.sizes).all(|(part, &size)| part.len() as u64 == size), "another size");
        self.progress.parts.0 = done.len();
        self.progress.numbers.0 = done.iter().map(|part| part.len() as u64).sum();
        self.done = done;
        self
    }

    /// How many numbers each part has.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The parts that are solved: by number, in the view of the mover.
    pub fn done(&self) -> &[Vec<Entry>] {
        &self.done
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The entry of a position that is not over; `None` if it is not known, or not in the set. Histories and counters are left
    /// aside.
    pub fn entry(&self, pos: &P) -> Option<Entry> {
        let place = self.numbering.find(pos)?;
        Some(self.done.get(place.part as usize)?[place.index as usize])
    }

    /// Solves the parts that are left, until all are done or the search must end. `look` is called with the progress now and
    /// then, and with all parts that are done after each of them.
    pub fn run(&mut self, limits: Limits, stop: &Arc<AtomicBool>, look: &mut Look) -> Result<(), Halt> {
        self.go_on(&mut Watch::new(limits, stop), look)
    }

    fn go_on(&mut self, watch: &mut Watch, look: &mut Look) -> Result<(), Halt> {
        while self.done.len() < self.sizes.len() {
            let mut progress = self.progress;
            let solved = Part::new(self).and_then(|part| part.solve(watch, &mut progress, look));
            self.progress = progress;
            let entries =
                solved.inspect_err(|need| self.progress.bytes = self.progress.bytes.max(need.bytes));
            let entries = entries.map_err(|need| need.halt)?;
            self.progress.parts.0 += 1;
            self.progress.numbers.0 += entries.len() as u64;
            self.progress.ply = 0;
            self.done.push(entries);
            look(self.progress, Some(&self.done));
        }
        Ok(())
    }

    /// What has been solved, and the present part takes: bytes.
    fn bytes(&self, numbers: usize, edges: u64) -> u64 {
        2 * self.progress.numbers.0 + 12 * numbers as u64 + 4 * edges
    }
}

/// Why a part is not solved.
struct Need {
    halt: Halt,
    bytes: u64,
}

const STOPPED: Need = Need { halt: Halt::Limit, bytes: 0 };

impl<'a, P: Position> Part<'a, P> {
    fn new(set: &'a Parts<P>) -> Result<Self, Need> {
        let size = set.sizes[set.done.len()] as usize;
        let bytes = set.bytes(size, 0);
        if bytes > set.memory as u64 {
            return Err(Need { halt: Halt::Memory, bytes });
        }
        let mut part = Part {
            set,
            part: set.done.len() as u32,
            size,
            entries: Vec::new(),
            left: Vec::new(),
            starts: Vec::new(),
            before: Vec::new(),
        };
        part.entries.resize_with(size, || AtomicU16::new(OPEN));
        part.left.resize_with(size, || AtomicU16::new(0));
        part.starts.resize_with(size + 1, || AtomicU32::new(0));
        Ok(part)
    }

    /// Does something for all numbers up to `count`, on all threads; `None` if the search must end before.
    fn each<T: Send>(
        &self,
        count: usize,
        watch: &mut Watch,
        beside: &mut dyn FnMut(),
        work: &(dyn Fn(Range<usize>, &mut T) + Sync),
        new: &(dyn Fn() -> T + Sync),
    ) -> Option<Vec<T>> {
        let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let stop = AtomicBool::new(false);
        let chunk = |state: &mut T| {
            let from = next.fetch_add(CHUNK, Relaxed);
            if from < count {
                work(from..count.min(from + CHUNK), state);
            }
            from < count
        };
        let keep = |state| made.lock().unwrap_or_else(PoisonError::into_inner).push(state);
        let other = || {
            let mut state = new();
            loop {
                if stop.load(Relaxed) || !chunk(&mut state) {
                    break;
                }
            }
            keep(state);
        };
        let others = if count > 4 * CHUNK { self.set.threads - 1 } else { 0 };
        let mut main = || {
            let mut state = new();
            while chunk(&mut state) {
                if watch.step(CHUNK as u64) {
                    stop.store(true, Relaxed);
                    break;
                }
                if watch.report_due() {
                    beside();
                    watch.reported();
                }
            }
            keep(state);
        };
        together((0..others).map(|_| -> Job { Box::new(&other) }).collect(), &mut main);
        (!stop.into_inner()).then(|| made.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Calls `inside` with each move's successor in this part, `outside` with the entry of any other, in the view of who moved.
    /// `false` if the number stands for nothing.
    fn expand(
        &self,
        index: usize,
        moves: &mut Vec<P::Move>,
        mut inside: impl FnMut(u32),
        mut outside: impl FnMut(Entry),
    ) -> bool {
        let (place, numbering) = (Place { part: self.part, index: index as u32 }, &self.set.numbering);
        let Some(pos) = numbering.position(place).filter(|pos| pos.outcome().is_none()) else { return false };
        if numbering.find(&pos) != Some(place) {
            return false;
        }
        moves.clear();
        pos.moves(moves);
        for &mv in &*moves {
            let child = pos.after(mv);
            if let Some(score) = child.outcome() {
                let plies = score.winner().map(|_| 0);
                outside(
                    Entry::of(score, plies, pos.turn()).expect("a numbered set has wins, draws and losses"),
                );
                continue;
            }
            let to = numbering.find(&child).expect("a numbered set is closed under moves");
            if to.part == self.part {
                inside(to.index);
            } else {
                outside(self.set.done[to.part as usize][to.index as usize].turned());
            }
        }
        true
    }

    /// Counts the edges, and what moves out of the part decide.
    fn count(&self, range: Range<usize>, state: &mut Counting<P::Move>) {
        for index in range {
            let (mut inside, mut outside, mut win, mut loss, mut draw) =
                (0u16, 0, None::<u32>, None::<u32>, false);
            let is_position = self.expand(
                index,
                &mut state.moves,
                |to| {
                    self.starts[to as usize].fetch_add(1, Relaxed);
                    inside += 1;
                },
                |entry| {
                    outside += 1;
                    match entry.plies() {
                        Some(plies) if entry.wins() => {
                            win = Some(win.map_or(plies, |least| least.min(plies)))
                        }
                        Some(plies) => loss = loss.max(Some(plies)),
                        None => draw = true,
                    }
                },
            );
            if !is_position {
                self.entries[index].store(Entry::NONE.bits(), Relaxed);
                continue;
            }
            state.edges += u64::from(inside);
            state.made += u64::from(inside) + outside;
            // A draw outside is never taken away.
            let left = inside + u16::from(draw || loss.is_some() || win.is_some());
            self.left[index].store(left, Relaxed);
            if let Some(plies) = win {
                put(&mut state.wins, plies + 1, index as u32);
            } else if let Some(plies) = loss.filter(|_| !draw) {
                put(&mut state.losses, plies + 1, index as u32);
            }
        }
    }

    fn solve(
        mut self,
        watch: &mut Watch,
        progress: &mut Progress,
        look: &mut Look,
    ) -> Result<Vec<Entry>, Need> {
        let shown = *progress;
        let mut beside = || look(shown, None);
        let counted = self.each(
            self.size,
            watch,
            &mut beside,
            &|range, state| self.count(range, state),
            &Counting::new,
        );
        let (mut edges, mut wins, mut losses) = (0, Vec::new(), Vec::new());
        for state in counted.ok_or(STOPPED)? {
            edges += state.edges;
            progress.moves += state.made;
            join(&mut wins, state.wins);
            join(&mut losses, state.losses);
        }
        let bytes = self.set.bytes(self.size, edges);
        if bytes > self.set.memory as u64 || edges > u64::from(u32::MAX) {
            return Err(Need { halt: Halt::Memory, bytes });
        }
        progress.bytes = progress.bytes.max(bytes);
        // Each number's list ends where `starts` says, and is filled from there down.
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start.get_mut();
            *start.get_mut() = sum;
        }
        self.before.resize_with(edges as usize, || AtomicU32::new(0));
        let link = |range: Range<usize>, moves: &mut Vec<P::Move>| {
            for index in range {
                let inside = |to: u32| {
                    let place = self.starts[to as usize].fetch_sub(1, Relaxed) - 1;
                    self.before[place as usize].store(index as u32, Relaxed);
                };
                self.expand(index, moves, inside, |_| ());
            }
        };
        self.each(self.size, watch, &mut beside, &link, &Vec::new).ok_or(STOPPED)?;
        self.backwards(watch, progress, look, wins, losses)?;
        Ok(self
            .entries
            .into_iter()
            .map(|entry| Entry::from_bits(entry.into_inner()).expect("an entry"))
            .collect())
    }

    /// Finds what is decided, ply by ply.
    fn backwards(
        &self,
        watch: &mut Watch,
        progress: &mut Progress,
        look: &mut Look,
        wins: Vec<Vec<u32>>,
        losses: Vec<Vec<u32>>,
    ) -> Result<(), Need> {
        let mut frontier: Vec<u32> = Vec::new();
        let last = wins.len().max(losses.len());
        for ply in 1.. {
            if frontier.is_empty() && ply as usize >= last {
                return Ok(());
            }
            assert!(ply <= Entry::MOST_PLIES, "games of more plies than an entry has room for");
            progress.ply = ply;
            let shown = *progress;
            let follow = |range: Range<usize>, joined: &mut Vec<u32>| {
                for &number in &frontier[range] {
                    self.follow(number, ply, joined);
                }
            };
            let joined = self.each(frontier.len(), watch, &mut || look(shown, None), &follow, &Vec::new);
            let mut joining: Vec<u32> = joined.ok_or(STOPPED)?.concat();
            // Moves out of the part.
            for &number in wins.get(ply as usize).into_iter().flatten() {
                self.decide(number, true, ply, &mut joining);
            }
            for &number in losses.get(ply as usize).into_iter().flatten() {
                if self.left[number as usize].fetch_sub(1, Relaxed) == 1 {
                    self.decide(number, false, ply, &mut joining);
                }
            }
            frontier = joining;
        }
        Ok(())
    }

    /// Follows all edges back from a number that the last step has decided.
    fn follow(&self, number: u32, ply: u32, joined: &mut Vec<u32>) {
        let (from, to) = (number as usize, number as usize + 1);
        let wins = Entry::from_bits(self.entries[from].load(Relaxed)).is_some_and(Entry::wins);
        let edges = self.starts[from].load(Relaxed) as usize..self.starts[to].load(Relaxed) as usize;
        for position in &self.before[edges] {
            let position = position.load(Relaxed);
            if !wins {
                self.decide(position, true, ply, joined);
            } else if self.left[position as usize].fetch_sub(1, Relaxed) == 1 {
                self.decide(position, false, ply, joined);
            }
        }
    }

    fn decide(&self, number: u32, wins: bool, ply: u32, joined: &mut Vec<u32>) {
        let entry = Entry::decided(wins, ply).bits();
        if self.entries[number as usize].compare_exchange(OPEN, entry, Relaxed, Relaxed).is_ok() {
            joined.push(number);
        }
    }
}

/// What a thread finds while it counts.
struct Counting<M> {
    moves: Vec<M>,
    edges: u64,
    made: u64,
    wins: Vec<Vec<u32>>,
    losses: Vec<Vec<u32>>,
}

impl<M> Counting<M> {
    fn new() -> Self {
        Counting { moves: Vec::new(), edges: 0, made: 0, wins: Vec::new(), losses: Vec::new() }
    }
}

/// Adds a number to the list of these plies.
fn put(lists: &mut Vec<Vec<u32>>, plies: u32, number: u32) {
    if lists.len() <= plies as usize {
        lists.resize_with(plies as usize + 1, Vec::new);
    }
    lists[plies as usize].push(number);
}

fn join(lists: &mut Vec<Vec<u32>>, more: Vec<Vec<u32>>) {
    lists.resize_with(lists.len().max(more.len()), Vec::new);
    lists.iter_mut().zip(more).for_each(|(list, more)| list.extend(more));
}
