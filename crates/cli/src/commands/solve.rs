//! `proofplay solve`: the proven value of a position.

use crate::batch::{self, Told};
use crate::budget::Budget;
use crate::certificate::{self, Ending};
use crate::checkpoint::Keeping;
use crate::files::{self, Unwritten};
use crate::output::{board, list_columns, outcome_sentence, per_second, print, print_json, seconds, strong};
use crate::progress::Progress;
use crate::setup::{Setup, Tables};
use crate::{Status, answer, checkpoint, engine, interrupt};
use anyhow::{Context, Result, anyhow, bail};
use clap::{ArgGroup, Args};
use indicatif::{BinaryBytes, HumanCount};
use proofplay_core::Player;
use proofplay_front::budget::{add_up, left_of, with_certificate};
use proofplay_front::job::Job;
use proofplay_front::json::{CheckpointFile, MoveValue, Solved};
use proofplay_front::text::{counted, wrapped};
use proofplay_lab::{Solve, Store, keep};
use proofplay_registry::{Certify, DynPosition};
use proofplay_search::{Ask, Report, Resources, Verdict};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Prove who wins a position, and by which move
///
/// The answer is exact: a search looks at everything that could change it. When the budget runs out
/// first, or Ctrl-C comes, it prints what is certain so far and ends with status 3. In JSON,
/// `value` is for the player to move (null when the game is over), `score` and `bounds` are in the
/// view of the player who began the game, `solved` says that both bounds are equal, `best_move` is
/// null as long as the value is known but no move is proven to keep it, and `ended` is solved,
/// limit, memory (full) or exhausted (the search can prove no more). A search that continues from a
/// checkpoint counts nodes and time of all its runs. Nothing is kept except what --certificate,
/// --checkpoint and --store ask for. With --batch the positions come from standard input, a line
/// each.
#[derive(Args, Debug)]
#[command(
    group(ArgGroup::new("what").required(true).args(["game", "resume"])),
    override_usage = "proofplay solve [OPTIONS] <GAME>\n       proofplay solve [OPTIONS] --resume <FILE>",
    after_help = "\
Examples:
  proofplay solve tictactoe --all-moves
  proofplay solve connect4:5x4
  proofplay solve connect4:5x4 --moves \"3 3 2\" --shortest --all-moves
  proofplay solve connect4 --moves \"4 4 4 4 4 2 2 4\" --time 30s --memory 2GiB
  proofplay solve connect4:5x4 --certificate c4.proof
  proofplay solve domineering:7x7 --certificate d.proof --ends counted
  proofplay solve domineering:6x6 --algorithm alphabeta:symmetry=off --json
  proofplay solve checkers:4x4,draw=none --shortest
  proofplay solve connect4:7x6 --memory 4GiB --checkpoint c4.checkpoint
  proofplay solve --resume c4.checkpoint
  proofplay solve domineering:6x6 --algorithm ppt --store solves.db
  proofplay solve connect4:5x5 --batch --json < positions.txt"
)]
pub struct Options {
    #[command(flatten)]
    setup: Option<Setup>,
    #[arg(long, alias = "engine", value_name = "SEARCH", default_value = engine::AUTO, help = engine::algorithms())]
    algorithm: String,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    budget: Budget,
    /// The seed of searches that draw random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Prove the value of every legal move, not only of the best one
    #[arg(long)]
    all_moves: bool,
    /// Prove also in how many plies the game ends, if the winner hurries and the loser holds out.
    /// By retrograde, and in games whose positions never repeat by alphabeta, dfpn, dfpp or
    /// minimax; a draw has no such number. A certificate proves the plies, too. A checkpoint keeps
    /// what is known of values: give --shortest again with --resume
    #[arg(long)]
    shortest: bool,
    /// Write the proof into a file that `proofplay verify` checks with the rules of the game alone
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Where the lines of play of the certificate end
    #[arg(long, value_enum, default_value_t = Ending::Rules, requires = "certificate")]
    ends: Ending,
    #[command(flatten)]
    keeping: Keeping,
    /// Keep the result in this store, where `proofplay results` finds it; the same search again is
    /// kept once
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Read positions from standard input and answer each with a line: moves from the start, or `position` and a position; an
    /// empty line is the start, and `#` begins a comment. Limits hold for each line, and tables are kept from line to line
    #[arg(long, conflicts_with_all =
        ["moves", "position", "sgf", "certificate", "checkpoint", "resume", "store"])]
    batch: bool,
}

