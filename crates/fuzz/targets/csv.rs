//! libFuzzer's entry to [`millrace_fuzz::csv`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("csv"),
    |bytes: &[u8]| millrace_fuzz::csv::run(bytes)
);
