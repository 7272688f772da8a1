//! KataGo's networks, version 8, as `.bin.gz` (or unpacked).
//!
//! Words of text separated by white space; weights are `@BIN@` and then four bytes each, the lowest
//! first. Rows of filters and of planes go from the top of the board to the bottom.
//!
//! ```text
//! model   name 8 planes globals, trunk, policy head, value head
//! trunk   name blocks channels middle regular dilated pooled, conv, matmul, blocks, bn, act
//! block   ordinary_block name bn act conv bn act conv
//!         gpool_block name bn act conv conv bn act matmul bn act conv
//! policy  name conv conv bn act matmul bn act conv matmul
//! value   name conv bn act matmul bias act matmul bias matmul bias conv
//! conv    name rows columns inputs outputs 1 1 weights[row, column, input, output]
//! bn      name channels epsilon has-scale has-bias means variances scales? biases?
//! act     name                             a ReLU
//! matmul  name inputs outputs weights[input, output]
//! bias    name channels biases
//! ```

mod write;

use super::bytes::{self, Bytes};
use super::{About, NetFile, fold};
use crate::NetError;
use crate::model::{
    Affine, Block, Conv, Dense, MOST_CHANNELS, MOST_WEIGHTS, Net, PolicyHead, Pooling, ValueHead,
};

pub use write::write;

/// The version that is read.
const VERSION: usize = 8;

/// The most blocks.
const MOST_BLOCKS: usize = 1000;

/// Whether the bytes begin with a name and a version.
pub fn is_katago(bytes: &[u8]) -> bool {
    let mut bytes = Bytes(bytes);
    bytes.word("the name").is_ok() && bytes.number(MOST_BLOCKS, "the version").is_ok()
}

/// Reads a network.
pub fn read(bytes: &[u8]) -> Result<NetFile, NetError> {
    let mut file = Reader(Bytes(bytes));
    let name = file.0.word("the name")?;
    let version = file.0.number(MOST_BLOCKS, "the version")?;
    if version != VERSION {
        return Err(NetError::new(format!("version {version} of KataGo's format, only {VERSION} is read")));
    }
    let planes = file.channels("the number of planes")?;
    let of_globals = file.channels("the number of globals")?;
    file.0.word("the name of the trunk")?;
    let blocks = file.0.number(MOST_BLOCKS, "the number of blocks")?;
    for what in ["", "middle ", "regular ", "dilated ", "pooled "] {
        file.0.number(MOST_CHANNELS, &format!("the number of {what}channels"))?;
    }
    let stem = file.conv()?;
    let globals = file.matmul()?;
    same(stem.inputs, planes, "planes")?;
    same(globals.inputs, of_globals, "globals")?;
    let blocks = (0..blocks).map(|_| file.block()).collect::<Result<_, _>>()?;
    let tip = file.normalisation()?;
    file.activation()?;
    let policy = file.policy()?;
    let value = file.value()?;
    file.0.skip_space();
    if !file.0.0.is_empty() {
        return Err(NetError::new("bytes follow after the end of the network"));
    }
    let (globals, tip) = (Some(globals), Some(tip));
    let net = Net { board: None, stem, globals, stem_relu: false, blocks, tip, policy, value };
    let about = About { game: "go".to_owned(), encoder: "katago".to_owned(), training: name.to_owned() };
    Ok(NetFile { net, about })
}

fn same(found: usize, needed: usize, what: &str) -> Result<(), NetError> {
    if found == needed {
        return Ok(());
    }
    Err(NetError::new(format!("{what}: {found}, where the layers around it need {needed}")))
}

struct Reader<'a>(Bytes<'a>);

