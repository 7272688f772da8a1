//! How networks are named: by a file, and by what is in it.
//!
//! ```text
//! nets/my.net                      a file
//! nets/my.net#f5d32604e3675c48     the same file, with this digest and no other
//! ```
//!
//! The digest is the first sixteen digits that `sha256sum FILE` prints. Plans of experiments have it, so
//! that results of two networks in files of the same name never mix.

use crate::NetError;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The environment variable with the folder where networks are that are not found from here.
pub const FOLDER: &str = "PROOFPLAY_NETWORKS";

/// How many digits a digest has.
const DIGITS: usize = 16;

/// The file and the digest that a name asks for, if it has one.
pub(crate) fn split(name: &str) -> (&str, Option<&str>) {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    match name.rsplit_once('#') {
        Some((file, digest)) if digest.len() == DIGITS && digest.bytes().all(is_digit) => {
            (file, Some(digest))
        }
        _ => (name, None),
    }
}

/// What tells the contents of a file.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

/// Where a file is: here, or else in the folder for networks.
pub(crate) fn find(file: &str, folder: Option<PathBuf>) -> PathBuf {
    let here = Path::new(file);
    let there = folder.filter(|_| here.is_relative() && !here.exists()).map(|folder| folder.join(file));
    there.filter(|path| path.exists()).unwrap_or_else(|| here.to_owned())
}

/// Refuses a file with another digest than its name asks for.
pub(crate) fn check(name: &str, found: &str) -> Result<(), NetError> {
    match split(name).1 {
        Some(wanted) if wanted != found => {
            Err(NetError::new(format!("it is another network: its digest is {found}, not {wanted}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let digest = "0123456789abcdef";
        assert_eq!(split(&format!("a#b.net#{digest}")), ("a#b.net", Some(digest)));
        for plain in ["a.net", "a#b.net", "a#0123456789abcde", "a#0123456789ABCDEF", "", "#"] {
            assert_eq!(split(plain), (plain, None));
        }
    }

    /// The published digest of SHA-256 of `abc`.
    #[test]
    fn digests() {
        assert_eq!(digest(b"abc"), "ba7816bf8f01cfea");
        assert!(check("x#ba7816bf8f01cfea", &digest(b"abc")).is_ok() && check("x", &digest(b"abd")).is_ok());
        let error = check("x#ba7816bf8f01cfea", &digest(b"abd")).unwrap_err().to_string();
        assert!(error.contains("another network") && error.contains("not ba7816bf8f01cfea"), "{error}");
    }

    #[test]
    fn the_folder_is_the_second_place() {
        let folder = std::env::temp_dir().join(format!("proofplay-names-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("Cargo.toml"), "").unwrap();
        std::fs::write(folder.join("there.net"), "").unwrap();
        let find = |file: &str| find(file, Some(folder.clone()));
        assert_eq!(find("there.net"), folder.join("there.net"));
        assert_eq!(find("Cargo.toml"), Path::new("Cargo.toml"), "the tests run in the folder of the crate");
        assert_eq!(find("nowhere.net"), Path::new("nowhere.net"));
        assert_eq!(find("/there.net"), Path::new("/there.net"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
