//! Networks written so that KataGo reads them.

use crate::NetError;
use crate::model::{Affine, Block, Conv, Dense, Net, PolicyHead, Pooling, ValueHead};

/// What is added to variances in files that we write.
const EPSILON: f32 = 1e-5;

/// Writes a network so that KataGo reads it, not packed. Layers that have no bias there must have none.
pub fn write(net: &Net, name: &str) -> Result<Vec<u8>, NetError> {
    let refuse = || NetError::new("KataGo knows blocks with a ReLU before convolutions, and heads that pool");
    let (Some(globals), Some(tip), PolicyHead::Pooled { conv, pooling, cells, pass }) =
        (&net.globals, &net.tip, &net.policy)
    else {
        return Err(refuse());
    };
    let ValueHead { conv: of_value, pooled: true, hidden, value, scores: Some(scores) } = &net.value else {
        return Err(refuse());
    };
    let mut out = Writer(Vec::new());
    out.words(&[name, "8"]);
    out.numbers(&[net.planes(), globals.inputs]);
    out.words(&["trunk"]);
    let of_pooling = pooling.conv.outputs;
    out.numbers(&[
        net.blocks.len(),
        net.stem.outputs,
        net.stem.outputs,
        net.stem.outputs,
        of_pooling,
        of_pooling,
    ]);
    out.conv(&net.stem)?;
    out.matmul(globals)?;
    for block in &net.blocks {
        let Block::Pre { before, first, pooling, second } = block else { return Err(refuse()) };
        out.words(&[if pooling.is_some() { "gpool_block" } else { "ordinary_block" }, "block"]);
        out.normalisation(before);
        match pooling {
            Some(pooling) => out.pooled(first, pooling)?,
            None => out.conv_with_relu(first)?,
        }
        out.conv(second)?;
    }
    out.normalisation(tip);
    out.words(&["policy"]);
    out.pooled(conv, pooling)?;
    out.conv(cells)?;
    out.matmul(pass)?;
    out.words(&["value"]);
    out.conv_with_relu(of_value)?;
    if value.outputs != 2 {
        return Err(refuse());
    }
    // The third output is for games without result.
    let mut value = Dense { outputs: 3, ..value.clone() };
    value.weights.resize(3 * value.inputs, 0.0);
    value.bias.push(0.0);
    for (dense, relu) in [(hidden, true), (&value, false), (scores, false)] {
        out.matmul(&Dense { bias: vec![0.0; dense.outputs], ..dense.clone() })?;
        out.words(&["bias"]);
        out.numbers(&[dense.outputs]);
        out.floats(&dense.bias);
        if relu {
            out.words(&["relu"]);
        }
    }
    let inputs = of_value.outputs;
    out.conv(&Conv { size: 1, inputs, outputs: 1, weights: vec![0.0; inputs], bias: vec![0.0] })?;
    Ok(out.0)
}

struct Writer(Vec<u8>);

impl Writer {
    fn words(&mut self, words: &[&str]) {
        for word in words {
            self.0.extend(word.bytes());
            self.0.push(b'\n');
        }
    }

    fn numbers(&mut self, numbers: &[usize]) {
        numbers.iter().for_each(|number| self.words(&[&number.to_string()]));
    }

    fn floats(&mut self, numbers: &[f32]) {
        self.0.extend(b"@BIN@");
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.0.push(b'\n');
    }

    fn conv(&mut self, conv: &Conv) -> Result<(), NetError> {
        no_bias(&conv.bias)?;
        let Conv { size, inputs, outputs, ref weights, .. } = *conv;
        self.words(&["conv"]);
        self.numbers(&[size, size, inputs, outputs, 1, 1]);
        let mut given = Vec::with_capacity(weights.len());
        for place in 0..size * size {
            for input in 0..inputs {
                given.extend(
                    (0..outputs).map(|output| weights[(output * inputs + input) * size * size + place]),
                );
            }
        }
        self.floats(&given);
        Ok(())
    }

    fn matmul(&mut self, dense: &Dense) -> Result<(), NetError> {
        no_bias(&dense.bias)?;
        let Dense { inputs, outputs, ref weights, .. } = *dense;
        self.words(&["matmul"]);
        self.numbers(&[inputs, outputs]);
        let places = (0..inputs).flat_map(|input| (0..outputs).map(move |output| output * inputs + input));
        self.floats(&places.map(|place| weights[place]).collect::<Vec<_>>());
        Ok(())
    }

    /// With a ReLU.
    fn normalisation(&mut self, affine: &Affine) {
        let channels = affine.scale.len();
        self.words(&["bn", &channels.to_string(), &EPSILON.to_string(), "1", "1"]);
        self.floats(&vec![0.0; channels]);
        self.floats(&vec![1.0 - EPSILON; channels]);
        self.floats(&affine.scale);
        self.floats(&affine.bias);
        self.words(&["relu"]);
    }

    /// The bias of a convolution as a batch normalisation.
    fn bias(&mut self, bias: &[f32]) {
        self.normalisation(&Affine { scale: vec![1.0; bias.len()], bias: bias.to_vec() });
    }

    fn conv_with_relu(&mut self, conv: &Conv) -> Result<(), NetError> {
        self.conv(&Conv { bias: vec![0.0; conv.outputs], ..conv.clone() })?;
        self.bias(&conv.bias);
        Ok(())
    }

    fn pooled(&mut self, first: &Conv, pooling: &Pooling) -> Result<(), NetError> {
        self.conv(&Conv { bias: vec![0.0; first.outputs], ..first.clone() })?;
        self.conv_with_relu(&pooling.conv)?;
        self.matmul(&pooling.to_bias)?;
        self.bias(&first.bias);
        Ok(())
    }
}

fn no_bias(bias: &[f32]) -> Result<(), NetError> {
    if bias.iter().all(|&bias| bias == 0.0) {
        return Ok(());
    }
    Err(NetError::new("a layer has a bias that KataGo's format has no place for"))
}
