//! Matches: two players, many games, every opening with both sides.
//!
//! Games 2i and 2i + 1 have the same opening; A is the first player in the former and the second in
//! the latter, whoever moves after the opening. With players that are limited by simulations or nodes
//! and use one thread, every game follows from the plan and its number.

use crate::kept::Kept;
use crate::rules::differ;
use crate::seat::{Seat, clock, introduced, settled};
use crate::stats::{Decision, Sprt, Tally};
use crate::{Contender, Forfeits, LabError, Openings, Pace, Study, Terms, Trials, plan, signature};
use proofplay_core::{Player as Side, Score};
use proofplay_front::game::{Effort, End, Game, Loss};
use proofplay_front::record::Record;
use proofplay_front::sgf::score_text;
use proofplay_registry::game;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Match {
    /// The game with its parameters.
    pub game: String,
    /// One player.
    #[serde(with = "plan::text")]
    pub a: Contender,
    /// The other.
    #[serde(with = "plan::text")]
    pub b: Contender,
    /// What each may use, or A alone if the terms say otherwise for B.
    #[serde(flatten)]
    pub pace: Pace,
    /// Where games begin.
    #[serde(with = "plan::text")]
    pub openings: Openings,
    /// Where random numbers start.
    pub seed: u64,
    /// A game that reaches this many moves is a draw.
    pub most_plies: u32,
    /// What else the referee needs to know.
    #[serde(flatten)]
    pub terms: Terms,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// `first` or `second`: when A moves.
    pub a_moves: String,
    /// A's points times two.
    pub half_points: u8,
    /// The score for the first player; `None` if the game did not end by the rules.
    pub score: Option<i16>,
    /// The number of moves.
    pub plies: u32,
    /// How many of these were the opening.
    pub opening: u32,
    /// The moves, opening included.
    pub moves: String,
    /// What A has used.
    pub a: Effort,
    /// What B has used.
    pub b: Effort,
    /// Why a player has lost the game, if not by the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_by: Option<Loss>,
    /// The stones that were dead at the end, separated by blanks; the score is that without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead: Option<String>,
    /// The score for the first player, if a proof of it has ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<i16>,
    /// What came of the certificate of that proof, if one was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Kept>,
}

impl PlayedGame {
    /// By what it has ended: `rules`, `proof`, `length`, or what has lost it.
    pub fn ended_by(&self) -> &'static str {
        match (&self.lost_by, self.score, self.proven) {
            (Some(loss), ..) => loss.word(),
            (None, Some(_), _) => "rules",
            (None, None, Some(_)) => "proof",
            (None, None, None) => "length",
        }
    }
}

impl PlayedGame {
    /// The result as SGF files have it, in the game of this name: `B+24.5`, `W+T` on time, `B+R` by
    /// resignation, `B+F` by another fault, `W+` where there are no points, `0`. B is the player who
    /// began.
    pub fn result(&self, game: &str) -> String {
        let a_has_lost = self.half_points == 0;
        let winner = if a_has_lost == (self.a_moves == "first") { "W" } else { "B" };
        match (&self.lost_by, self.score.or(self.proven)) {
            (Some(Loss::Time), _) => format!("{winner}+T"),
            (Some(Loss::Resigned), _) => format!("{winner}+R"),
            (Some(_), _) => format!("{winner}+F"),
            (None, Some(score)) if game.starts_with("go") || score == 0 => score_text(game, Score(score)),
            (None, Some(_)) => format!("{winner}+"),
            (None, None) => "0".to_owned(),
        }
    }
}

impl Match {
    /// Refuses players that cannot meet, and games without a move to think about.
    pub fn check(&self) -> Result<(), LabError> {
        self.check_players(&[(&self.a, &self.pace), (&self.b, self.b_pace())])
    }

    /// The same match without terms that mean nothing to its players: so it is the same experiment as
    /// without these.
    pub fn tidy(mut self) -> Match {
        let is_strict = |player: &Contender, pace: &Pace| player.is_foreign() && pace.time.is_some();
        if !is_strict(&self.a, &self.pace) && !is_strict(&self.b, self.b_pace()) {
            self.terms.time_margin = None;
        }
        self.terms.b_pace = self.terms.b_pace.filter(|b_pace| *b_pace != self.pace);
        self
    }

