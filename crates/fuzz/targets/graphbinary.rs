//! libFuzzer's entry to [`millrace_fuzz::graphbinary`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("graphbinary"),
    |bytes: &[u8]| millrace_fuzz::graphbinary::run(bytes)
);
