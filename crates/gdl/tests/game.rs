//! Names, texts and pictures of a game from a rule sheet.

use proofplay_core::{Game, Player, Position};
use proofplay_gdl::{Sheet, SheetGame};

fn tictactoe() -> SheetGame {
    let text = include_str!("../sheets/tictactoe.gdl");
    SheetGame::new(&Sheet::read("tictactoe.gdl", text).expect("sound")).expect("a game")
}

#[test]
fn a_board_is_drawn_and_texts_read_back() {
    let game = tictactoe();
    let mut pos = game.start();
    for text in ["mark(2,2)", "mark(1,3)"] {
        pos.play(game.parse_move(&pos, text).expect("legal"));
    }
    assert_eq!(game.show(&pos), "cell(1,3,o) cell(2,2,x) control(x)");
    let plain = |symbol: char, _| symbol.to_string();
    assert_eq!(game.view(&pos).draw(plain), "3  o . .\n2  . x .\n1  . . .\n   1 2 3\ncontrol(x)\n");
    let owners: Vec<_> = game.view(&pos).cells.iter().filter_map(|cell| cell.owner).collect();
    assert_eq!(owners, [Player::First, Player::Second]);
    assert_eq!((game.side(Player::First), game.side(Player::Second)), ("x", "o"));
    assert_eq!((game.name(), game.is_grounded()), ("gdl:tictactoe.gdl".to_owned(), true));
    assert!(game.parse_move(&pos, "mark(2,2)").is_err(), "the cell is taken");
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let refused = |text: &str| tictactoe().parse(text).expect_err(text).to_string();
    assert!(refused("cell(4,1,x) control(x)").ends_with("`cell(4,1,x)` is never true in this game"));
    assert!(refused("control(x) control(o)").contains("cannot be true together"));
    assert!(refused("cell(1,1,x)").contains("facts are missing"));
    let both = "cell(1,1,x) cell(1,2,x) cell(1,3,x) cell(2,1,o) cell(2,2,o) cell(2,3,o) control(x)";
    assert!(refused(both).contains("at the end: there must be one from 0 to 100"), "both have won");
}
