//! A net whose layers are ready for a board, and the memory for an evaluation.

use super::Output;
use super::buffer::Buffer;
use super::gemm::Finish;
use super::layers::{Activations, Layout, ReadyAffine, ReadyConv, ReadyDense, Target, Workspace, stride};
use crate::NetError;
use crate::model::{Block, Net, PolicyHead, Pooling, ValueHead, pool, pool_value};

/// The most cells with those around a board times channels: beyond that, places would not fit into 32
/// bits.
const MOST_NUMBERS: usize = 1 << 28;

/// A net for a board.
#[derive(Debug)]
pub struct Ready {
    layout: Layout,
    planes: usize,
    globals: Option<ReadyDense>,
    /// How many globals there are.
    of_globals: usize,
    stem: ReadyConv,
    stem_relu: bool,
    blocks: Vec<ReadyBlock>,
    tip: Option<ReadyAffine>,
    policy: ReadyPolicy,
    value: ReadyValue,
    /// The longest rows.
    widest: usize,
}

#[derive(Debug)]
enum ReadyBlock {
    Plain(ReadyConv),
    Post { first: ReadyConv, second: ReadyConv },
    Pre { before: ReadyAffine, first: ReadyConv, pooling: Option<Box<ReadyPooling>>, second: ReadyConv },
}

#[derive(Debug)]
struct ReadyPooling {
    conv: ReadyConv,
    to_bias: ReadyDense,
}

#[derive(Debug)]
enum ReadyPolicy {
    Dense { conv: ReadyConv, dense: ReadyDense },
    Pooled { conv: ReadyConv, pooling: Box<ReadyPooling>, cells: ReadyConv, pass: ReadyDense },
}

#[derive(Debug)]
struct ReadyValue {
    conv: ReadyConv,
    pooled: bool,
    hidden: ReadyDense,
    value: ReadyDense,
    scores: Option<ReadyDense>,
}

/// What an evaluation works on. Cells around the board stay 0.
#[derive(Clone, Debug)]
pub struct Memory {
    planes: Buffer,
    /// The trunk, and two others of its shape.
    boards: [Activations; 3],
    /// A board without anything around it.
    compact: Buffer,
    /// Numbers of the whole board.
    vectors: [Buffer; 3],
    space: Workspace,
}

impl Memory {
    /// For a net.
    pub fn new(ready: &Ready) -> Memory {
        let Ready { layout, planes, widest, .. } = ready;
        let cells = layout.cells.len() * widest;
        let board = || Activations::new(layout, *widest);
        // A dense layer reads all cells or three numbers a channel.
        let vector = || Buffer::zeroed(stride(cells.max(3 * widest).max(ready.longest())));
        Memory {
            planes: Buffer::zeroed(layout.all * stride(*planes)),
            boards: [board(), board(), board()],
            compact: Buffer::zeroed(layout.cells.len() * stride(*widest)),
            vectors: [vector(), vector(), vector()],
            space: Workspace::new(layout, (*widest).max(*planes)),
        }
    }
}

impl Ready {
    /// Makes a net ready that was checked.
    pub fn new(net: &Net, board: [usize; 2]) -> Result<Ready, NetError> {
        let convs = convolutions(net);
        let largest = convs.iter().map(|conv| conv.size).max().unwrap_or(1);
        let widest = convs.iter().map(|conv| conv.outputs).max().unwrap_or(1);
        let layout = Layout::new(board, largest);
        if layout.all * stride(widest.max(net.planes())) * 4 > MOST_NUMBERS {
            return Err(NetError::new("the board with all channels is too large"));
        }
        let on_board = |conv: &_| ReadyConv::new(conv, &layout, Target::Board);
        let compact = |conv: &_| ReadyConv::new(conv, &layout, Target::Compact);
        let pooled = |pooling: &Pooling| {
            let Pooling { conv, to_bias } = pooling;
            Box::new(ReadyPooling { conv: on_board(conv), to_bias: ReadyDense::new(to_bias) })
        };
        let block = |block: &Block| match block {
            Block::Plain(conv) => ReadyBlock::Plain(on_board(conv)),
            Block::Post { first, second } => {
                ReadyBlock::Post { first: on_board(first), second: on_board(second) }
            }
            Block::Pre { before, first, pooling, second } => ReadyBlock::Pre {
                before: ReadyAffine::new(before),
                first: on_board(first),
                pooling: pooling.as_deref().map(pooled),
                second: on_board(second),
            },
        };
        let policy = match &net.policy {
            PolicyHead::Dense { conv, dense } => {
                ReadyPolicy::Dense { conv: compact(conv), dense: ReadyDense::new(dense) }
            }
            PolicyHead::Pooled { conv, pooling, cells, pass } => ReadyPolicy::Pooled {
                conv: on_board(conv),
                pooling: pooled(pooling),
                cells: compact(cells),
                pass: ReadyDense::new(pass),
            },
        };
        let ValueHead { conv, pooled, hidden, value, scores } = &net.value;
        let value = ReadyValue {
            conv: compact(conv),
            pooled: *pooled,
            hidden: ReadyDense::new(hidden),
            value: ReadyDense::new(value),
            scores: scores.as_ref().map(ReadyDense::new),
        };
        Ok(Ready {
            planes: net.planes(),
            globals: net.globals.as_ref().map(ReadyDense::new),
            of_globals: net.globals(),
            stem: on_board(&net.stem),
            stem_relu: net.stem_relu,
            blocks: net.blocks.iter().map(block).collect(),
            tip: net.tip.as_ref().map(ReadyAffine::new),
            policy,
            value,
            widest,
            layout,
        })
    }

