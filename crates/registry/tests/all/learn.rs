//! Learning how often moves are played.

use proofplay_registry::{Course, Learned, game};
use proofplay_search::{Limits, Resources};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

fn course(threads: usize) -> Course {
    Course {
        spec: "mcts:playouts=20".parse().unwrap(),
        resources: Resources { memory: 1 << 20, ..Resources::default() },
        limits: Limits::default(),
        stop: Arc::default(),
        games: 6,
        opening: 2,
        most_moves: 30,
        threads,
    }
}

#[test]
fn counts_add_up_on_any_number_of_threads() {
    let learned = game("loa:5x5").unwrap().learn(&course(1), &|_| ()).unwrap().unwrap();
    assert_eq!(game("loa:5x5").unwrap().learn(&course(3), &|_| ()).unwrap(), Some(learned.clone()));
    assert_eq!(learned.games, 6);
    // One move is played in each position, and only what is available.
    assert_eq!(learned.categories.iter().map(|c| c.played).sum::<u64>(), learned.positions);
    // However many moves of a category there are in a position, it counts once.
    assert!(learned.categories.iter().all(|c| c.played <= c.available && c.available <= learned.positions));
    assert!(learned.categories.len() > 20, "{learned:?}");
}

#[test]
fn nothing_to_learn_or_no_time() {
    assert_eq!(game("tictactoe").unwrap().learn(&course(1), &|_| ()).unwrap(), None);
    let stopped = course(2);
    stopped.stop.store(true, Relaxed);
    let learned = game("loa:5x5").unwrap().learn(&stopped, &|_| ()).unwrap();
    assert_eq!(learned, Some(Learned::default()));
}

static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static ASKED: AtomicU64 = AtomicU64::new(0);

/// A clock that sets the flag when it is first read.
fn stopping_clock() -> Duration {
    ASKED.fetch_add(1, Relaxed);
    STOP.store(true, Relaxed);
    Duration::ZERO
}

/// A stopped game ends at once, without unsearched moves to its end.
#[test]
fn a_game_stops_at_once() {
    let mut course = course(1);
    course.stop = Arc::clone(&STOP);
    course.limits.clock = Some(stopping_clock);
    let learned = game("loa:5x5").unwrap().learn(&course, &|_| ()).unwrap();
    assert_eq!(learned, Some(Learned::default()));
    let asked = ASKED.load(Relaxed);
    assert!((1..4).contains(&asked), "the clock was asked {asked} times by one search");
}
