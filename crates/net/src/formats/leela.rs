//! Leela Zero's networks as text, version 1.
//!
//! ```text
//! 1
//! weights of the first convolution, by output, input, row, column
//! its biases
//! the means of its batch normalisation
//! the variances
//! ... the same four lines for every convolution of every block
//! ... the same four lines for the policy's convolution of size 1
//! weights of the policy's dense layer, by output, input
//! its biases
//! ... the same six lines for the value head and its hidden layer
//! weights of the last layer, one output
//! its bias
//! ```
//!
//! Rows of filters and of planes go from the bottom of the board to the top. The side of the board
//! follows from the number of weights; Leela Zero itself plays on 19x19 alone. Networks of version 2,
//! whose value is in Black's view, are refused.

use super::{About, NetFile, fold};
use crate::NetError;
use crate::model::{Block, Conv, Dense, MOST_CHANNELS, Net, PolicyHead, ValueHead};
use std::fmt::Write;

/// How many planes there are.
pub const PLANES: usize = 18;

/// What is added to variances.
const EPSILON: f32 = 1e-5;

/// Lines that do not belong to blocks, without the first one.
const OTHER_LINES: usize = 18;

/// Lines of a block.
const OF_BLOCK: usize = 8;

/// Whether the bytes begin as such a file does.
pub fn is_leela(bytes: &[u8]) -> bool {
    matches!(bytes, [b'1'..=b'9', b'\n', ..] | [b'1'..=b'9', b'\r', b'\n', ..])
}

/// Reads a network.
pub fn read(bytes: &[u8]) -> Result<NetFile, NetError> {
    let text = std::str::from_utf8(bytes).map_err(|_| NetError::new("it is not text"))?;
    let mut lines = text.lines();
    let version = lines.next().unwrap_or_default();
    if version != "1" {
        return Err(NetError::new(format!("version {version} of Leela Zero's format, only 1 is read")));
    }
    let mut all: Vec<&str> = lines.collect();
    while all.last().is_some_and(|line| line.trim().is_empty()) {
        all.pop();
    }
    let of_blocks = all.len().checked_sub(OTHER_LINES).filter(|lines| lines % OF_BLOCK == 0);
    let blocks = of_blocks.map(|lines| lines / OF_BLOCK);
    let blocks = blocks.ok_or_else(|| {
        let count = all.len() + 1;
        NetError::new(format!("{count} lines, not 19 and 8 for each block: is the file complete?"))
    })?;
    let mut lines = Lines { lines: all.into_iter(), number: 1 };
    let stem = lines.conv(3, PLANES)?;
    let channels = stem.outputs;
    let blocks = (0..blocks)
        .map(|_| Ok(Block::Post { first: lines.conv(3, channels)?, second: lines.conv(3, channels)? }));
    let blocks = blocks.collect::<Result<_, NetError>>()?;
    let conv = lines.conv(1, channels)?;
    let dense = lines.dense()?;
    let cells = dense.outputs.saturating_sub(1);
    let side = cells.isqrt();
    if side * side != cells || dense.inputs != cells * conv.outputs {
        let [inputs, outputs] = [dense.inputs, dense.outputs];
        return Err(NetError::new(format!(
            "a policy of {inputs} inputs and {outputs} moves is for no square board"
        )));
    }
    let policy = PolicyHead::Dense { conv, dense };
    let value = ValueHead {
        conv: lines.conv(1, channels)?,
        pooled: false,
        hidden: lines.dense()?,
        value: lines.dense()?,
        scores: None,
    };
    let net = Net {
        board: Some([side; 2]),
        stem,
        globals: None,
        stem_relu: true,
        blocks,
        tip: None,
        policy,
        value,
    };
    let about = About { encoder: "leela-zero".to_owned(), ..About::default() };
    Ok(NetFile { net, about })
}

struct Lines<'a> {
    lines: std::vec::IntoIter<&'a str>,
    number: usize,
}

