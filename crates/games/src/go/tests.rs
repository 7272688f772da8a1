use super::*;
use crate::board::U384;
use crate::seki::{self, Seki};
use proofplay_core::{Game, conformance, perft};
use std::collections::{HashMap, HashSet};

fn game<W: Word>(parameters: &str) -> Go<W> {
    Go::new(Setup::parse(parameters).unwrap())
}

/// The position after a line of play.
fn play<W: Word>(game: &Go<W>, mut pos: Board<W>, line: &str) -> Board<W> {
    for mv in line.split_whitespace() {
        pos.play(game.parse_move(&pos, mv).unwrap());
    }
    pos
}

#[test]
fn conforms() {
    for parameters in
        ["1x1", "1x2", "2x1", "2x2", "1x5,suicide=yes", "3x3,komi=0.5", "4x3,suicide=yes", "5x4"]
    {
        conformance::check(&game::<u64>(parameters), 5, 1);
    }
    conformance::check(&game::<u64>("seki=1,2"), 20, 1);
    conformance::check(&game::<u128>("6x5,komi=7.5"), 1, 1);
    conformance::check(&game::<U384>("5x5,komi=-3"), 2, 1);
}

#[test]
fn random_moves_are_uniform() {
    for (parameters, text) in [
        ("3x3", ".../.../... b"),
        ("2x2", "b./.w b"),
        ("5x4", ".bw../bw.w./.bw../..... b"),
        ("4x3,suicide=yes", "bb.w/b.bw/.bww b"),
        ("seki=2,3", "..w/www/..b/bbb/.b./www/.../bbb/.b. b"),
    ] {
        let game = game::<u64>(parameters);
        let pos = if parameters.starts_with("seki") { game.start() } else { game.parse(text).unwrap() };
        conformance::check_uniform_moves(&pos, 20_000, 1);
    }
    conformance::check_uniform_moves(&game::<U384>("19x19").start(), 20_000, 1);
    // Uniform playouts of larger boards fill their eyes repeatedly, and take long.
    for (parameters, samples) in [("2x1", 5_000), ("3x1", 5_000), ("2x2", 2_000), ("seki=2,2", 20_000)] {
        conformance::check_uniform(&game::<u64>(parameters).start(), samples, 2);
    }
}

/// The rules once more, on a list of letters and in the words of the rules.
#[derive(Clone)]
struct Plain {
    cols: i32,
    rows: i32,
    cells: Vec<char>,
    suicide: bool,
    seen: HashSet<Vec<char>>,
}

impl Plain {
    fn new(setup: Setup) -> Plain {
        let cells = vec!['.'; setup.cells() as usize];
        let seen = HashSet::from([cells.clone()]);
        Plain { cols: setup.cols as i32, rows: setup.rows as i32, cells, suicide: setup.suicide, seen }
    }

    fn around(&self, cell: usize, steps: [(i32, i32); 4]) -> Vec<usize> {
        let (c, r) = (cell as i32 % self.cols, cell as i32 / self.cols);
        let places = steps.into_iter().map(|(dc, dr)| (c + dc, r + dr));
        let inside = places.filter(|&(c, r)| (0..self.cols).contains(&c) && (0..self.rows).contains(&r));
        inside.map(|(c, r)| (r * self.cols + c) as usize).collect()
    }

    fn near(&self, cell: usize) -> Vec<usize> {
        self.around(cell, [(-1, 0), (1, 0), (0, -1), (0, 1)])
    }

    /// The connected cells of one letter and the letters around them.
    fn group(&self, cell: usize) -> (HashSet<usize>, HashSet<char>) {
        let (mut todo, mut group, mut letters) = (vec![cell], HashSet::from([cell]), HashSet::new());
        while let Some(stone) = todo.pop() {
            for next in self.near(stone) {
                letters.insert(self.cells[next]);
                if self.cells[next] == self.cells[cell] && group.insert(next) {
                    todo.push(next);
                }
            }
        }
        letters.remove(&self.cells[cell]);
        (group, letters)
    }

