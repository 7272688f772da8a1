//! Every table at a tiny size: golden figures where a seed decides, the truth everywhere.

use super::*;
use crate::race::{Positions, Race};
use crate::{Store, Study};
use proofplay_registry::game;
use std::path::Path;
use std::sync::Arc;

fn memory() -> Store {
    Store::open(Path::new(":memory:")).unwrap()
}

fn table(id: &str, scale: Scale) -> Table {
    tables(scale).into_iter().find(|table| table.id == id).unwrap()
}

/// The table with only the cells that `keep` accepts, each experiment with this many trials.
fn part(id: &str, trials: u32, keep: impl Fn(&Cell) -> bool) -> Table {
    let mut table = table(id, Scale::Quick);
    let cells: Vec<Cell> = table.cells.iter().filter(|cell| keep(cell)).cloned().collect();
    let used: Vec<usize> =
        (0..table.experiments.len()).filter(|i| cells.iter().any(|c| c.experiment == *i)).collect();
    table.experiments = used.iter().map(|&i| Planned { trials, ..table.experiments[i].clone() }).collect();
    table.cells = cells;
    for cell in &mut table.cells {
        cell.experiment = used.iter().position(|&i| i == cell.experiment).unwrap();
    }
    table
}

fn done(table: Table) -> TableResult {
    let result = reproduce(table, Scale::Quick, 2, &memory(), &Arc::default(), &mut |_| ()).unwrap();
    assert!(result.is_complete());
    result
}

fn means(result: &TableResult) -> Vec<f64> {
    result.cells.iter().map(|cell| cell.figure.as_ref().map_or(f64::NAN, |figure| figure.mean)).collect()
}

fn verdicts(result: &TableResult) -> Vec<Verdict> {
    result.cells.iter().map(|cell| cell.verdict).collect()
}

#[test]
fn tables_are_whole() {
    let sizes = [
        ("mcts-solver-1", 1),
        ("mcts-solver-2", 6),
        ("mcts-solver-fig1", 4),
        ("score-bounded-1", 81),
        ("score-bounded-2", 36),
        ("score-bounded-3", 36),
        ("score-bounded-4", 36),
        ("score-bounded-5", 36),
        ("score-bounded-6", 12),
        ("score-bounded-match", 2),
        ("pp-3", 9),
        ("pp-4", 18),
        ("pp-5", 18),
        ("pp-6", 24),
        ("pp-7", 24),
        ("quality-1", 12),
        ("quality-2", 12),
        ("exact-win-2", 13),
        ("exact-win-3", 11),
        ("exact-win-4", 15),
        ("exact-win-match", 1),
        ("exact-win-5", 216),
        ("exact-win-fig5", 15),
    ];
    for scale in [Scale::Quick, Scale::PAPER, Scale::Percent(10.0)] {
        let all = tables(scale);
        assert_eq!(all.iter().map(|table| (table.id, table.cells.len())).collect::<Vec<_>>(), sizes);
        for table in &all {
            let mut names: Vec<_> = table.cells.iter().map(|cell| (&cell.row, &cell.column)).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), table.cells.len(), "{}", table.id);
            assert!(table.experiments.iter().all(|planned| planned.trials > 0));
            for planned in &table.experiments {
                // Whatever is missing is a game or a player that this program does not know.
                if let Experiment::Missing(why) = &planned.experiment {
                    assert!(
                        why.contains("no game is called") || why.contains("depth"),
                        "{}: {why}",
                        table.id
                    );
                }
            }
        }
    }
}

#[test]
fn scales() {
    let read = |text: &str| text.parse::<Scale>();
    assert_eq!([read("quick"), read("paper")], [Ok(Scale::Quick), Ok(Scale::PAPER)]);
    assert_eq!(read("2.5%"), Ok(Scale::Percent(2.5)));
    for bad in ["", "slow", "0%", "-1%", "%", "10", "nan%"] {
        assert!(read(bad).is_err(), "{bad}");
    }
    assert_eq!([read("12%"), read("100%")].map(|scale| scale.unwrap().to_string()), ["12%", "paper"]);
    assert_eq!([Scale::Quick, Scale::PAPER, Scale::Percent(1.0)].map(|s| s.trials(4, 30)), [4, 30, 1]);
    assert_eq!(Scale::Percent(1.5).games(4, 200), 4);
}

