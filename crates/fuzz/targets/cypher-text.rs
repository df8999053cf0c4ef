//! libFuzzer's entry to [`millrace_fuzz::cypher_text`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("cypher-text"),
    |bytes: &[u8]| millrace_fuzz::cypher_text::run(bytes)
);
