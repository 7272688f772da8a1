//! What a search may use: `--nodes 10M`, `--time 30s`, `--memory 2GiB`.

use clap::Args;
use clap::builder::RangedI64ValueParser;
pub use proofplay_front::amounts::{count, memory, some, some_time, time};
use proofplay_front::budget::Budget as Allowed;
use proofplay_search::Resources;
use std::time::Duration;

/// The arguments that limit a search.
#[derive(Args, Debug)]
pub struct Budget {
    /// Stop after visiting N positions; k, M and G mean thousand, million and billion [default: no limit]
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

/// Reads a number of threads that a search can have.
pub fn threads() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=Resources::MOST_THREADS as i64)
}
