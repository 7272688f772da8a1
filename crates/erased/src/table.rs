//! Tables of endgames without types: made by retrograde analysis, checked by the rules, laid beside a game as facts.

use crate::{AnyGame, Games, SetupError};
use proofplay_core::{Extras, Game, Position, TextError};
use proofplay_search::checkpoint::write_whole;
use proofplay_search::retrograde::{Parts, Retrograde};
use proofplay_search::{Ask, Halt, Limits, Resources, Run, Search, SearchError};
use proofplay_table::{Checked, Counts, Head, Set, Table, TableError, Writer};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The memory for blocks of each table that searches ask.
const CACHE: usize = 64 << 20;

/// What a table is made of.
#[derive(Clone, Debug)]
pub struct MakeTable {
    /// A set of the game by its name; `None` is all that can follow the position.
    pub set: Option<String>,
    /// What may be used.
    pub resources: Resources,
    /// What it may take.
    pub limits: Limits,
    /// Ends it.
    pub stop: Arc<AtomicBool>,
    /// The file.
    pub out: PathBuf,
    /// Where the parts of a named set that are done are kept, and where they are taken from if it exists.
    pub checkpoint: Option<PathBuf>,
    /// How often they are saved.
    pub every: Duration,
}

/// How far the work has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Making {
    /// Positions found, or numbers that are done.
    pub positions: u64,
    /// All numbers of a named set.
    pub of: Option<u64>,
    /// Moves made.
    pub moves: u64,
    /// Bytes of memory that it takes, or would have to take.
    pub bytes: u64,
    /// Plies of the present step backwards.
    pub ply: u32,
}

/// A table that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Made {
    /// What it is about.
    pub head: Head,
    /// Its entries.
    pub counts: Counts,
    /// What it took.
    pub making: Making,
    /// The size of the file.
    pub bytes: u64,
}

/// Why there is no table.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The game has no such set.
    #[error(transparent)]
    Set(#[from] TextError),
    /// The search refuses the game.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The checkpoint is of no use.
    #[error("checkpoint: {0}")]
    Checkpoint(TableError),
    /// The file cannot be written.
    #[error("the table cannot be written: {0}")]
    Unwritten(String),
    /// The game is over, or its positions have no numbers, or it has other values than win, draw and loss.
    #[error(
        "no table can be made of this: the game is over, or its positions have no numbers, or it has other values than win, draw \
         and loss"
    )]
    Nothing,
    /// A limit came first.
    #[error("{}", unfinished(*.0, .1))]
    Unfinished(Halt, Making),
}

/// Why a table is not finished, and what it would need.
fn unfinished(halt: Halt, making: &Making) -> String {
    let Making { positions, of, moves, bytes, .. } = *making;
    let memory = matches!(halt, Halt::Memory);
    match of {
        Some(of) if memory => {
            format!(
                "it does not fit: {positions} of {of} numbers are done, and the next part needs {bytes} bytes of memory"
            )
        }
        Some(of) => format!("a limit came first: {positions} of {of} numbers are done"),
        None if memory => format!(
            "it does not fit: at least {positions} positions with {moves} moves so far, which need more than {bytes} bytes of memory"
        ),
        None => format!("a limit came first: {positions} positions were found"),
    }
}

/// Writes into a file.
type FileWriter<'a> = Writer<BufWriter<&'a File>>;

