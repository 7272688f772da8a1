//! Searches whose leaves are estimated from outside, by a function that sees many positions at once:
//! a network of another program, a function of another language.
//!
//! Threads of a search share calls: while one of them waits for an answer, what the others ask is
//! gathered into the next call.

use crate::AnyPosition;
use crate::erased::sealed::Sealed;
use crate::erased::{At, DynPosition};
use proofplay_core::{Game, Player, Position};
use proofplay_net::{Encoder, NetError};
use proofplay_search::mcts::{Evaluator, Request};
use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many numbers an encoder makes of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Planes.
    pub planes: usize,
    /// Rows of a plane.
    pub rows: usize,
    /// Columns of a plane.
    pub columns: usize,
    /// Numbers besides the planes.
    pub globals: usize,
    /// Outputs of a policy.
    pub outputs: usize,
}

impl Shape {
    /// Numbers of all planes together.
    pub fn cells(&self) -> usize {
        self.planes * self.rows * self.columns
    }
}

/// An encoder of whatever game.
pub type AnyEncoder = Arc<dyn DynEncoder>;

/// An [`Encoder`] of some game.
pub trait DynEncoder: Sealed + Send + Sync {
    /// How many numbers it makes.
    fn shape(&self) -> Shape;
    /// Appends the planes and the other numbers of a position that is not over; `false`, and nothing, if
    /// the position is of another kind of game.
    fn encode(&self, pos: &dyn DynPosition, planes: &mut Vec<f32>, globals: &mut Vec<f32>) -> bool;
    /// The outputs of a policy whose sum is about each legal move, in their order; `None` if the position
    /// is of another kind of game.
    fn outputs(&self, pos: &dyn DynPosition) -> Option<Vec<Vec<usize>>>;
    /// The typed encoder.
    #[doc(hidden)]
    fn typed(&self) -> &dyn Any;
}

impl fmt::Debug for dyn DynEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Encoder").field(&self.shape()).finish()
    }
}

/// A typed encoder behind [`DynEncoder`].
struct TypedEncoder<P: Position>(Arc<dyn Encoder<P>>);

/// The encoder of this name.
pub(crate) fn any_encoder<G: Game>(name: &str, game: &G) -> Result<AnyEncoder, NetError> {
    Ok(Arc::new(TypedEncoder(proofplay_net::encoders::encoder(name, game)?)))
}

impl<P: Position> TypedEncoder<P> {
    fn append(&self, pos: &P, planes: &mut Vec<f32>, globals: &mut Vec<f32>) {
        let (shape, from) = (self.shape(), (planes.len(), globals.len()));
        planes.resize(from.0 + shape.cells(), 0.0);
        globals.resize(from.1 + shape.globals, 0.0);
        self.0.encode(pos, &mut planes[from.0..], &mut globals[from.1..]);
    }
}

impl<P: Position> Sealed for TypedEncoder<P> {}

impl<P: Position> DynEncoder for TypedEncoder<P> {
    fn shape(&self) -> Shape {
        let [columns, rows] = self.0.board();
        let (planes, globals, outputs) = (self.0.planes(), self.0.globals(), self.0.outputs());
        Shape { planes, rows, columns, globals, outputs }
    }

    fn encode(&self, pos: &dyn DynPosition, planes: &mut Vec<f32>, globals: &mut Vec<f32>) -> bool {
        let pos = pos.typed().downcast_ref::<P>();
        pos.map(|pos| self.append(pos, planes, globals)).is_some()
    }

    fn outputs(&self, pos: &dyn DynPosition) -> Option<Vec<Vec<usize>>> {
        let (pos, mut moves) = (pos.typed().downcast_ref::<P>()?, Vec::new());
        if pos.outcome().is_none() {
            pos.moves(&mut moves);
        }
        Some(moves.into_iter().map(|mv| self.0.index(pos, mv).outputs().collect()).collect())
    }

    fn typed(&self) -> &dyn Any {
        self
    }
}

/// Positions that are to be estimated together; none of them is over.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// How many.
    pub count: usize,
    /// Their planes, one position after the other, if there is an encoder.
    pub planes: Vec<f32>,
    /// Their other numbers.
    pub globals: Vec<f32>,
    /// The positions themselves, if there is no encoder.
    pub positions: Vec<AnyPosition>,
    /// How many numbers a policy for all of them has: with an encoder its outputs for each position,
    /// without one a number for each legal move of each position.
    pub policy: usize,
}

