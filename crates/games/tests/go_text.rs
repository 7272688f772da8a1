//! Arbitrary text of Go: positions, moves and SGF. Nothing panics, and what is written reads back.

use allocation_counter::measure;
use proofplay_core::{Game, Position, Rng, Score};
use proofplay_games::go::{Go, Setup, sgf};
use proptest::prelude::*;

/// A game of random moves in the words of the command line.
fn random_record(game: &Go<u128>, seed: u64, length: usize) -> sgf::Record {
    let (mut pos, mut rng, mut moves) = (game.start(), Rng::new(seed), Vec::new());
    let position = game.show(&pos);
    while pos.outcome().is_none() && moves.len() < length {
        let mv = pos.random_move(&mut rng, &mut Vec::new());
        moves.push(game.show_move(&pos, mv));
        pos.play(mv);
    }
    sgf::Record { game: game.name(), position, moves: moves.join(" ") }
}

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
    if let Ok(record) = sgf::read(text) {
        // What could be read can be set up, or is refused by the game, and can be written.
        let parameters = record.game.strip_prefix("go:").unwrap();
        let setup = Setup::parse(parameters).unwrap();
        if setup.cells() < 128 {
            let _ = Go::<u128>::new(setup).parse(&record.position);
        }
        let again = sgf::read(&sgf::write(&record, None).unwrap()).unwrap();
        assert_eq!(again, record);
    }
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
    fn sgf_like_bytes(bytes in prop::collection::vec(prop::sample::select(b"(;)[]BWSZKMAPL:\\abtt9. ".to_vec()), 0..80)) {
        read_everywhere(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutated_texts(seed in any::<u64>(), length in 0usize..60, changes in changes()) {
        let game = Go::<u128>::new(Setup::parse("9x9,komi=7.5").unwrap());
        let record = random_record(&game, seed, length);
        let mut pos = game.start();
        for mv in record.moves.split_whitespace() {
            pos.play(game.parse_move(&pos, mv).unwrap());
        }
        read_everywhere(&mutated(&game.show(&pos), &changes));
        read_everywhere(&mutated(&sgf::write(&record, Some(Score(15))).unwrap(), &changes));
        read_everywhere(&mutated("c3", &changes));
        read_everywhere(&mutated("9x9,komi=7.5,suicide=yes", &changes));
    }

    #[test]
    fn written_games_read_back(seed in any::<u64>(), cols in 1u32..=19, rows in 1u32..=6, length in 0usize..60) {
        let game = Go::<u128>::new(Setup { cols, rows, komi: (seed % 30) as i16 - 10, ..Setup::STANDARD });
        let record = random_record(&game, seed, length);
        prop_assert_eq!(sgf::read(&sgf::write(&record, Some(Score(3))).unwrap()), Ok(record));
    }
}

#[test]
fn files_of_others() {
    // A handicap game with comments, escapes, variations and white space; the pass of old files.
    let text = "\u{feff}(;GM[1]FF[4] SZ[9] KM[0.5]\nHA[2]AB[cc][gg]C[a \\] bracket (;B[aa\\])]\n;W[ee];B[](;W[gc]C[best])(;W[aa];B[bb]))";
    let record = sgf::read(text).unwrap();
    assert_eq!(record.game, "go:9x9,komi=0.5");
    assert_eq!(
        record.position,
        "........./........./..b....../........./........./........./......b../........./......... w"
    );
    assert_eq!(record.moves, "e5 pass g7");
    // Rectangles of stones, who is to move, a board that is not square, the default size.
    let record = sgf::read("(;SZ[4:3]AB[aa:ba][dc]AW[ab]PL[W])").unwrap();
    assert_eq!((record.game.as_str(), record.position.as_str()), ("go:4x3", "bb../w.../...b w"));
    assert_eq!(sgf::read("(;B[tt])").unwrap().game, "go:19x19");
    for (bad, why) in [
        ("", "a game begins"),
        ("(;SZ[9]", "no end"),
        ("(;SZ[9", "a value of SZ has no end"),
        ("(SZ[9])", "before the first node"),
        ("()", "no node"),
        ("(;SZ[20])", "SZ is a size from 1 to 19"),
        ("(;SZ[0])", "SZ is a size from 1 to 19"),
        ("(;GM[2])", "GM is 1 for Go"),
        ("(;KM[375])", "KM is komi"),
        ("(;KM[6.25])", "KM is komi"),
        ("(;SZ[9]AB[zz])", "no point"),
        ("(;SZ[9];B[aj])", "move 1: no point"),
        ("(;SZ[9];B[aa];B[bb])", "move 2: b moves out of turn"),
        ("(;SZ[9]PL[B];W[bb])", "move 1: w moves out of turn"),
        ("(;SZ[9];B[aa];AW[bb])", "before the first move"),
        ("(;PL[x])", "PL is B or W"),
        ("(;B)", "`B`: the property has no value"),
        ("(;%)", "expected here"),
    ] {
        let error = sgf::read(bad).expect_err(bad).to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
    let written = |komi: &str, score| {
        let game = format!("go:9x9,komi={komi}");
        let position =
            "........./........./........./........./........./........./........./........./......... b";
        sgf::write(&sgf::Record { game, position: position.into(), moves: "a1 pass".into() }, score)
    };
    let whole = "(;FF[4]GM[1]CA[UTF-8]AP[proofplay]SZ[9]KM[7.5]RE[W+0.5];B[ai];W[])\n";
    assert_eq!(written("7.5", Some(Score(-1))).unwrap(), whole);
    assert!(written("-0.5", Some(Score(2))).unwrap().contains("RE[B+1.5]"));
    assert!(written("7", Some(Score(2))).unwrap().contains("RE[B+2]"));
    assert!(sgf::write(&sgf::Record { game: "y:3".into(), ..record.clone() }, None).is_err());
    assert!(sgf::write(&sgf::Record { moves: "q99".into(), ..record }, None).is_err());
}

/// Comments may have any text, and the game is the same.
#[test]
fn comments() {
    let position = ".../.../... b".to_owned();
    let record = sgf::Record { game: "go:3x3,komi=0".to_owned(), position, moves: "a1 b2 pass".to_owned() };
    let comments = ["[odd] \\".to_owned(), "(;W[aa])".to_owned()];
    let text = sgf::annotated(&record, None, &comments).unwrap();
    assert!(text.ends_with(";B[ac]C[[odd\\] \\\\];W[bb]C[(;W[aa\\])];B[])\n"), "{text}");
    let read = sgf::read(&text).unwrap();
    assert_eq!((read.position, read.moves), (record.position, record.moves));
}

/// However a file is filled, reading it takes a few times its size at most, and nesting costs
/// nothing.
#[test]
fn memory_of_large_files() {
    const MANY: usize = 100_000;
    let pairs = |black: &str, white: &str| format!("{black}{white}").repeat(MANY / 2);
    let nested = format!("(;SZ[9]{}{}", pairs("(;B[aa]", "(;W[]"), ")".repeat(MANY + 1));
    let flat = format!("(;SZ[9]{})", pairs(";B[aa]", ";W[]"));
    assert_eq!(sgf::read(&nested), sgf::read(&flat));
    for text in [
        nested,
        flat,
        format!("(;SZ[9]{})", "AB[aa]".repeat(MANY)),
        format!("(;SZ[9]AB{})", "[aa]".repeat(MANY)),
        format!("(;SZ[9]C{})", "[\\]]".repeat(MANY)),
        format!("(;{}SZ[9])", "N[]".repeat(MANY)),
        format!("({};SZ[9])", "(".repeat(MANY)),
        format!("(;SZ[9]C[{}])", "\\x".repeat(MANY)),
        format!("(;SZ[9]){}", "(;B[aa])".repeat(MANY)),
    ] {
        let used = measure(|| assert!(sgf::read(&text).is_ok())).bytes_max;
        let (begin, length) = (&text[..20], text.len() as u64);
        assert!(used < 2 * length, "{begin}: {used} bytes for a file of {length}");
    }
}
