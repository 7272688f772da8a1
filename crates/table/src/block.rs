//! A block of entries as bytes.
//!
//! Deflated: the keys of a listed block after the first one, as differences to the one before (7 bits a byte, the lowest first, the
//! highest bit says that more follow), then the low bytes of all entries, then their high bytes, which are nearly alike.

use crate::TableError;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use proofplay_core::Entry;
use std::io::{Read, Write};

/// Entries of a block, except the last one of a part.
pub(crate) const ENTRIES: usize = 1 << 14;

/// Some entries in the order of their numbers.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// The keys, if they are listed.
    pub keys: Vec<u128>,
    pub entries: Vec<Entry>,
}

impl Block {
    /// The bytes of a block in memory, about.
    pub fn bytes(listed: bool) -> usize {
        ENTRIES * (size_of::<Entry>() + if listed { size_of::<u128>() } else { 0 })
    }

    pub fn pack(&self) -> std::io::Result<Vec<u8>> {
        let mut plain = Vec::with_capacity(4 * self.entries.len());
        for pair in self.keys.windows(2) {
            let mut step = pair[1] - pair[0];
            while step >= 128 {
                plain.push(step as u8 | 128);
                step >>= 7;
            }
            plain.push(step as u8);
        }
        plain.extend(self.entries.iter().map(|entry| entry.bits() as u8));
        plain.extend(self.entries.iter().map(|entry| (entry.bits() >> 8) as u8));
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::new(6));
        packed.write_all(&plain)?;
        packed.finish()
    }

    /// Reads a block of so many entries; `first` is its first key, if keys are listed.
    pub fn unpack(packed: &[u8], count: usize, first: Option<u128>) -> Result<Block, TableError> {
        const WRONG: TableError = TableError::Damaged("a block has other contents than it should");
        let most = count * if first.is_some() { 21 } else { 2 };
        let mut plain = Vec::new();
        let mut unpacking = DeflateDecoder::new(packed).take(most as u64 + 1);
        unpacking.read_to_end(&mut plain).map_err(|_| WRONG)?;
        let keys = plain.len().checked_sub(2 * count).ok_or(WRONG)?;
        let (keys, entries) = plain.split_at(keys);
        let (low, high) = entries.split_at(count);
        let bits = low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high]));
        let entries = bits.map(Entry::from_bits).collect::<Option<Vec<_>>>().ok_or(WRONG)?;
        let keys = match first {
            None if keys.is_empty() => Vec::new(),
            None => return Err(WRONG),
            Some(first) => steps(keys, first, count).ok_or(WRONG)?,
        };
        Ok(Block { keys, entries })
    }
}

/// The keys from `first` on.
fn steps(bytes: &[u8], first: u128, count: usize) -> Option<Vec<u128>> {
    let (mut keys, mut step, mut shift) = (vec![first], 0u128, 0);
    for &byte in bytes {
        let part = u128::from(byte & 127);
        step |= part.checked_shl(shift).filter(|shifted| shifted >> shift == part)?;
        shift += 7;
        if byte < 128 {
            let next = keys.last()?.checked_add(step).filter(|_| step > 0)?;
            keys.push(next);
            (step, shift) = (0, 0);
        }
    }
    (shift == 0 && keys.len() == count).then_some(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let entries: Vec<Entry> = (0..1000).map(|i| Entry::decided(i % 3 > 0, i)).collect();
        let dense = Block { keys: Vec::new(), entries };
        let back = Block::unpack(&dense.pack().unwrap(), 1000, None).unwrap();
        assert_eq!((back.keys, &back.entries), (Vec::new(), &dense.entries));
        let keys = (0..1000u128).map(|i| 5 + i * i * i * (1 << 90)).collect();
        let listed = Block { keys, entries: dense.entries };
        let packed = listed.pack().unwrap();
        let back = Block::unpack(&packed, 1000, Some(5)).unwrap();
        assert_eq!((&back.keys, &back.entries), (&listed.keys, &listed.entries));
        for (count, first) in [(999, Some(5)), (1001, Some(5)), (1000, None), (1000, Some(u128::MAX))] {
            assert!(Block::unpack(&packed, count, first).is_err());
        }
        assert!(Block::unpack(&packed[..packed.len() / 2], 1000, Some(5)).is_err());
    }
}
