//! libFuzzer's entry to [`millrace_fuzz::gremlin_socket`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("gremlin-socket"),
    |bytes: &[u8]| millrace_fuzz::gremlin_socket::run(bytes)
);
