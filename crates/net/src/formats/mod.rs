//! Networks as files: our own format, that of Leela Zero, and that of KataGo.
//!
//! A file is never trusted: its size is limited before and after it is unpacked, memory grows with what
//! is really there, and what was read is checked as a whole.

mod bytes;
mod fold;
pub mod katago;
pub mod leela;
pub mod own;

use crate::name::digest;
use crate::{Net, NetError};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes of a file, also after it was unpacked.
pub const MOST_BYTES: usize = 1 << 29;

/// A network and what its file says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct NetFile {
    /// The network.
    pub net: Net,
    /// What it is for.
    pub about: About,
}

/// What a network is for and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// The game it was trained for, as on the command line; empty if the file does not say.
    pub game: String,
    /// How positions become planes: the name of an encoder.
    pub encoder: String,
    /// How it was trained, in words.
    pub training: String,
}

impl NetFile {
    /// Reads a file in any of the formats.
    pub fn open(path: &Path) -> Result<NetFile, NetError> {
        NetFile::open_with_digest(path).map(|(file, _)| file)
    }

    /// Reads a file, and says what tells its contents.
    pub(crate) fn open_with_digest(path: &Path) -> Result<(NetFile, String), NetError> {
        let place = path.display().to_string();
        let read = || {
            let mut bytes = Vec::new();
            let file = File::open(path)?;
            file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|error: std::io::Error| NetError::new(error.to_string()).at(&place))?;
        let file = NetFile::read(&bytes).map_err(|error| error.at(&place))?;
        Ok((file, digest(&bytes)))
    }

    /// Reads a network in any of the formats.
    pub fn read(bytes: &[u8]) -> Result<NetFile, NetError> {
        NetFile::read_within(bytes, MOST_BYTES)
    }

    /// Reads a network that has at most so many bytes, also after it was unpacked.
    pub fn read_within(bytes: &[u8], most: usize) -> Result<NetFile, NetError> {
        if bytes.len() > most {
            return Err(NetError::new(format!("more than {most} bytes")));
        }
        let unpacked;
        let bytes = if bytes::is_gzip(bytes) {
            unpacked = bytes::unpack(bytes, most)?;
            &unpacked[..]
        } else {
            bytes
        };
        let file = match bytes {
            [] => return Err(NetError::new("the file is empty")),
            _ if own::is_own(bytes) => own::read(bytes)?,
            _ if leela::is_leela(bytes) => leela::read(bytes)?,
            _ if katago::is_katago(bytes) => katago::read(bytes)?,
            _ => {
                let formats =
                    "ours (safetensors), Leela Zero's text of version 1, KataGo's .bin.gz of version 8";
                return Err(NetError::new(format!("not a network in a known format: {formats}")));
            }
        };
        file.net.check()?;
        Ok(file)
    }
}
