//! KataGo and Leela Zero say the same of positions as we do, with small random nets in their formats.
//!
//! How the files in `answers/` were made is in docs/NETWORKS.md.

mod answers;

use answers::compare;
use proofplay_core::{Family, Game, GameVisitor, Position};
use proofplay_games::go::Setup;
use proofplay_net::NetFile;
use proofplay_net::encoders::encoder;
use proofplay_net::encoders::katago::{GLOBALS, PLANES};
use std::path::PathBuf;

fn check(net: &str, answers: &str, positions: usize) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
    let file = NetFile::open(&folder.join(net)).unwrap();
    let answers = std::fs::read_to_string(folder.join(answers)).unwrap();
    let found = compare(&file, &answers).unwrap();
    assert!(found.agrees() && found.positions == positions, "{found}");
    // Other inputs give other outputs: with the moves of one position left out, nothing agrees.
    let line = answers.lines().find(|line| line.split('\t').nth(1).is_some_and(|moves| moves.len() > 50));
    let parts: Vec<&str> = line.unwrap().split('\t').collect();
    let shorter = parts[1].rsplit_once(' ').unwrap().0;
    let wrong = [parts[0], shorter, parts[2], parts[3], parts[4]].join("\t");
    assert!(compare(&file, &wrong).is_err() || !compare(&file, &wrong).unwrap().agrees());
}

/// Version 1.18.1: rectangles and squares, komi of all kinds, with and without suicide.
#[test]
fn katago_says_the_same() {
    check("katago.bin.gz", "katago.txt", 42);
}

/// Version 0.17.
#[test]
fn leela_zero_says_the_same() {
    check("leela.txt.gz", "leela.txt", 12);
}

/// Marks the planes and numbers that are not 0 somewhere.
struct Seen<'a> {
    moves: &'a str,
    planes: &'a mut [bool; PLANES],
    globals: &'a mut [bool; GLOBALS],
}

impl GameVisitor for Seen<'_> {
    type Out = ();
    fn visit<G: Game>(self, game: G) {
        let mut pos = game.start();
        for name in self.moves.split_ascii_whitespace() {
            pos.play(game.parse_move(&pos, name).unwrap());
        }
        let encoder = encoder("katago", &game).unwrap();
        let cells = encoder.board()[0] * encoder.board()[1];
        let (mut planes, mut globals) = (vec![0.0; PLANES * cells], vec![0.0; GLOBALS]);
        encoder.encode(&pos, &mut planes, &mut globals);
        for (seen, plane) in self.planes.iter_mut().zip(planes.chunks(cells)) {
            *seen |= plane.iter().any(|&x| x != 0.0);
        }
        for (seen, &number) in self.globals.iter_mut().zip(&globals) {
            *seen |= number != 0.0;
        }
    }
}

/// The positions of the answers have everything that KataGo reads under our rules, ladders and kos, too.
#[test]
fn every_input_is_compared() {
    let (mut planes, mut globals) = ([false; PLANES], [false; GLOBALS]);
    for line in include_str!("answers/katago.txt").lines() {
        let [game, moves, ..] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let parameters = game.strip_prefix("go:").unwrap();
        Setup::build(parameters, Seen { moves, planes: &mut planes, globals: &mut globals }).unwrap();
    }
    let unseen = |seen: &[bool]| -> Vec<usize> { (0..seen.len()).filter(|&number| !seen[number]).collect() };
    assert_eq!(unseen(&planes), [7, 8, 20, 21], "for an encore");
    assert_eq!(unseen(&globals), [9, 10, 11, 12, 13, 15, 16, 17], "for other rules and handicap");
}
