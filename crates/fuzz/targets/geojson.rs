//! libFuzzer's entry to [`millrace_fuzz::geojson`].
#![no_main]

libfuzzer_sys::fuzz_target!(
    init: millrace_fuzz::write_seeds("geojson"),
    |bytes: &[u8]| millrace_fuzz::geojson::run(bytes)
);
