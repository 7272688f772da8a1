//! Which sheet a name stands for: one that ships, a file, or what has the rules of a digest.

use proofplay_compiled_sheets::{Shelf, entry, sheets};
use proofplay_core::{Game, Line};
use proofplay_erased::{Games, SetupError};
use proofplay_gdl::SHIPPED;
use std::path::PathBuf;

/// A folder for files, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("proofplay-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.0.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(name: &str) -> &'static str {
    SHIPPED.iter().find(|sheet| sheet.name == name).unwrap().text
}

fn error(shelf: &Shelf, asked: &str) -> String {
    shelf.find(asked).expect_err(asked).to_string()
}

#[test]
fn every_sheet_that_ships_is_a_game_under_its_name() {
    let shelf = Shelf::default();
    for sheet in SHIPPED {
        let game = shelf.find(sheet.name).unwrap();
        assert_eq!(game.name(), format!("gdl:{}", sheet.name));
        let id = game.id();
        let again = shelf.find(id.strip_prefix("gdl:").unwrap()).unwrap();
        assert_eq!(again.id(), id);
    }
    assert_eq!(shelf.find("TicTacToe").unwrap().name(), "gdl:tictactoe");
    let unknown = error(&shelf, "nosuch");
    assert!(unknown.contains("`nosuch`") && unknown.contains("hex-5x5") && unknown.contains("gdl:./nosuch"));
}

#[test]
fn files_are_opened_only_if_that_is_allowed() {
    let (shelf, folder) = (Shelf::default(), Folder::new("allowed"));
    let file = folder.file("my game.gdl", text("tictactoe"));
    let path = file.to_str().unwrap();
    assert!(error(&shelf, path).contains("opens no files"));
    assert!(error(&shelf, "my-game").contains("no rule sheet is called"));
    shelf.open_files(true);
    assert_eq!(shelf.find(path).unwrap().name(), "gdl:my-game");
    // What is open stays open.
    shelf.open_files(false);
    assert_eq!(shelf.find("my-game").unwrap().name(), "gdl:my-game");
    assert!(error(&shelf, path).contains("opens no files"));
    // Opened by the program itself.
    let other = folder.file("b/nim.kif", text("nim-3-4-5"));
    assert_eq!(shelf.open(&other).unwrap(), "nim");
    assert_eq!(shelf.find("nim").unwrap().name(), "gdl:nim");
}

#[test]
fn a_name_never_stands_for_two_games() {
    let (shelf, folder) = (Shelf::default(), Folder::new("names"));
    let (one, other) = (folder.file("a/my.gdl", text("tictactoe")), folder.file("b/my.gdl", text("pegs")));
    let same = folder.file("c/my.kif", format!("; the same rules\n{}", text("tictactoe").to_uppercase()));
    assert_eq!(shelf.open(&one).unwrap(), "my");
    assert_eq!(shelf.open(&same).unwrap(), "my");
    let taken = shelf.open(&other).unwrap_err().to_string();
    assert!(taken.contains("`gdl:my`") && taken.contains("rename the file"), "{taken}");
    // Nor for one that ships and another.
    let hex = folder.file("hex-5x5.gdl", text("pegs"));
    assert!(shelf.open(&hex).unwrap_err().to_string().contains("rename the file"));
    let hex = folder.file("hex-5x5.gdl", text("hex-5x5"));
    assert_eq!(shelf.open(&hex).unwrap(), "hex-5x5");
}

#[test]
fn a_digest_finds_rules_under_any_name() {
    let (shelf, folder) = (Shelf::default(), Folder::new("digests"));
    let id = shelf.find("tictactoe").unwrap().id();
    let digest = id.split_once('#').unwrap().1;
    let renamed = shelf.find(&format!("mine#{digest}")).unwrap();
    assert_eq!(renamed.id(), format!("gdl:mine#{digest}"));
    // From now on the name stands for these rules.
    assert_eq!(shelf.find("mine").unwrap().id(), renamed.id());
    let wrong = error(&shelf, &format!("pegs#{digest}"));
    assert!(wrong.contains("rename the file"), "{wrong}");
    // Rules that are nowhere.
    let changed = text("tictactoe").replace("(init (control x))", "(init (control o))");
    let file = folder.file("changed.gdl", &changed);
    let other = Shelf::default();
    other.open(&file).unwrap();
    let id = other.find("changed").unwrap().id();
    let asked = id.strip_prefix("gdl:").unwrap();
    assert!(error(&shelf, asked).contains("--sheet FILE"));
    let file = folder.file("found again.gdl", changed);
    shelf.open(&file).unwrap();
    assert_eq!(shelf.find(asked).unwrap().id(), id);
}

#[test]
fn what_is_no_sheet_is_refused_with_its_place() {
    let (shelf, folder) = (Shelf::default(), Folder::new("flaws"));
    let bad = folder.file("bad.gdl", "(role x)\n(init (cell ?c))");
    let flaw = shelf.open(&bad).unwrap_err().to_string();
    assert!(flaw.contains("bad.gdl:2:13: a fact has no variables"), "{flaw}");
    assert!(flaw.ends_with("^^"), "{flaw}");
    let latin = shelf.open(&folder.file("latin.gdl", [0xe4, 0xff])).unwrap_err().to_string();
    assert!(latin.contains("not UTF-8"), "{latin}");
    let large = folder.file("large.gdl", vec![b';'; (4 << 20) + 1]);
    assert!(shelf.open(&large).unwrap_err().to_string().contains("more than 4 MiB"));
    let missing = shelf.open(&folder.0.join("none.gdl")).unwrap_err().to_string();
    assert!(missing.contains("cannot read the rule sheet"), "{missing}");
    assert!(shelf.open(&folder.0).is_err(), "a folder is no sheet");
}

#[test]
fn among_other_games() {
    let games = Games::new(vec![entry()]);
    let id = games.game("gdl:tictactoe").unwrap().id();
    assert_eq!(games.recorded(&id).unwrap().id(), id);
    assert!(
        matches!(games.recorded("gdl:tictactoe"), Err(SetupError::OtherRules { .. })),
        "files have the digest"
    );
    let other = format!("{}0", &id[..id.len() - 1]);
    let other = if other == id { format!("{}1", &id[..id.len() - 1]) } else { other };
    let why = games.recorded(&other).err().unwrap().to_string();
    assert!(why.contains("--sheet FILE"), "{why}");
    let end = games.reach(&Line::start(&id).then("mark(2,2) mark(1,1)")).unwrap();
    assert_eq!((end.game(), end.game_id()), ("gdl:tictactoe".to_owned(), id));
    let error = games.reach(&Line::start("gdl:tictactoe").then("mark(2,2) mark(2,2)")).err().unwrap();
    assert!(error.to_string().starts_with("ply 2: move `mark(2,2)`: not legal here"), "{error}");
    assert!(games.game("gdl:/etc/passwd").err().unwrap().to_string().contains("opens no files"));
    assert!(std::ptr::eq(sheets(), sheets()));
}