impl Options {
    /// Searches and prints what was found.
    pub fn run(&self, json: bool) -> Result<Status> {
        self.tables.lay_out();
        let job = self.job()?;
        if self.batch {
            return answer_lines(json, &job);
        }
        let (pos, kept) = (&job.pos, job.checkpoint.as_deref());
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
        if self.ends == Ending::Counted && self.shortest {
            bail!("--ends counted: a count does not tell plies, so --shortest needs --ends rules");
        }
        let to = self.store.as_deref().map(Store::open_to_write).transpose()?;
        let (memory, for_certificate) = match &self.certificate {
            Some(_) => with_certificate(job.resources.memory),
            None => (job.resources.memory, 0),
        };
        let mut search = pos.start_search(&job.spec, Resources { memory, ..job.resources })?;
        let mut report = {
            let progress = Progress::start();
            job.run(&mut *search, |total| progress.say(so_far(total) + &checkpoint::so_far(kept)))?
        };
        let left = left_of(job.limits, &report);
        add_up(kept, &mut report);
        let moves = job.ask.all_moves().then(|| MoveValue::all(pos.as_ref(), &report));
        // The answer comes before the files: whatever becomes of these, it is there.
        let printed = if json { Ok(()) } else { print(&tell(&job, &report, &moves)?) };
        let mut unwritten = Unwritten::default();
        let certificate = self.certificate.as_deref().map(|path| {
            let wanted = Certify {
                line: job.line.clone(),
                bounds: report.bounds,
                plies: report.plies,
                ends: self.ends.into(),
                memory: for_certificate,
                limits: left,
                stop: Arc::clone(&job.stop),
            };
            certificate::write(path, &mut *search, &wanted, &mut unwritten)
        });
        let last = kept.map(CheckpointFile::of);
        last.iter().for_each(|last| checkpoint::note(last, &mut unwritten));
        let stored = to.map_or(Ok(None), |to| store(&job, &report, &to)).unwrap_or_else(|error| {
            unwritten.add(error);
            None
        });
        let open = is_open(pos.as_ref(), job.ask, &report, moves.as_deref())
            || certificate.as_ref().is_some_and(|certificate| certificate.file.is_none());
        let printed = if json {
            let mut answer = Solved::new(pos.as_ref(), &job.search, job.resources.seed, &report);
            (answer.moves, answer.certificate, answer.checkpoint) = (moves, certificate, last);
            (answer.experiment, answer.unwritten) = (stored, unwritten.list());
            print_json(&answer)
        } else {
            let mut about = certificate.as_ref().map_or(String::new(), certificate::text);
            let last = last.filter(|last| open || last.why_not.is_some());
            let more = if self.shortest { " --shortest" } else { "" };
            about += &last.map_or(String::new(), |last| checkpoint::text(&last, more));
            about += &stored.map_or(String::new(), |id| format!("kept: experiment {id} of the store\n"));
            printed.and_then(|()| print(&about)).map_err(Into::into)
        };
        unwritten.check()?;
        printed?;
        Ok(if open { Status::Unfinished } else { Status::Done })
    }

    /// The question, with distances if they are wanted.
    fn asked(&self, ask: Ask) -> Ask {
        if self.shortest { ask.with_distances() } else { ask }
    }

    /// What the arguments ask for.
    fn job(&self) -> Result<Job> {
        let (stop, budget) = (interrupt::stop_flag()?, self.budget.allowed());
        if let Some(file) = &self.keeping.resume {
            let job = Job::resume(self.keeping.open(file, &stop)?, &budget);
            let job = job.map_err(|error| anyhow!("checkpoint `{}`: {error}", file.display()))?;
            return Ok(Job { stop, ask: self.asked(job.ask), ..job });
        }
        let place = self.setup.as_ref().context("no game is given")?.reached()?;
        let proves = if self.shortest { engine::algorithm_for_plies } else { engine::algorithm };
        let search = proves(&self.algorithm, place.0.as_ref());
        let ask = if self.all_moves { Ask::AllMoves } else { Ask::Value };
        let job = Job::new(place, search, self.asked(ask), budget.resources(self.seed)?, &budget)?;
        let checkpoint = self.keeping.begin(&job.head())?.map(Arc::new);
        Ok(Job { stop, checkpoint, ..job })
    }
}

/// Whether something that was asked is not proven.
fn is_open(pos: &dyn DynPosition, ask: Ask, report: &Report<String>, moves: Option<&[MoveValue]>) -> bool {
    !report.is_solved(ask)
        || pos.outcome().is_none() && !report.best_is_proven(pos.turn())
        || moves.into_iter().flatten().any(MoveValue::is_unknown)
}

/// Solves the positions of standard input with one search.
fn answer_lines(json: bool, job: &Job) -> Result<Status> {
    let mut search = job.pos.start_search(&job.spec, job.resources)?;
    batch::each_line(json, &mut *search, &job.stop, |search| {
        let report = {
            let progress = Progress::start();
            job.run(search, |total| progress.say(so_far(total)))?
        };
        let pos = search.position();
        let moves = job.ask.all_moves().then(|| MoveValue::all(pos.as_ref(), &report));
        let open = is_open(pos.as_ref(), job.ask, &report, moves.as_deref());
        let text = tell_in_a_line(job, pos.as_ref(), &report, moves.as_deref());
        let mut json = Solved::new(pos.as_ref(), &job.search, job.resources.seed, &report);
        json.moves = moves;
        Ok(Told { text, json, status: if open { Status::Unfinished } else { Status::Done } })
    })
}

