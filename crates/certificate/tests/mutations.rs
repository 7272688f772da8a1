//! Certificates of small games: right ones are accepted, and of wrong ones exactly those that a
//! second, recursive verifier refuses. Nothing that is accepted is false by brute force.

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use proofplay_certificate::{
    Certificate, Claim, Ends, Evidence, Fault, Refusal, Shape, Statement, VerifyError, WriteError, verify,
    write,
};
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Game, Line, Player, Position, Rng, Score};
use proofplay_games::in_a_row::Any;
use proofplay_games::{breakthrough, connect4::Connect4, domineering, mnk::Mnk, nogo, seki, written, y};
use std::collections::HashSet;
use std::io::{Read, Write};

const MEMORY: usize = 1 << 24;

/// Writes what is true of a position, or less if `bounds` say so, with the moves of brute force.
fn certify<G: Game>(game: &G, line: &Line, bounds: Bounds, ends: Ends, memo: &mut Memo<G::Pos>) -> Vec<u8> {
    let choose = |pos: &G::Pos, _, claim: Claim, good: &mut Vec<_>| {
        pos.moves(good);
        good.retain(|&mv| claim.holds(memo.value(&pos.after(mv)), 0));
        if good.is_empty() { Err("no such move") } else { Ok(()) }
    };
    let statement = Statement::new(line.clone(), bounds).ending(ends).with_memory(MEMORY);
    write(game, &statement, choose, |_| true).unwrap().bytes
}

fn check<G: Game>(game: &G, file: &[u8]) -> Result<Bounds, String> {
    let certificate = Certificate::parse(file).map_err(|e| e.to_string())?;
    verify(game, &certificate, MEMORY, |_| true).map(|checked| checked.bounds).map_err(|e| e.to_string())
}

/// The numbers of a strategy, and back.
fn unpack(data: &[u8]) -> Vec<u8> {
    let mut numbers = Vec::new();
    ZlibDecoder::new(data).read_to_end(&mut numbers).unwrap();
    numbers
}

fn pack(numbers: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(numbers).unwrap();
    encoder.finish().unwrap()
}

