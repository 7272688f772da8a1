use super::*;
use crate::budget::Budget;
use crate::record::Record;
use proofplay_core::{Rng, Score};
use proofplay_registry::{AnyPosition, DynPosition, game};
use proofplay_search::{Ask, Limits, Resources, Run};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Values by the rules alone: every position that can follow, remembered by its text. In games whose positions never repeat.
#[derive(Default)]
struct Truth(HashMap<String, i16>);

impl Truth {
    /// In the view of `First`.
    fn value(&mut self, pos: &dyn DynPosition) -> i16 {
        if let Some(score) = pos.outcome() {
            return score.0;
        }
        let text = pos.text();
        if let Some(&value) = self.0.get(&text) {
            return value;
        }
        let values = pos.legal().into_iter().map(|mv| self.value(after(pos, &mv).as_ref()));
        let value = match pos.turn() {
            Player::First => values.max(),
            Player::Second => values.min(),
        };
        let value = value.expect("the game goes on");
        self.0.insert(text, value);
        value
    }

    /// In the view of a player.
    fn value_for(&mut self, pos: &dyn DynPosition, player: Player) -> i16 {
        Score(self.value(pos)).seen_by(player).0
    }
}

fn after(pos: &dyn DynPosition, mv: &str) -> AnyPosition {
    let mut next = pos.boxed();
    next.play(mv).unwrap();
    next
}

fn any_of(moves: &[String], rng: &mut Rng) -> String {
    moves[rng.below(moves.len() as u32) as usize].clone()
}

/// A game from a random opening to its end in which every move is best, except two. Gives the plies of these; `None` if
/// it came out otherwise.
fn with_two_blunders(
    name: &str,
    opening: usize,
    rng: &mut Rng,
    truth: &mut Truth,
) -> Option<(Record, Vec<usize>)> {
    let mut pos = game(name).unwrap().start();
    for _ in 0..opening {
        pos.play(&any_of(&pos.legal(), rng)).unwrap();
        if pos.outcome().is_some() {
            return None;
        }
    }
    let (mut record, mut blunders) = (Record::new(pos), Vec::new());
    while record.now().outcome().is_none() {
        let pos = record.now();
        let (mover, value) = (pos.turn(), truth.value(pos));
        let (good, bad): (Vec<_>, Vec<_>) =
            pos.legal().into_iter().partition(|mv| truth.value(after(pos, mv).as_ref()) == value);
        let blunder = blunders.len() < 2 && !bad.is_empty() && rng.below(3) == 0;
        let mv = any_of(if blunder { &bad } else { &good }, rng);
        assert!(!blunder || truth.value_for(after(pos, &mv).as_ref(), mover) < Score(value).seen_by(mover).0);
        record.play(&mv).unwrap();
        if blunder {
            blunders.push(record.plies.len());
        }
    }
    (blunders.len() == 2).then_some((record, blunders))
}

fn plan(nodes: Option<u64>, simulations: Option<u64>) -> Plan {
    let budget = Budget { nodes, simulations, memory: Some(64 << 20), ..Budget::default() };
    Plan { prover: "auto".to_owned(), estimator: "mcts".to_owned(), budget, seed: 1 }
}

fn judged(record: &Record, plan: &Plan) -> Review {
    review(record, plan, &Arc::default(), &mut |done, total| assert!(done <= total)).unwrap()
}

fn play(name: &str, moves: &str) -> Record {
    let mut record = Record::new(game(name).unwrap().start());
    moves.split_whitespace().for_each(|mv| record.play(mv).unwrap());
    record
}

