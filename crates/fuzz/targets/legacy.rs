//! libFuzzer's entry to [`millrace_fuzz::legacy`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("legacy"),
    |bytes: &[u8]| millrace_fuzz::legacy::run(bytes)
);
