//! Saffidine & Cazenave, "Developments on Product Propagation", CG 2013 \[SC13\].
//!
//! Paper -> here: node expansions -> nodes, the children of expanded positions (its 101 244 for PP on
//! Domineering 5x6 is exactly our count), on two levels those of the first level; iterations of Y ->
//! simulations, or expansions of PP.

use super::claim::trials_of;
use super::figure::{Printed, Reading, Share, Unit};
use super::{Experiment, Finding, MEMORY, Results, SEED, Scale, Table, TableResult};
use crate::Solve;
use crate::race::{Contestant, Positions, Race};
use std::time::Duration;

/// The random stones of our openings of Y: the paper does not say how its 77 012 openings were made.
/// With four stones, PP solves more of them than MCTS, and MCTS more than MCTS-E, as in the paper; with
/// six, all three solve all of them within two seconds.
const Y_STONES: u32 = 4;
const Y_POSITIONS: u32 = 77_012;
const Y_QUICK: u32 = 120;
/// All of them give a leaf its children in one iteration, as the paper's common scheme does
/// (`after=1,expand=all`).
const Y_SOLVERS: [(&str, &str); 3] =
    [("PP", "pp:init=eval"), ("MCTS", "mcts:c=0.4"), ("MCTS-E", "mcts:c=0.4,leaf=evaluate")];
/// Table 3: of the 77 012 positions.
const Y_SOLVED: [u32; 3] = [77_010, 76_434, 69_298];
const Y_FASTEST: [u32; 3] = [68_477, 3645, 4878];
const Y_FEWEST: [u32; 3] = [22_621, 35_444, 18_942];

/// The searches of tables 4 to 7: nothing but the rules, no symmetries.
const SEARCHES: [(&str, &str); 6] = [
    ("αβ", "alphabeta:symmetry=off,facts=off"),
    ("PNT", "pnt"),
    ("PN²", "pn2"),
    ("PP", "pp"),
    ("PPT", "ppt"),
    ("PP²", "pp2"),
];
/// Nodes after which we stop: best-first searches as in the paper, alpha-beta, and searches on two
/// levels, of which both count.
const NODES: [u64; 3] = [10_000_000, 20_000_000_000, 2_000_000_000];
const QUICK_NODES: [u64; 3] = [1_000_000, 10_000_000, 10_000_000];

const DOMINEERING: [&str; 3] = ["5x6", "6x6", "7x6"];
/// Tables 4 and 5, in the order of the searches; 0 is not printed, a negative figure "more than".
const DOMINEERING_NODES: [[f64; 3]; 6] = [
    [701_559.0, 38_907_049.0, 6_387_283_988.0],
    [1_002_277.0, -1e7, -1e7],
    [17_236.0, -154_107.0, -511_568.0],
    [101_244.0, 5_525_608.0, -1e7],
    [27_766.0, 528_032.0, 4_294_785.0],
    [3634.0, 24_190.0, 145_757.0],
];
const DOMINEERING_SECONDS: [[f64; 3]; 6] = [
    [0.87, 40.68, 5656.0],
    [5.92, 0.0, 0.0],
    [78.7, -10_660.0, -153_000.0],
    [0.24, 20.1, -35.84],
    [0.17, 5.33, 55.13],
    [0.22, 15.5, 320.3],
];
const NOGO: [&str; 4] = ["4x4", "18x1", "20x1", "22x1"];
/// Tables 6 and 7.
const NOGO_NODES: [[f64; 4]; 6] = [
    [17_194_590.0, 4_444_384.0, 154_006_001.0, 3_133_818_285.0],
    [3_575_076.0, 2_015_179.0, -1e7, -1e7],
    [77_010.0, -22_679.0, -29_098.0, 0.0],
    [-1e7, 864_951.0, 6_173_393.0, -1e7],
    [2_319_816.0, 98_991.0, 389_119.0, 2_814_553.0],
    [0.0, 14_246.0, 0.0, 0.0],
];
const NOGO_SECONDS: [[f64; 4]; 6] = [
    [33.05, 10.43, 361.0, 7564.0],
    [436.6, 144.2, -809.0, 0.0],
    [27_519.0, -3607.0, -4583.0, 0.0],
    [-338.84, 21.39, 156.3, -307.55],
    [396.36, 9.46, 46.3, 446.58],
    [0.0, 109.7, 0.0, 0.0],
];

