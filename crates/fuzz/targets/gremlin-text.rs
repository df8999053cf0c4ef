//! libFuzzer's entry to [`millrace_fuzz::gremlin_text`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("gremlin-text"),
    |bytes: &[u8]| millrace_fuzz::gremlin_text::run(bytes)
);
