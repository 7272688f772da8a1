//! What the commands of the lab share: where results are stored, what players may use, how a match is
//! described.

use crate::output::print;
use crate::progress::Progress;
use crate::{budget, files, interrupt};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use etcetera::BaseStrategy;
use indicatif::{HumanCount, HumanFloatCount};
use proofplay_front::budget::{PLAYER, share_or};
use proofplay_front::clock::TimeControl;
use proofplay_front::resign::Resignation;
use proofplay_front::text::counted;
use proofplay_lab::json::PerMove;
use proofplay_lab::stats::{Decision, Interval, Sprt};
use proofplay_lab::{Contender, Forfeits, LabError, Match, Openings, Pace, Standing, Store, Terms};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Where results are stored.
#[derive(Args, Debug)]
pub struct StoreArg {
    /// Use this file as the store; `:memory:` is not saved [default: proofplay.db in your data folder]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
}

impl StoreArg {
    /// The file.
    pub fn path(&self) -> Result<PathBuf> {
        match &self.store {
            Some(path) => Ok(path.clone()),
            None => {
                let folders = etcetera::choose_base_strategy()
                    .map_err(|_| anyhow!("you have no data folder; say where with --store FILE"))?;
                Ok(folders.data_dir().join("proofplay").join("proofplay.db"))
            }
        }
    }

    /// Opens it, and makes it if there is none.
    pub fn open(&self) -> Result<Store> {
        let path = self.path()?;
        if let (None, Some(folder)) = (&self.store, path.parent()) {
            files::make_folder(folder)?;
        }
        Ok(Store::open_to_write(&path)?)
    }

    /// Opens it to read what is there.
    pub fn look(&self) -> Result<Store> {
        let path = self.path()?;
        if !path.exists() {
            bail!("there is no store `{}`: nothing has been stored yet", path.display());
        }
        // Nothing is written here: whatever is wrong is about reading.
        Store::open(&path).map_err(|error| anyhow!("{error}"))
    }
}

/// Who works on an experiment, and where results go.
#[derive(Args, Debug)]
pub struct Work {
    /// Do N games or searches at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = budget::threads())]
    threads: u32,
    #[command(flatten)]
    pub store: StoreArg,
}

impl Work {
    /// How many at the same time.
    pub fn threads(&self) -> usize {
        self.threads as usize
    }
}

/// What players may use, and where games begin.
#[derive(Args, Debug)]
pub struct Conditions {
    /// Let a player think this long about each move [default: 100ms, if nothing else limits a player; a
    /// foreign program then plays at its own pace]
    #[arg(long, value_name = "TIME", value_parser = budget::time)]
    time_per_move: Option<Duration>,
    /// Give each player this much time for a game: 60 or 10m, 60+1 with an increment, 10m+5m/25 or
    /// 10m+5x30s with Canadian or Japanese byo-yomi. A player who has no time left loses, except by
    /// 5s/move, which is the same as --time-per-move 5s
    #[arg(long, value_name = "CLOCK", conflicts_with = "time_per_move", allow_hyphen_values = true)]
    clock: Option<TimeControl>,
    /// Run N simulations for each move of a player that makes simulations, unless its spec says
    /// playouts=
    #[arg(long, value_name = "N", value_parser = budget::count)]
    playouts: Option<u64>,
    /// Visit N positions for each move
    #[arg(long, value_name = "N", value_parser = budget::count)]
    nodes: Option<u64>,
    /// Begin games with N random moves, random:N, or with the lines of moves in a file of at most
    /// 16 MiB, one opening a line
    #[arg(long, value_name = "random:N|FILE", default_value = OPENINGS)]
    openings: String,
    /// Call a game of N moves a draw
    #[arg(long, value_name = "N", default_value_t = MOST_MOVES)]
    pub most_moves: u32,
    /// Use at most this much memory for the whole program; players with another share of it play in
    /// another experiment [default: 256MiB for each player]
    #[arg(long, value_name = "SIZE", value_parser = budget::memory)]
    memory: Option<u64>,
    /// Let the moves of a foreign program exceed its time by this much in a game before it loses
    /// [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = budget::time)]
    time_margin: Option<Duration>,
    /// Give a foreign program this much time to start [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = budget::some_time)]
    start_up: Option<Duration>,
    /// Let a search resign that hopes for less than PERCENT for N of its moves in a row; a draw is half
    /// a win
    #[arg(long, value_name = "below=PERCENT,moves=N")]
    resign: Option<Resignation>,
    /// End a game as soon as the search that is to move has proven its score
    #[arg(long, value_name = "proof")]
    adjudicate: Option<Adjudicate>,
    /// The seed of openings and players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// What ends a game besides its rules.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adjudicate {
    /// The search that is to move has proven the score
    Proof,
}