#[test]
fn exact_tables_are_the_papers() {
    for id in ["score-bounded-1", "score-bounded-2"] {
        let result = done(table(id, Scale::Quick));
        assert!(verdicts(&result).iter().all(|verdict| *verdict == Verdict::Reproduced), "{id}");
        assert_eq!(result.summary(), [(Verdict::Reproduced, result.cells.len())]);
    }
}

/// Two seeds of the easiest problems; every proven value is that of table 2.
#[test]
fn seki_is_golden() {
    let values = done(table("score-bounded-2", Scale::Quick));
    let golden = [
        ("score-bounded-3", [166.5, 425.0, 821.0, 503.5, 2581.5, 981.0]),
        ("score-bounded-4", [114.5, 249.5, 503.0, 286.0, 958.5, 1395.5]),
        ("score-bounded-5", [91.0, 69.0, 197.5, 240.5, 597.0, 587.0]),
    ];
    for (id, want) in golden {
        let easy = |cell: &Cell| ["1", "2"].contains(&&*cell.row) && ["1", "2", "3"].contains(&&*cell.column);
        let result = done(part(id, 2, easy));
        assert_eq!(means(&result), want, "{id}");
        for (cell, outcomes) in result.cells.iter().zip(&result.outcomes) {
            let Outcomes::Solved(trials) = outcomes else { panic!("{id}: not solved") };
            let value = values.figure(&cell.row, &cell.column).unwrap().mean;
            assert!(trials.iter().all(|(_, s, _)| s.is_exact() && f64::from(s.pess) == value), "{id}");
        }
    }
}

#[test]
fn connect4_is_golden() {
    let result = done(part("score-bounded-6", 2, |cell| cell.column == "3x3"));
    assert_eq!(means(&result), [2736.5, 2553.0, 1611.5]);
    for outcomes in &result.outcomes {
        let Outcomes::Solved(trials) = outcomes else { panic!("not solved") };
        assert!(trials.iter().all(|(_, solved, _)| (solved.pess, solved.opti) == (0, 0)));
    }
}

/// Every move of the shown positions has its true value, and the simulations through the moves add up
/// to all simulations.
#[test]
fn exact_win_is_golden() {
    let value = |mv: &str| if mv == "b2" { 0 } else { 1 };
    for (id, total) in [("exact-win-2", 54.0), ("exact-win-3", 102.0)] {
        let result = done(part(id, 4, |_| true));
        let all = result.figure("Exact-win", "total").unwrap();
        assert_eq!(all.mean, total, "{id}");
        for row in ["MCTS", "Exact-win"] {
            let moves = result.cells.iter().filter(|cell| cell.row == row && cell.column != "total");
            let sum: f64 = moves.map(|cell| cell.figure.as_ref().unwrap().mean).sum();
            assert_eq!(sum, if row == "MCTS" { 200.0 } else { total }, "{id}: {row}");
        }
        let Outcomes::Solved(trials) = &result.outcomes[1] else { panic!("{id}: not solved") };
        for (mv, _, pess, opti) in trials.iter().flat_map(|(_, solved, _)| &solved.moves) {
            // In table 2 X wins whatever O does, in table 3 X wins but for b2.
            let truth = if id == "exact-win-2" { 1 } else { value(mv) };
            assert_eq!((*pess, *opti), (truth, truth), "{id}: {mv}");
        }
    }
}