/// All tables of the paper.
pub fn tables(scale: Scale) -> Vec<Table> {
    let note = "Nodes until solved, without symmetries or knowledge, the first level only of PN² and PP². Best-first searches stop \
                at 10 million nodes as in the paper (quick: 1 million).";
    let time = "The same runs on the clock: our machine is another one, so orders of magnitude matter.";
    let (domineering, nogo) = ("Domineering: nodes", "NoGo: nodes");
    vec![
        y_openings(scale),
        boards(
            scale,
            "pp-4",
            domineering,
            "[SC13] table 4",
            Unit::Nodes,
            note,
            "domineering",
            DOMINEERING,
            DOMINEERING_NODES,
        ),
        boards(
            scale,
            "pp-5",
            "Domineering: seconds",
            "[SC13] table 5",
            Unit::Seconds,
            time,
            "domineering",
            DOMINEERING,
            DOMINEERING_SECONDS,
        ),
        boards(scale, "pp-6", nogo, "[SC13] table 6", Unit::Nodes, note, "nogo", NOGO, NOGO_NODES),
        boards(
            scale,
            "pp-7",
            "NoGo: seconds",
            "[SC13] table 7",
            Unit::Seconds,
            time,
            "nogo",
            NOGO,
            NOGO_SECONDS,
        ),
    ]
}

fn y_openings(scale: Scale) -> Table {
    let note = format!(
        "Shares of opening positions on a board of size 6, 60 seconds of a processor for each search (quick: 2). The paper does not say \
         how its 77 012 positions were made; ours have {Y_STONES} random stones. `{}`, `{}`, `{}`.",
        Y_SOLVERS[0].1, Y_SOLVERS[1].1, Y_SOLVERS[2].1
    );
    let (title, source) = ("Y: openings of size 6", "[SC13] table 3, figure 1");
    let mut table = Table::new("pp-3", title, source, Unit::Percent, [2.0, 4000.0], note);
    let contestant = |(_, spec): &(&str, &str)| Contestant {
        spec: spec.parse().expect("our own specs are right"),
        playouts: None,
    };
    let race = Race {
        game: "y:6".to_owned(),
        positions: Positions::Random { plies: Y_STONES, seed: SEED },
        contestants: Y_SOLVERS.iter().map(contestant).collect(),
        time: Some(Duration::from_secs(scale.pick(2, 60))),
        memory: MEMORY,
    };
    table.experiment(Experiment::Race(race).checked(), scale.trials(Y_QUICK, Y_POSITIONS));
    for (row, printed, share) in [
        ("solved", Y_SOLVED, Share::Solved as fn(usize) -> Share),
        ("fastest", Y_FASTEST, Share::Fastest),
        ("fewest iterations", Y_FEWEST, Share::Fewest),
    ] {
        for (i, (name, _)) in Y_SOLVERS.iter().enumerate() {
            let percent = 100.0 * f64::from(printed[i]) / f64::from(Y_POSITIONS);
            table.cell(row, *name, Printed::Exactly(percent), Reading::Share(share(i)));
        }
    }
    table
}

