#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| proofplay_fuzz::table(data));
