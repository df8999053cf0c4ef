//! Acknowledgements and dead letters of a connection.

use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use lapin::options::{BasicAckOptions, BasicPublishOptions, BasicQosOptions};
use lapin::{Channel, Confirmation, Connection};
use tokio::runtime::Runtime;

use super::{lost, short};
use crate::deliveries::{DeadLetter, Lost, Outbox, Stop};
use crate::limits::{BLOCKED_INTERVAL, CLOSE_TIMEOUT, CONFIRM_TIMEOUT, CONFIRMS_MAX};
use crate::settings::DeadLetterRoute;

pub(super) struct AmqpOutbox {
    pub(super) runtime: Arc<Runtime>,
    pub(super) connection: Connection,
    pub(super) channel: Channel,
    pub(super) dead: Option<Channel>,
    pub(super) route: DeadLetterRoute,
    pub(super) stop: Arc<Stop>,
}

/// Why dead letters wait, as health and the log say it.
const BLOCKED: &str =
    "the broker blocks publishers, for want of memory or disk, and dead letters wait";

impl AmqpOutbox {
    /// Publishes and waits for the confirmations. The time in which the broker blocks publishers does not count: it has the
    /// letters already, and another connection would send them again.
    async fn confirmed(
        &self,
        dead: &[DeadLetter],
        waits: &mut dyn FnMut(&str),
    ) -> Result<(), Lost> {
        let mut publishing = pin!(self.publish(dead));
        let mut until = Instant::now() + CONFIRM_TIMEOUT;
        loop {
            match tokio::time::timeout(BLOCKED_INTERVAL, &mut publishing).await {
                Ok(done) => return done,
                Err(_) if self.connection.status().blocked() => {
                    waits(BLOCKED);
                    until = Instant::now() + CONFIRM_TIMEOUT;
                }
                Err(_) if until <= Instant::now() => {
                    return Err(Lost("the broker does not confirm dead letters".to_owned()));
                }
                Err(_) => {}
            }
        }
    }

    async fn publish(&self, dead: &[DeadLetter]) -> Result<(), Lost> {
        let Some(channel) = &self.dead else {
            return Err(Lost("there is no channel for dead letters".to_owned()));
        };
        for letters in dead.chunks(CONFIRMS_MAX) {
            let mut confirms = Vec::with_capacity(letters.len());
            for DeadLetter { message } in letters {
                let key = match self.route.key.as_str() {
                    "" => &message.routing_key,
                    key => key,
                };
                // One that no queue takes comes back, instead of being lost.
                let options = BasicPublishOptions { mandatory: true, ..Default::default() };
                let publishing = channel.basic_publish(
                    short(&self.route.exchange)?,
                    short(key)?,
                    options,
                    &message.body,
                    message.properties.clone(),
                );
                confirms.push(publishing.await.map_err(lost("a dead letter"))?);
            }
            for confirm in confirms {
                match confirm.await.map_err(lost("a dead letter"))? {
                    Confirmation::Ack(None) => {}
                    Confirmation::Ack(Some(_)) | Confirmation::Nack(Some(_)) => {
                        let exchange = &self.route.exchange;
                        let why =
                            format!("no queue takes dead letters of the exchange `{exchange}`");
                        return Err(Lost(why));
                    }
                    Confirmation::Nack(None) | Confirmation::NotRequested => {
                        return Err(Lost("the broker did not take a dead letter".to_owned()));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Outbox for AmqpOutbox {
    fn acknowledge(&self, tag: u64) -> Result<(), Lost> {
        let all = BasicAckOptions { multiple: true };
        let done = self.runtime.block_on(self.channel.basic_ack(tag, all));
        done.map_err(lost("an acknowledgement"))
    }

    fn bury(&self, dead: Vec<DeadLetter>, waits: &mut dyn FnMut(&str)) -> Result<(), Lost> {
        let mut stop = self.stop.subscribe();
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                done = self.confirmed(&dead, waits) => done,
                // A broker that blocks publishers would hold the end of the process.
                _ = stop.wait_for(|stop| *stop) => Err(Lost("the queue is stopping".to_owned())),
            }
        })
    }

    fn flush(&self) -> Result<(), Lost> {
        // The broker answers in order, so an answer follows what was acknowledged. This prefetch is of new consumers of
        // the channel, and there are none.
        let answered = self.channel.basic_qos(0, BasicQosOptions::default());
        self.runtime.block_on(answered).map_err(lost("an acknowledgement"))
    }

    fn close(&self) {
        let closing = self.connection.close(200, "the consumer ends".into());
        // One that is lost is closed already.
        let _closed =
            self.runtime.block_on(async { tokio::time::timeout(CLOSE_TIMEOUT, closing).await });
    }
}