    /// The board after a stone, if that is legal.
    fn after(&self, cell: usize, side: char) -> Option<Vec<char>> {
        if self.cells[cell] != '.' {
            return None;
        }
        let mut next = self.clone();
        next.cells[cell] = side;
        let take = |next: &mut Plain, stone: usize| {
            let (group, letters) = next.group(stone);
            let taken = !letters.contains(&'.');
            if taken {
                group.into_iter().for_each(|stone| next.cells[stone] = '.');
            }
            taken
        };
        for enemy in self.near(cell) {
            if !['.', side].contains(&next.cells[enemy]) {
                take(&mut next, enemy);
            }
        }
        if take(&mut next, cell) && !self.suicide {
            return None;
        }
        (!self.seen.contains(&next.cells)).then_some(next.cells)
    }

    fn play(&mut self, cell: usize, side: char) {
        self.cells = self.after(cell, side).expect("a legal move");
        self.seen.insert(self.cells.clone());
    }

    /// Whether the cell is an eye of that side.
    fn is_eye(&self, cell: usize, side: char) -> bool {
        let enemy = if side == 'b' { 'w' } else { 'b' };
        let corners = self.around(cell, [(-1, -1), (1, -1), (-1, 1), (1, 1)]);
        let enemies = corners.iter().filter(|&&corner| self.cells[corner] == enemy).count();
        self.near(cell).iter().all(|&near| self.cells[near] == side)
            && enemies + usize::from(corners.len() < 4) < 2
    }

    fn score(&self) -> i16 {
        let (mut score, mut done) = (0, HashSet::new());
        for cell in 0..self.cells.len() {
            match self.cells[cell] {
                'b' => score += 1,
                'w' => score -= 1,
                _ if done.contains(&cell) => {}
                _ => {
                    let (region, letters) = self.group(cell);
                    let size = region.len() as i16;
                    if letters == HashSet::from(['b']) {
                        score += size;
                    } else if letters == HashSet::from(['w']) {
                        score -= size;
                    }
                    done.extend(region);
                }
            }
        }
        score
    }
}

const SIDES: [char; 2] = ['b', 'w'];

/// Plays random games, by uniform moves or by playouts, and compares every position with the plain
/// rules.
fn against_plain_rules<W: Word>(parameters: &str, games: usize, uniform: bool) {
    let (game, mut rng) = (game::<W>(parameters), Rng::new(7));
    for _ in 0..games {
        let (mut pos, mut plain, mut line) = (game.start(), Plain::new(game.setup), Vec::new());
        if !uniform {
            let mut trace = |_, mv| line.push(mv);
            game.hints().playout("eyes", &mut pos.clone(), &mut rng, &mut Vec::new(), Some(&mut trace));
        }
        let mut planned = line.into_iter();
        loop {
            if let Some(score) = pos.outcome() {
                assert_eq!(score, rounded(2 * plain.score() - game.setup.komi));
                break;
            }
            let side = SIDES[pos.mover.index()];
            let legal = (0..plain.cells.len()).filter(|&cell| plain.after(cell, side).is_some());
            let legal: Vec<Stone> = legal.map(|cell| cell as Stone).chain([PASS]).collect();
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            assert_eq!(moves, legal, "{}", game.show(&pos));
            for cell in pos.empty().cells() {
                assert_eq!(pos.is_legal(cell), legal.contains(&(cell as Stone)), "{}", game.show(&pos));
            }
            let mv = match uniform {
                true => pos.random_move(&mut rng, &mut Vec::new()),
                false => planned.next().expect("the playout went on"),
            };
            let eye = |cell: usize| plain.is_eye(cell, side);
            if !uniform && mv == PASS {
                let kept = |&cell: &Stone| cell == PASS || game.setup.suicide || eye(cell.into());
                assert!(legal.iter().all(kept), "{}: a pass", game.show(&pos));
            }
            assert!(uniform || mv == PASS || !eye(mv.into()), "{}: an eye is filled", game.show(&pos));
            if mv != PASS {
                plain.play(mv.into(), side);
            }
            pos.play(mv);
        }
    }
}

#[test]
fn moves_and_scores_are_those_of_the_plain_rules() {
    for parameters in
        ["1x1", "1x4", "2x2", "2x2,suicide=yes", "3x2,komi=-1.5", "3x3", "3x3,suicide=yes", "4x4"]
    {
        against_plain_rules::<u64>(parameters, 20, true);
        against_plain_rules::<u64>(parameters, 20, false);
    }
    against_plain_rules::<u64>("5x5,komi=7.5", 3, true);
    against_plain_rules::<u64>("7x7", 5, false);
    against_plain_rules::<u128>("9x9", 3, false);
    against_plain_rules::<u128>("11x11,suicide=yes", 1, false);
    against_plain_rules::<U384>("4x4", 5, true);
    against_plain_rules::<U384>("13x13", 1, false);
    against_plain_rules::<U384>("19x19", 1, false);
}

