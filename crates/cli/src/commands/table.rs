//! `proofplay table`: makes tables of endgames, and checks them with the rules alone.

use crate::budget::{memory, some_time, threads};
use crate::output::{print, print_json, seconds};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::{Status, files, interrupt};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use indicatif::{BinaryBytes, HumanBytes, HumanCount};
use proofplay_front::budget::{ALONE, share};
use proofplay_front::json::{TableJson, Undecided};
use proofplay_front::text::counted;
use proofplay_registry::{GAMES, MakeError, MakeTable, TableError};
use proofplay_search::{Limits, Resources};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Make a table of endgames: the value and the plies to the end of a whole set of positions; or check one
///
/// The set is all that can follow a position, or with --set one that the game has a name for. It is solved from the ends of
/// the game backwards, also where positions repeat. `--facts FILE` gives the table to searches. When it does not fit into
/// the memory, it says how many positions it has found and what they need, and the exit status is 3. The format is described
/// in docs/TABLES.md.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    override_usage = "proofplay table [OPTIONS] --out <FILE> <GAME>\n       proofplay table verify [OPTIONS] <FILE>",
    after_help = "\
Examples:
  proofplay table checkers:8x8,draw=none --set pieces=4 --out checkers4.table --memory 2GiB --threads 2
  proofplay table chinese-checkers:1 --set all --out star1.table
  proofplay table loa:4x4 --out loa4.table
  proofplay table verify checkers4.table
  proofplay solve checkers:8x8,draw=none --facts checkers4.table --position \"…\""
)]
pub struct Options {
    #[command(subcommand)]
    check: Option<Check>,
    #[command(flatten)]
    setup: Option<Setup>,
    #[command(flatten)]
    make: Option<Make>,
}

/// What to do with a table that is there.
#[derive(Subcommand, Debug)]
enum Check {
    Verify(Verify),
}

/// Check each entry of a table by the rules of the game alone
///
/// An entry is right if it follows from the entries after its moves, and from the rules where the game is over. No search
/// takes part. A table with a wrong entry is refused with the position, and the exit status is 2.
#[derive(Args, Debug)]
struct Verify {
    /// The table
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// Use at most this much memory for the whole program, e.g. 512MiB, 2GiB
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "1GiB")]
    memory: u64,
    /// Use N threads
    #[arg(long, value_name = "N", value_parser = threads(), default_value = "1")]
    threads: u32,
}

/// What a table is made of.
#[derive(Args, Debug)]
struct Make {
    /// All positions of this set instead of those that can follow a position: `pieces=N` for checkers, with up to N pieces;
    /// `all` for chinese-checkers, all placements of the pieces
    #[arg(long, value_name = "SET", conflicts_with_all = ["moves", "position", "sgf"])]
    set: Option<String>,
    /// Write the table to this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: PathBuf,
    /// Stop after this time, e.g. 30s, 5m, 2h [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    time: Option<Duration>,
    /// Use at most this much memory for the whole program, e.g. 512MiB, 2GiB [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
    /// Use N threads for a set with a name
    #[arg(long, value_name = "N", value_parser = threads(), default_value = "1")]
    threads: u32,
    /// With --set, keep the parts that are done in this file, and begin with those that it has; written every minute, and
    /// when a limit or Ctrl-C comes
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "set")]
    checkpoint: Option<PathBuf>,
}

impl Options {
    /// Makes or checks a table.
    pub fn run(&self, json: bool) -> Result<Status> {
        match (&self.check, &self.setup, &self.make) {
            (Some(Check::Verify(verify)), ..) => verify.run(json),
            (None, Some(setup), Some(make)) => make.run(setup, json),
            _ => bail!("no game is given"),
        }
    }
}

impl Make {
    fn run(&self, setup: &Setup, json: bool) -> Result<Status> {
        files::expect_apart(&[("--out", Some(&self.out)), ("--checkpoint", self.checkpoint.as_deref())])?;
        files::expect_writable(&self.out)?;
        let (pos, started) = (setup.position()?, Instant::now());
        let wanted = MakeTable {
            set: self.set.clone(),
            resources: Resources {
                memory: share(self.memory.unwrap_or(ALONE), 1)?,
                threads: self.threads as usize,
                seed: 0,
            },
            limits: Limits { time: self.time, ..Limits::default() },
            stop: interrupt::stop_flag()?,
            out: self.out.clone(),
            checkpoint: self.checkpoint.clone(),
            every: Duration::from_secs(60),
        };
        let made = {
            let progress = Progress::start();
            pos.make_table(&wanted, &mut |making| {
                let of = making.of.map_or(String::new(), |of| format!(" of {}", HumanCount(of)));
                let ply = if making.ply > 0 { format!(", ply {}", making.ply) } else { String::new() };
                let (positions, bytes) = (HumanCount(making.positions), BinaryBytes(making.bytes));
                progress.say(format!("{positions}{of} positions, {bytes}{ply}"));
            })
        };
        let made = match made {
            Err(error @ MakeError::Unfinished(..)) => return undecided(json, "no table", &error.to_string()),
            made => made?,
        };
        let table = TableJson::made(&made, started.elapsed());
        tell(json, &format!("table: {}, {}", self.out.display(), made.head.set), &table)?;
        Ok(Status::Done)
    }
}

impl Verify {
    fn run(&self, json: bool) -> Result<Status> {
        let (memory, stop, started) = (share(self.memory, 1)?, interrupt::stop_flag()?, Instant::now());
        let result = {
            let progress = Progress::start();
            GAMES.verify_table(&self.file, memory, self.threads as usize, &|checked| {
                progress.say(format!("{} checked", counted(HumanCount(checked), "entry")));
                !stop.load(Relaxed)
            })
        };
        let (table, checked) = match result {
            Err(TableError::Stopped) => {
                return undecided(json, "neither accepted nor refused", &TableError::Stopped.to_string());
            }
            result => result.with_context(|| format!("table `{}`", self.file.display()))?,
        };
        let head = format!("right by the rules: {}, {}", table.head().game, table.head().set);
        tell(json, &head, &TableJson::checked(&table, &checked, started.elapsed()))?;
        Ok(Status::Done)
    }
}

/// Prints why there is no answer.
fn undecided(json: bool, what: &str, why: &str) -> Result<Status> {
    if json {
        print_json(&Undecided::new(why))?;
    } else {
        print(&format!("{what}: {why}\n"))?;
    }
    Ok(Status::Unfinished)
}

/// Prints what is in a table.
fn tell(json: bool, head: &str, table: &TableJson) -> Result<()> {
    if json {
        return print_json(table);
    }
    let TableJson { positions, wins, draws, losses, longest, moves, bytes, elapsed_s, .. } = *table;
    let [positions, moves] =
        [(positions, "position"), (moves, "move")].map(|(n, what)| counted(HumanCount(n), what));
    let [wins, draws, losses] = [wins, draws, losses].map(HumanCount);
    let text = format!(
        "{head}\n{positions}, {moves}\nfor the player to move {wins} are won, {draws} drawn, {losses} lost; the longest win \
         takes {longest} plies\n{} in {}\n",
        HumanBytes(bytes),
        seconds(Duration::from_secs_f64(elapsed_s))
    );
    Ok(print(&text)?)
}
