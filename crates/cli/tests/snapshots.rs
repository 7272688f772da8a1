//! What the commands print, word for word: `tests/cmd/*.trycmd`. `TRYCMD=overwrite cargo test -p
//! proofplay-cli` accepts a change; look at the difference before committing it. Times are `[..]`.

#[test]
fn snapshots() {
    trycmd::TestCases::new().env("COLUMNS", "100").env("NO_COLOR", "1").case("tests/cmd/*.trycmd");
}
