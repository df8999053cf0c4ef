//! libFuzzer's entry to [`millrace_fuzz::packstream`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("packstream"),
    |bytes: &[u8]| millrace_fuzz::packstream::run(bytes)
);
