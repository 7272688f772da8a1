//! Depth-first proof search where positions repeat: against brute force over all lines of play, which knows the history, on maps
//! and on small boards; and against retrograde analysis on larger ones.

use proofplay_core::minimax::brute_force;
use proofplay_core::{Bounds, Extras, Game, Key, Player, Position, Rng, Score, mix};
use proofplay_games::{checkers, chinese_checkers, loa, pentalath};
use proofplay_search::dfpn::{self, Config};
use proofplay_search::proof::Init;
use proofplay_search::retrograde::Retrograde;
use proofplay_search::{Ask, Halt, Limits, Resources, Run, Search};

/// The places of a map.
const PLACES: usize = 7;

/// A token on a map: the third time in a place is a draw.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Token {
    map: &'static [Place],
    at: usize,
    /// How often it was where.
    times: [u8; PLACES],
    end: Option<Score>,
}

#[derive(PartialEq, Eq, Hash, Debug)]
struct Place {
    mover: Player,
    /// A score is an end of the game.
    ways: Vec<Result<usize, Score>>,
}

impl Token {
    fn at(map: &'static [Place], at: usize) -> Token {
        let mut times = [0; PLACES];
        times[at] = 1;
        Token { map, at, times, end: None }
    }
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
        mix(self.at as u128 | self.end.map_or(0, |score| 1 + score.0 as u16 as u128) << 8)
    }
    fn range(&self) -> Bounds {
        Bounds::new(Score(-3), Score(3))
    }
    fn packed(&self) -> Option<u128> {
        Some(self.at as u128)
    }
    fn unpacked(&self, number: u128) -> Token {
        Token::at(self.map, number as usize)
    }
    fn has_repeated(&self) -> bool {
        (0..PLACES).any(|place| place != self.at && self.times[place] == 2)
    }
}

/// A map from text: a line for each place, `1` or `2` for its mover, then numbers of places, and scores after a `=`.
fn map(text: &str) -> &'static [Place] {
    let place = |line: &str| {
        let mut words = line.split_whitespace();
        let mover = if words.next() == Some("1") { Player::First } else { Player::Second };
        let way = |word: &str| word.parse().map_err(|_| Score(word.trim_start_matches('=').parse().unwrap()));
        Place { mover, ways: words.map(way).collect() }
    };
    let map: Vec<Place> = text.split('|').map(place).collect();
    map.leak()
}

fn random_map(rng: &mut Rng, places: usize, worst: i16) -> &'static [Place] {
    let mut place = |_| {
        let mover = Player::BOTH[rng.below(2) as usize];
        let mut way = || match rng.below(6) {
            0 => Err(Score(rng.below(2 * worst as u32 + 1) as i16 - worst)),
            _ => Ok(rng.below(places as u32) as usize),
        };
        let ways = vec![way(), way(), way()];
        Place { mover, ways: ways.into_iter().take(1 + rng.below(3) as usize).collect() }
    };
    let map: Vec<Place> = (0..places).map(&mut place).collect();
    map.leak()
}

/// Proof numbers and products, and the same with other settings.
fn configs() -> [Config; 4] {
    let [dfpn, dfpp] = Config::NAMES.map(|name| Config::named(name).unwrap());
    let plain = |config| Config { init: Init::Unit, symmetry: false, facts: false, ..config };
    [dfpn, dfpp, plain(dfpn), plain(dfpp)]
}

fn solve<P: Position>(
    pos: &P,
    config: Config,
    resources: Resources,
    limits: Limits,
    ask: Ask,
) -> (Bounds, Halt, Vec<Bounds>) {
    let mut search = dfpn::start(pos, config, Extras::none(), resources).unwrap();
    let report = search.run(ask, &mut Run::new(limits)).unwrap();
    (report.bounds, report.halt, report.moves.iter().map(|m| m.bounds).collect())
}

