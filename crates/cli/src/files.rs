//! Files that are whole or not there.

use anyhow::{Context, Result, anyhow, bail};
use proofplay_search::checkpoint::write_whole;
use std::fs;
use std::io::Write;
use std::path::Path;

/// All of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    // An error of reading is the user's, not the output's.
    fs::read(path).map_err(|error| anyhow!("cannot read `{}`: {error}", path.display()))
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

    #[test]
    fn whole_files_only() {
        let folder = std::env::temp_dir().join(format!("proofplay-files-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let path = folder.join("one");
        assert!(expect_writable(&path).is_ok() && expect_writable(&folder).is_err());
        assert!(expect_writable(&folder.join("no/one")).is_err() && expect_writable(Path::new("")).is_err());
        write(&path, b"first").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(read(&path).unwrap(), b"second");
        assert!(write(&folder.join("no/one"), b"").is_err() && read(&folder.join("two")).is_err());
        // Nothing is left beside it, and a file cannot take the place of a folder.
        fs::create_dir(folder.join("taken")).unwrap();
        assert!(write(&folder.join("taken"), b"").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }
}
