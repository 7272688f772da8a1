//! Numbers in a file, lowest byte first, and a checksum over all of it.

use super::Flaw;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Take, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Large enough that the checksum works on long runs of bytes.
const BUFFER: usize = 1 << 18;

/// Counts and sums what is written.
#[derive(Debug)]
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

/// Where a search writes its state.
#[derive(Debug)]
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

/// Where a search reads its state. The checksum has been checked before.
#[derive(Debug)]
pub struct In {
    file: BufReader<Take<File>>,
    stop: Arc<AtomicBool>,
}

impl In {
    /// The next `bytes` bytes of a file; reading ends when `stop` is set.
    pub(super) fn new(file: File, bytes: u64, stop: &Arc<AtomicBool>) -> In {
        In { file: BufReader::with_capacity(BUFFER, file.take(bytes)), stop: Arc::clone(stop) }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        self.expect_no_stop()?;
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes).map_err(|_| Flaw::Nonsense("it ends too early"))?;
        Ok(bytes)
    }

    /// An error if `stop` is set; call it during long work on what was read.
    #[inline]
    pub fn expect_no_stop(&self) -> Result<(), Flaw> {
        expect_no_stop(&self.stop)
    }

    /// Checks that everything was read.
    pub fn end(mut self) -> Result<(), Flaw> {
        match self.file.read(&mut [0]) {
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

fn expect_no_stop(stop: &AtomicBool) -> Result<(), Flaw> {
    if stop.load(Relaxed) { Err(Flaw::Stopped) } else { Ok(()) }
}

/// The checksum of the next `bytes` bytes of a file.
pub(super) fn checksum(file: &mut File, bytes: u64, stop: &AtomicBool) -> Result<u32, Flaw> {
    let (mut left, mut sum, mut buffer) = (bytes, crc32fast::Hasher::new(), vec![0; BUFFER]);
    while left > 0 {
        expect_no_stop(stop)?;
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = file.read(&mut buffer[..wanted]).map_err(Flaw::unreadable)?;
        if read == 0 {
            return Err(Flaw::Damaged);
        }
        sum.update(&buffer[..read]);
        left -= read as u64;
    }
    Ok(sum.finalize())
}
