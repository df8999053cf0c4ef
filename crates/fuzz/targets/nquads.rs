//! libFuzzer's entry to [`millrace_fuzz::nquads`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("nquads"),
    |bytes: &[u8]| millrace_fuzz::nquads::run(bytes)
);