    /// What B may use.
    pub fn b_pace(&self) -> &Pace {
        self.terms.b_pace.as_ref().unwrap_or(&self.pace)
    }

    /// The same match; foreign programs are started once to see that they can play, and have their names
    /// and versions in the plan from then on, networks the digests of their files.
    pub fn introduced(self, stop: &Arc<AtomicBool>) -> Result<Match, LabError> {
        let a = introduced(&self.a, &self.game, (self.pace.time, &self.terms), stop)?;
        let b = introduced(&self.b, &self.game, (self.b_pace().time, &self.terms), stop)?;
        Ok(Match { a, b, ..self })
    }

    /// Does the same as `check` for any players under the conditions of this match.
    pub(crate) fn check_players(&self, players: &[(&Contender, &Pace)]) -> Result<(), LabError> {
        players.iter().try_for_each(|(_, pace)| pace.check())?;
        let (most, opening) = (self.most_plies, self.openings.longest());
        if most as usize <= opening {
            return Err(LabError::Plan(format!(
                "games of at most {most} moves: expected more than the {opening} of an opening"
            )));
        }
        let start = game(&self.game)?.start();
        self.openings.check(&*start)?;
        for (player, _) in players {
            let Contender::Search { thinks_in: Some(own), .. } = player else { continue };
            let own = game(own)?.start();
            if differ(&*start, &*own) {
                return Err(LabError::Plan(format!(
                    "`{player}` thinks in a game with other rules than {}",
                    self.game
                )));
            }
        }
        if let Some((player, _)) = players.iter().find(|(player, pace)| !pace.limits(player)) {
            let playouts =
                if player.counts_simulations() { "playouts, " } else { "it makes no playouts, give it " };
            return Err(LabError::Plan(format!(
                "`{player}` needs a limit for its moves: {playouts}nodes or time"
            )));
        }
        match players.iter().find_map(|(_, pace)| pace.playouts) {
            Some(playouts) if !players.iter().any(|(player, _)| player.counts_simulations()) => {
                Err(LabError::Plan(format!(
                    "{playouts} playouts a move: no player makes any; they take nodes, time, and alphabeta also depth=N"
                )))
            }
            _ => Ok(()),
        }
    }

    /// A player at the board, for one game; `None` after a stop.
    fn seat(
        &self,
        (player, pace): (&Contender, &Pace),
        number: u32,
        record: &Record,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Seat>, LabError> {
        match Seat::search(player, pace, &self.terms, &[self.seed, u64::from(number)]) {
            Some(seat) => Ok(Some(seat)),
            None => Seat::foreign(player, (pace, &self.terms), record, stop),
        }
    }
}

impl Study for Match {
    type Outcome = PlayedGame;
    const KIND: &'static str = "match";

    fn signature(&self) -> Result<String, LabError> {
        let specs: Vec<_> = [&self.a, &self.b].into_iter().filter_map(Contender::spec).collect();
        signature(game(&self.game)?.start().as_ref(), &specs)
    }

