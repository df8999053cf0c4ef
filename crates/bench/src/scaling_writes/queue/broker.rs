//! RabbitMQ, as the app, the article's consumer and the experiment use it: calls that block, over one runtime.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions,
    ConfirmSelectOptions, QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Confirmation, Connection, ConnectionProperties};
use millrace_model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

use super::super::limits::{EXPIRES_MS, PREFETCH};

/// Messages that survive the broker.
const PERSISTENT: u8 = 2;

/// A queue of a broker, as the processes of the experiment find it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Queue {
    /// `amqp://…`
    pub(crate) url: String,
    pub(crate) name: String,
    /// Whether the app answers only once the broker has confirmed a message.
    pub(crate) confirms: bool,
}

impl Queue {
    /// The settings of a Millrace that consumes it, as in the article: commands in MessagePack.
    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        let settings = [
            ("url", &*self.url),
            ("queue", &*self.name),
            ("format", "messagepack"),
            ("form", "commands"),
        ];
        let named = |(key, value): (&str, &str)| (format!("queue.nodes.{key}"), value.to_owned());
        settings.map(named).to_vec()
    }
}

/// A connection to a broker.
pub(crate) struct Broker {
    queue: Queue,
    connection: Connection,
    runtime: Runtime,
}

impl Broker {
    pub(crate) fn connect(queue: &Queue) -> Result<Broker> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| Error::new(ErrorKind::Io, format!("threads for a broker: {error}")))?;
        let name = "millrace bench scaling-writes".into();
        let properties = ConnectionProperties::default().with_connection_name(name);
        let connection = runtime.block_on(Connection::connect(&queue.url, properties));
        let connection = connection.map_err(|error| {
            failed("can't be reached", &error)
                .with_help("--amqp amqp://NAME:PASSWORD@HOST:5672/%2f, without TLS")
        })?;
        Ok(Broker { queue: queue.clone(), connection, runtime })
    }

    fn channel(&self) -> Result<Channel> {
        done("opens no channel", self.runtime.block_on(self.connection.create_channel()))
    }

    /// Declares the queue, durable.
    pub(crate) fn make_queue(&self) -> Result<()> {
        let (name, options) = (self.queue.name.as_str().into(), QueueDeclareOptions::durable());
        let channel = self.channel()?;
        // Of an experiment that was interrupted, the broker removes it.
        let mut arguments = FieldTable::default();
        arguments.insert("x-expires".into(), AMQPValue::LongInt(EXPIRES_MS));
        let declared = channel.queue_declare(name, options, arguments);
        done("declares no queue", self.runtime.block_on(declared)).map(drop)
    }

    /// Removes the queue with what is in it.
    pub(crate) fn delete_queue(&self) -> Result<()> {
        let channel = self.channel()?;
        let deleted =
            channel.queue_delete(self.queue.name.as_str().into(), QueueDeleteOptions::default());
        done("deletes no queue", self.runtime.block_on(deleted)).map(drop)
    }

    /// Publishes to the queue, from any thread.
    pub(crate) fn publisher(&self) -> Result<Publisher> {
        let channel = self.channel()?;
        if self.queue.confirms {
            let selected = channel.confirm_select(ConfirmSelectOptions::default());
            done("confirms nothing", self.runtime.block_on(selected))?;
        }
        let handle = self.runtime.handle().clone();
        Ok(Publisher { queue: self.queue.clone(), channel, handle })
    }

    /// Takes messages from the queue.
    pub(crate) fn consumer(&self) -> Result<Messages<'_>> {
        let channel = self.channel()?;
        let consumed = async {
            channel.basic_qos(PREFETCH, BasicQosOptions::default()).await?;
            let name = self.queue.name.as_str().into();
            let options = BasicConsumeOptions::default();
            channel.basic_consume(name, "".into(), options, FieldTable::default()).await
        };
        let consumer = done("delivers nothing", self.runtime.block_on(consumed))?;
        Ok(Messages { broker: self, channel, consumer })
    }
}

/// Publishes messages.
pub(crate) struct Publisher {
    queue: Queue,
    channel: Channel,
    handle: tokio::runtime::Handle,
}

impl Publisher {
    /// Publishes a message; with confirms it is the broker's when this returns.
    pub(crate) fn publish(&self, message: &[u8], id: &str) -> Result<()> {
        let properties = BasicProperties::default()
            .with_delivery_mode(PERSISTENT)
            .with_content_type("application/msgpack".into())
            .with_message_id(id.into());
        let routing_key = self.queue.name.as_str().into();
        let options = BasicPublishOptions::default();
        let confirmed = self.handle.block_on(async {
            self.channel
                .basic_publish("".into(), routing_key, options, message, properties)
                .await?
                .await
        });
        match done("takes no message", confirmed)? {
            Confirmation::Ack(None) | Confirmation::NotRequested => Ok(()),
            Confirmation::Ack(Some(_)) | Confirmation::Nack(_) => {
                let detail = format!("the broker has no room in the queue {}", self.queue.name);
                Err(Error::new(ErrorKind::Unavailable, detail))
            }
        }
    }
}

/// Messages of a queue.
pub(crate) struct Messages<'a> {
    broker: &'a Broker,
    channel: Channel,
    consumer: lapin::Consumer,
}

impl Messages<'_> {
    /// Waits for a message, and collects what comes within a time or up to a count; with the tag by which all are
    /// acknowledged.
    pub(crate) fn next(&mut self, most: usize, wait: Duration) -> Result<(Vec<Vec<u8>>, u64)> {
        let consumer = &mut self.consumer;
        let collected = self.broker.runtime.block_on(async {
            let mut messages = VecDeque::new();
            let mut tag = 0;
            let mut until = None;
            while messages.len() < most {
                let delivery = match until {
                    None => consumer.next().await,
                    Some(until) => match tokio::time::timeout_at(until, consumer.next()).await {
                        Ok(delivery) => delivery,
                        Err(_elapsed) => break,
                    },
                };
                let Some(delivery) = delivery else {
                    return Ok((messages, tag));
                };
                let delivery = delivery?;
                tag = delivery.delivery_tag;
                messages.push_back(delivery.data.to_vec());
                until.get_or_insert_with(|| tokio::time::Instant::from(Instant::now() + wait));
            }
            Ok((messages, tag))
        });
        let (messages, tag) = done("delivers nothing more", collected)?;
        if messages.is_empty() {
            let detail = format!("the broker has ended the delivery of {}", self.broker.queue.name);
            return Err(Error::new(ErrorKind::Unavailable, detail));
        }
        Ok((messages.into(), tag))
    }

    /// Acknowledges all messages up to a tag.
    pub(crate) fn acknowledge(&self, tag: u64) -> Result<()> {
        let acknowledged = self.channel.basic_ack(tag, BasicAckOptions { multiple: true });
        done("takes no acknowledgement", self.broker.runtime.block_on(acknowledged)).map(drop)
    }
}

fn done<T>(what: &str, outcome: std::result::Result<T, lapin::Error>) -> Result<T> {
    outcome.map_err(|error| failed(what, &error))
}

fn failed(what: &str, error: &lapin::Error) -> Error {
    Error::new(ErrorKind::Unavailable, format!("the broker {what}: {error}"))
}
