//! libFuzzer's entry to [`millrace_fuzz::analyzer`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("analyzer"),
    |bytes: &[u8]| millrace_fuzz::analyzer::run(bytes)
);
