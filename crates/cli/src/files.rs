//! Files: what is read is bounded and can be stopped, what is written is whole or not there.

use crate::interrupt::{Stopped, stop_flag};
use anyhow::{Result, anyhow, bail};
use indicatif::BinaryBytes;
use proofplay_search::checkpoint::{probe, write_whole};
use serde::Serialize;
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

/// All of a file that has at most `most` bytes. `expect` looks at its beginning, perhaps a few
/// bytes, perhaps more, and may say that it is something else ("not a certificate"): then no more
/// is read. Pipes and devices are files, too; waiting for them ends with [`Stopped`] when the user
/// wants to stop.
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

/// The pieces of a file, read on a thread of their own: opening or reading a pipe may wait for
/// ever.
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

/// Outputs that could not be written, and why.
#[derive(Clone, Default, Serialize, Debug)]
#[serde(transparent)]
pub struct Unwritten(Vec<String>);

impl Unwritten {
    /// Whether all is written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn list(&self) -> Vec<String> {
        self.0.clone()
    }

    /// Notes one of them.
    pub fn add(&mut self, why: impl ToString) {
        self.0.push(why.to_string());
    }

    /// An error, if there are any, once everything else is printed.
    pub fn check(self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { Err(self.into()) }
    }
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for Unwritten {}

fn unwritten(path: &Path, error: &io::Error) -> Unwritten {
    Unwritten(vec![format!("cannot write `{}`: {error}", path.display())])
}

/// Prints an answer and writes files in the order that loses nothing: text before the files, so
/// that it is there if they cannot be written; JSON after them, since it says what could not be
/// written.
pub fn deliver(
    json: bool,
    files: &[(&Path, Vec<u8>)],
    print: impl FnOnce(&Unwritten) -> Result<()>,
) -> Result<()> {
    let write_all = || {
        let mut unwritten = Unwritten::default();
        files.iter().for_each(|(path, bytes)| write(path, bytes).unwrap_or_else(|why| unwritten.add(why)));
        unwritten
    };
    let (unwritten, printed) = if json {
        let unwritten = write_all();
        let printed = print(&unwritten);
        (unwritten, printed)
    } else {
        // Files are written even if nobody reads the text.
        let printed = print(&Unwritten::default());
        (write_all(), printed)
    };
    unwritten.check()?;
    printed
}

/// Makes a folder for what is written, if there is none.
pub fn make_folder(path: &Path) -> Result<(), Unwritten> {
    fs::create_dir_all(path).map_err(|error| unwritten(path, &error))
}

/// Refuses a file that is named twice, for two things that would overwrite each other.
pub fn expect_apart(files: &[(&str, Option<&Path>)]) -> Result<()> {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        fs::canonicalize(path).unwrap_or_else(|_| folder.join(path.file_name().unwrap_or_default()))
    };
    let named = files.iter().filter_map(|(option, path)| path.map(|path| (option, path, place(path))));
    let named: Vec<_> = named.collect();
    for (i, (option, path, at)) in named.iter().enumerate() {
        if let Some((other, ..)) = named[..i].iter().find(|(.., place)| place == at) {
            bail!(
                "{other} and {option} name the same file, `{}`: one would overwrite the other",
                path.display()
            );
        }
    }
    Ok(())
}

/// Refuses a place where no file can be written, before hours of work for it.
pub fn expect_writable(path: &Path) -> Result<(), Unwritten> {
    probe(path).map_err(|error| unwritten(path, &error))
}

/// Writes a file beside its place and then moves it there, so that nobody ever finds half of it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Unwritten> {
    write_whole(path, &mut |mut file| file.write_all(bytes)).map_err(|error| unwritten(path, &error))
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
        let error = write(&folder.join("no/one"), b"").unwrap_err().to_string();
        assert!(error.starts_with("cannot write `") && error.contains("no/one`: "), "{error}");
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

    #[test]
    fn text_comes_before_the_files_and_json_after() {
        let folder = Folder::new("deliver");
        let (good, bad) = (folder.0.join("good"), folder.0.join("no/bad"));
        let files = [(bad.as_path(), b"1".to_vec()), (good.as_path(), b"2".to_vec())];
        for (json, there, count) in [(false, false, 0), (true, true, 1)] {
            let _ = fs::remove_file(&good);
            let delivered = deliver(json, &files, |unwritten| {
                assert_eq!((good.exists(), unwritten.0.len()), (there, count), "{json}");
                Ok(())
            });
            let error = delivered.unwrap_err();
            assert!(error.is::<Unwritten>() && error.to_string().contains("no/bad"), "{error}");
            assert_eq!(fs::read(&good).unwrap(), b"2");
        }
        // Nobody reads the text, but there is a file.
        fs::remove_file(&good).unwrap();
        assert!(deliver(false, &files[1..], |_| bail!("closed")).is_err());
        assert!(good.exists());
    }
}
