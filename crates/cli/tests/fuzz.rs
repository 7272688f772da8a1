//! The inputs of the fuzz targets, and mutations of them, as ordinary tests.

mod common;

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use common::Folder;
use proofplay_core::Rng;
use std::path::Path;
use std::process::Command;
use std::{fs, panic};

/// The inputs of a target.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{target} has no inputs");
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// A few changes: bytes changed, left out, doubled, or taken from another input.
fn mutated(inputs: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut below = |bound: usize| rng.below(bound.max(1) as u32) as usize;
    let mut bytes = inputs[below(inputs.len())].clone();
    for _ in 0..=below(4) {
        let (at, other) = (below(bytes.len() + 1), &inputs[below(inputs.len())]);
        let end = bytes.len().min(at + 1 + below(8));
        let from = below(other.len());
        let piece = &other[from..other.len().min(from + 1 + below(16))];
        match below(6) {
            0 if at < bytes.len() => bytes[at] = below(256) as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << below(8),
            2 => drop(bytes.drain(at..end)),
            3 => drop(bytes.splice(at..end, piece.iter().copied())),
            4 => drop(bytes.splice(at..at, piece.iter().copied())),
            _ => bytes.extend_from_within(at..end),
        }
    }
    bytes
}

/// Hands inputs of a target and this many mutations of them to it.
fn check(name: &str, mutations: usize) {
    let (_, target) = targets::TARGETS.iter().find(|target| target.0 == name).unwrap();
    let (inputs, rng) = (corpus(name), &mut Rng::new(1));
    let mutations = std::iter::from_fn(|| Some(mutated(&inputs, rng))).take(mutations);
    for input in inputs.iter().cloned().chain(mutations) {
        let told = panic::catch_unwind(|| target(&input));
        assert!(told.is_ok(), "{name} fails on {}", input.escape_ascii());
    }
}

macro_rules! formats {
    ($($name:ident: $mutations:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), $mutations);
        })*

        #[test]
        fn every_target_is_tested() {
            let tested = [$(stringify!($name)),*];
            assert!(targets::TARGETS.iter().map(|target| target.0).eq(tested));
        }
    };
}

formats! {
    amounts: 5000,
    categories: 2000,
    certificate: 2000,
    checkpoint: 1000,
    checkpoint_file: 1000,
    game: 3000,
    gtp: 1000,
    moves: 2000,
    network: 2000,
    openings: 5000,
    position: 3000,
    record: 3000,
    sgf: 3000,
    spec: 2000,
    stdio: 1000,
    table: 2000,
    written: 2000,
}

/// The plan of a tournament is read by the program alone. It is refused in a line, or else there is
/// no place for the games.
#[test]
fn tournament() {
    let folder = Folder::new("fuzz-tournament");
    let (plan, inputs, rng) = (folder.file("plan"), corpus("tournament"), &mut Rng::new(1));
    let store = folder.file("plan/store");
    let mutations = std::iter::from_fn(|| Some(mutated(&inputs, rng))).take(100);
    let mut accepted = 0;
    for input in inputs.iter().cloned().chain(mutations) {
        fs::write(&plan, &input).unwrap();
        let program = env!("CARGO_BIN_EXE_proofplay");
        let output = Command::new(program).args(["tournament", &plan, "--store", &store]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        let good = output.status.code() == Some(1) && error.contains("store");
        let refused = output.status.code() == Some(2) && error.contains("plan");
        assert!((good || refused) && error.lines().count() == 1, "{}: {error}", input.escape_ascii());
        accepted += usize::from(good);
    }
    assert!((inputs.len()..80).contains(&accepted), "{accepted}");
}
