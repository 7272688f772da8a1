//! Winands, Björnsson & Saito, "Monte-Carlo Tree Search Solver", CG 2008 \[WBS08\].
//!
//! Both players have the paper's progressive bias, threshold, weighted playouts and their cut-offs;
//! they differ in what they prove. Thinking time is replaced by a number of simulations, so that
//! games can be repeated.

use super::figure::{Printed, Reading, Share, Unit};
use super::{Experiment, Finding, PLAYER_MEMORY, Results, Scale, Table, contest};
use crate::Openings;
use crate::race::{Contestant, Positions, Race};

/// Plain MCTS and MCTS-Solver. Both have W = 100 and T = 50 as printed, categories in playouts, at
/// most 200 moves, the evaluation every three plies. C is not printed: that of our presets for
/// both. A playout ends at 1000 points of MIA, whose scale is not printed; 0.5, three games in
/// four, made the strongest player of 0.15, 0.3, 0.5, 0.7 and 0.9 (docs/REPRODUCTION-NOTES.md).
const PLAIN: &str = "mcts:proof=none,c=0.4,final=secure,w=100,t=50,leaf=weighted,moves=200,check=3,stop=0.5";
const SOLVER: &str =
    "mcts:proof=solver,c=0.4,final=secure,w=100,t=50,leaf=weighted,moves=200,check=3,stop=0.5";
/// For five seconds a move on a Pentium IV of 3.2 GHz: the authors' later papers speak of a few
/// thousand simulations a second.
const PLAYOUTS: [u64; 2] = [150, 2000];
/// Against alpha-beta.
const EVALUATOR_PLAYOUTS: [u64; 2] = [500, 2000];
/// Plies of the alpha-beta players. Theirs had five seconds as well; with equal time, ours would
/// win nearly every game (see docs/REPRODUCTION-NOTES.md), and a table of zeros compares nothing.
const DEPTH: u32 = 3;
const GAMES: u32 = 1000;
const QUICK_GAMES: u32 = 60;
const QUICK_EVALUATOR_GAMES: u32 = 24;
const MOST_PLIES: u32 = 200;
/// Table 1.
const SOLVER_PERCENT: f64 = 64.65;
/// Table 2: evaluators, with the scores of MCTS and MCTS-Solver against them.
const EVALUATORS: [(&str, &str, f64, f64); 3] =
    [("MIA 2000", "2000", 58.55, 69.2), ("MIA 2002", "2002", 39.4, 54.35), ("MIA 2006", "2006", 6.95, 11.55)];

/// Positions with a forced win: a text, and the moves that are proven to win, one position a line.
const FORCED_WINS: &str = include_str!("forced_wins.txt");
/// Their searches: plain MCTS and MCTS-Solver with uniform playouts. The evaluation that cuts
/// playouts in the matches finds most of these wins without a search.
pub const FORCED_SPECS: [&str; 2] =
    ["mcts:proof=none,c=0.4,final=secure", "mcts:proof=solver,c=0.4,final=secure"];
/// Seeds for each position.
const SEEDS: u32 = 10;
/// Simulations for each search on such a position.
pub const FORCED_PLAYOUTS: u64 = 5000;
/// The search that proved that the first of the winning moves wins: it shares only the rules with
/// them.
pub const FORCED_CHECK: &str = "alphabeta:deepen=on";
/// Its limit of nodes.
pub const FORCED_CHECK_NODES: u64 = 300_000;

/// All tables of the paper.
pub fn tables(scale: Scale) -> Vec<Table> {
    vec![duel(scale), evaluators(scale), forced_wins(scale)]
}

fn duel(scale: Scale) -> Table {
    let note = "The score of MCTS-Solver in Lines of Action at 2 000 simulations a move where the paper has five seconds (quick: 150); \
                openings of three random moves where the paper has a fixed set of such, each with both sides.";
    let (title, source) = ("Lines of Action: MCTS-Solver against MCTS", "[WBS08] table 1");
    let mut table = Table::new("mcts-solver-1", title, source, Unit::Percent, [0.5, 600.0], note);
    let playouts = scale.pick(PLAYOUTS[0], PLAYOUTS[1]);
    let study = contest("loa:8x8", SOLVER, PLAIN, playouts, Openings::Random(3), MOST_PLIES);
    table.experiment(study, scale.games(QUICK_GAMES, GAMES));
    table.cell("MCTS-Solver", "MCTS", Printed::Exactly(SOLVER_PERCENT), Reading::Score);
    table
}

