//! A move is named as preserving the value only if that is proven, whatever the search and wherever
//! its budget ends.

use proofplay_core::{Game, Player, Position, Rng, minimax};
use proofplay_games::written::{Place, Written};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchSpec, Verdict};

/// Searches that prove values of any range.
const EXACT: &[&str] = &[
    "minimax",
    "retrograde",
    "alphabeta",
    "alphabeta:symmetry=off,facts=off",
    "alphabeta:deepen=on",
    "pns",
    "pns:init=unit",
    "pnt",
    "pn2",
    "pp",
    "ppt",
    "pp2",
    "dfpn",
    "dfpp",
    "mcts",
    "score-bounded",
    "exact-win",
];

/// A random tree as text with points up to `most`: up to four moves a node, any mover.
fn tree(rng: &mut Rng, depth: u32, most: i16) -> String {
    if depth == 0 || rng.below(5) == 0 {
        let points = rng.below(2 * most as u32 + 1) as i16 - most;
        return points.to_string();
    }
    let children: Vec<String> = (0..1 + rng.below(4)).map(|_| tree(rng, depth - 1, most)).collect();
    format!("{}({})", 1 + rng.below(2), children.join(" "))
}

fn run(search: &str, pos: &Place, nodes: Option<u64>, ask: Ask) -> Report<u16> {
    let spec: SearchSpec = search.parse().unwrap();
    let resources = Resources { memory: 1 << 20, ..Resources::default() };
    let limits = Limits { nodes, simulations: Some(2_000), ..Limits::default() };
    spec.start_bare(pos, resources).unwrap().run(ask, &mut Run::new(limits)).unwrap()
}

/// Compares everything that a report claims with brute force; returns whether it names a move that
/// preserves the value.
fn check(report: &Report<u16>, pos: &Place, what: &str) -> bool {
    let (value, mover) = (minimax(pos), pos.turn());
    assert!(report.bounds.contains(value), "{what}: {value} is not in {}", report.bounds);
    for m in &report.moves {
        let truth = minimax(&pos.after(m.mv));
        assert!(m.bounds.contains(truth), "{what}: move {} is worth {truth}, not in {}", m.mv, m.bounds);
    }
    let best = report.best.unwrap_or_else(|| panic!("{what}: no move to play"));
    assert_eq!(report.pv.first(), Some(&best), "{what}: the line begins with another move");
    let named = report.best_is_proven(mover);
    if named {
        assert_eq!(minimax(&pos.after(best)), value, "{what}: move {best} does not keep {value}");
    }
    named
}

#[test]
fn a_named_move_keeps_the_value() {
    let mut rng = Rng::new(14);
    // How often the budget ended between proving the value and finding the move.
    let mut between = 0;
    for round in 0..120 {
        let most = [1, 1, 2, 5, 100, 9999][round % 6];
        let text = tree(&mut rng, 1 + round as u32 % 5, most);
        let pos = Written::parse_tree(&text).unwrap().start();
        if pos.outcome().is_some() {
            continue;
        }
        for search in EXACT {
            for ask in [Ask::Value, Ask::AllMoves] {
                let whole = run(search, &pos, None, ask);
                let what = format!("{search}, {ask:?}: {text}");
                assert!(check(&whole, &pos, &what) && whole.is_solved(ask), "{what}: not solved");
                for nodes in (0..whole.nodes.min(12)).chain([whole.nodes / 2, whole.nodes * 3 / 4]) {
                    let report = run(search, &pos, Some(nodes), ask);
                    let named = check(&report, &pos, &format!("{what}, {nodes} nodes"));
                    between += usize::from(report.bounds.is_exact() && !named);
                }
            }
        }
    }
    assert!(between > 0, "no budget ended between the value and the move: nothing was tested");
}

/// The first report of such an answer: the value is 100 by move 1, and a budget of four nodes named
/// move 0, which is worth -1.
#[test]
fn a_value_without_its_move() {
    let pos = Written::parse_tree("((= 100 -) 1(100))").unwrap().start();
    for search in ["dfpn", "dfpp"] {
        for nodes in 0..10 {
            let report = run(search, &pos, Some(nodes), Ask::Value);
            let named = check(&report, &pos, &format!("{search}, {nodes} nodes"));
            assert!(!named || report.best == Some(1));
        }
        assert!(run(search, &pos, None, Ask::Value).best_is_proven(Player::First));
    }
}

/// A player who can win at once does so, and one who is lost does not end the game; of wins, more
/// points come first.
#[test]
fn ends_of_the_game_come_first() {
    let best_of = |search: &str, text: &str| {
        let pos = Written::parse_tree(text).unwrap().start();
        let report = run(search, &pos, None, Ask::Value);
        check(&report, &pos, search);
        (report.best, report.pv.len())
    };
    for search in EXACT.iter().chain(&["mcts-solver"]) {
        assert_eq!(best_of(search, "((+ +) 1(+ =) - + (+))"), (Some(3), 1), "{search}: a win at once");
        let second = "2((- -) 2(- =) + - (-))";
        assert_eq!(best_of(search, second), (Some(3), 1), "{search}: a win of Second at once");
        let lost = best_of(search, "(- - ((-) -) -)").0;
        assert_eq!(lost, Some(2), "{search}: a lost game goes on");
    }
    for search in EXACT {
        assert_eq!(best_of(search, "(1 (5 5) 5 3)").0, Some(2), "{search}: five points at once");
    }
}

/// The order that `rank` promises, for a report of any search.
#[test]
fn moves_are_ranked_best_first() {
    let (mut rng, mut compared) = (Rng::new(3), 0);
    for round in 0..100 {
        let text = tree(&mut rng, 2 + round % 3, 2);
        let pos = Written::parse_tree(&text).unwrap().start();
        if pos.outcome().is_some() {
            continue;
        }
        for search in EXACT {
            for nodes in [Some(0), Some(5), Some(20), None] {
                let mut report = run(search, &pos, nodes, [Ask::AllMoves, Ask::Value][round as usize % 2]);
                report.rank(pos.turn(), pos.range());
                let what = format!("{search}, {nodes:?} nodes: {text}: {report:?}");
                let sign = if pos.turn() == Player::First { 1.0 } else { -1.0 };
                let (low, high) = (f64::from(pos.range().pess.0), f64::from(pos.range().opti.0));
                let draw = sign * (-low - high) / (high - low);
                let classes = report.moves.iter().map(|m| match Verdict::of(m.bounds, pos.turn()) {
                    Verdict::Win => (0, None),
                    Verdict::Draw => (1, Some(draw)),
                    Verdict::Unknown => (1, m.mean.map(|mean| sign * mean)),
                    Verdict::Loss => (2, None),
                });
                let classes: Vec<(u8, Option<f64>)> = classes.collect();
                assert_eq!(report.moves.first().map(|m| m.mv), report.best, "{what}");
                for pair in classes[1..].windows(2) {
                    let ((class, value), (next_class, next)) = (pair[0], pair[1]);
                    assert!(
                        class < next_class || class == next_class && value >= next.map(|next| next - 1e-6),
                        "{what}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000);
}
