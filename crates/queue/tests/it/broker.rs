//! A real RabbitMQ, which `cargo xtask components rabbitmq` starts: `MILLRACE_AMQP` has its address,
//! `MILLRACE_RABBITMQCTL` the command that sets it.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use millrace_db::Database;
use millrace_queue::broker::{Broker, Publisher};
use millrace_queue::deliveries::{DETAIL_HEADER, DeadLetter, ERROR_HEADER};
use millrace_queue::settings::{DeadLetterRoute, QueueKind};
use millrace_queue::{Counts, Queue, QueueSettings};
use millrace_testkit::require_component;

use crate::fake::person;
use crate::graph::{in_memory, numbers, settings, wait_until};

/// The broker, and a queue of the test's own that is empty.
struct Real {
    publisher: Publisher,
    settings: QueueSettings,
}

fn real(name: &str, kind: QueueKind) -> Option<Real> {
    let url = std::env::var("MILLRACE_AMQP").ok();
    if !require_component(&format!("a queue of RabbitMQ: {name}"), url.is_some()) {
        return None;
    }
    let url = url.unwrap();
    let publisher = Publisher::connect(&url).unwrap();
    let queue = format!("millrace-test-{name}-{kind:?}").to_lowercase();
    let dead = format!("{queue}.dead");
    for queue in [&queue, &dead] {
        publisher.delete(queue).unwrap();
        publisher.ensure(queue, kind).unwrap();
    }
    let dead_letter = DeadLetterRoute { exchange: String::new(), key: dead };
    Some(Real {
        publisher,
        settings: QueueSettings { url, queue, kind, dead_letter, ..settings() },
    })
}

impl Real {
    fn start(&self, database: &Arc<Database>) -> Queue {
        Queue::start(database, self.settings.clone(), |settings, link| {
            Arc::new(Broker::alone(settings, link.clone()).unwrap())
        })
        .unwrap()
    }

    fn publish(&self, numbers: impl Iterator<Item = i64>) {
        let body = |number: i64| (Some(number.to_string()), person(number).body);
        self.publisher.publish(&self.settings.queue, numbers.map(body)).unwrap();
    }

    fn end(self) {
        for queue in [&self.settings.queue, &self.settings.dead_letter.key] {
            self.publisher.delete(queue).unwrap();
        }
    }
}

#[test]
fn messages_of_a_real_queue_are_applied_in_order_once() {
    for kind in [QueueKind::Durable, QueueKind::Quorum] {
        let Some(real) = real("order", kind) else { return };
        let database = in_memory();
        real.publish((0..300).chain(0..100));
        let queue = real.start(&database);
        wait_until("all are settled", || {
            queue.counts() == Counts { committed: 300, repeated: 100, ..Counts::default() }
        });
        assert_eq!(numbers(&database), (0..300).collect::<Vec<_>>());
        queue.stop(Duration::from_secs(10));
        assert_eq!(real.publisher.ensure(&real.settings.queue, kind).unwrap(), 0);
        real.end();
    }
}

#[test]
fn bad_messages_of_a_real_queue_are_dead_once_each_with_reasons() {
    let Some(real) = real("dead", QueueKind::Durable) else { return };
    let database = in_memory();
    let bad = [17, 18, 760];
    let message = |number: i64| {
        let body = person(number).body;
        let body = if bad.contains(&number) { body[..6].to_vec() } else { body };
        (Some(number.to_string()), body)
    };
    real.publisher.publish(&real.settings.queue, (0..1_000).map(message)).unwrap();
    let queue = real.start(&database);
    wait_until("all are settled", || {
        queue.counts() == Counts { committed: 997, dead: 3, ..Counts::default() }
    });
    let good: Vec<i64> = (0..1_000).filter(|number| !bad.contains(number)).collect();
    assert_eq!(numbers(&database), good);
    queue.stop(Duration::from_secs(10));
    let dead = real.publisher.take(&real.settings.dead_letter.key, 10).unwrap();
    assert_eq!(dead.len(), 3);
    for (message, number) in dead.into_iter().zip(bad) {
        let id = message.properties.message_id().clone().unwrap();
        assert_eq!(id.as_str(), number.to_string());
        let letter = DeadLetter { message };
        assert_eq!(letter.header(ERROR_HEADER).unwrap(), "bad-input");
        assert!(letter.header(DETAIL_HEADER).unwrap().contains("MessagePack"));
    }
    real.end();
}

