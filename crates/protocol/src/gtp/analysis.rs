//! Analysis that is shown while it goes on, as Leela Zero and KataGo print it.
//!
//! ```text
//! lz-analyze b 50
//! =
//! info move D4 visits 812 winrate 5310 lcb 5102 order 0 pv D4 E5 info move …
//! ```
//!
//! The number is hundredths of a second between two reports. Chances are those of the player to move,
//! in hundredths of a percent, or from 0 to 1 for `kata-analyze`. The next command ends it.

use super::vertex::{self, colour};
use super::{Engine, Talk};
use proofplay_core::Player;
use proofplay_front::estimate::Estimate;
use proofplay_registry::{AnyPosition, DynPosition};
use proofplay_search::{Limits, MoveReport, Report, Run, Verdict};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// How numbers are written.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Style {
    LeelaZero,
    KataGo,
}

/// What somebody wants to see.
struct Wish {
    player: Player,
    interval: Duration,
    style: Style,
    most: usize,
}

impl Wish {
    /// Reads `[COLOUR] [INTERVAL] [KEY VALUE] …`.
    fn read(arguments: &[&str], turn: Player, style: Style) -> Result<Wish, String> {
        let mut wish = Wish { player: turn, interval: Duration::from_secs(1), style, most: usize::MAX };
        let mut rest = arguments;
        if let [text, others @ ..] = rest
            && let Ok(player) = colour(text)
        {
            (wish.player, rest) = (player, others);
        }
        if let [text, others @ ..] = rest
            && let Ok(interval) = hundredths(text)
        {
            (wish.interval, rest) = (interval, others);
        }
        for pair in rest.chunks(2) {
            match *pair {
                ["interval", text] => wish.interval = hundredths(text)?,
                ["maxmoves", text] => {
                    wish.most = text.parse().map_err(|_| format!("maxmoves `{text}`: expected a number"))?;
                }
                // What is asked for so is not known here, and not shown.
                [
                    "minmoves" | "ownership" | "ownershipStdev" | "movesOwnership" | "pvVisits" | "rootInfo",
                    _,
                ] => {}
                [odd, ..] => {
                    return Err(format!(
                        "`{odd}`: expected [COLOUR] [INTERVAL] [interval N] [maxmoves N], with N of an \
                         interval in hundredths of a second"
                    ));
                }
                [] => {}
            }
        }
        Ok(wish)
    }
}

fn hundredths(text: &str) -> Result<Duration, String> {
    let number: u32 =
        text.parse().map_err(|_| format!("interval `{text}`: expected hundredths of a second"))?;
    Ok(Duration::from_millis(10 * u64::from(number)))
}

/// What is written now and then while a search runs.
struct Reports<'a, 'b> {
    talk: &'a mut Talk<'b>,
    wish: &'a Wish,
    pos: AnyPosition,
    next: Instant,
    failed: Option<io::Error>,
}

impl Reports<'_, '_> {
    fn show(&mut self, report: &Report<String>) {
        let line = info(&*self.pos, report, self.wish);
        // An empty line would end the reply.
        if line.is_empty() {
            return;
        }
        if let Err(error) = self.talk.say(&line) {
            self.failed = Some(error);
            // Nobody listens: what goes on now is in vain.
            self.talk.waiting.store(true, SeqCst);
        }
    }

    fn see(&mut self, report: &Report<String>) {
        if Instant::now() >= self.next && self.failed.is_none() {
            self.next = Instant::now() + self.wish.interval;
            self.show(report);
        }
    }
}

/// The chance that the player to move wins with a move: certain, or as simulations say.
fn chance(pos: &dyn DynPosition, m: &MoveReport<String>) -> f64 {
    match Verdict::of(m.bounds, pos.turn()) {
        Verdict::Win => 1.0,
        Verdict::Draw => 0.5,
        Verdict::Loss => 0.0,
        _ => Estimate::of(m, pos.range(), pos.turn())
            .map_or(0.5, |estimate| estimate.wins.unwrap_or((estimate.mean + 1.0) / 2.0)),
    }
}

