//! libFuzzer's entry to [`millrace_fuzz::vector_value`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("vector-value"),
    |bytes: &[u8]| millrace_fuzz::vector_value::run(bytes)
);
