//! Non-blocking reads: small results of values in memory are answered, all others would block.

use std::sync::Arc;

use millrace_db::limits::NON_BLOCKING_BYTES_MAX;
use millrace_db::model::{Direction, ErrorKind, Result, Value};
use millrace_db::plan::Runner;
use millrace_db::ragedb::elements::{self, ElementKind, Elements, NodeName, Page, Target, Way};
use millrace_db::ragedb::limits::INLINE_ROWS_MAX;
use millrace_db::{Database, Graph, Settings};

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

fn non_blocking<T>(
    graph: &Graph,
    work: impl FnOnce(&mut dyn Runner) -> Result<Option<T>>,
) -> Option<T> {
    graph.try_read(&limits(), work).map(|given| given.expect("a good read"))
}

fn listed(elements: Option<Elements>) -> Option<Value> {
    elements.map(|elements| elements.to_value())
}

fn in_memory() -> Arc<Graph> {
    let database = Database::in_memory(Settings::default()).expect("it opens");
    assert!(database.try_graph("g").is_none());
    let graph = database.create_graph("g").expect("it is new");
    assert!(database.try_graph("g").is_some());
    graph
}

#[test]
fn a_list_below_the_limit_is_answered_and_a_longer_one_would_block() {
    for rays in [0, 5, INLINE_ROWS_MAX, INLINE_ROWS_MAX + 1] {
        let graph = in_memory();
        star(&graph, rays);
        let (hub, way) = (node("hub"), out());
        let all = |runner: &mut dyn Runner| elements::neighbors(runner, &hub, &way);
        let all = graph.read(&limits(), all).unwrap();
        let few = non_blocking(&graph, |runner| elements::try_neighbors(runner, &hub, &way));
        assert_eq!(listed(few), (rays <= INLINE_ROWS_MAX).then(|| all.to_value()), "{rays}");
        let edges = |runner: &mut dyn Runner| elements::relationships(runner, &hub, &way);
        let edges = graph.read(&limits(), edges).unwrap();
        let few = non_blocking(&graph, |runner| elements::try_relationships(runner, &hub, &way));
        assert_eq!(listed(few), (rays <= INLINE_ROWS_MAX).then(|| edges.to_value()), "{rays}");
        let degree = |runner: &mut dyn Runner| elements::degree(runner, &hub, &way).map(Some);
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
fn scans_and_writes_would_block() {
    let graph = in_memory();
    star(&graph, 3);
    let page = Page { skip: 0, limit: 2 };
    let list = |runner: &mut dyn Runner| {
        elements::list(runner, ElementKind::Vertex, Some("Person"), page).map(Some)
    };
    assert!(non_blocking(&graph, list).is_none());
    assert!(graph.read(&limits(), list).unwrap().is_some(), "the thread may wait again");
    let remove =
        |runner: &mut dyn Runner| elements::remove(runner, &Target::Node(node("hub"))).map(Some);
    let refused = graph.try_read(&limits(), remove);
    assert!(refused.is_some_and(|done| done.unwrap_err().kind == ErrorKind::Forbidden));
}

/// A thread that serves sockets must not read a file, or wait for a thread that does.
#[test]
fn values_that_are_not_in_memory_would_block_and_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    star(&database.create_graph("g").expect("it is new"), 3);
    database.checkpoint().unwrap();
    database.close();
    drop(database);
    let database = open(folder.path());
    let graph = database.graph("g").unwrap();
    let reads = || {
        let metrics = database.metrics();
        let reads = metrics.iter().find(|metric| metric.name == "millrace_segment_reads_total");
        reads.expect("the store counts them").value
    };
    let (hub, way) = (node("hub"), out());
    let before = reads();
    let ask = |runner: &mut dyn Runner| elements::try_neighbors(runner, &hub, &way);
    assert!(non_blocking(&graph, ask).is_none());
    assert_eq!(reads(), before, "nothing was read");
    let all = graph.read(&limits(), |runner| elements::neighbors(runner, &hub, &way)).unwrap();
    assert!(before < reads(), "now it was");
    let read = reads();
    assert_eq!(listed(non_blocking(&graph, ask)), Some(all.to_value()));
    assert_eq!(reads(), read);
    let nobody = node("nobody");
    let nobody = |runner: &mut dyn Runner| elements::try_neighbors(runner, &nobody, &way);
    assert_eq!(listed(non_blocking(&graph, nobody)), Some(Value::list(Vec::new())));
}
