//! Our alpha-beta against a plain one: the same positions, each solved in a process of its own.

use crate::{cpu_seconds, measured};
use proofplay_core::{Game, Hints, Position, Score};
use proofplay_games::{connect4::Connect4, in_a_row::Any, nogo};
use proofplay_search::{Ask, Resources, Run, alphabeta};

/// Those whose times by a plain alpha-beta are known from elsewhere.
const BOARDS: [&str; 5] = ["connect4:5x5", "connect4:6x5", "nogo:4x4", "nogo:22x1", "nogo:5x4"];
const SEARCHES: [&str; 2] = ["plain alpha-beta", "alphabeta"];

/// Negamax as one would write it in an afternoon: a table that forgets what was there before, its move first, then those that
/// the game finds promising, then those that have cut most. Images of a position are one.
struct Plain {
    /// Keys, and bounds with the slot of the best move. It is zeroed by the system where it is used.
    table: Vec<[u64; 2]>,
    history: Vec<u64>,
    nodes: u64,
}

/// No value is this large.
const LARGE: i16 = 100;

impl Plain {
    fn new<P: Position>(root: &P) -> Plain {
        Plain { table: vec![[0; 2]; 1 << 24], history: vec![0; root.slots()], nodes: 0 }
    }

    fn value<P: Position>(&mut self, pos: &P, hints: &dyn Hints<P>, mut alpha: i16, mut beta: i16) -> i16 {
        self.nodes += 1;
        if let Some(score) = pos.outcome() {
            return score.seen_by(pos.turn()).0;
        }
        // Never 0, which is an empty place.
        let key = pos.canonical_key(pos.key()) as u64 | 1;
        let at = (key >> 1) as usize % self.table.len();
        let mut first = usize::MAX;
        if self.table[at][0] == key {
            let known = self.table[at][1];
            let (low, high) = (known as u8 as i16 - LARGE, (known >> 8) as u8 as i16 - LARGE);
            if low >= beta || low == high {
                return low;
            }
            if high <= alpha {
                return high;
            }
            (alpha, beta, first) = (alpha.max(low), beta.min(high), (known >> 16) as usize);
        }
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let mut promise = vec![0; moves.len()];
        let _ = hints.order(pos, &moves, &mut promise);
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_cached_key(|&i| {
            let slot = pos.slot(moves[i]);
            (slot != first, u8::MAX - promise[i], u64::MAX - self.history[slot])
        });
        let (mut largest, mut best, mut a) = (-LARGE, 0, alpha);
        for mv in order.into_iter().map(|i| moves[i]) {
            let value = -self.value(&pos.after(mv), hints, -beta, -a);
            if value > largest {
                (largest, best) = (value, pos.slot(mv));
            }
            a = a.max(largest);
            if a >= beta {
                self.history[best] += 1;
                break;
            }
        }
        let low = if largest > alpha { largest } else { -LARGE };
        let high = if largest < beta { largest } else { LARGE };
        let bounds = (low + LARGE) as u64 | ((high + LARGE) as u64) << 8;
        self.table[at] = [key, bounds | (best as u64) << 16];
        largest
    }
}

/// Solves a position by one of the searches; the value for First and the nodes.
fn solve<G: Game>(game: &G, search: &str) -> (Score, u64) {
    let pos = &game.start();
    if search == SEARCHES[0] {
        let mut plain = Plain::new(pos);
        let value = plain.value(pos, &*game.hints(), -LARGE, LARGE);
        return (Score(value).seen_by(pos.turn()), plain.nodes);
    }
    let resources = Resources { memory: 256 << 20, ..Resources::default() };
    let search = alphabeta::start(pos, alphabeta::Config::default(), game.extras(), resources);
    let mut search = search.expect("positions do not repeat");
    let report = search.run(Ask::Value, &mut Run::default()).expect("a report");
    assert!(report.bounds.is_exact());
    (report.bounds.pess, report.nodes)
}

/// Solves one board and prints time on the clock, CPU seconds, nodes and value.
pub fn one(board: &str, search: &str) {
    let begun = std::time::Instant::now();
    let (value, nodes) = match board.split_once(':') {
        Some(("connect4", size)) => {
            let (cols, rows) = size.split_once('x').expect("CxR");
            let shape = Any::<u64>::new(cols.parse().expect("columns"), rows.parse().expect("rows"), 4);
            solve(&Connect4::new(shape), search)
        }
        Some(("nogo", size)) => {
            let setup = nogo::Setup::parse(size).expect("CxR");
            solve(&nogo::NoGo::<u32>::new(setup), search)
        }
        _ => panic!("{board} is not in the list"),
    };
    println!("{} {} {nodes} {}", begun.elapsed().as_secs_f64(), cpu_seconds(), value.0);
}

/// All boards, searches taking turns; the best of three runs counts.
pub fn all() {
    println!(
        "{:<14} {:<18} {:>9} {:>12} {:>11} {:>7}",
        "board", "search", "seconds", "nodes", "M nodes/s", "ratio"
    );
    for board in BOARDS {
        let mut runs = SEARCHES.map(|_| Vec::new());
        for _ in 0..3 {
            for (search, runs) in SEARCHES.iter().zip(&mut runs) {
                runs.push(measured(&["--solve", board, search], 4));
            }
        }
        let mut plain = None;
        for (search, runs) in SEARCHES.iter().zip(runs) {
            assert!(
                runs.iter().all(|run| run[3] == runs[0][3]),
                "{board}: {search} is not sure of the value"
            );
            // A short run is timed on the clock: CPU time is only counted in hundredths of a second.
            let seconds = |run: &Vec<f64>| if run[1] < 0.5 { run[0] } else { run[1] };
            let best = runs.iter().map(seconds).min_by(f64::total_cmp).expect("a run");
            let (plain, nodes) = (*plain.get_or_insert(best), runs[0][2]);
            let (rate, ratio) = (nodes / best / 1e6, plain / best);
            println!("{board:<14} {search:<18} {best:>9.3} {nodes:>12} {rate:>11.2} {ratio:>7.2}");
        }
    }
}