/// The first moves of playouts are evenly spread over all moves that playouts may make, and
/// playouts are as long and as good as those of the definition.
#[test]
fn playouts_have_their_distribution() {
    const SAMPLES: usize = 4000;
    for (parameters, text) in [
        ("3x3", ".../.../... b"),
        ("4x4", "bb.w/b.bw/.bww/.... b"),
        ("5x5", ".bw../bw.w./.bw../...../..... b"),
        ("5x5,suicide=yes", ".b..w/bbw../..w../...../..... w"),
    ] {
        let (game, mut rng, mut buf) = (game::<u64>(parameters), Rng::new(3), Vec::new());
        let start = game.parse(text).unwrap();
        let allowed = |pos: &Board<u64>| {
            let mut plain = Plain::new(game.setup);
            for (player, side) in SIDES.into_iter().enumerate() {
                pos.stones[player].cells().for_each(|cell| plain.cells[cell as usize] = side);
            }
            let mut cells = Vec::new();
            pos.moves(&mut cells);
            cells.retain(|&mv| {
                mv != PASS
                    && pos.removed(mv.into())[0] == 0
                    && !plain.is_eye(mv.into(), SIDES[pos.mover.index()])
            });
            cells
        };
        let (mut count, mut sums) = (HashMap::new(), [[0.0f64; 4]; 2]);
        let mut add = |i: usize, score: Score, length: f64| {
            let score = f64::from(score.0);
            let sums: &mut [f64; 4] = &mut sums[i];
            [score, score * score, length, length * length].iter().zip(sums).for_each(|(x, sum)| *sum += x);
        };
        for _ in 0..SAMPLES {
            let (mut first, mut length) = (None, 0.0);
            let mut trace = |_, mv| {
                first.get_or_insert(mv);
                length += 1.0;
            };
            let hints = game.hints();
            let score = hints.playout("eyes", &mut start.clone(), &mut rng, &mut buf, Some(&mut trace));
            *count.entry(first.unwrap()).or_insert(0.0) += 1.0;
            add(0, score, length);
            let (mut pos, mut length) = (start.clone(), 0.0);
            while pos.outcome().is_none() {
                let cells = allowed(&pos);
                let n = cells.len();
                pos.play(if n == 0 { PASS } else { cells[rng.below(n as u32) as usize] });
                length += 1.0;
            }
            add(1, pos.outcome().unwrap(), length);
        }
        let (cells, samples) = (allowed(&start), SAMPLES as f64);
        let expected = samples / cells.len() as f64;
        for (mv, count) in &count {
            assert!(cells.contains(mv), "{text}: {mv}");
            assert!(
                (count - expected).abs() < 4.5 * expected.sqrt(),
                "{text}: {mv} {count} times of {expected}"
            );
        }
        assert_eq!(count.len(), cells.len());
        for i in [0, 2] {
            let [(a, va), (b, vb)] = sums.map(|sums| {
                let mean = sums[i] / samples;
                (mean, (sums[i + 1] / samples - mean * mean) / samples)
            });
            assert!((a - b).abs() <= 4.5 * (va + vb).sqrt() + 1e-9, "{parameters} {text}: {a} against {b}");
        }
    }
}

/// Tromp & Farnebäck, "Combinatorics of Go" \[TF07\], table of L(m, n): the legal positions.
#[test]
fn legal_positions_are_as_many_as_published() {
    for (cols, rows, count) in
        [(1, 1, 1), (2, 1, 5), (3, 1, 15), (4, 1, 41), (2, 2, 57), (3, 2, 489), (4, 2, 4125), (3, 3, 12675)]
    {
        let game = game::<u64>(&format!("{cols}x{rows}"));
        let text = |mut number: usize| {
            let mut text = String::new();
            for cell in 0..cols * rows {
                text.push_str(if cell > 0 && cell % cols == 0 { "/" } else { "" });
                text.push(['.', 'b', 'w'][number % 3]);
                number /= 3;
            }
            text + " b"
        };
        let legal = (0..3usize.pow((cols * rows) as u32)).filter(|&number| game.parse(&text(number)).is_ok());
        assert_eq!(legal.count(), count, "{cols}x{rows}");
    }
}