    fn trial(&self, number: u32, stop: &Arc<AtomicBool>) -> Result<Option<PlayedGame>, LabError> {
        let mut record = Record::new(game(&self.game)?.start());
        for mv in self.openings.of(record.now(), self.seed, number / 2)? {
            record.play(&mv)?;
        }
        let a_side = if number.is_multiple_of(2) { Side::First } else { Side::Second };
        let opening = record.plies.len() as u32;
        let mut sides = [(&self.a, &self.pace), (&self.b, self.b_pace())];
        if a_side == Side::Second {
            sides.reverse();
        }
        let seats =
            (self.seat(sides[0], number, &record, stop)?, self.seat(sides[1], number, &record, stop)?);
        let (Some(mut first), Some(mut second)) = seats else { return Ok(None) };
        let mut game = Game::new(record)
            .with_clocks(sides.map(|(player, pace)| clock(player, pace, &self.terms)))
            .at_most(self.most_plies as usize)
            .ended_by_proof(self.terms.ended_by_proof)
            .stopped_by(stop);
        let end = game.play([first.player(), second.player()])?;
        let (mut score, mut proven, mut lost_by, mut dead, mut certificate) = (None, None, None, None, None);
        match end {
            End::Rules(by_rules) => {
                let settled = settled(&mut [&mut first, &mut second], &game.record);
                score = Some(settled.as_ref().map_or(by_rules, |settled| settled.1));
                dead = settled.map(|(stones, _)| stones.join(" "));
            }
            End::Proven(by_proof) => {
                proven = Some(by_proof);
                let prover = if game.record.now().turn() == Side::First { first } else { second };
                certificate = self.certify(prover, &game.record, by_proof, number, stop);
            }
            End::TooLong => {}
            End::Lost(loser, loss) => lost_by = Some((loser, loss)),
            _ => return Ok(None),
        }
        let half_points = match (&lost_by, score.or(proven).unwrap_or(Score(0)).seen_by(a_side).0) {
            (Some((loser, _)), _) => 2 * u8::from(*loser != a_side),
            (None, ..0) => 0,
            (None, 0) => 1,
            (None, _) => 2,
        };
        let (efforts, record) = (game.efforts, &game.record);
        Ok(Some(PlayedGame {
            a_moves: a_side.to_string(),
            half_points,
            score: score.map(|score| score.0),
            plies: record.plies.len() as u32,
            opening,
            moves: record.moves(),
            a: efforts[a_side.index()],
            b: efforts[a_side.other().index()],
            lost_by: lost_by.map(|(_, loss)| loss),
            dead,
            proven: proven.map(|score| score.0),
            certificate,
        }))
    }
}

/// How a match stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// The games that count.
    pub tally: Tally,
    /// Their mean number of moves.
    pub plies: f64,
    /// What a sequential test says, and its log-likelihood ratio.
    pub sprt: Option<(Decision, f64)>,
    /// What A and B have used.
    pub efforts: [Effort; 2],
    /// The games that A and B have lost by something else than the rules.
    pub forfeits: [Forfeits; 2],
}

