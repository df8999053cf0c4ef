//! Nothing lost and nothing twice, whatever breaks when.

use std::sync::Arc;
use std::time::Duration;

use millrace_db::{Database, Settings};
use millrace_queue::settings::KeyFrom;
use millrace_queue::{Counts, Queue, QueueSettings};
use millrace_testkit::{Rng, run_seeds};

use crate::fake::{FakeBroker, Faults, person};
use crate::graph::{GRAPH, ask, in_memory, numbers, settings, wait_until};

pub(crate) fn start(
    database: &Arc<Database>,
    settings: &QueueSettings,
    broker: &FakeBroker,
) -> Queue {
    Queue::start(database, settings.clone(), |_, link| broker.source(link)).unwrap()
}

fn stop(queue: Queue) -> Counts {
    let counts = queue.counts();
    queue.stop(Duration::from_secs(10));
    counts
}

#[test]
fn messages_are_applied_in_order_and_acknowledged() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    broker.publish((0..500).map(person));
    let queue = start(&database, &settings(), &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(numbers(&database), (0..500).collect::<Vec<_>>());
    assert_eq!(stop(queue), Counts { committed: 500, ..Counts::default() });
}

#[test]
fn what_comes_again_is_acknowledged_and_not_applied() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    // In one batch, in the next one, and all of them again.
    let twice = (0..100).flat_map(|number| [person(number), person(number)]);
    broker.publish(twice.chain((0..100).map(person)));
    let queue = start(&database, &settings(), &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(numbers(&database), (0..100).collect::<Vec<_>>());
    assert_eq!(stop(queue), Counts { committed: 100, repeated: 200, ..Counts::default() });
}

#[test]
fn without_keys_messages_are_counted_and_applied_as_often_as_they_come() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    let unkeyed = |number| {
        let mut message = person(number);
        message.properties = Default::default();
        message
    };
    broker.publish((0..10).map(unkeyed).chain((0..10).map(unkeyed)));
    let queue = start(&database, &settings(), &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(numbers(&database).len(), 20);
    assert_eq!(stop(queue), Counts { unkeyed: 20, ..Counts::default() });
    let graph = database.graph(GRAPH).unwrap();
    assert_eq!(graph.notes("queue.").unwrap(), []);
}

#[test]
fn a_key_may_be_in_the_message() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    let unnamed = |number| {
        let mut message = person(number);
        message.properties = Default::default();
        message
    };
    broker.publish((0..10).map(unnamed).chain((0..10).map(unnamed)));
    let settings = QueueSettings { key: KeyFrom::Path(vec!["n".to_owned()]), ..settings() };
    let queue = start(&database, &settings, &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(numbers(&database), (0..10).collect::<Vec<_>>());
    assert_eq!(stop(queue), Counts { committed: 10, repeated: 10, ..Counts::default() });
}

/// Connections break anywhere, messages come twice from their publisher, and the process ends in between: its memory
/// is gone, and the graph is what it was.
#[test]
fn nothing_is_lost_or_doubled_whatever_breaks() {
    run_seeds(8, |seed, rng| {
        let consumers = if rng.below(2) == 0 { 1 } else { 4 };
        let settings = QueueSettings { consumers, ..settings() };
        let folder = tempfile::tempdir().unwrap();
        let broker = FakeBroker::new(seed, Faults(25), settings.prefetch);
        let count = 1_000;
        broker.publish((0..count).map(person));
        broker.publish((0..300).map(|_| person(rng.below(count as u64) as i64)));
        let mut lives = 0;
        while !broker.is_empty() {
            lives += 1;
            let database = Database::open(folder.path(), Settings::default()).unwrap();
            let database = Arc::new(database);
            let queue = start(&database, &settings, &broker);
            live(&broker, rng);
            // The end of a process: nothing of it reaches the broker any more.
            broker.with(|state| state.is_down = true);
            queue.stop(Duration::from_secs(10));
            broker.with(|state| state.is_down = false);
            database.close();
        }
        let database = Database::open(folder.path(), Settings::default()).unwrap();
        let mut found = numbers(&database);
        found.sort_unstable();
        assert_eq!(found, (0..count).collect::<Vec<_>>(), "after {lives} lives");
    });
}

/// Until a random share of what is left was acknowledged.
fn live(broker: &FakeBroker, rng: &mut Rng) {
    let left = broker.with(|state| state.ready.len());
    let until = rng.below(left as u64 + 1) as usize;
    wait_until("messages are taken", || broker.with(|state| state.ready.len()) <= until);
    if until == 0 && rng.below(2) == 0 {
        wait_until("all are acknowledged", || broker.is_empty());
    }
}

#[test]
fn keys_are_read_again_after_the_graph_was_dropped_or_another_process_wrote_them() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    let queue = start(&database, &settings(), &broker);
    broker.publish((0..30).map(person));
    wait_until("all are acknowledged", || broker.is_empty());
    // Another process goes on with the same notes.
    let other_broker = FakeBroker::new(2, Faults(0), 60);
    other_broker.publish((30..60).map(person));
    let other = start(&database, &settings(), &other_broker);
    wait_until("all are acknowledged", || other_broker.is_empty());
    stop(other);
    broker.publish((0..90).map(person));
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(numbers(&database), (0..90).collect::<Vec<_>>());
    database.empty_graph(GRAPH).unwrap();
    broker.publish((0..30).map(person));
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(numbers(&database), (0..30).collect::<Vec<_>>());
    stop(queue);
}

#[test]
fn keys_beyond_the_bound_go_and_no_scan_or_count_shows_any() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 5_000));
    let settings =
        QueueSettings { batch_messages: 2_500, prefetch: 5_000, batch_ms: 100, ..settings() };
    broker.publish((0..120_000).map(person));
    let queue = start(&database, &settings, &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    let notes = database.graph(GRAPH).unwrap().notes("queue.people.keys.").unwrap();
    assert!((100..=103).contains(&notes.len()), "{} notes", notes.len());
    assert_eq!(ask(&database, "MATCH (n) RETURN count(n)")[0].as_int(), Some(120_000));
    broker.publish((20_000..120_000).map(person));
    wait_until("all are acknowledged", || broker.is_empty());
    let counts = stop(queue);
    assert_eq!((counts.committed, counts.repeated), (120_000, 100_000));
}

#[test]
fn a_conflict_with_other_writers_is_tried_again() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    ask(&database, "CREATE (:Counter {n: 0})");
    let settings = QueueSettings {
        statement: "UNWIND $messages AS m MATCH (c:Counter) SET c.n = c.n + 1".to_owned(),
        consumers: 4,
        ..settings()
    };
    broker.publish((0..400).map(person));
    let queue = start(&database, &settings, &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(ask(&database, "MATCH (c:Counter) RETURN c.n")[0].as_int(), Some(400));
    assert_eq!(stop(queue).committed, 400);
}
