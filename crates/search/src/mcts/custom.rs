//! Policies from other crates: a selection formula, a reward, a rule for the move to play.
//!
//! They are objects and cost a call for each child, for each simulation, or for each move of the
//! root; the built-in policies pay nothing for them. Proofs, cuts and the choice of proven moves
//! stay with the search: no policy can make anything certain.

use super::reward::Simulation;
use proofplay_core::Bounds;
use std::fmt;
use std::sync::Arc;

/// A node of the tree as a policy sees it, in the view of the player who chooses.
#[derive(Copy, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Seen {
    /// Simulations through it.
    pub visits: u32,
    /// Their mean reward; `None` without any.
    pub mean: Option<f32>,
    /// What is certain about its value.
    pub bounds: Bounds,
    /// The prior probability of the move that leads to it, if the formula reads priors; else 1.
    pub prior: f32,
}

impl Seen {
    pub(super) fn new(visits: u32, mean: Option<f32>, bounds: Bounds, prior: f32) -> Seen {
        Seen { visits, mean, bounds, prior }
    }
}

/// A selection formula.
pub trait Formula: Send + Sync {
    /// The value of visiting a child next; the simulation descends into the child with the largest
    /// value.
    fn value(&self, parent: &Seen, child: &Seen) -> f32;

    /// Whether it reads priors, which take four bytes a node.
    fn wants_priors(&self) -> bool {
        false
    }
}

/// What a simulation is worth.
pub trait RewardRule: Send + Sync {
    /// The reward in the view of `First`; plain is `simulation.r`.
    fn reward(&self, simulation: &Simulation) -> f64;
}

/// Which move is played where none is proven to be best.
pub trait FinalRule: Send + Sync {
    /// The merit of a move with this many visits, at least one, and this mean in the mover's view;
    /// the largest is played.
    fn merit(&self, visits: u32, mean: f64) -> f64;
}

