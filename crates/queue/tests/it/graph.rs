//! The database of a test, and what is in its graph.

use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_db::languages::Entry;
use millrace_db::session::Request;
use millrace_db::{Database, Results, Settings};
use millrace_model::{DetachedElements, Profile, Result, Value};
use millrace_queue::QueueSettings;
use millrace_queue::settings::{Form, KeyFrom};

pub(crate) const GRAPH: &str = "graph";

/// The statement of most tests: a node for each message.
pub(crate) const CREATE: &str = "UNWIND $messages AS m CREATE (:Person {n: m.n})";

/// How long a test waits for what has to happen.
const WAIT_MAX: Duration = Duration::from_secs(120);

#[derive(Default)]
struct Taken(Vec<Value>);

impl Results for Taken {
    fn begin(&mut self, _streams: bool) {
        self.0.clear();
    }

    fn take(&mut self, values: &[Value], weights: &[u64], _: &DetachedElements) -> Result<()> {
        // Equal rows are one with a weight.
        for (value, weight) in values.iter().zip(weights) {
            self.0.extend((0..*weight).map(|_| value.clone()));
        }
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}

pub(crate) fn in_memory() -> Arc<Database> {
    Arc::new(Database::in_memory(Settings::default()).unwrap())
}

/// Runs a query of Cypher.
pub(crate) fn ask(database: &Database, text: &str) -> Vec<Value> {
    let Entry::Compiled(language) = Entry::of_name("cypher").unwrap() else { panic!("compiled") };
    let request = Request::text(language, text, GRAPH, database.request_limits());
    let mut taken = Taken::default();
    let ticket = database.run(&request, &mut taken).unwrap();
    if let Some(ticket) = ticket {
        ticket.wait().unwrap();
    }
    taken.0
}

/// The numbers of the nodes, in the order in which they were made.
pub(crate) fn numbers(database: &Database) -> Vec<i64> {
    let found = ask(database, "MATCH (p:Person) RETURN p.n ORDER BY id(p)");
    found.iter().map(|value| value.as_int().unwrap()).collect()
}

/// A queue with the statement of most tests.
pub(crate) fn settings() -> QueueSettings {
    QueueSettings {
        form: Some(Form::Statement),
        statement: CREATE.to_owned(),
        graph: GRAPH.to_owned(),
        queue: "people".to_owned(),
        key: KeyFrom::MessageId,
        batch_messages: 20,
        batch_ms: 5,
        prefetch: 60,
        ..QueueSettings::new("people")
    }
}

/// Waits until something holds; fails by its name.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + WAIT_MAX;
    while !holds() {
        assert!(Instant::now() < until, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
