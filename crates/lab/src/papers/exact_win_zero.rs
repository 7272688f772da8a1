//! Chen, Chen & Lin, "Exact-win strategy for overcoming AlphaZero", CIIS 2018 \[CCL18\], section 5.3:
//! Exact-win Zero, a player with a network that keeps proofs, against the same player without.
//!
//! The paper's network (Leela Zero of 4 August 2018) can no longer be had. Ours are small ones for Go and
//! for two boards of m,n,k-games. They are no part of this project: each is known by its digest, and looked
//! for in the folder that `PROOFPLAY_NETWORKS` names.
//!
//! Paper -> here: Leela Zero -> `proof=none`; Exact-win Zero -> `proof=exact`, in Go `proof=solver`. The
//! paper's marks WIN and LOSS say who wins. In Go our exact values are points: a won child is left out then
//! though its parent is open, for it might win by more, and the mean of the parent forgets the win. Komi with
//! a half leaves no draws, so `proof=solver` is the paper's rule there. Ends in Go are two passes; with
//! `facts=on` unconditional life bounds the score before.

use super::figure::{Part, Printed, RIGHT, Reading, Unit};
use super::{Experiment, Finding, PLAYER_MEMORY, Results, SEED, Scale, Table, contest_at};
use crate::{Course, Openings, Pace};
use proofplay_core::{Line, Player};
use proofplay_front::clock::TimeControl;
use std::time::Duration;

/// KataGo's network of 6 blocks and 96 channels.
const GO_NET: &str = "g170-b6c96.bin.gz#f5d32604e3675c48";
const GOMOKU_6: &str = "gomoku-6x6-k4.net#8724bc3bbc6146d4";
const GOMOKU_8: &str = "gomoku-8x8-k5.net#c4457ae640bf0f3c";

/// A board, and how much is played on it.
struct Arena {
    name: &'static str,
    game: &'static str,
    net: &'static str,
    /// Cells, to scale the lengths of games in figure 8.
    cells: u32,
    /// Simulations a move, quick and full.
    playouts: [u64; 2],
    /// Milliseconds of processor time a move.
    time: [u64; 2],
    games: [u32; 2],
    most_plies: u32,
}

/// The number of games was fixed before the first was played.
const ARENAS: [Arena; 6] = [
    Arena {
        name: "gomoku 6x6",
        game: "mnk:6x6k4",
        net: GOMOKU_6,
        cells: 36,
        playouts: [100, 400],
        time: [10, 50],
        games: [4, 400],
        most_plies: 36,
    },
    Arena {
        name: "gomoku 8x8",
        game: "mnk:8x8k5",
        net: GOMOKU_8,
        cells: 64,
        playouts: [100, 400],
        time: [20, 100],
        games: [4, 400],
        most_plies: 64,
    },
    Arena {
        name: "Go 7x7",
        game: "go:7x7,komi=8.5",
        net: GO_NET,
        cells: 49,
        playouts: [20, 200],
        time: [10, 100],
        games: [4, 400],
        most_plies: 200,
    },
    Arena {
        name: "Go 9x9",
        game: "go:9x9,komi=7.5",
        net: GO_NET,
        cells: 81,
        playouts: [20, 200],
        time: [15, 150],
        games: [2, 200],
        most_plies: 300,
    },
    Arena {
        name: "Go 13x13",
        game: "go:13x13,komi=7.5",
        net: GO_NET,
        cells: 169,
        playouts: [5, 100],
        time: [10, 200],
        games: [2, 60],
        most_plies: 500,
    },
    Arena {
        name: "Go 19x19",
        game: "go:19x19,komi=7.5",
        net: GO_NET,
        cells: 361,
        playouts: [2, 50],
        time: [10, 200],
        games: [2, 40],
        most_plies: 800,
    },
];

/// Where figure 8 divides games of 19x19 by their moves.
const LENGTHS: [u32; 3] = [201, 251, 301];
const LENGTH_NAMES: [&str; 4] = ["shortest games", "shorter games", "longer games", "longest games"];
/// Table 5 and figures 7 and 8: all games, as Black and White, by length.
const PRINTED: [f64; 3] = [61.0, 60.0, 62.0];
const PRINTED_BY_LENGTH: [f64; 4] = [1100.0 / 18.0, 2000.0 / 31.0, 1500.0 / 24.0, 1500.0 / 27.0];

