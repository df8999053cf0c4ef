//! Shared resources of requests: the memory of the process, and the interpreters of a graph.

use std::sync::mpsc::channel;

use millrace_db::ragedb::{Access, Script};
use millrace_db::{CancelFlag, Client, Database, RequestLimits, Results, Settings};
use millrace_model::{DetachedElements, ErrorKind, Profile, Result, Value};

use crate::{ask, gremlin_request, limits, script};

/// Results that nothing reads.
pub(crate) struct Ignored;

impl Results for Ignored {
    fn begin(&mut self, _streams: bool) {}

    fn take(&mut self, _: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}

fn small_memory() -> Database {
    let mut settings = Settings::default();
    settings.memory.max = 16 << 20;
    let database = Database::in_memory(settings).expect("as the test has it");
    database.create_graph("graph").expect("as the test has it");
    database
}

#[test]
fn a_query_that_alone_needs_more_than_the_process_may_hold_names_the_setting_and_gives_back() {
    let database = small_memory();
    let graph = database.graph("graph").expect("as the test has it");
    ask(&graph, "for i = 1, 1000 do NodeAdd('P', 'n' .. i) end\n1");
    let text = "g.V().as('a').V().as('b').select('a','b').fold().count(local)";
    let done = database.run(&gremlin_request(text, limits()), &mut Ignored);
    let error = done.map(drop).unwrap_err();
    assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
    assert!(error.to_string().contains("memory.max"), "{error}");
    assert_eq!(database.memory().used(), 0);
    assert!(0 < database.memory().used_most());
    let metrics = database.metrics();
    let refused = metrics.iter().find(|metric| metric.name == "millrace_memory_refused_total");
    assert!(refused.is_some_and(|metric| metric.value == 1.0));
}

#[test]
fn an_interpreter_counts_in_the_memory_of_the_process() {
    let database = small_memory();
    let graph = database.graph("graph").expect("as the test has it");
    let failed = graph.run_script(script("t = {} for i = 1, 100000000 do t[i] = {i} end\n1"));
    let error = failed.unwrap_err().error;
    assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
    assert!(error.to_string().contains("memory.max"), "{error}");
    assert_eq!(ask(&graph, "1 + 1"), "2");
}

#[test]
fn reservations_of_bodies_are_taken_from_the_same_budget() {
    let database = small_memory();
    let body = database.memory().reserve(12 << 20).expect("as the test has it");
    assert!(database.memory().reserve(8 << 20).is_err());
    drop(body);
    assert!(database.memory().reserve(8 << 20).is_ok());
}

#[test]
fn endless_scripts_of_some_clients_do_not_stop_those_of_others() {
    let mut settings = Settings::default();
    settings.scripts.interpreters_max = 2;
    let database = Database::in_memory(settings).expect("as the test has it");
    let graph = database.create_graph("one").expect("as the test has it");
    let cancel = CancelFlag::default();
    let of = |number: u64| RequestLimits {
        client: Client { address: number, connection: number },
        cancel: cancel.clone(),
        ..RequestLimits::within(3_600_000, &Settings::default())
    };
    let (ended, ends) = channel();
    const ENDLESS: u64 = 24;
    for number in 0..ENDLESS {
        let (text, access) = ("while true do end".into(), Access::ReadOnly);
        let ended = ended.clone();
        // Three clients: each has a share of two of eight interpreters.
        let script = Script { text, access, parameters: Vec::new(), limits: of(number % 3) };
        graph.start_script(script, move |result| {
            ended.send(result.is_err()).expect("as the test has it");
        });
    }
    for number in 100..110 {
        let script = Script {
            text: "1 + 1".into(),
            access: Access::ReadOnly,
            parameters: Vec::new(),
            limits: of(number),
        };
        assert_eq!(graph.run_script(script).expect("as the test has it"), "2");
    }
    cancel.cancel();
    assert!((0..ENDLESS).all(|_| ends.recv().expect("as the test has it")));
}