/// A second search says the same of the position that we chose: every column loses.
#[test]
fn the_lost_position_is_lost() {
    let table = table("exact-win-4", Scale::Quick);
    let Experiment::Solve(study) = &table.experiments[1].experiment else { panic!("not a solve") };
    let truth = crate::Solve { spec: "alphabeta".parse().unwrap(), playouts: None, ..study.as_ref().clone() };
    assert_eq!(truth.start().unwrap().turn(), proofplay_core::Player::Second);
    let solved = truth.trial(0, &Arc::default()).unwrap().unwrap();
    assert_eq!(solved.moves.len(), 7);
    assert!(solved.moves.iter().all(|(_, _, pess, opti)| (*pess, *opti) == (1, 1)));
    let ours = study.trial(0, &Arc::default()).unwrap().unwrap();
    assert!(ours.moves.iter().all(|(_, _, pess, opti)| (*pess, *opti) == (1, 1)));
    assert_eq!(ours.moves.iter().map(|m| m.1).sum::<u64>(), ours.playouts);
}

#[test]
fn domineering_is_the_papers() {
    let result = done(part("pp-4", 1, |cell| cell.column == "5x6"));
    let of = |row: &str| result.figure(row, "5x6").unwrap().mean;
    assert_eq!([of("PP"), of("PPT"), of("PP²")], [101_244.0, 27_313.0, 3640.0]);
    assert_eq!(result.cell("PP", "5x6").unwrap().verdict, Verdict::Reproduced);
    assert_eq!(result.cell("PPT", "5x6").unwrap().verdict, Verdict::Close);
    for outcomes in &result.outcomes {
        let Outcomes::Solved(trials) = outcomes else { panic!("not solved") };
        assert!(trials.iter().all(|(_, solved, _)| !solved.is_exact() || solved.pess == 1));
    }
    let nogo =
        done(part("pp-6", 1, |cell| cell.column == "18x1" && ["αβ", "PP", "PPT"].contains(&&*cell.row)));
    assert!(nogo.outcomes.iter().all(|o| matches!(o, Outcomes::Solved(t) if t[0].1.pess == 1)));
}

/// The racers of Y on a board so small that brute force knows the values.
#[test]
fn races_are_true() {
    let Experiment::Race(race) = &table("pp-3", Scale::Quick).experiments[0].experiment else {
        panic!("no race")
    };
    let race =
        Race { game: "y:4".to_owned(), positions: Positions::Random { plies: 3, seed: 1 }, ..race.clone() };
    let mut texts = Vec::new();
    for number in 0..6 {
        let pos = race.position(number).unwrap();
        let truth = {
            let (resources, mut run) = (Default::default(), Default::default());
            pos.search(&"minimax".parse().unwrap(), resources, proofplay_search::Ask::Value, &mut run)
                .unwrap()
        };
        let value = truth.bounds.seen_by(pos.turn()).pess.0;
        let runs = race.trial(number, &Arc::default()).unwrap().unwrap();
        assert_eq!(runs.len(), 3);
        assert!(runs.iter().all(|run| (run.pess, run.opti) == (value, value) && run.iterations > 0));
        texts.push(pos.text());
    }
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 4);
}

/// Matches of every table, two games at ten simulations a move: legal, ended, within their limits.
#[test]
fn matches_can_be_played() {
    for id in ["mcts-solver-1", "quality-1", "quality-2", "score-bounded-match", "exact-win-match"] {
        for planned in table(id, Scale::Quick).experiments {
            let Experiment::Match(mut contest) = planned.experiment else { continue };
            contest.pace.playouts = Some(10);
            contest.most_plies = contest.most_plies.min(60);
            let played = contest.trial(1, &Arc::default()).unwrap().unwrap();
            assert!(played.plies <= 60 && played.half_points <= 2, "{id}");
            assert!(played.a.playouts <= 10 * u64::from(played.a.moves), "{id}");
            let mut pos = game(&contest.game).unwrap().start();
            played.moves.split(' ').for_each(|mv| pos.play(mv).unwrap());
            assert_eq!(pos.outcome().map(|score| score.0), played.score, "{id}");
        }
    }
}

