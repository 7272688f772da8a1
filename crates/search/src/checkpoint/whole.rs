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

/// Writes a file beside its place and then moves it there, so that nobody ever finds half of it, whatever ends the program or
/// the machine.
pub fn write_whole<T>(path: &Path, fill: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
    let beside = beside(path);
    let whole = || {
        let file = File::create(&beside)?;
        let result = fill(&file)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&beside, path)?;
        // The new name must last as well, where a folder can be asked for that.
        if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(result)
    };
    whole().inspect_err(|_| _ = fs::remove_file(&beside))
}

/// Removes what runs that were killed have left beside the place of a file.
pub(super) fn remove_leftovers(path: &Path) {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let prefix = prefix(path);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let middle = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let number = middle.and_then(|middle| middle.strip_suffix(SUFFIX.as_bytes()));
        if number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
