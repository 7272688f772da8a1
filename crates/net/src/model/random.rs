//! Nets with random weights: for tests, for measurements, and as a start for training.

use super::{Affine, Block, Conv, Dense, Net, PolicyHead, Pooling, ValueHead};
use proofplay_core::Rng;

/// The family a random net belongs to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Style {
    /// ReLU after the sum, dense heads, for one board with so many columns and rows and so many moves.
    Post {
        /// Columns and rows.
        board: [usize; 2],
        /// Outputs of the policy.
        moves: usize,
    },
    /// ReLU before convolutions, with pooling in every second block and in the heads, for all boards,
    /// with so many globals and two outputs for the value.
    Pre {
        /// Numbers that are no planes.
        globals: usize,
    },
}

impl Net {
    /// A net with random weights of the usual size: with random inputs all activations are about 1.
    pub fn random(style: Style, planes: usize, blocks: usize, channels: usize, seed: u64) -> Net {
        let rng = &mut Rng::new(seed);
        let small = channels.div_ceil(3).max(2);
        match style {
            Style::Post { board, moves } => {
                let cells = board[0] * board[1];
                Net {
                    board: Some(board),
                    stem: conv(rng, 3, planes, channels),
                    globals: None,
                    stem_relu: true,
                    blocks: (0..blocks)
                        .map(|_| Block::Post {
                            first: conv(rng, 3, channels, channels),
                            second: conv(rng, 3, channels, channels),
                        })
                        .collect(),
                    tip: None,
                    policy: PolicyHead::Dense {
                        conv: conv(rng, 1, channels, 2),
                        dense: dense(rng, 2 * cells, moves),
                    },
                    value: ValueHead {
                        conv: conv(rng, 1, channels, 1),
                        pooled: false,
                        hidden: dense(rng, cells, 4 * channels),
                        value: dense(rng, 4 * channels, 1),
                        scores: None,
                    },
                }
            }
            Style::Pre { globals } => Net {
                board: None,
                stem: conv(rng, 5, planes, channels),
                globals: Some(dense(rng, globals, channels)),
                stem_relu: false,
                blocks: (0..blocks)
                    .map(|number| {
                        let middle = if number % 2 == 0 { channels } else { channels - small + 1 };
                        Block::Pre {
                            before: affine(rng, channels),
                            first: conv(rng, 3, channels, middle),
                            pooling: (number % 2 == 1)
                                .then(|| Box::new(pooling(rng, 3, channels, small, middle))),
                            second: conv(rng, 3, middle, channels),
                        }
                    })
                    .collect(),
                tip: Some(affine(rng, channels)),
                policy: PolicyHead::Pooled {
                    conv: conv(rng, 1, channels, small),
                    pooling: Box::new(pooling(rng, 1, channels, small, small)),
                    cells: conv(rng, 1, small, 1),
                    pass: dense(rng, 3 * small, 1),
                },
                value: ValueHead {
                    conv: conv(rng, 1, channels, small),
                    pooled: true,
                    hidden: dense(rng, 3 * small, channels),
                    value: dense(rng, channels, 2),
                    scores: Some(dense(rng, channels, 4)),
                },
            },
        }
    }
}

/// Uniform numbers around 0 with this variance.
fn numbers(rng: &mut Rng, count: usize, variance: f64) -> Vec<f32> {
    let width = (12.0 * variance).sqrt();
    (0..count).map(|_| ((rng.unit() - 0.5) * width) as f32).collect()
}

/// A ReLU halves the mean square, which the factor 2 makes up for \[He15\].
fn conv(rng: &mut Rng, size: usize, inputs: usize, outputs: usize) -> Conv {
    let count = size * size * inputs;
    let weights = numbers(rng, count * outputs, 2.0 / count as f64);
    Conv { size, inputs, outputs, weights, bias: numbers(rng, outputs, 0.01) }
}

fn dense(rng: &mut Rng, inputs: usize, outputs: usize) -> Dense {
    let weights = numbers(rng, inputs * outputs, 2.0 / inputs as f64);
    Dense { inputs, outputs, weights, bias: numbers(rng, outputs, 0.01) }
}

fn affine(rng: &mut Rng, channels: usize) -> Affine {
    let scale = numbers(rng, channels, 0.01).into_iter().map(|x| 0.7 + x).collect();
    Affine { scale, bias: numbers(rng, channels, 0.01) }
}

fn pooling(rng: &mut Rng, size: usize, inputs: usize, pooled: usize, outputs: usize) -> Pooling {
    Pooling { conv: conv(rng, size, inputs, pooled), to_bias: dense(rng, 3 * pooled, outputs) }
}
