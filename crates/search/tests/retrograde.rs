//! Retrograde analysis against what knows the history: brute force over all lines of play on small boards and on maps where
//! places repeat; against a slow program in Python; and against the other searches.

use proofplay_core::minimax::{Ending, brute_force};
use proofplay_core::{Bounds, Extras, Facts, Game, Key, Player, Position, Rng, Score, mix};
use proofplay_games::{cannon, checkers, chinese_checkers, go, loa, pentalath};
use proofplay_search::distance::Scoring;
use proofplay_search::proof::Goal;
use proofplay_search::retrograde::Retrograde;
use proofplay_search::{Ask, Halt, Limits, NoMove, Report, Resources, Run, Search, SearchError, SearchSpec};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// A token on a map: the third time in a place is a draw.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Walk {
    map: &'static [Place],
    at: usize,
    /// How often it was where.
    times: [u8; 8],
    end: Option<Score>,
}

#[derive(PartialEq, Eq, Hash, Debug)]
struct Place {
    mover: Player,
    /// A score is an end of the game.
    ways: Vec<Result<usize, Score>>,
}

impl Walk {
    fn from(map: &'static [Place], at: usize) -> Walk {
        let mut times = [0; 8];
        times[at] = 1;
        Walk { map, at, times, end: None }
    }
}

impl Position for Walk {
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
        mix(self.at as Key)
    }
    fn range(&self) -> Bounds {
        Bounds::new(Score(-3), Score(3))
    }
    fn packed(&self) -> Option<u128> {
        Some(self.at as u128)
    }
    fn unpacked(&self, number: u128) -> Self {
        Walk::from(self.map, number as usize)
    }
    fn has_repeated(&self) -> bool {
        (0..self.map.len()).any(|place| place != self.at && self.times[place] >= 2)
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

fn random_map(rng: &mut Rng, worst: i16) -> &'static [Place] {
    let mut place = |_| {
        let mover = Player::BOTH[rng.below(2) as usize];
        let mut way = || match rng.below(5) {
            0 => Err(Score(rng.below(2 * worst as u32 + 1) as i16 - worst)),
            _ => Ok(rng.below(5) as usize),
        };
        let ways = vec![way(), way()];
        Place { mover, ways: ways.into_iter().take(1 + rng.below(2) as usize).collect() }
    };
    let map: Vec<Place> = (0..5).map(&mut place).collect();
    map.leak()
}

/// What the search says: the value, and plies unless nobody wins.
fn solved<P: Position>(pos: &P) -> (Retrograde<P>, Report<P::Move>) {
    let mut search = Retrograde::new(pos, Extras::none(), Resources::default()).unwrap();
    let report = search.run(Ask::AllDistances, &mut Run::default()).unwrap();
    (search, report)
}

/// The value, and the plies unless nobody wins.
fn told(ending: Ending) -> (Score, Option<u32>) {
    (ending.score, ending.score.winner().map(|_| ending.plies))
}

/// The report agrees with brute force, move by move, and its line leads to the end that it promises.
fn check_report<P: Position>(
    pos: &P,
    report: &Report<P::Move>,
    truth: &dyn Fn(&P) -> Option<Ending>,
) -> bool {
    let Some(here) = truth(pos) else { return false };
    assert_eq!(report.halt, Halt::Solved, "{pos:?}");
    assert_eq!((report.bounds.value().unwrap(), report.plies), told(here), "{pos:?}");
    for m in &report.moves {
        let Some(Ending { score, plies }) = truth(&pos.after(m.mv)) else { return false };
        let after = told(Ending { score, plies: plies + 1 });
        assert_eq!((m.bounds.value().unwrap(), m.plies), after, "{pos:?}: {:?}", m.mv);
    }
    let mut end = pos.clone();
    for &mv in &report.pv {
        assert_eq!(end.outcome(), None, "{pos:?}");
        end.play(mv);
    }
    if let Some(plies) = report.plies {
        assert_eq!((report.pv.len() as u32, end.outcome()), (plies, report.bounds.value()), "{pos:?}");
    }
    assert!(report.best_is_proven(pos.turn()), "{pos:?}");
    true
}

