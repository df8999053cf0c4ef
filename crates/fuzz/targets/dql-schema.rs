//! libFuzzer's entry to [`millrace_fuzz::dql_schema`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("dql-schema"),
    |bytes: &[u8]| millrace_fuzz::dql_schema::run(bytes)
);
