//! Games between players: `match`, `tournament`, `tune`.

use crate::plain_name;
use crate::stats::Decision;
use crate::{
    Effort, Forfeits, Kept, Match, Pairing, PlayedGame, Standing, Tournament, Trials, Tuned, Tuning,
};
use proofplay_core::Score;
use proofplay_front::game::Loss;
use proofplay_front::points::Points;
use serde::Serialize;

/// How a match stands, in the view of A.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct StandingJson {
    /// The games that count.
    pub games: u64,
    /// Those that A has won.
    pub wins: u64,
    /// Those that nobody has won.
    pub draws: u64,
    /// Those that B has won.
    pub losses: u64,
    /// A's points: 1 for a win, ½ for a draw.
    pub points: f64,
    /// A's points per game; null before the first game.
    pub score: Option<f64>,
    /// Its 95 % interval.
    pub score_interval: Option<[f64; 2]>,
    /// Openings of which A got 0, ½, 1, 1½, 2 points.
    pub pairs: [u64; 5],
    /// The difference in Elo; null where it is infinite, and before the first game.
    pub elo: Option<f64>,
    /// Its 95 % interval.
    pub elo_interval: [Option<f64>; 2],
    /// The chance that A is the stronger one; null before the first game.
    pub superiority: Option<f64>,
    /// Moves a game; null before the first one.
    pub mean_plies: Option<f64>,
    /// What A has used for a move.
    pub a_per_move: PerMove,
    /// What B has used for a move.
    pub b_per_move: PerMove,
    /// Games that A and B have lost by something else than the rules.
    pub forfeits: [u64; 2],
    /// Those of A, by what it was.
    pub a_lost_by: Forfeits,
    /// Those of B.
    pub b_lost_by: Forfeits,
    /// What a sequential test says, if there is one.
    pub sprt: Option<SprtJson>,
}

/// What a player has used for a move.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct PerMove {
    /// Simulations.
    pub simulations: f64,
    /// Nodes.
    pub nodes: f64,
    /// Seconds.
    pub elapsed_s: f64,
    /// The old name of `simulations`.
    pub playouts: f64,
    /// The old name of `elapsed_s`.
    pub seconds: f64,
}

/// What a sequential test says.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct SprtJson {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Which difference is the likelier one.
    pub decision: Decision,
}

/// How many games both players have lost by something else than the rules.
fn totals(standing: &Standing) -> [u64; 2] {
    standing.forfeits.map(|forfeits| forfeits.total())
}

impl From<&Effort> for PerMove {
    fn from(effort: &Effort) -> PerMove {
        let each = |all: f64| all / f64::from(effort.moves.max(1));
        let (simulations, elapsed_s) = (each(effort.playouts as f64), each(effort.seconds));
        let nodes = each(effort.nodes as f64);
        PerMove { simulations, nodes, elapsed_s, playouts: simulations, seconds: elapsed_s }
    }
}

impl From<&Standing> for StandingJson {
    fn from(standing: &Standing) -> StandingJson {
        let (tally, score, elo) = (standing.tally, standing.tally.score(), standing.tally.elo());
        // What is estimated before the first game would look as if it were measured.
        let any = tally.games() > 0;
        // JSON has no infinite numbers.
        let finite = |x: f64| (any && x.is_finite()).then_some(x);
        StandingJson {
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.points(),
            score: finite(score.mean),
            score_interval: any.then_some([score.low, score.high]),
            pairs: tally.pairs,
            elo: finite(elo.mean),
            elo_interval: [finite(elo.low), finite(elo.high)],
            superiority: finite(tally.superiority()),
            mean_plies: finite(standing.plies),
            a_per_move: PerMove::from(&standing.efforts[0]),
            b_per_move: PerMove::from(&standing.efforts[1]),
            forfeits: totals(standing),
            a_lost_by: standing.forfeits[0],
            b_lost_by: standing.forfeits[1],
            sprt: standing.sprt.map(|(decision, llr)| SprtJson { llr, decision }),
        }
    }
}

