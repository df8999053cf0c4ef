//! libFuzzer's entry to [`millrace_fuzz::http`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("http"),
    |bytes: &[u8]| millrace_fuzz::http::run(bytes)
);