/// Wins through cycles, draws by cycles, and losses that take as long as they can.
#[test]
fn maps_by_hand() {
    let told = |text: &str, at: usize| {
        let (_, report) = solved(&Walk::from(map(text), at));
        check_report(&Walk::from(map(text), at), &report, &|pos| brute_force(pos, &mut |_| true));
        (report.bounds.value().unwrap().0, report.plies)
    };
    // Second comes back to 0, where First has a win that a search from 0 by way of 1 takes for a draw.
    let detour = "1 1 2 | 2 0 | 2 3 | 1 =1";
    assert_eq!([0, 1, 2].map(|at| told(detour, at)), [(1, Some(3)), (1, Some(4)), (1, Some(2))]);
    // First would win from 2, but Second always goes back.
    let round = "1 1 | 2 0 2 | 1 =1 1";
    assert_eq!([0, 1, 2].map(|at| told(round, at)), [(0, None), (0, None), (1, Some(1))]);
    // Second loses, sooner or later, and takes the long way, which passes 1 once more.
    let late = "2 1 =1 | 1 2 | 2 3 =1 | 1 4 1 | 2 =1";
    assert_eq!([0, 2].map(|at| told(late, at)), [(1, Some(5)), (1, Some(3))]);
    // Points: First prefers two points later to one now, and Second cannot hold that by a cycle.
    let points = "1 1 =1 | 2 2 | 1 =2 0";
    assert_eq!(told(points, 0), (2, Some(3)));
    // Who moves twice: Second may go round alone.
    let alone = "2 1 =0 | 2 0 =1 | 1 0";
    assert_eq!([0, 1, 2].map(|at| told(alone, at)), [(0, None), (0, None), (0, None)]);
}