/// A search that shares nothing with those that found the stored positions proves that the first
/// stored move wins; and every stored move is legal.
#[test]
fn forced_wins_are_forced() {
    let positions = mcts_solver::forced();
    assert!(positions.len() >= 20, "{}", positions.len());
    let spec = FORCED_CHECK.parse().unwrap();
    for (text, wins) in &positions {
        let pos = game("loa:8x8").unwrap().parse(text).unwrap();
        let legal = pos.legal();
        assert!(wins.iter().all(|mv| legal.contains(mv)) && wins.len() < legal.len(), "{text}");
        let mut after = pos.boxed();
        after.play(&wins[0]).unwrap();
        let resources = proofplay_search::Resources { memory: 1 << 26, ..Default::default() };
        let limits = proofplay_search::Limits { nodes: Some(FORCED_CHECK_NODES), ..Default::default() };
        let mut run = proofplay_search::Run::new(limits);
        let report = after.search(&spec, resources, proofplay_search::Ask::Value, &mut run).unwrap();
        assert!(report.bounds.seen_by(pos.turn()).pess.0 > 0, "{text}: {}", wins[0]);
    }
    let texts: std::collections::BTreeSet<&String> = positions.iter().map(|(text, _)| text).collect();
    assert_eq!(texts.len(), positions.len());
}

/// What was done before is not done again, what is stored is found, and a stop loses nothing.
#[test]
fn stores_are_used() {
    let (store, stop) = (memory(), Arc::<std::sync::atomic::AtomicBool>::default());
    let small = || table("exact-win-2", Scale::Quick);
    let first = reproduce(small(), Scale::Quick, 2, &store, &stop, &mut |_| ()).unwrap();
    let mut told = Vec::new();
    let again = reproduce(small(), Scale::Quick, 2, &store, &stop, &mut |n| told.push(n)).unwrap();
    assert_eq!(means(&first), means(&again));
    assert_eq!((told.first(), told.last()), (Some(&20), Some(&40)));
    let loaded = load(&store, Scale::PAPER).unwrap();
    let found = loaded.iter().find(|result| result.table.id == "exact-win-2").unwrap();
    assert_eq!((means(found), found.signatures().len()), (means(&first), 2));
    assert!(!found.is_complete(), "the paper has more runs");
    let findings = findings(&loaded);
    let finding = findings.iter().find(|finding| finding.tables == ["exact-win-2"]).unwrap();
    assert_eq!((finding.holds, finding.word()), (Some(true), "pass"));
    // Nothing is begun after a stop.
    stop.store(true, std::sync::atomic::Ordering::SeqCst);
    let none =
        reproduce(table("exact-win-3", Scale::Quick), Scale::Quick, 2, &store, &stop, &mut |_| ()).unwrap();
    assert!(!none.is_complete() && verdicts(&none).iter().all(|verdict| *verdict == Verdict::Open));
}

