//! `proofplay solve`: the proven value of a position.

use crate::budget::Budget;
use crate::certificate::{self, Ending};
use crate::checkpoint::Keeping;
use crate::files::{self, Unwritten};
use crate::output::{board, outcome_sentence, per_second, print, print_json, seconds, strong};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::{Status, answer, checkpoint, engine, interrupt};
use anyhow::{Context, Result, bail};
use clap::{ArgGroup, Args};
use indicatif::{BinaryBytes, HumanCount};
use proofplay_core::{Line, Player, Score};
use proofplay_front::budget::{add_up, left_of, with_certificate};
use proofplay_front::json::{CheckpointFile, MoveValue, Solved};
use proofplay_front::text::wrapped;
use proofplay_lab::{Solve, Store, keep};
use proofplay_registry::{Certify, DynPosition};
use proofplay_search::checkpoint::{Checkpoint, Head, Spent};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchSpec, Verdict};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Prove who wins a position, and by which move
///
/// The answer is exact: a search looks at everything that could change it. When the budget runs out first, or Ctrl-C
/// comes, it prints what is certain so far and ends with status 3. In JSON, `value` is for the player to move (null when the
/// game is over), `score` and `bounds` are in the view of the player who began the game, `solved` says that both bounds are
/// equal, `best_move` is null as long as the value is known but no move is proven to keep it, and `ended` is solved, limit,
/// memory (full) or exhausted (the search can prove no more). A search
/// that goes on from a checkpoint counts nodes and time of all its runs. Nothing is kept but what --certificate,
/// --checkpoint and --store ask for.
#[derive(Args, Debug)]
#[command(
    group(ArgGroup::new("what").required(true).args(["game", "resume"])),
    override_usage = "proofplay solve [OPTIONS] <GAME>\n       proofplay solve [OPTIONS] --resume <FILE>",
    after_help = "\
Examples:
  proofplay solve tictactoe --all-moves
  proofplay solve connect4:5x4
  proofplay solve connect4 --moves \"4 4 4 4 4 2 2 4\" --time 30s --memory 2GiB
  proofplay solve connect4:5x4 --certificate c4.proof
  proofplay solve domineering:7x7 --certificate d.proof --ends counted
  proofplay solve domineering:6x6 --algorithm alphabeta:symmetry=off --json
  proofplay solve connect4:7x6 --memory 4GiB --checkpoint c4.checkpoint
  proofplay solve --resume c4.checkpoint
  proofplay solve domineering:6x6 --algorithm ppt --store solves.db"
)]
pub struct Options {
    #[command(flatten)]
    setup: Option<Setup>,
    #[arg(long, value_name = "SEARCH", default_value = engine::AUTO, help = engine::algorithms())]
    algorithm: String,
    #[command(flatten)]
    budget: Budget,
    /// The seed of searches that draw random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Prove the value of every legal move, not only of the best one
    #[arg(long)]
    all_moves: bool,
    /// Write the proof into a file that `proofplay verify` checks with the rules of the game alone
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Where the lines of play of the certificate end
    #[arg(long, value_enum, default_value_t = Ending::Rules, requires = "certificate")]
    ends: Ending,
    #[command(flatten)]
    keeping: Keeping,
    /// Keep the result in this store, where `proofplay results` finds it; the same search again is kept once
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// What is searched, and how: as the arguments or a checkpoint say.
struct Task {
    pos: Box<dyn DynPosition>,
    line: Line,
    algorithm: String,
    all_moves: bool,
    resources: Resources,
    limits: Limits,
    stop: Arc<AtomicBool>,
    checkpoint: Option<Arc<Checkpoint>>,
}

impl Options {
    /// Searches and prints what was found.
    pub fn run(&self, json: bool) -> Result<Status> {
        let task = self.task()?;
        let (pos, kept) = (&task.pos, task.checkpoint.as_deref());
        let spec: SearchSpec = task.algorithm.parse()?;
        self.budget.allowed().check(&task.algorithm, &spec)?;
        let checkpoint = self.keeping.checkpoint.as_deref().or(self.keeping.resume.as_deref());
        files::expect_apart(&[
            ("--checkpoint", checkpoint),
            ("--certificate", self.certificate.as_deref()),
            ("--store", self.store.as_deref()),
        ])?;
        if let Some(path) = &self.certificate {
            files::expect_writable(path)?;
        }
        if self.ends == Ending::Counted && !pos.counts() {
            bail!(
                "--ends counted: there is no count for {}, its certificates end where the game does",
                pos.game()
            );
        }
        let store = self.store.as_deref().map(Store::open_to_write).transpose()?;
        let (memory, for_certificate) = match &self.certificate {
            Some(_) => with_certificate(task.resources.memory),
            None => (task.resources.memory, 0),
        };
        let mut search = pos.start_search(&spec, Resources { memory, ..task.resources })?;
        let mut report = {
            let progress = Progress::start();
            let run = Run::new(task.limits).stopped_by(&task.stop);
            let mut run = run.observed(|report: &Report<String>, _| {
                let mut total = report.clone();
                add_up(kept, &mut total);
                progress.say(so_far(&total) + &checkpoint::so_far(kept));
            });
            run.checkpoint = task.checkpoint.clone();
            search.run(if task.all_moves { Ask::AllMoves } else { Ask::Value }, &mut run)?
        };
        let left = left_of(task.limits, &report);
        add_up(kept, &mut report);
        let moves = task.all_moves.then(|| MoveValue::all(pos.as_ref(), &report));
        // The answer comes before the files: whatever becomes of these, it is there.
        let printed =
            if json { Ok(()) } else { print(&tell(pos.as_ref(), &task.algorithm, &report, &moves)?) };
        let mut unwritten = Unwritten::default();
        let certificate = self.certificate.as_deref().map(|path| {
            let wanted = Certify {
                line: task.line.clone(),
                bounds: report.bounds,
                ends: self.ends.into(),
                memory: for_certificate,
                limits: left,
                stop: Arc::clone(&task.stop),
            };
            certificate::write(path, &mut *search, &wanted, &mut unwritten)
        });
        let last = kept.map(CheckpointFile::of);
        last.iter().for_each(|last| checkpoint::note(last, &mut unwritten));
        let stored = store.map_or(Ok(None), |store| task.keep(&report, &store)).unwrap_or_else(|error| {
            unwritten.add(error);
            None
        });
        let open = !report.bounds.is_exact()
            || pos.outcome().is_none() && !report.best_is_proven(pos.turn())
            || moves.iter().flatten().any(MoveValue::is_unknown)
            || certificate.as_ref().is_some_and(|certificate| certificate.file.is_none());
        let printed = if json {
            let mut answer = Solved::new(pos.as_ref(), &task.algorithm, task.resources.seed, &report);
            (answer.moves, answer.certificate, answer.checkpoint) = (moves, certificate, last);
            (answer.experiment, answer.unwritten) = (stored, unwritten.list());
            print_json(&answer)
        } else {
            let mut about = certificate.as_ref().map_or(String::new(), certificate::text);
            let last = last.filter(|last| open || last.why_not.is_some());
            about += &last.as_ref().map_or(String::new(), checkpoint::text);
            about += &stored.map_or(String::new(), |id| format!("kept: experiment {id} of the store\n"));
            printed.and_then(|()| print(&about)).map_err(Into::into)
        };
        unwritten.check()?;
        printed?;
        Ok(if open { Status::Unfinished } else { Status::Done })
    }

