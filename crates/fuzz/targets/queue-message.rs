//! libFuzzer's entry to [`millrace_fuzz::queue_message`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("queue-message"),
    |bytes: &[u8]| millrace_fuzz::queue_message::run(bytes)
);
