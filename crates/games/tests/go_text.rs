//! Arbitrary text of Go: positions and moves. Nothing panics, and what is written reads back.

use proofplay_core::{Game, Position, Rng};
use proofplay_games::go::{Go, Setup};
use proptest::prelude::*;

/// A text with some of its bytes changed, cut out or doubled.
fn mutated(text: &str, changes: &[(usize, u8, u8)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for &(place, kind, byte) in changes {
        let place = place % bytes.len().max(1);
        match kind % 4 {
            0 if place < bytes.len() => bytes[place] = byte,
            1 if place < bytes.len() => _ = bytes.remove(place),
            2 => bytes.insert(place, byte),
            _ => bytes.truncate(bytes.len() - place / 4),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Passes a text to everything that reads one.
fn read_everywhere(text: &str) {
    let game = Go::<u128>::new(Setup::STANDARD);
    let _ = Setup::parse(text);
    if let Ok(pos) = game.parse(text) {
        assert_eq!(game.parse(&game.show(&pos)).as_ref(), Ok(&pos));
    }
    let _ = game.parse_move(&game.start(), text);
}

fn changes() -> impl Strategy<Value = Vec<(usize, u8, u8)>> {
    let byte = prop_oneof![any::<u8>(), prop::sample::select(b"[]();:\\abwBWZ19 /.-".to_vec())];
    prop::collection::vec((any::<usize>(), any::<u8>(), byte), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_everywhere(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutated_texts(seed in any::<u64>(), length in 0usize..60, changes in changes()) {
        let game = Go::<u128>::new(Setup::parse("9x9,komi=7.5").unwrap());
        let (mut pos, mut rng) = (game.start(), Rng::new(seed));
        for _ in 0..length {
            if pos.outcome().is_none() {
                pos.play(pos.random_move(&mut rng, &mut Vec::new()));
            }
        }
        read_everywhere(&mutated(&game.show(&pos), &changes));
        read_everywhere(&mutated("c3", &changes));
        read_everywhere(&mutated("9x9,komi=7.5,suicide=yes", &changes));
    }
}
