//! Attempts that must not block: small reads of values in memory and small writes succeed, all others are left
//! to a thread that may block, and have no effect before.

use std::sync::Arc;

use millrace_db::limits::NON_BLOCKING_BYTES_MAX;
use millrace_db::plan::Runner;
use millrace_db::ragedb::elements::{self, ElementKind, Elements, NodeName, Page, Target, Way};
use millrace_db::session::attempt;
use millrace_db::store::limits::NON_BLOCKING_ROWS_MAX;
use millrace_db::{Database, Graph, Settings, Ticket};
use millrace_model::{Direction, ErrorKind, Result, Value};

use crate::{ask, limits, open};

fn node(key: &str) -> NodeName {
    NodeName::Key { type_name: "Person".to_owned(), key: key.to_owned() }
}

fn out() -> Way {
    Way { direction: Direction::Out, types: None }
}

/// A node that knows so many others.
fn star(graph: &Graph, rays: u64) {
    ask(
        graph,
        &format!(
            "NodeAdd('Person', 'hub')\nfor i = 1, {rays} do NodeAdd('Person', 'p' .. i) \
             RelationshipAdd('KNOWS', 'Person', 'hub', 'Person', 'p' .. i) end\n1"
        ),
    );
}

fn non_blocking<T>(graph: &Graph, work: impl FnOnce(&mut dyn Runner) -> Result<T>) -> Option<T> {
    let read = attempt(&limits(), |few| graph.read(&few, work));
    read.map(|given| given.expect("a good read"))
}

fn listed(elements: Option<Elements>) -> Option<Value> {
    elements.map(|elements| elements.to_value())
}

fn in_memory() -> Arc<Graph> {
    let database = Database::in_memory(Settings::default()).expect("it opens");
    assert!(attempt(&limits(), |_| database.create_graph("one")).is_none());
    database.create_graph("one").expect("it is new")
}

#[test]
fn a_list_below_the_limit_is_answered_and_a_longer_one_would_block() {
    let few = 100;
    for rays in [0, few, NON_BLOCKING_ROWS_MAX as u64] {
        let graph = in_memory();
        star(&graph, rays);
        let (hub, way) = (node("hub"), out());
        let neighbors = |runner: &mut dyn Runner| elements::neighbors(runner, &hub, &way);
        let all = graph.read(&limits(), neighbors).unwrap();
        let found = non_blocking(&graph, neighbors);
        assert_eq!(listed(found), (rays <= few).then(|| all.to_value()), "{rays}");
        let relationships = |runner: &mut dyn Runner| elements::relationships(runner, &hub, &way);
        let all = graph.read(&limits(), relationships).unwrap();
        let found = non_blocking(&graph, relationships);
        assert_eq!(listed(found), (rays <= few).then(|| all.to_value()), "{rays}");
        let degree = |runner: &mut dyn Runner| elements::degree(runner, &hub, &way);
        assert_eq!(non_blocking(&graph, degree), Some(rays as i64), "a degree is never long");
    }
}

#[test]
fn large_values_would_block() {
    let graph = in_memory();
    let of = |bytes: u64| {
        let text = format!("('x'):rep({bytes})");
        format!("NodeAdd('Person', 'p{bytes}', '{{\"text\": \"' .. {text} .. '\"}}')\n1")
    };
    for bytes in [10, NON_BLOCKING_BYTES_MAX] {
        ask(&graph, &of(bytes));
        let target = Target::Node(node(&format!("p{bytes}")));
        let found = non_blocking(&graph, |runner| elements::show(runner, &target));
        assert_eq!(found.is_some(), bytes == 10, "{bytes}");
        assert!(graph.read(&limits(), |runner| elements::show(runner, &target)).unwrap().is_some());
    }
}

