//! Certificates that count plies: right ones are accepted, and of wrong ones exactly those that a
//! second, recursive verifier refuses. Distances come from a minimax of its own.

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use proofplay_certificate::{Certificate, Claim, Ends, Evidence, Statement, WriteError, verify, write};
use proofplay_core::{Bounds, Game, Line, Position, Rng, Score};
use proofplay_games::in_a_row::Any;
use proofplay_games::{breakthrough, connect4::Connect4, domineering, mnk::Mnk, nogo, seki, written, y};
use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};

const MEMORY: usize = 1 << 22;

/// Value, and plies to the end: the winner wants few, the loser many.
struct Truth<P>(HashMap<P, (Score, u16)>);

impl<P: Position> Truth<P> {
    fn of(&mut self, pos: &P) -> (Score, u16) {
        if let Some(score) = pos.outcome() {
            return (score, 0);
        }
        if let Some(&known) = self.0.get(pos) {
            return known;
        }
        let (mut moves, mover) = (Vec::new(), pos.turn());
        pos.moves(&mut moves);
        let worth = |&(score, plies): &(Score, u16)| {
            let own = score.seen_by(mover);
            (own, if own > Score::DRAW { -i32::from(plies) } else { i32::from(plies) })
        };
        let best = moves.iter().map(|&mv| self.of(&pos.after(mv))).max_by_key(worth).unwrap();
        let best = (best.0, best.1 + 1);
        self.0.insert(pos.clone(), best);
        best
    }
}

/// The score at the end of best play from a position, in the view of the claim's owner, and the
/// total number of plies.
fn keeps<P: Position>(truth: &mut Truth<P>, pos: &P, plies: usize, claim: Claim) -> bool {
    let (score, more) = truth.of(pos);
    claim.holds(score, plies + usize::from(more))
}

fn certify<G: Game>(game: &G, line: &Line, truth: &mut Truth<G::Pos>) -> Option<(Vec<u8>, u16)> {
    let root = line.position(game).unwrap();
    let (value, plies) = truth.of(&root);
    value.winner()?;
    let choose = |pos: &G::Pos, ply: usize, claim: Claim, good: &mut Vec<_>| {
        pos.moves(good);
        good.retain(|&mv| keeps(truth, &pos.after(mv), ply + 1, claim));
        if good.is_empty() { Err("no such move") } else { Ok(()) }
    };
    let statement = Statement::new(line.clone(), Bounds::exact(value)).after(Some(plies));
    let written = write(game, &statement.with_memory(MEMORY), choose, |_| true).unwrap();
    Some((written.bytes, plies))
}

/// The second verifier, for games with less than 128 moves: whether a strategy holds. It consumes
/// the numbers and counts the plies of the longest line.
struct Second<'a> {
    numbers: &'a [u8],
    seen: HashSet<(String, usize)>,
    /// The longest line below each position.
    longest: HashMap<(String, usize), usize>,
}

impl Second<'_> {
    /// The plies of the longest line from here, if all is well.
    fn holds<G: Game>(&mut self, game: &G, pos: &G::Pos, ply: usize, claim: Claim) -> Option<usize> {
        let within = usize::from(claim.within.unwrap());
        let wins = claim.score.winner() == Some(claim.owner);
        if let Some(score) = pos.outcome() {
            let (own, enough) = (score.seen_by(claim.owner), claim.score.seen_by(claim.owner));
            let in_time = if wins { ply <= within } else { ply >= within };
            return (own > enough || own == enough && in_time).then_some(0);
        }
        let range = game.start().range();
        let worst = if claim.owner == proofplay_core::Player::First { range.pess } else { range.opti };
        if !wins && claim.score == worst && ply + 1 >= within {
            return Some(0);
        }
        let here = (game.show(pos), ply);
        if !self.seen.insert(here.clone()) {
            return Some(self.longest[&here]);
        }
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        moves.sort_by_key(|&mv| game.show_move(pos, mv));
        if pos.turn() == claim.owner && moves.len() > 1 {
            let (&number, rest) = self.numbers.split_first()?;
            self.numbers = rest;
            moves = vec![*moves.get(usize::from(number))?];
        }
        let mut longest = 0;
        for mv in moves {
            longest = longest.max(1 + self.holds(game, &pos.after(mv), ply + 1, claim)?);
        }
        self.longest.insert(here, longest);
        Some(longest)
    }
}

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

/// The plies of the longest line of a certificate that the second verifier accepts.
fn second<G: Game>(game: &G, certificate: &Certificate) -> Option<usize> {
    let root = certificate.line.position(game).ok()?;
    let [at_least, at_most] = certificate.halves.map(|(claim, _)| claim.score);
    at_least.winner().filter(|_| at_least == at_most && game.start().range().contains(at_least))?;
    let mut longest = 0;
    for (claim, evidence) in certificate.halves {
        let Evidence::Strategy { positions, data } = evidence else { return None };
        let numbers = unpack(data);
        let mut half = Second { numbers: &numbers, seen: HashSet::new(), longest: HashMap::new() };
        longest = longest.max(half.holds(game, &root, 0, claim)?);
        if !half.numbers.is_empty() || half.seen.len() as u64 != positions {
            return None;
        }
    }
    Some(longest)
}