/// The custom policies of a search; `None` uses its settings.
///
/// ```
/// use proofplay_core::{Extras, Game};
/// use proofplay_games::{in_a_row::Any, mnk::Mnk};
/// use proofplay_search::mcts::{Config, Custom, Formula, Mcts, Seen};
/// use proofplay_search::{Ask, Limits, Resources, Run, Search};
/// use std::sync::Arc;
///
/// /// The mean, and what a draw of the unvisited would add.
/// struct Optimist;
/// impl Formula for Optimist {
///     fn value(&self, parent: &Seen, child: &Seen) -> f32 {
///         child.mean.unwrap_or(1.0) + (parent.visits as f32).sqrt() / (1.0 + child.visits as f32)
///     }
/// }
/// let start = Mnk::new(Any::<u64>::new(3, 3, 3)).start();
/// let search = Mcts::new(start, Config::default(), Extras::none(), Resources::default())?;
/// let mut search = search.with_custom(Custom { formula: Some(Arc::new(Optimist)), ..Custom::default() });
/// let limits = Limits { simulations: Some(10_000), ..Limits::default() };
/// assert!(search.run(Ask::Value, &mut Run::new(limits))?.best.is_some());
/// # Ok::<(), proofplay_search::SearchError>(())
/// ```
#[derive(Clone, Default)]
pub struct Custom {
    /// Which child.
    pub formula: Option<Arc<dyn Formula>>,
    /// What a simulation is worth.
    pub reward: Option<Arc<dyn RewardRule>>,
    /// What is played.
    pub final_rule: Option<Arc<dyn FinalRule>>,
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Custom { formula, reward, final_rule } = self;
        f.debug_struct("Custom")
            .field("formula", &formula.is_some())
            .field("reward", &reward.is_some())
            .field("final_rule", &final_rule.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::tests::{config, for_game};
    use crate::testing::{Budget, think};
    use crate::{Limits, Resources};
    use proofplay_core::minimax::Memo;
    use proofplay_core::{Game, Rng};
    use proofplay_games::connect4::Connect4;
    use proofplay_games::in_a_row::Any;
    use proofplay_games::loa;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    fn budget(simulations: u64) -> Budget {
        (
            Resources { memory: 1 << 22, ..Resources::default() },
            Limits { simulations: Some(simulations), ..Limits::default() },
        )
    }

    /// UCT and PUCT again, as custom policies.
    struct Again {
        c: f32,
        puct: bool,
    }

    impl Formula for Again {
        fn value(&self, parent: &Seen, child: &Seen) -> f32 {
            let (n_p, n) = (parent.visits.max(1) as f32, child.visits as f32);
            let v = child.mean.unwrap_or(f32::INFINITY);
            match self.puct {
                true => v + self.c * n_p.sqrt() * child.prior / (1.0 + n),
                false if child.visits == 0 => v,
                false => v + (self.c * proofplay_core::num::ln(f64::from(n_p)).sqrt() as f32) / n.sqrt(),
            }
        }
        fn wants_priors(&self) -> bool {
            self.puct
        }
    }

    /// A custom formula grows the same tree as the built-in one, and gets the same priors.
    #[test]
    fn the_same_formula_grows_the_same_tree() {
        fn compare<G: Game>(game: &G, spec: &str, formula: Again) {
            let inside = for_game(game, game.start(), config(spec), budget(2000)).unwrap();
            let outside = for_game(game, game.start(), config(spec), budget(2000)).unwrap();
            let custom = Custom { formula: Some(Arc::new(formula)), ..Custom::default() };
            let (mut inside, mut outside) = (inside, outside.with_custom(custom));
            let (a, b) = (think(&mut inside, budget(2000)), think(&mut outside, budget(2000)));
            let visits =
                |report: crate::Report<_>| report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>();
            assert_eq!(visits(a), visits(b), "{spec}");
        }
        let connect4 = Connect4::new(Any::<u64>::new(7, 6, 4));
        compare(&connect4, "mcts:c=0.7", Again { c: 0.7, puct: false });
        let loa = loa::Loa::<u64>::new(loa::Setup::parse("6x6").unwrap());
        compare(&loa, "mcts:select=puct,c=1.5", Again { c: 1.5, puct: true });
    }

    /// Policies that are as wrong as possible: every bound stays true, and wins that are proven are
    /// played.
    #[test]
    fn no_policy_makes_anything_certain() {
        struct Lots(AtomicU64);
        impl Lots {
            fn draw(&self) -> f64 {
                Rng::new(self.0.fetch_add(1, Relaxed)).unit() * 2.0 - 1.0
            }
        }
        impl Formula for Lots {
            fn value(&self, _: &Seen, _: &Seen) -> f32 {
                self.draw() as f32
            }
        }
        impl RewardRule for Lots {
            fn reward(&self, simulation: &Simulation) -> f64 {
                assert!(simulation.d > 0.0 && (-1.0..=1.0).contains(&simulation.r));
                self.draw()
            }
        }
        impl FinalRule for Lots {
            fn merit(&self, visits: u32, mean: f64) -> f64 {
                assert!(visits > 0 && mean.is_finite());
                self.draw()
            }
        }
        let (game, mut memo) = (Connect4::new(Any::<u64>::new(4, 4, 3)), Memo::new());
        for proof in ["none", "solver", "exact", "bounds"] {
            let spec = format!("mcts:proof={proof}");
            let search = for_game(&game, game.start(), config(&spec), budget(300)).unwrap();
            let lots = || Arc::new(Lots(AtomicU64::new(1)));
            let custom = Custom { formula: Some(lots()), reward: Some(lots()), final_rule: Some(lots()) };
            let mut search = search.with_custom(custom);
            for _ in 0..20 {
                let report = think(&mut search, budget(300));
                assert!(report.bounds.contains(memo.value(&game.start())), "{spec}");
                if report.bounds.is_exact() {
                    assert!(report.best_is_proven(proofplay_core::Player::First), "{spec}");
                }
            }
        }
    }
}