/// The broker believes that it has too little memory, until this is dropped.
struct Alarm {
    control: String,
}

impl Alarm {
    fn of_memory(control: String) -> Alarm {
        let alarm = Alarm { control };
        alarm.set_watermark("0.0000001");
        alarm
    }

    fn set_watermark(&self, share: &str) {
        let command = format!("{} set_vm_memory_high_watermark {share}", self.control);
        let done = Command::new("sh").args(["-c", &command]).output().unwrap();
        assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.set_watermark("0.4");
    }
}

#[test]
fn dead_letters_wait_once_while_the_broker_blocks_publishers() {
    let control = std::env::var("MILLRACE_RABBITMQCTL").ok();
    if !require_component("a queue of RabbitMQ: blocked", control.is_some()) {
        return;
    }
    let Some(real) = real("blocked", QueueKind::Durable) else { return };
    let database = in_memory();
    real.publish(0..10);
    let bad = (Some("bad".to_owned()), vec![0xc1]);
    real.publisher.publish(&real.settings.queue, std::iter::once(bad)).unwrap();
    real.publish(10..20);
    let alarm = Alarm::of_memory(control.unwrap());
    let queue = real.start(&database);
    wait_until("it is blocked", || {
        queue.problem().is_some_and(|problem| problem.contains("the broker blocks publishers"))
    });
    // What comes before the dead letter does not wait for it.
    assert_eq!(queue.counts(), Counts { committed: 10, ..Counts::default() });
    drop(alarm);
    wait_until("all are settled", || {
        queue.counts() == Counts { committed: 20, dead: 1, ..Counts::default() }
    });
    assert_eq!((queue.problem(), numbers(&database)), (None, (0..20).collect::<Vec<_>>()));
    queue.stop(Duration::from_secs(10));
    assert_eq!(real.publisher.take(&real.settings.dead_letter.key, 10).unwrap().len(), 1);
    real.end();
}

#[test]
fn a_broker_or_queue_that_is_missing_is_waited_for_and_named() {
    let Some(mut real) = real("missing", QueueKind::Durable) else { return };
    let database = in_memory();
    real.settings.kind = QueueKind::Existing;
    let (url, right) = (real.settings.url.clone(), real.settings.queue.clone());
    let cases = [
        ("amqp://127.0.0.1:1/%2f".to_owned(), right.clone(), "no connection to the broker"),
        (url.replace("guest:guest@", "guest:wrong@"), right.clone(), "no connection to the broker"),
        (url.clone(), "millrace-test-nowhere".to_owned(), "the queue `millrace-test-nowhere`"),
    ];
    for (url, queue, reason) in cases {
        real.settings = QueueSettings { url, queue, ..real.settings };
        let queue = real.start(&database);
        wait_until("it waits", || queue.problem().is_some());
        let problem = queue.problem().unwrap();
        assert!(problem.contains(reason) && !problem.contains("wrong"), "{problem}");
        queue.stop(Duration::from_secs(10));
    }
    real.settings = QueueSettings { url, queue: "millrace-test-later".to_owned(), ..real.settings };
    let queue = real.start(&database);
    wait_until("it waits", || queue.problem().is_some());
    real.publisher.ensure("millrace-test-later", QueueKind::Durable).unwrap();
    real.publish(0..10);
    wait_until("it goes on", || queue.problem().is_none() && queue.counts().committed == 10);
    queue.stop(Duration::from_secs(10));
    real.publisher.delete(&right).unwrap();
    real.end();
}
