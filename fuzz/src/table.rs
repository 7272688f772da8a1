//! A table of endgames as a file.

use super::value;
use proofplay_registry::{GAMES, Set, Table};
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};
use std::io::Cursor;

/// More entries are not checked.
const MOST_ENTRIES: u64 = 1 << 16;

/// A table that is found right by the rules gives searches only facts that brute force confirms.
pub fn table(data: &[u8]) {
    let read = || Table::read(Box::new(Cursor::new(data.to_vec())), 1 << 20);
    let Ok(table) = read() else { return };
    let Ok(mut game) = GAMES.recorded(&table.head().game) else { return };
    if table.parts().iter().sum::<u64>() > MOST_ENTRIES || game.verify_table(&table, 1, &|_| true).is_err() {
        return;
    }
    let pos = match &table.head().set {
        Set::After(text) => game.parse(text).expect("it was found right"),
        Set::Named(_) => game.start(),
    };
    game.take_table(table).expect("it was found right");
    let with_table = game.parse(&pos.text()).expect("a position of the game");
    if pos.outcome().is_some() {
        return;
    }
    let spec: SearchSpec = "pns".parse().expect("a search");
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    let report = with_table.search(&spec, Resources::default(), Ask::Value, &mut Run::new(limits));
    let bounds = report.expect("it has no checkpoint").bounds;
    assert!(value(&*pos, 10_000).is_none_or(|value| bounds.contains(value)), "{bounds:?}");
}
