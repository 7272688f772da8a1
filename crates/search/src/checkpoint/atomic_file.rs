//! Files that are whole or not there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The name of what is being written for `path`.
fn beside(path: &Path) -> PathBuf {
    let mut name = prefix(path);
    name.push(format!("{}{SUFFIX}", std::process::id()));
    path.with_file_name(name)
}

const SUFFIX: &str = ".part";

fn prefix(path: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name
}

/// The file that is to be replaced: what a link leads to. `None` is a device or a pipe, which
/// cannot be replaced.
fn target(path: &Path) -> Option<PathBuf> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() && !there.is_dir() => None,
        _ => Some(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())),
    }
}

/// Whether [`write_whole`] can work there: tries it without leaving anything behind.
pub fn probe(path: &Path) -> io::Result<()> {
    let Some(target) = target(path) else { return Ok(()) };
    if target.is_dir() || target.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let beside = beside(&target);
    File::create(&beside)?;
    fs::remove_file(&beside)
}

/// Writes a file beside its place and then moves it there, so that no reader ever finds half of it,
/// even if the program or the machine is stopped. What goes to a device or a pipe is written at
/// once.
pub fn write_whole(path: &Path, fill: &mut dyn FnMut(&File) -> io::Result<()>) -> io::Result<()> {
    let Some(target) = target(path) else { return fill(&File::options().write(true).open(path)?) };
    let beside = beside(&target);
    let mut whole = || {
        let file = File::create(&beside)?;
        fill(&file)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&beside, &target)?;
        // Make the new name durable as well, where a folder can be synced.
        if let Some(folder) = target.parent().filter(|folder| *folder != Path::new("")) {
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    };
    whole().inspect_err(|_| _ = fs::remove_file(&beside))
}

/// Removes what runs that were killed have left beside the place of a file.
pub(super) fn remove_leftovers(path: &Path) {
    let Some(target) = target(path) else { return };
    let folder = target.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let prefix = prefix(&target);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let middle = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let number = middle.and_then(|middle| middle.strip_suffix(SUFFIX.as_bytes()));
        if number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