impl Batch {
    /// Adds those of another batch.
    fn append(&mut self, mut other: Batch) {
        self.count += other.count;
        self.policy += other.policy;
        self.planes.append(&mut other.planes);
        self.globals.append(&mut other.globals);
        self.positions.append(&mut other.positions);
    }
}

/// What is guessed of a batch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Guesses {
    /// The value of each position for the player to move, from -1 to 1.
    pub values: Vec<f32>,
    /// How promising moves are: logits, as many as [`Batch::policy`] says, or none at all.
    pub policy: Vec<f32>,
}

/// Estimates a batch. It may unwind to end the search.
type Guess = dyn Fn(&Batch) -> Guesses + Send + Sync;

/// What estimates the leaves of a search, in its place.
#[derive(Clone)]
pub struct Guide {
    encoder: Option<AnyEncoder>,
    calls: Arc<Calls>,
}

impl fmt::Debug for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guide").field("encoder", &self.encoder).finish_non_exhaustive()
    }
}

impl Guide {
    /// A function that sees planes of this encoder, or without one positions. It has to return as many
    /// guesses as it was asked for.
    pub fn new(
        encoder: Option<AnyEncoder>,
        guess: impl Fn(&Batch) -> Guesses + Send + Sync + 'static,
    ) -> Guide {
        Guide { encoder, calls: Arc::new(Calls::new(Box::new(guess))) }
    }

    /// The evaluator of a search that begins here.
    ///
    /// # Panics
    /// If the encoder is that of another kind of game.
    pub(crate) fn evaluator<G: Game>(&self, from: &At<G>) -> Arc<dyn Evaluator<G::Pos>> {
        let typed = |encoder: &AnyEncoder| {
            let typed = encoder.typed().downcast_ref::<TypedEncoder<G::Pos>>();
            TypedEncoder(Arc::clone(&typed.expect("the encoder is of the same game").0))
        };
        let encoder = self.encoder.as_ref().map(typed);
        Arc::new(Guided { from: from.clone(), encoder, calls: Arc::clone(&self.calls) })
    }
}

/// A guide of a search of some game.
struct Guided<G: Game> {
    /// The position that the search began with.
    from: At<G>,
    encoder: Option<TypedEncoder<G::Pos>>,
    calls: Arc<Calls>,
}

impl<G: Game> Guided<G> {
    fn batch(&self, requests: &[Request<G::Pos>]) -> Batch {
        let mut batch = Batch { count: requests.len(), ..Batch::default() };
        for Request { pos, moves, .. } in requests {
            match &self.encoder {
                Some(encoder) => encoder.append(pos, &mut batch.planes, &mut batch.globals),
                None => {
                    batch.positions.push(Box::new(At { pos: pos.clone(), ..self.from.clone() }));
                    batch.policy += moves.len();
                }
            }
        }
        batch.policy += self.encoder.as_ref().map_or(0, |encoder| encoder.0.outputs() * requests.len());
        batch
    }
}

impl<G: Game> Evaluator<G::Pos> for Guided<G> {
    fn evaluate(&self, requests: &mut [Request<G::Pos>]) {
        let guesses = self.calls.ask(self.batch(requests));
        let mut policy = &guesses.policy[..];
        for (Request { pos, moves, value, priors }, guess) in requests.iter_mut().zip(guesses.values) {
            let guess = if guess.is_finite() { guess.clamp(-1.0, 1.0) } else { 0.0 };
            *value = if pos.turn() == Player::First { guess } else { -guess };
            if guesses.policy.is_empty() {
                continue;
            }
            let own = self.encoder.as_ref().map_or(moves.len(), |encoder| encoder.0.outputs());
            let (own, rest) = policy.split_at(own);
            policy = rest;
            match &self.encoder {
                None => priors.copy_from_slice(own),
                Some(TypedEncoder(encoder)) => {
                    for (prior, &mv) in priors.iter_mut().zip(&*moves) {
                        *prior = encoder.index(pos, mv).logit(own);
                    }
                }
            }
            softmax(priors);
        }
    }
}

/// From logits to probabilities, none of which is 0: such a move would never be tried.
fn softmax(priors: &mut [f32]) {
    let most = priors.iter().copied().filter(|prior| prior.is_finite()).fold(f32::NEG_INFINITY, f32::max);
    priors.iter_mut().for_each(|prior| *prior = if prior.is_finite() { (*prior - most).exp() } else { 0.0 });
    let sum: f32 = priors.iter().sum();
    priors.iter_mut().for_each(|prior| *prior = (*prior / sum.max(f32::MIN_POSITIVE)).max(f32::MIN_POSITIVE));
}

