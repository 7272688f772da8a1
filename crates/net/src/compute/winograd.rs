//! Convolutions of size 3 with fewer multiplications.
//!
//! Lavin & Gray, "Fast algorithms for convolutional neural networks", CVPR 2016 \[LG16\].
//!
//! The board is cut into tiles of M by M cells. With the T = M + 2 cells a side that a tile depends on
//! as a matrix d, a filter g and matrices A, B, G that depend on M alone,
//!
//! ```text
//! tile = A^T [ (G g G^T) * (B^T d B) ] A        * multiplies element by element
//! ```
//!
//! The sum over input channels is inside of the brackets, so that for each of the T^2 elements there is
//! one product of matrices: tiles by inputs times inputs by outputs. M^2 outputs cost T^2
//! multiplications instead of 9 M^2: by M = 2, 3, 4 it is 2.25, 3.24 and 4 times fewer. Where the last
//! tiles reach beyond the board, a part of that is lost, so M depends on the board.
#![expect(clippy::needless_range_loop, reason = "loops over small numbers are laid out whole")]

use super::gemm::run;
use pulp::{Simd, WithSimd};

/// The matrices of a size of tiles.
trait Matrices<const M: usize, const T: usize> {
    /// B^T.
    const INPUT: [[f32; T]; T];
    /// G.
    const FILTER: [[f32; 3]; T];
    /// A^T.
    const OUTPUT: [[f32; T]; M];
}

struct Two;
struct Three;
struct Four;

/// Points 0, 1, -1, infinity.
impl Matrices<2, 4> for Two {
    const INPUT: [[f32; 4]; 4] =
        [[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]];
    const FILTER: [[f32; 3]; 4] = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]];
    const OUTPUT: [[f32; 4]; 2] = [[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, -1.0]];
}

/// Points 0, 1, -1, 2, infinity.
impl Matrices<3, 5> for Three {
    const INPUT: [[f32; 5]; 5] = [
        [2.0, -1.0, -2.0, 1.0, 0.0],
        [0.0, -2.0, -1.0, 1.0, 0.0],
        [0.0, 2.0, -3.0, 1.0, 0.0],
        [0.0, -1.0, 0.0, 1.0, 0.0],
        [0.0, 2.0, -1.0, -2.0, 1.0],
    ];
    const FILTER: [[f32; 3]; 5] = [
        [0.5, 0.0, 0.0],
        [-0.5, -0.5, -0.5],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
        [0.0, 0.0, 1.0],
    ];
    const OUTPUT: [[f32; 5]; 3] =
        [[1.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 2.0, 0.0], [0.0, 1.0, 1.0, 4.0, 1.0]];
}

/// Points 0, 1, -1, 2, -2, infinity.
impl Matrices<4, 6> for Four {
    const INPUT: [[f32; 6]; 6] = [
        [4.0, 0.0, -5.0, 0.0, 1.0, 0.0],
        [0.0, -4.0, -4.0, 1.0, 1.0, 0.0],
        [0.0, 4.0, -4.0, -1.0, 1.0, 0.0],
        [0.0, -2.0, -1.0, 2.0, 1.0, 0.0],
        [0.0, 2.0, -1.0, -2.0, 1.0, 0.0],
        [0.0, 4.0, 0.0, -5.0, 0.0, 1.0],
    ];
    const FILTER: [[f32; 3]; 6] = [
        [0.25, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
    const OUTPUT: [[f32; 6]; 4] = [
        [1.0, 1.0, 1.0, 1.0, 1.0, 0.0],
        [0.0, 1.0, -1.0, 2.0, -2.0, 0.0],
        [0.0, 1.0, 1.0, 4.0, 4.0, 0.0],
        [0.0, 1.0, -1.0, 8.0, -8.0, 1.0],
    ];
}

/// The sides of tiles that there are.
pub const SIDES: [usize; 3] = [2, 3, 4];

/// The element `(row, column)` of a filter, three by three, transformed for tiles of this side.
pub fn filter(side: usize, g: [[f32; 3]; 3], row: usize, column: usize) -> f32 {
    fn of<const T: usize>(matrix: &[[f32; 3]; T], g: [[f32; 3]; 3], row: usize, column: usize) -> f32 {
        let pairs = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        let terms =
            pairs.map(|(i, j)| f64::from(matrix[row][i]) * f64::from(g[i][j]) * f64::from(matrix[column][j]));
        terms.sum::<f64>() as f32
    }
    match side {
        2 => of(&Two::FILTER, g, row, column),
        3 => of(&Three::FILTER, g, row, column),
        _ => of(&Four::FILTER, g, row, column),
    }
}

/// `coefficients * x`; what is multiplied by 0 is left out when this is compiled.
#[inline(always)]
fn combine<S: Simd, const N: usize>(simd: S, coefficients: &[f32; N], x: &[S::f32s; N]) -> S::f32s {
    let mut sum = simd.splat_f32s(0.0);
    let mut empty = true;
    for i in 0..N {
        let c = coefficients[i];
        if c == 0.0 {
            continue;
        }
        sum = match (empty, c == 1.0, c == -1.0) {
            (true, true, _) => x[i],
            (true, ..) => simd.mul_f32s(simd.splat_f32s(c), x[i]),
            (false, true, _) => simd.add_f32s(sum, x[i]),
            (false, _, true) => simd.sub_f32s(sum, x[i]),
            _ => simd.mul_add_e_f32s(simd.splat_f32s(c), x[i], sum),
        };
        empty = false;
    }
    sum
}

/// Where tiles lie in the activations, and how many vectors a cell has.
#[derive(Copy, Clone, Debug)]
pub struct Tiles {
    /// Cells a side.
    pub side: usize,
    /// Tiles in a row and in a column.
    pub count: [usize; 2],
    /// Columns and rows of the board.
    pub board: [usize; 2],
    /// Cells in a row of the activations, with those beyond the board.
    pub width: usize,
    /// Cells beyond the board before the first column and the first row.
    pub pad: usize,
}

/// Transforms the input, `B^T d B`.
#[derive(Debug)]
pub struct Input<'a> {
    /// The tiles.
    pub tiles: Tiles,
    /// Activations by cell and channel.
    pub from: &'a [f32],
    /// By element, tile, channel.
    pub to: &'a mut [f32],
    /// Numbers a cell.
    pub stride: usize,
    /// Numbers that matter.
    pub channels: usize,
}

impl Input<'_> {
    #[inline(always)]
    fn transform<S: Simd, W: Matrices<M, T>, const M: usize, const T: usize>(self, simd: S) {
        let Tiles { count: [columns, rows], width, pad, .. } = self.tiles;
        let stride = self.stride / S::F32_LANES;
        let (from, _) = S::as_simd_f32s(self.from);
        let (to, _) = S::as_mut_simd_f32s(self.to);
        let all = columns * rows * stride;
        for tile in 0..columns * rows {
            let corner = (tile / columns * M + pad - 1) * width + tile % columns * M + pad - 1;
            for channel in 0..self.channels.div_ceil(S::F32_LANES) {
                let mut half = [[simd.splat_f32s(0.0); T]; T];
                for column in 0..T {
                    let mut d = [simd.splat_f32s(0.0); T];
                    for row in 0..T {
                        d[row] = from[(corner + row * width + column) * stride + channel];
                    }
                    for row in 0..T {
                        half[row][column] = combine(simd, &W::INPUT[row], &d);
                    }
                }
                for row in 0..T {
                    for column in 0..T {
                        let element = combine(simd, &W::INPUT[column], &half[row]);
                        to[(row * T + column) * all + tile * stride + channel] = element;
                    }
                }
            }
        }
    }
}

