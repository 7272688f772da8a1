//! Smoke-sized versions of the papers' experiments with proofs in Monte-Carlo search: values right
//! everywhere, and the order of the methods as printed.

use proofplay_registry::game;
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};

/// The mean number of simulations over seeds until everything asked for is proven, and the value in
/// First's view.
fn mean_playouts(name: &str, position: &str, spec: &str, seeds: u64, all_moves: bool) -> (f64, i16) {
    let spec: SearchSpec = spec.parse().unwrap();
    let game = game(name).unwrap();
    let pos = if position.is_empty() { game.start() } else { game.parse(position).unwrap() };
    let (mut sum, mut value) = (0, None);
    for seed in 1..=seeds {
        let resources = Resources { seed, ..Resources::default() };
        let limits = Limits { simulations: Some(1_000_000), ..Limits::default() };
        let ask = if all_moves { Ask::AllMoves } else { Ask::Value };
        let report = pos.search(&spec, resources, ask, &mut Run::new(limits)).unwrap();
        let proven =
            report.bounds.value().unwrap_or_else(|| panic!("{name}: not solved by {spec}, seed {seed}")).0;
        assert_eq!(*value.get_or_insert(proven), proven, "{name} {spec}");
        assert!(
            !all_moves || report.moves.iter().all(|m| m.bounds.is_exact()),
            "{name} {spec}: a move is open"
        );
        sum += report.simulations;
    }
    (sum as f64 / seeds as f64, value.unwrap())
}

/// Tables 2 and 3 of Exact-win: 53 and 113 simulations prove every move of two tic-tac-toe
/// positions. The paper's way: one node a simulation, formula 2. Beside it what our own settings
/// need.
#[test]
fn exact_win_tic_tac_toe() {
    const PAPERS_WAY: &str = "mcts:proof=exact,expand=one,select=sum,c=0.5";
    for (position, paper, value) in [(".../o../x.x o", 53.0, 1), ("..o/x.o/..x x", 113.0, 1)] {
        let (ours, proven) = mean_playouts("tictactoe", position, PAPERS_WAY, 100, true);
        let (best, _) = mean_playouts("tictactoe", position, "exact-win", 100, true);
        println!("{position}: paper {paper}, ours {ours:.1}, with our settings {best:.1}");
        assert_eq!(proven, value);
        assert!((0.8..1.2).contains(&(ours / paper)), "{ours} is far from {paper}");
        assert!(best < ours);
    }
}

/// Table 6 of score-bounded MCTS, small boards: plain, cuts, guided cuts.
#[test]
fn score_bounded_connect_four() {
    for (board, paper) in [("3x3", [2700.9, 2529.2, 1607.1]), ("4x3", [227617.6, 31772.9, 24340.2])] {
        let specs = ["mcts:proof=exact", "mcts:proof=bounds", "mcts:proof=bounds,delta=-0.1"];
        let means = specs.map(|spec| {
            let spec = format!("{spec},c=0.4,after=0");
            let (mean, value) = mean_playouts(&format!("connect4:{board}"), "", &spec, 6, false);
            assert_eq!(value, 0, "{board} is a draw");
            mean
        });
        println!("{board}: paper {paper:?}, ours {means:.0?}");
        assert!(means[0] > means[1] && means[1] > means[2], "{board}: {means:?}");
        assert!(means[1] < paper[1] && means[2] < paper[2], "{board}: {means:?} against {paper:?}");
    }
}

/// Tables 2 to 5 of score-bounded MCTS, the smaller half: all values, and plain >= cuts >= biased
/// where the paper shows a factor of 1.5 or more.
#[test]
fn score_bounded_seki() {
    const VALUES: [&str; 6] = ["DWWWWW", "DDWWWW", "LDDWWW", "LLDDWW", "LLLDDW", "LLLLDD"];
    const PLAIN: [[f64; 3]; 3] =
        [[359.0, 479.0, 1535.0], [1389.0, 11047.0, 12627.0], [7219.0, 60755.0, 541065.0]];
    const CUTS: [[f64; 3]; 3] = [[192.0, 421.0, 864.0], [786.0, 3665.0, 3427.0], [4232.0, 22021.0, 107353.0]];
    const BIASED: [[f64; 3]; 3] = [[137.0, 259.0, 391.0], [501.0, 1098.0, 1525.0], [1026.0, 5118.0, 9208.0]];
    for min in 1..=3 {
        for max in 1..=3 {
            let means =
                ["mcts:proof=exact", "mcts:proof=bounds", "mcts:proof=bounds,delta=10000"].map(|spec| {
                    let spec = format!("{spec},c=0.3,expand=one,after=0");
                    let (mean, value) = mean_playouts(&format!("seki:{max},{min}"), "", &spec, 10, false);
                    let printed = VALUES[min - 1].chars().nth(max - 1);
                    assert_eq!("LDW".chars().nth((value + 1) as usize), printed, "seki:{max},{min}");
                    mean
                });
            let paper = [PLAIN, CUTS, BIASED].map(|table| table[min - 1][max - 1]);
            println!("seki:{max},{min}: paper {paper:?}, ours {means:.0?}");
            for i in 0..2 {
                if paper[i] >= 1.5 * paper[i + 1] {
                    assert!(means[i] >= means[i + 1], "seki:{max},{min}: {means:?}, the paper has {paper:?}");
                }
            }
        }
    }
}

/// Proving the empty board of tic-tac-toe with default settings takes far fewer than 30 000
/// simulations.
#[test]
fn tic_tac_toe_is_proven_soon() {
    let (mean, value) = mean_playouts("tictactoe", "", "mcts", 10, false);
    println!("tictactoe: {mean:.0} simulations");
    assert_eq!(value, 0);
    assert!(mean < 30_000.0);
}