/// Whatever is called proven is true, and bounds contain the truth.
fn check(record: &Record, review: &Review, truth: &mut Truth) {
    let mut pos = record.start().boxed();
    assert_eq!(review.moves.len(), record.plies.len());
    for (m, ply) in review.moves.iter().zip(&record.plies) {
        let next = after(pos.as_ref(), &ply.mv);
        let [before, now] = [&pos, &next].map(|pos| truth.value_for(pos.as_ref(), m.mover));
        for (worth, value) in [(m.before, before), (m.after, now)] {
            assert!(worth.bounds.contains(Score(value)), "{m:?}: {value}");
            let (low, high) = (f64::from(worth.bounds.pess.0), f64::from(worth.bounds.opti.0));
            assert!(worth.points().is_none_or(|points| (low..=high).contains(&points)), "{m:?}");
        }
        if m.basis == Some(Basis::Proof) {
            assert_eq!(m.mistake, before > now, "{m:?}");
            assert_eq!(m.turning_point, before.signum() > now.signum(), "{m:?}");
        }
        if let Some(Better { mv, proven: true }) = &m.better {
            assert!(truth.value_for(after(pos.as_ref(), mv).as_ref(), m.mover) > now, "{m:?}");
        }
        // A line after a mistake is legal; where the value is proven, it reaches it if it ends the game.
        let mut line = next.boxed();
        m.refutation.iter().for_each(|mv| line.play(mv).unwrap());
        if let (Some(score), true) = (line.outcome(), m.after.is_proven()) {
            assert!(score.seen_by(m.mover).0 <= now, "{m:?}");
        }
        pos = next;
    }
}

/// The two blunders of a game are found, and nothing else; with little to spend, what is said is still true.
#[test]
fn every_turning_point_is_found() {
    let (mut rng, mut truth, mut games) = (Rng::new(5), Truth::default(), 0);
    let (mut found_by_estimates, mut false_alarms) = (0, 0);
    while games < 10 {
        let Some((record, blunders)) = with_two_blunders("connect4:5x4", 7, &mut rng, &mut truth) else {
            continue;
        };
        games += 1;
        let review = judged(&record, &plan(Some(1_000_000), None));
        check(&record, &review, &mut truth);
        let found: Vec<usize> = review.turning_points().map(|m| m.ply).collect();
        assert_eq!(found, blunders, "{record:?}");
        for m in &review.moves {
            assert_eq!((m.basis, m.mistake), (Some(Basis::Proof), blunders.contains(&m.ply)), "{m:?}");
            assert_eq!(m.better.as_ref().map(|better| better.proven), m.mistake.then_some(true), "{m:?}");
            assert_eq!(m.loss == Some(0.0), !m.mistake, "{m:?}");
            assert!(!m.mistake || m.ply == record.plies.len() || !m.refutation.is_empty(), "{m:?}");
        }
        let both = Player::BOTH.map(|player| review.of(player));
        assert_eq!(both.iter().map(|of| of.turning_points).sum::<usize>(), 2);
        assert_eq!(both.iter().map(|of| of.proven).sum::<usize>(), record.plies.len());
        assert_eq!(both.iter().map(|of| of.estimated).sum::<usize>(), 0);
        for (nodes, simulations) in [(Some(30), Some(200)), (None, Some(500)), (Some(5), None)] {
            let review = judged(&record, &plan(nodes, simulations));
            check(&record, &review, &mut truth);
            assert_eq!(
                review,
                judged(&record, &plan(nodes, simulations)),
                "the same budget, the same review"
            );
            if nodes.is_none() {
                let (found, alarms): (Vec<_>, Vec<_>) =
                    review.turning_points().partition(|m| blunders.contains(&m.ply));
                (found_by_estimates, false_alarms) =
                    (found_by_estimates + found.len(), false_alarms + alarms.len());
            } else if simulations.is_none() {
                let is_estimated = |m: &Judged| matches!(m.basis, Some(Basis::Mixed | Basis::Estimate));
                assert!(!review.moves.iter().any(is_estimated), "a few simulations are no estimate");
            }
        }
    }
    // Estimates alone find most of the 20, and blame few of the 82 other moves: 14 and 1 when this was written.
    assert!(found_by_estimates >= 12 && false_alarms <= 3, "{found_by_estimates}, {false_alarms}");
}

/// Points: what a move costs is counted in them, and only another result is a turning point.
#[test]
fn points() {
    let plan = plan(Some(1000), None);
    let told = |tree: &str, moves: &str| {
        let record = play(&format!("written:{tree}"), moves);
        let review = judged(&record, &plan);
        check(&record, &review, &mut Truth::default());
        assert!(review.has_points);
        let told = |m: &Judged| (m.before.points(), m.after.points(), m.loss, m.mistake, m.turning_point);
        review.moves.iter().map(told).collect::<Vec<_>>()
    };
    let (five, two, three) = (Some(5.0), Some(2.0), Some(3.0));
    assert_eq!(
        told("((5 8) (2 -3))", "1 0"),
        [(five, Some(-3.0), Some(8.0), true, true), (three, Some(-2.0), five, true, true)]
    );
    assert_eq!(
        told("((5 8) (2 3))", "1 1"),
        [(five, two, three, true, false), (Some(-2.0), Some(-3.0), Some(1.0), true, false)]
    );
    // A player moves twice.
    assert_eq!(
        told("1(1(4 9) 2)", "0 0"),
        [(Some(9.0), Some(9.0), Some(0.0), false, false), (Some(9.0), Some(4.0), five, true, false)]
    );
}