#[test]
fn findings_need_sure_intervals() {
    let figure =
        |mean, low, high| Figure { mean, interval: Some((low, high)), stopped_at: None, trials: 100 };
    let beats = |figure: Figure| Finding::beats("t", "claim", Some(&figure)).holds;
    assert_eq!(beats(figure(60.0, 51.0, 69.0)), Some(true));
    assert_eq!(beats(figure(60.0, 49.0, 71.0)), None);
    assert_eq!(beats(figure(40.0, 31.0, 49.0)), Some(false));
    assert_eq!(Finding::beats("t", "claim", None).holds, None);
    let more = |low, high| {
        Finding::more("t", "claim", Some(&figure(50.0, low, high)), Some(&figure(40.0, 35.0, 45.0)))
            .unwrap()
            .holds
    };
    // The evidence tells the trials as they are.
    let two = |trials| {
        let (one, other) = (figure(50.0, 41.0, 59.0), Figure { trials, ..figure(40.0, 35.0, 45.0) });
        Finding::more("t", "claim", Some(&one), Some(&other)).unwrap().evidence
    };
    assert!(two(100).ends_with(", 100 trials each"), "{}", two(100));
    assert!(two(4).ends_with(", 4 to 100 trials each"), "{}", two(4));
    // The difference is 10 with a half width of sqrt(5² + x²): sure for x = 8, not for x = 9.
    assert_eq!([more(42.0, 58.0), more(41.0, 59.0)], [Some(true), None]);
    let fewer = |a: &TableResult, b: &TableResult| Finding::fewer("claim", Some(a), Some(b), 1.5).unwrap();
    let mut many = done(part("score-bounded-3", 1, |cell| cell.row == "2"));
    let mut few = done(part("score-bounded-5", 1, |cell| cell.row == "2"));
    for (a, b) in few.cells.iter_mut().zip(&mut many.cells) {
        (a.figure, b.figure) = (Some(figure(10.0, 9.0, 11.0)), Some(figure(20.0, 19.0, 21.0)));
    }
    assert_eq!(fewer(&few, &many).holds, Some(true));
    assert_eq!(
        fewer(&few, &many).evidence,
        "ratio 0.50 (0.50 … 0.50) over 6 cells; clearly fewer in 6, clearly more in 0"
    );
    // A summary of stopped runs has no interval: its cell counts in the ratio, but is not clear.
    many.cells[0].figure = Some(Figure { interval: None, stopped_at: Some(30.0), ..figure(20.0, 0.0, 0.0) });
    assert!(fewer(&few, &many).evidence.contains("over 6 cells; clearly fewer in 5"));
    many.cells[0].figure = Some(figure(20.0, 19.0, 21.0));
    few.cells[0].figure = Some(figure(90.0, 80.0, 100.0));
    assert_eq!(fewer(&few, &many).holds, None, "one cell against five");
    assert_eq!(Finding::fewer("claim", Some(&many), Some(&few), 1.5), None, "the paper has no factor there");
}

/// Another search proves who wins the made endgames, but for the largest, which takes it a minute.
#[test]
fn endgames_are_won() {
    for endgame in exact_win_zero::ENDGAMES.iter().filter(|endgame| endgame.game.starts_with("go:7x7")) {
        let pos = game(endgame.game).unwrap().parse(endgame.position).unwrap();
        let limits = proofplay_search::Limits { nodes: Some(1_000_000), ..Default::default() };
        let (resources, mut run) = (Default::default(), proofplay_search::Run::new(limits));
        let spec = "pns:facts=on".parse().unwrap();
        let report = pos.search(&spec, resources, proofplay_search::Ask::Value, &mut run).unwrap();
        assert!(report.bounds.seen_by(endgame.winner).pess.0 > 0, "{}: {}", endgame.position, report.bounds);
    }
}

/// Without its network a table is not available; the others are done.
#[test]
fn networks_may_be_missing() {
    let mut missing = part("exact-win-5", 2, |cell| cell.row == "gomoku 6x6, exact, equal simulations");
    let Experiment::Match(contest) = &mut missing.experiments[0].experiment else { panic!("no match") };
    contest.a = "mcts:leaf=net:no-such.net#0123456789abcdef".parse().unwrap();
    let result = reproduce(missing, Scale::Quick, 1, &memory(), &Arc::default(), &mut |_| ()).unwrap();
    assert!(verdicts(&result).iter().all(|verdict| *verdict == Verdict::NotAvailable));
    let why = result.cells[0].missing.as_ref().unwrap();
    assert!(why.contains("no-such.net") && why.contains("PROOFPLAY_NETWORKS"), "{why}");
}

