//! Where games of a match begin: every opening is played twice, with the sides swapped.

use crate::LabError;
use proofplay_core::Rng;
use proofplay_registry::DynPosition;
use std::fmt;
use std::str::FromStr;

/// How the openings of a match come about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// So many random moves.
    Random(u32),
    /// These lines of play, one after the other, again from the first when all have been played.
    Lines(Vec<Vec<String>>),
}

impl Openings {
    /// Reads lines of moves, one opening a line; `#` begins a comment.
    pub fn read(text: &str) -> Openings {
        let line = |line: &str| {
            let moves = line.split('#').next().unwrap_or("");
            moves.split_whitespace().map(str::to_owned).collect::<Vec<String>>()
        };
        Openings::Lines(text.lines().map(line).filter(|moves| !moves.is_empty()).collect())
    }

    /// The number of moves of the longest one.
    pub fn longest(&self) -> usize {
        match self {
            Openings::Random(plies) => *plies as usize,
            Openings::Lines(lines) => lines.iter().map(Vec::len).max().unwrap_or(0),
        }
    }

    /// Refuses lines of moves that are not legal, and those after which the game is over.
    pub fn check(&self, start: &dyn DynPosition) -> Result<(), LabError> {
        let Openings::Lines(lines) = self else { return Ok(()) };
        for (number, line) in (1..).zip(lines) {
            let mut pos = start.boxed();
            let wrong =
                |why: String| LabError::Plan(format!("opening {number}, `{}`: {why}", line.join(" ")));
            for (ply, mv) in (1..).zip(line) {
                pos.play(mv).map_err(|error| wrong(format!("ply {ply}: {error}")))?;
            }
            if pos.outcome().is_some() {
                return Err(wrong("after it the game is over: expected a position to play from".to_owned()));
            }
        }
        Ok(())
    }

    /// The opening of a pair of games. A random one does not end the game.
    pub fn of(&self, start: &dyn DynPosition, seed: u64, pair: u32) -> Result<Vec<String>, LabError> {
        /// Tries to find an opening that leaves something to play.
        const TRIES: u32 = 1000;
        let plies = match self {
            Openings::Lines(lines) if lines.is_empty() => {
                return Err(LabError::Plan("there are no openings in the list".to_owned()));
            }
            Openings::Lines(lines) => return Ok(lines[pair as usize % lines.len()].clone()),
            Openings::Random(plies) => *plies,
        };
        let rng = &mut Rng::from_parts(&[seed, u64::from(pair), 0x6f70_656e]);
        'tries: for _ in 0..TRIES {
            let (mut pos, mut line) = (start.boxed(), Vec::new());
            for _ in 0..plies {
                let legal = pos.legal();
                if legal.is_empty() {
                    continue 'tries;
                }
                let mv = &legal[rng.below(legal.len() as u32) as usize];
                pos.play(mv)?;
                line.push(mv.clone());
            }
            if pos.outcome().is_none() {
                return Ok(line);
            }
        }
        Err(LabError::Plan(format!("after {plies} random moves games are over; take a shorter opening")))
    }
}

/// As they are written: `random:3`, or lines with semicolons between them.
impl FromStr for Openings {
    type Err = String;

    fn from_str(text: &str) -> Result<Openings, String> {
        match text.strip_prefix("random:") {
            None => Ok(Openings::read(&text.replace(';', "\n"))),
            Some(plies) => plies
                .parse()
                .map(Openings::Random)
                .map_err(|_| format!("openings `{text}`: expected random:N, e.g. random:3")),
        }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::Lines(lines) => {
                let lines: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
                f.write_str(&lines.join("; "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::game;

    #[test]
    fn random_openings_follow_from_seed_and_pair() {
        let start = game("tictactoe").unwrap().start();
        let open = |seed, pair| Openings::Random(3).of(start.as_ref(), seed, pair).unwrap();
        assert_eq!((open(1, 0).len(), open(1, 0)), (3, open(1, 0)));
        let different: std::collections::BTreeSet<_> = (0..20).map(|pair| open(1, pair)).collect();
        assert!(different.len() > 15);
        assert_ne!(open(1, 0), open(2, 0));
        // Seven random moves often end the game: such openings are drawn again.
        for pair in 0..50 {
            let line = Openings::Random(7).of(start.as_ref(), 1, pair).unwrap();
            let mut pos = start.boxed();
            line.iter().for_each(|mv| pos.play(mv).unwrap());
            assert!(pos.outcome().is_none());
        }
        assert!(Openings::Random(9).of(start.as_ref(), 1, 0).is_err());
    }

    #[test]
    fn lists_go_round() {
        let openings = Openings::read("4 4 # the middle\n\n1\n");
        let start = game("connect4").unwrap().start();
        let open = |pair| openings.of(start.as_ref(), 1, pair).unwrap().join(" ");
        assert_eq!([open(0), open(1), open(2)], ["4 4", "1", "4 4"]);
        assert_eq!(openings.to_string(), "4 4; 1");
        assert!(Openings::read("# nothing").of(start.as_ref(), 1, 0).is_err());
    }

    /// Each line leaves something to play.
    #[test]
    fn lists_are_checked() {
        let start = game("tictactoe").unwrap().start();
        let check =
            |text: &str| Openings::read(text).check(start.as_ref()).map_err(|error| error.to_string());
        assert_eq!(check("a1 a2 b1 b2\nc3"), Ok(()));
        let error = check("b2\n\na1 a2 b1 b2 c1 # won").unwrap_err();
        assert!(error.starts_with("opening 2, `a1 a2 b1 b2 c1`: after it the game is over"), "{error}");
        let error = check("a1 a1").unwrap_err();
        assert!(error.starts_with("opening 1, `a1 a1`: ply 2: move `a1`"), "{error}");
    }
}
