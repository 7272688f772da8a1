//! The pieces on a board as one number, for [`Position::packed`](proofplay_core::Position::packed).
//!
//! ```text
//! rest | occupied cells | for each occupied cell, lowest first: one bit for each kind it is of
//! ```
//!
//! from the lowest bit up. Few pieces make small numbers. The parts can be read back, so different positions have different
//! numbers.

/// Which bits belong to what.
#[derive(Copy, Clone, Debug)]
pub struct Packing {
    /// Bits of what is not on the board: the mover, a counter.
    pub rest: u32,
    /// Cells; each has a bit.
    pub cells: u32,
}

impl Packing {
    /// The number of a board with these occupied cells, some of which belong to each of `kinds`; `None` if it has more than 128
    /// bits.
    pub fn pack<const N: usize>(self, rest: u32, occupied: u128, kinds: [u128; N]) -> Option<u128> {
        debug_assert!(u64::from(rest) < 1 << self.rest, "{rest} does not fit");
        debug_assert!(self.cells == 128 || occupied >> self.cells == 0, "a cell is outside");
        if self.rest + self.cells + occupied.count_ones() * N as u32 > 128 {
            return None;
        }
        let (mut number, mut at) = (u128::from(rest) | occupied << self.rest, self.rest + self.cells);
        let mut left = occupied;
        while left != 0 {
            let cell = left.trailing_zeros();
            left &= left - 1;
            for kind in kinds {
                number |= (kind >> cell & 1) << at;
                at += 1;
            }
        }
        Some(number)
    }

    /// The rest, the occupied cells and the kinds of [`Packing::pack`]. Of a number that is none of its kind, whatever it is.
    pub fn unpack<const N: usize>(self, number: u128) -> (u32, u128, [u128; N]) {
        let mask = |bits: u32| (1 << bits) - 1;
        let rest = (number & mask(self.rest)) as u32;
        let occupied = number >> self.rest & mask(self.cells);
        let (mut kinds, mut at, mut left) = ([0; N], self.rest + self.cells, occupied);
        while left != 0 {
            let cell = left.trailing_zeros();
            left &= left - 1;
            for kind in &mut kinds {
                *kind |= (number.checked_shr(at).unwrap_or(0) & 1) << cell;
                at += 1;
            }
        }
        (rest, occupied, kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;

    #[test]
    fn what_is_packed_can_be_read_back() {
        let mut rng = Rng::new(1);
        let mut too_many = 0;
        for _ in 0..10_000 {
            let packing = Packing { rest: 1 + rng.below(6), cells: 9 + rng.below(110) };
            let mut cells = || (0..rng.below(14)).fold(0, |set, _| set | 1 << rng.below(packing.cells));
            let occupied: u128 = cells();
            let kinds: [u128; 2] = [cells() & occupied, cells() & occupied];
            let rest = rng.below(1 << packing.rest);
            match packing.pack(rest, occupied, kinds) {
                Some(number) => assert_eq!(packing.unpack(number), (rest, occupied, kinds)),
                None => {
                    assert!(packing.rest + packing.cells + 2 * occupied.count_ones() > 128);
                    too_many += 1;
                }
            }
        }
        assert!((10..9_000).contains(&too_many), "{too_many}");
    }
}
