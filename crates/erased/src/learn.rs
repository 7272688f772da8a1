//! Learns how often moves of a category are played where one is legal, from games of a search
//! against itself.
//!
//! What it is for: Winands, Björnsson & Saito \[WBS08\], formula 2. Every game has its own seed,
//! and counts only add up: the same course gives the same counts, on however many threads.

use proofplay_core::threads::{Job, together};
use proofplay_core::{Game, Position, Rng};
use proofplay_search::{Ask, Limits, Resources, Run, SearchError, SearchSpec};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// The games to learn from.
#[derive(Clone, Debug)]
pub struct Course {
    /// The player of both sides.
    pub spec: SearchSpec,
    /// What each search may use; the seed is that of all games.
    pub resources: Resources,
    /// Limits of each move.
    pub limits: Limits,
    /// Stops all games.
    pub stop: Arc<AtomicBool>,
    /// How many games.
    pub games: usize,
    /// Random moves at the start of each game, which are not counted: they make the games differ.
    pub opening: u32,
    /// A game that reaches this many moves ends undecided.
    pub most_moves: u32,
    /// Games played at the same time.
    pub threads: usize,
}

/// The counts of a category.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Category {
    /// Its name.
    pub name: String,
    /// The positions in which a move of it was played.
    pub played: u64,
    /// The positions in which a move of it could be played.
    pub available: u64,
}

/// What was learned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Learned {
    /// Games that were played out: fewer than in the course if it was stopped.
    pub games: usize,
    /// Positions in which a move was chosen.
    pub positions: u64,
    /// The categories that were available, in the game's order.
    pub categories: Vec<Category>,
}

/// Played and available by category, and the number of positions.
struct Counts {
    played: Vec<u64>,
    available: Vec<u64>,
    positions: u64,
}

impl Counts {
    fn new(categories: usize) -> Counts {
        Counts { played: vec![0; categories], available: vec![0; categories], positions: 0 }
    }

    /// Counts a choice among moves of these categories.
    fn add(&mut self, chosen: u32, categories: &mut Vec<u32>) {
        categories.sort_unstable();
        categories.dedup();
        categories.iter().for_each(|&category| self.available[category as usize] += 1);
        self.played[chosen as usize] += 1;
        self.positions += 1;
    }

    fn add_all(&mut self, other: &Counts) {
        let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
        add(&mut self.played, &other.played);
        add(&mut self.available, &other.available);
        self.positions += other.positions;
    }
}

/// Plays the games of a course; `None` if the game has no categories. `progress` is called with the
/// number of finished games.
pub(crate) fn learn<G: Game>(
    game: &G,
    course: &Course,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Option<Learned>, SearchError> {
    let hints = game.hints();
    let names: Vec<String> = (0..).map_while(|category| hints.category_name(category)).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let (next, state) = (AtomicUsize::new(0), Mutex::new((0, Counts::new(names.len()), None)));
    let work = || {
        while !course.stop.load(Relaxed) {
            let number = next.fetch_add(1, Relaxed);
            if number >= course.games {
                return;
            }
            let counts = one_game(game, course, number as u64, names.len());
            let mut state = state.lock().expect("no thread panics while it holds the counts");
            match counts {
                // The last choices of a stopped game are not searched as the others are.
                Ok(_) if course.stop.load(Relaxed) => return,
                Ok(counts) => {
                    state.0 += 1;
                    state.1.add_all(&counts);
                    progress(state.0);
                }
                Err(error) => {
                    state.2 = Some(error);
                    return;
                }
            }
        }
    };
    let others = 1..course.threads.min(course.games);
    together(others.map(|_| -> Job { Box::new(&work) }).collect(), &mut || work());
    let (games, counts, error) = state.into_inner().expect("no thread panics while it holds the counts");
    if let Some(error) = error {
        return Err(error);
    }
    let counted = names.into_iter().zip(counts.played).zip(counts.available);
    let categories = counted.map(|((name, played), available)| Category { name, played, available });
    let categories = categories.filter(|category| category.available > 0).collect();
    Ok(Some(Learned { games, positions: counts.positions, categories }))
}

fn one_game<G: Game>(
    game: &G,
    course: &Course,
    number: u64,
    categories: usize,
) -> Result<Counts, SearchError> {
    let mut rng = Rng::from_parts(&[course.resources.seed, number]);
    let (mut counts, mut pos) = (Counts::new(categories), game.start());
    let (mut moves, mut of_moves) = (Vec::new(), Vec::new());
    for ply in 0..course.most_moves {
        if pos.outcome().is_some() || course.stop.load(Relaxed) {
            break;
        }
        if ply < course.opening {
            let mv = pos.random_move(&mut rng, &mut moves);
            pos.play(mv);
            continue;
        }
        let resources = Resources { seed: rng.next_u64(), ..course.resources };
        let mut search = course.spec.start(&pos, crate::erased::extras(game, &course.spec)?, resources)?;
        let report = search.run(Ask::Value, &mut Run::new(course.limits).stopped_by(&course.stop))?;
        let Some(chosen) = report.best else { break };
        moves.clear();
        pos.moves(&mut moves);
        of_moves.clear();
        of_moves.resize(moves.len(), 0);
        game.hints().categories(&pos, &moves, &mut of_moves);
        let at = moves.iter().position(|&mv| mv == chosen).expect("a search plays a legal move");
        counts.add(of_moves[at], &mut of_moves);
        moves.clear();
        pos.play(chosen);
    }
    Ok(counts)
}
