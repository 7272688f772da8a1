//! Every search, compiled for games from rule sheets, and the sheets that are open.
//!
//! A game is written `gdl:NAME` for a sheet that ships or was opened before, and `gdl:FILE` for a file; see [`Shelf`].
#![forbid(unsafe_code)]

mod shelf;

pub use shelf::{SheetError, Shelf};

use proofplay_erased::{AnyGame, Entry, Refusal, erase};
use proofplay_gdl::SheetGame;
use std::sync::LazyLock;

/// The sheets of this program. Files are opened only after [`Shelf::open_files`].
pub fn sheets() -> &'static Shelf {
    static SHELF: LazyLock<Shelf> = LazyLock::new(Shelf::default);
    &SHELF
}

/// A game from a rule sheet without its type: the searches for it are compiled here and nowhere else.
pub fn without_type(game: SheetGame) -> AnyGame {
    erase(game)
}

/// The entry of games from rule sheets.
pub fn entry() -> Entry {
    let make = |asked: &str| -> Result<AnyGame, Refusal> {
        let found = sheets().find(asked);
        found.map(without_type).map_err(|error| Refusal::Rules(error.to_string()))
    };
    let names: Vec<&str> = proofplay_gdl::SHIPPED.iter().map(|sheet| sheet.name).collect();
    let rules = format!(
        "a rule sheet in the Game Description Language: a file, or one that ships: {}",
        names.join(", ")
    );
    let varied =
        ["gdl:breakthrough-4x4", "gdl:connect4-4x4", "gdl:dots-and-boxes-2x2", "gdl:othello-4x4", "gdl:pegs"];
    Entry::by_rules("gdl", make)
        .described("NAME or FILE", "gdl:tictactoe", &rules)
        .explained(include_str!("rules.md"), "mark(2,2)")
        .with_boards(&["gdl:tictactoe"], &varied)
}
