//! What a search may use: `--nodes 10M`, `--time 30s`, `--memory 2GiB`.

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::RangedI64ValueParser;
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

/// Reads a number of things: `5000`, `10M`.
pub fn count(text: &str) -> Result<u64, String> {
    quantity(text, &[("", 1), ("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)])
        .ok_or_else(|| "expected a whole number, perhaps with k, M or G, e.g. 10M".to_owned())
}

/// Reads a number of things that is not 0.
pub fn some(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err("expected at least 1".to_owned()),
        some => Ok(some),
    }
}

/// Reads a time that is not 0.
pub fn some_time(text: &str) -> Result<Duration, String> {
    match time(text)? {
        Duration::ZERO => Err("expected some time, e.g. 100ms".to_owned()),
        some => Ok(some),
    }
}

/// Reads a time: `500ms`, `1.5s`, `5m`; without a unit it is seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    const MS: u64 = 1_000_000;
    let units =
        [("ns", 1), ("us", 1_000), ("ms", MS), ("s", 1_000 * MS), ("", 1_000 * MS), ("m", 60_000 * MS)];
    let units = [&units[..], &[("min", 60_000 * MS), ("h", 3_600_000 * MS), ("d", 86_400_000 * MS)]].concat();
    quantity(text, &units)
        .map(Duration::from_nanos)
        .ok_or_else(|| "expected a number and ms, s, m, h or d, e.g. 30s".to_owned())
}

/// Reads an amount of memory: `512MiB`, `2GB`; K, M, G and T alone mean KiB, MiB, GiB and TiB.
pub fn memory(text: &str) -> Result<u64, String> {
    const KIB: u64 = 1 << 10;
    let mut units = vec![("", 1), ("B", 1)];
    for (power, names) in
        [["K", "KiB", "KB"], ["M", "MiB", "MB"], ["G", "GiB", "GB"], ["T", "TiB", "TB"]].iter().enumerate()
    {
        let power = power as u32 + 1;
        units.extend([
            (names[0], KIB.pow(power)),
            (names[1], KIB.pow(power)),
            (names[2], 1000u64.pow(power)),
        ]);
    }
    match quantity(text, &units) {
        Some(bytes @ KIB..) => Ok(bytes),
        Some(_) => Err("expected at least 1KiB".to_owned()),
        None => Err("expected a number and KiB, MiB, GiB or TiB, e.g. 2GiB".to_owned()),
    }
}

/// A number, whole or with a decimal point, times its unit; `None` if it is none of these or does not fit.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    let (whole, fraction) = match number.split_once('.') {
        None => (number, ""),
        Some((whole, fraction)) if !fraction.is_empty() && fraction.len() <= 9 => (whole, fraction),
        Some(_) => return None,
    };
    let whole = whole.parse::<u64>().ok()?.checked_mul(*factor)?;
    if fraction.is_empty() {
        return Some(whole);
    }
    let part = u128::from(fraction.parse::<u64>().ok()?) * u128::from(*factor);
    let scale = 10u128.pow(fraction.len() as u32);
    // A fraction of a thing or of a byte is no amount.
    if part % scale != 0 { None } else { whole.checked_add((part / scale) as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(
            ["0", "5000", "10M", "2k", "1.5M", "3G"].map(|t| count(t).unwrap()),
            [0, 5000, 10_000_000, 2000, 1_500_000, 3_000_000_000]
        );
        for bad in
            ["", "M", "-1", "+1", "1.5", "1e6", "10 M", "10m", "99999999999999999999", "20000000000G", ".5k"]
        {
            assert!(count(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(
            ["30s", "30", "500ms", "1.5s", "2m", "1h", "0s"].map(|t| time(t).unwrap().as_millis()),
            [30_000, 30_000, 500, 1_500, 120_000, 3_600_000, 0]
        );
        for bad in ["", "s", "soon", "-1s", "1.s", "1..5s", "30 s", "NaN", "inf", "9999999999999999d", "٣s"]
        {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(
            ["2GiB", "2G", "1KiB", "1MB", "1.5MiB", "4096"].map(|t| memory(t).unwrap()),
            [2 << 30, 2 << 30, 1024, 1_000_000, 3 << 19, 4096]
        );
        for bad in ["", "0", "1023", "GiB", "2gib", "1.0000001KiB", "99999999TiB", "-5MiB"] {
            assert!(memory(bad).is_err(), "{bad}");
        }
        assert!(available(1 << 62).is_err());
    }
}
