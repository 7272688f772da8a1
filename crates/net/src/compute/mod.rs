//! The forward pass of a net, on one thread of the processor.

mod buffer;
mod gemm;
mod layers;
mod ready;
mod winograd;

use crate::NetError;
use crate::model::Net;
use ready::{Memory, Ready};
use std::fmt;
use std::sync::Arc;

/// What a net says of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Output {
    /// By move: the logarithm of its odds, up to a number that is the same for all.
    pub policy: Vec<f32>,
    /// What the last layer of the value head gives; see [`Output::value`].
    pub value: Vec<f32>,
    /// What a net says of the score; empty if it says nothing.
    pub scores: Vec<f32>,
}

impl Output {
    /// The value in the mover's view, in [-1, 1]. A game without winner counts 0.
    pub fn value(&self) -> f32 {
        match self.value[..] {
            [win, loss, neither] => {
                let most = win.max(loss).max(neither);
                let [win, loss, neither] = [win, loss, neither].map(|logit| (logit - most).exp());
                (win - loss) / (win + loss + neither)
            }
            [win, loss] => ((win - loss) / 2.0).tanh(),
            [logit] => logit.tanh(),
            _ => 0.0,
        }
    }
}

/// A net for one board on one thread. A clone shares the weights and has its own memory. After it was
/// made, nothing is allocated.
#[derive(Clone)]
pub struct Evaluator {
    ready: Arc<Ready>,
    memory: Memory,
    output: Output,
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator").field("board", &self.ready.board()).finish_non_exhaustive()
    }
}

impl Evaluator {
    /// Makes a net ready for a board with so many columns and rows.
    pub fn new(net: &Net, board: [usize; 2]) -> Result<Evaluator, NetError> {
        net.check()?;
        let [columns, rows] = net.board.unwrap_or(board);
        if [columns, rows] != board {
            let [c, r] = board;
            return Err(NetError::new(format!(
                "the net is for boards of {columns}x{rows} cells, not of {c}x{r}"
            )));
        }
        let ready = Arc::new(Ready::new(net, board)?);
        let output = Output {
            policy: vec![0.0; net.moves(columns * rows)],
            value: vec![0.0; net.value.value.outputs],
            scores: vec![0.0; net.value.scores.as_ref().map_or(0, |scores| scores.outputs)],
        };
        Ok(Evaluator { memory: Memory::new(&ready), ready, output })
    }

    /// How many numbers planes have: all cells of the first plane, then those of the second one ….
    pub fn planes(&self) -> usize {
        self.ready.planes()
    }

    /// How many numbers there are that are no planes.
    pub fn globals(&self) -> usize {
        self.ready.globals()
    }

    /// What the net says.
    ///
    /// # Panics
    /// If the numbers are not as many as [`Evaluator::planes`] and [`Evaluator::globals`] say.
    pub fn evaluate(&mut self, planes: &[f32], globals: &[f32]) -> &Output {
        assert_eq!([planes.len(), globals.len()], [self.planes(), self.globals()], "planes and globals");
        self.ready.evaluate(planes, globals, &mut self.memory, &mut self.output);
        &self.output
    }
}

#[cfg(test)]
mod tests;