/// Where positions can repeat, too, bounds contain the value that minimax finds.
#[test]
fn games_that_repeat() {
    let (mut rng, mut compared, mut exact) = (Rng::new(2), 0, 0);
    for _ in 0..6 {
        let mut record = Record::new(game("go:3x1").unwrap().start());
        while record.now().outcome().is_none() {
            record.play(&any_of(&record.now().legal(), &mut rng)).unwrap();
        }
        let review = judged(&record, &plan(Some(20_000), Some(300)));
        let mut pos = record.start().boxed();
        for (m, ply) in review.moves.iter().zip(&record.plies) {
            let mut run = Run::new(Limits { nodes: Some(200_000), ..Limits::default() });
            let minimax = pos.search(&"minimax".parse().unwrap(), Resources::default(), Ask::Value, &mut run);
            if let Some(value) = minimax.unwrap().bounds.value() {
                assert!(m.before.bounds.contains(value.seen_by(m.mover)), "{m:?}: {value}");
                (compared, exact) = (compared + 1, exact + usize::from(m.before.is_proven()));
            }
            pos.play(&ply.mv).unwrap();
        }
    }
    assert!(compared >= 20 && exact >= 10, "{exact} of {compared}");
}

#[test]
fn comments_of_a_game_of_go() {
    let record = play("go:2x2", "a1 b2 pass b1 a2 b1 pass pass");
    let review = judged(&record, &plan(Some(1000), Some(100)));
    assert!(review.moves.iter().all(|m| m.loss.is_some()), "every move is judged, {review:?}");
    let sgf = annotated_sgf(&record, &review).unwrap();
    assert_eq!(sgf.matches("C[").count(), record.plies.len(), "{sgf}");
    assert_eq!(crate::sgf::Source::read(&sgf, &[]).unwrap().moves(), record.moves());
    assert!(annotated_sgf(&play("tictactoe", "b2"), &review).is_err());
}

/// Nothing is claimed where nobody has looked.
#[test]
fn stopped_before_the_first_search() {
    let stop = Arc::new(AtomicBool::new(true));
    let record = play("connect4:5x4", "1 2 1 2 1 2");
    let review = review(&record, &plan(Some(1000), None), &stop, &mut |_, _| ()).unwrap();
    assert!(!review.done);
    for m in &review.moves {
        assert_eq!((m.basis, m.loss, m.mistake), (None, None, false), "{m:?}");
    }
    assert_eq!(review.of(Player::First).average_loss, None);
    assert!(summary(&review).contains("average loss unknown") && table(&review).contains(" ? "));
    // The end of a finished game is known without a search: the winner had a win before the last move.
    let record = play("connect4:5x4", "1 2 1 2 1 2 1");
    let review = super::review(&record, &plan(Some(1000), None), &stop, &mut |_, _| ()).unwrap();
    let last = review.moves.last().unwrap();
    assert_eq!(
        (last.before.points(), last.after.points(), last.basis),
        (Some(1.0), Some(1.0), Some(Basis::Proof))
    );
}

#[test]
fn refusals() {
    let record = play("tictactoe", "b2");
    let refused =
        |plan: Plan| review(&record, &plan, &Arc::default(), &mut |_, _| ()).unwrap_err().to_string();
    assert!(refused(Plan { prover: "nobody".to_owned(), ..plan(Some(9), None) }).contains("nobody"));
    assert!(
        refused(Plan { estimator: "alphabeta".to_owned(), ..plan(None, Some(9)) }).contains("no playouts")
    );
    let go = play("go:2x2", "a1");
    let plan = Plan { prover: "alphabeta".to_owned(), ..plan(Some(9), None) };
    assert!(review(&go, &plan, &Arc::default(), &mut |_, _| ()).unwrap_err().to_string().contains("repeat"));
}

