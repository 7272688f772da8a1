//! What cannot be seen in a conversation.

use super::*;

fn engine(ponders: bool) -> Engine {
    let options = Options {
        engine: "mcts".to_owned(),
        budget: Budget { simulations: Some(10), memory: Some(4 << 20), ..Budget::default() },
        usual_time: Duration::from_secs(1),
        seed: 1,
        ponders,
        lag: Duration::ZERO,
    };
    Engine::new("go:5x5", options).unwrap()
}

/// How many simulations the engine knows of after one more move's worth of them.
fn known(engine: &mut Engine) -> u64 {
    let report = engine.think(Player::First, &Arc::default(), Box::new(|_, _| ())).unwrap();
    report.moves.iter().map(|m| m.visits).sum()
}

/// What it finds while the opponent thinks is there when it is asked again.
#[test]
fn thinking_goes_on_while_the_opponent_thinks() {
    for ponders in [false, true] {
        let mut engine = engine(ponders);
        // Each round asks for 10 simulations itself.
        let more = (1..=500).any(|round| {
            let waiting = Arc::new(AtomicBool::new(false));
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(2));
                    waiting.store(true, SeqCst);
                });
                engine.ponder(&waiting);
            });
            known(&mut engine) > 10 * round
        });
        assert_eq!(more, ponders);
    }
}

/// However little time is left, some of it is for thinking.
#[test]
fn little_time_is_used() {
    let mut engine = engine(false);
    engine.options.budget.simulations = None;
    engine.options.lag = Duration::from_millis(100);
    let mut given = |seconds: &str| {
        engine.time_settings(&[seconds, "0", "0"]).unwrap();
        engine.limits(Player::First).time.unwrap().as_millis()
    };
    // 0.9 of a thirtieth, less 100 ms or half of it.
    assert_eq!([given("300"), given("9"), given("3"), given("0.1")], [8900, 170, 45, 1]);
}

/// A line that waits ends it at once.
#[test]
fn a_waiting_line_is_answered_first() {
    let mut engine = engine(true);
    engine.ponder(&Arc::new(AtomicBool::new(true)));
    assert!(known(&mut engine) <= 10);
}