#[allow(clippy::too_many_arguments, reason = "four tables that differ in nothing but these")]
fn boards<const N: usize>(
    scale: Scale,
    id: &'static str,
    title: &'static str,
    source: &'static str,
    unit: Unit,
    note: &str,
    game: &str,
    boards: [&str; N],
    printed: [[f64; N]; 6],
) -> Table {
    let mut table = Table::new(id, title, source, unit, [0.5, 30.0], note);
    for ((name, spec), row) in SEARCHES.into_iter().zip(printed) {
        for (board, figure) in boards.into_iter().zip(row) {
            let [best_first, alphabeta, two_levels] = scale.pick(QUICK_NODES, NODES);
            let (nodes, reading) = match name {
                "αβ" => (alphabeta, Reading::Nodes),
                "PN²" | "PP²" => (two_levels, Reading::MainNodes),
                _ => (best_first, Reading::Nodes),
            };
            let spec = spec.parse().expect("our own specs are right");
            let study = Solve { nodes: Some(nodes), ..Solve::new(&format!("{game}:{board}"), spec, MEMORY) };
            table.experiment(Experiment::Solve(Box::new(study)).checked(), 1);
            let reading = if unit == Unit::Seconds { Reading::Seconds } else { reading };
            table.cell(name, board, Printed::noted(figure), reading);
        }
    }
    table
}

/// PP solves most positions of Y, and most of them fastest; PPT needs the fewest nodes.
pub fn findings(results: &Results<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(y) = results.get("pp-3") {
        for (row, claim) in [
            ("solved", "Y: PP solves the most openings"),
            ("fastest", "Y: PP is the fastest on most openings"),
        ] {
            findings.extend(largest("pp-3", claim, y, row));
        }
    }
    for (id, claim, boards) in [
        ("pp-4", "Domineering: PPT needs the fewest nodes of all searches on one level", &DOMINEERING[..]),
        (
            "pp-6",
            "NoGo, boards of one row: PPT needs the fewest nodes of all searches on one level",
            &NOGO[1..],
        ),
    ] {
        findings.extend(results.get(id).map(|result| fewest(id, claim, result, boards)));
    }
    findings
}

/// The first search's share is the largest; surely so if its lead over each of the others is.
fn largest(id: &'static str, claim: &str, result: &TableResult, row: &str) -> Option<Finding> {
    let [one, two, three] = Y_SOLVERS.map(|(name, _)| result.figure(row, name));
    let (one, others) = (one?, [two?, three?]);
    let leads = others.map(|other| one.exceeds(other));
    let holds = if leads.contains(&Some(false)) {
        Some(false)
    } else if leads.contains(&None) {
        None
    } else {
        Some(true)
    };
    let show = |(name, _): &(&str, &str)| {
        result
            .figure(row, name)
            .map_or(String::new(), |figure| format!("{name} {}", figure.show(Unit::Percent)))
    };
    let shares = Y_SOLVERS.iter().map(show).collect::<Vec<_>>().join(", ");
    let evidence = format!("{shares} of {}", trials_of(&[one, others[0], others[1]], "position"));
    Some(Finding { tables: vec![id], claim: claim.to_owned(), holds, evidence })
}

/// PPT has fewer nodes than all others on one level, board by board. These searches are deterministic:
/// where PPT has solved a board, the comparison is certain.
fn fewest(id: &'static str, claim: &str, result: &TableResult, boards: &[&str]) -> Finding {
    let (mut evidence, mut holds) = (Vec::new(), Some(true));
    for board in boards {
        let Some(ppt) = result.figure("PPT", board).filter(|figure| figure.stopped_at.is_none()) else {
            evidence.push(format!("{board}: PPT not solved"));
            holds = holds.filter(|holds| !holds);
            continue;
        };
        let rivals = ["αβ", "PNT", "PP"].map(|name| result.figure(name, board));
        let best = rivals.into_iter().flatten().min_by(|a, b| a.mean.total_cmp(&b.mean));
        let Some(best) = best else { continue };
        // A rival that was stopped earlier than PPT ended might have been better.
        if best.mean <= ppt.mean {
            holds = if best.stopped_at.is_some() { holds.filter(|holds| !holds) } else { Some(false) };
        }
        evidence.push(format!("{board}: {} against {}", ppt.show(Unit::Nodes), best.show(Unit::Nodes)));
    }
    Finding { tables: vec![id], claim: claim.to_owned(), holds, evidence: evidence.join("; ") }
}
