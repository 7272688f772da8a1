//! Best-first proof searches on small boards of every registered game, through the registry: the
//! values are those of `alphabeta`, which `oracle.rs` checks. And what any search has proven there
//! becomes a certificate that holds.

use proofplay_certificate::{Ends, Shape};
use proofplay_core::{Bounds, Line, Rng};
use proofplay_registry::{Certified, Certify, CertifyError, DynPosition, GAMES, game, verify};
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const SPECS: &[&str] = &[
    "pns",
    "pns:init=unit",
    "pnt",
    "pnt:init=unit,symmetry=on",
    "pn2",
    "pn2:init=eval",
    "pp",
    "pp:init=unit",
    "pp:init=eval",
    "ppt",
    "ppt:init=eval",
    "ppt:symmetry=on",
    "pp2",
    "pp2:init=unit",
];

/// The small boards of all games whose positions cannot repeat: half of these searches refuse the others.
fn boards() -> Vec<&'static str> {
    let entries = GAMES.iter().filter(|entry| !game(entry.example()).unwrap().repeats());
    entries.flat_map(|entry| entry.small()).map(String::as_str).collect()
}

fn value(pos: &dyn DynPosition, spec: &str) -> i16 {
    let search: SearchSpec = spec.parse().unwrap();
    let resources = Resources { memory: 1 << 26, ..Resources::default() };
    let report = pos.search(&search, resources, Ask::Value, &mut Run::default()).unwrap();
    let value = report.bounds.value();
    value.unwrap_or_else(|| panic!("{spec} on {} {}: {}", pos.game(), pos.text(), report.bounds)).0
}

#[test]
fn values_on_small_boards() {
    let mut rng = Rng::new(11);
    for board in boards() {
        for round in 0..20 {
            let mut pos = game(board).unwrap_or_else(|e| panic!("{board}: {e}")).start();
            for _ in 0..round.min(6) {
                let legal = pos.legal();
                if !legal.is_empty() {
                    pos.play(&legal[rng.below(legal.len() as u32) as usize]).unwrap();
                }
            }
            let truth = value(&*pos, "alphabeta");
            for spec in SPECS {
                assert_eq!(value(&*pos, spec), truth, "{spec} on {board} {}", pos.text());
            }
        }
    }
}

/// Every kind of search that can prove something, with what it stores or discards.
const PROVERS: &[&str] = &[
    "alphabeta",
    "alphabeta:symmetry=off",
    "pns",
    "pnt",
    "pnt:symmetry=on",
    "pn2",
    "pp:init=eval",
    "ppt",
    "ppt:symmetry=on",
    "pp2",
    "dfpn",
    "mcts",
    "mcts-solver",
    "exact-win",
    "score-bounded",
    "mcts:ms=2,mr=2",
    "score-bounded:threads=2",
];

/// The verifier accepts what `spec` proves within its limits, and returns it.
fn certified(board: &str, moves: &[String], spec: &str, memory: usize) -> Option<Bounds> {
    let counts = game(board).unwrap().start().counts();
    let counted = counts.then(|| certified_with(board, moves, spec, Ends::Counted, memory));
    let played_out = certified_with(board, moves, spec, Ends::Rules, memory);
    assert!(counted.is_none_or(|counted| counted == played_out), "{spec} on {board} {moves:?}");
    played_out
}

fn certified_with(board: &str, moves: &[String], spec: &str, ends: Ends, memory: usize) -> Option<Bounds> {
    let mut pos = game(board).unwrap().start();
    moves.iter().for_each(|mv| pos.play(mv).unwrap());
    let resources = Resources { memory, ..Resources::default() };
    let limits = Limits { simulations: Some(30_000), ..Limits::default() };
    let mut search = pos.start_search(&spec.parse().unwrap(), resources).unwrap();
    let report = search.run(Ask::Value, &mut Run::new(limits)).unwrap();
    let what = format!("{spec} on {board} {moves:?}: {}", report.bounds);
    let line = Line { moves: moves.to_vec(), ..Line::start(board) };
    match search.certify(&wanted(line, report.bounds, ends, memory / 2), &mut |_| true) {
        Ok(Certified { written, .. }) => {
            let (certificate, checked) = verify(&written.bytes, 1 << 26, &mut |_| true)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!((checked.bounds, checked.walked), (report.bounds, written.walked), "{what}");
            assert_eq!(certificate.position, pos.text(), "{what}");
            Some(checked.bounds)
        }
        Err(CertifyError::Nothing) => {
            assert!(!report.bounds.is_exact(), "{what}");
            None
        }
        Err(error) => panic!("{what}: {error}"),
    }
}

