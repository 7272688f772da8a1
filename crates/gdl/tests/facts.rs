//! Bounds from goals that can no longer be reached are true, by brute force, and tell something.

use proofplay_core::{Bounds, Game, Position, Rng, Score, minimax};
use proofplay_gdl::{SHIPPED, Sheet, SheetGame};

fn game(name: &str) -> SheetGame {
    let text = SHIPPED.iter().find(|sheet| sheet.name == name).expect("a sheet of ours").text;
    SheetGame::new(&Sheet::read(name, text).expect("sound")).expect("a game")
}

fn bounds(game: &SheetGame, moves: &str) -> Bounds {
    let mut pos = game.start();
    for mv in moves.split_whitespace() {
        pos.play(game.parse_move(&pos, mv).expect(mv));
    }
    assert_eq!(pos.outcome(), None, "{moves}");
    game.latched().bounds(&pos)
}

/// Along random games, near their ends.
#[test]
fn bounds_are_true() {
    let (mut rng, mut buf) = (Rng::new(4), Vec::new());
    for (name, open) in [("tictactoe", 6), ("connect4-4x4", 2), ("dots-and-boxes-2x2", 6)] {
        let (game, mut narrower) = (game(name), 0);
        let facts = game.latched();
        for _ in 0..40 {
            let mut pos = game.start();
            while pos.outcome().is_none() {
                if pos.count_moves(&mut buf) <= open {
                    let (bounds, value) = (facts.bounds(&pos), minimax(&pos));
                    assert!(bounds.contains(value), "{name} {pos:?}: {value:?} is not in {bounds}");
                    narrower += u32::from(bounds != pos.range());
                }
                let mv = pos.random_move(&mut rng, &mut buf);
                pos.play(mv);
            }
        }
        assert!(narrower > 0, "{name}: nothing was known anywhere");
    }
}

#[test]
fn nobody_wins_when_every_line_has_both() {
    let game = game("tictactoe");
    assert_eq!(bounds(&game, ""), Bounds::WDL);
    // O holds a middle row that X needs for nothing else: X can still win.
    assert_eq!(bounds(&game, "mark(2,2) mark(1,1)"), Bounds::WDL);
    //  x o x       every line has both
    //  x o o
    //  o x .
    let drawn = "mark(1,3) mark(2,3) mark(3,3) mark(2,2) mark(1,2) mark(3,2) mark(2,1) mark(1,1)";
    assert_eq!(bounds(&game, drawn), Bounds::exact(Score::DRAW));
}

/// Searches are not slowed down by them.
#[test]
fn they_are_used_only_if_asked_for() {
    assert!(game("tictactoe").facts().is_none());
    assert_eq!(game("nim-3-4-5").latched().bounds(&game("nim-3-4-5").start()), Bounds::WDL);
}
