//! Memory for vectors of the processor.

use std::ops::{Deref, DerefMut};

/// Bytes of the widest vectors: one that begins at a multiple of them lies in one line of the cache.
const ALIGNMENT: usize = 64;

/// Numbers that begin at a multiple of 64 bytes.
#[derive(Clone, Debug)]
pub struct Buffer {
    memory: Vec<f32>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// So many zeros.
    pub fn zeroed(len: usize) -> Buffer {
        let memory = vec![0.0; len + ALIGNMENT / size_of::<f32>()];
        // Where the distance is unknown, all works as well and a little slower.
        let start = memory.as_ptr().align_offset(ALIGNMENT);
        let start = if start > ALIGNMENT / size_of::<f32>() { 0 } else { start };
        Buffer { memory, start, len }
    }
}

impl Deref for Buffer {
    type Target = [f32];

    #[inline]
    fn deref(&self) -> &[f32] {
        &self.memory[self.start..][..self.len]
    }
}

impl DerefMut for Buffer {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.memory[self.start..][..self.len]
    }
}
