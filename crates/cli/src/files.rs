//! Files: what is read is bounded and can be stopped, what is written is whole or not there.

use crate::interrupt::{Stopped, stop_flag};
use anyhow::{Context, Result, anyhow, bail};
use indicatif::BinaryBytes;
use proofplay_search::checkpoint::write_whole;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// A file has more bytes than may be read.
#[derive(Debug)]
pub struct TooLarge {
    path: PathBuf,
    most: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is larger than {}", self.path.display(), BinaryBytes(self.most as u64))
    }
}

impl std::error::Error for TooLarge {}

/// All of a file that has at most `most` bytes. `expect` looks at its beginning, perhaps a few bytes, perhaps more, and may say
/// that it is something else ("not a certificate"): then no more is read. Pipes and devices are files, too; waiting for them ends with
/// [`Stopped`] when the user wants to stop.
pub fn read<E: fmt::Display>(
    path: &Path,
    most: usize,
    expect: impl Fn(&[u8]) -> Result<(), E>,
) -> Result<Vec<u8>> {
    let (stop, pieces, mut bytes) = (stop_flag()?, pieces(path), Vec::new());
    let too_large = || TooLarge { path: path.to_owned(), most };
    loop {
        if stop.load(Relaxed) {
            bail!(Stopped { doing: format!("`{}` was read", path.display()) });
        }
        let piece = match pieces.recv_timeout(Duration::from_millis(50)) {
            Ok(piece) => piece.map_err(|error| anyhow!("cannot read `{}`: {error}", path.display()))?,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(bytes),
        };
        let is_first = bytes.is_empty();
        if piece.len() > most - bytes.len() {
            bail!(too_large());
        }
        bytes.extend_from_slice(&piece);
        expect(&bytes).map_err(|other| anyhow!("`{}` is {other}", path.display()))?;
        if is_first {
            // Pipes and devices say 0.
            let length = fs::metadata(path).map_or(0, |data| data.len());
            if length > most as u64 {
                bail!(too_large());
            }
            bytes.reserve_exact((length as usize).saturating_sub(bytes.len()));
        }
    }
}

/// The pieces of a file, read on a thread of their own: opening or reading a pipe may wait for ever.
fn pieces(path: &Path) -> Receiver<io::Result<Vec<u8>>> {
    const PIECE: usize = 1 << 16;
    let ((sender, pieces), path) = (sync_channel(2), path.to_owned());
    std::thread::spawn(move || {
        let send_all = || {
            let mut file = File::open(path)?;
            loop {
                let mut piece = vec![0; PIECE];
                match file.read(&mut piece) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => piece.truncate(read?),
                }
                if piece.is_empty() || sender.send(Ok(piece)).is_err() {
                    return Ok(());
                }
            }
        };
        send_all().unwrap_or_else(|error| _ = sender.send(Err(error)));
    });
    pieces
}

/// All of a file that has at most `most` bytes and may be anything.
pub fn read_any(path: &Path, most: usize) -> Result<Vec<u8>> {
    read(path, most, |_| Ok::<(), &str>(()))
}

/// All of a file of text that has at most `most` bytes.
pub fn read_text(path: &Path, most: usize) -> Result<String> {
    let text = String::from_utf8(read_any(path, most)?);
    text.map_err(|_| anyhow!("`{}` is not text in UTF-8", path.display()))
}

/// Refuses a place where no file can be written, before hours of work for it.
pub fn expect_writable(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if path.is_dir() || path.file_name().is_none() {
        bail!("`{}` is a folder, not a file", path.display());
    }
    if !folder.is_dir() {
        bail!("there is no folder `{}`", folder.display());
    }
    Ok(())
}

/// Writes a file beside its place and then moves it there, so that nobody ever finds half of it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole(path, |mut file| file.write_all(bytes)).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for each test, gone afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("proofplay-files-{test}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn whole_files_only() {
        let folder = Folder::new("whole");
        let (folder, path) = (&folder.0, folder.0.join("one"));
        assert!(expect_writable(&path).is_ok() && expect_writable(folder).is_err());
        assert!(expect_writable(&folder.join("no/one")).is_err() && expect_writable(Path::new("")).is_err());
        write(&path, b"first").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(read_any(&path, 6).unwrap(), b"second");
        assert!(write(&folder.join("no/one"), b"").is_err());
        // Nothing is left beside it, and a file cannot take the place of a folder.
        fs::create_dir(folder.join("taken")).unwrap();
        assert!(write(&folder.join("taken"), b"").is_err());
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
    }

    #[test]
    fn readers_look_at_the_beginning_and_the_size() {
        let folder = Folder::new("read");
        let path = folder.0.join("one");
        let ours = |bytes: &[u8]| {
            let begins = b"ours ".starts_with(bytes) || bytes.starts_with(b"ours ");
            if begins { Ok(()) } else { Err("not ours") }
        };
        let large = [b"ours ".to_vec(), vec![b'x'; 300_000]].concat();
        fs::write(&path, &large).unwrap();
        assert_eq!(read(&path, large.len(), ours).unwrap(), large);
        let error = read(&path, large.len() - 1, ours).unwrap_err();
        assert!(error.is::<TooLarge>(), "{error}");
        assert!(error.to_string().ends_with("one` is larger than 292.97 KiB"), "{error}");
        // What it is comes before how large it is.
        fs::write(&path, &large[1..]).unwrap();
        assert!(read(&path, large.len(), ours).unwrap_err().to_string().ends_with("one` is not ours"));
        assert!(read(&folder.0.join("two"), 1, ours).unwrap_err().to_string().starts_with("cannot read `"));
        assert!(read(&folder.0, 1, ours).is_err());
        fs::write(&path, b"\xff").unwrap();
        assert!(read_text(&path, 1).unwrap_err().to_string().ends_with("is not text in UTF-8"));
        fs::write(&path, b"").unwrap();
        assert_eq!(read(&path, 0, ours).unwrap(), b"");
    }
}