/// The value of a position, and that of every move, with every setting, little memory, threads and early ends.
fn check<P: Position>(pos: &P, truth: Score, after: &[Score], what: &str) -> bool {
    let mut exact = true;
    for spec in configs() {
        for (memory, threads) in [(0, 1), (1 << 18, 1), (1 << 18, 2)] {
            let resources = Resources { memory, threads, ..Resources::default() };
            let (bounds, halt, moves) = solve(pos, spec, resources, Limits::default(), Ask::AllMoves);
            assert!(bounds.contains(truth), "{spec} {memory} {threads} {what}: {bounds}, not {truth}");
            for (bounds, &truth) in moves.iter().zip(after) {
                assert!(
                    bounds.contains(truth),
                    "{spec} {memory} {threads} {what}: a move is {bounds}, not {truth}"
                );
            }
            // What the history makes of a win is left open, nothing else.
            let open = pos.has_repeated() || after.iter().any(|score| score.0 != 0);
            assert!(bounds.is_exact() || open, "{spec} {memory} {threads} {what}: {bounds} {halt:?}");
            let value = solve(pos, spec, resources, Limits::default(), Ask::Value).0;
            assert!(value.contains(truth), "{spec} {memory} {threads} {what}: {value}, not {truth}");
            assert!(value.is_exact() || pos.has_repeated(), "{spec} {memory} {threads} {what}: {value}");
            exact &= value.is_exact();
        }
        for nodes in [0, 1, 2, 5, 10, 20, 50] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let resources = Resources { memory: 1 << 16, ..Resources::default() };
            let (bounds, ..) = solve(pos, spec, resources, limits, Ask::Value);
            assert!(bounds.contains(truth), "{spec} {what}: {bounds} after {nodes} nodes, not {truth}");
        }
    }
    exact
}

/// Brute force, unless there is too much.
fn limited<P: Position>(pos: &P) -> Option<Score> {
    let mut nodes = 0;
    let ending = brute_force(pos, &mut |_| {
        nodes += 1;
        nodes < 20_000
    });
    ending.map(|ending| ending.score)
}

fn values_after<P: Position>(pos: &P) -> Option<Vec<Score>> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves.into_iter().map(|mv| limited(&pos.after(mv))).collect()
}

/// Games where a table that takes results from one path to another is wrong.
#[test]
fn maps_by_hand() {
    for (text, values) in [
        // From 0 by way of 1, First cannot come back to 0 on the path; from 2 the way to 1 is open.
        ("1 1 2 | 2 0 | 2 3 | 1 =1", &[1, 1, 1, 1][..]),
        // By 1, Second comes back to 0 for a draw; that 3 is a draw from there says nothing about 3.
        ("1 1 2 | 2 3 | 2 3 | 1 1 =0", &[0, 0, 0, 0]),
        ("1 1 2 | 2 3 | 2 3 | 1 2 0 4 | 2 =1", &[1, 1, 1, 1, 1]),
        // First would win from 2, but Second always goes back.
        ("1 1 | 2 0 2 | 1 =1 1", &[0, 0, 1]),
        // Second loses, and takes the way that passes 1 once more.
        ("2 1 =1 | 1 2 | 2 3 =1 | 1 4 1 | 2 =1", &[1, 1, 1, 1, 1]),
        // Points: a cycle does not hold them.
        ("1 1 =1 | 2 2 | 1 =2 0", &[2, 2, 2]),
        // Second may go round alone.
        ("2 1 =0 | 2 0 =1 | 1 0", &[0, 0, 0]),
        // Two circles that meet: whether 2 leans on 0 or on 1 depends on the path.
        ("1 1 | 2 2 3 | 1 0 1 | 2 0 4 | 1 2 3", &[0, 0, 0, 0, 0]),
    ] {
        let map = map(text);
        for (at, &value) in values.iter().enumerate() {
            let pos = Token::at(map, at);
            assert_eq!(limited(&pos), Some(Score(value)), "{text} at {at}");
            assert!(check(&pos, Score(value), &values_after(&pos).unwrap(), text));
        }
    }
}

/// All places, with an empty history and reached by moves: the same place, another past, perhaps another value.
#[test]
fn random_maps() {
    let (mut rng, mut exact, mut pasts, mut others) = (Rng::new(8), 0, 0, 0);
    for round in 0..600 {
        let map = random_map(&mut rng, 3 + round % 5, 1 + round as i16 % 3);
        let mut line = vec![Token::at(map, rng.below(map.len() as u32) as usize)];
        for _ in 0..rng.below(9) {
            let pos = line.last().unwrap();
            let next = pos.after(rng.below(pos.map[pos.at].ways.len() as u32) as u8);
            if next.end.is_some() {
                break;
            }
            line.push(next);
        }
        let pos = line.last().unwrap();
        let bare = Token::at(map, pos.at);
        let (Some(truth), Some(after)) = (limited(pos), values_after(pos)) else { continue };
        exact += u32::from(check(pos, truth, &after, &format!("{pos:?}")));
        pasts += u32::from(pos.has_repeated());
        others += u32::from(limited(&bare).is_some_and(|value| value != truth));
    }
    assert!(exact > 400 && pasts > 50 && others > 1, "{exact} {pasts} {others}");
}