/// Its player with a network, as Leela Zero selects.
fn player(proof: &str, net: &str) -> String {
    format!("mcts:{proof},select=puct,c=1,reduce=0.5,leaf=net:{net}")
}

/// The players that prove.
fn provers(game: &str) -> [(&'static str, &'static str); 2] {
    if game.starts_with("go") {
        [("marks", "proof=solver"), ("marks and facts", "proof=solver,facts=on")]
    } else {
        [("exact", "proof=exact"), ("bounds", "proof=bounds")]
    }
}

/// Table 5 and figures 5 and 6.
pub fn tables(scale: Scale) -> Vec<Table> {
    vec![duels(scale), endgames(scale)]
}

fn duels(scale: Scale) -> Table {
    let note = format!(
        "The score of a player with a network that keeps proofs (gomoku: exact, bounds; Go: marks WIN and LOSS, without and with facts about unconditional life) against \
         the same without, at equal simulations and at equal processor time. Networks {GO_NET}, {GOMOKU_6}, {GOMOKU_8}, in the folder that \
         PROOFPLAY_NETWORKS names; the paper's network can no longer be had. Komi 8.5 on 7x7, else 7.5; openings of two random moves, each with both sides. The paper's \
         time is equal. Lengths as in figure 8: fewer than 201, 251 and 301 moves, or more, times cells / 361. Proven: games in which the prover knew who wins before \
         the end; certain after: the part of the moves by then, all of them without a proof."
    );
    let (title, source) = ("Exact-win Zero against the same without proofs", "[CCL18] table 5, figures 7, 8");
    let mut table = Table::new("exact-win-5", title, source, Unit::Percent, [3.0, 720.0], note);
    for arena in &ARENAS {
        for (name, proof) in provers(arena.game) {
            for by_time in [false, true] {
                duel(&mut table, arena, (name, proof), by_time, scale);
            }
        }
    }
    table
}

fn duel(table: &mut Table, arena: &Arena, (name, proof): (&str, &str), by_time: bool, scale: Scale) {
    let playouts = scale.pick(arena.playouts[0], arena.playouts[1]);
    let time = Duration::from_millis(scale.pick(arena.time[0], arena.time[1]));
    let pace = Pace {
        playouts: (!by_time).then_some(playouts),
        nodes: None,
        time: by_time.then_some(TimeControl::PerMove(time)),
        memory: PLAYER_MEMORY,
    };
    let (prover, plain) = (player(proof, arena.net), player("proof=none", arena.net));
    let study = contest_at(pace, arena.game, &prover, &plain, Openings::Random(2), arena.most_plies);
    table.experiment(study, scale.games(arena.games[0], arena.games[1]));
    let row = format!("{}, {name}, equal {}", arena.name, if by_time { "time" } else { "simulations" });
    let is_papers = arena.cells == 361 && name == "marks" && by_time;
    let printed = |figure: f64| if is_papers { Printed::Exactly(figure) } else { Printed::Nothing };
    let sides = [Player::First, Player::Second].map(|side| Reading::Part(Part::Side(side)));
    let [first, second] = sides;
    for ((column, reading), figure) in
        [("all games", Reading::Score), ("moves first", first), ("moves second", second)]
            .into_iter()
            .zip(PRINTED)
    {
        table.cell(&row, column, printed(figure), reading);
    }
    let ends = LENGTHS.map(|moves| (moves * arena.cells).div_ceil(361));
    let parts = [(0, ends[0]), (ends[0], ends[1]), (ends[1], ends[2]), (ends[2], u32::MAX)];
    for ((column, (from, to)), figure) in LENGTH_NAMES.into_iter().zip(parts).zip(PRINTED_BY_LENGTH) {
        table.cell(&row, column, printed(figure), Reading::Part(Part::Plies(from, to)));
    }
    table.cell(&row, "proven", Printed::Nothing, Reading::Proven);
    table.cell(&row, "certain after", Printed::Nothing, Reading::Certain);
}

