//! What a search may use: `--nodes 10M`, `--time 30s`, `--memory 2GiB`.

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::RangedI64ValueParser;
pub use proofplay_front::amounts::{count, memory, some, some_time, time};
use proofplay_search::checkpoint::Head;
use proofplay_search::{Limits, Resources, SearchSpec};
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
    /// Use at most so much memory, e.g. 512MiB, 2GiB [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<u64>,
    /// Use N threads, where the algorithm can [default: 1]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<u32>,
}

/// The memory of a search that is not told otherwise.
const MEMORY: u64 = 1 << 30;
/// What the program takes for itself, measured: the rest of its memory is for tables and trees.
const PROGRAM: usize = 8 << 20;

impl Budget {
    /// The resources of a search that goes on with the memory and the threads of an earlier one, where nothing else is said.
    pub fn resources_of_earlier(&self, head: &Head) -> Result<Resources> {
        let mut resources = self.resources(head.seed)?;
        if self.memory.is_none() {
            resources.memory = available(head.memory)?;
        }
        resources.threads = self.threads.unwrap_or(head.threads) as usize;
        Ok(resources)
    }

    /// Refuses a limit that the search does not count.
    pub fn check(&self, search: &str, spec: &SearchSpec) -> Result<()> {
        if let Some(playouts) = self.playouts.filter(|_| !spec.counts_simulations()) {
            bail!("--playouts {playouts}: {search} makes no playouts; limit it with --nodes or --time");
        }
        Ok(())
    }

    /// What a question may take.
    pub fn limits(&self) -> Limits {
        Limits { nodes: self.nodes, simulations: self.playouts, time: self.time, clock: None }
    }

    /// What a search with this seed may use, after a check that there is so much memory.
    pub fn resources(&self, seed: u64) -> Result<Resources> {
        let memory = beside_program(available(self.memory.unwrap_or(MEMORY))?);
        Ok(Resources { memory, threads: self.threads.unwrap_or(1) as usize, seed })
    }
}

/// Reads a number of threads that a search can have.
pub fn threads() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=Resources::MOST_THREADS as i64)
}

/// What is left of the memory of the whole program for its work.
pub fn beside_program(memory: usize) -> usize {
    memory - PROGRAM.min(memory / 2)
}

/// Refuses more memory than the system would give, which would end the program without a word of advice later.
pub fn available(bytes: u64) -> Result<usize> {
    let size = usize::try_from(bytes).unwrap_or(usize::MAX);
    // Reserving touches nothing; it only asks. The compiler must not know that nothing comes of it.
    let mut probe = Vec::<u8>::new();
    let given = probe.try_reserve_exact(size);
    std::hint::black_box(&probe);
    if given.is_err() {
        bail!("the system does not give {bytes} bytes of memory; ask for less with --memory");
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_nobody_has() {
        assert!(available(1 << 62).is_err());
    }
}