/// A certificate with a limit on memory only.
fn wanted(line: Line, bounds: Bounds, ends: Ends, memory: usize) -> Certify {
    Certify { line, bounds, plies: None, ends, memory, limits: Limits::default(), stop: Arc::default() }
}

/// The certificate of a position that `spec` has solved.
fn solved(pos: &dyn DynPosition, spec: &str, line: Line, ends: Ends) -> Vec<u8> {
    let mut search = pos.start_search(&spec.parse().unwrap(), Resources::default()).unwrap();
    let bounds = search.run(Ask::Value, &mut Run::default()).unwrap().bounds;
    search.certify(&wanted(line, bounds, ends, 1 << 29), &mut |_| true).unwrap().written.bytes
}

/// The moves of a random line of play.
fn line(board: &str, length: usize, rng: &mut Rng) -> Vec<String> {
    let (mut pos, mut moves) = (game(board).unwrap().start(), Vec::new());
    for _ in 0..length {
        let legal = pos.legal();
        if !legal.is_empty() {
            moves.push(legal[rng.below(legal.len() as u32) as usize].clone());
            pos.play(&moves[moves.len() - 1]).unwrap();
        }
    }
    moves
}

#[test]
fn certificates_of_every_search() {
    let (mut rng, mut proven, mut all) = (Rng::new(12), 0, 0);
    for (i, board) in boards().into_iter().enumerate() {
        for (j, spec) in PROVERS.iter().enumerate() {
            // With little memory a search has discarded what the certificate needs.
            let memory = if j % 2 == 0 { 1 << 25 } else { 1 << 23 };
            let bounds = certified(board, &line(board, (i + j) % 4, &mut rng), spec, memory);
            proven += usize::from(bounds.is_some_and(Bounds::is_exact));
            all += 1;
        }
    }
    assert!(proven * 10 > all * 9, "{proven} of {all} were solved");
}

/// Where positions can repeat, strategies are walked by ranks, whatever search has found the value.
#[test]
fn certificates_of_games_that_repeat() {
    let mut rng = Rng::new(13);
    for (board, specs) in [
        ("pentalath:2,k=3", &["score-bounded", "pp", "pns", "pn2", "mcts-solver"][..]),
        ("pentalath:2,k=4", &["score-bounded", "pns"]),
        ("pentalath:2,k=3,swap=yes", &["score-bounded"]),
    ] {
        for spec in specs {
            for length in [0, 3] {
                certified(board, &line(board, length, &mut rng), spec, 1 << 26).expect("small enough");
            }
        }
    }
}

/// Distances of every search that counts plies, with certificates; a Python verifier agrees.
#[test]
fn certificates_of_distances() {
    let (mut rng, mut won, second) = (Rng::new(14), 0, Second::new("distances"));
    for (i, board) in boards().into_iter().enumerate() {
        let moves = line(board, 1 + i % 3, &mut rng);
        let mut pos = game(board).unwrap().start();
        moves.iter().for_each(|mv| pos.play(mv).unwrap());
        if pos.repeats() {
            continue;
        }
        let mut distances = Vec::new();
        for (j, spec) in ["alphabeta", "dfpn", "dfpp", "minimax"].into_iter().enumerate() {
            if spec == "minimax" && board != "tictactoe" {
                continue;
            }
            let memory = if j % 2 == 0 { 1 << 25 } else { 1 << 23 };
            let resources = Resources { memory, ..Resources::default() };
            let mut search = pos.start_search(&spec.parse().unwrap(), resources).unwrap();
            let report = search.run(Ask::Distance, &mut Run::default()).unwrap();
            distances.push(report.plies);
            let line = Line { moves: moves.clone(), ..Line::start(board) };
            let plain = wanted(line, report.bounds, Ends::Rules, memory);
            let wanted = Certify { plies: report.plies, ..plain };
            let written = search.certify(&wanted, &mut |_| true).unwrap().written.bytes;
            let (_, checked) = verify(&written, 1 << 24, &mut |_| true).unwrap();
            let plies = checked.within.map(u32::from);
            assert_eq!((checked.bounds, plies), (report.bounds, report.plies), "{spec} on {board} {moves:?}");
            won += usize::from(plies.is_some());
            // It does not know which sheet `gdl:` names.
            let known = !board.starts_with("gdl:");
            let small = known && checked.walked.positions < 2_000 && j == i % 4;
            if let Some(second) = second.as_ref().filter(|_| small) {
                assert_eq!(second.verify(&written), Ok(()), "{spec} on {board} {moves:?}");
            }
        }
        distances.dedup();
        assert_eq!(distances.len(), 1, "{board} {moves:?}");
    }
    assert!(won > 20, "{won} certificates");
}