    /// What the arguments ask for.
    fn task(&self) -> Result<Task> {
        let (stop, budget) = (interrupt::stop_flag()?, self.budget.allowed());
        if let Some(file) = &self.keeping.resume {
            let (checkpoint, pos, line) = self.keeping.open(file, &stop)?;
            let head = checkpoint.head().clone();
            let (resources, limits) = (budget.resources_of_earlier(&head)?, budget.limits());
            let (algorithm, all_moves) = (head.algorithm, head.all_moves);
            let checkpoint = Some(Arc::new(checkpoint));
            return Ok(Task { pos, line, algorithm, all_moves, resources, limits, stop, checkpoint });
        }
        let setup = self.setup.as_ref().context("no game is given")?;
        let (pos, line) = setup.reached()?;
        let algorithm = engine::algorithm(&self.algorithm, pos.as_ref()).to_owned();
        let (resources, limits) = (budget.resources(self.seed)?, budget.limits());
        let (all_moves, checkpoint) = (self.all_moves, None);
        let mut task = Task { pos, line, algorithm, all_moves, resources, limits, stop, checkpoint };
        task.checkpoint = self.keeping.begin(&task.head())?.map(Arc::new);
        Ok(task)
    }
}

impl Task {
    /// What somebody must know to go on with it.
    fn head(&self) -> Head {
        Head {
            line: self.line.clone(),
            position: self.pos.text(),
            algorithm: self.algorithm.clone(),
            all_moves: self.all_moves,
            seed: self.resources.seed,
            memory: self.resources.memory as u64,
            threads: self.resources.threads as u32,
            spent: Spent::default(),
        }
    }

