//! libFuzzer's entry to [`millrace_fuzz::gremlin_request`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("gremlin-request"),
    |bytes: &[u8]| millrace_fuzz::gremlin_request::run(bytes)
);