/// The certificates of `crates/games/tests/oracle/certificate.py`, a second writer with its own
/// rules.
#[test]
fn certificates_of_somebody_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/certificates");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let (certificate, checked) = verify(&bytes, 1 << 24, &mut |_| true).unwrap();
        let mut pos = game(&certificate.line.game).unwrap().start();
        certificate.line.moves.iter().for_each(|mv| pos.play(mv).unwrap());
        let spec = match certificate.shape {
            Shape::Graph => "alphabeta",
            Shape::Tree => "pp",
            Shape::Ranks => "retrograde",
        };
        assert_eq!(checked.bounds.value().map(|score| score.0), Some(value(&*pos, spec)));
        count += 1;
    }
    assert!(count >= 15, "{count} files");
}

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

    /// Its objection to a file.
    fn verify(&self, bytes: &[u8]) -> Result<(), String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/oracle/certificate.py");
        let file = self.0.join("one.proof");
        std::fs::write(&file, bytes).unwrap();
        let output = Command::new("python3").arg(script).arg("verify").arg(&file).output().unwrap();
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!why.contains("Traceback"), "{why}");
        if output.status.success() { Ok(()) } else { Err(why) }
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A file from the time when Go had a column `i`: in it `j1` is the tenth column.
#[test]
fn files_of_an_earlier_notation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/cmd/verify.in/go-with-i.proof");
    let file = std::fs::read(path).unwrap();
    let error = verify(&file, 1 << 20, &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("`go:10x1` has other rules or another notation"), "{error}");
    let Some(second) = Second::new("notation") else { return };
    assert!(second.verify(&file).unwrap_err().contains("another notation"));
}