/// How a match stands after these games. With a sequential test only whole pairs in the order of
/// their numbers count, up to the one that decides: so the final standing does not depend on threads
/// or on how often it is asked for.
pub fn standing(games: &Trials<PlayedGame>, sprt: Option<&Sprt>) -> Standing {
    let mut counted = games.len();
    let tally_of =
        |games: &[(u32, PlayedGame, f64)]| Tally::of(games.iter().map(|(n, game, _)| (*n, game.half_points)));
    let mut verdict = None;
    if let Some(sprt) = sprt {
        let whole = games.iter().zip(0..).take_while(|((n, ..), i)| n == i).count() / 2 * 2;
        let mut tally = Tally::default();
        let decided = (2..=whole).step_by(2).find(|&n| {
            tally += tally_of(&games[n - 2..n]);
            sprt.decide(&tally) != Decision::Open
        });
        counted = decided.unwrap_or(games.len());
        verdict = Some((sprt.decide(&tally), sprt.llr(&tally)));
    }
    let games = &games[..counted];
    let (mut efforts, mut forfeits) = ([Effort::default(); 2], [Forfeits::default(); 2]);
    for (_, game, _) in games {
        if let Some(loss) = &game.lost_by {
            forfeits[usize::from(game.half_points > 0)].add(loss);
        }
        for (sum, effort) in efforts.iter_mut().zip([game.a, game.b]) {
            sum.moves += effort.moves;
            sum.playouts += effort.playouts;
            sum.nodes += effort.nodes;
            sum.seconds += effort.seconds;
        }
    }
    let plies = games.iter().map(|(_, game, _)| f64::from(game.plies)).sum::<f64>();
    let plies = plies / games.len().max(1) as f64;
    Standing { tally: tally_of(games), plies, sprt: verdict, efforts, forfeits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, run};
    use proofplay_front::clock::TimeControl;
    use std::path::Path;
    use std::time::Duration;

    fn contest(game: &str, a: &str, b: &str) -> Match {
        let pace = Pace { playouts: Some(100), nodes: None, time: None, memory: 1 << 22 };
        Match {
            game: game.to_owned(),
            a: a.parse().unwrap(),
            b: b.parse().unwrap(),
            pace,
            openings: Openings::Random(2),
            seed: 7,
            most_plies: 200,
            terms: Terms::default(),
        }
    }

    fn games(contest: &Match, count: u32, threads: usize) -> Trials<PlayedGame> {
        let store = Store::open(Path::new(":memory:")).unwrap();
        run(contest, count, threads, &store, &Arc::default(), &mut |_| false).unwrap()
    }

    #[test]
    fn games_are_legal_paired_and_repeatable() {
        let contest = contest("connect4:5x4", "mcts", "mcts:c=2,playouts=10");
        contest.check().unwrap();
        let played = games(&contest, 8, 1);
        let again = games(&contest, 8, 3);
        for ((number, one, _), (_, other, _)) in played.iter().zip(&again) {
            assert_eq!((&one.moves, one.half_points), (&other.moves, other.half_points), "game {number}");
            let mut pos = game("connect4:5x4").unwrap().start();
            one.moves.split(' ').for_each(|mv| pos.play(mv).unwrap());
            let score = pos.outcome().expect("the game was played to its end");
            assert_eq!(Some(score.0), one.score);
            let for_a = if one.a_moves == "first" { score.0 } else { -score.0 };
            assert_eq!(i16::from(one.half_points), for_a + 1);
            // Each uses at most what it may; it uses less where a position is proven early.
            assert!(
                one.a.playouts <= u64::from(one.a.moves) * 100
                    && one.b.playouts <= u64::from(one.b.moves) * 10
            );
            assert!(one.b.playouts > 0 && one.a.moves + one.b.moves + one.opening == one.plies);
        }
        for pair in played.chunks(2) {
            let opening = |i: usize| pair[i].1.moves.split(' ').take(2).collect::<Vec<_>>();
            assert_eq!(opening(0), opening(1));
            assert_eq!((&*pair[0].1.a_moves, &*pair[1].1.a_moves), ("first", "second"));
        }
        let standing = standing(&played, None);
        assert_eq!(standing.tally.games(), 8);
        assert_eq!(standing.tally.pairs.iter().sum::<u64>(), 4);
    }

    #[test]
    fn long_games_are_drawn_and_players_think_in_their_own_game() {
        let mut contest = contest("loa:5x5", "mcts@loa:5x5,eval=2000", "mcts");
        contest.most_plies = 4;
        contest.check().unwrap();
        let played = games(&contest, 2, 1);
        assert!(
            played
                .iter()
                .all(|(_, game, _)| game.plies == 4 && game.score.is_none() && game.half_points == 1)
        );
        for (game, other) in [
            ("loa:5x5", "loa:6x6"),
            ("mnk:3x3k3", "mnk:3x3k2"),
            ("go:9x9", "go:9x9,komi=20"),
            ("go:3x3", "go:3x3,suicide=yes"),
            ("connect4:5x4", "connect4:5x4k3"),
            ("pentalath:3", "pentalath:3,k=4"),
        ] {
            contest.game = game.to_owned();
            contest.a = format!("mcts@{other}").parse().unwrap();
            assert!(contest.check().unwrap_err().to_string().contains("other rules"), "{other}");
        }
        contest.game = "loa:5x5".to_owned();
        contest.a = "alphabeta".parse().unwrap();
        contest.pace.playouts = None;
        assert!(contest.check().unwrap_err().to_string().contains("needs a limit"));
    }

    /// Limits that have no effect on any player or allow nothing are refused; a player that limits
    /// itself needs none.
    #[test]
    fn limits_are_checked() {
        let plan = contest("connect4:5x4", "mcts", "mcts");
        let refused = |change: &dyn Fn(&mut Match), why: &str| {
            let mut contest = plan.clone();
            change(&mut contest);
            let error = contest.check().expect_err(why).to_string();
            assert!(error.contains(why), "{error}");
        };
        refused(&|contest| contest.pace.playouts = Some(0), "0 playouts a move: expected at least 1");
        refused(&|contest| contest.pace.nodes = Some(0), "0 nodes a move");
        refused(&|contest| contest.pace.time = Some(TimeControl::PerMove(Duration::ZERO)), "0 s a move");
        refused(&|contest| contest.most_plies = 0, "at most 0 moves: expected more than the 2");
        refused(&|contest| contest.most_plies = 2, "at most 2 moves: expected more than the 2");
        refused(&|contest| contest.b = "alphabeta".parse().unwrap(), "`alphabeta` needs a limit");
        refused(
            &|contest| contest.b = "alphabeta:deepen=on".parse().unwrap(),
            "no playouts, give it nodes or time",
        );
        let two = |contest: &mut Match| {
            contest.a = "alphabeta:depth=2".parse().unwrap();
            contest.b = "alphabeta:depth=3".parse().unwrap();
        };
        refused(&two, "100 playouts a move: no player makes any");
        // The simulations are for the one, the depth or the nodes for the other.
        let mut mixed = contest("connect4:5x4", "mcts", "alphabeta:depth=2");
        mixed.check().unwrap();
        mixed.b = "alphabeta".parse().unwrap();
        mixed.pace.nodes = Some(1000);
        mixed.check().unwrap();
    }

    /// A clock is part of the plan; an hour is more than such a game needs, a nanosecond less.
    #[test]
    fn clocks() {
        let mut contest = contest("connect4:5x4", "mcts", "mcts:c=2");
        let plan = contest.plan();
        contest.pace.time = Some(TimeControl::PerMove(Duration::from_millis(1500)));
        assert_eq!(contest.plan()["time_s"], 1.5);
        assert_eq!(plan.as_object().unwrap().len(), 10);
        contest.pace.time = Some("1h+1s".parse().unwrap());
        assert_eq!(contest.plan()["time_s"], "1h+1s");
        let in_time = games(&contest, 2, 1);
        contest.pace.time = None;
        for ((_, one, _), (_, other, _)) in in_time.iter().zip(&games(&contest, 2, 1)) {
            assert_eq!((&one.moves, &one.lost_by), (&other.moves, &None));
        }
        contest.pace.time = Some("1ns".parse().unwrap());
        let late = games(&contest, 2, 1);
        for (number, game, _) in &late {
            // A loses as the first player, B in the other game.
            assert_eq!((&game.lost_by, game.score), (&Some(Loss::Time), None));
            assert_eq!((game.half_points, game.plies), (2 * *number as u8, 2));
            let text = serde_json::to_string(game).unwrap();
            assert!(text.ends_with(r#","lost_by":"time"}"#), "{text}");
            assert_eq!(&serde_json::from_str::<PlayedGame>(&text).unwrap(), game);
        }
        let once = Forfeits { time: 1, ..Forfeits::default() };
        assert_eq!(standing(&late, None).forfeits, [once; 2]);
        let text = serde_json::to_string(&in_time[0].1).unwrap();
        assert!(!text.contains("lost_by") && serde_json::from_str::<PlayedGame>(&text).is_ok());
    }

    #[test]
    fn a_sequential_test_counts_only_to_its_decision() {
        let game = |half_points| PlayedGame {
            a_moves: String::new(),
            half_points,
            score: None,
            plies: 10,
            opening: 0,
            moves: String::new(),
            a: Effort::default(),
            b: Effort::default(),
            lost_by: None,
            dead: None,
            proven: None,
            certificate: None,
        };
        let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
        let played =
            |n: u32| (0..n).map(|i| (i, game(if i % 4 == 3 { 0 } else { 2 }), 0.0)).collect::<Trials<_>>();
        let end = standing(&played(400), Some(&sprt));
        assert_eq!(end.sprt.unwrap().0, Decision::High);
        assert!(end.tally.games() < 200);
        assert_eq!(standing(&played(300), Some(&sprt)), end);
        let few = standing(&played(5), Some(&sprt));
        assert_eq!((few.sprt.unwrap().0, few.tally.games()), (Decision::Open, 5));
        // Games after a gap in the numbers do not decide.
        let mut gap = played(400);
        gap.remove(3);
        assert_eq!(standing(&gap, Some(&sprt)).sprt.unwrap().0, Decision::Open);
    }
}