fn evaluators(scale: Scale) -> Table {
    let note = format!(
        "Scores in Lines of Action against alpha-beta with three evaluation functions, {DEPTH} plies deep where the paper has equal time: \
         with equal time alpha-beta would win nearly every game. The functions are written after the descriptions of the features, their weights are \
         not printed. {} simulations a move (quick: {}), openings as in table 1.",
        EVALUATOR_PLAYOUTS[1], EVALUATOR_PLAYOUTS[0]
    );
    let (title, source) = ("Lines of Action: against alpha-beta", "[WBS08] table 2");
    let mut table = Table::new("mcts-solver-2", title, source, Unit::Percent, [1.0, 2000.0], note);
    let playouts = scale.pick(EVALUATOR_PLAYOUTS[0], EVALUATOR_PLAYOUTS[1]);
    for (row, player, solves) in [("MCTS", PLAIN, false), ("MCTS-Solver", SOLVER, true)] {
        for (column, evaluator, mcts, mcts_solver) in EVALUATORS {
            let rival = format!("alphabeta:depth={DEPTH}@loa:8x8,eval={evaluator}");
            let study = contest("loa:8x8", player, &rival, playouts, Openings::Random(3), MOST_PLIES);
            table.experiment(study, scale.games(QUICK_EVALUATOR_GAMES, GAMES));
            let printed = if solves { mcts_solver } else { mcts };
            table.cell(row, column, Printed::Exactly(printed), Reading::Score);
        }
    }
    table
}

/// Positions and the moves that win there.
pub(super) fn forced() -> Vec<(String, Vec<String>)> {
    let lines = FORCED_WINS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let entry = |line: &str| {
        let (position, moves) = line.split_once('|').unwrap_or((line, ""));
        (position.trim().to_owned(), moves.split_whitespace().map(str::to_owned).collect())
    };
    lines.map(entry).collect()
}

fn forced_wins(scale: Scale) -> Table {
    let note = "Lines of Action, positions with a forced win where the plain search has once chosen a move that does not win \
                (`examples/find_positions.rs` finds them), each with several seeds; 5 000 simulations with uniform playouts. The paper shows one such position and no figures.";
    let (title, source) = ("Lines of Action: forced wins", "[WBS08] figure 1");
    let mut table = Table::new("mcts-solver-fig1", title, source, Unit::Percent, [0.2, 0.5], note);
    let (positions, right): (Vec<_>, Vec<_>) = forced().into_iter().unzip();
    let contestant = |spec: &str| Contestant {
        spec: spec.parse().expect("our own specs are right"),
        playouts: Some(FORCED_PLAYOUTS),
    };
    let count = positions.len() as u32;
    let race = Race {
        game: "loa:8x8".to_owned(),
        positions: Positions::Listed(positions),
        contestants: vec![contestant(FORCED_SPECS[0]), contestant(FORCED_SPECS[1])],
        time: None,
        memory: PLAYER_MEMORY,
    };
    table.experiment(Experiment::Race(race).checked(), scale.trials(2 * count, SEEDS * count));
    for (i, row) in ["MCTS", "MCTS-Solver"].into_iter().enumerate() {
        table.cell(
            row,
            "plays a winning move",
            Printed::Nothing,
            Reading::Share(Share::Right(i, right.clone())),
        );
        table.cell(row, "proves the win", Printed::Nothing, Reading::Share(Share::ProvenWon(i)));
    }
    table
}

/// The solver is the better player, and sees forced wins.
pub fn findings(results: &Results<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(duel) = results.get("mcts-solver-1") {
        let claim = "Lines of Action: MCTS-Solver beats MCTS";
        findings.push(Finding::beats("mcts-solver-1", claim, duel.figure("MCTS-Solver", "MCTS")));
    }
    if let Some(table) = results.get("mcts-solver-2") {
        for (column, ..) in EVALUATORS {
            let claim = format!("Lines of Action: MCTS-Solver does better than MCTS against {column}");
            let (ours, plain) = (table.figure("MCTS-Solver", column), table.figure("MCTS", column));
            findings.extend(Finding::more("mcts-solver-2", claim, ours, plain));
        }
    }
    if let Some(table) = results.get("mcts-solver-fig1") {
        let column = "plays a winning move";
        let claim = "Lines of Action: MCTS-Solver finds forced wins that MCTS misses";
        let (ours, plain) = (table.figure("MCTS-Solver", column), table.figure("MCTS", column));
        findings.extend(Finding::more("mcts-solver-fig1", claim, ours, plain));
    }
    findings
}