const OPENINGS: &str = "random:2";
const LARGEST_OPENINGS: usize = 16 << 20;
const MOST_MOVES: u32 = 1000;

/// The same in a file.
#[derive(Deserialize)]
pub struct ConditionsFile {
    time_per_move: Option<String>,
    clock: Option<TimeControl>,
    playouts: Option<u64>,
    nodes: Option<u64>,
    openings: Option<String>,
    most_moves: Option<u32>,
    memory: Option<String>,
    time_margin: Option<String>,
    start_up: Option<String>,
    resign: Option<Resignation>,
    adjudicate: Option<Adjudicate>,
    seed: Option<u64>,
}

impl TryFrom<ConditionsFile> for Conditions {
    type Error = anyhow::Error;

    fn try_from(file: ConditionsFile) -> Result<Conditions> {
        let memory = file.memory.as_deref().map(budget::memory).transpose();
        let time = file.time_per_move.as_deref().map(budget::time).transpose();
        let start_up = file.start_up.as_deref().map(budget::some_time).transpose();
        let margin = file.time_margin.as_deref().map(budget::time).transpose();
        if file.clock.is_some() && file.time_per_move.is_some() {
            bail!("clock and time_per_move: expected one of them");
        }
        Ok(Conditions {
            time_per_move: time.map_err(|error| anyhow!("time_per_move: {error}"))?,
            clock: file.clock,
            playouts: file.playouts,
            nodes: file.nodes,
            openings: file.openings.unwrap_or_else(|| OPENINGS.to_owned()),
            most_moves: file.most_moves.unwrap_or(MOST_MOVES),
            memory: memory.map_err(|error| anyhow!("memory: {error}"))?,
            time_margin: margin.map_err(|error| anyhow!("time_margin: {error}"))?,
            start_up: start_up.map_err(|error| anyhow!("start_up: {error}"))?,
            resign: file.resign,
            adjudicate: file.adjudicate,
            seed: file.seed.unwrap_or(1),
        })
    }
}

/// What limits a player: time, simulations, nodes.
pub type LimitsOf = (Option<TimeControl>, Option<u64>, Option<u64>);

/// The limits of B, where they are not those of A.
#[derive(Args, Debug)]
pub struct OwnLimits {
    /// The time of B for each move, if not that of A. As soon as one of these four is given, B has
    /// these limits alone, and A the others
    #[arg(long, value_name = "TIME", value_parser = budget::time, help_heading = "Limits of B")]
    b_time_per_move: Option<Duration>,
    /// The clock of B
    #[arg(
        long,
        value_name = "CLOCK",
        conflicts_with = "b_time_per_move",
        allow_hyphen_values = true,
        help_heading = "Limits of B"
    )]
    b_clock: Option<TimeControl>,
    /// The simulations of B
    #[arg(long, value_name = "N", value_parser = budget::count, help_heading = "Limits of B")]
    b_playouts: Option<u64>,
    /// The nodes of B
    #[arg(long, value_name = "N", value_parser = budget::count, help_heading = "Limits of B")]
    b_nodes: Option<u64>,
}

impl OwnLimits {
    /// The limits, if there are any.
    pub fn limits(&self) -> Option<LimitsOf> {
        let time = self.b_clock.or(self.b_time_per_move.map(TimeControl::PerMove));
        let limits = (time, self.b_playouts, self.b_nodes);
        (limits != (None, None, None)).then_some(limits)
    }
}

impl Conditions {
    /// The limits of a player who has no others.
    pub fn limits(&self) -> LimitsOf {
        (self.clock.or(self.time_per_move.map(TimeControl::PerMove)), self.playouts, self.nodes)
    }

    /// What each of these players may use by these limits, with this much work at the same time.
    pub fn pace_by(&self, limits: LimitsOf, players: &[Contender], work: &Work) -> Result<Pace> {
        let (mut time, playouts, nodes) = limits;
        let is_limited = playouts.is_some() || nodes.is_some() || time.is_some();
        if !is_limited && players.iter().any(|player| !player.limits_itself()) {
            time = Some(TimeControl::PerMove(Duration::from_millis(100)));
        }
        Ok(Pace { playouts, nodes, time, memory: share_or(self.memory, 2 * work.threads(), PLAYER)? })
    }

    /// What else a referee needs to know, and whether there are foreign programs.
    pub fn terms(&self, has_foreign: bool) -> Terms {
        let margin = self.time_margin.unwrap_or(Terms::MARGIN);
        Terms {
            time_margin: has_foreign.then_some(margin),
            start_up: self.start_up,
            resign: self.resign,
            ended_by_proof: self.adjudicate.is_some(),
            ..Terms::default()
        }
    }

