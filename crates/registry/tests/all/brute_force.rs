//! Small boards of the papers' games: every search against brute force, which looks at everything
//! that can follow.
//!
//! Where positions cannot repeat, brute force is minimax. Where they can, endless play is a draw
//! for a position without history, so who wins follows from the ends of the game backwards through
//! all positions; the counter of Checkers belongs to the position. Go has its superko, so its
//! positions are remembered together with all boards before them.

use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Game, Player, Position, Rng, Score};
use proofplay_games::{amazons, breakthrough, checkers, go, loa, pentalath};
use proofplay_registry::{DynPosition, game};
use proofplay_search::{Ask, Limits, Resources, Run, SearchError, SearchSpec};
use std::collections::HashMap;

/// All searches except those that differ only in settings; the first five store values by position.
const SEARCHES: [&str; 13] = [
    "alphabeta",
    "dfpn",
    "dfpp",
    "pnt",
    "ppt",
    "pns",
    "pn2",
    "pp",
    "pp2",
    "score-bounded",
    "score-bounded:facts=on",
    "exact-win",
    "retrograde",
];
const BY_POSITION: &[&str] = SEARCHES.split_at(5).0;

/// A position and its value.
type Case = (Box<dyn DynPosition>, Score);

/// The position of a text, without history.
fn read(name: &str, text: &str) -> Box<dyn DynPosition> {
    let board = game(name).unwrap_or_else(|e| panic!("{e}"));
    board.parse(text).unwrap_or_else(|e| panic!("{name} {text}: {e}"))
}

/// Far more than any search needs here, so that one that never proves it ends.
const NODES: u64 = 5_000_000;
const PLAYOUTS: u64 = 100_000;

/// Every search that takes the game finds the value of every position.
fn check(name: &str, cases: &[Case]) {
    check_but(name, cases, &[]);
}

/// [`check`]; the value of some of these searches may stay unknown, but their bounds are true.
fn check_but(name: &str, cases: &[Case], unsure: &[&str]) {
    let resources = Resources { memory: 1 << 28, ..Resources::default() };
    'searches: for spec in SEARCHES {
        // Searches that may fail get less time. Where positions repeat, those by position may lean on too many paths.
        let repeats = cases.iter().any(|(pos, _)| pos.repeats());
        let may_fail = unsure.contains(&spec) || repeats && BY_POSITION.contains(&spec);
        let share = if may_fail { 100 } else { 1 };
        let (nodes, simulations) = (Some(NODES / share), Some(PLAYOUTS / share));
        let limits = Limits { nodes, simulations, ..Limits::default() };
        let search: SearchSpec = spec.parse().unwrap();
        for (pos, value) in cases {
            match pos.search(&search, resources, Ask::Value, &mut Run::new(limits)) {
                Ok(report) => {
                    let bounds = report.bounds;
                    let right = bounds == Bounds::exact(*value) || share > 1 && bounds.contains(*value);
                    assert!(right, "{spec} on {name} {}: {bounds}, {value} is true", pos.text());
                }
                Err(SearchError::Cyclic(_)) if pos.repeats() && BY_POSITION.contains(&spec) => {
                    continue 'searches;
                }
                Err(SearchError::NoNumbers(_)) if name.starts_with("go:") => continue 'searches,
                Err(error) => panic!("{spec} on {name}: {error}"),
            }
        }
    }
}

/// The value, if looking further and further ahead shows it before `most` positions are looked at,
/// and not in the next move.
fn looked_ahead<P: Position>(pos: &P, most: u32) -> Option<Score> {
    let mut left = most;
    let mut bounds = |depth| bounds_to(pos, depth, &mut left);
    if bounds(1)?.is_exact() {
        return None;
    }
    (2..).find_map(|depth| bounds(depth).map_or(Some(None), |bounds| bounds.value().map(Some)))?
}

