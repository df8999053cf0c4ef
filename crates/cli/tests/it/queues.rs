//! Queues of the real program: its settings, and messages through `kill -9` of it and of the broker.
//!
//! `MILLRACE_AMQP` names a RabbitMQ, as `cargo xtask components rabbitmq` starts one; `MILLRACE_QUEUE_ROUNDS` sets how
//! often each is killed in each setup, and `MILLRACE_AMQP_RESTART` is a command that kills that broker and starts it again;
//! `MILLRACE_QUEUE_SETUP` (such as `quorum-4`) kills it in one setup alone.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use millrace_queue::broker::Publisher;
use millrace_queue::settings::QueueKind;
use millrace_testkit::{Rng, number, require_component};

use crate::program::{Served, run, serve_by, text};

/// Messages that each round publishes.
const MESSAGES_A_ROUND: i64 = 300;

/// How long a test waits for what has to happen.
const WAIT_MAX: Duration = Duration::from_secs(300);

/// The setups that are tried: the kind of queue, and how many consumers.
const SETUPS: [(QueueKind, u64); 4] = [
    (QueueKind::Durable, 1),
    (QueueKind::Durable, 4),
    (QueueKind::Quorum, 1),
    (QueueKind::Quorum, 4),
];

/// A setup as a word.
fn word_of((kind, consumers): (QueueKind, u64)) -> String {
    format!("{kind:?}-{consumers}").to_lowercase()
}

/// A queue, and the settings file of a server that consumes it.
struct Setup {
    url: String,
    queue: String,
    kind: QueueKind,
    config: String,
}

impl Setup {
    fn new(name: &str, (kind, consumers): (QueueKind, u64)) -> Option<Setup> {
        let url = std::env::var("MILLRACE_AMQP").ok();
        if !require_component(&format!("queues of RabbitMQ: {name}"), url.is_some()) {
            return None;
        }
        let url = url.unwrap();
        let word = format!("{kind:?}").to_lowercase();
        let queue = format!("millrace-test-{name}-{}", word_of((kind, consumers)));
        let config = format!(
            "[queue.people]\nurl = \"{url}\"\nqueue = \"{queue}\"\ndeclare = \"{word}\"\n\
             form = \"statement\"\nstatement = \"UNWIND $messages AS m CREATE (:Person {{n: m.n}})\"\n\
             format = \"json\"\nprefetch = 200\nbatch-messages = 50\nbatch-ms = 5\nconsumers = {consumers}\n\
             dead-letter-key = \"{queue}.dead\"\n"
        );
        let setup = Setup { url, queue, kind, config };
        let publisher = setup.publisher();
        setup.delete(&publisher);
        publisher.ensure(&setup.queue, kind).unwrap();
        Some(setup)
    }

