//! A game with the searches that follow it.

use super::{Talk, json};
use proofplay_core::Line;
use proofplay_front::budget::{ALONE, BudgetError, share};
use proofplay_front::json::{GameInfo, GameRules, Replayed, SearchInfo, Shown};
use proofplay_front::player::Searcher;
use proofplay_front::record::Record;
use proofplay_front::request::{Moves, New, Task};
use proofplay_front::setup::{Setup, replay};
use proofplay_front::text::counted;
use proofplay_registry::{GAMES, SetupError};
use proofplay_search::{Resources, SearchKind};
use serde_json::{Value, json as object};

/// What searches may use where a request does not say it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Memory of the whole program, 1 GiB if nothing is said. A request cannot change it.
    pub memory: Option<u64>,
    /// Threads.
    pub threads: usize,
    /// Where random numbers start.
    pub seed: u64,
}

/// What a program that sends requests talks to.
#[derive(Debug)]
pub struct Session {
    /// What each of both searches has.
    pub(super) resources: Resources,
    pub(super) game: Option<Game>,
    /// The search that analyses and chooses moves, with what it knows.
    pub(super) player: Option<Searcher>,
    /// The search that solves.
    pub(super) solver: Option<Searcher>,
}

/// The game that is played.
#[derive(Debug)]
pub(super) struct Game {
    /// Where it begins, as a line of play without moves.
    pub start: Line,
    pub record: Record,
}

impl Game {
    /// The line of play so far.
    pub fn line(&self) -> Line {
        let moves = self.record.plies.iter().map(|ply| ply.mv.clone()).collect();
        Line { moves, ..self.start.clone() }
    }
}

impl Session {
    /// A session without a game.
    pub fn new(options: Options) -> Result<Session, BudgetError> {
        let memory = share(options.memory.unwrap_or(ALONE), 2)?;
        let resources = Resources { memory, threads: options.threads, seed: options.seed };
        Ok(Session { resources, game: None, player: None, solver: None })
    }

    /// Does what is wanted; after an error nothing has changed.
    pub(super) fn answer(&mut self, task: &Task, talk: &mut Talk<'_>) -> Result<Value, String> {
        match task {
            Task::New(new) => self.begin(new),
            Task::Play(play) => self.play(&play.moves),
            Task::Undo(undo) => self.undo(undo.plies.unwrap_or(1)),
            Task::Show(show) => {
                let now = self.game()?.record.now();
                let shown = Shown::new(now);
                let shown = if show.after { shown.with_moves(now).map_err(text)? } else { shown };
                Ok(json(&shown))
            }
            Task::Replay {} => Ok(json(&Replayed::new(&self.game()?.record, None))),
            Task::Analyze(analyze) => self.analyze(analyze, talk),
            Task::Move(choose) => self.choose(choose, talk),
            Task::Solve(solve) => self.solve(solve, talk),
            Task::Games {} => {
                let games = GAMES.iter().map(GameInfo::new).collect::<Result<Vec<_>, _>>();
                Ok(object!({ "games": games.map_err(text)? }))
            }
            Task::Searches {} => {
                let searches: Vec<_> = SearchKind::all().iter().map(SearchInfo::from).collect();
                Ok(object!({ "searches": searches }))
            }
            Task::Rules(rules) => {
                let name = match &rules.game {
                    Some(name) => name.clone(),
                    None => self.game()?.record.now().game(),
                };
                Ok(json(&GameRules::new(&name).map_err(text)?.0))
            }
            Task::Stop {} | Task::Quit {} => Ok(object!({})),
        }
    }

    pub(super) fn game(&self) -> Result<&Game, String> {
        self.game.as_ref().ok_or_else(no_game)
    }

    pub(super) fn game_mut(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(no_game)
    }

    fn shown(&self) -> Result<Value, String> {
        Ok(json(&Shown::new(self.game()?.record.now())))
    }

    fn begin(&mut self, new: &New) -> Result<Value, String> {
        let game =
            new.game.clone().ok_or(r#"expected a field `game`, e.g. {"do": "new", "game": "connect4"}"#)?;
        if new.position.is_some() && new.sgf.is_some() {
            return Err("expected `position` or `sgf`, not both".to_owned());
        }
        let New { position, sgf, variation, .. } = new.clone();
        let setup = Setup { game, position, sgf, variation, moves: new.moves.0.join(" ") };
        let line = setup.line().map_err(text)?;
        let record = replay(&line, || Ok::<(), SetupError>(())).map_err(text)?;
        self.game = Some(Game { start: Line { moves: Vec::new(), ..line }, record });
        self.shown()
    }

    fn play(&mut self, moves: &Moves) -> Result<Value, String> {
        if moves.0.is_empty() {
            return Err(r#"expected some `moves`, e.g. {"do": "play", "moves": ["4"]}"#.to_owned());
        }
        let record = &mut self.game_mut()?.record;
        for (played, mv) in moves.0.iter().enumerate() {
            if let Err(error) = record.play(mv) {
                record.undo_plies(played);
                return Err(error.to_string());
            }
        }
        self.shown()
    }

    fn undo(&mut self, plies: usize) -> Result<Value, String> {
        let record = &mut self.game_mut()?.record;
        if !record.undo_plies(plies) {
            let played = counted(record.plies.len(), "move");
            return Err(format!("field `plies`: {plies} is too much, {played} can be taken back"));
        }
        self.shown()
    }
}

/// An error as text.
pub(super) fn text(error: impl ToString) -> String {
    error.to_string()
}

pub(super) fn no_game() -> String {
    r#"there is no game yet: begin one with {"do": "new", "game": "connect4"}"#.to_owned()
}