    /// Keeps what came of it as a solve of the lab, unless somebody stopped it; gives the experiment.
    fn keep(&self, report: &Report<String>, store: &Store) -> Result<Option<i64>> {
        let Some(solved) = proofplay_lab::Solved::of(report, &self.stop) else { return Ok(None) };
        let study = Solve {
            line: self.line.clone(),
            all_moves: self.all_moves,
            playouts: self.limits.simulations,
            nodes: self.limits.nodes,
            time: self.limits.time,
            threads: self.resources.threads,
            seed: self.resources.seed,
            ..Solve::new(&self.pos.game(), self.algorithm.parse()?, self.resources.memory)
        };
        Ok(Some(keep(&study, 0, &solved, report.elapsed, store)?))
    }
}

/// The progress line.
fn so_far(report: &Report<String>) -> String {
    let mut text = format!("{} nodes", HumanCount(report.nodes));
    if report.simulations > 0 {
        text += &format!(", {} playouts", HumanCount(report.simulations));
    }
    let decided = report.moves.iter().filter(|m| m.bounds.is_exact()).count();
    text += &format!(", value in {}, {decided} of {} moves decided", report.bounds, report.moves.len());
    text
}

/// The moves of each value, the best first; where there are points, of each score.
fn by_value(pos: &dyn DynPosition, moves: &[MoveValue]) -> String {
    let words = [Verdict::Win, Verdict::Draw, Verdict::Loss, Verdict::Unknown].map(Verdict::word);
    let sign = if pos.turn() == Player::First { -1 } else { 1 };
    let mut groups: Vec<(usize, Option<i32>, String, Vec<String>)> = Vec::new();
    for m in moves {
        let class = words.iter().position(|&word| word == m.value).unwrap_or(words.len());
        let score = m.score.filter(|_| answer::has_points(pos));
        let name = score.map_or_else(|| m.value.to_owned(), |score| format!("{} {}", m.value, Score(score)));
        match groups.iter_mut().find(|group| group.2 == name) {
            Some(group) => group.3.push(m.mv.clone()),
            None => {
                groups.push((class, score.map(|score| sign * i32::from(score)), name, vec![m.mv.clone()]))
            }
        }
    }
    groups.sort_by_key(|group| (group.0, group.1));
    groups.iter().map(|(.., name, moves)| wrapped(&format!("{name}:"), moves)).collect()
}

/// The answer for a person.
fn tell(
    pos: &dyn DynPosition,
    algorithm: &str,
    report: &Report<String>,
    moves: &Option<Vec<MoveValue>>,
) -> Result<String> {
    let mut text = format!("{}\n\n{}\n", strong(&pos.game()), board(pos));
    if let Some(score) = pos.outcome() {
        writeln!(text, "{}", outcome_sentence(pos, score))?;
        return Ok(text);
    }
    writeln!(text, "{}", strong(&answer::sentence(pos, report)))?;
    if report.best_is_proven(pos.turn()) {
        text += &wrapped("line:", &report.pv);
    }
    text += &by_value(pos, moves.as_deref().unwrap_or_default());
    let playouts = if report.simulations > 0 {
        format!(", {} playouts", HumanCount(report.simulations))
    } else {
        String::new()
    };
    let (nodes, time) = (HumanCount(report.nodes), seconds(report.elapsed));
    let (speed, memory) = (per_second(report.nodes, report.elapsed), BinaryBytes(report.memory as u64));
    writeln!(text, "{algorithm}: {nodes} nodes{playouts}, {time}, {speed} nodes/s, {memory} of memory")?;
    Ok(text + &answer::advice(&algorithm.parse()?, report))
}
