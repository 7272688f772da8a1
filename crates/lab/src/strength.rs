//! Which player is the strongest in a game: what `auto` plays.
//!
//! On every board some players meet the plain `mcts` at 100 ms a move; the better half continues
//! with twice the games, until two are left (successive halving, \[KKS13\]). Where equals would be
//! parted by the last cut, such as three who have won all their games, they meet each other first.
//! The last two meet at 1 s a move, and the better one is chosen. In the end the chosen one meets
//! `mcts` again at 200 ms a move, in other games: those that chose it would flatter it.
//!
//! What was played is a list of [`Played`], a line of text each. [`next`] says what to play next, so
//! that work continues from the text alone.

use crate::stats::Tally;
use crate::{Contender, ContenderError, LabError, Match, Openings, Pace, Terms};
use proofplay_core::Rng;
use proofplay_front::clock::TimeControl;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::time::Duration;

/// The file of the lines, which lies beside those of the papers' tables.
pub const FILE: &str = "strength.jsonl";

/// Who everybody meets.
pub const PLAIN: &str = "mcts";

/// Players for games without an evaluation function.
const WITHOUT: &[&str] = &[
    PLAIN,
    "mcts:mr=1",
    "mcts:mr=2",
    "mcts:mr=1,ms=2",
    "mcts:rave=1000",
    "mcts:rb=8",
    "mcts:facts=on",
    "alphabeta:deepen=on",
];

/// Players for games with one.
const WITH: &[&str] = &[
    PLAIN,
    "mcts:mr=1",
    "mcts:leaf=weighted",
    "mcts:moves=4,cutoff=evaluate",
    "mcts:leaf=weighted,moves=4,cutoff=evaluate",
    "mcts:rave=1000",
    "mcts:qb=8",
    "alphabeta:deepen=on",
];

/// Players for Amazons, whose moves have stages.
const STAGED: &[&str] = &[
    PLAIN,
    "mcts:leaf=staged",
    "mcts:leaf=evaluate",
    "mcts:moves=4,cutoff=evaluate",
    "mcts:leaf=weighted,moves=4,cutoff=evaluate",
    "mcts:rave=1000",
    "mcts:qb=8",
    "alphabeta:deepen=on",
];

/// The boards, and who may be the strongest there.
pub const BOARDS: &[(&str, &[&str])] = &[
    ("connect4", WITHOUT),
    ("breakthrough:8x8", WITH),
    ("amazons:10x10", STAGED),
    ("amazons:6x6", STAGED),
    ("loa:8x8", WITH),
    ("checkers", WITH),
    ("cannon", WITH),
    ("chinese-checkers:3", WITH),
    ("pentalath:5", WITH),
    ("go:9x9", WITH),
    ("y:8", WITHOUT),
    ("nogo:7x7", WITHOUT),
    ("domineering:8x8", WITHOUT),
    ("mnk:9x9k5", WITHOUT),
];

/// What a match is for.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Stage {
    /// A round against `mcts` at 100 ms a move.
    Round(u32),
    /// Equals at the last cut, each against each, at 100 ms a move.
    PlayOff,
    /// The last two, at 1 s a move.
    Final,
    /// The chosen one against `mcts`, at 200 ms a move.
    Test,
}

impl Stage {
    /// Games of a match.
    pub fn games(self) -> u32 {
        match self {
            Stage::Round(round) => 4 << round,
            Stage::PlayOff => 16,
            Stage::Final | Stage::Test => 40,
        }
    }

    /// Time for a move.
    pub fn time(self) -> Duration {
        Duration::from_millis(match self {
            Stage::Round(_) | Stage::PlayOff => 100,
            Stage::Final => 1000,
            Stage::Test => 200,
        })
    }
}

impl From<Stage> for String {
    fn from(stage: Stage) -> String {
        match stage {
            Stage::Round(round) => format!("round {round}"),
            Stage::PlayOff => "play-off".to_owned(),
            Stage::Final => "final".to_owned(),
            Stage::Test => "test".to_owned(),
        }
    }
}

