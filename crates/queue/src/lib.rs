//! Queues of an AMQP broker (RabbitMQ) as a source of writes: messages become transactions in batches, are acknowledged
//! once their commit is visible, and are applied once although a broker delivers them at least once.
//!
//! ```text
//!   broker ──Message──> messages (bytes to values, key) ──> forms (commands, jobs, statement, requests)
//!     ▲                                                          │ a batch, by count or time
//!     │ ack, dead letter                                         ▼
//!     └──────────────── batch (halves what fails) ──> Database::compose: data and `keys`, one commit
//! ```
//!
//! A consumer has two threads: one collects and decodes the next batch while the other commits and waits for the sync.
//! Nothing in this crate knows the engine or a store.
//!
//! The modules, and a module imports from those below it only: the list is in `crates/xtask/arrows.toml`, and
//! `cargo xtask tidy` checks it.
//!
//! ```text
//!   queues        the queues of a server: start and stop
//!   consumer      batches, collected and applied
//!   broker        AMQP; keys, the keys of applied messages
//!   deliveries    what a consumer needs of a connection; monitoring, what an operator sees
//!   messages      bytes to values, and their keys
//!   forms         values to queries
//!   settings, limits
//! ```

pub mod broker;
mod consumer;
pub mod deliveries;
mod forms;
mod keys;
pub mod limits;
pub mod messages;
mod monitoring;
mod queues;
pub mod settings;

pub use monitoring::{METRICS, reference_page};
pub use queues::{Counts, Queue, Queues};
pub use settings::QueueSettings;