/// Claims have one form and are possible: both verifiers insist on it.
#[test]
fn exact_heads() {
    let Some(second) = Second::new("heads") else { return };
    let moves: Vec<String> = ["b2", "a1"].map(str::to_owned).into();
    let mut pos = game("tictactoe").unwrap().start();
    moves.iter().for_each(|mv| pos.play(mv).unwrap());
    let written = solved(&*pos, "alphabeta", Line { moves, ..Line::start("tictactoe") }, Ends::Rules);
    let end = written.windows(2).position(|two| two == b"\n\n").unwrap();
    let head = String::from_utf8(written[..end].to_vec()).unwrap();
    let line = |key: &str| head.lines().find(|line| line.starts_with(key)).unwrap();
    let (least, most) = (line("at-least"), line("at-most"));
    let [positions, bytes] = [2, 3].map(|word| least.split(' ').nth(word).unwrap());
    // A half without a strategy has no data.
    let data = &written[end..written.len() - 4];
    let lower: usize = bytes.parse().unwrap();
    let only_upper = [&data[..2], &data[2 + lower..]].concat();
    let only_lower = &data[..2 + lower];
    let with = |from: &str, to: &str, data: &[u8]| {
        assert!(head.contains(from), "{from}");
        let mut file = [head.replacen(from, to, 1).as_bytes(), data].concat();
        let mut sum = flate2::Crc::new();
        sum.update(&file);
        file.extend(sum.sum().to_le_bytes());
        let (ours, theirs) = (verify(&file, 1 << 24, &mut |_| true), second.verify(&file));
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{to}: {ours:?} {theirs:?}");
        ours.is_ok()
    };
    assert!(with(least, least, data));
    assert!(with(least, "at-least: -1 rules", &only_upper));
    assert!(with(most, "at-most: +1 rules", only_lower));
    // What people may type in any case has one form in a file.
    assert!(!with("moves: b2 a1", "moves: B2 a1", data));
    assert!(!with("game: tictactoe", "game: TicTacToe", data));
    for bad in [
        "at-most: +5 rules",
        "at-most: 1 rules",
        "at-most: +2 rules",
        "at-most: 0 rules",
        "at-most: -1 rules",
    ] {
        assert!(!with(most, bad, only_lower), "{bad}");
    }
    for bad in ["at-least: -5 rules", "at-least: 0 rules", "at-least: -01 rules", "at-least: -1  rules"] {
        assert!(!with(least, bad, &only_upper), "{bad}");
    }
    for score in ["+0", "-0", "00", "+1", "-1", "-2", "0_0", "", "x"] {
        let claim = format!("at-least: {score} strategy {positions} {bytes}");
        assert!(!with(least, &claim, data), "{claim}");
    }
    for sizes in [
        format!("+{positions} {bytes}"),
        format!("0{positions} {bytes}"),
        format!("{positions} 0{bytes}"),
        format!("{positions}  {bytes}"),
        format!("{positions} {bytes} "),
        format!("{positions} {bytes} 0"),
        format!("{positions} {}", lower + 1),
        format!("{positions}0 {bytes}"),
        format!("0 {bytes}"),
    ] {
        let claim = format!("at-least: 0 strategy {sizes}");
        assert!(!with(least, &claim, data), "{claim}");
    }
    for (from, to) in [
        ("moves: b2 a1", "moves: b2  a1"),
        ("moves: b2 a1", "moves:  b2 a1"),
        ("moves: b2 a1", "moves: b2 a1 "),
        ("moves: b2 a1", "moves: B2 a1"),
        ("moves: b2 a1", "moves: position .../.x./o.. x"),
        ("game: tictactoe", "game:  tictactoe"),
        ("game: tictactoe", "game: tictactoe "),
        ("from: start", "from:start"),
        ("from: start", "from: Start"),
        ("position: ", "position:  "),
        ("walk: graph", "walk: tree"),
        ("walk: graph", "walk: graph "),
        ("certificate 1", "certificate 01"),
        ("certificate 1", "certificate 2"),
        ("certificate 1", "certificate 1 "),
    ] {
        assert!(!with(from, to, data), "{to}");
    }
}

/// And the other way round: the second verifier accepts ours.
#[test]
fn certificates_for_somebody_else() {
    let Some(second) = Second::new("certificates") else { return };
    let boards = ["tictactoe", "connect4:4x3k3", "domineering:4x4", "nogo:3x3", "y:3", "seki:2,2"];
    let boards = [&boards[..], &["breakthrough:3x4,rows=1", "pentalath:2,k=3", "mnk:4x3k3"]].concat();
    let boards = [&boards[..], &["go:2x1,komi=0.5", "go:3x1", "written:(2(5 (-3 =)) 1((- =) 4))"]].concat();
    let counted = ["domineering:4x4", "domineering:5x4,first=H", "domineering:3x6", "domineering:5x5"];
    let boards = boards.into_iter().map(|board| (board, Ends::Rules));
    let boards = boards.chain(counted.map(|board| (board, Ends::Counted)));
    for (i, (board, ends)) in boards.enumerate() {
        let pos = game(board).unwrap().start();
        let spec = if pos.repeats() { "pp" } else { PROVERS[i % 4] };
        let mut changed = solved(&*pos, spec, Line::start(board), ends);
        assert_eq!(second.verify(&changed), Ok(()), "{board}");
        let last = changed.len() - 5;
        changed[last] ^= 1;
        assert!(second.verify(&changed).is_err(), "{board}");
    }
}

/// Nobody adds a game without small boards, unless its positions can repeat.
#[test]
fn every_game_has_small_boards() {
    for entry in GAMES.iter() {
        let repeats = game(entry.example()).unwrap().repeats();
        assert!(repeats || !entry.small().is_empty(), "{} has no small boards", entry.name());
    }
}

/// The small boards of the other games, by searches that know histories.
#[test]
fn values_where_positions_repeat() {
    for board in GAMES.iter().flat_map(|entry| entry.small()) {
        let start = game(board).unwrap().start();
        if start.repeats() {
            assert_eq!(value(&*start, "pns"), value(&*start, "score-bounded"), "{board}");
        }
    }
}
