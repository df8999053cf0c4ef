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

mod applying;
mod backoff;
pub mod broker;
mod consumer;
mod dead_letter;
pub mod deliveries;
mod forms;
mod keys;
pub mod limits;
pub mod messages;
mod metrics;
mod queues;
pub mod settings;
mod status;
mod stop;

pub use metrics::{METRICS, reference_page};
pub use queues::{Counts, Queue, Queues};
pub use settings::QueueSettings;