    /// The file that openings are read from, if they are.
    pub fn openings_file(&self) -> Option<&Path> {
        (!self.openings.starts_with("random:")).then(|| Path::new(&self.openings))
    }

    /// Where games begin.
    pub fn openings(&self) -> Result<Openings> {
        openings(&self.openings)
    }

    /// A match under these conditions, where B may have limits of its own.
    pub fn contest(
        &self,
        game: &str,
        players: [Contender; 2],
        of_b: Option<LimitsOf>,
        work: &Work,
    ) -> Result<Match> {
        let game = proofplay_registry::game(game)?.id();
        let limits = self.limits();
        let whose = if of_b.is_some() { &players[..1] } else { &players[..] };
        let pace = self.pace_by(limits, whose, work)?;
        let b_pace = of_b.map_or(Ok(pace), |limits| self.pace_by(limits, &players[1..], work))?;
        let has_foreign = players.iter().any(Contender::is_foreign);
        let [a, b] = players;
        let (pace, b_pace) = (pace_of(&a, pace, limits), pace_of(&b, b_pace, of_b.unwrap_or(limits)));
        let terms = Terms { b_pace: Some(b_pace), ..self.terms(has_foreign) };
        let (a, b) = (a.for_game(&game, &pace), b.for_game(&game, &b_pace));
        let contest = Match {
            game,
            a,
            b,
            pace,
            openings: self.openings()?,
            seed: self.seed,
            most_plies: self.most_moves,
            terms,
        };
        let contest = contest.tidy();
        contest.check()?;
        introduce(&[&contest.a, &contest.b], |stop| contest.clone().introduced(stop))
    }
}

/// What a player may use: a foreign program to which nobody has given a time plays at its own pace.
pub fn pace_of(player: &Contender, pace: Pace, (time, ..): LimitsOf) -> Pace {
    if player.is_foreign() { Pace { time, ..pace } } else { pace }
}

/// Starts the foreign programs among these to see who they are, which may take a while.
pub fn introduce<T>(
    players: &[&Contender],
    start: impl FnOnce(&Arc<AtomicBool>) -> Result<T, LabError>,
) -> Result<T> {
    let (stop, progress) = (interrupt::stop_flag()?, Progress::start());
    let foreign = players.iter().filter(|player| player.is_foreign());
    let foreign: Vec<String> = foreign.map(|player| player.to_string()).collect();
    progress.say(format!("waiting for the start of {}", foreign.join(", ")));
    let introduced = start(&stop);
    drop(progress);
    interrupt::go_on("foreign programs were started")?;
    Ok(introduced?)
}

/// Reads `random:N` or a file of lines.
fn openings(text: &str) -> Result<Openings> {
    if text.starts_with("random:") {
        return text.parse().map_err(|error: String| anyhow!(error));
    }
    let lines =
        files::read_text(Path::new(text), LARGEST_OPENINGS).context("openings are random:N or a file")?;
    Ok(Openings::read(&lines))
}

/// Reads `elo0=0,elo1=20` and perhaps `alpha=0.05,beta=0.05`.
pub fn sprt(text: &str) -> Result<Sprt, String> {
    let mut sprt = Sprt { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05 };
    for part in text.split(',') {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let place = match key {
            "elo0" => &mut sprt.elo0,
            "elo1" => &mut sprt.elo1,
            "alpha" => &mut sprt.alpha,
            "beta" => &mut sprt.beta,
            _ => return Err(format!("`{key}`: expected elo0, elo1, alpha or beta")),
        };
        *place = value.parse().map_err(|_| format!("`{part}`: expected a number"))?;
    }
    let risk = |p: f64| p > 0.0 && p < 0.5;
    // An unset or nonsensical difference is not a number and compares false.
    if !(sprt.elo0 < sprt.elo1 && sprt.elo0.abs() <= 1000.0 && sprt.elo1.abs() <= 1000.0) {
        return Err("expected elo0 < elo1, e.g. elo0=0,elo1=20".to_owned());
    }
    if !risk(sprt.alpha) || !risk(sprt.beta) {
        return Err("alpha and beta are between 0 and 0.5".to_owned());
    }
    Ok(sprt)
}

/// A score in per cent: `57.3 % [50.4, 63.9]`.
pub fn percent(score: Interval) -> String {
    format!("{:.1} % [{:.1}, {:.1}]", score.mean * 100.0, score.low * 100.0, score.high * 100.0)
}

