//! Gremlin's protocol: messages of drivers, answers to them, and messages that no driver should send.

mod bad;
mod display;
mod messages;
mod outgoing;
mod random;
mod vectors;
