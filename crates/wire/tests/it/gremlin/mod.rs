//! Gremlin's protocol: what drivers send, what they are sent, and what nobody should send.

mod bad;
mod messages;
mod outgoing;
mod random;
mod shown;
mod vectors;
