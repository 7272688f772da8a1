//! A network as what is guessed about positions.
//!
//! [`Hints::value`] and [`Hints::priors`] of a position cost one evaluation together: the latest
//! positions are remembered. Threads share the memory and the weights; each thread that evaluates takes
//! an evaluator of its own from a pool. Whatever else a search asks, the game's own hints answer.

use crate::encoders::encoder;
use crate::name::{self, FOLDER};
use crate::{Encoder, Evaluator, NetError, NetFile};
use proofplay_core::{Game, Hints, Key, NoHints, Player, Position, Rng, Score};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// How many positions are remembered, by default.
pub const REMEMBERED: usize = 1 << 14;

/// What a network says of a position.
#[derive(Clone, Debug)]
struct Said {
    key: Key,
    /// In the view of First.
    value: f32,
    policy: Arc<[f32]>,
}

/// An evaluator and what it reads.
struct Worker {
    evaluator: Evaluator,
    planes: Vec<f32>,
    globals: Vec<f32>,
}

/// A network that guesses values and priors of positions of a game.
pub struct NetHints<P: Position> {
    /// What the network does not say.
    game: Arc<dyn Hints<P>>,
    /// Where the network was read from.
    file: Option<String>,
    encoder: Arc<dyn Encoder<P>>,
    /// Shares its weights with all workers.
    pattern: Evaluator,
    idle: Mutex<Vec<Worker>>,
    /// A place for each remembered position, by its key.
    memory: Vec<Mutex<Option<Said>>>,
}

impl<P: Position> fmt::Debug for NetHints<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetHints").field("evaluator", &self.pattern).finish_non_exhaustive()
    }
}

impl NetFile {
    /// The network as hints for positions of a game, by the encoder that its file names.
    pub fn hints<G: Game>(&self, game: &G) -> Result<Arc<dyn Hints<G::Pos>>, NetError> {
        Ok(Arc::new(self.net_hints(game, None)?))
    }

    fn net_hints<G: Game>(&self, game: &G, file: Option<String>) -> Result<NetHints<G::Pos>, NetError> {
        let hints = NetHints::new(self, encoder(&self.about.encoder, game)?, REMEMBERED)?;
        Ok(NetHints { game: game.hints(), file, ..hints })
    }
}

/// Reads a network and makes hints for positions of a game from it, whose [`Hints::network`] is `name`: a
/// file, perhaps with the digest that it must have behind a `#`. A relative name that is not found from here
/// is looked for in the folder that the environment variable [`FOLDER`] names. A file that has not changed is
/// not read again.
pub fn open_hints<G: Game>(name: &str, game: &G) -> Result<Arc<dyn Hints<G::Pos>>, NetError> {
    let read = shared(name)?;
    let hints = read.file.net_hints(game, Some(name.to_owned()));
    Ok(Arc::new(hints.map_err(|error| error.at(name))?))
}

/// The name of a network with the digest of its file, `FILE#DIGEST`.
pub fn full_name(name: &str) -> Result<String, NetError> {
    let read = shared(name)?;
    Ok(format!("{}#{}", name::split(name).0, read.digest))
}

/// A network that was read, and its file then.
#[derive(Clone)]
struct Read {
    path: PathBuf,
    size: u64,
    time: SystemTime,
    digest: String,
    file: Arc<NetFile>,
}

/// The network of a name, of which the last few are remembered: a match starts many searches.
fn shared(name: &str) -> Result<Read, NetError> {
    /// Two players, and those that they are compared with.
    const MOST: usize = 4;
    static READ: Mutex<Vec<Read>> = Mutex::new(Vec::new());
    let path = name::find(name::split(name).0, std::env::var_os(FOLDER).map(PathBuf::from));
    let state = path.metadata().ok().and_then(|data| Some((data.len(), data.modified().ok()?)));
    let mut all = lock(&READ);
    let same = |one: &&Read| one.path == path && Some((one.size, one.time)) == state;
    let known = all.iter().find(same).cloned();
    let read = match known {
        Some(known) => known,
        None => {
            let (file, digest) = NetFile::open_with_digest(&path)?;
            let (size, time) = state.unwrap_or((0, SystemTime::UNIX_EPOCH));
            let read = Read { path, size, time, digest, file: Arc::new(file) };
            if state.is_some() {
                all.retain(|one| one.path != read.path);
                if all.len() == MOST {
                    all.remove(0);
                }
                all.push(read.clone());
            }
            read
        }
    };
    name::check(name, &read.digest).map_err(|error| error.at(name))?;
    Ok(read)
}

