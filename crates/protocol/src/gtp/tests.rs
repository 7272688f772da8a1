//! What cannot be seen in a conversation.

use super::told_time::{Seconds, settings};
use super::*;
use proofplay_front::clock::TimeControl;

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

/// Who is always late by nearly a tenth of what a move may take, and whose way to the clock takes all that
/// is kept for it, loses on no clock, whether the referee tells what is left or not.
#[test]
fn no_delay_within_the_reserve_loses() {
    let mut engine = engine(false);
    engine.options.budget.simulations = None;
    for (lag, is_told) in [(0, false), (100, false), (0, true), (100, true)] {
        engine.options.lag = Duration::from_millis(lag);
        for text in ["1", "20", "5m", "2+0.5", "1m+1", "10m+5m/25", "1+6/4", "0+10/1", "1+3x1.5", "0+1x1"] {
            let control: TimeControl = text.parse().unwrap();
            let mut referee = Clock::new(control);
            tell(&mut engine, &settings(control, |_| true).unwrap());
            let mut now = Duration::from_secs(1000);
            for number in 0..400 {
                let left = referee.left(Player::First, now);
                if is_told {
                    tell(&mut engine, &Seconds::of(|_| true).left("b", control, left));
                }
                let (time, way) = (engine.limits(Player::First).time.unwrap(), engine.way(Player::First));
                let moment = Duration::from_nanos(1);
                let late = ((time + way) / 9).saturating_sub(moment);
                engine.clock.as_mut().unwrap().start(Player::First, now);
                referee.start(Player::First, now);
                engine.press(now + time + late, way);
                now += time + late + way;
                assert!(!referee.has_fallen(Player::First, now), "{text}: move {number} of {left:?}");
                referee.press(now);
            }
        }
    }
}

/// A command that is not refused.
fn tell(engine: &mut Engine, command: &str) {
    let mut out = Vec::new();
    serve(engine, io::Cursor::new(command.to_owned()), &mut out).unwrap();
    assert_eq!(out, b"=\n\n", "{command}");
}

/// A line that waits ends it at once.
#[test]
fn a_waiting_line_is_answered_first() {
    let mut engine = engine(true);
    engine.ponder(&Arc::new(AtomicBool::new(true)));
    assert!(known(&mut engine) <= 10);
}
