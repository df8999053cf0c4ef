//! Queues over a broker of lists with faults from a seed, and over a real one where there is one.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

mod broker;
mod dead_letters;
mod fake;
mod forms;
mod graph;
mod messages;
mod once;
mod settings;
mod severed;
