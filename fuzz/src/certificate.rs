//! Certificates: no change of one makes a false value accepted.

use super::value;
use proofplay_certificate::Certificate;
use proofplay_registry::{CheckError, verify};

/// The file of a certificate. It is also checked with a checksum that fits, as somebody who cheats
/// would write it.
pub fn certificate(data: &[u8]) {
    let _ = Certificate::expect_beginning(data);
    let Ok(read) = Certificate::parse(data) else { return };
    let forged = Certificate { intact: true, ..read.clone() };
    let Some(file) = forged.to_bytes() else { return };
    assert_eq!(file[..file.len() - 4], data[..data.len() - 4], "there is one way to write it");
    assert_eq!(read.intact, file == data);
    let mut steps = 0;
    let checked = verify(&file, 1 << 20, &mut |_| {
        steps += 1;
        steps < 100
    });
    match checked {
        Err(CheckError::Format(error)) => panic!("it was read a moment ago: {error}"),
        Err(_) => {}
        Ok((_, checked)) => {
            let pos = proofplay_registry::reach(&read.line).unwrap();
            if let Some(value) = value(&*pos, 200_000) {
                assert!(checked.bounds.contains(value), "{read:?}: {value}");
            }
        }
    }
}
