//! The test cases for reasoners of ggp-base behave as their comments say.

use super::{foreign_folder, read};
use crate::interpreter::Interpreter;
use std::path::PathBuf;

/// The moves of a game, one of each role, `|` between steps; then the goals.
const CASES: &[(&str, &str, &str)] = &[
    ("1a", "proceed", "100"),
    ("1b", "win", "100"),
    ("1b", "lose", "0"),
    ("2a", "(move move_next 0 1)|(move move_next 1 2)|(move move_next 2 3)|(move move_next 3 4)", "100"),
    ("3a", "(move correct_correct)", "100"),
    ("3b", "", "100"),
    ("3c", "win", "100"),
    ("3d", "win", "100"),
    ("3e", "", "100"),
    ("3f", "", "100 0 100"),
    ("4a", "a", "100"),
    ("5a", "proceed", "100"),
    ("5b", "(draw 1 1 1 2)", "100"),
    ("5c", "proceed", "100"),
    ("5d", "proceed", "100"),
    ("5e", "(reduce c 3)", "100"),
];

fn folder() -> Option<PathBuf> {
    let folder = foreign_folder()?.join("bsd3-ggp-base/test");
    assert!(folder.is_dir(), "{} is not there", folder.display());
    Some(folder)
}

#[test]
fn cases_end_as_they_should() {
    let Some(folder) = folder() else { return };
    for (name, moves, goals) in CASES {
        let path = folder.join(format!("test_case_{name}.kif"));
        let mut it = Interpreter::new(&read(&path).expect(name)).expect(name);
        let mut state = it.start();
        for step in moves.split('|').filter(|step| !step.is_empty()) {
            let seen = it.see(&state).expect(name);
            assert!(!seen.terminal, "{name}");
            let find = |mv: &u32| it.texts(&[*mv])[0] == step;
            let mv = *seen.legal[0].iter().find(|mv| find(mv)).unwrap_or_else(|| panic!("{name}: {step}"));
            state = it.next(&state, &[mv]).expect(name);
        }
        let seen = it.see(&state).expect(name);
        assert!(seen.terminal, "{name}");
        let found: Vec<String> = seen.goals.iter().map(|goals| it.texts(goals).join("/")).collect();
        assert_eq!(found.join(" "), *goals, "{name}");
    }
}

#[test]
fn cases_have_the_moves_they_should() {
    let Some(folder) = folder() else { return };
    let legal = |name: &str| {
        let mut it = Interpreter::new(&read(&folder.join(name)).expect(name)).expect(name);
        let start = it.start();
        let seen = it.see(&start).expect(name);
        it.texts(&seen.legal[0])
    };
    assert_eq!(legal("test_case_5e.kif").len(), 7, "the robot role should have seven legal moves");
    assert_eq!(legal("test_distinct_beginning_rule.kif").len(), 2, "2 legal moves, not 4");
    assert_eq!(legal("test_case_3c.kif"), ["win"], "what nothing defines never holds");
    assert_eq!(legal("test_case_3d.kif"), ["win"], "the initial state is that of `init`");
    assert_eq!(legal("test_case_2b.kif"), ["mov_left", "mov_right"]);
    assert_eq!(legal("test_case_2c.kif"), ["mov_left", "mov_right"]);
    assert_eq!(legal("simpleMutex.kif"), ["a", "b", "c"]);
    // The end of this one says whether every `not distinct` was understood.
    let mut it =
        Interpreter::new(&read(&folder.join("test_clean_not_distinct.kif")).expect("sound")).expect("small");
    let state = it.start();
    let goals = it.see(&state).expect("small").goals[0].clone();
    assert_eq!(it.texts(&goals), ["100"]);
}

#[test]
fn invalid_cases_are_refused() {
    let Some(folder) = folder() else { return };
    for name in ["function", "sentence"] {
        let flaw = read(&folder.join(format!("test_invalid_{name}_arities_differ.kif"))).expect_err(name);
        assert!(flaw.to_string().contains("2 arguments here; before 1 argument"), "{flaw}");
    }
}
