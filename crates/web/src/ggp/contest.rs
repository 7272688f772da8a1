//! One match: its rules, what was played, and a search that follows it.
//!
//! Who asks for a move waits no longer than until the deadline, whatever the thread that thinks is doing: it says first which
//! move is legal, then which one is best.

use super::message::Spelling;
use proofplay_core::{Game, Player, Position};
use proofplay_gdl::{Sheet, SheetGame, SheetPosition};
use proofplay_registry::{AnySearch, without_type};
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How matches are played.
#[derive(Clone, Debug)]
pub struct Thinking {
    /// The search.
    pub spec: SearchSpec,
    /// What it may use.
    pub resources: Resources,
    /// Left of each clock for the way to the manager, at most half of it.
    pub lag: Duration,
}

/// A match.
#[derive(Debug)]
pub struct Contest {
    role: usize,
    play: Duration,
    thinking: Thinking,
    spelling: Spelling,
    games: Mutex<Games>,
    made: Condvar,
    /// What all roles have played.
    line: Mutex<Vec<Vec<String>>>,
    brain: Mutex<Option<Brain>>,
    stop: Arc<AtomicBool>,
}

/// The game by the two engines, as soon as they are there.
#[derive(Debug, Default)]
struct Games {
    slow: Option<SheetGame>,
    /// Or why there is none.
    best: Option<Result<SheetGame, String>>,
}

/// A search, and the moves that it has followed.
#[derive(Debug)]
struct Brain {
    search: AnySearch,
    line: Vec<String>,
}

/// How often who waits looks whether the match has ended.
const LOOK: Duration = Duration::from_millis(50);

/// What the thinking thread tells.
enum Said {
    Legal(String),
    Best(String),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Contest {
    /// A match whose game is made by other threads; they end when they are done. `place` is given back then.
    pub fn begin<T: Send + Sync + 'static>(
        rules: &str,
        role: &str,
        play: Duration,
        thinking: Thinking,
        place: Arc<T>,
    ) -> Result<Arc<Contest>, String> {
        let sheet = Sheet::read("match", rules).map_err(|flaw| flaw.to_string())?;
        let number = sheet.roles().iter().position(|other| other.eq_ignore_ascii_case(role));
        let number = number.ok_or_else(|| format!("the rules have no role `{role}`"))?;
        let contest = Arc::new(Contest {
            role: number,
            play,
            thinking,
            spelling: Spelling::of(rules),
            games: Mutex::default(),
            made: Condvar::new(),
            line: Mutex::default(),
            brain: Mutex::default(),
            stop: Arc::default(),
        });
        let (slow, fast) = (Arc::clone(&contest), Arc::clone(&contest));
        let (other, held) = (sheet.clone(), Arc::clone(&place));
        thread::spawn(move || {
            let _held = held;
            let made = SheetGame::interpreted(&other).ok();
            lock(&slow.games).slow = made;
            slow.made.notify_all();
        });
        thread::spawn(move || {
            let _held = place;
            let made = SheetGame::new(&sheet).map_err(|flaw| flaw.to_string());
            lock(&fast.games).best = Some(made);
            fast.made.notify_all();
        });
        Ok(contest)
    }

    /// Waits until the game is there, at most so long: an error if it is none that we play.
    pub fn ready(&self, until: Instant) -> Result<(), String> {
        match self.game(until, false) {
            Some(Err(why)) => Err(why),
            _ => Ok(()),
        }
    }

    /// Until when an answer may take, of a clock that began at `from`.
    pub fn deadline(&self, from: Instant, clock: Duration) -> Instant {
        from + clock - self.thinking.lag.min(clock / 2)
    }