/// The same paper's number of games: every sequence of boards that never repeat, passes left out,
/// so that either player may make the next stone; suicide is legal.
#[test]
fn games_are_as_many_as_published() {
    fn games(pos: &Board<u64>) -> u64 {
        let movers = Player::BOTH.map(|mover| Board { mover, passes: 0, ..pos.clone() });
        let stones =
            movers.iter().flat_map(|pos| pos.legal().cells().map(move |cell| pos.after(cell as Stone)));
        1 + stones.map(|next| games(&next)).sum::<u64>()
    }
    for (size, count) in [("1x1", 1), ("2x1", 9), ("3x1", 907), ("1x3", 907)] {
        assert_eq!(games(&game(&format!("{size},suicide=yes")).start()), count, "{size}");
    }
}

/// Exact values by looking at everything, positions with their histories remembered; and what
/// stones that live unconditionally claim contains them all.
fn value(pos: &Board<u64>, known: &mut HashMap<Board<u64>, Score>) -> Score {
    if let Some(score) = pos.outcome().or_else(|| known.get(pos).copied()) {
        return score;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let values = moves.iter().map(|&mv| value(&pos.after(mv), known));
    let score = if pos.mover == Player::First { values.max() } else { values.min() }.unwrap();
    assert!(
        benson::certain(pos).contains(score),
        "{pos:?}: {} is claimed, {score} is true",
        benson::certain(pos)
    );
    known.insert(pos.clone(), score);
    score
}

#[test]
fn small_values() {
    for (parameters, score) in [("1x1", 0), ("2x1", 0), ("3x1", 3), ("1x3", 3), ("3x1,komi=3.5", -1)] {
        assert_eq!(value(&game(parameters).start(), &mut HashMap::new()).0, score, "{parameters}");
    }
}

#[test]
fn superko() {
    let game = game::<u64>("4x4");
    // The board of the head of the file: W takes, B may not take back, but may after moves
    // elsewhere.
    let pos = game.parse(".bw./b.bw/.bw./.... w").unwrap();
    let taken = play(&game, pos, "b3");
    assert_eq!(game.show(&taken), ".bw./bw.w/.bw./.... b");
    assert!(game.parse_move(&taken, "c3").is_err());
    assert!(game.parse_move(&play(&game, taken.clone(), "pass pass"), "c3").is_err(), "the game is over");
    assert!(game.parse_move(&play(&game, taken.clone(), "a1 d1"), "c3").is_ok());
    // As a text the position has no history.
    let fresh = game.parse(&game.show(&taken)).unwrap();
    assert!(game.parse_move(&fresh, "c3").is_ok());
    assert_ne!(fresh, taken);
    assert_ne!(fresh.key(), taken.key());
    // The start counts: on 2x1 W's capture leaves B one reply, which would bring back the first
    // stone.
    let two = Go::<u64>::new(Setup::parse("2x1").unwrap());
    let pos = play(&two, two.start(), "a1 b1");
    assert_eq!((two.show(&pos).as_str(), perft(&pos, 1)), (".w b", 1));
}

#[test]
fn suicide() {
    let text = "bbw./.bw./bww. b";
    let [with, without] = ["4x3,suicide=yes", "4x3"].map(game::<u64>);
    let pos = with.parse(text).unwrap();
    assert_eq!(with.show(&play(&with, pos, "a2")), "..w./..w./.ww. w");
    let pos = without.parse(text).unwrap();
    assert!(without.parse_move(&pos, "a2").is_err());
    // One stone alone leaves the board as it was.
    let pos = with.parse(".w../w.../.... b").unwrap();
    assert!(with.parse_move(&pos, "a3").is_err());
}

#[test]
fn scores_and_komi() {
    let end = "bb.w/b.bw/.bw./.b.w b 2";
    // B: 7 stones and a2, b2, b3, a1 by region; c4 touches both.
    let score = |parameters: &str| game::<u64>(parameters).parse(end).unwrap().outcome().unwrap().0;
    let plain = score("4x4");
    assert_eq!(score("4x4,komi=1"), plain - 1);
    assert_eq!([0.5, 1.5].map(|k| score(&format!("4x4,komi={}", f64::from(plain) + k))), [-1, -2]);
    assert_eq!([0.5, 1.5].map(|k| score(&format!("4x4,komi={}", f64::from(plain) - k))), [1, 2]);
    assert_eq!(score(&format!("4x4,komi={plain}")), 0);
    let game = game::<u64>("3x3,komi=0.5");
    assert_eq!(game.start().range(), Bounds::new(Score(-10), Score(9)));
    let pos = play(&game, game.start(), "b2 pass pass");
    assert_eq!(pos.outcome(), Some(Score(9)));
    assert_eq!(game.view(&pos).notes, ["area: B 9, W 0, komi 0.5: B wins by 8.5"]);
    assert_eq!(game.view(&play(&game, game.start(), "pass")).notes, ["B has passed"]);
}

/// The race on a real board is the game `seki` move by move: as many lines of play to any depth.
#[test]
fn races_are_the_game_of_seki() {
    for (first, second) in [(0, 0), (1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (3, 4), (5, 4)] {
        let race = Go::<u128>::new(Setup::race(first, second)).start();
        let seki = Seki::new(seki::Setup { max: first, min: second, shared: 2 }).start();
        for depth in 1..=5 {
            assert_eq!(perft(&race, depth), perft(&seki, depth), "seki:{first},{second} {depth}");
        }
    }
    let game = game::<u64>("seki=0,0");
    let text = ".w./www/bbb/bbb/.b./www/www/bbb/.b. b";
    assert_eq!(game.show(&game.start()), text);
    assert_eq!(game.parse(text), Ok(game.start()));
    // Filling the first shared liberty loses.
    let lost = play(&game, game.start(), "a5 c5");
    assert_eq!(lost.outcome(), Some(Score::LOSS));
    assert_eq!(game.parse(&game.show(&lost)).unwrap().outcome(), Some(Score::LOSS));
    assert_eq!(play(&game, game.start(), "pass pass").outcome(), Some(Score::DRAW));
    for bad in [
        ".w./www/.../.../.b./.../.../bbb/.b. b",
        ".w./www/.../.../.b./www/www/bbb/.b. w",
        ".w./www/.../.../.b./www/www/bbb/.b. b 1",
    ] {
        assert!(game.parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn symmetries_while_the_past_is_known() {
    let game = game::<u64>("4x4");
    let first = play(&game, game.start(), "a2");
    assert_eq!([game.start().symmetries(), first.symmetries()], [8, 8]);
    assert_eq!(play(&game, first, "b2").symmetries(), 1);
    assert_eq!(game.parse("b.w./..../.b../.... w").unwrap().symmetries(), 8);
}

#[test]
fn refuses_what_cannot_be() {
    let game = game::<u64>("3x3");
    for good in ["bbb/b.b/bbb w", "b../.../... b", "www/w.w/ww. b 1", ".../.../... w 2"] {
        assert!(game.parse(good).is_ok(), "{good}");
    }
    for bad in
        ["bbb/bbb/bbb w", "bw./w../... b", ".../.../... b 3", ".../.../... b 1 1", ".../.../... x", "..."]
    {
        assert!(game.parse(bad).is_err(), "{bad}");
    }
}

/// Columns are those of other programs for Go, in moves and in pictures.
#[test]
fn no_column_i() {
    let game = Go::<U384>::new(Setup::parse("19x19").unwrap());
    let start = game.start();
    let names: Vec<String> = (0..19).map(|column| game.show_move(&start, column)).collect();
    assert_eq!(names.join(" "), "a1 b1 c1 d1 e1 f1 g1 h1 j1 k1 l1 m1 n1 o1 p1 q1 r1 s1 t1");
    assert_eq!(game.parse_move(&start, "j5"), Ok(4 * 19 + 8));
    assert!(game.parse_move(&start, "i5").is_err() && game.parse_move(&start, "u5").is_err());
    let view = game.view(&start);
    assert_eq!(
        view.columns.iter().map(|column| column.1.as_str()).collect::<String>(),
        "abcdefghjklmnopqrst"
    );
    assert_eq!([&view.cells[8].name, &view.cells[360].name], ["j1", "t19"]);
}

/// A file of the notation before, with a column `i`, has another name for the game.
#[test]
fn files_name_the_notation() {
    for parameters in ["9x9", "3x3,komi=0.5", "seki=3,4"] {
        let game = Go::<u128>::new(Setup::parse(parameters).unwrap());
        assert_eq!(game.name(), format!("go:{parameters}"));
        assert_eq!(game.id(), format!("go:{parameters}#0000000000000002"));
    }
}
