//! libFuzzer's entry to [`millrace_fuzz::lists`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("lists"),
    |bytes: &[u8]| millrace_fuzz::lists::run(bytes)
);
