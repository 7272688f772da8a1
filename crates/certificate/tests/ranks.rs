//! Certificates that leave histories aside: on maps where places repeat, nothing is accepted that is false by brute force, which
//! knows the history, and no history is taken for another one.

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use proofplay_certificate::{
    Certificate, Claim, Evidence, Fault, Refusal, Shape, Statement, VerifyError, WriteError, verify, write,
};
use proofplay_core::{Bounds, Game, Key, Line, Player, Position, Rng, Score, TextError, View, minimax, mix};
use proofplay_games::{checkers, go, mnk};
use std::io::{Read, Write};

const MEMORY: usize = 1 << 22;
/// The places of a map.
const PLACES: usize = 6;

/// A token walks from place to place; the third time in a place is a draw.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Map(&'static [Place]);

#[derive(PartialEq, Eq, Hash, Debug)]
struct Place {
    mover: Player,
    /// A score is an end of the game.
    ways: Vec<Result<usize, Score>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Token {
    map: &'static [Place],
    at: usize,
    /// How often it was where.
    times: [u8; PLACES],
    end: Option<Score>,
}

impl Position for Token {
    type Move = u8;
    fn turn(&self) -> Player {
        self.map[self.at].mover
    }
    fn outcome(&self) -> Option<Score> {
        self.end
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..self.map[self.at].ways.len() as u8);
    }
    fn play(&mut self, mv: u8) {
        match self.map[self.at].ways[usize::from(mv)] {
            Err(score) => self.end = Some(score),
            Ok(to) => {
                self.at = to;
                self.times[to] += 1;
                self.end = (self.times[to] == 3).then_some(Score::DRAW);
            }
        }
    }
    fn key(&self) -> Key {
        mix(self.times.iter().fold(self.at as u128, |key, &times| key << 8 | u128::from(times)))
    }
    fn packed(&self) -> Option<u128> {
        Some(self.at as u128)
    }
    fn unpacked(&self, number: u128) -> Token {
        Map(self.map).at(number as usize)
    }
    fn has_repeated(&self) -> bool {
        (0..PLACES).any(|place| place != self.at && self.times[place] == 2)
    }
}

impl Map {
    /// From a line for each place: `1` or `2` for its mover, then numbers of places, and scores after a `=`.
    fn parse(text: &str) -> Map {
        let place = |line: &str| {
            let mut words = line.split_whitespace();
            let mover = if words.next() == Some("1") { Player::First } else { Player::Second };
            let way =
                |word: &str| word.parse().map_err(|_| Score(word.trim_start_matches('=').parse().unwrap()));
            Place { mover, ways: words.map(way).collect() }
        };
        let map: Vec<Place> = text.split('|').map(place).collect();
        Map(map.leak())
    }

    fn random(rng: &mut Rng) -> Map {
        let mut place = |_| {
            let mover = Player::BOTH[rng.below(2) as usize];
            let mut way = || match rng.below(5) {
                0 => Err(Score(rng.below(3) as i16 - 1)),
                _ => Ok(rng.below(PLACES as u32) as usize),
            };
            let ways = vec![way(), way()];
            Place { mover, ways: ways.into_iter().take(1 + rng.below(2) as usize).collect() }
        };
        let map: Vec<Place> = (0..PLACES).map(&mut place).collect();
        Map(map.leak())
    }

    fn at(&self, at: usize) -> Token {
        let mut times = [0; PLACES];
        times[at] = 1;
        Token { map: self.0, at, times, end: None }
    }
}

impl Game for Map {
    type Pos = Token;
    fn name(&self) -> String {
        "map".to_owned()
    }
    fn start(&self) -> Token {
        self.at(0)
    }
    fn parse(&self, text: &str) -> Result<Token, TextError> {
        let at = text.parse().ok().filter(|&at| at < self.0.len());
        at.map(|at| self.at(at)).ok_or_else(|| TextError::new("position", text, "no such place"))
    }
    fn show(&self, pos: &Token) -> String {
        pos.end.map_or_else(|| pos.at.to_string(), |score| format!("end {score}"))
    }
    fn show_move(&self, _: &Token, mv: u8) -> String {
        mv.to_string()
    }
    fn side(&self, _: Player) -> &str {
        "somebody"
    }
    fn view(&self, _: &Token) -> View {
        View::default()
    }
}

