//! libFuzzer's entry to [`millrace_fuzz::dql_text`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("dql-text"),
    |bytes: &[u8]| millrace_fuzz::dql_text::run(bytes)
);