/// A match: `match`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct MatchJson {
    /// The game with its parameters.
    pub game: String,
    /// One player.
    pub a: String,
    /// The other.
    pub b: String,
    /// How they stand.
    #[serde(flatten)]
    pub standing: StandingJson,
    /// Its number in the store.
    pub experiment: i64,
    /// Whether all games are played, or a sequential test is decided.
    pub done: bool,
    /// Files that could not be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<String>,
}

impl MatchJson {
    /// How a match stands that is `experiment` of the store and not done yet.
    pub fn new(contest: &Match, standing: &Standing, experiment: i64) -> MatchJson {
        MatchJson {
            game: plain_name(&contest.game).to_owned(),
            a: contest.a.to_string(),
            b: contest.b.to_string(),
            standing: StandingJson::from(standing),
            experiment,
            done: false,
            unwritten: Vec::new(),
        }
    }
}

/// A game of a match, as `match --records` and `results` write it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct GameRecord<'a> {
    /// Its number in the match.
    pub number: u32,
    /// The game with its parameters.
    pub game: &'a str,
    /// The player who began.
    pub first: &'a str,
    /// The other.
    pub second: &'a str,
    /// `first` or `second`: when A moves.
    pub a_moves: &'a str,
    /// A's points times two.
    pub half_points: u8,
    /// The score in the view of the player who began; null if the game did not end by its rules.
    pub score: Option<Points>,
    /// The number of moves.
    pub plies: u32,
    /// How many of these were the opening.
    pub opening: u32,
    /// The moves, opening included, separated by blanks.
    pub moves: &'a str,
    /// What A has used.
    pub a: Used,
    /// What B has used.
    pub b: Used,
    /// What has lost the game to a player, if not its rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_by: Option<&'a Loss>,
    /// By what the game has ended.
    pub ended_by: &'static str,
    /// The stones that were dead at the end, separated by blanks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<&'a str>,
    /// The score in the view of the player who began, if a proof of it has ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<Points>,
    /// What came of the certificate of that proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<&'a Kept>,
}

/// What a player has used in a game.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct Used {
    /// Moves it has thought about.
    pub moves: u32,
    /// Simulations.
    pub simulations: u64,
    /// Nodes.
    pub nodes: u64,
    /// Seconds.
    pub elapsed_s: f64,
    /// After how many moves of the game it first had proof of who wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven_after: Option<u32>,
    /// The old name of `simulations`.
    pub playouts: u64,
    /// The old name of `elapsed_s`.
    pub seconds: f64,
}

impl From<&Effort> for Used {
    fn from(effort: &Effort) -> Used {
        let &Effort { moves, playouts, nodes, seconds, proven_after } = effort;
        Used { moves, simulations: playouts, nodes, elapsed_s: seconds, proven_after, playouts, seconds }
    }
}

impl GameRecord<'_> {
    /// The games of a match between `a` and `b`.
    pub fn all<'a>(
        game: &'a str,
        [a, b]: [&'a str; 2],
        games: &'a Trials<PlayedGame>,
    ) -> impl Iterator<Item = GameRecord<'a>> {
        let points = |score: i16| Points::of(game, Score(score));
        games.iter().map(move |(number, played, _)| {
            let (first, second) = if played.a_moves == "first" { (a, b) } else { (b, a) };
            GameRecord {
                number: *number,
                game,
                first,
                second,
                a_moves: &played.a_moves,
                half_points: played.half_points,
                score: played.score.map(points),
                plies: played.plies,
                opening: played.opening,
                moves: &played.moves,
                a: Used::from(&played.a),
                b: Used::from(&played.b),
                lost_by: played.lost_by.as_ref(),
                ended_by: played.ended_by(),
                dead: played.dead.as_deref(),
                proven: played.proven.map(points),
                certificate: played.certificate.as_ref(),
            }
        })
    }
}

/// A tournament: `tournament`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct TournamentJson {
    /// Whether all games are played.
    pub done: bool,
    /// The players, as the plan lists them.
    pub players: Vec<RatedPlayer>,
    /// Who met whom in which game.
    pub pairings: Vec<PairingJson>,
}

