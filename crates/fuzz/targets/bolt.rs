//! libFuzzer's entry to [`millrace_fuzz::bolt`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("bolt"),
    |bytes: &[u8]| millrace_fuzz::bolt::run(bytes)
);
