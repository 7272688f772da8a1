//! Tables of the README and lists of features have every game and every search, and nothing else.

use proofplay_registry::{GAMES, game};
use proofplay_search::{SearchKind, SearchSpec};
use std::collections::BTreeSet;
use std::path::Path;

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows below a head of a table, as cells.
fn rows(text: &str, head: &str) -> Vec<Vec<String>> {
    let (_, table) = text.split_once(head).unwrap_or_else(|| panic!("no table {head}"));
    let cells = |row: &str| -> Vec<String> {
        // A bar inside of a cell is written `\|`.
        let cells = row.replace("\\|", "\u{0}");
        cells.split('|').skip(1).map(|cell| cell.trim().replace('\u{0}', "|")).collect()
    };
    table.lines().skip(2).take_while(|row| row.starts_with('|')).map(cells).collect()
}

#[test]
fn games_of_the_readme() {
    let mut known: BTreeSet<&str> = GAMES.iter().map(|entry| entry.name()).collect();
    for row in rows(&read("README.md"), "| game | parameters | moves | value |") {
        let name = row[0].replace('`', "");
        let entry = GAMES.iter().find(|entry| entry.name() == name).unwrap_or_else(|| panic!("{name}?"));
        assert!(known.remove(&*name), "{name} stands there twice");
        let parameters = row[1].replace('`', "");
        let right = match entry.parameters() {
            "" => parameters == "–",
            form => parameters.starts_with(form),
        };
        assert!(right, "{name}: `{parameters}` does not begin with `{}`", entry.parameters());
        assert_eq!(row[3].contains("can repeat"), game(entry.example()).unwrap().repeats(), "{name}");
    }
    assert!(known.is_empty(), "without a row: {known:?}");
}

/// Every package has the licences, not a file with the path of one.
#[test]
fn licences_of_the_packages() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for krate in crates.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let name = krate.file_name().unwrap().to_str().unwrap();
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert_eq!(read(&format!("crates/{name}/{licence}")), read(licence), "{name}");
        }
    }
}

#[test]
fn searches_of_the_readme() {
    let mut known: BTreeSet<&str> = SearchKind::all().iter().map(|kind| kind.name).collect();
    for row in rows(&read("README.md"), "| name | what it is | paper |") {
        for spec in row[0].split('`').skip(1).step_by(2) {
            let name = spec.split(':').next().unwrap_or(spec);
            known.remove(name);
            // A setting with a letter for its number.
            let spec = spec.replace("=N", "=3");
            assert!(spec.parse::<SearchSpec>().is_ok(), "{spec}");
        }
    }
    assert!(known.is_empty(), "without a row: {known:?}");
}

/// A game is a feature of the crate of games and of the library.
#[test]
fn features() {
    let names: BTreeSet<&str> = GAMES.iter().map(|entry| entry.name()).collect();
    let manifest = read("crates/games/Cargo.toml");
    let (_, all) = manifest.split_once("\nall = [").expect("a feature `all`");
    let (all, _) = all.split_once(']').expect("a list");
    // Rule sheets are a crate of their own.
    let of_games: BTreeSet<&str> = names.iter().copied().filter(|&name| name != "gdl").collect();
    assert_eq!(all.split('"').skip(1).step_by(2).collect::<BTreeSet<_>>(), of_games);
    let manifest = read("crates/proofplay/Cargo.toml");
    for name in names {
        assert!(manifest.contains(&format!("\n{name} = [\"registry\", \"proofplay-")), "{name}");
    }
}