/// Writes a whole file, or none.
fn written(
    path: &Path,
    head: &Head,
    fill: &dyn Fn(&mut FileWriter<'_>) -> io::Result<()>,
) -> Result<u64, MakeError> {
    let mut bytes = 0;
    let result = write_whole(path, &mut |file| {
        let mut writer = Writer::new(BufWriter::new(file), head)?;
        fill(&mut writer)?;
        bytes = writer.end()?;
        Ok(())
    });
    result.map(|()| bytes).map_err(|error| MakeError::Unwritten(error.to_string()))
}

/// Makes a table and writes it. `watch` is called now and then.
pub(crate) fn make<G: Game>(
    game: &G,
    pos: &G::Pos,
    wanted: &MakeTable,
    watch: &mut dyn FnMut(&Making),
) -> Result<Made, MakeError> {
    match &wanted.set {
        Some(set) => make_named(game, set, wanted, watch),
        None => make_after(game, pos, wanted, watch),
    }
}

fn make_after<G: Game>(
    game: &G,
    pos: &G::Pos,
    wanted: &MakeTable,
    watch: &mut dyn FnMut(&Making),
) -> Result<Made, MakeError> {
    if pos.outcome().is_some() {
        return Err(MakeError::Nothing);
    }
    // Without what was played before.
    let text = game.show(pos);
    let plain = game.parse(&text)?;
    let mut search = Retrograde::new(&plain, Extras::none(), wanted.resources)?;
    let mut making = Making::default();
    let report = {
        let mut run = Run::new(wanted.limits).stopped_by(&wanted.stop).observed(|report, _| {
            watch(&Making { positions: report.nodes, bytes: report.memory as u64, ..Making::default() });
        });
        search.run(Ask::Value, &mut run)?
    };
    (making.positions, making.moves) = search.size();
    making.bytes = report.memory as u64;
    let Some(solved) = search.solved() else { return Err(MakeError::Unfinished(report.halt, making)) };
    let head = Head { game: game.id(), set: Set::After(text) };
    let mut counts = Counts::default();
    solved.entries().ok_or(MakeError::Nothing)?.for_each(|(_, entry)| counts.add(entry));
    let bytes = written(&wanted.out, &head, &|writer| {
        writer.listed(counts.positions(), solved.entries().into_iter().flatten())
    })?;
    Ok(Made { head, counts, making, bytes })
}

fn make_named<G: Game>(
    game: &G,
    set: &str,
    wanted: &MakeTable,
    watch: &mut dyn FnMut(&Making),
) -> Result<Made, MakeError> {
    let numbering = game.numbering(set)?;
    let head = Head { game: game.id(), set: Set::Named(set.to_owned()) };
    let mut parts = Parts::new(numbering, wanted.resources.threads, wanted.resources.memory);
    if let Some(path) = wanted.checkpoint.as_deref().filter(|path| path.exists()) {
        parts = resumed(parts, path, &head).map_err(MakeError::Checkpoint)?;
    }
    let save = |done: &[Vec<_>], path: &Path| {
        written(path, &head, &|writer| done.iter().try_for_each(|entries| writer.part(entries)))
    };
    let (mut making, mut last) = (Making::default(), Instant::now());
    let ended = parts.run(wanted.limits, &wanted.stop, &mut |progress, done| {
        let (positions, of) = progress.numbers;
        making = Making {
            positions,
            of: Some(of),
            moves: progress.moves,
            bytes: progress.bytes,
            ply: progress.ply,
        };
        watch(&making);
        if let (Some(path), Some(done)) = (&wanted.checkpoint, done)
            && last.elapsed() >= wanted.every
        {
            // What cannot be written now may be so in the end; that is told.
            let _ = save(done, path);
            last = Instant::now();
        }
    });
    making.bytes = parts.progress().bytes;
    if let Err(halt) = ended {
        if let Some(path) = &wanted.checkpoint {
            save(parts.done(), path)?;
        }
        let (positions, of) = parts.progress().numbers;
        return Err(MakeError::Unfinished(halt, Making { positions, of: Some(of), ..making }));
    }
    let mut counts = Counts::default();
    parts.done().iter().flatten().for_each(|&entry| counts.add(entry));
    let bytes = save(parts.done(), &wanted.out)?;
    Ok(Made { head, counts, making, bytes })
}

/// The parts that a checkpoint has.
fn resumed<P: Position>(parts: Parts<P>, path: &Path, head: &Head) -> Result<Parts<P>, TableError> {
    let table = Table::open(path, 0)?;
    if table.head() != head {
        let name = |head: &Head| format!("{}, {}", head.game, head.set);
        return Err(TableError::OtherGame { found: name(table.head()), asked: name(head) });
    }
    let sizes = parts.sizes();
    let found = table.parts();
    if found.len() > sizes.len() || found != sizes[..found.len()] {
        return Err(TableError::OtherSet("its parts have other sizes".to_owned()));
    }
    let done = (0..found.len() as u32).map(|part| table.part(part)).collect::<Result<_, _>>()?;
    Ok(parts.with_done(done))
}

/// Checks a table of this game with its rules alone.
pub(crate) fn verify<G: Game>(
    table: &Table,
    game: &G,
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Checked, TableError> {
    proofplay_table::verify(table, game, threads, watch)
}

/// Tables that lie beside the games of a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables(Arc<Mutex<Laid>>);

#[derive(Default)]
struct Laid {
    files: Vec<PathBuf>,
    /// Games with their tables by name: all positions of a game share what was read.
    games: HashMap<String, AnyGame>,
}

impl std::fmt::Debug for Laid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Laid").field(&self.files).finish()
    }
}

impl Tables {
    /// The game with the tables.
    pub fn lay_beside(&self, mut game: AnyGame) -> Result<AnyGame, SetupError> {
        let mut laid = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if laid.files.is_empty() {
            return Ok(game);
        }
        if let Some(ready) = laid.games.get(&game.id()) {
            return Ok(ready.clone());
        }
        for file in &laid.files {
            let refused = |error| SetupError::Table { file: file.display().to_string(), error };
            game.take_table(Table::open(file, CACHE).map_err(refused)?).map_err(refused)?;
        }
        laid.games.insert(game.id(), game.clone());
        Ok(game)
    }
}

impl Games {
    /// From now on every game of this list has these tables as facts, and so have all searches of its positions. A game that is
    /// not the one of all the tables is refused.
    pub fn use_tables(&self, files: &[PathBuf]) {
        let mut laid = self.tables.0.lock().unwrap_or_else(PoisonError::into_inner);
        *laid = Laid { files: files.to_vec(), games: HashMap::new() };
    }

    /// Opens a table and the game that it is about, and checks each entry with the rules of the game alone. About `memory` bytes are
    /// for blocks of the table. `watch` is called with the number of entries that were checked, and may stop it.
    pub fn verify_table(
        &self,
        file: &Path,
        memory: usize,
        threads: usize,
        watch: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(Table, Checked), TableError> {
        let table = Table::open(file, memory)?;
        let game =
            self.recorded(&table.head().game).map_err(|error| TableError::OtherSet(error.to_string()))?;
        let checked = game.verify_table(&table, threads, watch)?;
        Ok((table, checked))
    }
}
