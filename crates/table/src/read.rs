//! Reads a table, block by block as they are needed.

use crate::TableError;
use crate::block::{self, Block};
use crate::head::{END, Head, LONGEST, MAGIC, MOST_PARTS, Set, TRAILER};
use proofplay_core::{Entry, Place};
use std::fmt;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What a table is read from.
pub trait Source: Read + Seek + Send {}
impl<R: Read + Seek + Send> Source for R {}

/// Where a block is.
#[derive(Copy, Clone, Debug)]
struct Spot {
    offset: u64,
    bytes: u32,
    sum: u32,
    first: u128,
}

/// A part of the table.
#[derive(Clone, Debug)]
struct Part {
    count: u64,
    /// Its first block.
    first: usize,
}

/// A table in a file. Only the directory is in memory, 32 bytes for each 16,384 entries, and the blocks that were used last.
pub struct Table {
    head: Head,
    parts: Vec<Part>,
    spots: Vec<Spot>,
    file: Mutex<Box<dyn Source>>,
    /// Block number n can only be in slot n modulo their number.
    slots: Vec<Mutex<Slot>>,
    bytes: u64,
}

/// A block that was read, and its number.
type Slot = Option<(usize, Arc<Block>)>;

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("head", &self.head).field("parts", &self.parts).finish_non_exhaustive()
    }
}

/// Takes numbers from the front of bytes.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        let (number, rest) =
            self.0.split_first_chunk().ok_or(TableError::Damaged("its directory ends too early"))?;
        self.0 = rest;
        Ok(*number)
    }

    fn u32(&mut self) -> Result<u32, TableError> {
        self.next().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, TableError> {
        self.next().map(u64::from_le_bytes)
    }
}

impl Table {
    /// Opens a file; about `memory` bytes are for blocks that were read.
    pub fn open(path: &Path, memory: usize) -> Result<Table, TableError> {
        Table::read(Box::new(std::fs::File::open(path)?), memory)
    }

    /// The same for whatever can be read.
    pub fn read(mut file: Box<dyn Source>, memory: usize) -> Result<Table, TableError> {
        let mut magic = [0; MAGIC.len()];
        file.read_exact(&mut magic).map_err(|_| TableError::Foreign)?;
        if magic != *MAGIC {
            return Err(TableError::Foreign);
        }
        let mut number = [0; 4];
        file.read_exact(&mut number)?;
        let length = u32::from_le_bytes(number) as usize;
        if length > LONGEST {
            return Err(TableError::Damaged("its head is too long"));
        }
        let mut text = vec![0; length];
        file.read_exact(&mut text)?;
        file.read_exact(&mut number)?;
        if crc32fast::hash(&text) != u32::from_le_bytes(number) {
            return Err(TableError::Damaged("the checksum of its head is another one"));
        }
        let head = Head::parse(&text)?;
        let begin = (MAGIC.len() + 8 + length) as u64;
        let bytes = file.seek(SeekFrom::End(0))?;
        let directory = directory(&mut *file, begin, bytes)?;
        let listed = matches!(head.set, Set::After(_));
        let (parts, spots) =
            places(&directory, begin, bytes - TRAILER as u64 - directory.len() as u64, listed)?;
        let slots = (memory / Block::bytes(listed)).clamp(1, spots.len().max(1));
        let slots = (0..slots).map(|_| Mutex::new(None)).collect();
        Ok(Table { head, parts, spots, file: Mutex::new(file), slots, bytes })
    }

    /// What it is about.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many entries its parts have.
    pub fn parts(&self) -> Vec<u64> {
        self.parts.iter().map(|part| part.count).collect()
    }

    /// A block by its number among all.
    fn block(&self, number: usize) -> Result<Arc<Block>, TableError> {
        let mut slot = self.slots[number % self.slots.len()].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((there, block)) = &*slot
            && *there == number
        {
            return Ok(Arc::clone(block));
        }
        let block = Arc::new(self.load(number)?);
        *slot = Some((number, Arc::clone(&block)));
        Ok(block)
    }

