//! Your own search beside those of proofplay: it plays the first move that wins at once, else a
//! random one.
//!
//!     cargo run --release -p proofplay --example own_search

#[path = "own_game.rs"]
#[allow(dead_code, reason = "the game is wanted, not its main")]
mod own_game;

use own_game::Heap;
use proofplay::{
    Ask, Bounds, Extras, Limits, NodeView, Position, Report, Resources, Rng, Run, Saved, Search, SearchSpec,
    Strategist, Tree, from_scratch, play_game,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

struct Greedy<P> {
    pos: P,
    rng: Rng,
}

impl<P: Position> Search<P> for Greedy<P> {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn position(&self) -> &P {
        &self.pos
    }

    fn think(&mut self, _: Ask, _: &mut Run<P::Move>) -> Report<P::Move> {
        let (mut report, mut moves) = (Report::new(self.pos.range()), Vec::new());
        if let Some(score) = self.pos.outcome() {
            return Report::new(Bounds::exact(score));
        }
        self.pos.moves(&mut moves);
        let wins = |mv: &P::Move| {
            self.pos.after(*mv).outcome().is_some_and(|score| score.winner() == Some(self.pos.turn()))
        };
        let random = moves[self.rng.below(moves.len() as u32) as usize];
        report.best = moves.iter().copied().find(wins).or(Some(random));
        report
    }

    fn set_position(&mut self, pos: &P) {
        self.pos = pos.clone();
    }

    fn saved(&mut self) -> Option<&mut dyn Saved> {
        None
    }

    fn strategist<'a>(
        &'a mut self,
        memory: &mut usize,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Box<dyn Strategist<P> + 'a> {
        *memory /= 2;
        from_scratch(&self.pos, &Extras::none(), *memory, limits, stop)
    }
}

impl<P: Position> Tree<P::Move> for Greedy<P> {
    fn children(&self, _: &[P::Move]) -> Vec<NodeView<P::Move>> {
        Vec::new()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut greedy = Greedy { pos: Heap::of(30), rng: Rng::new(1) };
    let mut prover = "alphabeta".parse::<SearchSpec>()?.start_bare(&Heap::of(30), Resources::default())?;
    let (score, moves) = play_game(&mut *prover, &mut greedy, Limits::default(), 100)?;
    println!("{moves:?}: score {score:?}");
    assert_eq!(score, Some(proofplay::Score::WIN), "thirty matches are a win");
    Ok(())
}