    /// Columns and rows of the board.
    pub fn board(&self) -> [usize; 2] {
        self.layout.tiles.board
    }

    /// How many numbers the planes have.
    pub fn planes(&self) -> usize {
        self.planes * self.layout.cells.len()
    }

    /// How many globals there are.
    pub fn globals(&self) -> usize {
        self.of_globals
    }

    /// The longest result of a dense layer.
    fn longest(&self) -> usize {
        let policy = match &self.policy {
            ReadyPolicy::Dense { dense, .. } => dense.width(),
            ReadyPolicy::Pooled { pooling, pass, .. } => pooling.to_bias.width().max(pass.width()),
        };
        let scores = self.value.scores.as_ref().map_or(0, ReadyDense::width);
        policy.max(self.value.hidden.width()).max(self.value.value.width()).max(scores)
    }

    /// The forward pass.
    pub fn evaluate(&self, planes: &[f32], globals: &[f32], memory: &mut Memory, out: &mut Output) {
        let Memory { planes: inputs, boards, compact, vectors: [vector, pooled, bias], space } = memory;
        let [trunk, one, two] = boards;
        let layout = &self.layout;
        let row = stride(self.planes);
        for (plane, cells) in planes.chunks_exact(layout.cells.len()).enumerate() {
            for (&number, &cell) in cells.iter().zip(&layout.cells) {
                inputs[cell * row + plane] = number;
            }
        }
        const RELU: Finish<'static> = Finish { bias: None, add: false, relu: true };
        const SUM: Finish<'static> = Finish { bias: None, add: true, relu: false };
        let stem = match &self.globals {
            Some(dense) => {
                bias[..self.stem.bias.len()].copy_from_slice(&self.stem.bias);
                dense.run(globals, bias, true, false);
                Some(&bias[..])
            }
            None => None,
        };
        let finish = Finish { bias: stem, add: false, relu: self.stem_relu };
        self.stem.run(layout, space, inputs, trunk.with(self.stem.outputs), finish);
        for block in &self.blocks {
            match block {
                ReadyBlock::Plain(conv) => {
                    conv.run(layout, space, trunk, one.with(conv.outputs), RELU);
                    std::mem::swap(trunk, one);
                }
                ReadyBlock::Post { first, second } => {
                    first.run(layout, space, trunk, one.with(first.outputs), RELU);
                    second.run(layout, space, one, trunk.with(second.outputs), Finish { relu: true, ..SUM });
                }
                ReadyBlock::Pre { before, first, pooling, second } => {
                    before.run(layout, trunk, one.with(before.channels));
                    if let Some(pooling) = pooling {
                        pooling.run(layout, space, one, two, pooled, &first.bias, bias);
                        let finish = Finish { bias: Some(bias), ..RELU };
                        first.run(layout, space, one, two.with(first.outputs), finish);
                    } else {
                        first.run(layout, space, one, two.with(first.outputs), RELU);
                    }
                    second.run(layout, space, two, trunk.with(second.outputs), SUM);
                }
            }
        }
        if let Some(tip) = &self.tip {
            tip.run(layout, trunk, one.with(tip.channels));
            std::mem::swap(trunk, one);
        }
        match &self.policy {
            ReadyPolicy::Dense { conv, dense } => {
                conv.run(layout, space, trunk, compact, RELU);
                by_channel(compact, conv.outputs, layout.cells.len(), vector);
                dense.run(vector, bias, false, false);
                copy(bias, &mut out.policy);
            }
            ReadyPolicy::Pooled { conv, pooling, cells, pass } => {
                pooling.run(layout, space, trunk, two, pooled, &conv.bias, bias);
                let finish = Finish { bias: Some(bias), ..RELU };
                conv.run(layout, space, trunk, one.with(conv.outputs), finish);
                cells.run(layout, space, one, compact, Finish::STORE);
                by_channel(compact, 1, layout.cells.len(), vector);
                let (of_cells, of_pass) = out.policy.split_at_mut(layout.cells.len());
                copy(vector, of_cells);
                pass.run(pooled, bias, false, false);
                of_pass[0] = bias[0];
            }
        }
        self.value.run(layout, space, trunk, compact, [vector, pooled, bias], out);
    }
}