impl TryFrom<String> for Stage {
    type Error = String;

    fn try_from(text: String) -> Result<Stage, String> {
        let round = text.strip_prefix("round ").and_then(|round| round.parse().ok());
        match (&text[..], round) {
            ("play-off", _) => Ok(Stage::PlayOff),
            ("final", _) => Ok(Stage::Final),
            ("test", _) => Ok(Stage::Test),
            (_, Some(round @ 1..=10)) => Ok(Stage::Round(round)),
            _ => Err(format!("stage `{text}`: expected round 1, …, play-off, final or test")),
        }
    }
}

/// A match that is to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The board.
    pub game: String,
    /// What it is for.
    pub stage: Stage,
    /// The player whose games are counted.
    pub player: String,
    /// Who it meets.
    pub against: String,
}

/// A match that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Which one.
    #[serde(flatten)]
    pub pairing: Pairing,
    /// What came of it.
    pub tally: Tally,
}

/// What to do on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// This match.
    Play(Pairing),
    /// Nothing: this player is the strongest.
    Chosen(String),
}

impl Pairing {
    /// The match, with this many bytes for each player.
    pub fn contest(&self, memory: usize) -> Result<Match, LabError> {
        let player = |text: &str| -> Result<Contender, LabError> {
            text.parse().map_err(|error: ContenderError| LabError::Plan(error.to_string()))
        };
        let number = match self.stage {
            Stage::Round(round) => u64::from(round),
            Stage::Final => 1 << 32,
            Stage::Test => 2 << 32,
            Stage::PlayOff => 3 << 32,
        };
        let time = Some(TimeControl::PerMove(self.stage.time()));
        Ok(Match {
            game: proofplay_registry::game(&self.game)?.id(),
            a: player(&self.player)?,
            b: player(&self.against)?,
            pace: Pace { playouts: None, nodes: None, time, memory },
            openings: Openings::Random(2),
            // Seeds are stored as JSON, where numbers have 53 bits.
            seed: Rng::from_parts(&[0x7374_7265_6e67_7468, number]).next_u64() >> 11,
            most_plies: 300,
            terms: Terms::default(),
        })
    }
}

/// What to do next on a board, after all that was played.
pub fn next(board: (&str, &[&str]), played: &[Played]) -> Next {
    choose(board, played).map_or_else(Next::Play, |player| Next::Chosen(player.to_owned()))
}

/// The strongest player on a board, or the match that is missing.
fn choose<'a>(board: (&str, &[&'a str]), played: &[Played]) -> Result<&'a str, Pairing> {
    let (game, candidates) = board;
    let find = |stage, player: &str, against: &str| {
        let pairing =
            Pairing { game: game.to_owned(), stage, player: player.to_owned(), against: against.to_owned() };
        let found = played.iter().find(|played| played.pairing == pairing).map(|played| played.tally);
        found.ok_or(pairing)
    };
    let mut going: Vec<(&str, f64)> = candidates.iter().map(|&player| (player, 0.0)).collect();
    for round in 1.. {
        if going.len() <= 2 {
            break;
        }
        for (player, points) in &mut going {
            *points += find(Stage::Round(round), player, PLAIN)?.points();
        }
        // The sort is stable: of equals the one named first continues, but for the last cut.
        going.sort_by(|x, y| y.1.total_cmp(&x.1));
        let most = going.len().div_ceil(2);
        if most == 2 && going[most].1 == going[most - 1].1 {
            let last = going[most].1;
            let from = going.partition_point(|player| player.1 > last);
            let to = going.partition_point(|player| player.1 >= last);
            play_off(&mut going[from..to], find)?;
        }
        going.truncate(most);
    }
    let &[(first, _), (second, _)] = &going[..] else { return Ok(candidates[0]) };
    let last = find(Stage::Final, first, second)?;
    let chosen = if last.points() * 2.0 >= last.games() as f64 { first } else { second };
    if chosen != PLAIN {
        find(Stage::Test, chosen, PLAIN)?;
    }
    Ok(chosen)
}

