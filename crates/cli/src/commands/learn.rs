//! `proofplay learn`: how often moves are played, category by category.

use crate::files::{self, Unwritten};
use crate::output::{print_json, print_raw, seconds};
use crate::progress::Progress;
use crate::{Status, budget, interrupt};
use anyhow::{Result, bail};
use clap::Args;
use proofplay_front::budget::{LEARNER, share_or};
use proofplay_front::json::Categories;
use proofplay_front::text::counted;
use proofplay_registry::{Course, Learned, game};
use proofplay_search::{Limits, Resources, SearchSpec};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Learn from games of the computer against itself how often moves of each category are played
///
/// A category is what a game tells moves apart by; so far Lines of Action has some. For each, the
/// table has the positions in which a move of it was played and those in which one could be.
/// Playouts with leaf=weighted and the bias of w=… use such a table: the one that comes with
/// proofplay was made by this command, with the arguments in its first line. The same arguments
/// make the same table.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay learn loa --games 20 --engine mcts:leaf=evaluate,playouts=100
  proofplay learn loa --games 400 --threads 2 --output categories.txt")]
pub struct Options {
    /// The game as NAME or NAME:PARAMETERS; `proofplay games` lists them
    #[arg(value_name = "GAME")]
    game: String,
    /// How both sides search, as for `proofplay solve --algorithm`; playouts=N limits a move
    #[arg(long, value_name = "SEARCH", default_value = "mcts-solver:leaf=evaluate,playouts=500")]
    engine: String,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// Begin each game with N random moves, which are not counted
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening: u32,
    /// Give up a game after N moves
    #[arg(long, value_name = "N", default_value_t = 200)]
    most_moves: u32,
    /// Play N games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = budget::threads())]
    threads: u32,
    /// Use at most this much memory for the whole program [default: 64MiB for each search]
    #[arg(long, value_name = "SIZE", value_parser = budget::memory)]
    memory: Option<u64>,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write the table to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Options {
    /// Plays, counts and writes the table.
    pub fn run(&self, json: bool) -> Result<Status> {
        let (game, started) = (game(&self.game)?, Instant::now());
        let spec: SearchSpec = self.engine.parse()?;
        if !spec.limits_itself() {
            bail!("`{spec}` needs a limit for its moves: playouts=N, or depth=N with alphabeta");
        }
        if self.most_moves <= self.opening {
            bail!("--most-moves {}: expected more than the {} of --opening", self.most_moves, self.opening);
        }
        if let Some(path) = &self.output {
            files::expect_writable(path)?;
        }
        let course = Course {
            spec,
            resources: Resources {
                memory: share_or(self.memory, self.threads as usize, LEARNER)?,
                seed: self.seed,
                ..Resources::default()
            },
            limits: Limits::default(),
            stop: interrupt::stop_flag()?,
            games: self.games as usize,
            opening: self.opening,
            most_moves: self.most_moves,
            threads: self.threads as usize,
        };
        let learned = {
            let progress = Progress::start();
            progress.say("games".to_owned());
            progress.parts(0, course.games);
            game.learn(&course, &|done| progress.parts(done, course.games))?
        };
        let Some(learned) = learned else {
            bail!("game `{}`: it has no move categories to learn", game.name());
        };
        let done = learned.games == course.games;
        let table = self.table(&game.name(), &learned);
        let output = self.output.as_deref().filter(|_| done);
        let written: Vec<_> = output.map(|path| (path, table.clone().into_bytes())).into_iter().collect();
        let delivered = files::deliver(json, &written, |unwritten| {
            if json {
                let mut answer =
                    Categories::new(game.name(), &self.engine, self.seed, &learned, course.games);
                answer.unwritten = unwritten.list();
                return print_json(&answer);
            }
            let (games, positions) = (learned.games, learned.positions);
            Ok(print_raw(&match output {
                _ if !done => {
                    let all = counted(self.games, "game");
                    format!("interrupted after {games} of {all}; nothing is written\n")
                }
                None => table.clone(),
                Some(_) => {
                    let (positions, games) = (counted(positions, "position"), counted(games, "game"));
                    format!("{positions} of {games}, {}\n", seconds(started.elapsed()))
                }
            })?)
        });
        if !json && delivered.as_ref().is_err_and(|error| error.is::<Unwritten>()) {
            // The file is not there: the table is at least printed.
            print_raw(&table)?;
        }
        delivered?;
        Ok(if done { Status::Done } else { Status::Unfinished })
    }

    /// The table, with the command that makes it again.
    fn table(&self, game: &str, learned: &Learned) -> String {
        let mut text = format!(
            "# proofplay learn {game} --engine {} --games {} --opening {} --most-moves {} --seed {}\n",
            self.engine, self.games, self.opening, self.most_moves, self.seed
        );
        let _ = writeln!(text, "# CATEGORY PLAYED AVAILABLE, in {}", counted(learned.positions, "position"));
        for category in &learned.categories {
            let _ = writeln!(text, "{} {} {}", category.name, category.played, category.available);
        }
        text
    }
}
