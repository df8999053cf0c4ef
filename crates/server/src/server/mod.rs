//! A server: the addresses of its listeners, its start, its signals, its end.
//!
//! Nothing else binds a socket or ends a thread. No request is known here.

mod addresses;
mod lifetime;

pub use addresses::{StartError, rows};
pub use lifetime::{Listening, Server, Signals};
