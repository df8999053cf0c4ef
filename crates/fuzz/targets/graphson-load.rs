//! libFuzzer's entry to [`millrace_fuzz::graphson_load`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("graphson-load"),
    |bytes: &[u8]| millrace_fuzz::graphson_load::run(bytes)
);