/// The second verifier: recursive, for games with less than 128 moves. Returns whether the strategy
/// holds, and consumes its numbers.
fn holds<G: Game>(
    game: &G,
    pos: &G::Pos,
    claim: Claim,
    ends: Ends,
    numbers: &mut &[u8],
    seen: &mut HashSet<String>,
) -> bool {
    let good = |score| match claim.owner {
        Player::First => score >= claim.score,
        Player::Second => score <= claim.score,
    };
    if let Some(score) = pos.outcome() {
        return good(score);
    }
    let ends_well =
        |pos: &G::Pos| pos.outcome().map_or_else(|| counted(game, pos, claim.owner).is_some_and(good), good);
    if ends == Ends::Counted && ends_well(pos) {
        return true;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves.sort_by_key(|&mv| game.show_move(pos, mv));
    let at_once = |mv: &_| ends_well(&pos.after(*mv));
    if ends == Ends::Counted && pos.turn() == claim.owner && moves.iter().any(at_once) {
        return true;
    }
    if !seen.insert(game.show(pos)) {
        return true;
    }
    if pos.turn() == claim.owner && moves.len() > 1 {
        let Some((&number, rest)) = numbers.split_first() else { return false };
        *numbers = rest;
        let Some(&mv) = moves.get(usize::from(number)) else { return false };
        moves = vec![mv];
    }
    moves.into_iter().all(|mv| holds(game, &pos.after(mv), claim, ends, numbers, seen))
}

/// Whether a game has a count.
fn counts<G: Game>(game: &G) -> bool {
    game.facts().is_some_and(|facts| facts.counts())
}

/// The count of a game.
fn counted<G: Game>(game: &G, pos: &G::Pos, player: Player) -> Option<Score> {
    game.facts().and_then(|facts| facts.counted(pos, player))
}

/// The score of a range that its owner likes the least.
fn worst(range: Bounds, owner: Player) -> Score {
    if owner == Player::First { range.pess } else { range.opti }
}

/// The second verifier's answer for a whole certificate.
fn second<G: Game>(game: &G, certificate: &Certificate) -> bool {
    let Ok(root) = certificate.line.position(game) else { return false };
    if certificate.ends == Ends::Counted && !counts(game) {
        return false;
    }
    let range = game.start().range();
    let half = |&(claim, evidence): &(Claim, Evidence)| match evidence {
        _ if claim.score < range.pess || claim.score > range.opti => false,
        Evidence::Rules => claim.score == worst(range, claim.owner),
        Evidence::Strategy { .. } if claim.score == worst(range, claim.owner) => false,
        Evidence::Strategy { positions, data } => {
            let (numbers, mut seen) = (unpack(data), HashSet::new());
            let mut rest = &numbers[..];
            holds(game, &root, claim, certificate.ends, &mut rest, &mut seen)
                && rest.is_empty()
                && seen.len() as u64 == positions
        }
    };
    certificate.halves[0].0.score <= certificate.halves[1].0.score && certificate.halves.iter().all(half)
}

/// One change with a checksum that fits.
fn mutated(certificate: &Certificate, other: &Line, rng: &mut Rng) -> Vec<u8> {
    let mut changed = certificate.clone();
    let half = rng.below(2) as usize;
    let (claim, evidence) = changed.halves[half];
    let mut data = Vec::new();
    match (rng.below(11), evidence) {
        (0, _) => changed.halves[half].0 = Claim { score: Score(claim.score.0 + 1), ..claim },
        (1, _) => changed.halves[half].0 = Claim { score: Score(claim.score.0 - 1), ..claim },
        // Far outside of what is possible, and a safe claim.
        (9, _) => {
            let score = Score(if half == 0 { -1 } else { 1 } * (2 + rng.below(30_000) as i16));
            changed.halves[half].0 = Claim { score, ..claim };
        }
        (10, _) => {
            let text = changed.line.from.get_or_insert_with(|| changed.position.clone());
            match rng.below(3) {
                0 => text.push(' '),
                1 => text.insert(0, ' '),
                _ => *text = text.replacen(' ', "  ", 1),
            }
            changed.line.moves.clear();
        }
        (2, _) => {
            changed.halves =
                [(changed.halves[0].0, changed.halves[1].1), (changed.halves[1].0, changed.halves[0].1)]
        }
        (3, _) => changed.line = other.clone(),
        (8, _) => {
            changed.ends = if changed.ends == Ends::Rules { Ends::Counted } else { Ends::Rules };
        }
        (4, Evidence::Strategy { positions, data }) => {
            changed.halves[half].1 = Evidence::Strategy { positions: positions + 1, data };
        }
        (kind, Evidence::Strategy { positions, data: old }) => {
            let mut numbers = unpack(old);
            let at = rng.below(numbers.len() as u32 + 1) as usize;
            match kind {
                5 => numbers.insert(at, rng.below(4) as u8),
                6 if at < numbers.len() => _ = numbers.remove(at),
                _ if at < numbers.len() => numbers[at] = (numbers[at] + 1 + rng.below(4) as u8) & 0x7f,
                _ => numbers.push(0),
            }
            data = pack(&numbers);
            changed.halves[half].1 = Evidence::Strategy { positions, data: &data };
        }
        (_, Evidence::Rules) => {
            data.extend(pack(&[]));
            changed.halves[half].1 = Evidence::Strategy { positions: 0, data: &data };
        }
    }
    changed.to_bytes().unwrap()
}

#[derive(Default)]
struct Tally {
    accepted: u32,
    refused: u32,
}

fn random_origin<G: Game>(game: &G, moves: u32, rng: &mut Rng) -> Line {
    let (mut pos, mut origin) = (game.start(), Line::start(&game.name()));
    for _ in 0..moves {
        if pos.outcome().is_none() {
            let mv = pos.random_move(rng, &mut Vec::new());
            origin.moves.push(game.show_move(&pos, mv));
            pos.play(mv);
        }
    }
    if rng.below(2) == 0 && !origin.moves.is_empty() {
        origin = Line { from: Some(game.show(&pos)), ..Line::start(&game.name()) };
    }
    origin
}

fn try_game<G: Game>(game: &G, rounds: u32, rng: &mut Rng, tally: &mut Tally) {
    let mut memo = Memo::new();
    for round in 0..rounds {
        let origin = random_origin(game, round % 6, rng);
        let value = memo.value(&origin.position(game).unwrap());
        let range = game.start().range();
        // Sometimes only one half is claimed, or less than is true.
        let bounds = match round % 4 {
            3 => Bounds::new(value, range.opti),
            2 => Bounds::new(Score((value.0 - 1).max(range.pess.0)), value),
            _ => Bounds::exact(value),
        };
        let ends = if counts(game) && round % 2 == 1 { Ends::Counted } else { Ends::Rules };
        let file = certify(game, &origin, bounds, ends, &mut memo);
        assert_eq!(check(game, &file), Ok(bounds), "{}", game.name());
        let certificate = Certificate::parse(&file).unwrap();
        assert!(second(game, &certificate), "{}", game.name());
        let other = random_origin(game, 1 + round % 5, rng);
        for _ in 0..60 {
            let changed = mutated(&certificate, &other, rng);
            let (result, parsed) = (check(game, &changed), Certificate::parse(&changed).unwrap());
            if let Ok(bounds) = result {
                let truth = memo.value(&parsed.line.position(game).unwrap());
                assert!(bounds.contains(truth), "{}: {bounds} but {truth}\n{parsed}", game.name());
            }
            // Another origin is refused because its position is not the one named, or not named in
            // the one way.
            let plain = parsed
                .line
                .from
                .as_ref()
                .is_none_or(|from| game.parse(from).is_ok_and(|pos| game.show(&pos) == *from));
            let same =
                plain && parsed.line.position(game).is_ok_and(|pos| game.show(&pos) == parsed.position);
            assert_eq!(
                result.is_ok(),
                same && second(game, &parsed),
                "{}: {result:?}\n{parsed}",
                game.name()
            );
            tally.accepted += u32::from(result.is_ok());
            tally.refused += u32::from(result.is_err());
        }
    }
}

#[test]
fn small_boards() {
    let (mut rng, mut tally) = (Rng::new(5), Tally::default());
    let rng = &mut rng;
    try_game(&Mnk::new(Any::<u64>::new(3, 3, 3)), 24, rng, &mut tally);
    try_game(&Connect4::new(Any::<u64>::new(4, 4, 3)), 24, rng, &mut tally);
    try_game(&Connect4::new(Any::<u64>::new(3, 5, 4)), 12, rng, &mut tally);
    for size in ["4x4", "5x3,first=H", "1x6", "3x5"] {
        let setup = domineering::Setup::parse(size).unwrap();
        try_game(&domineering::Domineering::<u64>::new(setup), 16, rng, &mut tally);
    }
    try_game(&nogo::NoGo::<u64>::new(nogo::Setup::parse("3x3").unwrap()), 24, rng, &mut tally);
    try_game(&y::Y::<u64>::new(y::Setup { size: 3 }), 12, rng, &mut tally);
    try_game(&seki::Seki::new(seki::Setup::parse("2,2").unwrap()), 24, rng, &mut tally);
    let setup = breakthrough::Setup::parse("3x5,rows=1").unwrap();
    try_game(&breakthrough::Breakthrough::<u64>::new(setup), 12, rng, &mut tally);
    assert!(tally.accepted > 100 && tally.refused > 1000, "{} {}", tally.accepted, tally.refused);
}

/// Any points, any order of movers.
#[test]
fn random_trees() {
    fn tree(depth: u32, rng: &mut Rng) -> String {
        if depth == 0 || rng.below(6) == 0 {
            return (i64::from(rng.below(7)) - 3).to_string();
        }
        let children: Vec<String> = (0..1 + rng.below(4)).map(|_| tree(depth - 1, rng)).collect();
        format!("{}({})", 1 + rng.below(2), children.join(" "))
    }
    let (mut rng, mut tally) = (Rng::new(6), Tally::default());
    for _ in 0..150 {
        let game = written::Written::parse_tree(&tree(5, &mut rng)).unwrap();
        try_game(&game, 4, &mut rng, &mut tally);
    }
    assert!(tally.accepted > 1000 && tally.refused > 10_000, "{} {}", tally.accepted, tally.refused);
}

/// Every bit of a file, and every length.
#[test]
fn damaged_files() {
    let game = Mnk::new(Any::<u64>::new(3, 3, 3));
    let origin = Line::start(&game.name()).then("b2 a1");
    let file = certify(&game, &origin, Bounds::exact(Score::DRAW), Ends::Rules, &mut Memo::new());
    assert_eq!(check(&game, &file), Ok(Bounds::exact(Score::DRAW)));
    for length in 0..file.len() {
        assert!(check(&game, &file[..length]).is_err(), "{length} bytes");
    }
    for bit in 0..8 * file.len() {
        let mut bad = file.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(check(&game, &bad).is_err(), "bit {bit}");
    }
    // The same flips in the data with a checksum that fits.
    let certificate = Certificate::parse(&file).unwrap();
    let mut refused = 0;
    for (half, (_, evidence)) in certificate.halves.iter().enumerate() {
        let &Evidence::Strategy { positions, data } = evidence else { panic!("both halves are needed") };
        for bit in 0..8 * data.len() {
            let mut bad = data.to_vec();
            bad[bit / 8] ^= 1 << (bit % 8);
            let mut changed = certificate.clone();
            changed.halves[half].1 = Evidence::Strategy { positions, data: &bad };
            let result = check(&game, &changed.to_bytes().unwrap());
            // A few bits of a zlib stream mean nothing: how hard the writer tried, and what fills
            // its last byte.
            refused += u32::from(result.is_err());
            assert!(result.is_err() || unpack(&bad) == unpack(data), "bit {bit} of half {half}");
        }
    }
    assert!(refused > 100);
}

#[test]
fn refusals_name_the_place() {
    let game = written::Written::parse_tree("((+ -) (+ (= -)) -)").unwrap();
    let with = |numbers: &[u8], score: i16, positions: u64| {
        let data = pack(numbers);
        let certificate = Certificate {
            line: Line::start(&game.name()),
            position: "0".to_owned(),
            shape: Shape::Graph,
            within: None,
            ends: Ends::Rules,
            halves: [
                (Claim::at_least(Score(score)), Evidence::Strategy { positions, data: &data }),
                (Claim::at_most(Score(1)), Evidence::Rules),
            ],
            intact: true,
        };
        check(&game, &certificate.to_bytes().unwrap())
    };
    assert_eq!(with(&[1, 0], 0, 3), Ok(Bounds::new(Score(0), Score(1))));
    let error = |numbers, score, positions| with(numbers, score, positions).unwrap_err();
    let refused = |why: &str| format!("certificate refused: {why}");
    assert_eq!(
        error(&[1, 0], 1, 3),
        refused("at least +1, ply 3, after `1 1 0`: the game ends with score 0")
    );
    assert_eq!(error(&[0, 0], 0, 3), refused("at least 0, ply 2, after `0 1`: the game ends with score -1"));
    assert_eq!(
        error(&[1], 0, 3),
        refused("at least 0, ply 2, after `1 1`: the data end where a move is needed")
    );
    assert_eq!(
        error(&[1, 2], 0, 3),
        refused(
            "at least 0, ply 2, after `1 1`: move number 2 does not exist, 2 moves are legal (counted from 0)"
        )
    );
    assert_eq!(error(&[1, 0, 0], 0, 3), refused("at least 0: data are left over at the end"));
    assert_eq!(error(&[1, 0], 0, 4), refused("at least 0: there are 3 positions, not 4"));
    assert_eq!(error(&[1, 0], 2, 3), refused("no value is at least +2 and at most +1"));
}

/// Everything in the head has one form, and is possible.
#[test]
fn heads_are_exact() {
    let game = Mnk::new(Any::<u64>::new(3, 3, 3));
    let origin = Line::start(&game.name()).then("b2 a1");
    let file = certify(&game, &origin, Bounds::exact(Score::DRAW), Ends::Rules, &mut Memo::new());
    let certificate = Certificate::parse(&file).unwrap();
    let with = |half: usize, score: i16, evidence| {
        let mut changed = certificate.clone();
        changed.halves[half] = (Claim { score: Score(score), ..changed.halves[half].0 }, evidence);
        check(&game, &changed.to_bytes().unwrap())
    };
    let refused = |why: &str| Err(format!("certificate refused: {why}"));
    assert_eq!(with(1, 1, Evidence::Rules), Ok(Bounds::new(Score(0), Score(1))));
    assert_eq!(with(0, -1, Evidence::Rules), Ok(Bounds::new(Score(-1), Score(0))));
    for (half, score, claim) in [(1, 5, "at most +5"), (1, 32767, "at most +32767"), (0, -2, "at least -2")] {
        let why = format!("{claim}: scores of this game are from -1 to +1");
        assert_eq!(with(half, score, Evidence::Rules), refused(&why));
        assert_eq!(with(half, score, certificate.halves[half].1), refused(&why));
    }
    assert_eq!(with(1, 0, Evidence::Rules), refused("the rules alone do not prove at most 0"));
    assert_eq!(with(0, 0, Evidence::Rules), refused("the rules alone do not prove at least 0"));
    let strategy = certificate.halves[1].1;
    assert_eq!(with(1, 1, strategy), refused("at most +1 follows from the rules and has no strategy"));
    // The data of a strategy are a zlib stream, even where there is nothing to choose.
    let over = Line::start(&game.name()).then("a1 b1 a2 b2 c3 b3");
    let file = certify(&game, &over, Bounds::exact(Score::LOSS), Ends::Rules, &mut Memo::new());
    let mut lost = Certificate::parse(&file).unwrap();
    assert_eq!(check(&game, &file), Ok(Bounds::exact(Score::LOSS)));
    lost.halves[1].1 = Evidence::Strategy { positions: 0, data: &[] };
    assert!(check(&game, &lost.to_bytes().unwrap()).is_err());
    // The text of a position is the one that the game writes.
    let from = Line { from: Some("x.o/.x./... o".to_owned()), ..Line::start(&game.name()).then("c1") };
    let file = certify(&game, &from, Bounds::exact(Score::DRAW), Ends::Rules, &mut Memo::new());
    let certificate = Certificate::parse(&file).unwrap();
    let with = |from: &str| {
        let line = Line { from: Some(from.to_owned()), ..certificate.line.clone() };
        check(&game, &Certificate { line, ..certificate.clone() }.to_bytes().unwrap())
    };
    assert_eq!(with("x.o/.x./... o"), Ok(Bounds::exact(Score::DRAW)));
    let typed = Line { from: Some("  x.o/.x./...   o".to_owned()), ..certificate.line.clone() };
    assert_eq!(certify(&game, &typed, Bounds::exact(Score::DRAW), Ends::Rules, &mut Memo::new()), file);
    for other in ["x.o/.x./...  o", " x.o/.x./... o", "x.o/.x./... o "] {
        assert_eq!(with(other), refused(&format!("`from: {other}` should be `from: x.o/.x./... o`")));
    }
}

/// A line may end where the count decides, and nowhere else.
#[test]
fn ends_that_the_count_does_not_decide_are_refused() {
    let game = domineering::Domineering::<u64>::new(domineering::Setup::parse("4x4").unwrap());
    let with = |text: &str, ends, numbers: &[u8], positions| {
        let data = pack(numbers);
        let strategy = Evidence::Strategy { positions, data: &data };
        let certificate = Certificate {
            line: Line { from: Some(text.to_owned()), ..Line::start(&game.name()) },
            position: text.to_owned(),
            shape: Shape::Graph,
            within: None,
            ends,
            halves: [(Claim::at_least(Score::WIN), strategy), (Claim::at_most(Score::WIN), Evidence::Rules)],
            intact: true,
        };
        check(&game, &certificate.to_bytes().unwrap())
    };
    // A safe domino of V and no cells for H: decided, but the game continues.
    let (won, proven) = ("##.#/##.#/..##/#### h", Ok(Bounds::exact(Score::WIN)));
    assert_eq!(with(won, Ends::Counted, &[], 0), proven);
    // In a column of four V is the only one to move.
    let column = ".###/.###/.###/.### v";
    assert_eq!(with(column, Ends::Counted, &[], 0), proven);
    let refused = |why: &str| Err(format!("certificate refused: {why}"));
    let ended = "at least +1, ply 0: the data end where a move is needed";
    assert_eq!(with(column, Ends::Rules, &[], 0), refused(ended));
    // Who begins wins a square: after any move the other side has none, so the rules alone decide.
    assert_eq!(with("####/####/..##/..## v", Ends::Counted, &[], 0), proven);
    // V wins the whole board, but no count sees it.
    assert_eq!(with("..../..../..../.... v", Ends::Counted, &[], 0), refused(ended));
    // A square and two rows that are safe for H, which wins by the count.
    let lost = "..##/##../..##/..## v";
    assert_eq!(with(lost, Ends::Counted, &[], 0), refused(ended));
    let line = "at least +1, ply 4, after `a1-a2 a4-b4 b1-b2 c3-d3`";
    assert_eq!(with(lost, Ends::Counted, &[0], 3), refused(&format!("{line}: the game ends with score -1")));
    let other = Mnk::new(Any::<u64>::new(3, 3, 3));
    let file = certify(
        &other,
        &Line::start(&other.name()),
        Bounds::exact(Score::DRAW),
        Ends::Rules,
        &mut Memo::new(),
    );
    let counted = Certificate { ends: Ends::Counted, ..Certificate::parse(&file).unwrap() };
    let no_count = VerifyError::Refused(Refusal::NoCount);
    assert_eq!(verify(&other, &counted, MEMORY, |_| true), Err(no_count));
}

/// A false claim cannot be written.
#[test]
fn a_strategy_that_fails_is_not_written() {
    let game = written::Written::parse_tree("((+ -) =)").unwrap();
    let bounds = Bounds::exact(Score::WIN);
    let first = |_: &_, _, _, good: &mut Vec<u16>| {
        good.push(0);
        Ok::<_, ()>(())
    };
    let statement = Statement::new(Line::start(&game.name()), bounds).with_memory(MEMORY);
    let result = write(&game, &statement, first, |_| true);
    let line = vec!["0".to_owned(), "1".to_owned()];
    let claim = Claim::at_least(Score::WIN);
    assert_eq!(result, Err(WriteError::Walk { claim, line, fault: Fault::Score(Score::LOSS) }));
}

#[test]
fn limits_are_no_refusals() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 3));
    let file =
        certify(&game, &Line::start(&game.name()), Bounds::exact(Score::WIN), Ends::Rules, &mut Memo::new());
    let certificate = Certificate::parse(&file).unwrap();
    assert_eq!(verify(&game, &certificate, 0, |_| true), Err(VerifyError::Memory(48)));
    assert_eq!(verify(&game, &certificate, MEMORY, |_| false), Err(VerifyError::Stopped));
    let tree = Certificate { shape: Shape::Tree, ..certificate.clone() };
    let wrong_shape = VerifyError::Refused(Refusal::Shape(Shape::Graph));
    assert_eq!(verify(&game, &tree, MEMORY, |_| true), Err(wrong_shape));
    let other = Connect4::new(Any::<u64>::new(4, 5, 3));
    let wrong_game = Refusal::Game("connect4:4x4k3".to_owned());
    assert_eq!(verify(&other, &certificate, MEMORY, |_| true), Err(VerifyError::Refused(wrong_game)));
}
