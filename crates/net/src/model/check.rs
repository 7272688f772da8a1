//! Whether the parts of a net fit together.

use super::{Affine, Block, Conv, Dense, Net, PolicyHead, Pooling, ValueHead};
use crate::NetError;

/// The most channels of a layer.
pub const MOST_CHANNELS: usize = 2048;

/// The most numbers in a net: 512 MB of them.
pub const MOST_WEIGHTS: usize = 1 << 27;

/// The widest filter.
const MOST_SIZE: usize = 9;

/// The longest side of a board.
const MOST_SIDE: usize = 64;

impl Net {
    /// Checks that every layer has as many weights as it says, that they are finite, and that each
    /// layer takes what the one before it gives.
    pub fn check(&self) -> Result<(), NetError> {
        if self.board.is_some_and(|sides| sides.iter().any(|side| !(1..=MOST_SIDE).contains(side))) {
            return Err(NetError::new(format!("the sides of a board are 1 to {MOST_SIDE}")));
        }
        self.stem.check("the stem")?;
        let mut trunk = self.stem.outputs;
        if let Some(globals) = &self.globals {
            globals.check("globals")?;
            same(globals.outputs, trunk, "globals: outputs")?;
        }
        for (number, block) in self.blocks.iter().enumerate() {
            trunk = block.check(trunk).map_err(|error| error.at(&format!("block {number}")))?;
        }
        if let Some(tip) = &self.tip {
            tip.check(trunk).map_err(|error| error.at("the tip"))?;
        }
        let cells = self.board.map(|[columns, rows]| columns * rows);
        self.policy.check(trunk, cells).map_err(|error| error.at("policy head"))?;
        self.value.check(trunk, cells).map_err(|error| error.at("value head"))
    }
}

/// Two numbers that must be equal.
fn same(found: usize, needed: usize, what: &str) -> Result<(), NetError> {
    if found == needed {
        return Ok(());
    }
    Err(NetError::new(format!("{what} should be {needed}, not {found}")))
}

fn finite(weights: &[f32]) -> Result<(), NetError> {
    match weights.iter().find(|weight| !weight.is_finite()) {
        Some(weight) => Err(NetError::new(format!("a weight is {weight}, all must be finite numbers"))),
        None => Ok(()),
    }
}

fn channels(count: usize) -> Result<(), NetError> {
    if (1..=MOST_CHANNELS).contains(&count) {
        return Ok(());
    }
    Err(NetError::new(format!("{count} channels, 1 to {MOST_CHANNELS} are allowed")))
}

impl Conv {
    pub(crate) fn check(&self, place: &str) -> Result<(), NetError> {
        let all = || {
            if self.size.is_multiple_of(2) || self.size > MOST_SIZE {
                let message = format!("a filter of size {}, 1, 3, 5, 7 and 9 are allowed", self.size);
                return Err(NetError::new(message));
            }
            channels(self.inputs)?;
            channels(self.outputs)?;
            same(self.weights.len(), self.size * self.size * self.inputs * self.outputs, "weights")?;
            same(self.bias.len(), self.outputs, "biases")?;
            finite(&self.weights)?;
            finite(&self.bias)
        };
        all().map_err(|error| error.at(place))
    }
}

impl Dense {
    pub(crate) fn check(&self, place: &str) -> Result<(), NetError> {
        let all = || {
            let weights = self.inputs.checked_mul(self.outputs).filter(|&n| n > 0 && n <= MOST_WEIGHTS);
            let weights = weights.ok_or_else(|| NetError::new("too large or empty"))?;
            same(self.weights.len(), weights, "weights")?;
            same(self.bias.len(), self.outputs, "biases")?;
            finite(&self.weights)?;
            finite(&self.bias)
        };
        all().map_err(|error| error.at(place))
    }
}

impl Affine {
    fn check(&self, channels: usize) -> Result<(), NetError> {
        same(self.scale.len(), channels, "scales")?;
        same(self.bias.len(), channels, "biases")?;
        finite(&self.scale)?;
        finite(&self.bias)
    }
}

impl Pooling {
    fn check(&self, inputs: usize, outputs: usize) -> Result<(), NetError> {
        self.conv.check("pooled convolution")?;
        same(self.conv.inputs, inputs, "pooled convolution: inputs")?;
        self.to_bias.check("pooling")?;
        same(self.to_bias.inputs, 3 * self.conv.outputs, "pooling: inputs")?;
        same(self.to_bias.outputs, outputs, "pooling: outputs")
    }
}

impl Block {
    /// The channels after it.
    fn check(&self, trunk: usize) -> Result<usize, NetError> {
        let pair = |first: &Conv, second: &Conv| {
            first.check("first convolution")?;
            second.check("second convolution")?;
            same(first.inputs, trunk, "first convolution: inputs")?;
            same(second.inputs, first.outputs, "second convolution: inputs")?;
            same(second.outputs, trunk, "second convolution: outputs")
        };
        match self {
            Block::Plain(conv) => {
                conv.check("convolution")?;
                same(conv.inputs, trunk, "convolution: inputs")?;
                return Ok(conv.outputs);
            }
            Block::Post { first, second } => pair(first, second)?,
            Block::Pre { before, first, pooling, second } => {
                pair(first, second)?;
                before.check(trunk)?;
                if let Some(pooling) = pooling {
                    pooling.check(trunk, first.outputs)?;
                }
            }
        }
        Ok(trunk)
    }
}

impl PolicyHead {
    fn check(&self, trunk: usize, cells: Option<usize>) -> Result<(), NetError> {
        match self {
            PolicyHead::Dense { conv, dense } => {
                conv.check("convolution")?;
                same(conv.inputs, trunk, "convolution: inputs")?;
                dense.check("dense layer")?;
                let cells = cells.ok_or_else(|| NetError::new("a dense layer needs a fixed board"))?;
                same(dense.inputs, cells * conv.outputs, "dense layer: inputs")
            }
            PolicyHead::Pooled { conv, pooling, cells, pass } => {
                conv.check("convolution")?;
                same(conv.inputs, trunk, "convolution: inputs")?;
                pooling.check(trunk, conv.outputs)?;
                cells.check("last convolution")?;
                same(cells.inputs, conv.outputs, "last convolution: inputs")?;
                same(cells.outputs, 1, "last convolution: outputs")?;
                pass.check("pass")?;
                same(pass.inputs, 3 * pooling.conv.outputs, "pass: inputs")?;
                same(pass.outputs, 1, "pass: outputs")
            }
        }
    }
}

impl ValueHead {
    fn check(&self, trunk: usize, cells: Option<usize>) -> Result<(), NetError> {
        self.conv.check("convolution")?;
        same(self.conv.inputs, trunk, "convolution: inputs")?;
        self.hidden.check("hidden layer")?;
        let each = match cells {
            _ if self.pooled => 3,
            Some(cells) => cells,
            None => return Err(NetError::new("a hidden layer of all cells needs a fixed board")),
        };
        same(self.hidden.inputs, each * self.conv.outputs, "hidden layer: inputs")?;
        self.value.check("value")?;
        same(self.value.inputs, self.hidden.outputs, "value: inputs")?;
        if !(1..=3).contains(&self.value.outputs) {
            return Err(NetError::new(format!(
                "value: outputs should be 1 to 3, not {}",
                self.value.outputs
            )));
        }
        let Some(scores) = &self.scores else { return Ok(()) };
        scores.check("scores")?;
        same(scores.inputs, self.hidden.outputs, "scores: inputs")
    }
}
