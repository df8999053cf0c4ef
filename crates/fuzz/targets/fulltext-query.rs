//! libFuzzer's entry to [`millrace_fuzz::fulltext_query`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("fulltext-query"),
    |bytes: &[u8]| millrace_fuzz::fulltext_query::run(bytes)
);