/// By place: the plies in which `winner` wins from there if endless play is a draw, by sweeps.
fn wins(map: &[Place], winner: Player) -> Vec<Option<u32>> {
    let mut plies = vec![None; map.len()];
    loop {
        let rank = |way: &Result<usize, Score>, plies: &[Option<u32>]| match *way {
            Ok(to) => plies[to],
            Err(score) => (score.winner() == Some(winner)).then_some(0),
        };
        let joins = |place: &Place| {
            let ranks: Vec<_> = place.ways.iter().map(|way| rank(way, &plies)).collect();
            let best = ranks.iter().flatten().min().copied();
            let worst = ranks.iter().all(Option::is_some).then(|| ranks.iter().flatten().max().copied());
            if place.mover == winner { best } else { worst.flatten() }
        };
        let next: Vec<_> = map.iter().map(|place| joins(place).map(|plies| plies + 1)).collect();
        if next == plies {
            return plies;
        }
        plies = next;
    }
}

/// The moves by which the owner of a claim keeps it: on the shortest way, or any that does not lose.
fn keeps(map: &[Place], pos: &Token, claim: Claim) -> Vec<u8> {
    let wins = [wins(map, Player::First), wins(map, Player::Second)];
    let [ours, theirs] = [&wins[claim.owner.index()], &wins[(!claim.owner).index()]];
    let fits = |way: &Result<usize, Score>| match *way {
        Err(score) => claim.holds(score, 0),
        Ok(to) if claim.wins() => ours[to].is_some_and(|plies| Some(plies + 1) == ours[pos.at]),
        Ok(to) => theirs[to].is_none(),
    };
    let ways = map[pos.at].ways.iter();
    ways.enumerate().filter(|(_, way)| fits(way)).map(|(i, _)| i as u8).collect()
}

fn certify(game: &Map, line: &Line, bounds: Bounds) -> Result<Vec<u8>, WriteError<&'static str>> {
    let choose = |pos: &Token, _, claim: Claim, good: &mut Vec<u8>| {
        assert_eq!(pos.times.iter().sum::<u8>(), 1, "a position without a history");
        good.extend(keeps(game.0, pos, claim));
        if good.is_empty() { Err("no such move") } else { Ok(()) }
    };
    let statement = Statement::new(line.clone(), bounds).by_ranks().with_memory(MEMORY);
    write(game, &statement, choose, |_| true).map(|written| written.bytes)
}