/// Bounds by minimax to a depth, as long as there are positions left to look at. Ends of the game
/// are all it knows.
fn bounds_to<P: Position>(pos: &P, depth: u32, left: &mut u32) -> Option<Bounds> {
    *left = left.checked_sub(1)?;
    if depth == 0 || pos.outcome().is_some() {
        return Some(pos.outcome().map_or(Bounds::WDL, Bounds::exact));
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let children: Option<Vec<Bounds>> =
        moves.iter().map(|&mv| bounds_to(&pos.after(mv), depth - 1, left)).collect();
    Some(Bounds::minimax(pos.turn(), children?))
}

/// Positions of random games that are not over and fit.
fn sample<G: Game>(game: &G, count: usize, rng: &mut Rng, fits: impl Fn(&G::Pos) -> bool) -> Vec<G::Pos> {
    let (mut found, mut buf) = (Vec::new(), Vec::new());
    while found.len() < count {
        let (mut pos, mut some) = (game.start(), Vec::new());
        while pos.outcome().is_none() {
            if fits(&pos) {
                some.push(pos.clone());
            }
            let mv = pos.random_move(rng, &mut buf);
            pos.play(mv);
        }
        if !some.is_empty() {
            found.push(some.swap_remove(rng.below(some.len() as u32) as usize));
        }
    }
    found
}

/// Positions of random games that fit and whose value [`looked_ahead`] shows, histories aside.
fn sample_near_the_end<G: Game>(
    game: &G,
    count: usize,
    most: u32,
    rng: &mut Rng,
    fits: impl Fn(&G::Pos) -> bool,
) -> Vec<G::Pos> {
    let mut found = Vec::new();
    while found.len() < count {
        let pos = sample(game, 1, rng, &fits).remove(0);
        let pos = game.parse(&game.show(&pos)).unwrap_or_else(|e| panic!("{e}"));
        if looked_ahead(&pos, most).is_some() {
            found.push(pos);
        }
    }
    found
}

/// The cells of a position that hold one of these letters, the side to move aside.
fn letters<G: Game>(game: &G, pos: &G::Pos, letters: &str) -> usize {
    let text = game.show(pos);
    text.split(' ').next().unwrap_or_default().chars().filter(|&cell| letters.contains(cell)).count()
}

/// By minimax over all positions that can follow.
fn by_minimax<G: Game>(game: &G, positions: &[G::Pos]) -> Vec<Case> {
    let mut memo = Memo::new();
    positions.iter().map(|pos| (read(&game.name(), &game.show(pos)), memo.value(pos))).collect()
}

/// Whole games on small boards, and on larger ones what is left after some captures.
#[test]
fn breakthrough_up_to_5x5() {
    let small = (2..=4).flat_map(|cols| (2..=4).map(move |rows| (format!("{cols}x{rows},rows=1"), 20)));
    let more = ["2x5", "3x4", "3x5", "5x3,rows=1", "5x4,rows=1"].map(|board| (board.to_owned(), 20));
    let large = ["5x5,rows=1", "4x4", "5x4", "4x5", "5x5"].map(|board| (board.to_owned(), 8));
    for (parameters, pawns) in small.chain(more).chain(large) {
        let game = breakthrough::Breakthrough::<u64>::new(breakthrough::Setup::parse(&parameters).unwrap());
        let few = |pos: &_| letters(&game, pos, "wb") <= pawns;
        // Whole games on these are long, and a tree has every order of moves.
        let positions = if ["3x5", "5x4,rows=1"].contains(&&*parameters) {
            sample_near_the_end(&game, 40, 1000, &mut Rng::new(1), few)
        } else {
            sample(&game, 5, &mut Rng::new(1), few)
        };
        check(&format!("breakthrough:{parameters}"), &by_minimax(&game, &positions));
    }
}

/// Positions with few empty cells.
#[test]
fn amazons_4x4_and_5x5() {
    for (parameters, empty) in [("4x4", 7), ("5x4", 6), ("5x5", 6)] {
        let game = amazons::Amazons::<u64>::new(amazons::Setup::parse(parameters).unwrap());
        let positions = sample(&game, 10, &mut Rng::new(2), |pos| letters(&game, pos, ".") <= empty);
        check(&format!("amazons:{parameters}"), &by_minimax(&game, &positions));
    }
}

/// All positions that can follow some, histories aside.
struct Endless<'a, G: Game> {
    game: &'a G,
    numbers: HashMap<String, u32>,
    nodes: Vec<Node>,
}

struct Node {
    turn: Player,
    outcome: Option<Score>,
    next: Vec<u32>,
}

impl<'a, G: Game> Endless<'a, G> {
    fn new(game: &'a G) -> Self {
        Endless { game, numbers: HashMap::new(), nodes: Vec::new() }
    }

    /// Adds what can follow a position, unless that is more than `most` positions.
    fn add(&mut self, pos: &G::Pos, most: usize) -> bool {
        let (known, mut todo) = (self.nodes.len(), Vec::new());
        let mut moves = Vec::new();
        self.number(pos, &mut todo);
        while let Some((number, pos)) = todo.pop() {
            if self.nodes.len() - known > most {
                self.nodes.truncate(known);
                self.numbers.retain(|_, number| (*number as usize) < known);
                return false;
            }
            if pos.outcome().is_none() {
                pos.moves(&mut moves);
                let next = moves.drain(..).map(|mv| self.number(&pos.after(mv), &mut todo)).collect();
                self.nodes[number as usize].next = next;
            }
        }
        true
    }