/// An Elo difference: `+51 [+10, +91]`; infinite where nothing was lost or won.
pub fn difference(elo: Interval) -> String {
    let one = |x: f64| match x {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        // Rounding first leaves no -0.
        x => format!("{:+}", x.round() + 0.0),
    };
    format!("{} [{}, {}]", one(elo.mean), one(elo.low), one(elo.high))
}

/// Games that two players have lost by something else than the rules, where there are any:
/// `A lost 1 game on time, B 2`, `A lost 1 game on time and 1 by a crash, B 1 by silence`.
pub fn forfeited(forfeits: [Forfeits; 2], names: [&str; 2]) -> Option<String> {
    let mut text = String::new();
    let mut said = "";
    for (forfeits, name) in forfeits.iter().zip(names) {
        for (i, (games, how)) in forfeits.parts().into_iter().enumerate() {
            let games = if text.is_empty() { counted(games, "game") } else { games.to_string() };
            text += &match (text.is_empty(), i) {
                (true, _) => format!("{name} lost {games} {how}"),
                (false, 0) if how == said && forfeits.parts().len() == 1 => format!(", {name} {games}"),
                (false, 0) => format!(", {name} {games} {how}"),
                (false, _) => format!(" and {games} {how}"),
            };
            said = how;
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The time of a move: `1.25 s`, `12.5 ms`, `3.2 µs`.
fn short_time(seconds: f64) -> String {
    match seconds {
        1.0.. => format!("{seconds:.2} s"),
        1e-3.. => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{:.1} µs", seconds * 1e6),
    }
}

/// How a match stands, on one line.
pub fn one_line(standing: &Standing) -> String {
    let tally = &standing.tally;
    let mut line = format!(
        "+{} ={} -{}  {}  Elo {}",
        tally.wins,
        tally.draws,
        tally.losses,
        percent(tally.score()),
        difference(tally.elo())
    );
    if let Some((_, llr)) = standing.sprt {
        line += &format!("  LLR {llr:.2}");
    }
    if let Some(lost) = forfeited(standing.forfeits, ["A", "B"]) {
        line += &format!("  {lost}");
    }
    line
}

/// How a match stands, in full.
pub fn in_full(standing: &Standing, sprt: Option<&Sprt>) -> Result<()> {
    let tally = &standing.tally;
    let [games, wins, draws, losses] =
        [tally.games(), tally.wins, tally.draws, tally.losses].map(|n| HumanCount(n).to_string());
    let mut text = format!("games   {games}: A wins {wins}, draws {draws}, loses {losses}\n");
    if tally.games() == 0 {
        return Ok(print(&text)?);
    }
    let points = HumanFloatCount(tally.points());
    text += &format!("score   {points} of {games} = {} (95 %)\n", percent(tally.score()));
    let pairs = tally.pairs.map(|n| HumanCount(n).to_string()).join(" ");
    text += &format!("pairs   {pairs} (A got 0, ½, 1, 1½, 2 points of an opening)\n");
    text += &format!(
        "Elo     {} (95 %); A is stronger with a chance of {:.1} %\n",
        difference(tally.elo()),
        tally.superiority() * 100.0
    );
    text += &format!("length  {:.1} moves a game\n", standing.plies);
    for (name, effort) in ["A", "B"].iter().zip(&standing.efforts) {
        if effort.moves == 0 {
            text += &format!("{name}       has made no moves\n");
            continue;
        }
        let each = PerMove::from(effort);
        let (number, thing) =
            if effort.playouts > 0 { (each.simulations, "simulation") } else { (each.nodes, "node") };
        let number = counted(HumanCount(number.round() as u64), thing);
        // Of a foreign program only the time is known.
        let number = if effort.playouts + effort.nodes > 0 { number + ", " } else { String::new() };
        text += &format!("{name}       {number}{} a move\n", short_time(each.elapsed_s));
    }
    if let Some(lost) = forfeited(standing.forfeits, ["A", "B"]) {
        text += &format!("forfeit {lost}\n");
    }
    if let (Some((decision, llr)), Some(sprt)) = (standing.sprt, sprt) {
        let (low, high) = sprt.bounds();
        let word = match decision {
            Decision::Open => "undecided, more games are needed".to_owned(),
            Decision::Low => format!("decided: {:+} Elo is likelier than {:+}", sprt.elo0, sprt.elo1),
            Decision::High => format!("decided: {:+} Elo is likelier than {:+}", sprt.elo1, sprt.elo0),
        };
        text += &format!("SPRT    LLR {llr:.2} in [{low:.2}, {high:.2}], {word}\n");
    }
    Ok(print(&text)?)
}