/// What a fall rests on.
#[test]
fn costs() {
    let exact = |score| Worth { bounds: Bounds::exact(Score(score)), estimate: None };
    let about = |estimate| Worth { bounds: Bounds::WDL, estimate: Some(estimate) };
    let at_least = |score| Worth { bounds: Bounds { pess: Score(score), ..Bounds::WDL }, estimate: None };
    let told = |before, after, is_preferred| {
        let Cost { basis, loss, mistake, turning_point } = cost(before, after, is_preferred, FALL);
        (basis, loss.map(|loss| (100.0 * loss).round() as i32), mistake, turning_point)
    };
    assert_eq!(told(exact(1), exact(1), false), (Some(Basis::Proof), Some(0), false, false));
    assert_eq!(told(exact(1), exact(0), false), (Some(Basis::Proof), Some(100), true, true));
    assert_eq!(told(about(0.5), about(0.25), false), (Some(Basis::Estimate), Some(25), false, false));
    assert_eq!(told(about(0.5), about(0.1), false), (Some(Basis::Estimate), Some(40), true, true));
    assert_eq!(told(about(0.5), about(0.1), true), (Some(Basis::Estimate), Some(0), false, false));
    assert_eq!(told(about(0.5), about(0.9), false), (Some(Basis::Estimate), Some(0), false, false));
    assert_eq!(told(about(0.5), exact(-1), false), (Some(Basis::Mixed), Some(50), true, true));
    assert_eq!(told(about(0.5), exact(0), false), (Some(Basis::Mixed), Some(50), true, true));
    assert_eq!(told(about(0.1), exact(-1), false), (Some(Basis::Mixed), Some(10), false, false));
    assert_eq!(told(about(-0.2), exact(-1), false), (Some(Basis::Mixed), Some(0), false, false));
    assert_eq!(told(exact(0), about(-0.5), true), (Some(Basis::Mixed), Some(50), true, true));
    // A proven win that is estimated otherwise after another good move.
    assert_eq!(told(exact(1), about(0.4), false), (Some(Basis::Mixed), Some(0), false, false));
    assert_eq!(told(exact(1), about(-0.4), false), (Some(Basis::Mixed), Some(40), true, true));
    // Neither value is known, and still the result has changed.
    assert_eq!(told(at_least(0), exact(-1), false), (Some(Basis::Proof), Some(100), true, true));
    assert_eq!(told(at_least(0), about(0.0), false), (None, None, false, false));
}

/// The words say on what they rest.
#[test]
fn sentences() {
    let exact = |score| Worth { bounds: Bounds::exact(Score(score)), estimate: None };
    let about = |estimate| Worth { bounds: Bounds::WDL, estimate: Some(estimate) };
    let mut m = Judged {
        ply: 3,
        mover: Player::First,
        mv: "4".to_owned(),
        before: about(0.4),
        after: exact(-1),
        basis: Some(Basis::Mixed),
        loss: Some(1.4),
        mistake: true,
        turning_point: true,
        better: Some(Better { mv: "2".to_owned(), proven: false }),
        refutation: vec!["3".to_owned(); 20],
    };
    let mut review = judged(&play("connect4", "4"), &plan(None, Some(50)));
    let told = |review: &Review, m: &Judged| sentence(review, m);
    let line = ["3"; 12].join(" ");
    assert_eq!(
        told(&review, &m),
        format!(
            "X plays 4: from an estimate of +0.40 to a proven loss; perhaps better 2; it is answered by {line} …"
        )
    );
    (m.before, m.better, m.refutation) =
        (exact(0), Some(Better { mv: "2".to_owned(), proven: true }), vec![]);
    assert_eq!(told(&review, &m), "X plays 4: from a proven draw to a proven loss; better 2");
    (m.before, m.better) = (exact(-1), None);
    assert_eq!(told(&review, &m), "X plays 4: still a proven loss");
    review.has_points = true;
    (m.before, m.after) = (exact(7), about(-2.25));
    assert_eq!(told(&review, &m), "X plays 4: from a proven win (+7) to an estimate of -2.2");
    (m.before, m.after) = (about(-0.04), about(0.04));
    assert_eq!(told(&review, &m), "X plays 4: still an estimate of +0.0");
    (m.before, m.after) = (exact(7), about(-2.25));
    review.moves = vec![m];
    assert!(table(&review).contains("*   3  X      4          +7    ~-2.2"), "{}", table(&review));
}
