//! What a leaf is worth: a playout, perhaps an informed or a shortened one, or an evaluation.
//!
//! Cut-offs and weights as in \[WBS08\] section 3.1; evaluation instead of playouts is the MCTS-E
//! of \[SC13\]; look-ahead in playouts is the MCTS-MR of Baier & Winands, "MCTS-minimax hybrids",
//! IEEE TCIAIG 2015 \[BW15\].

use crate::SearchError;
use proofplay_core::{Bounds, Hints, Player, Position, Rng, guard};
use std::sync::Arc;

/// How leaves are estimated.
#[derive(Copy, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Leaf {
    /// Play to the end.
    Playout(Playout),
    /// Call an [`Evaluator`], for many leaves at a time.
    Evaluate {
        /// Leaves that are evaluated together.
        batch: u32,
        /// The file of the network that evaluates; `None`: the evaluation function of the game.
        net: Option<&'static str>,
    },
}

/// Values and priors for many positions at once, e.g. by a network.
pub trait Evaluator<P: Position>: Send + Sync {
    /// Fills in the value and the priors of every request.
    fn evaluate(&self, batch: &mut [Request<P>]);
}

/// A position to be evaluated. It is not over.
#[derive(Clone, Debug)]
pub struct Request<P: Position> {
    /// The position.
    pub pos: P,
    /// Its moves.
    pub moves: Vec<P::Move>,
    /// To be filled in: the value in the view of `First`, in [-1, 1].
    pub value: f32,
    /// To be filled in: how promising each move is. Comes filled with 1 for each move.
    pub priors: Vec<f32>,
}

/// The hints of a game as an evaluator, one position after the other.
pub(super) struct ByHints<P: Position>(pub Arc<dyn Hints<P>>);

impl<P: Position> Evaluator<P> for ByHints<P> {
    fn evaluate(&self, batch: &mut [Request<P>]) {
        for request in batch {
            request.value = self.0.value(&request.pos);
            self.0.priors(&request.pos, &request.moves, &mut request.priors);
        }
    }
}

/// How playouts draw their moves.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Draw {
    /// By the default policy of the game, if it has one and the playout is a plain one to the end;
    /// else uniform.
    #[default]
    Usual,
    /// Uniform.
    Uniform,
    /// By a policy of the game: in stages, where its moves have parts (Amazons).
    Staged,
    /// By a policy of the game: no player fills an own eye (Go).
    Eyes,
    /// By the game's weights.
    Weighted,
}

impl Leaf {
    /// Rewards are wins, draws and losses, whatever the points: networks are trained to say who wins.
    pub(super) fn counts_wins(&self) -> bool {
        matches!(self, Leaf::Evaluate { net: Some(_), .. })
    }

    /// The playout policy of the game that this names; an error if the game does not have it.
    pub(super) fn policy<P: Position>(
        &self,
        hints: &dyn Hints<P>,
    ) -> Result<Option<&'static str>, SearchError> {
        let Leaf::Playout(playout) = self else { return Ok(None) };
        let named = |name: &'static str, setting, what| {
            let offered = hints.policies().contains(&name);
            if offered { Ok(Some(name)) } else { Err(SearchError::NotOffered { setting, what }) }
        };
        match playout.draw {
            Draw::Usual if playout.is_plain() => Ok(hints.usual_policy()),
            Draw::Usual | Draw::Uniform | Draw::Weighted => Ok(None),
            Draw::Staged => named("staged", "leaf=staged", "playouts in stages"),
            Draw::Eyes => named("eyes", "leaf=eyes", "playouts that know eyes"),
        }
    }
}

/// How playouts go.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Playout {
    /// How moves are drawn.
    pub draw: Draw,
    /// After this many moves it is cut off; 0: never.
    pub most_moves: u32,
    /// What it is worth then.
    pub cutoff: Cutoff,
    /// Evaluate every this many moves; 0: never.
    pub check_every: u32,
    /// Beyond this evaluation (in [0, 1]) the game counts as won.
    pub check_value: f32,
    /// Search this many moves ahead for forced wins and losses at every move; 0: not at all.
    pub look_ahead: u32,
}

/// What a playout is worth that was cut off.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Cutoff {
    /// A draw.
    #[default]
    Draw,
    /// What the game's evaluation function says: MCTS-E, as in the Amazons player of Lorentz \[Lor08\].
    Evaluate,
}

/// Buffers that playouts reuse.
#[derive(Debug)]
pub struct Scratch<P: Position> {
    /// Move lists, used as a stack.
    pub moves: Vec<P::Move>,
    weights: Vec<f32>,
}

impl<P: Position> Default for Scratch<P> {
    fn default() -> Self {
        Scratch { moves: Vec::new(), weights: Vec::new() }
    }
}

/// How a playout ended.
#[derive(Debug)]
pub enum End {
    /// By the rules, at the position it leaves behind.
    Over(proofplay_core::Score),
    /// By the evaluation or a limit: who counts as the winner.
    Stopped(Option<Player>),
    /// By a limit, with this evaluation, in the view of `First`.
    Evaluated(f32),
}

impl Playout {
    /// Whether it is only random moves to the end of the game.
    #[inline]
    pub fn is_plain(&self) -> bool {
        Playout { draw: Draw::default(), ..*self } == Playout::default()
    }