impl Lines<'_> {
    fn numbers(&mut self) -> Result<Vec<f32>, NetError> {
        self.number += 1;
        let line = self.lines.next().unwrap_or_default();
        let number = |word: &str| {
            let number = word.parse().ok().filter(|number: &f32| number.is_finite());
            number.ok_or_else(|| NetError::new(format!("line {}: a weight is not a number", self.number)))
        };
        line.split_ascii_whitespace().map(number).collect()
    }

    /// The numbers of a line that should have so many.
    fn of(&mut self, count: usize) -> Result<Vec<f32>, NetError> {
        let numbers = self.numbers()?;
        if numbers.len() == count {
            return Ok(numbers);
        }
        Err(NetError::new(format!("line {}: {} numbers, not {count}", self.number, numbers.len())))
    }

    /// A convolution with its batch normalisation.
    fn conv(&mut self, size: usize, inputs: usize) -> Result<Conv, NetError> {
        let weights = self.numbers()?;
        let each = size * size * inputs;
        let outputs = weights.len() / each;
        if outputs * each != weights.len() || !(1..=MOST_CHANNELS).contains(&outputs) {
            let (line, count) = (self.number, weights.len());
            return Err(NetError::new(format!(
                "line {line}: {count} weights are not {each} for each of 1 to {MOST_CHANNELS} channels"
            )));
        }
        let bias = self.of(outputs)?;
        let (mean, variance) = (self.of(outputs)?, self.of(outputs)?);
        let after = fold::normalisation(&mean, &variance, &vec![1.0; outputs], &vec![0.0; outputs], EPSILON);
        Ok(fold::into_conv(Conv { size, inputs, outputs, weights, bias }, &after))
    }

    fn dense(&mut self) -> Result<Dense, NetError> {
        let (weights, bias) = (self.numbers()?, self.numbers()?);
        let outputs = bias.len().max(1);
        let inputs = weights.len() / outputs;
        Ok(Dense { inputs, outputs, weights, bias })
    }
}

/// Writes a network so that Leela Zero reads it: blocks with a ReLU after the sum, dense heads.
pub fn write(net: &Net) -> Result<String, NetError> {
    let refuse =
        || NetError::new("Leela Zero knows 18 planes, blocks with a ReLU after the sum, and dense heads");
    let PolicyHead::Dense { conv: of_policy, dense } = &net.policy else { return Err(refuse()) };
    let ValueHead { conv: of_value, pooled: false, hidden, value, scores: None } = &net.value else {
        return Err(refuse());
    };
    if net.planes() != PLANES
        || net.globals.is_some()
        || !net.stem_relu
        || net.tip.is_some()
        || value.outputs != 1
    {
        return Err(refuse());
    }
    let mut lines = vec![vec![1.0]];
    of_conv(&net.stem, &mut lines);
    for block in &net.blocks {
        let Block::Post { first, second } = block else { return Err(refuse()) };
        of_conv(first, &mut lines);
        of_conv(second, &mut lines);
    }
    of_conv(of_policy, &mut lines);
    of_dense(dense, &mut lines);
    of_conv(of_value, &mut lines);
    of_dense(hidden, &mut lines);
    of_dense(value, &mut lines);
    let mut text = String::new();
    for line in lines {
        for (place, number) in line.iter().enumerate() {
            let _ = write!(text, "{}{number}", if place == 0 { "" } else { " " });
        }
        text.push('\n');
    }
    Ok(text)
}

/// The lines of a convolution, whose batch normalisation does nothing.
fn of_conv(conv: &Conv, lines: &mut Vec<Vec<f32>>) {
    let [mean, variance] = [0.0, 1.0 - EPSILON].map(|number| vec![number; conv.outputs]);
    lines.extend([conv.weights.clone(), conv.bias.clone(), mean, variance]);
}

/// The lines of a dense layer.
fn of_dense(dense: &Dense, lines: &mut Vec<Vec<f32>>) {
    lines.extend([dense.weights.clone(), dense.bias.clone()]);
}