fn check<G: Game>(game: &G, file: &[u8]) -> Result<Bounds, VerifyError> {
    verify(game, &Certificate::parse(file).unwrap(), MEMORY, |_| true).map(|checked| checked.bounds)
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

/// One change with a checksum that fits.
fn mutated(certificate: &Certificate, other: &Line, position: String, rng: &mut Rng) -> Vec<u8> {
    let mut changed = certificate.clone();
    let half = rng.below(2) as usize;
    let (claim, evidence) = changed.halves[half];
    let data;
    match (rng.below(8), evidence) {
        (0, _) => changed.halves[half].0.score = Score(rng.below(3) as i16 - 1),
        (1, _) => (changed.line, changed.position) = (other.clone(), position),
        (2, _) => changed.shape = Shape::Tree,
        (_, Evidence::Rules) => {
            // A strategy where there was none, for a claim that may be true.
            data = pack(&(0..rng.below(4)).map(|_| rng.below(2) as u8).collect::<Vec<_>>());
            let claim = Claim { score: Score(rng.below(3) as i16 - 1), ..claim };
            let positions = u64::from(1 + rng.below(PLACES as u32));
            changed.halves[half] = (claim, Evidence::Strategy { positions, data: &data });
        }
        (kind, Evidence::Strategy { positions, data: old }) => {
            let mut numbers = unpack(old);
            let at = rng.below(numbers.len() as u32 + 1) as usize;
            match kind {
                3 => numbers.insert(at, rng.below(2) as u8),
                4 if at < numbers.len() => _ = numbers.remove(at),
                _ if at < numbers.len() => numbers[at] ^= 1,
                _ => numbers.push(0),
            }
            // Another strategy has other positions.
            let positions = if rng.below(3) == 0 { u64::from(rng.below(7)) } else { positions };
            data = pack(&numbers);
            changed.halves[half].1 = Evidence::Strategy { positions, data: &data };
        }
    }
    changed.to_bytes().unwrap()
}

/// A line of a few moves, with a position that is not over at its end; now and then one after a round trip.
fn random_line(game: &Map, rng: &mut Rng) -> (Line, Token) {
    loop {
        let at = rng.below(PLACES as u32) as usize;
        let (mut pos, mut line) = (game.at(at), Line::start("map"));
        line.from = Some(at.to_string());
        for _ in 0..rng.below(16) {
            let mv = rng.below(pos.map[pos.at].ways.len() as u32) as u8;
            line.moves.push(mv.to_string());
            pos.play(mv);
            if pos.end.is_some() {
                break;
            }
        }
        if pos.end.is_none() {
            return (line, pos);
        }
    }
}

#[test]
fn random_maps() {
    let mut rng = Rng::new(9);
    let (mut written, mut refused, mut circles, mut histories, mut accepted) = (0, 0, 0, 0, 0);
    for _ in 0..400 {
        let game = Map::random(&mut rng);
        for _ in 0..4 {
            let (line, pos) = random_line(&game, &mut rng);
            let truth = minimax(&pos);
            let bare = game.at(pos.at);
            let value = minimax(&bare);
            // What a table says of a place without a history is written exactly where the history leaves it true.
            let file = match certify(&game, &line, Bounds::exact(value)) {
                Ok(file) => file,
                Err(error) => {
                    assert_eq!(error, WriteError::NoRanks);
                    assert!(value.winner().is_some() && pos.has_repeated(), "{game:?} {line:?}");
                    histories += u32::from(truth != value);
                    continue;
                }
            };
            assert_eq!(check(&game, &file), Ok(Bounds::exact(value)), "{game:?} {line:?}");
            assert_eq!(truth, value, "{game:?} {line:?}");
            written += 1;
            let certificate = Certificate::parse(&file).unwrap();
            for _ in 0..40 {
                let (other, reached) = random_line(&game, &mut rng);
                let changed = mutated(&certificate, &other, game.show(&reached), &mut rng);
                let parsed = Certificate::parse(&changed).unwrap();
                match check(&game, &changed) {
                    Ok(bounds) => {
                        let truth = minimax(&parsed.line.position(&game).unwrap());
                        assert!(bounds.contains(truth), "{game:?}: {bounds} but {truth}\n{parsed}");
                        accepted += 1;
                    }
                    Err(VerifyError::Refused(Refusal::Strategy { fault: Fault::Repeats, .. })) => {
                        circles += 1
                    }
                    Err(VerifyError::Refused(_)) => refused += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    assert!(written > 500 && refused > 5000 && accepted > 1000, "{written} {refused} {accepted}");
    // Strategies that win nothing since they go round, and wins that the history takes away.
    assert!(circles > 100 && histories > 4, "{circles} {histories}");
}

/// A certificate by hand.
fn by_hand<'a>(line: Line, at: &str, halves: [(Claim, Evidence<'a>); 2]) -> Certificate<'a> {
    let (position, shape) = (at.to_owned(), Shape::Ranks);
    Certificate { line, position, shape, within: None, ends: Default::default(), halves, intact: true }
}

#[test]
fn circles_win_nothing_and_lose_nothing() {
    // First goes round with Second, or leaves from 2 and wins.
    let game = Map::parse("1 1 1 | 2 2 2 | 1 =1 0");
    let with = |score: i16, numbers: &[u8], positions| {
        let data = pack(numbers);
        let strategy = Evidence::Strategy { positions, data: &data };
        let halves =
            [(Claim::at_least(Score(score)), strategy), (Claim::at_most(Score::WIN), Evidence::Rules)];
        check(&game, &by_hand(Line::start("map"), "0", halves).to_bytes().unwrap())
            .map_err(|error| error.to_string())
    };
    assert_eq!(with(1, &[0, 0], 3), Ok(Bounds::exact(Score::WIN)));
    // Going round for ever is a draw: a closed set, and no win.
    assert_eq!(with(0, &[0, 1], 3), Ok(Bounds::new(Score::DRAW, Score::WIN)));
    let refused = |why: &str| Err(format!("certificate refused: {why}"));
    assert_eq!(
        with(1, &[0, 1], 3),
        refused("at least +1, ply 3, after `0 0 1`: the position repeats itself")
    );
    // A set that is not closed.
    let open = Map::parse("1 1 2 | 2 0 =-1 | 2 0 0");
    let file = |numbers: &[u8], positions| {
        let data = pack(numbers);
        let strategy = Evidence::Strategy { positions, data: &data };
        let halves =
            [(Claim::at_least(Score::DRAW), strategy), (Claim::at_most(Score::WIN), Evidence::Rules)];
        let file = by_hand(Line::start("map"), "0", halves).to_bytes().unwrap();
        check(&open, &file).map_err(|error| error.to_string())
    };
    assert_eq!(file(&[1], 2), Ok(Bounds::new(Score::DRAW, Score::WIN)));
    assert_eq!(file(&[0], 2), refused("at least 0, ply 2, after `0 1`: the game ends with score -1"));
    assert_eq!(file(&[1, 0], 2), refused("at least 0: data are left over at the end"));
    assert_eq!(file(&[], 2), refused("at least 0, ply 0: the data end where a move is needed"));
    assert_eq!(file(&[1], 3), refused("at least 0: there are 2 positions, not 3"));
}

/// The same place with another past has another value.
#[test]
fn another_past_another_value() {
    // 0 is a win for First. From 2 all ways lead through it, or to a draw.
    let game = Map::parse("1 1 2 =1 | 2 0 | 2 3 | 1 0 =0");
    let line = |moves: &str| Line::start("map").then(moves);
    let value = |line: &Line| minimax(&line.position(&game).unwrap());
    // After 0 1 0 2 the token may come to 0 only for the third time.
    let (direct, round) = (line("1"), line("0 0 1"));
    assert_eq!([value(&direct), value(&round)], [Score::WIN, Score::DRAW]);
    let first = Bounds::exact(Score::WIN);
    let free = certify(&game, &direct, first).unwrap();
    assert_eq!(check(&game, &free), Ok(first));
    assert_eq!(certify(&game, &round, first), Err(WriteError::NoRanks));
    // Nobody gets round that with the file of another past.
    let free = Certificate::parse(&free).unwrap();
    let forged = Certificate { line: round.clone(), ..free };
    let claim = Claim::at_least(Score::WIN);
    assert_eq!(check(&game, &forged.to_bytes().unwrap()), Err(Refusal::History(claim).into()));
    // A draw is one with any past.
    let draw = Bounds::new(Score::DRAW, Score::WIN);
    let drawn = certify(&game, &round, draw).unwrap();
    assert_eq!(check(&game, &drawn), Ok(draw));
}

/// The games in which histories decide more than draws, and those without histories.
#[test]
fn other_games_are_refused() {
    fn refused<G: Game>(game: &G, shape: Shape) {
        let rules =
            [Claim::at_least(Score(-1)), Claim::at_most(Score(1))].map(|claim| (claim, Evidence::Rules));
        let certificate = Certificate {
            line: Line::start(&game.id()),
            position: game.show(&game.start()),
            ..by_hand(Line::start(""), "", rules)
        };
        let file = certificate.to_bytes().unwrap();
        assert_eq!(check(game, &file), Err(Refusal::Shape(shape).into()), "{}", game.name());
        let statement = Statement::new(Line::start(&game.name()), Bounds::exact(Score::DRAW)).by_ranks();
        let write = write(game, &statement, |_, _, _, _| Err("nobody asks"), |_| true);
        assert_eq!(write, Err(WriteError::NoRanks), "{}", game.name());
    }
    refused(&go::Go::<u64>::new(go::Setup::parse("2x2").unwrap()), Shape::Tree);
    refused(&mnk::Mnk::new(proofplay_games::in_a_row::Any::<u64>::new(3, 3, 3)), Shape::Graph);
}

/// Real moves, real repetitions: two kings against one, which go to and fro before the game is counted.
#[test]
fn pasts_of_real_games() {
    let game = checkers::Checkers::new(checkers::Setup::parse("4x4,draw=none").unwrap());
    let from = Line { from: Some("...B/..../.W../W... w".to_owned()), ..Line::start(&game.name()) };
    let history = |line: &Line| line.position(&game).unwrap().has_repeated();
    assert!(!history(&from));
    let mut seen = 0;
    let mut rng = Rng::new(3);
    let mut buf = Vec::new();
    for _ in 0..3000 {
        let (mut pos, mut line) = (from.position(&game).unwrap(), from.clone());
        for _ in 0..rng.below(12) {
            if pos.outcome().is_some() {
                break;
            }
            let mv = pos.random_move(&mut rng, &mut buf);
            line.moves.push(game.show_move(&pos, mv));
            pos.play(mv);
        }
        // A file that claims a win for either side after a repetition is refused whatever its data are.
        if pos.outcome().is_none() && pos.has_repeated() {
            seen += 1;
            let data = pack(&[]);
            let strategy = Evidence::Strategy { positions: 1, data: &data };
            let claim = Claim::at_least(Score::WIN);
            let halves = [(claim, strategy), (Claim::at_most(Score::WIN), Evidence::Rules)];
            let mut certificate = by_hand(line.clone(), &game.show(&pos), halves);
            certificate.line.game = game.id();
            let file = certificate.to_bytes().unwrap();
            assert_eq!(check(&game, &file), Err(Refusal::History(claim).into()), "{line:?}");
        }
    }
    assert!(seen > 10, "{seen}");
}
