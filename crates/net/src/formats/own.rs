//! Our own format: safetensors with these names and metadata (docs/NETWORKS.md).
//!
//! Eight bytes with the length of a JSON object, lowest first; the object; then the numbers of all
//! tensors, one after the other without gaps, four bytes each. The object names each tensor with its
//! type (`F32` alone), its shape and where its bytes begin and end; `__metadata__` has the rest as text.

use super::bytes::{self, Bytes};
use super::{About, NetFile};
use crate::NetError;
use crate::model::{Affine, Block, Conv, Dense, Net, PolicyHead, Pooling, ValueHead};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What `format` says in the metadata.
const FORMAT: &str = "proofplay-net 1";

/// The longest JSON object.
const MOST_HEADER: usize = 1 << 20;

/// Whether the bytes begin as such a file does.
pub fn is_own(bytes: &[u8]) -> bool {
    matches!(bytes, [_, _, _, 0, 0, 0, 0, 0, b'{', ..])
}

/// A tensor in a file.
#[derive(Debug)]
struct Tensor {
    shape: Vec<usize>,
    numbers: Vec<f32>,
}

/// Reads a network.
pub fn read(bytes: &[u8]) -> Result<NetFile, NetError> {
    let mut file = Bytes(bytes);
    let len: Option<[u8; 8]> = file.take(8, "the length of the header")?.try_into().ok();
    let len = len.map_or(u64::MAX, u64::from_le_bytes);
    let len = usize::try_from(len).ok().filter(|&len| len <= MOST_HEADER);
    let len = len.ok_or_else(|| NetError::new(format!("a header of more than {MOST_HEADER} bytes")))?;
    let header = serde_json::from_slice(file.take(len, "the header")?);
    let header: Map<String, Value> = header.map_err(|error| NetError::new(format!("header: {error}")))?;
    let mut tensors = Tensors { all: BTreeMap::new(), texts: BTreeMap::new() };
    let mut places = BTreeMap::new();
    for (name, value) in header {
        if name == "__metadata__" {
            let texts = value.as_object().into_iter().flatten();
            let text = |(name, text): (&String, &Value)| Some((name.clone(), text.as_str()?.to_owned()));
            tensors.texts = texts.filter_map(text).collect();
            continue;
        }
        let wrong = |what: &str| NetError::new(format!("tensor `{name}`: {what}"));
        if value["dtype"] != "F32" {
            return Err(wrong("its type is not F32"));
        }
        let shape = list(&value["shape"]).ok_or_else(|| wrong("its shape is no list of numbers"))?;
        let [from, to] = list(&value["data_offsets"]).unwrap_or_default()[..] else {
            return Err(wrong("`data_offsets` should be where its bytes begin and end"));
        };
        let numbers = shape.iter().try_fold(4_usize, |product, &side| product.checked_mul(side));
        if to.checked_sub(from) != numbers || numbers.is_none() || to > file.0.len() {
            return Err(wrong("its bytes do not fit to its shape or to the file"));
        }
        if places.insert(from, to).is_some_and(|_| from != to) {
            return Err(wrong("its bytes belong to another tensor, too"));
        }
        tensors.all.insert(name, Tensor { shape, numbers: bytes::floats(&file.0[from..to]) });
    }
    let end = places.iter().try_fold(0, |end, (&from, &to)| (from == end).then_some(to));
    if end != Some(file.0.len()) {
        return Err(NetError::new("the tensors leave gaps, overlap, or do not fill the file"));
    }
    tensors.into_net()
}

/// A list of numbers.
fn list(value: &Value) -> Option<Vec<usize>> {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    value.as_array()?.iter().map(number).collect()
}

/// What a file has and what was not yet taken from it.
struct Tensors {
    all: BTreeMap<String, Tensor>,
    texts: BTreeMap<String, String>,
}

impl Tensors {
    fn has(&self, name: &str) -> bool {
        self.all.contains_key(&format!("{name}.weight"))
    }

    /// A tensor with so many sides.
    fn take<const N: usize>(&mut self, name: &str) -> Result<([usize; N], Vec<f32>), NetError> {
        let found = self.all.remove(name);
        let tensor = found.ok_or_else(|| NetError::new(format!("there is no tensor `{name}`")))?;
        let wrong = || NetError::new(format!("tensor `{name}`: its shape should have {N} numbers"));
        let shape = tensor.shape.try_into().map_err(|_| wrong())?;
        Ok((shape, tensor.numbers))
    }

