//! Residual convolution nets as plain data.
//!
//! ```text
//! planes --stem--> trunk --block--> ... --block--> trunk --tip--> policy head, value head
//! ```
//!
//! All batch normalisations are parts of convolutions or are an [`Affine`] by now. Convolutions keep
//! the size of the board: outside of it everything is 0. Four families of nets fit:
//!
//! - AlphaGo Zero, Leela Zero \[Sil17\]: blocks of two convolutions, with a ReLU after the sum; dense
//!   heads, so that the size of the board is fixed;
//! - KataGo \[Wu19\]: a ReLU before each convolution, and none after the sum; globals; some blocks and
//!   the heads pool over the board, so that every size will do;
//! - plain convolutions one after the other.

mod check;
mod random;

pub use check::{MOST_CHANNELS, MOST_WEIGHTS};
pub use random::Style;

/// A convolution with a bias. Its size is odd.
#[derive(Clone, PartialEq, Debug)]
pub struct Conv {
    /// Rows and columns of the filter.
    pub size: usize,
    /// Channels that come in.
    pub inputs: usize,
    /// Channels that go out.
    pub outputs: usize,
    /// By output, input, row, column, in the order in which planes list the cells.
    pub weights: Vec<f32>,
    /// By output.
    pub bias: Vec<f32>,
}

/// Every output is a sum over all inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Dense {
    /// Numbers that come in.
    pub inputs: usize,
    /// Numbers that go out.
    pub outputs: usize,
    /// By output, input.
    pub weights: Vec<f32>,
    /// By output.
    pub bias: Vec<f32>,
}

/// A factor and a bias for each channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Affine {
    /// What each channel is multiplied by.
    pub scale: Vec<f32>,
    /// What is added then.
    pub bias: Vec<f32>,
}

/// A part of the trunk. `r` is the ReLU, `max(0, x)`.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// `x = r(conv(x))`.
    Plain(Conv),
    /// `x = r(second(r(first(x))) + x)`.
    Post {
        /// The first convolution.
        first: Conv,
        /// The second one.
        second: Conv,
    },
    /// `y = r(before(x)); x = x + second(r(first(y) + pooling(y)))`.
    Pre {
        /// Before the first convolution.
        before: Affine,
        /// The first convolution.
        first: Conv,
        /// Adds what is known of the whole board to every cell.
        pooling: Option<Box<Pooling>>,
        /// The second convolution.
        second: Conv,
    },
}

/// `to_bias(pool(r(conv(x))))`: three numbers a channel, the mean, the mean scaled with the side of the
/// board and the maximum, become a bias for every channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Pooling {
    /// What is pooled.
    pub conv: Conv,
    /// From three numbers a channel: all means, all scaled means, all maxima.
    pub to_bias: Dense,
}

/// Which moves look good, as logarithms of odds ("logits").
#[derive(Clone, PartialEq, Debug)]
pub enum PolicyHead {
    /// `dense(r(conv(x)))`; the dense layer reads channel by channel.
    Dense {
        /// Usually one by one.
        conv: Conv,
        /// To all moves.
        dense: Dense,
    },
    /// A move for each cell and one more, to pass: `cells(r(conv(x) + pooling(x)))`, and
    /// `pass(pool(r(pooling.conv(x))))`.
    Pooled {
        /// Usually one by one.
        conv: Conv,
        /// Adds what is known of the whole board.
        pooling: Box<Pooling>,
        /// One output.
        cells: Conv,
        /// One output, from the same numbers as the pooling.
        pass: Dense,
    },
}

/// Who wins, in the mover's view.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueHead {
    /// Usually one by one; a ReLU follows.
    pub conv: Conv,
    /// True: the hidden layer reads three numbers a channel (the mean, and the mean scaled in two ways
    /// with the side of the board). False: it reads every cell, channel by channel.
    pub pooled: bool,
    /// A ReLU follows.
    pub hidden: Dense,
    /// One output, whose hyperbolic tangent is the value; or two or three, the logarithms of the odds that
    /// the mover wins, loses, or neither.
    pub value: Dense,
    /// What the net says of the score, from the hidden layer.
    pub scores: Option<Dense>,
}

/// A residual convolution net.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    /// Columns and rows of the only board it takes; `None` if any will do.
    pub board: Option<[usize; 2]>,
    /// From the input planes to the trunk.
    pub stem: Conv,
    /// From numbers that are no planes to a bias for every channel of the trunk.
    pub globals: Option<Dense>,
    /// Whether a ReLU follows the stem.
    pub stem_relu: bool,
    /// One after the other.
    pub blocks: Vec<Block>,
    /// After the blocks; a ReLU follows.
    pub tip: Option<Affine>,
    /// Which moves look good.
    pub policy: PolicyHead,
    /// Who wins.
    pub value: ValueHead,
}

impl Net {
    /// How many input planes it reads.
    pub fn planes(&self) -> usize {
        self.stem.inputs
    }

    /// How many numbers it reads that are no planes.
    pub fn globals(&self) -> usize {
        self.globals.as_ref().map_or(0, |dense| dense.inputs)
    }

    /// Channels of the trunk.
    pub fn channels(&self) -> usize {
        self.blocks.iter().rev().find_map(Block::outputs).unwrap_or(self.stem.outputs)
    }

    /// How many moves its policy names on a board of so many cells.
    pub fn moves(&self, cells: usize) -> usize {
        match &self.policy {
            PolicyHead::Dense { dense, .. } => dense.outputs,
            PolicyHead::Pooled { .. } => cells + 1,
        }
    }
}

impl Block {
    /// Channels that it makes the trunk have, if it may change them.
    fn outputs(&self) -> Option<usize> {
        match self {
            Block::Plain(conv) => Some(conv.outputs),
            Block::Post { .. } | Block::Pre { .. } => None,
        }
    }
}

/// The three numbers that stand for a channel of the whole board in a block and in a policy head. KataGo
/// was trained on boards of 9 to 19 cells a side, and 14 is in the middle.
pub(crate) fn pool(mean: f32, maximum: f32, cells: usize) -> [f32; 3] {
    [mean, mean * 0.1 * ((cells as f32).sqrt() - 14.0), maximum]
}

/// The three numbers in a value head.
pub(crate) fn pool_value(mean: f32, cells: usize) -> [f32; 3] {
    let side = (cells as f32).sqrt() - 14.0;
    [mean, mean * 0.1 * side, mean * (0.01 * side * side - 0.1)]
}
