//! libFuzzer's entry to [`millrace_fuzz::lua`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("lua"),
    |bytes: &[u8]| millrace_fuzz::lua::run(bytes)
);