    fn bias(&mut self, name: &str) -> Result<Vec<f32>, NetError> {
        self.take::<1>(&format!("{name}.bias")).map(|tensor| tensor.1)
    }

    fn conv(&mut self, name: &str) -> Result<Conv, NetError> {
        let ([outputs, inputs, size, columns], weights) = self.take(&format!("{name}.weight"))?;
        if size != columns {
            return Err(NetError::new(format!("tensor `{name}.weight`: filters should be square")));
        }
        Ok(Conv { size, inputs, outputs, weights, bias: self.bias(name)? })
    }

    fn dense(&mut self, name: &str) -> Result<Dense, NetError> {
        let ([outputs, inputs], weights) = self.take(&format!("{name}.weight"))?;
        Ok(Dense { inputs, outputs, weights, bias: self.bias(name)? })
    }

    fn affine(&mut self, name: &str) -> Result<Affine, NetError> {
        let ([_], scale) = self.take(&format!("{name}.weight"))?;
        Ok(Affine { scale, bias: self.bias(name)? })
    }

    fn pooling(&mut self, name: &str) -> Result<Box<Pooling>, NetError> {
        let (conv, to_bias) = (self.conv(&format!("{name}.conv"))?, self.dense(&format!("{name}.dense"))?);
        Ok(Box::new(Pooling { conv, to_bias }))
    }

    fn block(&mut self, name: &str) -> Result<Block, NetError> {
        let part = |part: &str| format!("{name}.{part}");
        if self.has(&part("conv")) {
            return Ok(Block::Plain(self.conv(&part("conv"))?));
        }
        let (first, second) = (self.conv(&part("first"))?, self.conv(&part("second"))?);
        if !self.has(&part("before")) {
            return Ok(Block::Post { first, second });
        }
        let before = self.affine(&part("before"))?;
        let pools = self.has(&part("pooling.conv"));
        let pooling = pools.then(|| self.pooling(&part("pooling"))).transpose()?;
        Ok(Block::Pre { before, first, pooling, second })
    }

    /// What `name` says in the metadata, as one of the given texts.
    fn choice(&mut self, name: &str, allowed: [&str; 2]) -> Result<bool, NetError> {
        let text = self.texts.remove(name).unwrap_or_default();
        if !allowed.contains(&&text[..]) {
            let [first, second] = allowed;
            return Err(NetError::new(format!("`{name}` is `{text}`, not `{first}` or `{second}`")));
        }
        Ok(text == allowed[0])
    }

    fn into_net(mut self) -> Result<NetFile, NetError> {
        let format = self.texts.remove("format").unwrap_or_default();
        if format != FORMAT {
            return Err(NetError::new(format!("`format` is `{format}` in its metadata, not `{FORMAT}`")));
        }
        let board = self.texts.remove("board").unwrap_or_default();
        let sides = board.split_once('x').and_then(|(c, r)| Some([c.parse().ok()?, r.parse().ok()?]));
        if sides.is_none() && board != "any" {
            return Err(NetError::new(format!("`board` is `{board}`, not like `9x9` or `any`")));
        }
        let mut blocks = Vec::new();
        while [".conv", ".first"].iter().any(|part| self.has(&format!("blocks.{}{part}", blocks.len()))) {
            blocks.push(self.block(&format!("blocks.{}", blocks.len()))?);
        }
        let conv = self.conv("policy.conv")?;
        let policy = if self.has("policy.dense") {
            PolicyHead::Dense { conv, dense: self.dense("policy.dense")? }
        } else {
            let pooling = self.pooling("policy.pooling")?;
            PolicyHead::Pooled {
                conv,
                pooling,
                cells: self.conv("policy.cells")?,
                pass: self.dense("policy.pass")?,
            }
        };
        let net = Net {
            board: sides,
            stem: self.conv("stem")?,
            globals: self.has("globals").then(|| self.dense("globals")).transpose()?,
            stem_relu: self.choice("stem", ["relu", "linear"])?,
            blocks,
            tip: self.has("tip").then(|| self.affine("tip")).transpose()?,
            policy,
            value: ValueHead {
                conv: self.conv("value.conv")?,
                pooled: self.choice("value", ["pooled", "cells"])?,
                hidden: self.dense("value.hidden")?,
                value: self.dense("value.value")?,
                scores: self.has("value.scores").then(|| self.dense("value.scores")).transpose()?,
            },
        };
        if let Some(name) = self.all.keys().next() {
            return Err(NetError::new(format!("tensor `{name}` has no place in a network")));
        }
        let mut text = |name| self.texts.remove(name).unwrap_or_default();
        let about = About { game: text("game"), encoder: text("encoder"), training: text("training") };
        Ok(NetFile { net, about })
    }
}