/// All moves in a line, the best one first.
fn info(pos: &dyn DynPosition, report: &Report<String>, wish: &Wish) -> String {
    let mut moves: Vec<(&MoveReport<String>, f64)> =
        report.moves.iter().filter(|m| m.visits > 0).map(|m| (m, chance(pos, m))).collect();
    let rank = |m: &MoveReport<String>| (Some(&m.mv) == report.best.as_ref(), m.visits);
    moves.sort_by_key(|(m, _)| std::cmp::Reverse(rank(m)));
    let texts = moves.iter().take(wish.most).enumerate().map(|(order, (m, chance))| {
        let visits = m.visits;
        let mv = vertex::write(pos, &m.mv);
        let is_certain = Verdict::of(m.bounds, pos.turn()) != Verdict::Unknown;
        let doubt = if is_certain { 0.0 } else { 1.96 * (chance * (1.0 - chance) / visits as f64).sqrt() };
        let lcb = (chance - doubt).max(0.0);
        let line = if m.pv.is_empty() { std::slice::from_ref(&m.mv) } else { &m.pv };
        let pv = written(pos, line);
        let numbers = match wish.style {
            Style::LeelaZero => {
                format!("winrate {:.0} lcb {:.0}", 10_000.0 * chance, 10_000.0 * lcb)
            }
            Style::KataGo => {
                let points = Estimate::of(m, pos.range(), pos.turn()).and_then(|estimate| estimate.points);
                let lead = points.map_or(String::new(), |p| format!(" scoreMean {p:.2} scoreLead {p:.2}"));
                format!("winrate {chance:.4} lcb {lcb:.4} utility {:.4}{lead}", 2.0 * chance - 1.0)
            }
        };
        format!("info move {mv} visits {visits} {numbers} order {order} pv {pv}")
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// A line of play as the protocol writes it.
fn written(pos: &dyn DynPosition, line: &[String]) -> String {
    let (mut pos, mut words) = (pos.boxed(), Vec::new());
    for mv in line {
        words.push(vertex::write(&*pos, mv));
        if pos.play(mv).is_err() {
            break;
        }
    }
    words.join(" ")
}

impl Engine {
    pub(super) fn line(&self, pos: &dyn DynPosition, line: &[String]) -> String {
        written(pos, line)
    }

    pub(super) fn lz_analyze(&mut self, arguments: &[&str], talk: &mut Talk<'_>) -> Result<String, String> {
        self.analyse(arguments, talk, Style::LeelaZero)
    }

    pub(super) fn kata_analyze(&mut self, arguments: &[&str], talk: &mut Talk<'_>) -> Result<String, String> {
        self.analyse(arguments, talk, Style::KataGo)
    }

    pub(super) fn lz_genmove(&mut self, arguments: &[&str], talk: &mut Talk<'_>) -> Result<String, String> {
        self.analysed_move(arguments, talk, Style::LeelaZero)
    }

    pub(super) fn kata_genmove(&mut self, arguments: &[&str], talk: &mut Talk<'_>) -> Result<String, String> {
        self.analysed_move(arguments, talk, Style::KataGo)
    }

    /// Shows what is found until the next command comes.
    fn analyse(&mut self, arguments: &[&str], talk: &mut Talk<'_>, style: Style) -> Result<String, String> {
        let wish = Wish::read(arguments, self.record.now().turn(), style)?;
        let turned = self.turned_to(wish.player, true)?;
        let Engine { analyst, computer, record, .. } = self;
        let (analyst, record) = (analyst.as_mut().unwrap_or(computer), turned.as_ref().unwrap_or(record));
        let waiting = talk.waiting.clone();
        let no_reply = |error: io::Error| error.to_string();
        talk.begin().map_err(no_reply)?;
        let (pos, next) =
            (record.now().boxed(), Instant::now() + wish.interval.min(Duration::from_millis(100)));
        let mut reports = Reports { talk, wish: &wish, pos, next, failed: None };
        let mut run =
            Run::new(Limits::default()).stopped_by(&waiting).observed(|report, _| reports.see(report));
        let report = analyst.think(record, &mut run).map_err(|error| error.to_string());
        drop(run);
        let report = report?;
        reports.show(&report);
        reports.failed.map_or(Ok(()), Err).map_err(no_reply)?;
        // All is known; a front end expects the analysis to go on until it ends it.
        wait_for(&waiting);
        Ok(String::new())
    }

    /// Thinks about a move, shows what is found, and plays it.
    fn analysed_move(
        &mut self,
        arguments: &[&str],
        talk: &mut Talk<'_>,
        style: Style,
    ) -> Result<String, String> {
        let wish = Wish::read(arguments, self.record.now().turn(), style)?;
        if let Some(record) = self.turned_to(wish.player, false)? {
            self.earlier.push(std::mem::replace(&mut self.record, record));
        }
        let no_reply = |error: io::Error| error.to_string();
        if self.record.now().outcome().is_some() {
            talk.begin().map_err(no_reply)?;
            return Ok("play pass".to_owned());
        }
        let (pos, next) = (self.record.now().boxed(), Instant::now() + wish.interval);
        talk.begin().map_err(no_reply)?;
        let interrupted = talk.interrupted.clone();
        let mut reports = Reports { talk, wish: &wish, pos, next, failed: None };
        let report = self.think(wish.player, &interrupted, Box::new(|report, _| reports.see(report)))?;
        reports.show(&report);
        let best = report.best.ok_or("no move was found")?;
        Ok(format!("play {}", self.made(wish.player, &best, true)?))
    }

    /// What the analyst makes of every move in the time of a move.
    pub(super) fn estimates(&mut self, talk: &Talk<'_>) -> Result<(Report<String>, AnyPosition), String> {
        let (budget, time) = (self.options.budget, self.options.usual_time);
        let Engine { analyst, computer, record, .. } = self;
        let analyst = analyst.as_mut().unwrap_or(computer);
        let mut run = Run::new(budget.limits_or(analyst.spec(), time)).stopped_by(talk.interrupted);
        let report = analyst.think(record, &mut run).map_err(|error| error.to_string())?;
        Ok((report, self.record.now().boxed()))
    }
}

fn wait_for(flag: &AtomicBool) {
    while !flag.load(SeqCst) {
        std::thread::sleep(Duration::from_millis(5));
    }
}