impl ReadyPooling {
    /// Fills `pooled` and `bias = usual + to_bias(pooled)`.
    #[expect(clippy::too_many_arguments, reason = "it borrows most of the memory, piece by piece")]
    fn run(
        &self,
        layout: &Layout,
        space: &mut Workspace,
        from: &[f32],
        board: &mut Activations,
        pooled: &mut [f32],
        usual: &[f32],
        bias: &mut [f32],
    ) {
        let finish = Finish { bias: None, add: false, relu: true };
        self.conv.run(layout, space, from, board.with(self.conv.outputs), finish);
        let (channels, row, count) = (self.conv.outputs, stride(self.conv.outputs), layout.cells.len());
        let (sums, rest) = pooled.split_at_mut(channels);
        let (scaled, maxima) = rest.split_at_mut(channels);
        sums.fill(0.0);
        maxima[..channels].fill(f32::NEG_INFINITY);
        for &cell in &layout.cells {
            for (channel, &x) in board[cell * row..][..channels].iter().enumerate() {
                sums[channel] += x;
                maxima[channel] = maxima[channel].max(x);
            }
        }
        for channel in 0..channels {
            [sums[channel], scaled[channel], maxima[channel]] =
                pool(sums[channel] / count as f32, maxima[channel], count);
        }
        bias[..usual.len()].copy_from_slice(usual);
        self.to_bias.run(pooled, bias, true, false);
    }
}

impl ReadyValue {
    fn run(
        &self,
        layout: &Layout,
        space: &mut Workspace,
        trunk: &[f32],
        compact: &mut [f32],
        [vector, hidden, last]: [&mut Buffer; 3],
        out: &mut Output,
    ) {
        self.conv.run(layout, space, trunk, compact, Finish { bias: None, add: false, relu: true });
        let (channels, row, count) = (self.conv.outputs, stride(self.conv.outputs), layout.cells.len());
        if self.pooled {
            for channel in 0..channels {
                let sum: f32 = (0..count).map(|cell| compact[cell * row + channel]).sum();
                let three = pool_value(sum / count as f32, count);
                for (number, x) in three.into_iter().enumerate() {
                    vector[number * channels + channel] = x;
                }
            }
        } else {
            by_channel(compact, channels, count, vector);
        }
        self.hidden.run(vector, hidden, false, true);
        self.value.run(hidden, last, false, false);
        copy(last, &mut out.value);
        if let Some(scores) = &self.scores {
            scores.run(hidden, last, false, false);
            copy(last, &mut out.scores);
        }
    }
}

/// From the channels of each cell to the cells of each channel.
fn by_channel(compact: &[f32], channels: usize, cells: usize, to: &mut [f32]) {
    let row = stride(channels);
    for channel in 0..channels {
        for cell in 0..cells {
            to[channel * cells + cell] = compact[cell * row + channel];
        }
    }
}

/// The beginning of some numbers.
fn copy(from: &[f32], to: &mut [f32]) {
    to.copy_from_slice(&from[..to.len()]);
}

/// All convolutions of a net.
fn convolutions(net: &Net) -> Vec<&crate::model::Conv> {
    let mut all = vec![&net.stem, &net.value.conv];
    for block in &net.blocks {
        match block {
            Block::Plain(conv) => all.push(conv),
            Block::Post { first, second } => all.extend([first, second]),
            Block::Pre { first, pooling, second, .. } => {
                all.extend([first, second]);
                all.extend(pooling.as_ref().map(|pooling| &pooling.conv));
            }
        }
    }
    match &net.policy {
        PolicyHead::Dense { conv, .. } => all.push(conv),
        PolicyHead::Pooled { conv, pooling, cells, .. } => all.extend([conv, &pooling.conv, cells]),
    }
    all
}
