//! libFuzzer's entry to [`millrace_fuzz::dgraph_grpc`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("dgraph-grpc"),
    |bytes: &[u8]| millrace_fuzz::dgraph_grpc::run(bytes)
);
