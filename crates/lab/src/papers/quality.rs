//! Pepels, Tak, Lanctot & Winands, "Quality-based rewards for Monte-Carlo tree search simulations",
//! ECAI 2014 \[PTLW14\].
//!
//! Paper -> here: Relative Bonus -> `rb`, Qualitative Bonus -> `qb`, their steepness k is printed;
//! "online a'" -> `rb_a=online`.

use super::figure::{Printed, Reading, Unit};
use super::{Finding, Results, Scale, Table, contest};
use crate::Openings;

/// A second a move on a 2.2 GHz Opteron. Matches at equal simulations can be repeated; this number
/// is what a program of that time may have done in a second in the slower of these games.
const PLAYOUTS: [u64; 2] = [250, 2000];
/// The paper's number of games of each cell.
const GAMES: u32 = 5000;
/// A game of this many moves is a draw: only Checkers and Chinese Checkers reach it.
const MOST_PLIES: u32 = 300;
/// The fixed size of a bonus for which the paper leaves the columns empty.
const FIXED: &str = "0.25";

/// A game of both tables.
struct Row {
    name: &'static str,
    game: &'static str,
    /// k and the printed win rate of the Relative Bonus,
    relative: (&'static str, f64),
    /// and of the Qualitative one.
    qualitative: (&'static str, f64),
    /// Games of a cell at the scale `quick`: as many as fit into about 15 seconds, fewer where a
    /// single game takes that long.
    quick: u32,
}

const ROWS: [Row; 6] = [
    Row {
        name: "Amazons",
        game: "amazons",
        relative: ("2.2", 54.74),
        qualitative: ("1.6", 64.52),
        quick: 100,
    },
    Row {
        name: "Breakthrough",
        game: "breakthrough",
        relative: ("8", 50.04),
        qualitative: ("2", 74.84),
        quick: 200,
    },
    Row { name: "Cannon", game: "cannon", relative: ("3", 62.83), qualitative: ("4", 65.93), quick: 60 },
    Row {
        name: "Checkers",
        game: "checkers",
        relative: ("2.8", 52.11),
        qualitative: ("2", 53.82),
        quick: 100,
    },
    Row {
        name: "Chinese Checkers",
        game: "chinese-checkers",
        relative: ("1.2", 56.76),
        qualitative: ("2.8", 65.70),
        quick: 12,
    },
    Row {
        name: "Pentalath",
        game: "pentalath",
        relative: ("1", 51.44),
        qualitative: ("1.6", 46.64),
        quick: 200,
    },
];

impl Row {
    /// k and the printed win rate of a bonus.
    fn of(&self, key: &str) -> (&'static str, f64) {
        if key == "rb" { self.relative } else { self.qualitative }
    }
}

/// Both tables, with the columns that the paper leaves empty.
pub fn tables(scale: Scale) -> Vec<Table> {
    let note = |bonus: &str| {
        format!(
            "The score with the {bonus} against the same search without, at 2 000 simulations a move where the paper has a \
             second (quick: 250), so that matches can be repeated; openings of two random moves, each with both sides; \
             `mcts:proof=none`, k as printed. The paper prints nothing for a = 0.25."
        )
    };
    vec![
        bonus(scale, "quality-1", "Relative Bonus", "[PTLW14] table 1", note("Relative Bonus"), "rb"),
        bonus(scale, "quality-2", "Qualitative Bonus", "[PTLW14] table 2", note("Qualitative Bonus"), "qb"),
    ]
}

fn bonus(
    scale: Scale,
    id: &'static str,
    title: &'static str,
    source: &'static str,
    note: String,
    key: &str,
) -> Table {
    let mut table = Table::new(id, title, source, Unit::Percent, [3.0, 9000.0], note);
    for row in &ROWS {
        let (game, (k, printed)) = (row.game, row.of(key));
        // Amazons draws amazon and arrow one after the other, in both players: ten times as fast.
        let plain = if game == "amazons" { "mcts:proof=none,leaf=staged" } else { "mcts:proof=none" };
        for (column, size, printed) in
            [("online a", "online", Printed::Exactly(printed)), ("a = 0.25", FIXED, Printed::Nothing)]
        {
            let with = format!("{plain},{key}={k},{key}_a={size}");
            let playouts = scale.pick(PLAYOUTS[0], PLAYOUTS[1]);
            let study = contest(game, &with, plain, playouts, Openings::Random(2), MOST_PLIES);
            table.experiment(study, scale.games(row.quick, GAMES));
            table.cell(row.name, column, printed, Reading::Score);
        }
    }
    table
}

/// The bonuses help in the games where the paper's interval is above a half.
pub fn findings(results: &Results<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, bonus, key) in [("quality-1", "Relative Bonus", "rb"), ("quality-2", "Qualitative Bonus", "qb")]
    {
        let Some(result) = results.get(id) else { continue };
        for row in &ROWS {
            let (name, (_, printed)) = (row.name, row.of(key));
            // The paper's intervals are about 1.4 points wide.
            if printed > 51.45 {
                let claim = format!("{name}: the {bonus} helps (printed {printed:.1} %)");
                findings.push(Finding::beats(id, claim, result.figure(name, "online a")));
            }
        }
    }
    findings
}
