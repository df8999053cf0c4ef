//! The broker over AMQP 0-9-1: connections of consumers, and a publisher for tests and the bench.
//!
//! The client's own recovery is off: a connection that is lost is made anew by the consumer, which knows what it has not
//! acknowledged. Calls block; the client's tasks run on a runtime of their own.
//!
//! No other module knows the client. What a message means never enters.

mod connect;
mod inbox;
mod outbox;
mod publisher;
mod runtime;

use std::sync::Arc;

use lapin::types::ShortString;
use tokio::runtime::Runtime;

pub use lapin::BasicProperties;
pub use publisher::Publisher;
pub(crate) use runtime::runtime;

use crate::deliveries::{Connected, Link, Lost, Source};
use crate::limits::CONNECT_TIMEOUT;
use crate::settings::QueueSettings;

/// The broker of a queue.
pub struct Broker {
    settings: QueueSettings,
    runtime: Arc<Runtime>,
    link: Link,
}

impl Broker {
    /// Nothing is connected before a consumer asks.
    pub fn new(settings: &QueueSettings, runtime: Arc<Runtime>, link: Link) -> Broker {
        Broker { settings: settings.clone(), runtime, link }
    }

    /// The same with a runtime of its own.
    pub fn alone(settings: &QueueSettings, link: Link) -> millrace_model::Result<Broker> {
        Ok(Broker::new(settings, runtime()?, link))
    }
}

impl Source for Broker {
    fn connect(&self, consumer: usize) -> Result<Connected, Lost> {
        let connecting = connect::connect(&self.settings, consumer, &self.link);
        let mut stop = self.link.stop.subscribe();
        let opened = self.runtime.block_on(async {
            tokio::select! {
                opened = tokio::time::timeout(CONNECT_TIMEOUT, connecting) => {
                    opened.map_err(|_| Lost("the broker does not answer".to_owned()))?
                }
                _ = stop.wait_for(|stop| *stop) => Err(Lost("the queue is stopping".to_owned())),
            }
        })?;
        let inbox = inbox::AmqpInbox::new(&self.runtime, opened.consumer, &self.link);
        let outbox = outbox::AmqpOutbox {
            runtime: Arc::clone(&self.runtime),
            connection: opened.connection,
            channel: opened.channel,
            dead: opened.dead,
            route: self.settings.dead_letter.clone(),
            stop: Arc::clone(&self.link.stop),
        };
        Ok((Box::new(inbox), Box::new(outbox)))
    }
}

/// A name of the settings, which are checked for their length.
fn short(text: &str) -> Result<ShortString, Lost> {
    ShortString::try_new(text).map_err(|error| Lost(format!("`{text}`: {error}")))
}

/// An error of the client: it names neither user nor password.
fn lost(doing: &str) -> impl Fn(lapin::Error) -> Lost + '_ {
    move |error| Lost(format!("{doing}: {error}"))
}
