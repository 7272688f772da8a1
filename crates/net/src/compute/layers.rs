//! Layers made ready for a board.

use super::buffer::Buffer;
use super::gemm::{Finish, Packed, Product, panel, run};
use super::winograd::{self, SIDES, Tiles};
use crate::model::{Affine, Conv, Dense};
use pulp::{Simd, WithSimd};
use std::ops::Deref;

/// How the cells of a board lie in activations: by cell, then by channel. Cells of the value 0 are
/// around the board, so that no filter needs to look for the edge.
#[derive(Clone, Debug)]
pub struct Layout {
    /// For convolutions of size 3.
    pub tiles: Tiles,
    /// The cells of the board, as places among all cells.
    pub cells: Vec<usize>,
    /// How many cells there are with those around the board.
    pub all: usize,
}

impl Layout {
    /// For a board with so many columns and rows and filters up to this size.
    pub fn new(board: [usize; 2], largest: usize) -> Layout {
        // The side that needs the fewest multiplications.
        let side = SIDES
            .into_iter()
            .min_by_key(|&side| board[0].div_ceil(side) * board[1].div_ceil(side) * (side + 2) * (side + 2));
        Layout::with_tiles(board, largest, side.unwrap_or(SIDES[0]))
    }

    /// With tiles of this side.
    fn with_tiles(board: [usize; 2], largest: usize, side: usize) -> Layout {
        let pad = (largest / 2).max(1);
        let count = board.map(|cells| cells.div_ceil(side));
        let [width, height] = count.map(|count| count * side + 2 * pad);
        let tiles = Tiles { side, count, board, width, pad };
        let cells = (0..board[0] * board[1])
            .map(|cell| (cell / board[0] + pad) * width + cell % board[0] + pad)
            .collect();
        Layout { tiles, cells, all: width * height }
    }
}

/// The length of rows with so many channels.
pub fn stride(channels: usize) -> usize {
    channels.next_multiple_of(panel())
}

/// Activations by cell and channel. Cells around the board are 0.
#[derive(Clone, Debug)]
pub struct Activations {
    numbers: Buffer,
    /// The length of a row.
    stride: usize,
}

impl Activations {
    /// For up to so many channels.
    pub fn new(layout: &Layout, channels: usize) -> Activations {
        Activations { numbers: Buffer::zeroed(layout.all * stride(channels)), stride: stride(channels) }
    }

    /// The numbers, to be filled with so many channels. With rows of another length, what was there would
    /// lie around the board.
    pub fn with(&mut self, channels: usize) -> &mut [f32] {
        if self.stride != stride(channels) {
            self.stride = stride(channels);
            self.numbers.fill(0.0);
        }
        &mut self.numbers
    }
}

impl Deref for Activations {
    type Target = [f32];

    #[inline]
    fn deref(&self) -> &[f32] {
        &self.numbers
    }
}

/// A bias with zeros for the channels that fill the last panel.
fn padded(bias: &[f32]) -> Buffer {
    let mut buffer = Buffer::zeroed(stride(bias.len()));
    buffer[..bias.len()].copy_from_slice(bias);
    buffer
}

/// A convolution for a board.
#[derive(Debug)]
pub struct ReadyConv {
    way: Way,
    /// Channels that come in.
    inputs: usize,
    /// Channels that go out.
    pub outputs: usize,
    /// By output.
    pub bias: Buffer,
}

#[derive(Debug)]
enum Way {
    /// Filter element by filter element.
    Direct {
        weights: Packed,
        /// From the row of a cell to those under the filter.
        taps: Vec<usize>,
        /// Where the first one and the result lie for each cell.
        rows: Vec<[u32; 2]>,
    },
    /// Of size 3, with one matrix for each element of a transformed tile.
    Winograd {
        elements: Vec<Packed>,
        /// Where the tiles lie for one element.
        rows: Vec<[u32; 2]>,
    },
}

/// Memory for tiles, before and after the products.
#[derive(Clone, Debug)]
pub struct Workspace {
    inputs: Buffer,
    products: Buffer,
}

impl Workspace {
    /// For convolutions of up to so many channels.
    pub fn new(layout: &Layout, channels: usize) -> Workspace {
        let Tiles { side, count, .. } = layout.tiles;
        let len = (side + 2) * (side + 2) * count[0] * count[1] * stride(channels);
        Workspace { inputs: Buffer::zeroed(len), products: Buffer::zeroed(len) }
    }
}

/// Where results go.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// To the cells of the layout, for another convolution.
    Board,
    /// To the cells of the board without any around it.
    Compact,
}

