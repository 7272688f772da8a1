//! Finding good settings: every combination of a grid plays against one opponent, the better half
//! continues with twice the games, and the last one is tested in separate games.
//!
//! Successive halving, after Karnin, Koren & Somekh \[KKS13\]. The games that choose a candidate
//! flatter it (the luckiest of many equals looks strong), so they do not measure its strength; only
//! the test does, with other openings and seeds.

use crate::{Contender, LabError, Match, Standing, Store, run, standing};
use proofplay_core::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// More candidates than this are a mistake.
const MOST: usize = 1000;

/// A search for settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// The candidates.
    pub candidates: Vec<Contender>,
    /// The match in which each plays; `a` is replaced by the candidate, `b` is the opponent.
    pub contest: Match,
    /// Games of each candidate in the first round.
    pub games: u32,
    /// Games of the test.
    pub test_games: u32,
}

/// A candidate and how it did.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// The candidate.
    pub player: Contender,
    /// The rounds it has played: 1 for those eliminated first.
    pub rounds: u32,
    /// Its games for tuning.
    pub standing: Standing,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// All candidates, the last one first.
    pub tried: Vec<Tried>,
    /// The chosen one's test against the opponent; `None` if it was stopped.
    pub test: Option<Standing>,
}

/// The settings that a pattern stands for: `mcts:c=0.5|1,rave=0|100` are four.
pub fn grid(pattern: &str) -> Result<Vec<Contender>, LabError> {
    let mut texts = vec![String::new()];
    // Alternatives stand in the value of a setting, so commas and the end of the text bound them.
    for (i, part) in pattern.split(',').enumerate() {
        let (fixed, choices) = match part.rsplit_once('=') {
            Some((key, values)) => (format!("{key}="), values.split('|').collect()),
            None => (String::new(), vec![part]),
        };
        let comma = if i == 0 { "" } else { "," };
        let all = texts.iter().flat_map(|text| choices.iter().map(move |choice| (text.clone(), *choice)));
        texts = all.map(|(text, choice)| format!("{text}{comma}{fixed}{choice}")).collect();
        if texts.len() > MOST {
            return Err(LabError::Plan(format!("`{pattern}` stands for more than {MOST} candidates")));
        }
    }
    let players: Result<Vec<Contender>, _> = texts.iter().map(|text| text.parse()).collect();
    players.map_err(|error| LabError::Plan(error.to_string()))
}

impl Tuning {
    /// The match of a candidate; `test` games are others than those for tuning.
    fn contest(&self, player: &Contender, test: bool) -> Match {
        let seed = Rng::from_parts(&[self.contest.seed, 0x7475_6e65, u64::from(test)]).next_u64();
        // Seeds are stored as JSON, where numbers have 53 bits.
        Match { a: player.clone(), seed: seed >> 11, ..self.contest.clone() }
    }

    /// Refuses candidates that cannot play.
    pub fn check(&self) -> Result<(), LabError> {
        if let Some(program) = self.candidates.iter().find(|player| player.is_foreign()) {
            return Err(LabError::Plan(format!("`{program}`: a foreign program has no settings to tune")));
        }
        let candidates = self.candidates.iter().map(|player| (player, &self.contest.pace));
        let players: Vec<_> = candidates.chain([(&self.contest.b, self.contest.b_pace())]).collect();
        self.contest.check_players(&players)
    }

    /// Plays what the store lacks. `watch` is called with the round, the candidate and its
    /// standing.
    pub fn run(
        &self,
        threads: usize,
        store: &Store,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn FnMut(u32, &Contender, &Standing),
    ) -> Result<Tuned, LabError> {
        let nothing = standing(&Vec::new(), None);
        let mut going: Vec<Tried> = (self.candidates.iter())
            .map(|player| Tried { player: player.clone(), rounds: 0, standing: nothing })
            .collect();
        let (mut out, mut games) = (Vec::new(), self.games);
        for round in 1.. {
            for tried in &mut going {
                let contest = self.contest(&tried.player, false);
                let played = run(&contest, games, threads, store, stop, &mut |games| {
                    watch(round, &tried.player, &standing(games, None));
                    false
                })?;
                (tried.rounds, tried.standing) = (round, standing(&played, None));
                if stop.load(SeqCst) {
                    going.append(&mut out);
                    return Ok(Tuned { tried: going, test: None });
                }
            }
            // The sort is stable: of equals the one named first continues.
            going.sort_by(|x, y| y.standing.tally.points().total_cmp(&x.standing.tally.points()));
            let leaving = going.split_off(going.len().div_ceil(2));
            out.splice(0..0, leaving);
            if going.len() == 1 {
                break;
            }
            games = games.saturating_mul(2);
        }
        let chosen = going[0].player.clone();
        let played =
            run(&self.contest(&chosen, true), self.test_games, threads, store, stop, &mut |games| {
                watch(0, &chosen, &standing(games, None));
                false
            })?;
        let test = (played.len() as u32 == self.test_games).then(|| standing(&played, None));
        going.append(&mut out);
        Ok(Tuned { tried: going, test })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Openings, Pace, Terms};
    use std::path::Path;

    #[test]
    fn patterns_stand_for_grids() {
        let texts = |pattern| grid(pattern).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts("mcts"), ["mcts"]);
        assert_eq!(
            texts("mcts:c=0.5|1,rave=0|100"),
            ["mcts:c=0.5", "mcts:c=0.5,rave=100", "mcts:c=1", "mcts:c=1,rave=100"]
        );
        assert!(grid("mcts:c=0.5|x").is_err());
        let many = format!("mcts:c={0},rave={0}", vec!["1"; 40].join("|"));
        assert!(grid(&many).unwrap_err().to_string().contains("more than 1000"));
    }

    #[test]
    fn the_stronger_setting_is_found_and_tested_apart() {
        let contest = Match {
            game: "connect4:5x4".to_owned(),
            a: "mcts".parse().unwrap(),
            b: "mcts:playouts=20".parse().unwrap(),
            pace: Pace { playouts: None, nodes: None, time: None, memory: 1 << 22 },
            openings: Openings::Random(2),
            seed: 1,
            most_plies: 100,
            terms: Terms::default(),
        };
        let tuning =
            Tuning { candidates: grid("mcts:playouts=2|200|5").unwrap(), contest, games: 10, test_games: 20 };
        tuning.check().unwrap();
        let store = Store::open(Path::new(":memory:")).unwrap();
        let tuned = tuning.run(2, &store, &Arc::default(), &mut |_, _, _| ()).unwrap();
        assert_eq!(tuned.tried[0].player.to_string(), "mcts:playouts=200");
        assert_eq!(tuned.tried.iter().map(|tried| tried.rounds).collect::<Vec<_>>(), [2, 2, 1]);
        let test = tuned.test.unwrap();
        assert_eq!((test.tally.games(), tuned.tried[0].standing.tally.games()), (20, 20));
        // Other games: with the seeds of the tuning games the standing would be the same.
        assert_ne!(test, tuned.tried[0].standing);
        // All games are in the store: three candidates and one test.
        let all = store.experiments().unwrap();
        let mut counts: Vec<u64> = all.iter().map(|e| e.trials).collect();
        counts.sort_unstable();
        assert_eq!(counts, [10, 20, 20, 20]);
    }
}