/// All places of random maps, with an empty history and after some moves. A table by place must also say when it does not know.
#[test]
fn random_maps() {
    let (mut rng, mut counts) = (Rng::new(1), [0; 4]);
    for round in 0..400 {
        let map = random_map(&mut rng, 1 + round % 3);
        for at in 0..map.len() {
            let mut pos = Walk::from(map, at);
            let (search, report) = solved(&pos);
            assert!(check_report(&pos, &report, &|pos| brute_force(pos, &mut |_| true)));
            counts[0] += usize::from(report.bounds.pess.0 != 0);
            let facts = search.solved().unwrap();
            while pos.outcome().is_none() {
                let (value, plies) = told(brute_force(&pos, &mut |_| true).unwrap());
                let known = facts.certain(&pos).unwrap();
                assert!(known.bounds.contains(value), "{pos:?}: {value} is not in {}", known.bounds);
                assert_eq!(facts.bounds(&pos), known.bounds);
                let plain = facts.certain(&pos.unpacked(pos.packed().unwrap())).unwrap();
                counts[1] += usize::from(plain.bounds.value() != Some(value));
                if pos.has_repeated() {
                    counts[2] += usize::from(!known.bounds.is_exact());
                } else {
                    assert_eq!((known.bounds.value(), known.plies), (Some(value), plies), "{pos:?}");
                    counts[3] += usize::from(pos.times != Walk::from(map, pos.at).times);
                }
                let mv = pos.random_move(&mut rng, &mut Vec::new());
                pos.play(mv);
            }
        }
    }
    // Won and lost places; histories that change a value, that may, and that cannot.
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

/// The moves of its strategist lead each side to what was proven, by cycles too, and a winner in no more plies than promised.
#[test]
fn strategies_reach_the_end() {
    let (mut rng, mut won) = (Rng::new(3), 0);
    for round in 0..200 {
        let start = Walk::from(random_map(&mut rng, 1 + round % 3), 0);
        let (mut search, report) = solved(&start);
        let value = report.bounds.value().unwrap();
        let mut strategist = search.strategist(&mut (1 << 20), Limits::default(), &Arc::default());
        for player in Player::BOTH {
            let goal = Goal { player, at_least: value.seen_by(player) };
            let better = Goal { at_least: Score(goal.at_least.0 + 1), ..goal };
            let (mut pos, mut plies) = (start.clone(), 0);
            while pos.outcome().is_none() {
                let mut good = Vec::new();
                if pos.turn() != player {
                    good.push(pos.random_move(&mut rng, &mut Vec::new()));
                } else {
                    if plies == 0 {
                        let chosen = strategist.choose(&pos, better, Scoring::Rules, &mut good);
                        assert_eq!(chosen, Err(NoMove::Unproven), "{pos:?}");
                    }
                    strategist.choose(&pos, goal, Scoring::Rules, &mut good).unwrap();
                }
                pos.play(good[0]);
                plies += 1;
            }
            let end = pos.outcome().unwrap();
            assert!(end.seen_by(player) >= goal.at_least, "{start:?}: {end} instead of {value}");
            if value.winner() == Some(player) && end == value {
                assert!(Some(plies) <= report.plies, "{start:?}: {plies} plies");
                won += 1;
            }
        }
    }
    assert!(won > 50, "{won}");
}

/// Other searches take the table as facts, also where the history counts.
#[test]
fn facts_for_other_searches() {
    let mut rng = Rng::new(2);
    for _ in 0..100 {
        let start = Walk::from(random_map(&mut rng, 1), 0);
        let (search, _) = solved(&start);
        let facts = search.solved().unwrap();
        let extras = Extras { facts: Some(Arc::new(facts)), ..Extras::none() };
        let mut pos = start;
        while pos.outcome().is_none() {
            let value = brute_force(&pos, &mut |_| true).unwrap().score;
            for spec in ["pns:facts=on", "pp:facts=on", "score-bounded:facts=on"] {
                let spec: SearchSpec = spec.parse().unwrap();
                let mut other = spec.start(&pos, extras.clone(), Resources::default()).unwrap();
                let report = other.run(Ask::Value, &mut Run::default()).unwrap();
                assert_eq!(report.bounds.value(), Some(value), "{spec} {pos:?}");
            }
            let mv = pos.random_move(&mut rng, &mut Vec::new());
            pos.play(mv);
        }
    }
}

/// The third occurrence and the counter of a real game, from positions near the ends of random games: brute force knows both.
fn against_brute_force<G: Game>(game: &G, wanted: usize, most: u32, seed: u64) {
    let (mut rng, mut checked, mut exact, mut won) = (Rng::new(seed), 0, 0, 0);
    let limited = |pos: &G::Pos| {
        let mut nodes = 0;
        brute_force(pos, &mut |_| {
            nodes += 1;
            nodes < most
        })
    };
    for _ in 0..200 * wanted {
        let mut line = vec![game.start()];
        while line.last().unwrap().outcome().is_none() && line.len() < 300 {
            let pos = line.last().unwrap();
            line.push(pos.after(pos.random_move(&mut rng, &mut Vec::new())));
        }
        let last = line.len() as u32 - 1;
        let pos = &line[(last - rng.below(4.min(last)) - 1) as usize];
        let plain = pos.unpacked(pos.packed().expect("it is small"));
        assert_eq!(game.show(&plain), game.show(pos));
        if limited(&plain).is_none() {
            continue;
        }
        let resources = Resources { memory: 1 << 22, ..Resources::default() };
        let mut search = Retrograde::new(&plain, Extras::none(), resources).unwrap();
        let report = search.run(Ask::AllMoves, &mut Run::default()).unwrap();
        if report.halt == Halt::Memory || !check_report(&plain, &report, &limited) {
            continue;
        }
        // With the history that it has in the game.
        if let Some(here) = limited(pos) {
            let known = search.solved().unwrap().certain(pos).unwrap();
            assert!(known.bounds.contains(here.score), "{}: {pos:?}", game.name());
            if !pos.has_repeated() {
                assert_eq!(
                    (known.bounds.value().unwrap(), known.plies),
                    told(here),
                    "{}: {pos:?}",
                    game.name()
                );
                exact += 1;
            }
        }
        won += usize::from(report.plies.is_some());
        checked += 1;
        if checked == wanted {
            break;
        }
    }
    assert!(checked == wanted && exact > 0 && won > 0, "{}: {checked} {exact} {won}", game.name());
}

#[test]
fn small_boards_of_repeating_games() {
    against_brute_force(&loa::Loa::<u64>::new(loa::Setup::parse("3x3").unwrap()), 3, 50_000, 1);
    for parameters in ["4x4", "4x4,draw=none", "5x5", "6x6"] {
        against_brute_force(
            &checkers::Checkers::new(checkers::Setup::parse(parameters).unwrap()),
            10,
            20_000,
            2,
        );
    }
    for parameters in ["2,k=2", "2,k=3", "2,k=3,swap=yes", "3,k=3"] {
        let game = pentalath::Pentalath::<u64>::new(pentalath::Setup::parse(parameters).unwrap());
        against_brute_force(&game, 10, 20_000, 3);
    }
}

/// What positions repeat but their history decides more than draws is refused, and so are positions that are too large.
#[test]
fn histories_that_matter_are_refused() {
    fn refused<P: Position>(pos: &P) {
        let error = Retrograde::new(pos, Extras::none(), Resources::default()).unwrap_err();
        assert_eq!(error, SearchError::NoNumbers("retrograde"));
        for name in ["pns", "pn2", "pp", "pp2", "minimax", "score-bounded"] {
            assert!(
                error.to_string().contains(name)
                    && name.parse::<SearchSpec>().unwrap().start_bare(pos, Resources::default()).is_ok()
            );
        }
    }
    refused(&go::Go::<u64>::new(go::Setup::parse("2x2").unwrap()).start());
    refused(&cannon::Cannon::new(cannon::Setup::default()).start());
    refused(&pentalath::Pentalath::<u128>::new(pentalath::Setup::parse("6").unwrap()).start());
    refused(&loa::Loa::<u128>::new(loa::Setup::parse("11x11").unwrap()).start());
}

/// With too little memory it says how far it came, and nothing that is not certain; with few nodes at a time it goes on.
#[test]
fn memory_and_limits() {
    let game = checkers::Checkers::new(checkers::Setup::parse("4x4,draw=none").unwrap());
    let pos = game.start();
    let (whole, truth) = solved(&pos);
    let size = whole.size();
    let resources = Resources { memory: truth.memory / 2, ..Resources::default() };
    let mut search = Retrograde::new(&pos, Extras::none(), resources).unwrap();
    for _ in 0..2 {
        let report = search.run(Ask::Value, &mut Run::default()).unwrap();
        assert_eq!((report.halt, report.bounds, report.plies), (Halt::Memory, Bounds::WDL, None));
        assert!(search.size().0 < size.0 && report.memory > resources.memory && report.memory < truth.memory);
    }
    let mut search = Retrograde::new(&pos, Extras::none(), Resources::default()).unwrap();
    let limits = Limits { nodes: Some(20), ..Limits::default() };
    let (mut runs, mut nodes) = (0, 0);
    let report = loop {
        let report = search.run(Ask::AllDistances, &mut Run::new(limits)).unwrap();
        (runs, nodes) = (runs + 1, nodes + report.nodes);
        if report.halt != Halt::Limit {
            break report;
        }
        assert!(runs < 1000 && !report.bounds.is_exact());
    };
    assert!(runs > 3 && nodes == truth.nodes, "{runs} runs, {nodes} nodes of {}", truth.nodes);
    assert_eq!((report.bounds, report.moves), (truth.bounds, truth.moves));
    // All that follows is known now.
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let mut at = pos.clone();
        search.set_position(&pos);
        while at.outcome().is_none() {
            let mv = at.random_move(&mut rng, &mut Vec::new());
            at.play(mv);
            search.play(mv);
            let report = search.run(Ask::Distance, &mut Run::new(limits)).unwrap();
            assert_eq!(report.nodes, 0);
            assert!(report.bounds.is_exact() || at.has_repeated());
        }
    }
}

