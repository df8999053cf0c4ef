//! libFuzzer's entry to [`millrace_fuzz::graphson`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("graphson"),
    |bytes: &[u8]| millrace_fuzz::graphson::run(bytes)
);
