//! What SGF files take, however they are filled.

use allocation_counter::measure;
use proofplay_front::sgf::Source;

/// Reading takes three times the file, 16 bytes for a node and 24 for a `(`, and nesting recurses
/// nowhere, in writing neither.
#[test]
fn memory_of_large_files() {
    const MANY: usize = 100_000;
    let pairs = |black: &str, white: &str| format!("{black}{white}").repeat(MANY / 2);
    let nested = format!("(;SZ[9]{}{}", pairs("(;B[aa]", "(;W[]"), ")".repeat(MANY + 1));
    let flat = format!("(;SZ[9]{})", pairs(";B[aa]", ";W[]"));
    let moves = |text: &str| Source::read(text, &[]).unwrap().moves().to_owned();
    assert_eq!(moves(&nested), moves(&flat));
    for text in [
        nested,
        flat,
        format!("(;SZ[9]{})", "AB[aa]".repeat(MANY)),
        format!("(;SZ[9]AB{})", "[aa]".repeat(MANY)),
        format!("(;SZ[9]C{})", "[\\]]".repeat(MANY)),
        format!("(;{}SZ[9])", "N[]".repeat(MANY)),
        format!("({};SZ[9])", "(".repeat(MANY)),
        format!("({})", ";".repeat(MANY)),
        format!("(;SZ[9]C[{}])", "\\x".repeat(MANY)),
        format!("(;SZ[9]){}", "(;B[aa])".repeat(MANY)),
        format!("(;SZ[9]{}(;B[aa]))", "(;B[bb])".repeat(MANY)),
    ] {
        let used = measure(|| assert!(Source::read(&text, &[]).is_ok())).bytes_max;
        let count = |byte: u8| text.bytes().filter(|&other| other == byte).count();
        let most = 3 * text.len() + 16 * count(b';') + 24 * count(b'(') + 1000;
        assert!(used <= most as u64, "{}: {used} bytes instead of {most}", &text[..20]);
        let source = Source::read(&text, &[]).unwrap();
        assert!(source.with(source.game(), &[], None, &[]).is_ok());
    }
}