/// A made endgame.
pub(super) struct Endgame {
    name: &'static str,
    pub(super) game: &'static str,
    pub(super) position: &'static str,
    /// Who wins, as another search proves in a test.
    pub(super) winner: Player,
}

/// All groups live, and the border is open: who wins is a matter of counting some moves ahead. The first
/// two and the last have a border of one column, the others one with gaps.
pub(super) const ENDGAMES: [Endgame; 5] = [
    Endgame {
        name: "straight border of 7, Black to move",
        game: "go:7x7,komi=0.5",
        position: ".bb.ww./bbb.www/b.b.w.w/bbb.www/bbb.www/bbb.www/bbb.www b",
        winner: Player::First,
    },
    Endgame {
        name: "straight border of 7, White to move",
        game: "go:7x7,komi=0.5",
        position: ".bb.ww./bbb.www/b.b.w.w/bbb.www/bbb.www/bbb.www/bbb.www w",
        winner: Player::Second,
    },
    Endgame {
        name: "border with gaps, Black to move",
        game: "go:7x7,komi=0.5",
        position: ".bb.ww./bbb.www/b.b.w.w/bbb..ww/bb..www/bbb..ww/bb..www b",
        winner: Player::First,
    },
    Endgame {
        name: "border with gaps, White to move",
        game: "go:7x7,komi=0.5",
        position: ".bb.ww./bbb.www/b.b.w.w/bbb..ww/bb..www/bbb..ww/bb..www w",
        winner: Player::Second,
    },
    Endgame {
        name: "straight border of 9, Black to move",
        game: "go:9x9,komi=0.5",
        position: ".bbb.www./bbbb.wwww/b.bb.ww.w/bbbb.wwww/bbbb.wwww/bbbb.wwww/bbbb.wwww/bbbb.wwww/bbbb.wwww b",
        winner: Player::First,
    },
];
/// Simulations a move.
const ENDGAME_PLAYOUTS: u64 = 200;
const ENDGAME_RUNS: u32 = 5;
const ENDGAME_PLIES: u32 = 100;

fn endgames(scale: Scale) -> Table {
    let note = format!(
        "After how many moves of an endgame that it plays for both sides the search is right for good: it gives the player who \
         wins at least {:.0} %. {ENDGAME_PLAYOUTS} simulations a move, network {GO_NET}; means of {ENDGAME_RUNS} runs. The paper's endgame is not in its text: Leela Zero saw its result after 27 moves, Exact-win Zero \
         after 11. Ours are made; who wins is proven by another search.",
        100.0 * RIGHT
    );
    let (title, source) = ("Made endgames of Go: who sees the result first", "[CCL18] figures 4 to 6");
    let mut table = Table::new("exact-win-fig5", title, source, Unit::Moves, [1.0, 5.0], note);
    for Endgame { name, game, position, winner } in ENDGAMES {
        for (column, proof) in [("none", "proof=none")].into_iter().chain(provers(game)) {
            let study = player(proof, GO_NET).parse().map_or_else(
                |error| Experiment::Missing(format!("{error}")),
                |spec| {
                    Experiment::Course(Box::new(Course {
                        line: Line { from: Some(position.to_owned()), ..Line::start(game) },
                        spec,
                        playouts: ENDGAME_PLAYOUTS,
                        most_plies: ENDGAME_PLIES,
                        memory: PLAYER_MEMORY,
                        seed: SEED,
                    }))
                    .checked()
                },
            );
            table.experiment(study, scale.trials(1, ENDGAME_RUNS));
            table.cell(name, column, Printed::Nothing, Reading::Right(winner));
        }
    }
    table
}

/// The player that proves wins, and sees results first.
pub fn findings(results: &Results<'_>) -> Vec<Finding> {
    let Some(result) = results.get("exact-win-5") else { return Vec::new() };
    let rows = result.table.names(|cell| &cell.row);
    let beats = |row: &&str| {
        let score = result.figure(row, "all games")?;
        let claim = format!("{row}: a player with a network is stronger with proofs");
        Some(Finding::beats("exact-win-5", claim, Some(score)))
    };
    rows.iter().filter_map(beats).collect()
}
