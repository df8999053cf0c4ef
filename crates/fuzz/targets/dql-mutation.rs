//! libFuzzer's entry to [`millrace_fuzz::dql_mutation`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("dql-mutation"),
    |bytes: &[u8]| millrace_fuzz::dql_mutation::run(bytes)
);