/// Sorts equals by matches in which each has met each.
fn play_off(
    equals: &mut [(&str, f64)],
    find: impl Fn(Stage, &str, &str) -> Result<Tally, Pairing>,
) -> Result<(), Pairing> {
    let mut won: HashMap<&str, f64> = HashMap::new();
    for (i, &(one, _)) in equals.iter().enumerate() {
        for &(other, _) in &equals[i + 1..] {
            let tally = find(Stage::PlayOff, one, other)?;
            *won.entry(one).or_default() += tally.points();
            *won.entry(other).or_default() += tally.games() as f64 - tally.points();
        }
    }
    equals.sort_by(|x, y| won[y.0].total_cmp(&won[x.0]));
    Ok(())
}

/// The matches of a text, a line each.
pub fn read(text: &str) -> Result<Vec<Played>, LabError> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let read = |(line, number): (&str, usize)| {
        serde_json::from_str(line).map_err(|error| LabError::Plan(format!("line {number}: {error}")))
    };
    lines.map(read).collect()
}

/// What is known: the answer of `strength`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Strengths<'a> {
    /// The boards.
    pub chosen: Vec<Chosen>,
    /// The matches, in the order in which they were played.
    pub matches: &'a [Played],
}

/// The strongest player on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chosen {
    /// The board.
    pub game: &'static str,
    /// The player; `None` while matches are missing.
    pub player: Option<String>,
}