/// One change with a checksum that fits.
fn mutated(certificate: &Certificate, rng: &mut Rng) -> Vec<u8> {
    let mut changed = certificate.clone();
    let half = rng.below(2) as usize;
    let mut data = Vec::new();
    match rng.below(5) {
        0 => changed.within = changed.within.map(|plies| plies + 1),
        1 => changed.within = changed.within.map(|plies| plies.saturating_sub(1)),
        2 => changed.halves[half].0.score = Score(changed.halves[half].0.score.0 - 1),
        _ => {
            let Evidence::Strategy { positions, data: old } = changed.halves[half].1 else { unreachable!() };
            let mut numbers = unpack(old);
            match numbers.len() {
                0 => numbers.push(0),
                len => {
                    let at = rng.below(len as u32) as usize;
                    numbers[at] = (numbers[at] + 1 + rng.below(4) as u8) & 0x7f;
                }
            }
            data.extend(pack(&numbers));
            changed.halves[half].1 = Evidence::Strategy { positions, data: &data };
        }
    }
    changed.to_bytes().unwrap()
}

/// What was accepted and refused.
#[derive(Default)]
struct Tally {
    accepted: u32,
    refused: u32,
}

fn try_game<G: Game>(game: &G, rounds: u32, rng: &mut Rng, tally: &mut Tally) {
    let mut truth = Truth(HashMap::new());
    for round in 0..rounds {
        let (mut pos, mut line) = (game.start(), Line::start(&game.name()));
        for _ in 0..round % 5 {
            if pos.outcome().is_none() {
                let mv = pos.random_move(rng, &mut Vec::new());
                line.moves.push(game.show_move(&pos, mv));
                pos.play(mv);
            }
        }
        let Some((file, plies)) = certify(game, &line, &mut truth) else { continue };
        let certificate = Certificate::parse(&file).unwrap();
        let checked = verify(game, &certificate, MEMORY, |_| true);
        let checked = checked.unwrap_or_else(|error| panic!("{} {line:?}: {error}", game.name()));
        assert_eq!((checked.bounds, checked.within), (Bounds::exact(truth.of(&pos).0), Some(plies)));
        assert_eq!(second(game, &certificate), Some(checked.walked.longest), "{} {line:?}", game.name());
        // The longest line is one that can be played, and so long.
        assert_eq!(checked.longest.len(), checked.walked.longest);
        let played = Line { moves: [&line.moves[..], &checked.longest[..]].concat(), ..line.clone() };
        played.position(game).unwrap();
        for _ in 0..20 {
            let file = mutated(&certificate, rng);
            let changed = Certificate::parse(&file).unwrap();
            let accepted = verify(game, &changed, MEMORY, |_| true);
            assert_eq!(
                accepted.as_ref().ok().map(|checked| checked.walked.longest),
                second(game, &changed),
                "{} {line:?} {changed}",
                game.name()
            );
            match accepted {
                Ok(checked) => {
                    let (value, plies) = truth.of(&pos);
                    assert_eq!((checked.bounds, checked.within), (Bounds::exact(value), Some(plies)));
                    tally.accepted += 1;
                }
                Err(_) => tally.refused += 1,
            }
        }
    }
}

#[test]
fn what_is_accepted_is_true() {
    let (mut rng, mut tally) = (Rng::new(5), Tally::default());
    let (rng, tally) = (&mut rng, &mut tally);
    try_game(&Mnk::new(Any::<u64>::new(3, 3, 3)), 25, rng, tally);
    try_game(&Connect4::new(Any::<u64>::new(4, 3, 3)), 10, rng, tally);
    try_game(
        &domineering::Domineering::<u64>::new(domineering::Setup::parse("4x4").unwrap()),
        10,
        rng,
        tally,
    );
    try_game(&nogo::NoGo::<u64>::new(nogo::Setup::parse("3x3").unwrap()), 10, rng, tally);
    try_game(&y::Y::<u64>::new(y::Setup::parse("3").unwrap()), 10, rng, tally);
    // A piece that is captured has made any number of moves: positions come after different plies.
    try_game(
        &breakthrough::Breakthrough::<u64>::new(breakthrough::Setup::parse("3x4").unwrap()),
        20,
        rng,
        tally,
    );
    try_game(&seki::Seki::new(seki::Setup::parse("2,2").unwrap()), 10, rng, tally);
    for tree in ["((3 (3 -1)) 2)", "(1(3 5) (3 3) 2(3 (3 4)))", "((-2 -3) (-2 (-2 -2)))", "+", "(= (+ -) 7)"]
    {
        try_game(&written::Written::parse_tree(tree).unwrap(), 5, rng, tally);
    }
    assert!(tally.accepted > 20 && tally.refused > 1000, "{} {}", tally.accepted, tally.refused);
}

#[test]
fn plies_need_a_known_winner_and_ends_by_the_rules() {
    let game = domineering::Domineering::<u64>::new(domineering::Setup::parse("3x3").unwrap());
    let line = Line::start(&game.name());
    let choose = |_: &_, _, _, _: &mut Vec<_>| Ok::<(), ()>(());
    let drawn = Statement::new(line.clone(), Bounds::exact(Score::DRAW)).after(Some(4));
    let open = Statement::new(line.clone(), Bounds::new(Score::DRAW, Score::WIN)).after(Some(4));
    let counted = Statement::new(line, Bounds::exact(Score::WIN)).after(Some(4)).ending(Ends::Counted);
    for statement in [drawn, open, counted] {
        assert_eq!(write(&game, &statement, choose, |_| true), Err(WriteError::NoPlies));
    }
}