/// A player of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatedPlayer {
    /// What the plan calls it.
    pub name: String,
    /// The player.
    pub player: String,
    /// Its points in all games.
    pub points: f64,
    /// Its games.
    pub games: u64,
    /// Those that it has lost by something else than the rules, such as time.
    pub forfeits: u64,
    /// These by what it was.
    pub lost_by: Forfeits,
    /// Its Elo points; their mean is 0.
    pub rating: f64,
    /// Their 95 % interval.
    pub rating_interval: [f64; 2],
    /// The old name of `player`.
    pub spec: String,
}

/// Two players of a tournament in a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairingJson {
    /// The game with its parameters.
    pub game: String,
    /// The name of one player.
    pub a: String,
    /// The name of the other.
    pub b: String,
    /// How many games they have played.
    pub games: u64,
    /// The points of `a`.
    pub points: f64,
    /// Games that `a` and `b` have lost by something else than the rules.
    pub forfeits: [u64; 2],
}

impl TournamentJson {
    /// How a tournament stands.
    pub fn new(tournament: &Tournament, pairings: &[Pairing]) -> TournamentJson {
        let done = tournament.is_done(pairings);
        let table = tournament.cross_table(pairings, None);
        let (ratings, forfeits) = (table.ratings(), tournament.forfeits(pairings, None));
        let players = tournament.players.iter().enumerate().map(|(i, (name, player))| RatedPlayer {
            name: name.clone(),
            player: player.to_string(),
            points: table.points[i].iter().sum(),
            games: table.games[i].iter().sum::<f64>() as u64,
            forfeits: forfeits[i].total(),
            lost_by: forfeits[i],
            rating: ratings[i].mean,
            rating_interval: [ratings[i].low, ratings[i].high],
            spec: player.to_string(),
        });
        let pairings = pairings.iter().map(|pairing| PairingJson {
            game: plain_name(&tournament.games[pairing.game]).to_owned(),
            a: tournament.players[pairing.a].0.clone(),
            b: tournament.players[pairing.b].0.clone(),
            games: pairing.standing.tally.games(),
            points: pairing.standing.tally.points(),
            forfeits: totals(&pairing.standing),
        });
        TournamentJson { done, players: players.collect(), pairings: pairings.collect() }
    }
}

/// A search for settings: `tune`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct TunedJson {
    /// The game with its parameters.
    pub game: String,
    /// The opponent.
    pub against: String,
    /// The candidates, the last one first.
    pub tried: Vec<TriedJson>,
    /// The player that was chosen; null if it was stopped before the test.
    pub chosen: Option<String>,
    /// How it stands against the opponent in games of its own.
    pub test: Option<StandingJson>,
    /// Whether it was tested.
    pub done: bool,
}

/// A candidate.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TriedJson {
    /// The player.
    pub player: String,
    /// The rounds it has played.
    pub rounds: u32,
    /// Its games for tuning.
    pub tuning_games: u64,
    /// Its points in these.
    pub tuning_points: f64,
    /// Those of these that it and the opponent have lost by something else than the rules.
    pub tuning_forfeits: [u64; 2],
}

impl TunedJson {
    /// What came of a search for settings.
    pub fn new(tuning: &Tuning, tuned: &Tuned) -> TunedJson {
        let tried = tuned.tried.iter().map(|tried| TriedJson {
            player: tried.player.to_string(),
            rounds: tried.rounds,
            tuning_games: tried.standing.tally.games(),
            tuning_points: tried.standing.tally.points(),
            tuning_forfeits: totals(&tried.standing),
        });
        let tried: Vec<TriedJson> = tried.collect();
        TunedJson {
            game: plain_name(&tuning.contest.game).to_owned(),
            against: tuning.contest.b.to_string(),
            chosen: tuned.test.and_then(|_| Some(tried.first()?.player.clone())),
            tried,
            test: tuned.test.as_ref().map(StandingJson::from),
            done: tuned.test.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing;

    /// Before the first game nothing is known, and nothing looks measured.
    #[test]
    fn no_games() {
        let standing = StandingJson::from(&standing(&Trials::new(), None));
        let json = serde_json::to_value(&standing).unwrap();
        for field in ["score", "score_interval", "elo", "superiority", "mean_plies"] {
            assert!(json[field].is_null(), "{field}: {json}");
        }
        assert_eq!((json["games"].as_u64(), json["points"].as_f64()), (Some(0), Some(0.0)));
    }
}