impl<'a> Strengths<'a> {
    /// What these matches say.
    pub fn of(played: &'a [Played]) -> Strengths<'a> {
        let chosen = BOARDS.iter().map(|board| match next(*board, played) {
            Next::Chosen(player) => Chosen { game: board.0, player: Some(player) },
            Next::Play(_) => Chosen { game: board.0, player: None },
        });
        Strengths { chosen: chosen.collect(), matches: played }
    }
}

/// A score in percent with its interval.
fn percent(tally: Tally) -> String {
    let interval = tally.score();
    format!("{:.1} ({:.1} to {:.1})", 100.0 * interval.mean, 100.0 * interval.low, 100.0 * interval.high)
}

/// A page about what was played.
pub fn markdown(played: &[Played]) -> String {
    let mut page = "# What `auto` plays, and why\n\n".to_owned();
    page += "Scores in percent, with intervals of 95 %.\n\n";
    page +=
        "| game | player | against `mcts`, 200 ms a move, 40 games | the last two, 1 s a move, 40 games |\n";
    page += "|---|---|---|---|\n";
    for board in BOARDS {
        let of =
            |stage| played.iter().find(|line| line.pairing.game == board.0 && line.pairing.stage == stage);
        let Next::Chosen(chosen) = next(*board, played) else { continue };
        let test = of(Stage::Test).map_or("the same".to_owned(), |line| percent(line.tally));
        let last = of(Stage::Final).map_or(String::new(), |line| {
            let Pairing { player, against, .. } = &line.pairing;
            format!("`{player}` {} against `{against}`", percent(line.tally))
        });
        page += &format!("| `{}` | `{chosen}` | {test} | {last} |\n", board.0);
    }
    page += "\n## All matches\n\nRounds are against `mcts` at 100 ms a move.\n\n";
    page += "| game | match | player | against | games | score |\n|---|---|---|---|---|---|\n";
    for Played { pairing, tally } in played {
        let Pairing { game, stage, player, against } = pairing;
        let stage = String::from(*stage);
        let (games, score) = (tally.games(), percent(*tally));
        page += &format!("| `{game}` | {stage} | `{player}` | `{against}` | {games} | {score} |\n");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_search::SearchSpec;

    /// Plays as if `strength` decided every game.
    fn played_out(board: (&str, &[&str]), strength: &HashMap<&str, i32>) -> (Vec<Played>, String) {
        let mut played = Vec::new();
        loop {
            let pairing = match next(board, &played) {
                Next::Play(pairing) => pairing,
                Next::Chosen(chosen) => return (played, chosen),
            };
            let points = match strength[&pairing.player[..]].cmp(&strength[&pairing.against[..]]) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            };
            let tally = Tally::of((0..pairing.stage.games()).map(|number| (number, points)));
            assert!(played.iter().all(|before: &Played| before.pairing != pairing), "{pairing:?} again");
            played.push(Played { pairing, tally });
        }
    }

    #[test]
    fn the_strongest_is_chosen() {
        let players = ["mcts", "a", "b", "c", "d", "e"];
        for best in 0..players.len() {
            let strength =
                (0..).zip(players).map(|(i, player)| (player, if i == best { 2 } else { i32::from(i == 0) }));
            let (played, chosen) = played_out(("y:3", &players), &strength.collect());
            assert_eq!(chosen, players[best]);
            let count = |stage| played.iter().filter(|played| played.pairing.stage == stage).count();
            assert_eq!((count(Stage::Round(1)), count(Stage::Round(2)), count(Stage::Final)), (6, 3, 1));
            assert_eq!(count(Stage::Test), usize::from(best > 0), "mcts does not meet itself");
        }
    }

    /// Three have won all games against `mcts`: the best of them may not be dropped for its place in
    /// the list.
    #[test]
    fn equals_meet_each_other() {
        let players = ["mcts", "a", "b", "best"];
        let strength = (0..).zip(players).map(|(i, player)| (player, i)).collect();
        let (played, chosen) = played_out(("y:3", &players), &strength);
        assert_eq!(chosen, "best");
        let play_offs = played.iter().filter(|played| played.pairing.stage == Stage::PlayOff);
        let met: Vec<_> = play_offs.map(|p| (&*p.pairing.player, &*p.pairing.against)).collect();
        assert_eq!(met, [("a", "b"), ("a", "best"), ("b", "best")]);
        let last = played.iter().find(|played| played.pairing.stage == Stage::Final).unwrap();
        assert_eq!((&*last.pairing.player, &*last.pairing.against), ("best", "b"));
    }

    #[test]
    fn lines_read_back_and_continue() {
        let players = ["mcts", "alphabeta:deepen=on", "mcts:mr=1"];
        let strength = (0..).zip(players).map(|(i, player)| (player, i)).collect();
        let (played, chosen) = played_out(("y:3", &players), &strength);
        assert_eq!(chosen, "mcts:mr=1");
        let text: Vec<String> = played.iter().map(|played| serde_json::to_string(played).unwrap()).collect();
        let back: Vec<Played> = text.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(back, played);
        assert_eq!(next(("y:3", &players), &back[..2]), Next::Play(back[2].pairing.clone()));
    }

    /// The table of `auto` has the players that were chosen.
    #[test]
    fn auto_plays_what_was_chosen() {
        let played = read(include_str!("../../../results/strength.jsonl")).unwrap();
        let chosen = Strengths::of(&played).chosen;
        assert!(chosen.iter().filter(|of| of.player.is_some()).count() > 3);
        for Chosen { game, player } in chosen {
            let Some(player) = player else { continue };
            assert_eq!(SearchSpec::Auto.for_game(game, false).to_string(), player, "{game}");
        }
    }

    #[test]
    fn every_player_can_play_on_its_board() {
        for &(board, players) in BOARDS {
            for player in players {
                let pairing = Pairing {
                    game: board.to_owned(),
                    stage: Stage::Round(1),
                    player: (*player).to_owned(),
                    against: PLAIN.to_owned(),
                };
                pairing.contest(1 << 24).unwrap().check().unwrap_or_else(|error| panic!("{board}: {error}"));
            }
        }
    }
}
