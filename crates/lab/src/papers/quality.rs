//! Pepels, Tak, Lanctot & Winands, "Quality-based rewards for Monte-Carlo tree search simulations", ECAI 2014 \[PTLW14\].
//!
//! Paper -> here: Relative Bonus -> `rb`, Qualitative Bonus -> `qb`, their steepness k is printed; "online a'" -> `rb_a=online`.

use super::figure::{Printed, Reading, Unit};
use super::{Finding, Results, Scale, Table, contest};
use crate::Openings;

/// A second a move on a 2.2 GHz Opteron. Matches at equal simulations can be repeated; so many of them are what a program of that time
/// may have done in a second in the slower of these games.
const PLAYOUTS: [u64; 2] = [250, 2000];
/// The paper's number of games, and ours at the scale `quick`.
const GAMES: u32 = 5000;
const QUICK_GAMES: u32 = 12;
/// A game so long is a draw: only Checkers and Chinese Checkers get there.
const MOST_PLIES: u32 = 300;
/// The fixed size of a bonus for which the paper leaves the columns empty.
const FIXED: &str = "0.25";

/// The games, with k and the printed win rate of the Relative Bonus, then of the Qualitative one.
const GAMES_PRINTED: [(&str, &str, &str, f64, &str, f64); 6] = [
    ("Amazons", "amazons", "2.2", 54.74, "1.6", 64.52),
    ("Breakthrough", "breakthrough", "8", 50.04, "2", 74.84),
    ("Cannon", "cannon", "3", 62.83, "4", 65.93),
    ("Checkers", "checkers", "2.8", 52.11, "2", 53.82),
    ("Chinese Checkers", "chinese-checkers", "1.2", 56.76, "2.8", 65.70),
    ("Pentalath", "pentalath", "1", 51.44, "1.6", 46.64),
];

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
    for (name, game, rb_k, rb, qb_k, qb) in GAMES_PRINTED {
        let (k, printed) = if key == "rb" { (rb_k, rb) } else { (qb_k, qb) };
        // Amazons draws amazon and arrow one after the other, in both players: ten times as fast.
        let plain = if game == "amazons" { "mcts:proof=none,leaf=staged" } else { "mcts:proof=none" };
        for (column, size, printed) in
            [("online a", "online", Printed::Exactly(printed)), ("a = 0.25", FIXED, Printed::Nothing)]
        {
            let with = format!("{plain},{key}={k},{key}_a={size}");
            let playouts = scale.pick(PLAYOUTS[0], PLAYOUTS[1]);
            let study = contest(game, &with, plain, playouts, Openings::Random(2), MOST_PLIES);
            table.experiment(study, scale.games(QUICK_GAMES, GAMES));
            table.cell(name, column, printed, Reading::Score);
        }
    }
    table
}

/// The bonuses help in the games where the paper's interval is above a half.
pub fn findings(results: &Results<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, bonus) in [("quality-1", "Relative Bonus"), ("quality-2", "Qualitative Bonus")] {
        let Some(result) = results.get(id) else { continue };
        for (name, _, _, rb, _, qb) in GAMES_PRINTED {
            let printed = if id == "quality-1" { rb } else { qb };
            // The paper's intervals are about 1.4 points wide.
            if printed > 51.45 {
                let claim = format!("{name}: the {bonus} helps (printed {printed:.1} %)");
                findings.push(Finding::beats(id, claim, result.figure(name, "online a")));
            }
        }
    }
    findings
}