/// Positions near the ends of random games, with the history that they have there.
fn against_brute_force<G: Game>(game: &G, wanted: usize, seed: u64) {
    let (mut rng, mut checked, mut won, mut buf) = (Rng::new(seed), 0, 0, Vec::new());
    for _ in 0..100 * wanted {
        let mut line = vec![game.start()];
        while line.last().unwrap().outcome().is_none() && line.len() < 200 {
            let pos = line.last().unwrap();
            line.push(pos.after(pos.random_move(&mut rng, &mut buf)));
        }
        let pos = &line[line.len() - 2 - rng.below(4.min(line.len() as u32 - 1)) as usize];
        let Some(truth) = limited(pos) else { continue };
        for spec in configs() {
            let resources = Resources { memory: 1 << 20, ..Resources::default() };
            let (bounds, ..) = solve(pos, spec, resources, Limits::default(), Ask::Value);
            let what = format!("{spec} {}: {} {bounds}, not {truth}", game.name(), game.show(pos));
            assert!(bounds.contains(truth) && (bounds.is_exact() || pos.has_repeated()), "{what}");
        }
        won += usize::from(truth.winner().is_some());
        checked += 1;
        if checked == wanted {
            break;
        }
    }
    assert!(checked == wanted && won > 0, "{}: {checked} {won}", game.name());
}

#[test]
fn small_boards() {
    let loa = |size| loa::Loa::<u64>::new(loa::Setup::parse(size).unwrap());
    against_brute_force(&loa("3x3"), 3, 1);
    for parameters in ["4x4", "4x4,draw=none", "6x6", "6x6,draw=none"] {
        against_brute_force(&checkers::Checkers::new(checkers::Setup::parse(parameters).unwrap()), 10, 3);
    }
    for parameters in ["2,k=2", "2,k=3", "2,k=3,swap=yes", "3,k=3"] {
        let game = pentalath::Pentalath::<u64>::new(pentalath::Setup::parse(parameters).unwrap());
        against_brute_force(&game, 10, 5);
    }
}

/// Whole small games, from random positions without a history, and after going on from them.
fn against_retrograde<G: Game>(game: &G, moves: u32, wanted: usize, seed: u64) {
    let (mut rng, mut buf) = (Rng::new(seed), Vec::new());
    let start = game.start();
    let mut table =
        Retrograde::new(&start, Extras::none(), Resources { memory: 1 << 27, ..Resources::default() })
            .unwrap();
    table.run(Ask::Value, &mut Run::default()).unwrap();
    let solved = table.solved().expect("it is small");
    let mut seen = [0; 3];
    for _ in 0..wanted {
        let mut pos = game.start();
        for _ in 0..rng.below(moves) {
            let next = pos.after(pos.random_move(&mut rng, &mut buf));
            if next.outcome().is_some() {
                break;
            }
            pos = next;
        }
        let truth = solved.certain(&pos).unwrap().bounds;
        for &spec in &configs()[..2] {
            let resources = Resources { memory: 1 << 24, ..Resources::default() };
            let limits = Limits { nodes: Some(300_000), ..Limits::default() };
            let (bounds, halt, _) = solve(&pos, spec, resources, limits, Ask::Value);
            let what = format!("{spec} {}: {} {bounds}, not {truth}", game.name(), game.show(&pos));
            // Both are certain. Where the history may make a win a draw, the rules may know better than the table.
            assert!(bounds.pess <= truth.opti && truth.pess <= bounds.opti, "{what}");
            assert!(bounds == truth || pos.has_repeated() || halt != Halt::Solved, "{what}");
            seen[0] += u32::from(bounds.is_exact());
        }
        seen[1] += u32::from(truth.value().is_some_and(|value| value.winner().is_some()));
        seen[2] += u32::from(truth.value() == Some(Score::DRAW));
    }
    assert!(seen[0] as usize > wanted, "{} {seen:?}", game.name());
}

#[test]
fn whole_games() {
    for parameters in ["4x4", "4x4,draw=none", "5x5,rows=1,draw=none"] {
        against_retrograde(&checkers::Checkers::new(checkers::Setup::parse(parameters).unwrap()), 30, 20, 6);
    }
    let star = chinese_checkers::ChineseCheckers::<u64>::new(chinese_checkers::Setup::parse("1").unwrap());
    against_retrograde(&star, 30, 20, 7);
    for parameters in ["2,k=3", "2,k=4", "2,k=3,swap=yes"] {
        let game = pentalath::Pentalath::<u64>::new(pentalath::Setup::parse(parameters).unwrap());
        against_retrograde(&game, 20, 20, 8);
    }
    against_retrograde(&loa::Loa::<u64>::new(loa::Setup::parse("3x3").unwrap()), 20, 10, 9);
}