    fn number(&mut self, pos: &G::Pos, todo: &mut Vec<(u32, G::Pos)>) -> u32 {
        let (text, number) = (self.game.show(pos), self.nodes.len() as u32);
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let pos = self.game.parse(&text).unwrap_or_else(|e| panic!("{e}"));
        self.numbers.insert(text, number);
        self.nodes.push(Node { turn: pos.turn(), outcome: pos.outcome(), next: Vec::new() });
        todo.push((number, pos));
        number
    }

    /// The values of all positions, by number.
    fn values(&self) -> Vec<Score> {
        let mut before = vec![Vec::new(); self.nodes.len()];
        for (number, node) in (0..).zip(&self.nodes) {
            node.next.iter().for_each(|&next| before[next as usize].push(number));
        }
        let ends = (0..).zip(&self.nodes).filter_map(|(number, node)| Some((number, node.outcome?)));
        let mut todo: Vec<(u32, Score)> = ends.filter(|end| end.1 != Score::DRAW).collect();
        let mut values = vec![Score::DRAW; self.nodes.len()];
        // Moves that do not yet lose.
        let mut open: Vec<usize> = self.nodes.iter().map(|node| node.next.len()).collect();
        while let Some((number, value)) = todo.pop() {
            if values[number as usize] != Score::DRAW {
                continue;
            }
            values[number as usize] = value;
            for &earlier in &before[number as usize] {
                let (mover, open) = (self.nodes[earlier as usize].turn, &mut open[earlier as usize]);
                let loses = value.winner() != Some(mover);
                *open -= usize::from(loses);
                if !loses || *open == 0 {
                    todo.push((earlier, value));
                }
            }
        }
        values
    }

    /// The positions with their values.
    fn cases(&self, positions: &[G::Pos]) -> Vec<Case> {
        let values = self.values();
        let case = |pos: &G::Pos| {
            let text = self.game.show(pos);
            (read(&self.game.name(), &text), values[self.numbers[&text] as usize])
        };
        positions.iter().map(case).collect()
    }
}

/// Those of these positions that not too much can follow, with their values.
fn by_retrograde_analysis<G: Game>(game: &G, mut positions: Vec<G::Pos>, most: usize) -> Vec<Case> {
    let mut endless = Endless::new(game);
    let all = positions.len();
    positions.retain(|pos| endless.add(pos, most));
    println!("{}: {} of {all} positions, {} in all", game.name(), positions.len(), endless.nodes.len());
    endless.cases(&positions)
}

/// Both values of a game that can be drawn, and draws, are among the cases.
fn assert_all_values(name: &str, cases: &[Case]) {
    for value in [Score::WIN, Score::DRAW, Score::LOSS] {
        assert!(cases.iter().any(|case| case.1 == value), "{name}: no {value} among {}", cases.len());
    }
}

/// Two pieces a side anywhere on 5x5, near the end, by all that can follow.
#[test]
fn loa_5x5() {
    let (game, mut rng) = (loa::Loa::<u64>::new(loa::Setup::parse("5x5").unwrap()), Rng::new(3));
    let mut positions = Vec::new();
    while positions.len() < 300 {
        let mut cells = ['.'; 25];
        for letter in ['b', 'b', 'w', 'w'] {
            cells[rng.below(25) as usize] = letter;
        }
        let ranks: Vec<String> = cells.chunks(5).map(String::from_iter).collect();
        let side = if rng.below(2) == 0 { 'b' } else { 'w' };
        let pos = game.parse(&format!("{} {side}", ranks.join("/"))).ok();
        positions.extend(pos.filter(|pos| pos.outcome().is_none() && looked_ahead(pos, 500).is_some()));
    }
    let cases = by_retrograde_analysis(&game, positions, 400_000);
    assert_eq!(cases.len(), 300);
    assert!([Score::WIN, Score::LOSS].iter().all(|value| cases.iter().any(|case| case.1 == *value)));
    // Many large sets of positions take `retrograde` too long.
    check_but("loa:5x5", &cases, &["retrograde"]);
}