impl WithSimd for Input<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.tiles.side {
            2 => self.transform::<S, Two, 2, 4>(simd),
            3 => self.transform::<S, Three, 3, 5>(simd),
            _ => self.transform::<S, Four, 4, 6>(simd),
        }
    }
}

/// Transforms products back, `A^T m A`, adds a bias and what is there already, and stores the cells
/// that are on the board.
#[derive(Debug)]
pub struct Output<'a> {
    /// The tiles.
    pub tiles: Tiles,
    /// By element, tile, channel.
    pub from: &'a [f32],
    /// Activations by cell and channel.
    pub to: &'a mut [f32],
    /// Numbers a cell.
    pub stride: usize,
    /// By channel.
    pub bias: &'a [f32],
    /// Whether what is there is added.
    pub add: bool,
    /// Whether a negative result becomes 0.
    pub relu: bool,
}

impl Output<'_> {
    #[inline(always)]
    fn transform<S: Simd, W: Matrices<M, T>, const M: usize, const T: usize>(self, simd: S) {
        let Tiles { count: [columns, rows], board, width, pad, .. } = self.tiles;
        let stride = self.stride / S::F32_LANES;
        let (from, _) = S::as_simd_f32s(self.from);
        let (to, _) = S::as_mut_simd_f32s(self.to);
        let (bias, _) = S::as_simd_f32s(self.bias);
        let zero = simd.splat_f32s(0.0);
        let all = columns * rows * stride;
        for tile in 0..columns * rows {
            let (x, y) = (tile % columns * M, tile / columns * M);
            let corner = (y + pad) * width + x + pad;
            for channel in 0..stride {
                let mut half = [[zero; T]; M];
                for column in 0..T {
                    let mut m = [zero; T];
                    for row in 0..T {
                        m[row] = from[(row * T + column) * all + tile * stride + channel];
                    }
                    for row in 0..M {
                        half[row][column] = combine(simd, &W::OUTPUT[row], &m);
                    }
                }
                for row in 0..M {
                    for column in 0..M {
                        if x + column >= board[0] || y + row >= board[1] {
                            continue;
                        }
                        let cell = &mut to[(corner + row * width + column) * stride + channel];
                        let mut sum = combine(simd, &W::OUTPUT[column], &half[row]);
                        sum = simd.add_f32s(sum, bias[channel]);
                        if self.add {
                            sum = simd.add_f32s(sum, *cell);
                        }
                        *cell = if self.relu { simd.max_f32s(sum, zero) } else { sum };
                    }
                }
            }
        }
    }
}

impl WithSimd for Output<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.tiles.side {
            2 => self.transform::<S, Two, 2, 4>(simd),
            3 => self.transform::<S, Three, 3, 5>(simd),
            _ => self.transform::<S, Four, 4, 6>(simd),
        }
    }
}

/// Does both transformations.
pub fn transform(work: impl WithSimd<Output = ()>) {
    run(work);
}
