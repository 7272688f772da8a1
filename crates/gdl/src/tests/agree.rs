//! Both engines behind positions agree move by move, and keep the promises of positions.

use super::{all_sheets, often, own_sheets, read};
use crate::{Sheet, SheetGame};
use proofplay_core::{Game, Position, Rng, conformance};

/// Random games in which network and interpreter must agree on everything. Plies of all games together are
/// limited.
fn compare(name: &str, fast: &SheetGame, slow: &SheetGame, games: usize, mut plies: usize) {
    let mut rng = Rng::new(5);
    for _ in 0..games {
        let (mut a, mut b) = (fast.start(), slow.start());
        loop {
            assert_eq!(a.facts(), b.facts(), "{name}");
            assert_eq!(a.fault(), b.fault(), "{name}: {a:?}");
            assert_eq!(a.outcome(), b.outcome(), "{name}: {a:?}");
            if a.outcome().is_some() || plies == 0 {
                break;
            }
            plies -= 1;
            assert_eq!(a.turn(), b.turn(), "{name}: {a:?}");
            let moves = |game: &SheetGame, pos: &crate::SheetPosition| {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                let mut texts: Vec<_> = moves.iter().map(|&mv| (game.show_move(pos, mv), mv)).collect();
                texts.sort_unstable();
                texts
            };
            let (of_a, of_b) = (moves(fast, &a), moves(slow, &b));
            let texts = |moves: &[(String, u32)]| moves.iter().map(|mv| mv.0.clone()).collect::<Vec<_>>();
            assert_eq!(texts(&of_a), texts(&of_b), "{name}: {a:?}");
            let choice = rng.below(of_a.len() as u32) as usize;
            a.play(of_a[choice].1);
            b.play(of_b[choice].1);
        }
    }
}

#[test]
fn engines_agree() {
    let mut compared = 0;
    for path in all_sheets() {
        let name = path.display().to_string();
        if super::is_slow(&path) {
            continue;
        }
        let Ok(sheet) = read(&path) else { continue };
        let Ok(fast) = SheetGame::new(&sheet) else { continue };
        let slow = SheetGame::interpreted(&sheet).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert!(fast.is_grounded() && !slow.is_grounded(), "{name}");
        compare(&name, &fast, &slow, often(20, 1_000), often(300, usize::MAX));
        compared += 1;
    }
    assert!(compared >= own_sheets().len());
}

#[test]
fn our_sheets_are_games() {
    for path in own_sheets() {
        let game = SheetGame::new(&read(&path).expect("sound")).unwrap_or_else(|flaw| panic!("{flaw}"));
        conformance::check(&game, 2, 1);
        let count = game.start().count_moves(&mut Vec::new());
        if count < 30 {
            conformance::check_uniform(&game.start(), 100 * count, 1);
        }
    }
}

/// What each sheet of other people is: a game that cannot repeat, one that may, or refused for this reason.
const FOREIGN: &[(&str, &str)] = &[
    ("bsd3-ggp-base/connectFour.kif", "ends"),
    ("bsd3-ggp-base/ticTacToe.kif", "ends"),
    ("bsd3-ggp-base/maze.kif", "ends"),
    ("bsd3-ggp-base/test/test_case_3f.kif", ":7:1: 3 roles; games have one or two"),
    ("bsd3-ggp-base/test/test_case_3a.kif", "ends"),
    ("bsd3-ggp-base/test/simpleMutex.kif", "may repeat"),
    ("mit-ggp-rs/eightpuzzle.gdl", "ends"),
    ("mit-ggp-rs/nim.gdl", "no role"),
    ("mit-ggp-rs/nim-recursive1.gdl", "no role"),
    ("mit-ggp-rs/nim-recursive2.gdl", "no role"),
    ("mit-ggp-rs/recursive.gdl", "ends"),
    ("mit-ggp-rs/tictactoe.gdl", "ends"),
    ("mit-ggp-rs/tictactoe7.gdl", "ends"),
    ("lgpl3-libgdl/8puzzle.kif", "ends"),
    ("lgpl3-libgdl/alquerque.kif", ":178:7: the goals 20 and 50 do not add up to 100"),
    ("lgpl3-libgdl/alquerque_zero_sum.kif", "ends"),
    ("lgpl3-libgdl/battle.kif", ":57:5: two roles have a choice at once"),
    ("lgpl3-libgdl/breakthrough.kif", "ends"),
    ("lgpl3-libgdl/checker_on_barrel_no_kings.kif", "do not add up to 100"),
    ("lgpl3-libgdl/checkers.kif", "ends"),
    ("lgpl3-libgdl/chinese_checker.kif", ":10:4: 6 roles"),
    ("lgpl3-libgdl/chinese_checker_4.kif", ":10:3: 4 roles"),
    ("lgpl3-libgdl/chinook.kif", ":192:7: two roles have a choice at once"),
    ("lgpl3-libgdl/connect_four.kif", "ends"),
    ("lgpl3-libgdl/hex.kif", "ends"),
    ("lgpl3-libgdl/joint_connect_four.kif", ":31:7: two roles have a choice at once"),
    ("lgpl3-libgdl/kono.kif", ":37:20: `move` has 6 arguments here; before 4 arguments"),
    ("lgpl3-libgdl/nine_board_tictactoe.kif", "ends"),
    ("lgpl3-libgdl/pentago.kif", "may repeat"),
    ("lgpl3-libgdl/tictactoe.kif", "ends"),
];

#[test]
fn foreign_sheets_are_what_they_are() {
    let Some(folder) = super::foreign_folder() else { return };
    for (name, expected) in FOREIGN {
        let found = match read(&folder.join(name)).and_then(|sheet| SheetGame::new(&sheet)) {
            Ok(game) if game.start().repeats() => "may repeat".to_owned(),
            Ok(_) => "ends".to_owned(),
            Err(flaw) => flaw.to_string(),
        };
        assert!(found.contains(expected), "{name}: {found}");
    }
}

/// None of our games can repeat, and the rules show it: table searches may be used.
#[test]
fn our_games_end() {
    for path in own_sheets() {
        let game = SheetGame::new(&read(&path).expect("sound")).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert!(!game.start().repeats(), "{}", path.display());
    }
}

/// A game that goes in circles must not be taken for one that ends.
#[test]
fn circles_are_noticed() {
    let repeats = |rules: &str| {
        let text = format!(
            "(role a)(role b)(init (at 1))(init (control a))(succ 1 2)(succ 2 3)(succ 3 4){rules}
            (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
            (<= (next (control ?p)) (role ?p) (not (true (control ?p))))
            (<= terminal (true (at 4)))(<= (goal ?p 50) (role ?p))"
        );
        SheetGame::new(&Sheet::read("t", &text).expect("sound")).expect("a game").start().repeats()
    };
    let step = "(<= (legal ?p (go ?x ?y)) (true (control ?p)) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?y)) (does ?p (go ?x ?y)))";
    assert!(!repeats(step));
    assert!(repeats(&format!(
        "{step}(<= (legal ?p (go ?x ?y)) (true (control ?p)) (true (at ?x)) (succ ?y ?x))"
    )));
    // Passing changes nothing, and both may pass.
    let pass = "(<= (next (at ?x)) (does ?p pass) (true (at ?x)))";
    assert!(repeats(&format!("{step}{pass}(<= (legal ?p pass) (true (control ?p)))")));
    // Only one may.
    assert!(!repeats(&format!("{step}{pass}(<= (legal a pass) (true (control a)))")));
}