    fn load(&self, number: usize) -> Result<Block, TableError> {
        let spot = self.spots[number];
        let mut packed = vec![0; spot.bytes as usize];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(spot.offset))?;
            file.read_exact(&mut packed)?;
        }
        if crc32fast::hash(&packed) != spot.sum {
            return Err(TableError::Damaged("the checksum of a block is another one"));
        }
        let part = &self.parts[self.parts.partition_point(|part| part.first <= number) - 1];
        let before = ((number - part.first) * block::ENTRIES) as u64;
        let count = (part.count - before).min(block::ENTRIES as u64) as usize;
        let first = matches!(self.head.set, Set::After(_)).then_some(spot.first);
        let block = Block::unpack(&packed, count, first)?;
        let next = self.spots.get(number + 1).map(|next| next.first).filter(|_| first.is_some());
        if next.is_some_and(|next| block.keys.last().is_some_and(|&last| last >= next)) {
            return Err(TableError::Damaged("its positions are not in order"));
        }
        Ok(block)
    }

    /// The entry with this number; [`Entry::NONE`] if there is no such number.
    pub fn entry(&self, place: Place) -> Result<Entry, TableError> {
        let Some(part) = self.parts.get(place.part as usize) else { return Ok(Entry::NONE) };
        if u64::from(place.index) >= part.count {
            return Ok(Entry::NONE);
        }
        let block = self.block(part.first + place.index as usize / block::ENTRIES)?;
        Ok(block.entries[place.index as usize % block::ENTRIES])
    }

    /// The entry of a position with this key; [`Entry::NONE`] if it is not there.
    pub fn entry_of(&self, key: u128) -> Result<Entry, TableError> {
        let Some(number) = self.spots.partition_point(|spot| spot.first <= key).checked_sub(1) else {
            return Ok(Entry::NONE);
        };
        let block = self.block(number)?;
        Ok(block.keys.binary_search(&key).map_or(Entry::NONE, |at| block.entries[at]))
    }

    /// All entries of a part.
    pub fn part(&self, part: u32) -> Result<Vec<Entry>, TableError> {
        let Some(Part { count, first }) = self.parts.get(part as usize) else { return Ok(Vec::new()) };
        let mut entries = Vec::new();
        for block in 0..count.div_ceil(block::ENTRIES as u64) as usize {
            entries.extend_from_slice(&self.block(first + block)?.entries);
        }
        Ok(entries)
    }

    /// The entry with this number in a listed part, and its key.
    pub(crate) fn listed(&self, index: u64) -> Result<(u128, Entry), TableError> {
        let block = self.block((index / block::ENTRIES as u64) as usize)?;
        let at = (index % block::ENTRIES as u64) as usize;
        Ok((block.keys[at], block.entries[at]))
    }
}

/// The directory, its checksum having been compared.
fn directory(file: &mut dyn Source, begin: u64, bytes: u64) -> Result<Vec<u8>, TableError> {
    const CUT: TableError = TableError::Damaged("it ends too early");
    let at = bytes.checked_sub(TRAILER as u64).filter(|&at| at >= begin).ok_or(CUT)?;
    let mut trailer = [0; TRAILER];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut trailer)?;
    let mut numbers = Numbers(&trailer);
    let (offset, length, sum, end) = (numbers.u64()?, numbers.u64()?, numbers.u32()?, numbers.next::<4>()?);
    if end != *END {
        return Err(CUT);
    }
    if offset < begin || offset.checked_add(length) != Some(at) {
        return Err(TableError::Damaged("its directory is not where it should be"));
    }
    let mut directory = vec![0; length as usize];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut directory)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&trailer[..16]);
    hasher.update(&directory);
    if hasher.finalize() != sum {
        return Err(TableError::Damaged("the checksum of its directory is another one"));
    }
    Ok(directory)
}

/// The parts and blocks of a directory. Blocks fill the file from `begin` to `end`.
fn places(
    directory: &[u8],
    begin: u64,
    end: u64,
    listed: bool,
) -> Result<(Vec<Part>, Vec<Spot>), TableError> {
    const WRONG: TableError = TableError::Damaged("its directory says what cannot be");
    let mut numbers = Numbers(directory);
    let (mut parts, mut spots, mut offset): (_, Vec<Spot>, _) = (Vec::new(), Vec::new(), begin);
    let many = numbers.u32()?;
    if many > MOST_PARTS || listed && many != 1 {
        return Err(WRONG);
    }
    for _ in 0..many {
        let count = numbers.u64()?;
        if count > u64::from(u32::MAX) {
            return Err(WRONG);
        }
        parts.push(Part { count, first: spots.len() });
        for _ in 0..count.div_ceil(block::ENTRIES as u64) {
            let (bytes, sum) = (numbers.u32()?, numbers.u32()?);
            let first = if listed { u128::from_le_bytes(numbers.next()?) } else { 0 };
            if listed && spots.last().is_some_and(|last| last.first >= first) {
                return Err(TableError::Damaged("its positions are not in order"));
            }
            spots.push(Spot { offset, bytes, sum, first });
            offset += u64::from(bytes);
            if offset > end {
                return Err(WRONG);
            }
        }
    }
    if offset == end && numbers.0.is_empty() { Ok((parts, spots)) } else { Err(WRONG) }
}
