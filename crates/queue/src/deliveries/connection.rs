//! The two ends of a connection, and what makes connections.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use super::dead_letter::DeadLetter;
use super::stop::Stop;
use crate::messages::Message;

/// Why a connection is of no use any more; what was not acknowledged will be delivered again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost(pub String);

/// Whether more can come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Yes.
    More,
    /// No: the consumer is to stop.
    Last,
}

/// The messages of a connection.
pub trait Inbox: Send {
    /// Waits until there are messages, but no longer than until then, and appends those that are there, up to so many.
    fn receive(
        &mut self,
        into: &mut Vec<Message>,
        most: usize,
        until: Option<Instant>,
    ) -> Result<Received, Lost>;
}

/// What goes back to the broker.
pub trait Outbox: Send + Sync {
    /// Acknowledges every message up to the one of this number.
    fn acknowledge(&self, tag: u64) -> Result<(), Lost>;

    /// Publishes dead letters, and returns once the broker has confirmed all of them; says why that takes long, if it does.
    fn bury(&self, dead: Vec<DeadLetter>, waits: &mut dyn FnMut(&str)) -> Result<(), Lost>;

    /// Waits until the broker has taken the acknowledgements before.
    fn flush(&self) -> Result<(), Lost>;

    /// Ends the connection, and with it the inbox.
    fn close(&self);
}

/// What a source shares with its queue.
#[derive(Clone, Default)]
pub struct Link {
    /// Set when the queue is to stop: inboxes then say [`Received::Last`].
    pub stop: Arc<Stop>,
    /// The messages that wait in the broker, which the source counts.
    pub ready: Arc<AtomicU64>,
}

/// The two ends of a connection.
pub type Connected = (Box<dyn Inbox>, Box<dyn Outbox>);

/// Makes connections.
pub trait Source: Send + Sync {
    /// A connection for a consumer, from 0 on.
    fn connect(&self, consumer: usize) -> Result<Connected, Lost>;
}
