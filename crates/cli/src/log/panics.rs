//! A panic is an event of the log: a request that panics is answered with an error, and only here it is seen why.

use std::panic::{self, PanicHookInfo};
use std::thread;

/// From now on panics are logged. The usual text comes too where `RUST_BACKTRACE` asks for it.
pub(super) fn log() {
    let usual = panic::take_hook();
    let wants_backtrace = std::env::var_os("RUST_BACKTRACE").is_some();
    panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        let message = info.payload_as_str().unwrap_or("(no text)");
        let place = info.location().map_or_else(String::new, ToString::to_string);
        let thread = thread::current().name().unwrap_or("(no name)").to_owned();
        tracing::error!(name: "panic", thread, place, message);
        if wants_backtrace {
            usual(info);
        }
    }));
}
