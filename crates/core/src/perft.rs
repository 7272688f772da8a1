//! The path counter: how many legal move sequences of exactly `depth` moves there are.

use crate::Position;
use crate::threads::{Job, together};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Counts the legal move sequences of exactly `depth` moves from `pos`. A finished game has no
/// continuation.
pub fn perft<P: Position>(pos: &P, depth: u32) -> u64 {
    count(pos.clone(), depth, &mut Vec::new(), &AtomicBool::new(false))
}

/// Takes the position by value: a small one travels in registers.
fn count<P: Position>(pos: P, depth: u32, buf: &mut Vec<P::Move>, stop: &AtomicBool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if pos.outcome().is_some() {
        return 0;
    }
    if depth == 1 {
        return pos.count_moves(buf) as u64;
    }
    if stop.load(Relaxed) {
        return 0;
    }
    let start = buf.len();
    pos.moves(buf);
    let mut sum = 0;
    for i in start..buf.len() {
        sum += count(pos.after(buf[i]), depth - 1, buf, stop);
    }
    buf.truncate(start);
    sum
}

/// [`divide`] splits its work into at least so many parts, if it can.
const PARTS: usize = 200;

/// [`perft`] move by move, on `threads` threads, until done or `stop` is set (then `None`).
/// `progress` is called with the finished and the total number of parts, and with the sequences that
/// are counted so far.
pub fn divide<P: Position>(
    pos: &P,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize, usize, u64) + Sync),
) -> Option<Vec<(P::Move, u64)>> {
    if depth == 0 || pos.outcome().is_some() {
        return Some(Vec::new());
    }
    let (mut moves, mut buf) = (Vec::new(), Vec::new());
    pos.moves(&mut moves);
    // A part is what follows a move, or a move and some replies: so many parts that they can be
    // shared, and that they tell how far it is.
    let mut parts: Vec<(usize, P)> = moves.iter().map(|&mv| pos.after(mv)).enumerate().collect();
    let mut left = depth - 1;
    while left > 1 && parts.len() < PARTS && !parts.is_empty() {
        let mut replies = Vec::new();
        for (i, part) in parts.iter().filter(|(_, part)| part.outcome().is_none()) {
            if stop.load(Relaxed) {
                return None;
            }
            buf.clear();
            part.moves(&mut buf);
            replies.extend(buf.iter().map(|&reply| (*i, part.after(reply))));
        }
        (parts, left) = (replies, left - 1);
    }
    let (next, done, sums) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(vec![0; moves.len()]));
    let work = || {
        let mut buf = Vec::new();
        while let Some((i, part)) = parts.get(next.fetch_add(1, Relaxed)) {
            if stop.load(Relaxed) {
                return;
            }
            let sum = count(part.clone(), left, &mut buf, stop);
            let so_far = {
                let mut sums = sums.lock().expect("no thread panics while it holds the sums");
                sums[*i] += sum;
                sums.iter().sum()
            };
            progress(done.fetch_add(1, Relaxed) + 1, parts.len(), so_far);
        }
    };
    // The calling thread is one of them: one thread alone costs no more than a plain call.
    let others = 1..threads.min(parts.len());
    together(others.map(|_| -> Job { Box::new(&work) }).collect(), &mut || work());
    if stop.load(Relaxed) {
        return None;
    }
    let sums = sums.into_inner().expect("all threads have ended well");
    Some(moves.into_iter().zip(sums).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Player, Score};
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    /// Three hundred moves in every position; sets the flag when moves have been listed this many
    /// times.
    #[derive(Clone, Debug)]
    struct Wide {
        lists: Arc<AtomicU64>,
        last: u64,
        stop: Arc<AtomicBool>,
    }

    impl PartialEq for Wide {
        fn eq(&self, _: &Wide) -> bool {
            false
        }
    }

    impl Eq for Wide {}

    impl std::hash::Hash for Wide {
        fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
    }

    impl Position for Wide {
        type Move = u16;
        fn repeats(&self) -> bool {
            false
        }

        fn turn(&self) -> Player {
            Player::First
        }

        fn outcome(&self) -> Option<Score> {
            None
        }

        fn moves(&self, out: &mut Vec<u16>) {
            if self.lists.fetch_add(1, Relaxed) + 1 >= self.last {
                self.stop.store(true, Relaxed);
            }
            out.extend(0..300);
        }

        fn play(&mut self, _: u16) {}

        fn key(&self) -> Key {
            0
        }
    }

    /// A caller that stops does not wait for the moves of all moves.
    #[test]
    fn stops_soon() {
        for (depth, last) in [(2, 1), (3, 1), (3, 2), (3, 100), (4, 1000), (9, 1000)] {
            let pos = Wide { lists: Arc::default(), last, stop: Arc::default() };
            assert_eq!(divide(&pos, depth, 1, &pos.stop, &|_, _, _| ()), None);
            let late = pos.lists.load(Relaxed) - last;
            assert!(late <= 301, "depth {depth}: {late} lists after {last}");
        }
    }

    /// What is told last is what is counted, and it never decreases with one thread.
    #[test]
    fn tells_how_far_it_is() {
        for (depth, parts) in [(1, 300), (2, 300), (3, 300)] {
            let pos = Wide { lists: Arc::default(), last: u64::MAX, stop: Arc::default() };
            let told = Mutex::new(Vec::new());
            let tell = |done, all, lines| told.lock().unwrap().push((done, all, lines));
            let counts = divide(&pos, depth, 1, &pos.stop, &tell).unwrap();
            let (each, told) = (300u64.pow(depth - 1), told.into_inner().unwrap());
            assert!(counts.iter().all(|&(_, count)| count == each) && counts.len() == 300);
            let expected: Vec<_> = (1..=parts).map(|done| (done, parts, done as u64 * each)).collect();
            assert_eq!(told, expected);
        }
    }
}
