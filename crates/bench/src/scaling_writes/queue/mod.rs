//! The queue of the evented variants: the broker, what a message is, and the article's consumer.

mod broker;
mod consumer;
pub(crate) mod message;

pub(crate) use broker::{Broker, Publisher, Queue};
pub(crate) use consumer::Consumer;
