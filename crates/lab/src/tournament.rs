//! Many players, many games: all against all, or the first against all others.

use crate::rating::CrossTable;
use crate::seat::introduced;
use crate::{Contender, Forfeits, LabError, Match, Openings, Pace, Standing, Store, Terms, run, standing};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// More players than this are a mistake: that is half a million pairings already, and an unreadable
/// table.
const MOST_PLAYERS: usize = 1000;

/// Who meets whom.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// All against all.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// A tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    /// The games.
    pub games: Vec<String>,
    /// The players with their names.
    pub players: Vec<(String, Contender)>,
    /// Who meets whom.
    pub mode: Mode,
    /// Games of every pairing in every game.
    pub rounds: u32,
    /// The limits of a player.
    pub pace: Pace,
    /// Those of players who have others, by their number.
    pub paces: BTreeMap<usize, Pace>,
    /// Where games begin.
    pub openings: Openings,
    /// Where random numbers start.
    pub seed: u64,
    /// A game that reaches this many moves is a draw.
    pub most_plies: u32,
    /// What else the referee needs to know.
    pub terms: Terms,
}

/// What came of a pairing in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Pairing {
    /// The game, an index.
    pub game: usize,
    /// One player, an index.
    pub a: usize,
    /// The other one.
    pub b: usize,
    /// How they stand, in the view of `a`.
    pub standing: Standing,
}

impl Tournament {
    /// The pairings, as indices.
    pub fn pairings(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let n = self.players.len();
        let hosts = if self.mode == Mode::Gauntlet { 1.min(n) } else { n };
        (0..hosts).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
    }

    /// The match of two players.
    pub fn contest(&self, game: usize, a: usize, b: usize) -> Match {
        let [pace, b_pace] = [a, b].map(|player| *self.pace_of(player));
        Match {
            game: self.games[game].clone(),
            a: self.player(game, a),
            b: self.player(game, b),
            pace,
            openings: self.openings.clone(),
            seed: self.seed,
            most_plies: self.most_plies,
            terms: Terms { b_pace: Some(b_pace), ..self.terms.clone() },
        }
        .tidy()
    }

    /// What a player may use.
    fn pace_of(&self, player: usize) -> &Pace {
        self.paces.get(&player).unwrap_or(&self.pace)
    }

    /// A player in a game.
    fn player(&self, game: usize, player: usize) -> Contender {
        self.players[player].1.clone().for_game(&self.games[game], self.pace_of(player))
    }

