//! A server: the addresses of its listeners, its start, its signals, its end.
//!
//! Nothing else binds a socket or ends a thread. No request is known here.

mod addresses;
mod checks;
mod lifetime;

pub use addresses::{StartError, rows};
pub use checks::check_settings;
pub use lifetime::{Listening, Server, Signals};
