//! The article's consumer, for a database that takes nothing from a queue itself: messages become one batch, and are
//! acknowledged once that is written.
//!
//! A consumer that dies between the two writes its batch twice: it knows no keys. The experiment counts that.

use std::convert::Infallible;
use std::net::SocketAddr;

use millrace_model::Result;
use serde::{Deserialize, Serialize};

use super::super::database::Database;
use super::super::limits::{CONSUMER_BATCH, CONSUMER_WAIT};
use super::broker::{Broker, Queue};
use super::message;
use crate::jobs::Job;

/// A consumer to be run until its process is killed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Consumer {
    pub(crate) database: Database,
    pub(crate) queue: Queue,
}

/// It answers once it consumes.
impl Job for Consumer {
    const NAME: &'static str = "Consume";
}

impl Consumer {
    /// Consumes; says that it does once the broker delivers.
    pub(crate) fn run(
        self,
        consuming: &mut dyn FnMut(SocketAddr) -> Result<()>,
    ) -> Result<Infallible> {
        let broker = Broker::connect(&self.queue)?;
        let mut messages = broker.consumer()?;
        let mut client = self.database.client();
        consuming(self.database.address)?;
        loop {
            let (batch, tag) = messages.next(CONSUMER_BATCH, CONSUMER_WAIT)?;
            let mut nodes = Vec::new();
            for message in &batch {
                nodes.extend(message::decode(message)?);
            }
            client.write(&nodes)?;
            messages.acknowledge(tag)?;
        }
    }
}