    /// The game by the better engine that is there; waits for the better one, or for any.
    fn game(&self, until: Instant, any: bool) -> Option<Result<SheetGame, String>> {
        let mut games = lock(&self.games);
        loop {
            if let Some(best) = &games.best {
                return Some(best.clone());
            }
            if let (true, Some(slow)) = (any, &games.slow) {
                return Some(Ok(slow.clone()));
            }
            let left = until.checked_duration_since(Instant::now())?;
            let waited = self.made.wait_timeout(games, left);
            games = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends whatever thinks.
    pub fn end(&self) {
        self.stop.store(true, Relaxed);
    }

    /// What was played, and what we play. `from` is when the question came.
    pub fn turn(self: &Arc<Contest>, played: Option<Vec<String>>, from: Instant) -> Option<String> {
        let line = {
            let mut line = lock(&self.line);
            line.extend(played);
            line.clone()
        };
        let until = self.deadline(from, self.play);
        let (said, told) = channel();
        // It ends soon after the deadline, or with the match.
        let (contest, over) = (Arc::clone(self), Arc::new(AtomicBool::new(false)));
        let stop = Arc::clone(&over);
        thread::spawn(move || contest.think(&line, until, &said, &stop));
        let mv = self.wait(&told, until);
        over.store(true, Relaxed);
        mv.map(|mv| self.spelling.kif(&mv))
    }

    /// The position after what all roles have played, and the moves of those who had the turn.
    fn reach(&self, game: &SheetGame, line: &[Vec<String>]) -> Option<(SheetPosition, Vec<String>)> {
        let (mut pos, mut moves) = (game.start(), Vec::new());
        for joint in line {
            let mover = if pos.turn() == Player::First { 0 } else { 1 };
            let mv = joint.get(mover)?;
            let code = game.parse_move(&pos, mv).ok()?;
            pos.play(code);
            moves.push(mv.clone());
        }
        Some((pos, moves))
    }

    /// Says a legal move at once, and the best one that is found in time.
    fn think(
        &self,
        line: &[Vec<String>],
        until: Instant,
        said: &Sender<Said>,
        over: &Arc<AtomicBool>,
    ) -> Option<()> {
        let game = self.game(until, true)?.ok()?;
        let (pos, moves) = self.reach(&game, line)?;
        if pos.outcome().is_some() {
            return None;
        }
        let mut legal = pos.legal_of(self.role);
        let is_ours = (pos.turn() == Player::First) == (self.role == 0);
        let first = legal.pop()?;
        said.send(Said::Legal(first.clone())).ok()?;
        if is_ours && legal.is_empty() {
            return said.send(Said::Best(first)).ok();
        }
        let mut brain = lock(&self.brain);
        let known = brain.take().filter(|brain| moves.starts_with(&brain.line));
        let mut next = match known {
            Some(brain) => brain,
            None => {
                let start = without_type(game).start();
                let search = start.start_search(&self.thinking.spec, self.thinking.resources).ok()?;
                Brain { search, line: Vec::new() }
            }
        };
        for mv in &moves[next.line.len()..] {
            next.search.play(mv).ok()?;
        }
        next.line = moves;
        let time = until.checked_duration_since(Instant::now())?;
        // Two may end it: the end of the match, and the one who waits.
        let limits = Limits { time: Some(time), ..Limits::default() };
        if self.stop.load(Relaxed) {
            return None;
        }
        let report = next.search.run(Ask::Value, &mut Run::new(limits).stopped_by(over)).ok()?;
        *brain = Some(next);
        let best = if is_ours { report.best? } else { first };
        said.send(Said::Best(best)).ok()
    }

    /// The best move that is told until then, or else a legal one.
    fn wait(&self, told: &Receiver<Said>, until: Instant) -> Option<String> {
        let mut legal = None;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match told.recv_timeout(left.min(LOOK)) {
                Ok(Said::Best(mv)) => return Some(mv),
                Ok(Said::Legal(mv)) => legal = Some(mv),
                Err(RecvTimeoutError::Timeout) if left > LOOK && !self.stop.load(Relaxed) => {}
                Err(_) => return legal,
            }
        }
    }
}
