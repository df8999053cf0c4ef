//! libFuzzer's entry to [`millrace_fuzz::neo4j_http`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("neo4j-http"),
    |bytes: &[u8]| millrace_fuzz::neo4j_http::run(bytes)
);