/// Writes a network.
pub fn write(file: &NetFile) -> Vec<u8> {
    let NetFile { net, about } = file;
    let mut out = Writer { header: Map::new(), numbers: Vec::new() };
    out.conv("stem", &net.stem);
    if let Some(globals) = &net.globals {
        out.dense("globals", globals);
    }
    for (number, block) in net.blocks.iter().enumerate() {
        let part = |part: &str| format!("blocks.{number}.{part}");
        match block {
            Block::Plain(conv) => out.conv(&part("conv"), conv),
            Block::Post { first, second } => {
                out.conv(&part("first"), first);
                out.conv(&part("second"), second);
            }
            Block::Pre { before, first, pooling, second } => {
                out.affine(&part("before"), before);
                out.conv(&part("first"), first);
                if let Some(pooling) = pooling {
                    out.pooling(&part("pooling"), pooling);
                }
                out.conv(&part("second"), second);
            }
        }
    }
    if let Some(tip) = &net.tip {
        out.affine("tip", tip);
    }
    match &net.policy {
        PolicyHead::Dense { conv, dense } => {
            out.conv("policy.conv", conv);
            out.dense("policy.dense", dense);
        }
        PolicyHead::Pooled { conv, pooling, cells, pass } => {
            out.conv("policy.conv", conv);
            out.pooling("policy.pooling", pooling);
            out.conv("policy.cells", cells);
            out.dense("policy.pass", pass);
        }
    }
    out.conv("value.conv", &net.value.conv);
    out.dense("value.hidden", &net.value.hidden);
    out.dense("value.value", &net.value.value);
    if let Some(scores) = &net.value.scores {
        out.dense("value.scores", scores);
    }
    let board = net.board.map_or("any".to_owned(), |[columns, rows]| format!("{columns}x{rows}"));
    let texts = json!({
        "format": FORMAT,
        "board": board,
        "stem": if net.stem_relu { "relu" } else { "linear" },
        "value": if net.value.pooled { "pooled" } else { "cells" },
        "game": about.game,
        "encoder": about.encoder,
        "training": about.training,
    });
    out.header.insert("__metadata__".to_owned(), texts);
    let mut header = Value::Object(out.header).to_string();
    // So that the numbers begin at a multiple of eight bytes.
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.extend(out.numbers);
    bytes
}

struct Writer {
    header: Map<String, Value>,
    numbers: Vec<u8>,
}

impl Writer {
    fn tensor(&mut self, name: String, shape: &[usize], numbers: &[f32]) {
        let from = self.numbers.len();
        self.numbers.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let entry = json!({ "dtype": "F32", "shape": shape, "data_offsets": [from, self.numbers.len()] });
        self.header.insert(name, entry);
    }

    fn with_bias(&mut self, name: &str, shape: &[usize], weights: &[f32], bias: &[f32]) {
        self.tensor(format!("{name}.weight"), shape, weights);
        self.tensor(format!("{name}.bias"), &[bias.len()], bias);
    }

    fn conv(&mut self, name: &str, conv: &Conv) {
        let shape = [conv.outputs, conv.inputs, conv.size, conv.size];
        self.with_bias(name, &shape, &conv.weights, &conv.bias);
    }

    fn dense(&mut self, name: &str, dense: &Dense) {
        self.with_bias(name, &[dense.outputs, dense.inputs], &dense.weights, &dense.bias);
    }

    fn affine(&mut self, name: &str, affine: &Affine) {
        self.with_bias(name, &[affine.scale.len()], &affine.scale, &affine.bias);
    }

    fn pooling(&mut self, name: &str, pooling: &Pooling) {
        self.conv(&format!("{name}.conv"), &pooling.conv);
        self.dense(&format!("{name}.dense"), &pooling.to_bias);
    }
}