/// What is read of a match: sides, lengths, proofs.
#[test]
fn parts_of_matches() {
    let table = part("exact-win-5", 4, |cell| cell.row == "gomoku 6x6, exact, equal simulations");
    let game = |half_points: u8, plies: u32, proven: Option<u32>, number: u32| {
        let effort = |proven_after| crate::Effort { proven_after, ..crate::Effort::default() };
        let played = crate::PlayedGame {
            a_moves: if number.is_multiple_of(2) { "first" } else { "second" }.to_owned(),
            half_points,
            score: Some(0),
            plies,
            opening: 2,
            moves: String::new(),
            a: effort(proven),
            b: effort(Some(1)),
            lost_by: None,
            dead: None,
            proven: None,
            certificate: None,
        };
        (number, played, 0.0)
    };
    let games =
        vec![game(2, 10, Some(9), 0), game(2, 20, Some(10), 1), game(0, 22, None, 2), game(1, 36, None, 3)];
    let outcomes = Outcomes::Games(games);
    let figures = table.cells.iter().map(|cell| {
        let experiment = &table.experiments[cell.experiment].experiment;
        let found = Found::read(&cell.reading, experiment, &outcomes)?;
        let record = Record {
            row: cell.row.clone(),
            column: cell.column.clone(),
            scale: Scale::Quick,
            conditions: Conditions::of(experiment),
            trials: 4,
            found,
            chances: None,
            version: None,
            signature: None,
            note: None,
        };
        assert_eq!(record.flaw(), None, "{}", cell.column);
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
        let figure = record.figure();
        Some((figure.mean, figure.trials))
    });
    // Lengths of figure 8 for 36 cells: fewer than 21, 26 and 31 moves, or more.
    assert_eq!(
        figures.collect::<Vec<_>>(),
        [
            Some((62.5, 4)),
            Some((50.0, 2)),
            Some((75.0, 2)),
            Some((100.0, 2)),
            Some((0.0, 1)),
            None,
            Some((50.0, 1)),
            Some((50.0, 4)),
            Some((85.0, 4)),
        ]
    );
}

/// Rows that are left out are not done, and what is known of them stays.
#[test]
fn rows_can_be_chosen() {
    let (store, stop) = (memory(), Arc::default());
    let go = |rows: &str| {
        let mut table = table("exact-win-2", Scale::Quick);
        assert!(table.leave_rows(rows));
        (table.trials(), reproduce(table, Scale::Quick, 2, &store, &stop, &mut |_| ()).unwrap())
    };
    let known = |result: &TableResult| result.records().map(|record| record.row.clone()).collect::<Vec<_>>();
    let (trials, result) = go("Exact");
    assert_eq!((trials, result.is_complete()), (20, true));
    assert!(known(&result).len() == 7 && known(&result).iter().all(|row| row == "Exact-win"));
    assert_eq!(known(&go("MCTS").1).len(), 13);
    assert!(!table("exact-win-2", Scale::Quick).leave_rows("no such row"));
}

/// A course is read as the moves after which the search was right, and shows what it thought.
#[test]
fn courses_of_endgames() {
    let table = part("exact-win-fig5", 2, |cell| cell.column == "none" && cell.row.contains("of 7, White"));
    let step = |first| crate::Step { mv: String::new(), first, proven: false };
    let played =
        |chances: &[f64]| crate::Played { steps: chances.iter().map(|&c| step(c)).collect(), score: None };
    let read = |trials: &[&[f64]]| {
        let trials = (0..).zip(trials).map(|(number, chances)| (number, played(chances), 0.0)).collect();
        let outcomes = Outcomes::Courses(trials);
        let reading = &table.cells[0].reading;
        let found = Found::read(reading, &table.experiments[0].experiment, &outcomes).unwrap();
        (found, Found::chances(reading, &outcomes).unwrap())
    };
    // White wins.
    let (found, chances) = read(&[&[0.5, 0.05, 0.3, 0.0], &[0.1, 0.0]]);
    assert_eq!(found, Found::Runs { numbers: vec![3.0, 0.0], stopped: None });
    assert_eq!(chances, [50, 95, 70, 100]);
    let (found, _) = read(&[&[0.5, 0.05, 0.3]]);
    assert_eq!(found, Found::Runs { numbers: vec![3.0], stopped: Some(Stopped { trials: 1, at: 3.0 }) });
}
