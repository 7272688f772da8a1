//! Numbers in a file, lowest byte first, and a checksum over all of it.

use super::Flaw;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Large enough that the checksum works on long runs of bytes.
const BUFFER: usize = 1 << 18;

/// Counts and sums what is written.
struct Summed {
    file: File,
    sum: crc32fast::Hasher,
    bytes: u64,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Where a search writes what it keeps.
pub struct Out(BufWriter<Summed>);

impl Out {
    pub(super) fn new(file: File) -> Out {
        let summed = Summed { file, sum: crc32fast::Hasher::new(), bytes: 0 };
        Out(BufWriter::with_capacity(BUFFER, summed))
    }

    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())
    }

    /// Writes the checksum of everything so far and returns the size of the file.
    pub(super) fn end(mut self) -> io::Result<u64> {
        self.0.flush()?;
        let sum = self.0.get_ref().sum.clone().finalize();
        self.u32(sum)?;
        self.0.flush()?;
        Ok(self.0.get_ref().bytes)
    }
}

/// A file whose reading ends with an error when the flag is set.
#[derive(Debug)]
pub(super) struct Source {
    pub file: File,
    pub stop: Arc<AtomicBool>,
}

impl Read for Source {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Relaxed) { Err(io::Error::other("stopped")) } else { self.file.read(bytes) }
    }
}

impl Seek for Source {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.file.seek(place)
    }
}

/// Where a search reads what it has kept. The checksum has been compared before.
#[derive(Debug)]
pub struct In(BufReader<Take<Source>>);

impl In {
    /// The next `bytes` bytes of a file.
    pub(super) fn new(file: Source, bytes: u64) -> In {
        In(BufReader::with_capacity(BUFFER, file.take(bytes)))
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let mut bytes = [0; N];
        let read = self.0.read_exact(&mut bytes);
        read.map_err(|_| self.go_on().err().unwrap_or(Flaw::Nonsense("it ends too early")))?;
        Ok(bytes)
    }

    /// Fails when the user wants to stop: for work on what was read.
    #[inline]
    pub fn go_on(&self) -> Result<(), Flaw> {
        if self.0.get_ref().get_ref().stop.load(Relaxed) { Err(Flaw::Stopped) } else { Ok(()) }
    }

    /// Everything must have been read.
    pub fn end(mut self) -> Result<(), Flaw> {
        match self.0.read(&mut [0]) {
            Ok(0) => Ok(()),
            _ => Err(Flaw::Nonsense("something follows behind the end")),
        }
    }
}

macro_rules! numbers {
    ($($number:ident),*) => {
        impl Out {
            $(#[doc = concat!("Writes a `", stringify!($number), "`.")]
            #[inline]
            pub fn $number(&mut self, number: $number) -> io::Result<()> {
                self.0.write_all(&number.to_le_bytes())
            })*
        }

        impl In {
            $(#[doc = concat!("Reads a `", stringify!($number), "`.")]
            #[inline]
            pub fn $number(&mut self) -> Result<$number, Flaw> {
                self.bytes().map($number::from_le_bytes)
            })*
        }
    };
}
numbers!(u8, u16, i16, u32, u64, u128);

/// The checksum of the next `bytes` bytes of a file; `None` if there are fewer.
pub(super) fn checksum(file: &mut Source, bytes: u64) -> io::Result<Option<u32>> {
    let (mut left, mut sum, mut buffer) = (bytes, crc32fast::Hasher::new(), vec![0; BUFFER]);
    while left > 0 {
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = file.read(&mut buffer[..wanted])?;
        if read == 0 {
            return Ok(None);
        }
        sum.update(&buffer[..read]);
        left -= read as u64;
    }
    Ok(Some(sum.finalize()))
}