/// Positions of 6x6 with up to ten pieces whose value is that of a look ahead: too much can follow
/// for anything else.
#[test]
fn loa_6x6() {
    let game = loa::Loa::<u64>::new(loa::Setup::parse("6x6").unwrap());
    let few = |pos: &_| letters(&game, pos, "bw") <= 10;
    let positions = sample_near_the_end(&game, 150, 600, &mut Rng::new(6), few);
    let value = |pos: &_| (read("loa:6x6", &game.show(pos)), looked_ahead(pos, 600).expect("near the end"));
    let cases: Vec<Case> = positions.iter().map(value).collect();
    assert!([Score::WIN, Score::LOSS].iter().all(|value| cases.iter().any(|case| case.1 == *value)));
    // … and do not fit into its memory.
    check_but("loa:6x6", &cases, &["retrograde"]);
}

/// Up to four pieces, near the end; the counter of king moves is what random play has made it.
#[test]
fn checkers_endings() {
    let mut all = Vec::new();
    for size in [4, 5, 6, 8] {
        let game = checkers::Checkers::new(checkers::Setup::parse(&format!("{size}x{size}")).unwrap());
        let few = |pos: &_| letters(&game, pos, "wbWB") <= 4;
        let positions = sample_near_the_end(&game, 25, 100, &mut Rng::new(4), few);
        let cases = by_retrograde_analysis(&game, positions, 20_000);
        assert!(cases.len() > 10, "checkers:{size}x{size}: only {}", cases.len());
        check(&format!("checkers:{size}x{size}"), &cases);
        all.extend(cases);
    }
    assert_all_values("checkers", &all);
}

#[test]
fn pentalath_on_small_hexagons() {
    for parameters in ["2,k=2", "2,k=3", "2,k=4", "2,k=3,swap=yes", "3,k=3", "3,k=4"] {
        let game = pentalath::Pentalath::<u64>::new(pentalath::Setup::parse(parameters).unwrap());
        let late = |pos: &_| letters(&game, pos, ".") <= 7;
        let positions = sample_near_the_end(&game, 40, 100, &mut Rng::new(5), late);
        let cases = by_retrograde_analysis(&game, positions, 20_000);
        assert!(cases.len() > 10, "pentalath:{parameters}: only {}", cases.len());
        // Four in a row is impossible on side 2, where rows have up to three cells. Most lines of
        // play are long, since stones are captured and placed again until a position occurs for the
        // third time, and there are too many of them. Others need few, but `exact-win` knows a draw
        // only when all moves are solved, and `pp2` forgets what its inner searches find.
        let unsure: &[&str] = if parameters == "2,k=4" { &["pp2", "exact-win"] } else { &[] };
        check_but(&format!("pentalath:{parameters}"), &cases, unsure);
    }
}

/// By minimax over all positions with all that was before; gives up when there are too many or
/// games are too long.
fn with_history<P: Position>(pos: &P, known: &mut HashMap<P, Score>, longest: u32) -> Option<Score> {
    if let Some(score) = pos.outcome().or_else(|| known.get(pos).copied()) {
        return Some(score);
    }
    if longest == 0 || known.len() > 20_000 {
        return None;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let values: Option<Vec<Score>> =
        moves.iter().map(|&mv| with_history(&pos.after(mv), known, longest - 1)).collect();
    let values = values?.into_iter();
    let score = if pos.turn() == Player::First { values.max() } else { values.min() }?;
    known.insert(pos.clone(), score);
    Some(score)
}

/// Points, with superko: the ends of random games, as far back as not too much can follow.
#[test]
fn go_up_to_3x3() {
    let mut rng = Rng::new(7);
    for parameters in ["2x2", "3x2", "2x3,suicide=yes", "3x3", "3x3,komi=2.5"] {
        let name = format!("go:{parameters}");
        let typed = go::Go::<u64>::new(go::Setup::parse(parameters).unwrap());
        let mut cases: Vec<Case> = Vec::new();
        while cases.len() < 12 {
            let (mut pos, mut moves, mut line) = (typed.start(), Vec::new(), Vec::new());
            while pos.outcome().is_none() {
                pos.moves(&mut moves);
                // Few passes: after a long game superko leaves little to look at.
                if moves.len() > 1 && rng.below(8) > 0 {
                    moves.retain(|&mv| typed.show_move(&pos, mv) != "pass");
                }
                let mv = moves[rng.below(moves.len() as u32) as usize];
                moves.clear();
                line.push((pos.clone(), typed.show_move(&pos, mv)));
                pos.play(mv);
            }
            let mut known = HashMap::new();
            let values = line.iter().rev().map_while(|(pos, _)| with_history(pos, &mut known, 100));
            let Some((back, value)) = values.enumerate().last() else { continue };
            let mut pos = game(&name).unwrap().start();
            let before = line.len() - 1 - back;
            line[..before].iter().for_each(|(_, mv)| pos.play(mv).unwrap());
            cases.push((pos, value));
        }
        check(&name, &cases);
    }
}
