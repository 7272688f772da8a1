//! The commands, one file each.

mod analyze;
mod bench;
mod completions;
mod games;
mod ggp;
mod gtp;
mod learn;
mod matches;
mod perft;
mod play;
mod replay;
mod report;
mod reproduce;
mod results;
mod review;
mod rules;
mod searches;
mod serve;
mod serve_stdio;
mod show;
mod solve;
mod strength;
mod table;
mod tournament;
mod tune;
mod verify;

use crate::Status;
use clap::Subcommand;

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    Games(games::Options),
    Rules(rules::Options),
    Searches(searches::Options),
    Show(show::Options),
    Solve(solve::Options),
    Verify(verify::Options),
    Table(table::Options),
    Analyze(analyze::Options),
    Play(play::Options),
    Replay(replay::Options),
    Review(review::Options),
    Serve(serve::Options),
    Gtp(gtp::Options),
    Ggp(ggp::Options),
    ServeStdio(serve_stdio::Options),
    Match(matches::Options),
    Tournament(tournament::Options),
    Tune(tune::Options),
    Strength(strength::Options),
    Results(results::Options),
    Perft(perft::Options),
    Learn(learn::Options),
    Reproduce(reproduce::Options),
    Report(report::Options),
    Bench(bench::Options),
    Completions(completions::Options),
}

impl Command {
    /// Does it.
    pub fn run(&self, json: bool) -> anyhow::Result<Status> {
        match self {
            Command::Games(options) => options.run(json),
            Command::Rules(options) => options.run(json),
            Command::Searches(options) => options.run(json),
            Command::Show(options) => options.run(json),
            Command::Solve(options) => options.run(json),
            Command::Verify(options) => options.run(json),
            Command::Table(options) => options.run(json),
            Command::Analyze(options) => options.run(json),
            Command::Play(options) => options.run(json),
            Command::Replay(options) => options.run(json),
            Command::Review(options) => options.run(json),
            Command::Serve(options) => options.run(),
            Command::Gtp(options) => options.run(json),
            Command::Ggp(options) => options.run(),
            Command::ServeStdio(options) => options.run(),
            Command::Match(options) => options.run(json),
            Command::Tournament(options) => options.run(json),
            Command::Tune(options) => options.run(json),
            Command::Strength(options) => options.run(json),
            Command::Results(options) => options.run(json),
            Command::Perft(options) => options.run(json),
            Command::Learn(options) => options.run(json),
            Command::Reproduce(options) => options.run(json),
            Command::Report(options) => options.run(json),
            Command::Bench(options) => options.run(json),
            Command::Completions(options) => options.run(json),
        }
    }
}
