//! libFuzzer's entry to [`millrace_fuzz::log`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("log"),
    |bytes: &[u8]| millrace_fuzz::log::run(bytes)
);