impl<P: Position> NetHints<P> {
    /// A network behind an encoder that remembers so many positions, at least one.
    pub fn new(
        file: &NetFile,
        encoder: Arc<dyn Encoder<P>>,
        remembered: usize,
    ) -> Result<NetHints<P>, NetError> {
        let board = encoder.board();
        let pattern = Evaluator::new(&file.net, board)?;
        let sizes = [
            ("planes", file.net.planes(), encoder.planes()),
            ("other numbers", file.net.globals(), encoder.globals()),
            ("outputs of the policy", file.net.moves(board[0] * board[1]), encoder.outputs()),
        ];
        for (what, found, needed) in sizes {
            if found != needed {
                return Err(NetError::new(format!("the net has {found} {what}, the encoder {needed}")));
            }
        }
        let memory = (0..remembered.max(1)).map(|_| Mutex::new(None)).collect();
        Ok(NetHints { game: Arc::new(NoHints), file: None, encoder, pattern, idle: Mutex::default(), memory })
    }

    /// What the network says of a position that is not over.
    fn said(&self, pos: &P) -> Said {
        let key = pos.key();
        let place = &self.memory[(key % self.memory.len() as Key) as usize];
        let known = lock(place).clone().filter(|said| said.key == key);
        known.unwrap_or_else(|| {
            let said = self.evaluate(pos, key);
            *lock(place) = Some(said.clone());
            said
        })
    }

    fn evaluate(&self, pos: &P, key: Key) -> Said {
        let idle = lock(&self.idle).pop();
        let mut worker = idle.unwrap_or_else(|| {
            let evaluator = self.pattern.clone();
            let (planes, globals) = (vec![0.0; evaluator.planes()], vec![0.0; evaluator.globals()]);
            Worker { evaluator, planes, globals }
        });
        self.encoder.encode(pos, &mut worker.planes, &mut worker.globals);
        let output = worker.evaluator.evaluate(&worker.planes, &worker.globals);
        let value = output.value();
        let value = if pos.turn() == Player::First { value } else { -value };
        let said = Said { key, value, policy: output.policy.as_slice().into() };
        lock(&self.idle).push(worker);
        said
    }
}

/// A lock whose holder cannot have left anything half done.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Position> Hints<P> for NetHints<P> {
    /// At the end of a game, what the rules say.
    fn value(&self, pos: &P) -> f32 {
        match pos.outcome() {
            Some(score) => f32::from(score.0.signum()),
            None => self.said(pos).value,
        }
    }

    /// Probabilities: they add up to 1.
    fn priors(&self, pos: &P, moves: &[P::Move], out: &mut [f32]) {
        if pos.outcome().is_some() || moves.is_empty() {
            return;
        }
        let said = self.said(pos);
        for (prior, &mv) in out.iter_mut().zip(moves) {
            *prior = self.encoder.index(pos, mv).logit(&said.policy);
        }
        let most = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        out.iter_mut().for_each(|prior| *prior = (*prior - most).exp());
        let sum: f32 = out.iter().sum();
        // A prior of 0 would never be tried.
        out.iter_mut().for_each(|prior| *prior = (*prior / sum).max(f32::MIN_POSITIVE));
    }
    fn network(&self) -> Option<&str> {
        self.file.as_deref()
    }

    fn order(&self, pos: &P, moves: &[P::Move], out: &mut [u8]) -> bool {
        self.game.order(pos, moves, out)
    }

    fn weights(&self, pos: &P, moves: &[P::Move], out: &mut [f32]) {
        self.game.weights(pos, moves, out);
    }

    fn policies(&self) -> &'static [&'static str] {
        self.game.policies()
    }

    fn usual_policy(&self) -> Option<&'static str> {
        self.game.usual_policy()
    }

    fn playout(
        &self,
        policy: &'static str,
        pos: &mut P,
        rng: &mut Rng,
        buf: &mut Vec<P::Move>,
        trace: Option<&mut dyn FnMut(Player, P::Move)>,
    ) -> Score {
        self.game.playout(policy, pos, rng, buf, trace)
    }

    fn categories(&self, pos: &P, moves: &[P::Move], out: &mut [u32]) {
        self.game.categories(pos, moves, out);
    }

    fn category_name(&self, category: u32) -> Option<String> {
        self.game.category_name(category)
    }

    fn quality(&self, end: &P) -> f32 {
        self.game.quality(end)
    }
}
