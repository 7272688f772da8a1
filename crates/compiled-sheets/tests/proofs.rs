//! Values and certificates from rule sheets alone: nothing here knows a game but by its sheet. A second verifier in Python
//! (`crates/games/tests/oracle`) reads the same sheet by itself and checks the same files.

use proofplay_compiled_sheets::entry;
use proofplay_core::{Line, Rng};
use proofplay_erased::{Certify, DynPosition, Games};
use proofplay_gdl::SHIPPED;
use proofplay_search::{Ask, Resources, Run, SearchSpec};
use std::path::{Path, PathBuf};
use std::process::Command;

const MEMORY: usize = 1 << 26;

/// The second verifier, where there is a Python to run it, and a folder for its files.
struct Second(PathBuf);

impl Second {
    fn new(test: &str) -> Option<Second> {
        if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
            eprintln!("no python3: the second verifier was not asked");
            return None;
        }
        let folder = std::env::temp_dir().join(format!("proofplay-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Some(Second(folder))
    }

    /// Its objection to a file about the game of a sheet.
    fn verify(&self, sheet: &str, bytes: &[u8]) -> Result<String, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let text = SHIPPED.iter().find(|shipped| shipped.name == sheet).unwrap().text;
        let (file, rules) = (self.0.join("one.proof"), self.0.join("rules.gdl"));
        std::fs::write(&file, bytes).unwrap();
        std::fs::write(&rules, text).unwrap();
        let mut python = Command::new("python3");
        python.arg(root.join("games/tests/oracle/certificate.py")).arg("verify");
        let output = python.arg("--sheet").arg(&rules).arg(&file).output().unwrap();
        let (said, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!why.contains("Traceback"), "{why}");
        if output.status.success() { Ok(said.into_owned()) } else { Err(why.into_owned()) }
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The value of a position, and its certificate.
fn solved(pos: &dyn DynPosition, spec: &str, line: &Line) -> (i16, Vec<u8>) {
    let spec: SearchSpec = spec.parse().unwrap();
    let resources = Resources { memory: MEMORY, ..Resources::default() };
    let mut search = pos.start_search(&spec, resources).unwrap();
    let report = search.run(Ask::Value, &mut Run::default()).unwrap();
    let value = report.bounds.value().unwrap_or_else(|| panic!("{line:?}: {}", report.bounds));
    let wanted = Certify { memory: MEMORY, ..Certify::new(line.clone(), report.bounds) };
    let certified = search.certify(&wanted, &mut |_| true).unwrap();
    (value.0, certified.written.bytes)
}

/// Proves, verifies with the sheet, has it verified, and has a damaged proof refused.
fn prove(games: &Games, second: Option<&Second>, sheet: &str, moves: &str, spec: &str) -> i16 {
    let id = games.game(&format!("gdl:{sheet}")).unwrap().id();
    let line = Line::start(&id).then(moves);
    let (value, bytes) = solved(&*games.reach(&line).unwrap(), spec, &line);
    let (certificate, checked) = games.verify(&bytes, MEMORY, &mut |_| true).unwrap();
    assert_eq!((certificate.line.game, checked.bounds.value().map(|score| score.0)), (id, Some(value)));
    if let Some(second) = second {
        let said = second.verify(sheet, &bytes).unwrap();
        assert!(said.starts_with(&format!("gdl:{sheet} {moves}")), "{said}");
    }
    // Another game's sheet does not prove it.
    if let Some(second) = second {
        let other = if sheet == "tictactoe" { "pegs" } else { "tictactoe" };
        assert!(second.verify(other, &bytes).is_err(), "{sheet}");
        let mut changed = bytes;
        let last = changed.len() - 5;
        changed[last] ^= 1;
        assert!(second.verify(sheet, &changed).is_err(), "{sheet}");
    }
    value
}

/// The values are those of the native games (`docs/SOLVED.md`) and, for Othello 4x4, the published one: White wins.
#[test]
fn values_and_certificates_of_whole_games() {
    let (games, second) = (Games::new(vec![entry()]), Second::new("sheet-proofs"));
    for (sheet, spec, value) in [
        ("tictactoe", "alphabeta", 0),
        ("tictactoe", "pns", 0),
        ("connect4-4x4", "alphabeta", 0),
        ("connect4-5x4", "alphabeta", 0),
        ("breakthrough-4x4", "alphabeta", -1),
        ("breakthrough-4x4", "dfpn", -1),
        ("othello-4x4", "alphabeta", -1),
    ] {
        assert_eq!(prove(&games, second.as_ref(), sheet, "", spec), value, "{sheet} by {spec}");
    }
}

/// Ten positions of nine boards of tic-tac-toe with at most twelve plies to the end: the last plies of random games to a full
/// board or a line, and all that may follow in their place.
#[test]
fn positions_near_the_end_of_nine_boards() {
    let (games, second) = (Games::new(vec![entry()]), Second::new("nine-boards"));
    let game = games.game("gdl:nine-boards").unwrap();
    let (mut rng, mut values, mut found) = (Rng::new(5), [0; 3], 0);
    while found < 10 {
        // Random moves that do not end the game, until at most twelve cells are free.
        let (mut pos, mut moves) = (game.start(), Vec::new());
        while moves.len() < 69 {
            let open: Vec<String> = pos
                .legal()
                .into_iter()
                .filter(|mv| {
                    let mut next = pos.boxed();
                    next.play(mv).unwrap();
                    next.outcome().is_none()
                })
                .collect();
            if open.is_empty() {
                break;
            }
            let mv = open[rng.below(open.len() as u32) as usize].clone();
            pos.play(&mv).unwrap();
            moves.push(mv);
        }
        if moves.len() < 69 {
            continue;
        }
        found += 1;
        let moves = moves.join(" ");
        let value = prove(&games, second.as_ref(), "nine-boards", &moves, "alphabeta");
        let truth = prove(&games, None, "nine-boards", &moves, "pns");
        assert_eq!(value, truth, "{moves}");
        values[(value + 1) as usize] += 1;
    }
    assert_eq!(values.iter().sum::<i32>(), 10);
    assert!(values.iter().filter(|&&count| count > 0).count() >= 2, "all have the same value: {values:?}");
}

/// A proof is refused if a rule is another one, however small the difference.
#[test]
fn a_changed_rule_is_noticed() {
    let Some(second) = Second::new("changed-rule") else { return };
    let games = Games::new(vec![entry()]);
    let id = games.game("gdl:tictactoe").unwrap().id();
    let line = Line::start(&id).then("mark(2,2) mark(1,2)");
    let (value, bytes) = solved(&*games.reach(&line).unwrap(), "alphabeta", &line);
    assert_eq!(value, 1);
    assert!(second.verify("tictactoe", &bytes).is_ok());
    // Diagonals win nothing in these rules.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/oracle/certificate.py");
    let (file, rules) = (second.0.join("one.proof"), second.0.join("changed.gdl"));
    let text = SHIPPED.iter().find(|sheet| sheet.name == "tictactoe").unwrap().text;
    let never = |text: &str, cell: &str| text.replace(cell, &format!("{cell} (distinct 1 1)"));
    let changed = never(&never(text, "(true (cell 1 1 ?p))"), "(true (cell 1 3 ?p))");
    std::fs::write(&rules, changed).unwrap();
    let output =
        Command::new("python3").arg(root).args(["verify", "--sheet"]).arg(&rules).arg(&file).output();
    let output = output.unwrap();
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stderr).contains("refused"));
}
