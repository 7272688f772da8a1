//! Writes a table: head, blocks, directory.

use crate::block::{self, Block};
use crate::head::{END, Head, MAGIC, Set};
use proofplay_core::Entry;
use std::io::{self, Write};

/// Writes a table, part by part.
#[derive(Debug)]
pub struct Writer<W: Write> {
    to: W,
    written: u64,
    listed: bool,
    /// The directory so far, without the number of parts.
    directory: Vec<u8>,
    parts: u32,
}

impl<W: Write> Writer<W> {
    /// Writes the head.
    pub fn new(to: W, head: &Head) -> io::Result<Self> {
        let listed = matches!(head.set, Set::After(_));
        let mut writer = Writer { to, written: 0, listed, directory: Vec::new(), parts: 0 };
        let text = head.text();
        writer.put(MAGIC)?;
        writer.put(&(text.len() as u32).to_le_bytes())?;
        writer.put(text.as_bytes())?;
        writer.put(&crc32fast::hash(text.as_bytes()).to_le_bytes())?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.to.write_all(bytes)
    }

    /// Writes the next part of a named set: an entry for each number.
    pub fn part(&mut self, entries: &[Entry]) -> io::Result<()> {
        let blocks = entries.chunks(block::ENTRIES);
        self.begin_part(entries.len() as u64);
        for entries in blocks {
            self.block(&Block { keys: Vec::new(), entries: entries.to_vec() })?;
        }
        Ok(())
    }

    /// Writes all positions of a set that follows one position: their numbers, ascending, with entries.
    pub fn listed(&mut self, count: u64, mut all: impl Iterator<Item = (u128, Entry)>) -> io::Result<()> {
        self.begin_part(count);
        let mut left = count;
        while left > 0 {
            let here = left.min(block::ENTRIES as u64);
            let (keys, entries): (Vec<_>, Vec<_>) = all.by_ref().take(here as usize).unzip();
            assert_eq!(entries.len() as u64, here, "fewer entries than there should be");
            self.block(&Block { keys, entries })?;
            left -= here;
        }
        Ok(())
    }

    fn begin_part(&mut self, count: u64) {
        self.parts += 1;
        self.directory.extend(count.to_le_bytes());
    }

    fn block(&mut self, block: &Block) -> io::Result<()> {
        let packed = block.pack()?;
        self.directory.extend((packed.len() as u32).to_le_bytes());
        self.directory.extend(crc32fast::hash(&packed).to_le_bytes());
        if self.listed {
            self.directory.extend(block.keys[0].to_le_bytes());
        }
        self.put(&packed)
    }

    /// Writes the directory; returns the size of the file.
    pub fn end(mut self) -> io::Result<u64> {
        let mut directory = self.parts.to_le_bytes().to_vec();
        directory.append(&mut self.directory);
        let place = [self.written.to_le_bytes(), (directory.len() as u64).to_le_bytes()].concat();
        let mut sum = crc32fast::Hasher::new();
        sum.update(&place);
        sum.update(&directory);
        self.put(&directory)?;
        self.put(&place)?;
        self.put(&sum.finalize().to_le_bytes())?;
        self.put(END)?;
        self.to.flush()?;
        Ok(self.written)
    }
}
