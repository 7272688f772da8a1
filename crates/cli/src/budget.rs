//! What a search may use: `--nodes 10M`, `--time 30s`, `--memory 2GiB`.

use crate::engine::AUTO;
use clap::builder::RangedI64ValueParser;
use clap::{Arg, Args, Command};
pub use proofplay_front::amounts::{count, memory, some, some_time, time};
use proofplay_front::budget::Budget as Allowed;
use proofplay_search::Resources;
use std::time::Duration;

/// The arguments that limit a search.
#[derive(Args, Debug)]
pub struct Budget {
    /// Stop after visiting N positions; k, M and G mean thousand, million and billion [default: no
    /// limit]
    #[arg(long, value_name = "N", value_parser = some)]
    pub nodes: Option<u64>,
    /// Stop after N simulations of a Monte-Carlo search [default: no limit]
    #[arg(long, value_name = "N", value_parser = some)]
    pub playouts: Option<u64>,
    /// Stop after this time, e.g. 500ms, 30s, 5m, 2h [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    pub time: Option<Duration>,
    /// Use at most this much memory for the whole program, e.g. 512MiB, 2GiB [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<u64>,
    /// Use N threads, where the algorithm can [default: 1]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<u32>,
}

impl Budget {
    /// What they allow.
    pub fn allowed(&self) -> Allowed {
        let Budget { nodes, playouts: simulations, time, memory, threads } = *self;
        Allowed { nodes, simulations, time, memory, threads: threads.map(|threads| threads as usize) }
    }
}

/// The computer as a player: how it searches, and what it may use for a move.
#[derive(Args, Debug)]
pub struct Computer {
    /// How the computer searches, as for `proofplay solve --algorithm`
    #[arg(long, value_name = "SEARCH", default_value = AUTO)]
    pub engine: String,
    /// How long the computer may think about a move [default: 1s, if nothing else limits it]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    time_per_move: Option<Duration>,
    /// Let the computer visit at most N positions for a move; k, M and G mean thousand, million and
    /// billion
    #[arg(long, value_name = "N", value_parser = some)]
    nodes: Option<u64>,
    /// Let the computer run at most N simulations of a Monte-Carlo search for a move
    #[arg(long, value_name = "N", value_parser = some)]
    playouts: Option<u64>,
    /// Use at most this much memory for the whole program [default: 256MiB in `play`, else 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
    /// Use N threads, where the search can [default: 1]
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<u32>,
}

impl Computer {
    /// The time for a move if nothing else ends it.
    pub const USUAL_TIME: Duration = Duration::from_secs(1);

    /// What it may use for a move.
    pub fn allowed(&self) -> Allowed {
        let Computer { nodes, playouts: simulations, time_per_move: time, memory, threads, .. } = *self;
        Allowed { nodes, simulations, time, memory, threads: threads.map(|threads| threads as usize) }
    }
}

/// The command, with amounts that may begin with a hyphen. What reads `-5` says what is expected;
/// the parser of the arguments would take it for an option that it does not know.
pub fn with_amounts(command: Command) -> Command {
    let amount = |arg: Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let is_amount = names.iter().any(|name| ["N", "TIME", "SIZE", "CLOCK"].contains(&name.as_str()));
        match arg.get_id().as_str() {
            "seed" => arg.allow_hyphen_values(true).value_parser(seed),
            _ if is_amount => arg.allow_hyphen_values(true),
            _ => arg,
        }
    };
    command.mut_args(amount).mut_subcommands(with_amounts)
}

/// Reads a seed.
fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// Reads a number of threads that a search can have.
pub fn threads() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=Resources::MOST_THREADS as i64)
}
