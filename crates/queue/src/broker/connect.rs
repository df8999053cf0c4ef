//! A connection, its channels and declarations.

use std::sync::atomic::Ordering;
use std::time::Duration;

use lapin::options::{
    BasicConsumeOptions, BasicQosOptions, ConfirmSelectOptions, ExchangeDeclareOptions,
    QueueBindOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, Connection, ConnectionProperties, Consumer, ExchangeKind};

use super::{lost, short};
use crate::deliveries::{Link, Lost};
use crate::limits::READY_INTERVAL;
use crate::settings::{QueueKind, QueueSettings};

pub(super) struct Opened {
    pub(super) connection: Connection,
    pub(super) channel: Channel,
    /// The channel of dead letters, which the broker confirms.
    pub(super) dead: Option<Channel>,
    pub(super) consumer: Consumer,
}

/// Connects, declares and begins to consume.
pub(super) async fn connect(
    settings: &QueueSettings,
    number: usize,
    link: &Link,
) -> Result<Opened, Lost> {
    let name = format!("millrace queue {}", settings.name);
    let properties = ConnectionProperties::default().with_connection_name(name.as_str().into());
    let connecting = Connection::connect(&settings.url, properties);
    let connection = connecting.await.map_err(lost("no connection to the broker"))?;
    let channel = connection.create_channel().await.map_err(lost("no channel"))?;
    let queue = short(&settings.queue)?;
    let doing = format!("the queue `{}`", settings.queue);
    let (options, arguments) = creation(settings.kind);
    channel.queue_declare(queue.clone(), options, arguments).await.map_err(lost(&doing))?;
    if !settings.exchange.is_empty() {
        let doing = format!("the binding to the exchange `{}`", settings.exchange);
        let (exchange, key) = (short(&settings.exchange)?, short(&settings.binding)?);
        let binding = channel.queue_bind(
            queue.clone(),
            exchange,
            key,
            QueueBindOptions::default(),
            FieldTable::default(),
        );
        binding.await.map_err(lost(&doing))?;
    }
    let dead = dead_channel(settings, &connection).await?;
    // The settings bound it.
    let prefetch = u16::try_from(settings.prefetch).unwrap_or(u16::MAX);
    let qos = channel.basic_qos(prefetch, BasicQosOptions::default());
    qos.await.map_err(lost("the prefetch"))?;
    let tag = short(&format!("millrace-{}-{number}", settings.name))?;
    let options = BasicConsumeOptions::default();
    let consuming = channel.basic_consume(queue.clone(), tag, options, FieldTable::default());
    let consumer = consuming.await.map_err(lost(&doing))?;
    if number == 0 {
        let counting = connection.create_channel().await.map_err(lost("no channel"))?;
        tokio::spawn(count_ready(counting, settings.queue.clone(), link.clone()));
    }
    Ok(Opened { connection, channel, dead, consumer })
}

/// How a queue is declared, or looked for.
pub(super) fn creation(kind: QueueKind) -> (QueueDeclareOptions, FieldTable) {
    let durable = QueueDeclareOptions { durable: true, ..QueueDeclareOptions::default() };
    match kind {
        QueueKind::Existing => {
            let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
            (passive, FieldTable::default())
        }
        QueueKind::Durable => (durable, FieldTable::default()),
        QueueKind::Quorum => {
            let mut arguments = FieldTable::default();
            let quorum = AMQPValue::LongString("quorum".into());
            arguments.insert("x-queue-type".into(), quorum);
            (durable, arguments)
        }
    }
}

/// The channel of dead letters; an exchange or a queue for them that is not there is noticed before the first one.
async fn dead_channel(
    settings: &QueueSettings,
    connection: &Connection,
) -> Result<Option<Channel>, Lost> {
    let route = &settings.dead_letter;
    if !route.is_set() {
        return Ok(None);
    }
    let channel = connection.create_channel().await.map_err(lost("no channel"))?;
    if route.exchange.is_empty() {
        let doing = format!("the queue of dead letters `{}`", route.key);
        let (options, arguments) = creation(settings.kind);
        let declared = channel.queue_declare(short(&route.key)?, options, arguments);
        declared.await.map_err(lost(&doing))?;
    } else {
        let doing = format!("the exchange of dead letters `{}`", route.exchange);
        let passive = ExchangeDeclareOptions { passive: true, ..ExchangeDeclareOptions::default() };
        let declared = channel.exchange_declare(
            short(&route.exchange)?,
            ExchangeKind::Direct,
            passive,
            FieldTable::default(),
        );
        declared.await.map_err(lost(&doing))?;
    }
    let confirms = channel.confirm_select(ConfirmSelectOptions::default());
    confirms.await.map_err(lost("confirmations"))?;
    Ok(Some(channel))
}

/// Reads the number of ready messages again and again, until the connection ends.
async fn count_ready(channel: Channel, queue: String, link: Link) {
    let mut stop = link.stop.subscribe();
    loop {
        let Ok(name) = short(&queue) else { return };
        let (options, arguments) = creation(QueueKind::Existing);
        match channel.queue_declare(name, options, arguments).await {
            Ok(found) => link.ready.store(u64::from(found.message_count()), Ordering::Relaxed),
            Err(_) => return,
        }
        let pause: Duration = READY_INTERVAL;
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}
