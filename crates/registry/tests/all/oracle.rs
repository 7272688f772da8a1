//! Every game against an independent slow implementation: move counts, values, positions and legal
//! moves. The data files are written by `crates/games/tests/oracle/oracle.py`.

use proofplay_core::{Player, Score};
use proofplay_registry::{DynPosition, GAMES, game};
use proofplay_search::{Ask, Limits, Resources, Run, SearchError, SearchSpec};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The lines of all files of one kind, split into fields.
fn lines(kind: &str) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests").join(kind);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let data = texts.iter().flat_map(|text| text.lines().filter(|line| !line.starts_with('#')));
    data.map(|line| line.split('|').map(|field| field.trim().to_owned()).collect()).collect()
}

/// The position after a line of play, or of a text.
fn reach(name: &str, moves: &str) -> Box<dyn DynPosition> {
    let game = game(name).unwrap_or_else(|e| panic!("{name}: {e}"));
    if let Some(text) = moves.strip_prefix("position ") {
        return game.parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let mut pos = game.start();
    for mv in moves.split_whitespace() {
        pos.play(mv).unwrap_or_else(|e| panic!("{name} {moves}: {e}"));
    }
    pos
}

#[test]
fn perft_counts() {
    let all = lines("perft");
    for line in &all {
        let [name, moves, depth, count] = &line[..] else { panic!("{line:?}") };
        let (depth, stop) = (depth.parse().unwrap(), AtomicBool::new(false));
        let parts = reach(name, moves).perft(depth, 2, &stop, &|_, _, _| ()).unwrap();
        let sum: u64 = parts.iter().map(|part| part.1).sum();
        assert_eq!(sum, count.parse::<u64>().unwrap(), "{line:?}");
    }
    assert!(all.len() > 800, "the data files hold {} lines", all.len());
}

#[test]
fn positions_legal_moves_and_outcomes() {
    let all = lines("positions");
    for line in &all {
        let [name, moves, text, legal, outcome] = &line[..] else { panic!("{line:?}") };
        let pos = reach(name, moves);
        let mut ours = pos.legal();
        ours.sort();
        assert_eq!(ours.join(" "), *legal, "{line:?}");
        let ours = match pos.outcome().map(|score| score.winner()) {
            None => "-",
            Some(None) => "draw",
            Some(Some(Player::First)) => "first",
            Some(Some(Player::Second)) => "second",
        };
        assert_eq!(ours, outcome, "{line:?}");
        assert_eq!(pos.text(), *text, "{line:?}");
    }
    assert!(all.len() > 300, "the data files hold {} lines", all.len());
}

/// No game is left out but trees that are given as text, whose moves stand there, and rule sheets, which have oracles of their own.
#[test]
fn every_game_has_data() {
    for kind in ["perft", "positions", "values"] {
        let all = lines(kind);
        let names: HashSet<&str> = all.iter().filter_map(|line| line[0].split(':').next()).collect();
        let missing: Vec<&str> =
            GAMES.iter().map(|entry| entry.name()).filter(|name| !names.contains(name)).collect();
        assert_eq!(missing, ["written", "gdl"], "{kind}");
    }
}

/// Games whose pieces move to and fro without end: most searches never see that a position is drawn. Where stones are only
/// added and captured, they do.
fn goes_to_and_fro(line: &[String]) -> bool {
    let adds_stones = ["go:", "pentalath:"].iter().any(|name| line[0].starts_with(name));
    !adds_stones && game(&line[0]).unwrap_or_else(|e| panic!("{line:?}: {e}")).repeats()
}

/// Every position of known value by these searches; all bounds must be true. Returns how many
/// positions each has solved within `nodes`.
fn solved_values<'a>(specs: &[&'a str], memory: usize, limits: Limits) -> Vec<(&'a str, usize, usize)> {
    let mut all = lines("values");
    let resources = Resources { memory, ..Resources::default() };
    all.retain(|line| !goes_to_and_fro(line));
    assert!(all.len() > 400, "the data files hold {} lines", all.len());
    let solved = |spec: &str| {
        let search: SearchSpec = spec.parse().unwrap();
        let solves = |line: &&Vec<String>| {
            let [name, moves, value] = &line[..] else { panic!("{line:?}") };
            let value = Score(value.parse().unwrap());
            // Searches that keep values by position refuse games whose positions can repeat.
            let report =
                match reach(name, moves).search(&search, resources, Ask::Value, &mut Run::new(limits)) {
                    Ok(report) => report,
                    Err(SearchError::Cyclic(_)) => {
                        assert!(game(name).unwrap().repeats(), "{spec} refuses {name}");
                        let tree: SearchSpec = "score-bounded".parse().unwrap();
                        reach(name, moves)
                            .search(&tree, resources, Ask::Value, &mut Run::new(limits))
                            .unwrap()
                    }
                    Err(error) => panic!("{spec}: {line:?}: {error}"),
                };
            assert!(report.bounds.contains(value), "{spec}: {} in {line:?}", report.bounds);
            report.bounds.is_exact()
        };
        all.iter().filter(solves).count()
    };
    specs.iter().map(|&spec| (spec, solved(spec), all.len())).collect()
}