    /// Refuses what cannot be played, before any game.
    pub fn check(&self) -> Result<(), LabError> {
        if self.players.len() < 2 || self.games.is_empty() {
            return Err(LabError::Plan("a tournament needs at least two players and one game".to_owned()));
        }
        if self.players.len() > MOST_PLAYERS {
            let players = self.players.len();
            return Err(LabError::Plan(format!(
                "{players} players: a tournament has at most {MOST_PLAYERS}"
            )));
        }
        if self.rounds == 0 {
            return Err(LabError::Plan("0 rounds: expected at least 1".to_owned()));
        }
        let mut names: Vec<&String> = self.players.iter().map(|player| &player.0).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|two| two[0] == two[1]) {
            return Err(LabError::Plan(format!("two players are called `{}`", twice[0])));
        }
        // Players are checked, not pairings: the result does not depend on the opponent.
        (0..self.games.len()).try_for_each(|game| {
            let all = 0..self.players.len();
            let players: Vec<Contender> = all.clone().map(|player| self.player(game, player)).collect();
            let players: Vec<_> = players.iter().zip(all.map(|player| self.pace_of(player))).collect();
            self.contest(game, 0, 1).check_players(&players)
        })
    }

    /// The same tournament; foreign programs are started once for each game to see that they can play,
    /// and have their names and versions from then on.
    pub fn introduced(mut self, stop: &Arc<AtomicBool>) -> Result<Tournament, LabError> {
        for number in 0..self.players.len() {
            let conditions = (self.pace_of(number).time, &self.terms);
            for game in &self.games {
                let player = &mut self.players[number].1;
                *player = introduced(player, game, conditions, stop)?;
            }
        }
        Ok(self)
    }

    /// Plays what the store lacks. `watch` is called with the number of games played and the
    /// pairing in progress.
    pub fn run(
        &self,
        threads: usize,
        store: &Store,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn FnMut(u64, &Pairing),
    ) -> Result<Vec<Pairing>, LabError> {
        let (mut all, mut played) = (Vec::new(), 0);
        for game in 0..self.games.len() {
            for (a, b) in self.pairings() {
                if stop.load(SeqCst) {
                    return Ok(all);
                }
                let mut pairing = Pairing { game, a, b, standing: standing(&Vec::new(), None) };
                run(&self.contest(game, a, b), self.rounds, threads, store, stop, &mut |games| {
                    pairing.standing = standing(games, None);
                    watch(played + pairing.standing.tally.games(), &pairing);
                    false
                })?;
                played += pairing.standing.tally.games();
                all.push(pairing);
            }
        }
        Ok(all)
    }

    /// How many games there are to play.
    pub fn all_games(&self) -> u64 {
        (self.games.len() * self.pairings().count()) as u64 * u64::from(self.rounds)
    }

    /// Whether all games are played.
    pub fn is_done(&self, pairings: &[Pairing]) -> bool {
        pairings.iter().map(|pairing| pairing.standing.tally.games()).sum::<u64>() == self.all_games()
    }

    /// How many games each player has lost by something else than the rules, such as time, in one
    /// game or in all.
    pub fn forfeits(&self, pairings: &[Pairing], game: Option<usize>) -> Vec<Forfeits> {
        let mut forfeits = vec![Forfeits::default(); self.players.len()];
        for pairing in pairings.iter().filter(|pairing| game.is_none_or(|game| game == pairing.game)) {
            forfeits[pairing.a] += pairing.standing.forfeits[0];
            forfeits[pairing.b] += pairing.standing.forfeits[1];
        }
        forfeits
    }

    /// Who got how much against whom, in one game or in all.
    pub fn cross_table(&self, pairings: &[Pairing], game: Option<usize>) -> CrossTable {
        let mut table = CrossTable::new(self.players.len());
        for pairing in pairings.iter().filter(|pairing| game.is_none_or(|game| game == pairing.game)) {
            table.add(pairing.a, pairing.b, pairing.standing.tally);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn tournament(mode: Mode) -> Tournament {
        let player = |name: &str, spec: &str| (name.to_owned(), spec.parse().unwrap());
        Tournament {
            games: vec!["connect4:5x4".to_owned(), "breakthrough:5x5".to_owned()],
            players: vec![
                player("strong", "mcts:playouts=300"),
                player("weak", "mcts:playouts=5"),
                player("middle", "mcts:playouts=40"),
            ],
            mode,
            rounds: 12,
            pace: Pace { playouts: None, nodes: None, time: None, memory: 1 << 22 },
            paces: BTreeMap::new(),
            openings: Openings::Random(1),
            seed: 1,
            most_plies: 100,
            terms: Terms::default(),
        }
    }

    #[test]
    fn everybody_meets_everybody_and_strength_shows() {
        let tournament = tournament(Mode::RoundRobin);
        tournament.check().unwrap();
        let store = Store::open(Path::new(":memory:")).unwrap();
        let pairings = tournament.run(2, &store, &Arc::default(), &mut |_, _| ()).unwrap();
        assert_eq!(pairings.len(), 6);
        let table = tournament.cross_table(&pairings, None);
        assert_eq!((table.games[0][1], table.games[2][1]), (24.0, 24.0));
        assert_eq!(table.points[0][1] + table.points[1][0], 24.0);
        let ratings = table.ratings();
        assert!(ratings[0].mean > ratings[2].mean && ratings[2].mean > ratings[1].mean, "{ratings:?}");
        let again = tournament.run(1, &store, &Arc::default(), &mut |_, _| ()).unwrap();
        assert_eq!(again, pairings, "nothing is played twice");
        let late = |pairings: &[Pairing], tournament: &Tournament, game| {
            let forfeits = tournament.forfeits(pairings, game);
            forfeits.iter().map(|all| (all.time, all.total())).collect::<Vec<_>>()
        };
        assert_eq!(late(&pairings, &tournament, None), [(0, 0); 3]);
        // Nobody can think in a nanosecond: who moves first loses.
        let mut hasty = tournament.clone();
        hasty.pace.time = Some("1ns".parse().unwrap());
        let pairings = hasty.run(2, &store, &Arc::default(), &mut |_, _| ()).unwrap();
        assert_eq!(late(&pairings, &hasty, None), [(24, 24); 3]);
        assert_eq!(late(&pairings, &hasty, Some(1)), [(12, 12); 3]);
    }

    #[test]
    fn plans_are_checked() {
        let plan = tournament(Mode::Gauntlet);
        assert_eq!(plan.pairings().collect::<Vec<_>>(), [(0, 1), (0, 2)]);
        let mut twins = plan.clone();
        twins.players[1].0 = "strong".to_owned();
        assert!(twins.check().unwrap_err().to_string().contains("called `strong`"));
        let alone = Tournament { players: plan.players[..1].to_vec(), ..plan.clone() };
        assert!(alone.check().is_err());
        let idle = Tournament { rounds: 0, ..plan.clone() };
        assert!(idle.check().unwrap_err().to_string().contains("0 rounds"));
        let mut guest = plan.clone();
        guest.players[2].1 = "alphabeta".parse().unwrap();
        assert!(guest.check().unwrap_err().to_string().contains("`alphabeta` needs a limit"));
        // The largest number of players is checked one by one, not by pairs.
        let many = |n: usize| (0..n).map(|i| (i.to_string(), plan.players[0].1.clone())).collect();
        Tournament { players: many(1000), ..plan.clone() }.check().unwrap();
        let crowd = Tournament { players: many(1001), ..plan.clone() };
        assert!(
            crowd.check().unwrap_err().to_string().contains("1001 players: a tournament has at most 1000")
        );
    }
}
