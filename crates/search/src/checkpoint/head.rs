//! The first lines of a checkpoint: what is searched, how, and what it has taken so far.

use super::Flaw;
use crate::Resources;
use proofplay_core::Line;
use std::time::Duration;

pub(super) const MAGIC: &str = "proofplay-checkpoint";
pub(super) const FORMAT: &str = "1";
const START: &str = "start";
/// Keys of positions and codes of moves may change from version to version.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// What was spent by all runs of a search together.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Spent {
    /// Positions visited, or nodes made.
    pub nodes: u64,
    /// Positions whose moves a best-first proof search has listed.
    pub expansions: u64,
    /// Simulations of a Monte-Carlo search.
    pub playouts: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Everything needed to continue a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The line of play to the position.
    pub line: Line,
    /// The position as text.
    pub position: String,
    /// The search with its settings.
    pub algorithm: String,
    /// The question is the value of every move.
    pub all_moves: bool,
    /// Where random numbers start.
    pub seed: u64,
    /// The bytes that it was allowed.
    pub memory: u64,
    /// The threads that it had.
    pub threads: u32,
    /// What it has spent so far.
    pub spent: Spent,
}

impl Head {
    /// The lines with the one that ends them; `None` if a text is not a single line.
    pub(super) fn to_text(&self, spent: Spent) -> Option<String> {
        let moves: String = self.line.moves.iter().map(|mv| format!(" {mv}")).collect();
        let text = format!(
            "{MAGIC} {FORMAT}\nprogram: {PROGRAM}\ngame: {}\nfrom: {}\nmoves:{moves}\nposition: {}\n\
             algorithm: {}\nall-moves: {}\nseed: {}\nmemory: {}\nthreads: {}\n\
             nodes: {}\nexpansions: {}\nplayouts: {}\nmilliseconds: {}\n\n",
            self.line.game,
            self.line.from.as_deref().unwrap_or(START),
            self.position,
            self.algorithm,
            self.all_moves,
            self.seed,
            self.memory,
            self.threads,
            spent.nodes,
            spent.expansions,
            spent.playouts,
            spent.elapsed.as_millis().min(u64::MAX.into()),
        );
        (text.matches('\n').count() == LINES).then_some(text)
    }

    /// Checks that a file is one of ours by its first line.
    pub(super) fn expect_ours(first_line: &str) -> Result<(), Flaw> {
        let format = first_line.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(' '));
        match format.map(|format| format.trim_end_matches('\n')) {
            Some(FORMAT) => Ok(()),
            Some(other) => Err(Flaw::Format(super::short(other))),
            None => Err(Flaw::Foreign),
        }
    }

    /// Reads the lines.
    pub(super) fn parse(text: &str) -> Result<Head, Flaw> {
        let mut lines = text.lines().skip(1);
        let mut field = |key: &'static str| {
            let line = lines.next().and_then(|line| line.strip_prefix(key)?.strip_prefix(':'));
            line.map(|line| line.strip_prefix(' ').unwrap_or(line)).ok_or(Flaw::Line(key))
        };
        fn number<T: std::str::FromStr>(key: &'static str, text: &str) -> Result<T, Flaw> {
            text.parse().map_err(|_| Flaw::Line(key))
        }
        let program = field("program")?;
        if program != PROGRAM {
            return Err(Flaw::Program(super::short(program)));
        }
        Ok(Head {
            line: Line {
                game: field("game")?.to_owned(),
                from: Some(field("from")?).filter(|&from| from != START).map(str::to_owned),
                moves: field("moves")?.split_whitespace().map(str::to_owned).collect(),
            },
            position: field("position")?.to_owned(),
            algorithm: field("algorithm")?.to_owned(),
            all_moves: number("all-moves", field("all-moves")?)?,
            seed: number("seed", field("seed")?)?,
            memory: number("memory", field("memory")?)?,
            threads: threads(number("threads", field("threads")?)?)?,
            spent: Spent {
                nodes: number("nodes", field("nodes")?)?,
                expansions: number("expansions", field("expansions")?)?,
                playouts: number("playouts", field("playouts")?)?,
                elapsed: Duration::from_millis(number("milliseconds", field("milliseconds")?)?),
            },
        })
    }
}

/// The search must be started with this many.
fn threads(threads: u32) -> Result<u32, Flaw> {
    let possible = (1..=Resources::MOST_THREADS).contains(&(threads as usize));
    if possible { Ok(threads) } else { Err(Flaw::Threads(threads)) }
}

/// How many lines a head has, including the empty one.
pub(super) const LINES: usize = 16;

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn example() -> Head {
        Head {
            line: Line::start("connect4:5x5").then("3 3"),
            position: "..... x".to_owned(),
            algorithm: "alphabeta:symmetry=off".to_owned(),
            all_moves: true,
            seed: 7,
            memory: 1 << 30,
            threads: 2,
            spent: Spent { nodes: 12, expansions: 3, playouts: 4, elapsed: Duration::from_millis(1234) },
        }
    }

    #[test]
    fn heads_read_back() {
        let head = example();
        let text = head.to_text(head.spent).unwrap();
        assert_eq!(Head::parse(&text), Ok(head.clone()));
        let from = Head {
            line: Line { from: Some("... x".to_owned()), ..Line::start("connect4:5x5") },
            ..head.clone()
        };
        assert_eq!(Head::parse(&from.to_text(head.spent).unwrap()), Ok(from));
        let two_lines = Head { line: Line::start("written:(+\n-)"), ..head.clone() };
        assert_eq!(two_lines.to_text(head.spent), None);
        let old = text.replace(&format!("program: {PROGRAM}"), "program: 0.0.9");
        assert_eq!(Head::parse(&old), Err(Flaw::Program("0.0.9".to_owned())));
        assert_eq!(Head::parse(&text.replace("seed: 7", "seed: x")), Err(Flaw::Line("seed")));
        for threads in [0, 1025, 99_999_999] {
            let many = text.replace("threads: 2", &format!("threads: {threads}"));
            assert_eq!(Head::parse(&many), Err(Flaw::Threads(threads)));
        }
        assert_eq!(
            Flaw::Threads(99_999_999).to_string(),
            "it asks for 99999999 threads; a search has 1 to 1024"
        );
        assert_eq!(Head::parse(&text.replace("threads: 2", "threads: -2")), Err(Flaw::Line("threads")));
        let long = Spent { elapsed: Duration::from_secs(u64::MAX), ..head.spent };
        assert!(Head::parse(&head.to_text(long).unwrap()).is_ok(), "a file that was written reads back");
    }
}