impl ReadyConv {
    /// Makes a convolution ready.
    pub fn new(conv: &Conv, layout: &Layout, target: Target) -> ReadyConv {
        let Tiles { width, pad, side, count, .. } = layout.tiles;
        let [from, to] = [conv.inputs, conv.outputs].map(stride);
        let weight = |output: usize, input: usize, row: usize, column: usize| {
            conv.weights[((output * conv.inputs + input) * conv.size + row) * conv.size + column]
        };
        let way = if conv.size == 3 && target == Target::Board {
            let elements = (0..(side + 2) * (side + 2)).map(|element| {
                let (row, column) = (element / (side + 2), element % (side + 2));
                Packed::new(1, conv.inputs, conv.outputs, |_, input, output| {
                    let g = [0, 1, 2].map(|row| [0, 1, 2].map(|column| weight(output, input, row, column)));
                    winograd::filter(side, g, row, column)
                })
            });
            let rows = (0..count[0] * count[1]).map(|tile| [tile * from, tile * to].map(|at| at as u32));
            Way::Winograd { elements: elements.collect(), rows: rows.collect() }
        } else {
            let (size, reach) = (conv.size, conv.size / 2);
            debug_assert!(reach <= pad);
            let taps = (0..size * size).map(|tap| (tap / size * width + tap % size) * from).collect();
            let weights = Packed::new(size * size, conv.inputs, conv.outputs, |tap, input, output| {
                weight(output, input, tap / size, tap % size)
            });
            let rows = layout.cells.iter().enumerate().map(|(number, &cell)| {
                let result = if target == Target::Board { cell } else { number };
                [(cell - reach * width - reach) * from, result * to].map(|at| at as u32)
            });
            Way::Direct { weights, taps, rows: rows.collect() }
        };
        ReadyConv { way, inputs: conv.inputs, outputs: conv.outputs, bias: padded(&conv.bias) }
    }

    /// `to = relu(conv(from) + bias + to)`, where the ReLU and `to` are optional.
    pub fn run(&self, layout: &Layout, space: &mut Workspace, from: &[f32], to: &mut [f32], finish: Finish) {
        let bias = finish.bias.unwrap_or(&self.bias);
        match &self.way {
            Way::Direct { weights, taps, rows } => {
                let finish = Finish { bias: Some(bias), ..finish };
                Product { weights, input: from, rows, taps, output: to, finish }.run();
            }
            Way::Winograd { elements, rows } => {
                let (tiles, [before, after]) = (layout.tiles, [self.inputs, self.outputs].map(stride));
                let [of_input, of_output] = [before, after].map(|stride| rows.len() * stride);
                let inputs = &mut space.inputs;
                let input =
                    winograd::Input { tiles, from, to: inputs, stride: before, channels: self.inputs };
                winograd::transform(input);
                for (element, weights) in elements.iter().enumerate() {
                    let input = &space.inputs[element * of_input..][..of_input];
                    let output = &mut space.products[element * of_output..][..of_output];
                    Product { weights, input, rows, taps: &[0], output, finish: Finish::STORE }.run();
                }
                let Finish { add, relu, .. } = finish;
                winograd::transform(winograd::Output {
                    tiles,
                    from: &space.products,
                    to,
                    stride: after,
                    bias,
                    add,
                    relu,
                });
            }
        }
    }
}

/// A dense layer.
#[derive(Debug)]
pub struct ReadyDense {
    weights: Packed,
    bias: Buffer,
}

impl ReadyDense {
    /// Makes a dense layer ready.
    pub fn new(dense: &Dense) -> ReadyDense {
        let weights = Packed::new(1, dense.inputs, dense.outputs, |_, input, output| {
            dense.weights[output * dense.inputs + input]
        });
        ReadyDense { weights, bias: padded(&dense.bias) }
    }

    /// How long the result is.
    pub fn width(&self) -> usize {
        self.weights.width
    }

    /// `to = dense(from)`, or `to + dense(from)`.
    pub fn run(&self, from: &[f32], to: &mut [f32], add: bool, relu: bool) {
        let finish = Finish { bias: Some(&self.bias), add, relu };
        Product { weights: &self.weights, input: from, rows: &[[0, 0]], taps: &[0], output: to, finish }
            .run();
    }
}

/// `to = relu(scale * from + bias)` for the cells of a board.
#[derive(Debug)]
pub struct ReadyAffine {
    /// How many channels there are.
    pub channels: usize,
    scale: Buffer,
    bias: Buffer,
}

impl ReadyAffine {
    /// Makes it ready.
    pub fn new(affine: &Affine) -> ReadyAffine {
        ReadyAffine { channels: affine.scale.len(), scale: padded(&affine.scale), bias: padded(&affine.bias) }
    }

    /// Does it.
    pub fn run(&self, layout: &Layout, from: &[f32], to: &mut [f32]) {
        run(Scaled { layout, affine: self, from, to });
    }
}

struct Scaled<'a> {
    layout: &'a Layout,
    affine: &'a ReadyAffine,
    from: &'a [f32],
    to: &'a mut [f32],
}

impl WithSimd for Scaled<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (scale, _) = S::as_simd_f32s(&self.affine.scale);
        let (bias, _) = S::as_simd_f32s(&self.affine.bias);
        let (from, _) = S::as_simd_f32s(self.from);
        let (to, _) = S::as_mut_simd_f32s(self.to);
        let zero = simd.splat_f32s(0.0);
        for &cell in &self.layout.cells {
            let at = cell * scale.len();
            let (from, to) = (&from[at..][..scale.len()], &mut to[at..][..scale.len()]);
            for channel in 0..scale.len() {
                let sum = simd.mul_add_e_f32s(scale[channel], from[channel], bias[channel]);
                to[channel] = simd.max_f32s(sum, zero);
            }
        }
    }
}
