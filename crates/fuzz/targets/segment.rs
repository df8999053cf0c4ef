//! libFuzzer's entry to [`millrace_fuzz::segment`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("segment"),
    |bytes: &[u8]| millrace_fuzz::segment::run(bytes)
);
