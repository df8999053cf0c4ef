//! The messages of a connection, taken as many at a time as have arrived.

use std::sync::Arc;
use std::time::Instant;

use futures_util::{FutureExt, StreamExt};
use lapin::message::Delivery;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::lost;
use crate::deliveries::{Inbox, Link, Lost, Received};
use crate::messages::Message;

pub(super) struct AmqpInbox {
    runtime: Arc<Runtime>,
    consumer: lapin::Consumer,
    stop: watch::Receiver<bool>,
}

impl AmqpInbox {
    pub(super) fn new(runtime: &Arc<Runtime>, consumer: lapin::Consumer, link: &Link) -> AmqpInbox {
        AmqpInbox { runtime: Arc::clone(runtime), consumer, stop: link.stop.subscribe() }
    }
}

impl Inbox for AmqpInbox {
    fn receive(
        &mut self,
        into: &mut Vec<Message>,
        most: usize,
        until: Option<Instant>,
    ) -> Result<Received, Lost> {
        let AmqpInbox { runtime, consumer, stop } = self;
        runtime.block_on(async {
            let over = async {
                match until {
                    Some(until) => tokio::time::sleep_until(until.into()).await,
                    None => std::future::pending().await,
                }
            };
            let mut next = tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => return Ok(Received::Last),
                next = consumer.next() => next,
                () = over => return Ok(Received::More),
            };
            loop {
                match next {
                    Some(Ok(delivery)) => into.push(message(delivery)),
                    Some(Err(error)) => return Err(lost("the connection is lost")(error)),
                    None => return Err(Lost("the broker ended the consumer".to_owned())),
                }
                if into.len() == most {
                    return Ok(Received::More);
                }
                match consumer.next().now_or_never() {
                    Some(ready) => next = ready,
                    None => return Ok(Received::More),
                }
            }
        })
    }
}

pub(super) fn message(delivery: Delivery) -> Message {
    Message {
        tag: delivery.delivery_tag,
        exchange: delivery.exchange.to_string(),
        routing_key: delivery.routing_key.to_string(),
        is_redelivered: delivery.redelivered,
        properties: delivery.properties,
        body: delivery.data,
    }
}
