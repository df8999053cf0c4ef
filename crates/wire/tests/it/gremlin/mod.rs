//! Gremlin's protocol: what drivers send, what they are sent, and what no driver should send.

mod bad;
mod messages;
mod outgoing;
mod random;
mod shown;
mod vectors;
