//! Bytes of a file, read from the beginning to the end.

use crate::NetError;
use flate2::bufread::GzDecoder;
use std::io::Read;

/// The longest word.
const LONGEST_WORD: usize = 100;

/// Whether the bytes are packed by gzip.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Unpacks to at most so many bytes. Nothing may follow.
pub fn unpack(bytes: &[u8], most: usize) -> Result<Vec<u8>, NetError> {
    let mut decoder = GzDecoder::new(bytes);
    let mut unpacked = Vec::new();
    let read = decoder.by_ref().take(most as u64 + 1).read_to_end(&mut unpacked);
    read.map_err(|error| NetError::new(format!("it cannot be unpacked: {error}")))?;
    if unpacked.len() > most {
        return Err(NetError::new(format!("more than {most} bytes after it was unpacked")));
    }
    if !decoder.into_inner().is_empty() {
        return Err(NetError::new("bytes follow after the end of the packed data"));
    }
    Ok(unpacked)
}

/// Numbers from four bytes each, the lowest first.
pub fn floats(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

/// What is left of a file.
#[derive(Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// So many bytes.
    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], NetError> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| NetError::new(format!("the file ends within {what}")))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Leaves out white space.
    pub fn skip_space(&mut self) {
        self.0 = self.0.trim_ascii_start();
    }

    /// A word between white space.
    pub fn word(&mut self, what: &str) -> Result<&'a str, NetError> {
        self.skip_space();
        let longest = &self.0[..self.0.len().min(LONGEST_WORD + 1)];
        let len = longest.iter().position(u8::is_ascii_whitespace).unwrap_or(longest.len());
        if len == 0 {
            return Err(NetError::new(format!("the file ends where {what} should be")));
        }
        if len > LONGEST_WORD {
            return Err(NetError::new(format!("{what} is longer than {LONGEST_WORD} characters")));
        }
        let word = self.take(len, what)?;
        std::str::from_utf8(word).map_err(|_| NetError::new(format!("{what} is not text")))
    }

    /// A whole number up to a limit.
    pub fn number(&mut self, most: usize, what: &str) -> Result<usize, NetError> {
        let word = self.word(what)?;
        let number = word.parse().ok().filter(|&number| number <= most);
        number.ok_or_else(|| NetError::new(format!("{what} is `{word}`, not a number up to {most}")))
    }
}
