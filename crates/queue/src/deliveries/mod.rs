//! What a consumer needs of a connection to a broker: an inbox, and an outbox that another thread may use.
//!
//! The broker implements it over AMQP; tests implement it by lists, with faults from a seed.
//!
//! Dead letters and the signal to stop belong to it, since both sides have them. No client of AMQP and no database enters.

mod connection;
mod dead_letter;
mod stop;

pub use connection::{Connected, Inbox, Link, Lost, Outbox, Received, Source};
pub(crate) use dead_letter::was_dead;
pub use dead_letter::{DETAIL_HEADER, DeadLetter, ERROR_HEADER, QUEUE_HEADER, TIME_HEADER};
pub use stop::Stop;
