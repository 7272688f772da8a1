//! Tests that need more than the public interface.

mod agree;
mod cases;
mod mutants;
mod oracle;

use crate::interpreter::Interpreter;
use crate::sheet::Sheet;
use crate::terms::TermId;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Names the folder with rule sheets of other people.
const FOLDER: &str = "PROOFPLAY_GDL";

/// The sheets below a folder, sorted.
fn sheets_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ext| ext == "kif" || ext == "gdl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The folder with sheets of other people; says loudly if it is not there.
fn foreign_folder() -> Option<PathBuf> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    if folder.is_none() {
        eprintln!("*** {FOLDER} IS NOT SET: NO RULE SHEET OF OTHER PEOPLE IS TESTED ***");
    }
    folder
}

fn own_sheets() -> Vec<PathBuf> {
    sheets_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sheets"))
}

/// Our own sheets, and those of other people.
fn all_sheets() -> Vec<PathBuf> {
    let mut found = own_sheets();
    found.extend(foreign_folder().iter().flat_map(|folder| sheets_below(folder)));
    found
}

/// Sheets of other people for which the interpreter takes a second and more for each position.
fn is_slow(path: &Path) -> bool {
    let name = path.to_string_lossy();
    ["lgpl3-libgdl/amazons.kif", "ruledepthexponential", "chinese_checker"]
        .iter()
        .any(|slow| name.contains(slow))
}

fn read(path: &Path) -> Result<Arc<Sheet>, crate::Flaw> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Sheet::read(&path.file_name().unwrap_or_default().to_string_lossy(), &text).map(Arc::new)
}

/// How much a long test does: `full` if PROOFPLAY_GDL_FULL is set.
fn often(usual: usize, full: usize) -> usize {
    if std::env::var_os("PROOFPLAY_GDL_FULL").is_some() { full } else { usual }
}

impl Interpreter {
    /// The texts of terms, sorted.
    pub(crate) fn texts(&self, terms: &[TermId]) -> Vec<String> {
        let mut texts: Vec<_> = terms.iter().map(|&term| self.terms.text(&self.sheet.names, term)).collect();
        texts.sort_unstable();
        texts
    }
}
