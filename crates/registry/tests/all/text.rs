//! Arbitrary text, for every game: parameters, positions and moves. Nothing panics, and what can be
//! read is written so that it reads back the same.

use proofplay_core::Rng;
use proofplay_registry::{DynGame, DynPosition, GAMES, game};
use proptest::prelude::*;
use std::path::Path;

/// The example of every game, and boards with other words of bits and all options.
fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().flat_map(|entry| entry.boards())
}

/// A position some random moves into a game.
fn random_position(game: &dyn DynGame, rng: &mut Rng) -> Box<dyn DynPosition> {
    let mut pos = game.start();
    for _ in 0..rng.below(30) {
        let legal = pos.legal();
        if legal.is_empty() {
            break;
        }
        pos.play(&legal[rng.below(legal.len() as u32) as usize]).unwrap();
    }
    pos
}

/// A text with some of its characters changed, cut out, doubled or exchanged with those at other
/// places.
fn mutated(text: &str, changes: &[(usize, u8, char)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for &(place, kind, letter) in changes {
        let (place, len) = (place % letters.len().max(1), letters.len());
        match kind % 5 {
            0 if place < len => letters[place] = letter,
            1 if place < len => _ = letters.remove(place),
            2 => letters.insert(place, letter),
            3 if place < len => letters.swap(place, (place * 7 + 3) % len),
            _ => letters.truncate(len - place / 4),
        }
    }
    letters.into_iter().collect()
}

/// Passes a text to everything that reads one.
fn read_everywhere(name: &str, pos: &dyn DynPosition, text: &str) {
    let here = game(name).unwrap();
    if let Ok(read) = here.parse(text) {
        let shown = read.text();
        let again =
            here.parse(&shown).unwrap_or_else(|e| panic!("{name}: {text:?} is written {shown:?}: {e}"));
        assert_eq!(again.text(), shown, "{name}: {text:?}");
        assert_eq!(again.outcome(), read.outcome(), "{name}: {text:?}");
        assert_eq!(read.outcome().is_some(), read.legal().is_empty(), "{name}: {text:?}");
    }
    let mut next = pos.boxed();
    if next.play(text).is_ok() {
        assert!(pos.legal().iter().any(|legal| legal == text), "{name}: {text:?} is played but not listed");
    }
    let family = name.split_once(':').map_or(name, |(family, _)| family);
    if let Ok(other) = game(&format!("{family}:{text}")) {
        let named =
            game(&other.name()).unwrap_or_else(|e| panic!("{text:?} is called {:?}: {e}", other.name()));
        assert_eq!(named.name(), other.name());
        assert_eq!(named.start().text(), other.start().text());
    }
}

fn changes() -> impl Strategy<Value = Vec<(usize, u8, char)>> {
    let letter = prop_oneof![
        any::<char>(),
        prop::sample::select("/.- xobwBWvhVH#123456789,=akKTrs*()+".chars().collect::<Vec<_>>())
    ];
    prop::collection::vec((any::<usize>(), any::<u8>(), letter), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn random_texts(text in any::<String>(), likely in "[-/.xobwBWvh0-9 ,=]{0,40}") {
        for name in games() {
            let start = game(name).unwrap().start();
            read_everywhere(name, &*start, &text);
            read_everywhere(name, &*start, &likely);
        }
    }

    #[test]
    fn mutated_texts(seed in any::<u64>(), changes in changes()) {
        let mut rng = Rng::new(seed);
        for name in games() {
            let pos = random_position(&*game(name).unwrap(), &mut rng);
            read_everywhere(name, &*pos, &mutated(&pos.text(), &changes));
            let legal = pos.legal();
            if !legal.is_empty() {
                let mv = &legal[rng.below(legal.len() as u32) as usize];
                read_everywhere(name, &*pos, mv);
                read_everywhere(name, &*pos, &mutated(mv, &changes));
            }
            let parameters = name.split_once(':').map_or("", |(_, parameters)| parameters);
            read_everywhere(name, &*pos, &mutated(parameters, &changes));
        }
    }
}

/// The table of texts in docs/CERTIFICATES.md has every game and is right.
#[test]
fn texts_as_documented() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/CERTIFICATES.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("| game | start | some moves |").unwrap();
    let mut documented = Vec::new();
    for row in table.lines().skip(2).take_while(|row| row.starts_with('|')) {
        let quoted =
            |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
        let cells: Vec<_> = row.split('|').skip(1).take(3).map(quoted).collect();
        let [name, start, moves] = &cells[..] else { panic!("{row}") };
        let pos = game(&name[0]).unwrap().start();
        assert_eq!((pos.game(), pos.text()), (name[0].clone(), start[0].clone()));
        assert!(!moves.is_empty() && moves.iter().all(|mv| pos.legal().contains(mv)), "{row}");
        documented.push(name[0].split(':').next().unwrap().to_owned());
    }
    assert!(GAMES.iter().all(|entry| documented.iter().any(|name| name == entry.name())), "{documented:?}");
    let after = |name: &str, moves: &str| {
        let mut pos = game(name).unwrap().start();
        moves.split_whitespace().for_each(|mv| pos.play(mv).unwrap());
        pos.text()
    };
    assert_eq!(after("seki:3,4", "o1"), ".../../#... min 0");
    assert_eq!(after("seki:1,1,0", ""), ".//. max 0");
    assert_eq!(["0", "1", "2"].map(|mv| after("written:((+ -) = (- =))", mv)), ["1", "4", "5"]);
}