#[test]
fn scans_would_block_and_a_snapshot_takes_no_writes() {
    let graph = in_memory();
    star(&graph, 3);
    let page = Page { skip: 0, limit: 2 };
    let list =
        |runner: &mut dyn Runner| elements::list(runner, ElementKind::Vertex, Some("Person"), page);
    assert!(non_blocking(&graph, list).is_none());
    assert!(graph.read(&limits(), list).is_ok(), "the thread may wait again");
    let remove = |runner: &mut dyn Runner| elements::remove(runner, &Target::Node(node("hub")));
    let refused = attempt(&limits(), |few| graph.read(&few, remove));
    assert!(refused.is_some_and(|done| done.unwrap_err().kind == ErrorKind::Forbidden));
}

type Committed = (Value, Option<Ticket>);

fn add(graph: &Graph, key: &str) -> Option<Result<Committed>> {
    attempt(&limits(), |few| {
        graph.commit(&few, |runner| elements::add_node(runner, "Person", key, &vec![]))
    })
}

/// The writes of an attempt are made once: a commit that would wait is left to another thread before it has a
/// place in the log, and one that has a place stands.
#[test]
fn a_small_write_is_queued_and_one_that_would_wait_has_no_effect() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let graph = database.create_graph("one").expect("it is new");
    let people = || database.graph_size("one").unwrap().vertices;
    assert!(add(&graph, "a").is_none(), "a new type is a change of the catalog");
    assert_eq!(people(), 0);
    star(&graph, 1);
    let before = people();
    let (_, ticket) = add(&graph, "a").expect("it waits for nothing").unwrap();
    ticket.expect("it wrote").wait().unwrap();
    assert_eq!(people(), before + 1);
    let again = add(&graph, "a").expect("it waits for nothing");
    assert!(again.is_err(), "the key is taken");
    // A conflict: the first attempt read before the other commit, and a retry would wait for it.
    let target = Target::Node(node("a"));
    let change =
        |value: &str| elements::PropertiesChange::Set("name".to_owned(), Value::from(value));
    graph
        .write(&limits(), |runner| elements::change_properties(runner, &target, &change("first")))
        .unwrap();
    let mut runs = 0;
    let lost = attempt(&limits(), |few| {
        graph.commit(&few, |runner| {
            runs += 1;
            let changed = elements::change_properties(runner, &target, &change("second"))?;
            let other = || elements_of_another_thread(&graph, &target, &change("third"));
            std::thread::scope(|scope| scope.spawn(other).join().expect("it commits"));
            Ok(changed)
        })
    });
    assert_eq!((lost.is_none(), runs), (true, 1));
    let name = |runner: &mut dyn Runner| elements::property(runner, &target, "name");
    let third = Value::map(vec![(Value::from("name"), Value::from("third"))]);
    assert_eq!(graph.read(&limits(), name).unwrap(), third);
}

fn elements_of_another_thread(graph: &Graph, target: &Target, change: &elements::PropertiesChange) {
    let written = graph
        .write(&limits(), |runner| elements::change_properties(runner, target, change))
        .expect("nothing is in its way");
    assert!(written);
}

/// A thread that serves sockets must not read a file, or wait for a thread that does.
#[test]
fn values_that_are_not_in_memory_would_block_and_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    star(&database.create_graph("one").expect("it is new"), 3);
    database.checkpoint().unwrap();
    database.close();
    drop(database);
    let database = open(folder.path());
    let graph = database.graph("one").unwrap();
    let reads = || {
        let metrics = database.metrics();
        let reads = metrics.iter().find(|metric| metric.name == "millrace_segment_reads_total");
        reads.expect("the store counts them").value
    };
    let (hub, way) = (node("hub"), out());
    let before = reads();
    let ask = |runner: &mut dyn Runner| elements::neighbors(runner, &hub, &way);
    assert!(non_blocking(&graph, ask).is_none());
    assert_eq!(reads(), before, "nothing was read");
    let all = graph.read(&limits(), |runner| elements::neighbors(runner, &hub, &way)).unwrap();
    assert!(before < reads(), "now it was");
    let read = reads();
    assert_eq!(listed(non_blocking(&graph, ask)), Some(all.to_value()));
    assert_eq!(reads(), read);
    let nobody = node("nobody");
    let nobody = |runner: &mut dyn Runner| elements::neighbors(runner, &nobody, &way);
    assert_eq!(listed(non_blocking(&graph, nobody)), Some(Value::list(Vec::new())));
}
