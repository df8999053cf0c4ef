//! libFuzzer's entry to [`millrace_fuzz::manifest`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("manifest"),
    |bytes: &[u8]| millrace_fuzz::manifest::run(bytes)
);