#[test]
fn values_by_alphabeta() {
    let specs = ["alphabeta", "alphabeta:symmetry=off"];
    for (spec, solved, all) in solved_values(&specs, 1 << 22, Limits::default()) {
        assert_eq!(solved, all, "{spec}");
    }
}

/// Some positions are too hard for the plainer ones of these searches.
#[test]
fn values_by_proof_searches() {
    let specs =
        ["pns", "pnt", "pnt:symmetry=on", "pn2", "pp", "ppt", "ppt:symmetry=on", "ppt:init=eval", "pp2"];
    let limits = Limits { nodes: Some(300_000), ..Limits::default() };
    for (spec, solved, all) in solved_values(&specs, 1 << 26, limits) {
        assert!(solved * 10 > all * 9, "{spec} has solved {solved} of {all}");
    }
}

/// Searches on positions with history never contradict the values, and prove those that a few moves
/// decide.
#[test]
fn values_of_pieces_that_go_to_and_fro() {
    let mut all = lines("values");
    all.retain(|line| goes_to_and_fro(line));
    assert!(all.len() > 100, "the data files hold {} lines", all.len());
    let resources = Resources { memory: 1 << 24, ..Resources::default() };
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    for spec in ["mcts:proof=bounds,playouts=3000", "pns", "pp"] {
        let (search, mut proven): (SearchSpec, _) = (spec.parse().unwrap(), 0);
        for line in &all {
            let [name, moves, value] = &line[..] else { panic!("{line:?}") };
            let report =
                reach(name, moves).search(&search, resources, Ask::Value, &mut Run::new(limits)).unwrap();
            let value = Score(value.parse().unwrap());
            assert!(report.bounds.contains(value), "{spec}: {} in {line:?}", report.bounds);
            proven += usize::from(report.bounds.is_exact());
        }
        assert!(2 * proven > all.len(), "{spec} has proven only {proven} of {}", all.len());
    }
}

/// Everything that can follow from a position, histories aside: who moves, what comes next, and the
/// score of the end.
#[derive(Default)]
struct Graph(HashMap<String, (Player, Vec<String>, Option<Score>)>);

impl Graph {
    fn add(&mut self, pos: Box<dyn DynPosition>) {
        let game = game(&pos.game()).unwrap();
        let mut todo = vec![pos.text()];
        while let Some(text) = todo.pop() {
            if self.0.contains_key(&text) {
                continue;
            }
            let pos = game.parse(&text).unwrap_or_else(|e| panic!("{e}"));
            let next: Vec<String> = pos
                .legal()
                .iter()
                .map(|mv| {
                    let mut next = pos.boxed();
                    next.play(mv).unwrap_or_else(|e| panic!("{text}: {e}"));
                    next.text()
                })
                .collect();
            todo.extend(next.iter().cloned());
            self.0.insert(text, (pos.turn(), next, pos.outcome()));
        }
    }

    /// The positions from which `player` can force a win: from the ends of the game backwards.
    fn won_by(&self, player: Player) -> HashSet<&str> {
        let score = Score::win_of(player);
        let ends = self.0.iter().filter(|(_, (_, _, outcome))| *outcome == Some(score));
        let mut won: HashSet<&str> = ends.map(|(text, _)| text.as_str()).collect();
        loop {
            let before = won.len();
            for (text, (turn, next, _)) in &self.0 {
                let good = |next: &String| won.contains(next.as_str());
                let forced = if *turn == player { next.iter().any(good) } else { next.iter().all(good) };
                if forced && !next.is_empty() {
                    won.insert(text);
                }
            }
            if won.len() == before {
                return won;
            }
        }
    }
}

/// Third occurrences aside, endless play is a draw: the same values.
#[test]
fn values_by_retrograde_analysis() {
    let mut all = lines("values");
    all.retain(|line| goes_to_and_fro(line));
    let names: HashSet<String> = all.iter().map(|line| line[0].clone()).collect();
    for name in names {
        let (lines, mut graph) = (all.iter().filter(|line| line[0] == name), Graph::default());
        for line in lines.clone() {
            graph.add(reach(&name, &line[1]));
        }
        let won = Player::BOTH.map(|player| graph.won_by(player));
        for line in lines {
            let text = reach(&name, &line[1]).text();
            let value = won.each_ref().map(|won| i16::from(won.contains(text.as_str())));
            assert_eq!((value[0] - value[1]).to_string(), line[2], "{line:?}");
        }
    }
}
