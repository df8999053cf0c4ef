//! A publisher, for tests and the bench: messages with confirmation, and a look into queues.

use std::sync::Arc;

use lapin::options::{
    BasicGetOptions, BasicPublishOptions, ConfirmSelectOptions, QueueDeleteOptions,
    QueuePurgeOptions,
};
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};
use tokio::runtime::Runtime;

use super::connect::creation;
use super::inbox::message;
use super::{lost, short};
use crate::deliveries::Lost;
use crate::limits::CONFIRMS_MAX;
use crate::messages::Message;
use crate::settings::QueueKind;

/// Persistent, so that a broker has them after it was killed.
const PERSISTENT: u8 = 2;

/// A connection that publishes to queues by their names.
pub struct Publisher {
    runtime: Arc<Runtime>,
    connection: Connection,
    channel: Channel,
}

impl Publisher {
    /// Connects to a broker.
    pub fn connect(url: &str) -> Result<Publisher, Lost> {
        let runtime = super::runtime().map_err(|error| Lost(error.to_string()))?;
        let (connection, channel) = runtime.block_on(async {
            let connecting = Connection::connect(url, ConnectionProperties::default());
            let connection = connecting.await.map_err(lost("no connection to the broker"))?;
            let channel = connection.create_channel().await.map_err(lost("no channel"))?;
            let confirms = channel.confirm_select(ConfirmSelectOptions::default());
            confirms.await.map_err(lost("confirmations"))?;
            Ok((connection, channel))
        })?;
        Ok(Publisher { runtime, connection, channel })
    }

    /// Makes a queue, or asks for it; returns the number of its ready messages.
    pub fn ensure(&self, queue: &str, kind: QueueKind) -> Result<u64, Lost> {
        let (options, arguments) = creation(kind);
        let declared = self.channel.queue_declare(short(queue)?, options, arguments);
        let declared = self.runtime.block_on(declared).map_err(lost("the queue"))?;
        Ok(u64::from(declared.message_count()))
    }

    /// Deletes a queue with its messages.
    pub fn delete(&self, queue: &str) -> Result<(), Lost> {
        let deleted = self.channel.queue_delete(short(queue)?, QueueDeleteOptions::default());
        self.runtime.block_on(deleted).map(drop).map_err(lost("the queue"))
    }

    /// Removes the ready messages of a queue.
    pub fn purge(&self, queue: &str) -> Result<(), Lost> {
        let purged = self.channel.queue_purge(short(queue)?, QueuePurgeOptions::default());
        self.runtime.block_on(purged).map(drop).map_err(lost("the queue"))
    }

    /// Publishes messages, each with a message id; returns once all are confirmed.
    pub fn publish(
        &self,
        queue: &str,
        messages: impl IntoIterator<Item = (Option<String>, Vec<u8>)>,
    ) -> Result<(), Lost> {
        let with_id = |(id, body): (Option<String>, Vec<u8>)| {
            let properties = BasicProperties::default().with_delivery_mode(PERSISTENT);
            let properties = match id {
                Some(id) => properties.with_message_id(id.into()),
                None => properties,
            };
            (properties, body)
        };
        self.publish_with(queue, messages.into_iter().map(with_id))
    }

    /// The same with any properties.
    pub fn publish_with(
        &self,
        queue: &str,
        messages: impl IntoIterator<Item = (BasicProperties, Vec<u8>)>,
    ) -> Result<(), Lost> {
        let queue = short(queue)?;
        self.runtime.block_on(async {
            let mut confirms = Vec::new();
            let mut messages = messages.into_iter();
            loop {
                let next = messages.next();
                if confirms.len() == CONFIRMS_MAX || next.is_none() {
                    for confirm in confirms.drain(..) {
                        let confirm: lapin::PublisherConfirm = confirm;
                        confirm.await.map_err(lost("a message"))?;
                    }
                }
                let Some((properties, body)) = next else { return Ok(()) };
                let publishing = self.channel.basic_publish(
                    "".into(),
                    queue.clone(),
                    BasicPublishOptions::default(),
                    &body,
                    properties,
                );
                confirms.push(publishing.await.map_err(lost("a message"))?);
            }
        })
    }

    /// Takes up to so many messages out of a queue.
    pub fn take(&self, queue: &str, most: usize) -> Result<Vec<Message>, Lost> {
        let queue = short(queue)?;
        self.runtime.block_on(async {
            let mut taken = Vec::new();
            while taken.len() < most {
                let options = BasicGetOptions { no_ack: true };
                let got = self.channel.basic_get(queue.clone(), options);
                let Some(got) = got.await.map_err(lost("a message"))? else { break };
                taken.push(message(got.delivery));
            }
            Ok(taken)
        })
    }

    /// Ends the connection.
    pub fn close(self) {
        // It ends with its socket in any case.
        let _closed = self.runtime.block_on(self.connection.close(200, "done".into()));
    }
}