/// Values and distances by the second program, whose rules and whose search share no code with this one.
fn by_python(name: &str, lines: &[String]) -> Option<Vec<(i16, Option<u32>)>> {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("no python3: the second program was not asked");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/oracle/distances.py");
    let mut child = Command::new("python3")
        .args([script.as_os_str(), name.as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name}");
    let read = |line: &str| {
        let (score, plies) = line.split_once(' ').unwrap();
        (score.parse().unwrap(), plies.parse().ok())
    };
    Some(String::from_utf8(output.stdout).unwrap().lines().map(read).collect())
}

/// Positions, each with the line that leads there in the second program, get the same answers.
fn same_as_python<G: Game>(game: &G, positions: &[(String, G::Pos)]) {
    let lines: Vec<String> = positions.iter().map(|position| position.0.clone()).collect();
    let Some(truth) = by_python(&game.name(), &lines) else { return };
    assert_eq!(truth.len(), positions.len());
    let mut kinds = [0; 3];
    for ((line, pos), (score, plies)) in positions.iter().zip(truth) {
        let mut search = Retrograde::new(pos, Extras::none(), Resources::default()).unwrap();
        let report = search.run(Ask::Distance, &mut Run::default()).unwrap();
        let told = (report.bounds.value(), report.plies);
        assert_eq!(told, (Some(Score(score)), plies), "{}: {line}", game.name());
        kinds[(score + 1) as usize] += 1;
    }
    assert!(kinds.iter().filter(|&&kind| kind > 0).count() > 1, "{}: {kinds:?}", game.name());
}

/// Positions of random games, which are not over, their history left aside.
fn from_the_start<G: Game>(game: &G, count: usize, rng: &mut Rng) -> Vec<(String, G::Pos)> {
    let mut found = Vec::new();
    while found.len() < count {
        let (mut pos, mut line) = (game.start(), Vec::new());
        while pos.outcome().is_none() {
            if rng.below(6) == 0 {
                found.push((line.join(" "), pos.unpacked(pos.packed().unwrap())));
            }
            let mv = pos.random_move(rng, &mut Vec::new());
            line.push(game.show_move(&pos, mv));
            pos.play(mv);
        }
    }
    found.truncate(count);
    found
}

/// Positions of Cannon with a town and a soldier each, close to each other.
fn cannon_endings(count: usize, rng: &mut Rng) -> (cannon::Cannon, Vec<(String, cannon::Board)>) {
    let (game, mut found) = (cannon::Cannon::new(cannon::Setup::default()), Vec::new());
    while found.len() < count {
        let mut board = vec![vec!['.'; 10]; 10];
        let mut below = |most| rng.below(most) as usize;
        (board[0][4], board[9][5]) = ('W', 'B');
        (board[5 - below(4)][3 + below(4)], board[5 + below(4)][3 + below(4)]) = ('b', 'w');
        let rows: Vec<String> = board.into_iter().map(String::from_iter).collect();
        let text = format!("{} {}", rows.join("/"), ["b", "w"][below(2)]);
        let pos = game.parse(&text).ok().filter(|pos: &cannon::Board| pos.outcome().is_none());
        found.extend(pos.map(|pos| (format!("position {text}"), pos)));
    }
    (game, found)
}

/// Random endings of Checkers with men and kings that are not over.
fn checkers_endings(
    size: usize,
    draw: &str,
    pieces: u32,
    count: usize,
    rng: &mut Rng,
) -> (checkers::Checkers, Vec<(String, checkers::Board)>) {
    let setup = checkers::Setup::parse(&format!("{size}x{size},draw={draw}")).unwrap();
    let (game, mut found) = (checkers::Checkers::new(setup), Vec::new());
    while found.len() < count {
        let mut board = vec![vec!['.'; size]; size];
        for i in 0..pieces {
            let (row, column) = (rng.below(size as u32) as usize, rng.below(size as u32) as usize);
            // Both players have a piece, and kings are as frequent as men.
            let kinds = if i % 2 == 0 { ['w', 'W'] } else { ['b', 'B'] };
            board[row][column] = kinds[rng.below(2) as usize];
        }
        let rows: Vec<String> = board.into_iter().map(String::from_iter).collect();
        let counted =
            if draw == "25" && rng.below(2) == 0 { format!(" {}", rng.below(25)) } else { String::new() };
        let text = format!("{} {}{counted}", rows.join("/"), ["w", "b"][rng.below(2) as usize]);
        let pos = game.parse(&text).ok().filter(|pos: &checkers::Board| pos.outcome().is_none());
        found.extend(pos.map(|pos| (format!("position {text}"), pos)));
    }
    (game, found)
}

/// A few dozen; `ENDINGS=1000` asks for that many of each kind, which takes minutes.
#[test]
fn python_finds_the_same() {
    let many = std::env::var("ENDINGS").ok().map(|count| count.parse().expect("ENDINGS is a number"));
    let mut rng = Rng::new(5);
    for (size, draw, pieces, few) in
        [(4, "none", 3, 20), (5, "25", 2, 10), (6, "none", 3, 20), (4, "25", 3, 20)]
    {
        let (game, positions) = checkers_endings(size, draw, pieces, many.unwrap_or(few), &mut rng);
        same_as_python(&game, &positions);
    }
    let (game, positions) = cannon_endings(many.unwrap_or(10).min(100), &mut rng);
    same_as_python(&game, &positions);
    let game = chinese_checkers::ChineseCheckers::<u64>::new(chinese_checkers::Setup { side: 1 });
    same_as_python(&game, &from_the_start(&game, 100, &mut rng));
    let game = loa::Loa::<u64>::new(loa::Setup::parse("3x3").unwrap());
    same_as_python(&game, &from_the_start(&game, 100, &mut rng));
    for parameters in ["2,k=3", "2,k=3,swap=yes"] {
        let game = pentalath::Pentalath::<u64>::new(pentalath::Setup::parse(parameters).unwrap());
        same_as_python(&game, &from_the_start(&game, 30, &mut rng));
    }
    if let Some(many) = many {
        let (game, positions) = checkers_endings(8, "none", 3, many, &mut rng);
        same_as_python(&game, &positions);
    }
}