/// Calls of a function that threads share.
struct Calls {
    guess: Box<Guess>,
    desk: Mutex<Desk>,
    answered: Condvar,
}

/// Who waits for what.
#[derive(Default)]
struct Desk {
    /// The number of the next question.
    next: u64,
    waiting: Vec<(u64, Batch)>,
    /// A thread is asking.
    busy: bool,
    answers: HashMap<u64, Option<Guesses>>,
}

/// Another thread's call has failed, and has said so itself.
struct Failed;

impl Calls {
    fn new(guess: Box<Guess>) -> Calls {
        Calls { guess, desk: Mutex::default(), answered: Condvar::new() }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks, together with whoever else waits.
    fn ask(&self, batch: Batch) -> Guesses {
        let mut desk = self.desk();
        let number = desk.next;
        desk.next += 1;
        desk.waiting.push((number, batch));
        loop {
            if let Some(answer) = desk.answers.remove(&number) {
                return answer.unwrap_or_else(|| resume_unwind(Box::new(Failed)));
            }
            if desk.busy {
                desk = self.answered.wait(desk).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            desk.busy = true;
            let questions = std::mem::take(&mut desk.waiting);
            drop(desk);
            let mut all = Batch::default();
            let mut parts = Vec::with_capacity(questions.len());
            for (number, batch) in questions {
                parts.push((number, batch.count, batch.policy));
                all.append(batch);
            }
            let guessed = catch_unwind(AssertUnwindSafe(|| (self.guess)(&all)));
            desk = self.desk();
            desk.busy = false;
            self.answered.notify_all();
            let Guesses { mut values, mut policy } = match guessed {
                Ok(guesses) => guesses,
                Err(why) => {
                    let others = parts.into_iter().filter(|part| part.0 != number);
                    desk.answers.extend(others.map(|part| (part.0, None)));
                    drop(desk);
                    resume_unwind(why);
                }
            };
            for (number, count, own) in parts.into_iter().rev() {
                let values = values.split_off(values.len() - count);
                let policy =
                    if policy.is_empty() { Vec::new() } else { policy.split_off(policy.len() - own) };
                desk.answers.insert(number, Some(Guesses { values, policy }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    fn of(numbers: &[f32]) -> Batch {
        Batch {
            count: numbers.len(),
            planes: numbers.to_vec(),
            policy: 2 * numbers.len(),
            ..Batch::default()
        }
    }

    /// Twice the number, and the number with its negative as policy.
    fn double(batch: &Batch) -> Guesses {
        Guesses {
            values: batch.planes.iter().map(|x| 2.0 * x).collect(),
            policy: batch.planes.iter().flat_map(|x| [*x, -x]).collect(),
        }
    }

    #[test]
    fn every_thread_gets_its_own_answers_and_calls_are_shared() {
        let seen = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let counts = Arc::clone(&seen);
        let calls = Calls::new(Box::new(move |batch| {
            counts.0.fetch_add(1, SeqCst);
            counts.1.fetch_max(batch.count, SeqCst);
            // Others come meanwhile.
            std::thread::sleep(std::time::Duration::from_millis(1));
            double(batch)
        }));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let calls = &calls;
                scope.spawn(move || {
                    for i in 0..50 {
                        let numbers: Vec<f32> =
                            (0..1 + i % 3).map(|k| (1000 * thread + 10 * i + k) as f32).collect();
                        assert_eq!(calls.ask(of(&numbers)), double(&of(&numbers)));
                    }
                });
            }
        });
        assert!(seen.0.load(SeqCst) < 200 && seen.1.load(SeqCst) > 3, "{seen:?}");
        assert!(calls.desk().answers.is_empty() && calls.desk().waiting.is_empty());
    }

    #[test]
    fn a_failure_ends_everybody_who_waits_for_it() {
        let calls = Calls::new(Box::new(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            resume_unwind(Box::new("no"))
        }));
        let ended = std::thread::scope(|scope| {
            let ask = || catch_unwind(AssertUnwindSafe(|| calls.ask(of(&[1.0])))).is_err();
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).filter(|ended| *ended).count()
        });
        assert_eq!(ended, 3);
        assert!(calls.desk().answers.is_empty() && !calls.desk().busy);
    }

    #[test]
    fn logits_become_probabilities() {
        let mut priors = [0.0, f32::NAN, 0.0];
        softmax(&mut priors);
        assert_eq!((priors[0], priors[2]), (0.5, 0.5));
        assert!(priors[1] > 0.0 && priors[1] < 1e-30);
    }
}
