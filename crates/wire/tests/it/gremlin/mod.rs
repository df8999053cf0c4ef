//! Gremlin's protocol: what drivers send, what they are sent, and what no driver should send.

mod bad;
mod display;
mod messages;
mod outgoing;
mod random;
mod vectors;
