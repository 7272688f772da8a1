//! SWI-Prolog plays random games from the same sheets; every position must be the same.

use super::{all_sheets, is_slow, often, read};
use crate::interpreter::Interpreter;
use std::path::Path;
use std::process::Command;

/// Compares the lines of the oracle with the interpreter; returns the number of positions.
fn compare(path: &Path, it: &mut Interpreter, lines: &str) -> usize {
    let name = path.display();
    let (mut state, mut seen, mut positions) = (Vec::new(), Default::default(), 0);
    let sorted = |terms: &[&str]| {
        let mut terms: Vec<String> = terms.iter().map(|&term| term.to_owned()).collect();
        terms.sort_unstable();
        terms
    };
    for line in lines.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let terms = &parts[1..];
        let role = || it.roles.iter().position(|&role| it.texts(&[role])[0] == terms[0]).expect("a role");
        match parts[0] {
            "game" => state = it.start(),
            "state" => {
                assert_eq!(it.texts(&state), sorted(terms), "{name}: what is true");
                seen = it.see(&state).expect("not too large");
                positions += 1;
            }
            "terminal" => assert_eq!(seen.terminal, terms == ["yes"], "{name}: {:?}", it.texts(&state)),
            "legal" => {
                let legal = it.texts(&seen.legal[role()]);
                assert_eq!(legal, sorted(&terms[1..]), "{name}: legal for {}", terms[0]);
            }
            "goal" => {
                let goals = it.texts(&seen.goals[role()]);
                assert_eq!(goals, sorted(&terms[1..]), "{name}: goals of {}", terms[0]);
            }
            "play" => {
                let find = |(legal, text): (&Vec<u32>, &&str)| {
                    *legal.iter().find(|&&mv| it.texts(&[mv])[0] == *text).expect("a legal move")
                };
                let joint: Vec<u32> = seen.legal.iter().zip(terms).map(find).collect();
                state = it.next(&state, &joint).expect("not too large");
            }
            other => panic!("{name}: the oracle said {other}"),
        }
    }
    positions
}

#[test]
fn prolog_agrees_with_the_interpreter() {
    if Command::new("swipl").arg("--version").output().is_err() {
        eprintln!("*** SWI-PROLOG IS NOT INSTALLED: RULE SHEETS ARE NOT COMPARED WITH IT ***");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/oracle.pl");
    for path in all_sheets() {
        if often(1, 0) == 1 && is_slow(&path) {
            continue;
        }
        let Ok(sheet) = read(&path) else { continue };
        let mut it = Interpreter::new(&sheet).expect("small");
        let (games, steps) = (often(2, 20).to_string(), often(40, 300).to_string());
        let output = Command::new("swipl").arg(script).arg(&path).args([&games, &steps, "1"]).output();
        let output = output.expect("swipl runs");
        assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8_lossy(&output.stdout);
        assert!(compare(&path, &mut it, &lines) > 0, "{}", path.display());
    }
}