impl Reader<'_> {
    fn channels(&mut self, what: &str) -> Result<usize, NetError> {
        self.0.number(MOST_CHANNELS, what)
    }

    fn floats(&mut self, count: usize, what: &str) -> Result<Vec<f32>, NetError> {
        self.0.skip_space();
        if self.0.take(5, what)? != b"@BIN@" {
            return Err(NetError::new(format!("{what}: `@BIN@` and weights should follow")));
        }
        if count > MOST_WEIGHTS {
            return Err(NetError::new(format!(
                "{what}: {count} weights, at most {MOST_WEIGHTS} are allowed"
            )));
        }
        let numbers = bytes::floats(self.0.take(4 * count, what)?);
        match numbers.iter().find(|number| !number.is_finite()) {
            Some(number) => Err(NetError::new(format!("{what}: a weight is {number}"))),
            None => Ok(numbers),
        }
    }

    fn activation(&mut self) -> Result<(), NetError> {
        self.0.word("the name of a ReLU").map(|_| ())
    }

    fn conv(&mut self) -> Result<Conv, NetError> {
        let name = self.0.word("the name of a convolution")?;
        let [rows, columns] = [self.channels(name)?, self.channels(name)?];
        let [inputs, outputs] = [self.channels(name)?, self.channels(name)?];
        let dilated = [self.channels(name)?, self.channels(name)?];
        if rows != columns || dilated != [1, 1] {
            return Err(NetError::new(format!("{name}: only square filters without holes are read")));
        }
        let given = self.floats(rows * rows * inputs * outputs, name)?;
        let mut weights = Vec::with_capacity(given.len());
        for output in 0..outputs {
            for input in 0..inputs {
                weights
                    .extend((0..rows * rows).map(|place| given[(place * inputs + input) * outputs + output]));
            }
        }
        Ok(Conv { size: rows, inputs, outputs, weights, bias: vec![0.0; outputs] })
    }

    fn matmul(&mut self) -> Result<Dense, NetError> {
        let name = self.0.word("the name of a matrix")?;
        let [inputs, outputs] = [self.0.number(3 * MOST_CHANNELS, name)?, self.channels(name)?];
        let given = self.floats(inputs * outputs, name)?;
        let weights = (0..outputs).flat_map(|output| (0..inputs).map(move |input| input * outputs + output));
        let weights = weights.map(|place| given[place]).collect();
        Ok(Dense { inputs, outputs, weights, bias: vec![0.0; outputs] })
    }

    /// A matrix and its biases.
    fn matmul_with_bias(&mut self) -> Result<Dense, NetError> {
        let matrix = self.matmul()?;
        let name = self.0.word("the name of biases")?;
        let count = self.channels(name)?;
        same(count, matrix.outputs, name)?;
        Ok(Dense { bias: self.floats(count, name)?, ..matrix })
    }

    fn normalisation(&mut self) -> Result<Affine, NetError> {
        let name = self.0.word("the name of a batch normalisation")?;
        let channels = self.channels(name)?;
        let epsilon: Option<f32> = self.0.word(name)?.parse().ok();
        let epsilon = epsilon.filter(|epsilon| epsilon.is_finite() && *epsilon > 0.0);
        let epsilon = epsilon.ok_or_else(|| NetError::new(format!("{name}: epsilon should be above 0")))?;
        let [has_scale, has_bias] = [self.0.number(1, name)?, self.0.number(1, name)?];
        let mean = self.floats(channels, name)?;
        let variance = self.floats(channels, name)?;
        let scale = if has_scale == 1 { self.floats(channels, name)? } else { vec![1.0; channels] };
        let bias = if has_bias == 1 { self.floats(channels, name)? } else { vec![0.0; channels] };
        Ok(fold::normalisation(&mean, &variance, &scale, &bias, epsilon))
    }

    /// A convolution, its batch normalisation and a ReLU.
    fn conv_with_relu(&mut self) -> Result<Conv, NetError> {
        let conv = self.conv()?;
        let after = self.normalisation()?;
        same(after.scale.len(), conv.outputs, "a batch normalisation after a convolution")?;
        self.activation()?;
        Ok(fold::into_conv(conv, &after))
    }

    fn block(&mut self) -> Result<Block, NetError> {
        let kind = self.0.word("the kind of a block")?;
        let name = self.0.word("the name of a block")?;
        let before = self.normalisation()?;
        self.activation()?;
        let (first, pooling) = match kind {
            "ordinary_block" => (self.conv_with_relu()?, None),
            "gpool_block" => {
                let first = self.conv()?;
                let conv = self.conv_with_relu()?;
                let to_bias = self.matmul()?;
                let (first, pooling) = self.fold_pooling(first, conv, to_bias)?;
                (first, Some(Box::new(pooling)))
            }
            _ => {
                let known = "`ordinary_block` and `gpool_block`";
                return Err(NetError::new(format!(
                    "{name}: a block of the kind `{kind}`, only {known} are read"
                )));
            }
        };
        Ok(Block::Pre { before, first, pooling, second: self.conv()? })
    }

    /// What follows the sum of a convolution and a pooling: a batch normalisation and a ReLU.
    fn fold_pooling(&mut self, first: Conv, conv: Conv, to_bias: Dense) -> Result<(Conv, Pooling), NetError> {
        let after = self.normalisation()?;
        same(after.scale.len(), first.outputs, "a batch normalisation after a convolution")?;
        same(to_bias.outputs, first.outputs, "a pooling")?;
        self.activation()?;
        let to_bias = fold::into_dense(to_bias, &after.scale);
        Ok((fold::into_conv(first, &after), Pooling { conv, to_bias }))
    }

    fn policy(&mut self) -> Result<PolicyHead, NetError> {
        self.0.word("the name of the policy head")?;
        let first = self.conv()?;
        let pooled = self.conv_with_relu()?;
        let to_bias = self.matmul()?;
        let (conv, pooling) = self.fold_pooling(first, pooled, to_bias)?;
        Ok(PolicyHead::Pooled { conv, pooling: Box::new(pooling), cells: self.conv()?, pass: self.matmul()? })
    }

    fn value(&mut self) -> Result<ValueHead, NetError> {
        self.0.word("the name of the value head")?;
        let conv = self.conv_with_relu()?;
        let hidden = self.matmul_with_bias()?;
        self.activation()?;
        let mut value = self.matmul_with_bias()?;
        same(value.outputs, 3, "outputs of the value")?;
        // Win, loss, and that there is no result, which cannot be where no board may repeat.
        value.outputs = 2;
        value.weights.truncate(2 * value.inputs);
        value.bias.truncate(2);
        let scores = self.matmul_with_bias()?;
        same(scores.outputs, 4, "outputs of the score")?;
        // Who owns each cell: nothing here asks for it.
        let ownership = self.conv()?;
        same(ownership.inputs, conv.outputs, "inputs of the ownership")?;
        Ok(ValueHead { conv, pooled: true, hidden, value, scores: Some(scores) })
    }
}
