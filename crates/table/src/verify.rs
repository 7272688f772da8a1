//! Checks a table with the rules of its game alone.
//!
//! An entry is right if it is what the mover can reach by one move, given the entries after it ([`Entry::backed_up`]), and the
//! scores where the game is over. If all are right, so are the values: a win has a rank, the plies, which falls with each move, and
//! who draws or wins can stay among positions that are not lost (docs/SOUNDNESS.md).

use crate::block::ENTRIES;
use crate::facts::numbering;
use crate::{Set, Table, TableError};
use proofplay_core::threads::{Job, together};
use proofplay_core::{Entry, Game, Numbering, Place, Position};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// How many entries there are of each kind.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions where the mover wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Positions where the mover loses.
    pub losses: u64,
    /// The longest way to a win.
    pub longest: u32,
}

impl Counts {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts an entry.
    pub fn add(&mut self, entry: Entry) {
        self.wins += u64::from(entry.wins());
        self.losses += u64::from(entry.loses());
        self.draws += u64::from(entry == Entry::DRAW);
        self.longest = self.longest.max(entry.plies().unwrap_or(0));
    }

    fn add_all(&mut self, other: Counts) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.longest = self.longest.max(other.longest);
    }
}

/// What was found right.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// The entries.
    pub counts: Counts,
    /// The moves that were made.
    pub moves: u64,
}

/// How the positions of a table are found.
struct Checker<'a, G: Game> {
    table: &'a Table,
    game: &'a G,
    sample: G::Pos,
    numbering: Option<Arc<dyn Numbering<G::Pos>>>,
}

/// Checks each entry of a table of this game. `watch` is called now and then with the number of entries that were checked, and may
/// stop it.
pub fn verify<G: Game>(
    table: &Table,
    game: &G,
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Checked, TableError> {
    let numbering = numbering(table, game)?;
    let checker = Checker { table, game, sample: game.start(), numbering };
    checker.check_root()?;
    // Blocks, each with its part and its first number.
    let blocks = (0..).zip(table.parts()).flat_map(|(part, count)| {
        (0..count).step_by(ENTRIES).map(move |first| (part, first, count.min(first + ENTRIES as u64)))
    });
    let blocks = Mutex::new(blocks);
    let (ended, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let result = Mutex::new(Ok(Checked::default()));
    let work = || {
        while !ended.load(Relaxed) {
            let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((part, from, to)) = next else { break };
            let checked = checker.check(part, from..to);
            let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *result, checked) {
                (Ok(sum), Ok(checked)) => {
                    sum.counts.add_all(checked.counts);
                    sum.moves += checked.moves;
                }
                (Ok(_), Err(error)) => *result = Err(error),
                (Err(_), _) => {}
            }
            if !watch(done.fetch_add(to - from, Relaxed) + to - from) && result.is_ok() {
                *result = Err(TableError::Stopped);
            }
            if result.is_err() {
                ended.store(true, Relaxed);
            }
        }
    };
    together((1..threads).map(|_| -> Job { Box::new(&work) }).collect(), &mut || work());
    result.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game> Checker<'_, G> {
    /// The position that a listed table begins at must be there.
    fn check_root(&self) -> Result<(), TableError> {
        let Set::After(text) = &self.table.head().set else { return Ok(()) };
        let root = self.game.parse(text).map_err(|error| TableError::OtherSet(error.to_string()))?;
        if root.outcome().is_none() && !self.entry(&root)?.is_position() {
            return Err(self.wrong(&root, Entry::NONE, "the table should begin there".to_owned()));
        }
        Ok(())
    }

    fn wrong(&self, pos: &G::Pos, found: Entry, expected: String) -> TableError {
        TableError::Wrong { position: self.game.show(pos), found: format!("{found:?}"), expected }
    }

    /// The entry of a position that is not over.
    fn entry(&self, pos: &G::Pos) -> Result<Entry, TableError> {
        match &self.numbering {
            Some(numbering) => numbering.find(pos).map_or(Ok(Entry::NONE), |place| self.table.entry(place)),
            None => pos.packed().map_or(Ok(Entry::NONE), |key| self.table.entry_of(key)),
        }
    }

    /// Checks some entries of a part.
    fn check(&self, part: u32, range: std::ops::Range<u64>) -> Result<Checked, TableError> {
        let (mut checked, mut moves, mut after) = (Checked::default(), Vec::new(), Vec::new());
        for index in range {
            let (pos, found) = match &self.numbering {
                Some(numbering) => {
                    let place = Place { part, index: index as u32 };
                    let pos = numbering.position(place).filter(|pos| pos.outcome().is_none());
                    let pos = pos.filter(|pos| numbering.find(pos) == Some(place));
                    (pos, self.table.entry(place)?)
                }
                None => {
                    let (key, found) = self.table.listed(index)?;
                    (self.position_of(key)?, found)
                }
            };
            let Some(pos) = pos else {
                if !found.is_position() {
                    continue;
                }
                let position = format!("number {index} of part {part}");
                let expected = "there is no such position".to_owned();
                return Err(TableError::Wrong { position, found: format!("{found:?}"), expected });
            };
            moves.clear();
            after.clear();
            pos.moves(&mut moves);
            checked.moves += moves.len() as u64;
            for &mv in &moves {
                after.push(self.after(&pos, mv)?);
            }
            let expected = Entry::backed_up(after.iter().copied());
            if found != expected {
                return Err(self.wrong(&pos, found, format!("its moves make it {expected:?}")));
            }
            checked.counts.add(found);
        }
        Ok(checked)
    }

    /// The position with a key.
    fn position_of(&self, key: u128) -> Result<Option<G::Pos>, TableError> {
        let pos = self.sample.unpacked(key);
        // Any number might be in the file.
        let is_right = pos.outcome().is_none() && pos.packed() == Some(key);
        let text = self.game.show(&pos);
        let is_right = is_right && self.game.parse(&text).is_ok_and(|read| read.packed() == Some(key));
        Ok(is_right.then_some(pos))
    }

    /// What a move leads to, in the view of who makes it.
    fn after(&self, pos: &G::Pos, mv: <G::Pos as Position>::Move) -> Result<Entry, TableError> {
        let (child, mover) = (pos.after(mv), pos.turn());
        if let Some(score) = child.outcome() {
            let plies = score.winner().map(|_| 0);
            return Entry::of(score, plies, mover).ok_or_else(|| {
                TableError::OtherSet(format!("a score of {} is no win, draw or loss", score.0))
            });
        }
        let entry = self.entry(&child)?;
        if !entry.is_position() {
            return Err(self.wrong(&child, entry, "a move leads there".to_owned()));
        }
        Ok(if child.turn() == mover { entry } else { entry.turned() })
    }
}