    /// A connection to the broker, which may just be starting.
    fn publisher(&self) -> Publisher {
        let until = Instant::now() + WAIT_MAX;
        loop {
            match Publisher::connect(&self.url) {
                Ok(publisher) => return publisher,
                Err(why) => assert!(Instant::now() < until, "{why:?}"),
            }
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Publishes the messages of a round; what was not confirmed is published again.
    fn publish(&self, numbers: std::ops::Range<i64>) {
        let message = |n: i64| (Some(n.to_string()), format!("{{\"n\": {n}}}").into_bytes());
        let until = Instant::now() + WAIT_MAX;
        while let Err(why) = self.publisher().publish(&self.queue, numbers.clone().map(message)) {
            assert!(Instant::now() < until, "{why:?}");
        }
    }

    fn serve(&self, folder: &Path) -> Served {
        let config = folder.join("millrace.toml");
        std::fs::write(&config, &self.config).unwrap();
        serve_by(&folder.join("data"), &config)
    }

    /// Serves for a second, and ends properly.
    fn serve_until_idle(&self, folder: &Path) -> Option<i32> {
        let server = self.serve(folder);
        thread::sleep(Duration::from_secs(1));
        server.terminate()
    }

    fn delete(&self, publisher: &Publisher) {
        publisher.delete(&self.queue).unwrap();
        publisher.delete(&format!("{}.dead", self.queue)).unwrap();
    }

    /// How many of the first dead letters there are: none or one.
    fn dead(&self) -> usize {
        self.publisher().take(&format!("{}.dead", self.queue), 1).unwrap().len()
    }

    /// Everything is settled: the numbers below are in the graph once each, and the queue is empty behind the server's end.
    fn check(&self, folder: &Path, count: i64) {
        let server = self.serve(folder);
        let publisher = self.publisher();
        let is_empty = || publisher.ensure(&self.queue, self.kind).unwrap() == 0;
        let idle = "millrace_queue_unacknowledged{queue=\"people\"} 0\n";
        // What comes again is acknowledged, too.
        wait_until(&server, "all messages are there", || {
            people(&server) >= count && is_empty() && server.get_text("/metrics").contains(idle)
        });
        assert_eq!(server.terminate(), Some(0));
        // The end of the server gives back what the broker had sent ahead.
        wait_until_empty(&is_empty, || assert_eq!(self.serve_until_idle(folder), Some(0)));
        let server = self.serve(folder);
        let distinct = "MATCH (p:Person) RETURN count(p), count(DISTINCT p.n), min(p.n), max(p.n)";
        assert_eq!(cypher(&server, distinct), [count, count, 0, count - 1], "{}", self.queue);
        assert_eq!(server.terminate(), Some(0));
    }
}

/// Serves again as long as messages are left.
fn wait_until_empty(is_empty: &dyn Fn() -> bool, serve: impl Fn()) {
    let until = Instant::now() + WAIT_MAX;
    while !is_empty() {
        assert!(Instant::now() < until, "messages are left in the queue");
        serve();
    }
}

fn wait_until(server: &Served, what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + WAIT_MAX;
    while !holds() {
        let health =
            if until < Instant::now() { server.get_text("/health") } else { String::new() };
        assert!(Instant::now() < until, "in vain: {what}: {health}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn people(server: &Served) -> i64 {
    cypher(server, "MATCH (p:Person) RETURN count(p)")[0]
}

/// The numbers of the only row of a query.
fn cypher(server: &Served, query: &str) -> Vec<i64> {
    let body = serde_json::json!({ "text": query, "language": "cypher" });
    let answer = server.post_json("/query/g", &body.to_string());
    let mut lines = answer.lines().map(serde_json::from_str::<serde_json::Value>);
    let row = lines.find_map(|line| Some(line.unwrap().get("rows")?.clone()));
    let row = row.unwrap_or_else(|| panic!("{answer}"));
    let numbers = row[0].as_array().unwrap_or_else(|| panic!("{answer}"));
    numbers.iter().map(|number| number.as_i64().unwrap()).collect()
}

fn rounds() -> i64 {
    number("MILLRACE_QUEUE_ROUNDS", 2) as i64
}

#[test]
fn kill_nine_of_the_server_loses_and_doubles_nothing() {
    for of in SETUPS {
        let Some(setup) = Setup::new("server-killed", of) else { return };
        let folder = tempfile::tempdir().unwrap();
        let mut rng = Rng::new(0x51ab);
        for round in 0..rounds() {
            setup.publish(round * MESSAGES_A_ROUND..(round + 1) * MESSAGES_A_ROUND);
            let server = setup.serve(folder.path());
            let before = people(&server);
            let enough = before + rng.below(MESSAGES_A_ROUND as u64) as i64;
            let until = Instant::now() + Duration::from_millis(rng.below(2_000));
            // Somewhere in the middle: before the first commit, between two, after the last.
            while Instant::now() < until && people(&server) < enough {}
            server.kill();
        }
        setup.check(folder.path(), rounds() * MESSAGES_A_ROUND);
        assert_eq!(setup.dead(), 0);
        setup.delete(&setup.publisher());
        eprintln!("queues: the server killed {} times, {:?}", rounds(), of);
    }
}

#[test]
fn kill_nine_of_the_broker_loses_and_doubles_nothing() {
    let restart = std::env::var("MILLRACE_AMQP_RESTART").ok();
    if !require_component("queues of RabbitMQ: broker-killed", restart.is_some()) {
        return;
    }
    let restart = restart.unwrap();
    let only = std::env::var("MILLRACE_QUEUE_SETUP").ok();
    let is_wanted = |of: &(QueueKind, u64)| only.as_ref().is_none_or(|only| word_of(*of) == *only);
    for of in SETUPS.into_iter().filter(is_wanted) {
        let Some(setup) = Setup::new("broker-killed", of) else { return };
        let folder = tempfile::tempdir().unwrap();
        let server = setup.serve(folder.path());
        let mut rng = Rng::new(0x7e57);
        for round in 0..rounds() {
            setup.publish(round * MESSAGES_A_ROUND..(round + 1) * MESSAGES_A_ROUND);
            let enough = people(&server) + rng.below(MESSAGES_A_ROUND as u64) as i64;
            let until = Instant::now() + Duration::from_millis(rng.below(500));
            while Instant::now() < until && people(&server) < enough {}
            let done = Command::new("sh").args(["-c", &restart]).status().unwrap();
            assert!(done.success(), "{restart}");
        }
        let count = rounds() * MESSAGES_A_ROUND;
        wait_until(&server, "all messages are there", || people(&server) >= count);
        // Asked of the server: a quorum queue of a broker that was killed often may not answer any more.
        let none = "millrace_queue_messages_total{queue=\"people\",outcome=\"dead\"} 0\n";
        assert!(server.get_text("/metrics").contains(none));
        assert_eq!(server.terminate(), Some(0));
        setup.check(folder.path(), count);
        eprintln!("queues: the broker killed {} times, {:?}", rounds(), of);
    }
}

#[test]
fn a_queue_is_in_health_metrics_and_log_and_ends_before_the_server() {
    let Some(setup) = Setup::new("shown", (QueueKind::Durable, 1)) else { return };
    let folder = tempfile::tempdir().unwrap();
    setup.publish(0..100);
    let server = setup.serve(folder.path());
    wait_until(&server, "all messages are there", || people(&server) == 100);
    let settled = "millrace_queue_unacknowledged{queue=\"people\"} 0";
    wait_until(&server, "all are acknowledged", || server.get_text("/metrics").contains(settled));
    let metrics = server.get_text("/metrics");
    let committed = "millrace_queue_messages_total{queue=\"people\",outcome=\"committed\"} 100";
    assert!(metrics.contains(committed), "{metrics}");
    for (name, ..) in millrace_queue::METRICS {
        assert!(metrics.contains(&format!("# TYPE {name}")), "{name}: {metrics}");
    }
    let health = server.get_text("/health");
    assert!(health.contains("\"queue.people\": \"works\""), "{health}");
    // Without its queue it waits, and says so.
    setup.publisher().delete(&setup.queue).unwrap();
    let gone = || {
        server.get_text("/metrics").contains("millrace_queue_reconnects_total{queue=\"people\"} 1")
    };
    wait_until(&server, "the connection is lost", gone);
    setup.publish_when_declared(100..110);
    wait_until(&server, "it goes on", || people(&server) == 110);
    assert_eq!(server.terminate(), Some(0));
    setup.delete(&setup.publisher());
}

impl Setup {
    /// Publishes behind the server's own declaration, or one that is the same.
    fn publish_when_declared(&self, numbers: std::ops::Range<i64>) {
        self.publisher().ensure(&self.queue, self.kind).unwrap();
        self.publish(numbers);
    }
}

#[test]
fn wrong_settings_of_a_queue_end_the_start_and_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("millrace.toml");
    let data = folder.path().join("data");
    let (config_text, data) = (config.to_str().unwrap(), data.to_str().unwrap());
    let cases = [
        ("[queue.people]\nform = \"jobs\"\nprefech = 1\n", "did you mean `prefetch`?"),
        ("[queue.people]\nform = \"jobs\"\nbatch-messages = 0\n", "batch-messages is `0`"),
        (
            "[queue.people]\nform = \"statement\"\nstatement = \"CRATE ()\"\n",
            "does not parse as cypher",
        ),
        ("[queue]\npeople = 1\n", "queue.people is a integer, and must be a table"),
        ("[queue.people]\nform = \"jobs\"\nurl = \"amqps://ann:secret@h\"\n", "amqps"),
    ];
    for (settings, reason) in cases {
        std::fs::write(&config, settings).unwrap();
        for arguments in [
            &["config", "check", "--config", config_text][..],
            &["serve", "--data", data, "--config", config_text][..],
        ] {
            let ended = run(arguments);
            let said = text(&ended.stderr);
            assert!(said.contains(reason) && !said.contains("secret"), "{arguments:?}: {said}");
            assert_eq!(
                ended.status.code(),
                run(&["config", "check", "--set", "x=1"]).status.code()
            );
        }
    }
    let list = "[queue.people]\nform = \"requests\"\nstatements-allowed = [\"RETURN 1\", \"RETURN \\\"2\\\"\"]\n\
                url = \"amqp://ann:secret@127.0.0.1:1/%2f\"\n";
    std::fs::write(&config, list).unwrap();
    let printed = text(&run(&["config", "print", "--config", config_text]).stdout);
    assert!(printed.contains("queue.people.url = amqp://ann:***@127.0.0.1:1/%2f"), "{printed}");
    assert!(printed.contains("[\"RETURN 1\",\"RETURN \\\"2\\\"\"]"), "{printed}");
}
