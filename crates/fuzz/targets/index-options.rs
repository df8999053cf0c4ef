//! libFuzzer's entry to [`millrace_fuzz::index_options`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("index-options"),
    |bytes: &[u8]| millrace_fuzz::index_options::run(bytes)
);