/// Keeps what came of a job as a solve of the lab, unless somebody stopped it; gives the
/// experiment.
fn store(job: &Job, report: &Report<String>, store: &Store) -> Result<Option<i64>> {
    let Some(solved) = proofplay_lab::Solved::of(report, &job.stop) else { return Ok(None) };
    Ok(Some(keep(&Solve::of_job(job), 0, &solved, report.elapsed, store)?))
}

/// The progress line.
fn so_far(report: &Report<String>) -> String {
    let mut text = counted(HumanCount(report.nodes), "node");
    if report.simulations > 0 {
        text += &format!(", {}", counted(HumanCount(report.simulations), "playout"));
    }
    let decided = report.moves.iter().filter(|m| m.bounds.is_exact()).count();
    let moves = counted(report.moves.len(), "move");
    text += &format!(", value in {}, {decided} of {moves} decided", report.bounds);
    text
}

/// Moves that are worth the same.
struct Group {
    /// By the verdict, the points, and how soon: the best group has the least.
    rank: (usize, Option<i32>, Option<i64>),
    name: String,
    moves: Vec<String>,
}

/// The moves of each value, the best first; where there are points, of each score.
fn by_value(pos: &dyn DynPosition, moves: &[MoveValue]) -> Vec<Group> {
    let words = [Verdict::Win, Verdict::Draw, Verdict::Loss, Verdict::Unknown].map(Verdict::word);
    let sign = if pos.turn() == Player::First { -1 } else { 1 };
    let mut groups: Vec<Group> = Vec::new();
    for m in moves {
        let class = words.iter().position(|&word| word == m.value).unwrap_or(words.len());
        let score = m.score.filter(|_| answer::has_points(pos));
        let name = answer::value_text(m.value, score, m.plies);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.moves.push(m.mv.clone()),
            None => {
                // An early win is better than a late one, and a late loss than an early one.
                let soon = m.plies.map(|plies| if class == 0 { i64::from(plies) } else { -i64::from(plies) });
                let rank = (class, score.map(|score| sign * score.halves()), soon);
                groups.push(Group { rank, name, moves: vec![m.mv.clone()] });
            }
        }
    }
    groups.sort_by_key(|group| group.rank);
    groups
}

/// The answer in a line, for a person.
fn tell_in_a_line(
    job: &Job,
    pos: &dyn DynPosition,
    report: &Report<String>,
    moves: Option<&[MoveValue]>,
) -> String {
    if let Some(score) = pos.outcome() {
        return outcome_sentence(pos, score);
    }
    let mut parts = vec![answer::sentence(pos, report)];
    if report.best_is_proven(pos.turn()) {
        parts.push(format!("line: {}", report.pv.join(" ")));
    }
    let groups = by_value(pos, moves.unwrap_or_default());
    parts.extend(groups.iter().map(|group| format!("{}: {}", group.name, group.moves.join(" "))));
    parts.extend(answer::without_plies(job.ask, report).map(str::to_owned));
    parts.join("; ")
}

/// The answer for a person.
fn tell(job: &Job, report: &Report<String>, moves: &Option<Vec<MoveValue>>) -> Result<String> {
    let (pos, algorithm) = (job.pos.as_ref(), &job.search);
    let mut text = format!("{}\n\n{}\n", strong(&pos.game()), board(pos));
    if let Some(score) = pos.outcome() {
        writeln!(text, "{}", outcome_sentence(pos, score))?;
        return Ok(text);
    }
    writeln!(text, "{}", strong(&answer::sentence(pos, report)))?;
    if report.best_is_proven(pos.turn()) {
        text += &wrapped("line:", &report.pv, list_columns());
    }
    for group in by_value(pos, moves.as_deref().unwrap_or_default()) {
        text += &wrapped(&format!("{}:", group.name), &group.moves, list_columns());
    }
    text.extend(answer::without_plies(job.ask, report).map(|missing| format!("{missing}\n")));
    let playouts = if report.simulations > 0 {
        format!(", {}", counted(HumanCount(report.simulations), "playout"))
    } else {
        String::new()
    };
    let (nodes, time) = (counted(HumanCount(report.nodes), "node"), seconds(report.elapsed));
    let (speed, memory) = (per_second(report.nodes, report.elapsed), BinaryBytes(report.memory as u64));
    writeln!(text, "{algorithm}: {nodes}{playouts}, {time}, {speed} nodes/s, {memory} of memory")?;
    Ok(text + &answer::advice(&algorithm.parse()?, report))
}