    /// Plays from `pos`, which is not over; `trace` is called with every move, unless `policy`
    /// comes with `false`. Looking ahead ends when `is_over` returns true.
    #[inline]
    pub fn run<P: Position>(
        &self,
        pos: &mut P,
        (hints, policy): (&dyn Hints<P>, Option<(&'static str, bool)>),
        rng: &mut Rng,
        scratch: &mut Scratch<P>,
        is_over: &mut impl FnMut() -> bool,
        trace: &mut impl FnMut(Player, P::Move),
    ) -> End {
        if self.draw != Draw::Weighted && self.is_plain() {
            let buf = &mut scratch.moves;
            let score = match policy {
                None => pos.playout(rng, buf, trace),
                Some((policy, true)) => hints.playout(policy, pos, rng, buf, Some(trace)),
                Some((policy, false)) => hints.playout(policy, pos, rng, buf, None),
            };
            return End::Over(guard::score_of(pos, score));
        }
        for played in 0.. {
            if let Some(score) = guard::ended(pos) {
                return End::Over(score);
            }
            if self.most_moves > 0 && played >= self.most_moves {
                return match self.cutoff {
                    Cutoff::Draw => End::Stopped(None),
                    Cutoff::Evaluate => End::Evaluated(hints.value(pos)),
                };
            }
            if self.check_every > 0 && played > 0 && played.is_multiple_of(self.check_every) {
                let value = hints.value(pos);
                if value.abs() > self.check_value {
                    return End::Stopped(Some(if value > 0.0 { Player::First } else { Player::Second }));
                }
            }
            let mv = self.choose(pos, hints, rng, scratch, is_over);
            trace(pos.turn(), mv);
            pos.play(mv);
        }
        unreachable!("a playout ends by the rules or by a limit")
    }

    /// A move of the playout policy.
    pub fn choose<P: Position>(
        &self,
        pos: &P,
        hints: &dyn Hints<P>,
        rng: &mut Rng,
        scratch: &mut Scratch<P>,
        is_over: &mut impl FnMut() -> bool,
    ) -> P::Move {
        if self.look_ahead == 0 && self.draw != Draw::Weighted {
            return pos.random_move(rng, &mut scratch.moves);
        }
        let start = scratch.moves.len();
        pos.moves(&mut scratch.moves);
        let first = start + self.draw(pos, hints, rng, scratch, start);
        let mut chosen = scratch.moves[first];
        if self.look_ahead > 0 {
            let count = scratch.moves.len() - start;
            let (mut open, mover) = (None, pos.turn());
            for i in 0..count {
                // Starting with the drawn move: a win is played, a loss is skipped.
                let mv = scratch.moves[start + (first - start + i) % count];
                let child = shallow(&pos.after(mv), self.look_ahead - 1, &mut scratch.moves, is_over);
                let child = child.seen_by(mover);
                if child.pess.0 > 0 {
                    open = Some(mv);
                    break;
                }
                if child.opti.0 >= 0 && open.is_none() {
                    open = Some(mv);
                }
            }
            chosen = open.unwrap_or(chosen);
        }
        scratch.moves.truncate(start);
        chosen
    }

    /// The index of a random move among those from `start` on.
    fn draw<P: Position>(
        &self,
        pos: &P,
        hints: &dyn Hints<P>,
        rng: &mut Rng,
        scratch: &mut Scratch<P>,
        start: usize,
    ) -> usize {
        let moves = &scratch.moves[start..];
        if self.draw != Draw::Weighted {
            return rng.below(moves.len() as u32) as usize;
        }
        scratch.weights.clear();
        scratch.weights.resize(moves.len(), 1.0);
        hints.weights(pos, moves, &mut scratch.weights);
        let total: f32 = scratch.weights.iter().sum();
        let mut at = rng.unit() as f32 * total;
        for (i, weight) in scratch.weights.iter().enumerate() {
            at -= weight;
            if at < 0.0 {
                return i;
            }
        }
        moves.len() - 1
    }
}

/// What is certain after a minimax search of `depth` moves: forced wins and losses, no heuristics.
/// What has not been searched when `is_over` returns true is not certain.
pub fn shallow<P: Position>(
    pos: &P,
    depth: u32,
    buf: &mut Vec<P::Move>,
    is_over: &mut impl FnMut() -> bool,
) -> Bounds {
    /// Visiting fewer moves takes no longer than the test.
    const MANY: usize = 32;
    if let Some(score) = guard::ended(pos) {
        return Bounds::exact(score);
    }
    let range = pos.range();
    if depth == 0 {
        return range;
    }
    let (start, mover) = (buf.len(), pos.turn());
    pos.moves(buf);
    if (depth > 1 || buf.len() - start > MANY) && is_over() {
        buf.truncate(start);
        return range;
    }
    let mut best: Option<Bounds> = None;
    for i in start..buf.len() {
        let child = shallow(&pos.after(buf[i]), depth - 1, buf, is_over);
        let so_far = best.map_or(child, |best| Bounds::minimax(mover, [best, child]));
        best = Some(so_far);
        if so_far.seen_by(mover).pess == range.seen_by(mover).opti {
            break;
        }
    }
    buf.truncate(start);
    range.tighten(best.expect("a position that is not over has at least one move"))
}
