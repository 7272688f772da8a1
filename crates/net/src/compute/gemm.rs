//! Products of matrices, the time of a net: rows of activations times weights.
//!
//! Weights are packed into *panels* of two vectors of outputs each. For a group of up to twelve rows
//! all sums of a panel are in registers; each input is spread over a vector and multiplied by the two
//! vectors of weights. A row may be read in several pieces (*taps*), the cells under a filter.

use super::buffer::Buffer;
use pulp::{Arch, Simd, WithSimd};

/// Vectors in a panel.
const WIDTH: usize = 2;

/// Numbers in a panel of this processor: rows of activations are as long as a number of panels.
pub fn panel() -> usize {
    struct Lanes;
    impl WithSimd for Lanes {
        type Output = usize;
        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> usize {
            WIDTH * S::F32_LANES
        }
    }
    run(Lanes)
}

/// Does the work with the widest vectors that this processor has.
#[inline]
pub fn run<W: WithSimd>(work: W) -> W::Output {
    match arch() {
        // Arrays of four: the compiler makes the vectors of every x86-64 processor from them.
        Arch::Scalar => work.with_simd(pulp::Scalar128b),
        arch => arch.dispatch(work),
    }
}

/// What this processor can do.
#[cfg(not(test))]
fn arch() -> Arch {
    Arch::new()
}

/// What this processor can do, or less.
#[cfg(test)]
fn arch() -> Arch {
    super::tests::LESS.get().unwrap_or_default()
}

/// Weights in panels.
#[derive(Clone, Debug)]
pub struct Packed {
    /// By panel, tap, input, output within the panel; 0 beyond the last output.
    weights: Buffer,
    taps: usize,
    inputs: usize,
    /// Outputs with those that fill the last panel.
    pub width: usize,
}

impl Packed {
    /// Packs `weight(tap, input, output)`.
    pub fn new(
        taps: usize,
        inputs: usize,
        outputs: usize,
        weight: impl Fn(usize, usize, usize) -> f32,
    ) -> Packed {
        let panel = panel();
        let width = outputs.next_multiple_of(panel);
        let mut weights = Buffer::zeroed(taps * inputs * width);
        for output in 0..outputs {
            for tap in 0..taps {
                for input in 0..inputs {
                    let row = (output / panel * taps + tap) * inputs + input;
                    weights[row * panel + output % panel] = weight(tap, input, output);
                }
            }
        }
        Packed { weights, taps, inputs, width }
    }
}

/// What is done with a sum.
#[derive(Copy, Clone, Debug)]
pub struct Finish<'a> {
    /// Is added, by output.
    pub bias: Option<&'a [f32]>,
    /// Whether what is in the output is added.
    pub add: bool,
    /// Whether a negative result becomes 0.
    pub relu: bool,
}

impl Finish<'_> {
    /// Nothing.
    pub const STORE: Finish<'static> = Finish { bias: None, add: false, relu: false };
}

/// A product to be made.
#[derive(Debug)]
pub struct Product<'a> {
    /// The weights.
    pub weights: &'a Packed,
    /// All activations.
    pub input: &'a [f32],
    /// Where each row begins in the input and in the output.
    pub rows: &'a [[u32; 2]],
    /// Where each piece of a row begins, from the beginning of the row.
    pub taps: &'a [usize],
    /// Where the results go, a row being as long as [`Packed::width`].
    pub output: &'a mut [f32],
    /// What is done with them.
    pub finish: Finish<'a>,
}

impl Product<'_> {
    /// Makes it.
    #[inline]
    pub fn run(self) {
        run(self);
    }

    /// The sums of some rows for one panel.
    #[inline(always)]
    fn sums<S: Simd, const R: usize>(
        &self,
        simd: S,
        panel: usize,
        rows: &[[u32; 2]; R],
    ) -> [[S::f32s; WIDTH]; R] {
        let inputs = self.weights.inputs;
        let of_tap = inputs * WIDTH;
        let (weights, _) = S::as_simd_f32s(&self.weights.weights);
        let weights = &weights[panel * self.weights.taps * of_tap..][..self.weights.taps * of_tap];
        let mut sums = [[simd.splat_f32s(0.0); WIDTH]; R];
        for (&tap, weights) in self.taps.iter().zip(weights.chunks_exact(of_tap)) {
            let mut pieces = [&self.input[..0]; R];
            for row in 0..R {
                pieces[row] = &self.input[rows[row][0] as usize + tap..][..inputs];
            }
            let (weights, _) = weights.as_chunks::<WIDTH>();
            for (input, weights) in weights.iter().enumerate().take(inputs) {
                for row in 0..R {
                    let spread = simd.splat_f32s(pieces[row][input]);
                    for vector in 0..WIDTH {
                        sums[row][vector] = simd.mul_add_e_f32s(spread, weights[vector], sums[row][vector]);
                    }
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn group<S: Simd, const R: usize>(&mut self, simd: S, panel: usize, rows: &[[u32; 2]]) {
        let Some(rows) = rows.first_chunk::<R>() else { return };
        let sums = self.sums::<S, R>(simd, panel, rows);
        let zero = simd.splat_f32s(0.0);
        let from = panel * WIDTH * S::F32_LANES;
        let bias = self.finish.bias.map(|bias| S::as_simd_f32s(&bias[from..]).0);
        for row in 0..R {
            let (output, _) = S::as_mut_simd_f32s(&mut self.output[rows[row][1] as usize + from..]);
            for vector in 0..WIDTH {
                let mut sum = sums[row][vector];
                if let Some(bias) = bias {
                    sum = simd.add_f32s(sum, bias[vector]);
                }
                if self.finish.add {
                    sum = simd.add_f32s(sum, output[vector]);
                }
                output[vector] = if self.finish.relu { simd.max_f32s(sum, zero) } else { sum };
            }
        }
    }
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        assert_eq!(self.taps.len(), self.weights.taps);
        // The sums of a group, two vectors of weights and one input must fit into the registers.
        let most = if S::REGISTER_COUNT >= 32 { 12 } else { 6 };
        let all = self.rows;
        let groups = all.len().div_ceil(most);
        for panel in 0..self.weights.width / (WIDTH * S::F32_LANES) {
            for group in 0..groups {
                let rows = &all[all.len() * group / groups..all.len() * (group + 1) / groups];
                match rows.len() {
                    1 => self.group::<S, 1>(simd, panel, rows),
                    2 => self.group::<S, 2>(simd, panel, rows),
                    3 => self.group::<S, 3>(simd, panel, rows),
                    4 => self.group::<S, 4>(simd, panel, rows),
                    5 => self.group::<S, 5>(simd, panel, rows),
                    6 => self.group::<S, 6>(simd, panel, rows),
                    7 => self.group::<S, 7>(simd, panel, rows),
                    8 => self.group::<S, 8>(simd, panel, rows),
                    9 => self.group::<S, 9>(simd, panel, rows),
                    10 => self.group::<S, 10>(simd, panel, rows),
                    11 => self.group::<S, 11>(simd, panel, rows),
                    12 => self.group::<S, 12>(simd, panel, rows),
                    _ => unreachable!("a group has 1 to 12 rows"),
                }
            }
        }
    }
}
