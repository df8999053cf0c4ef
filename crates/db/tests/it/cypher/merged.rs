//! MERGE of relationships between nodes that are bound, and long ranges.

use millrace_db::languages::Entry;
use millrace_db::session::{ExplicitTransaction, Ran, Request};
use millrace_model::{ErrorKind, Value};

use super::{Graph, Rows};
use crate::limits;

/// More relationships than are searched one by one.
const MANY: i64 = 200;

fn one(graph: &Graph, text: &str) -> i64 {
    let rows = graph.run(text).unwrap_or_else(|error| panic!("{text}: {error}")).rows;
    let [row] = rows.as_slice() else { panic!("{text}: {rows:?}") };
    row[0].as_int().unwrap_or_else(|| panic!("{text}: {row:?}"))
}

/// A hub with a relationship to each even node and from each odd one.
fn hub() -> Graph {
    let graph = Graph::new();
    for text in [
        format!("CREATE (:Hub) WITH 1 AS one UNWIND range(1, {MANY}) AS n CREATE (:Leaf {{n: n}})"),
        "MATCH (h:Hub), (l:Leaf) WHERE l.n % 2 = 0 CREATE (h)-[:R {n: l.n}]->(l)".to_owned(),
        "MATCH (h:Hub), (l:Leaf) WHERE l.n % 2 = 1 CREATE (l)-[:R {n: l.n}]->(h)".to_owned(),
    ] {
        graph.run(&text).expect("it is sound");
    }
    graph
}

#[test]
fn a_relationship_of_a_long_list_is_found_from_either_end() {
    let graph = hub();
    let merge = |pattern: &str| {
        let text = format!(
            "MATCH (h:Hub), (l:Leaf) MERGE {pattern} \
             ON CREATE SET r.is_new = true ON MATCH SET r.found = coalesce(r.found, 0) + 1"
        );
        graph.run(&text).unwrap().counts.edges_created as i64
    };
    let all = "MATCH (:Hub)-[r:R]-(:Leaf) RETURN count(r)";
    // Half of them are there.
    assert_eq!([merge("(h)-[r:R]->(l)"), one(&graph, all)], [MANY / 2, MANY + MANY / 2]);
    assert_eq!([merge("(h)<-[r:R]-(l)"), one(&graph, all)], [MANY / 2, 2 * MANY]);
    assert_eq!([merge("(l)-[r:R]->(h)"), one(&graph, all)], [0, 2 * MANY]);
    assert_eq!(one(&graph, "MATCH ()-[r:R]->() WHERE r.is_new RETURN count(r)"), MANY);
    assert_eq!(one(&graph, "MATCH ()-[r:R]->() RETURN sum(r.found)"), MANY / 2 + MANY / 2 + MANY);
    let found = "MATCH (h:Hub), (l:Leaf) MATCH (h)-[r:R]-(l) RETURN count(r)";
    assert_eq!(one(&graph, found), 2 * MANY);
}

#[test]
fn rows_of_one_pair_make_one_relationship_for_each_value_of_its_properties() {
    let graph = hub();
    let text = "MATCH (h:Hub), (l:Leaf {n: 1}) UNWIND [1, 1, 2] AS n MERGE (h)-[r:R {n: n}]->(l) \
                RETURN count(r), count(DISTINCT r)";
    let rows = graph.run(text).unwrap();
    assert_eq!(rows.rows, [[Value::I64(3), Value::I64(2)]]);
    assert_eq!(rows.counts.edges_created, 2);
    assert_eq!(graph.run(text).unwrap().counts.edges_created, 0);
    let null = "MATCH (h:Hub), (l:Leaf {n: 1}) MERGE (h)-[:R {n: null}]->(l)";
    assert!(graph.run(null).is_err(), "null equals nothing");
}

#[test]
fn transactions_that_merge_one_relationship_at_the_same_time_make_one() {
    let graph = hub();
    let Entry::Compiled(cypher) = Entry::of_name("cypher").unwrap() else { panic!("compiled") };
    let text = "MATCH (h:Hub), (l:Leaf {n: 1}) MERGE (h)-[r:R]->(l)";
    let request = Request::text(cypher, text, "g1", limits());
    let begun = || {
        let mut own = ExplicitTransaction::begin(false);
        let ran = own.run(&graph.0, 0, &request, &mut Rows::default()).unwrap();
        assert_eq!(ran, Ran::Done);
        own
    };
    let (first, second) = (begun(), begun());
    first.commit().unwrap().unwrap().wait().unwrap();
    assert_eq!(second.commit().err().map(|error| error.kind), Some(ErrorKind::Conflict));
    assert_eq!(one(&graph, "MATCH (:Hub)-[r:R]->(:Leaf {n: 1}) RETURN count(r)"), 1);
}

#[test]
fn a_range_is_unwound_that_is_longer_than_a_list() {
    let graph = Graph::new();
    assert_eq!(one(&graph, "UNWIND range(1, 3000000) AS n RETURN count(n)"), 3_000_000);
    assert_eq!(one(&graph, "UNWIND range(9, 1, -4) AS n RETURN sum(n)"), 15);
    assert_eq!(one(&graph, "UNWIND range(1, null) AS n RETURN count(n)"), 0);
    let error = graph.run("UNWIND range(1, 2, 0) AS n RETURN n").err().unwrap();
    assert_eq!(error.name, Some("NumberOutOfRange"));
}

#[test]
fn what_is_found_by_a_value_equals_it() {
    let graph = Graph::new();
    graph.run("CREATE INDEX FOR (n:L) ON (n.k)").unwrap();
    graph.run("UNWIND ['a', 1, 1.0, true, 0.0 / 0.0] AS k CREATE (:L {k: k})").unwrap();
    for (values, found) in [
        ("['a', 'b', null, 'a']", 2),
        ("[1, 2]", 2),
        ("[1.0]", 2),
        ("[0.0 / 0.0]", 0),
        ("['a', 0.0 / 0.0, 1, [1], null]", 3),
    ] {
        let text = format!("UNWIND {values} AS v MATCH (n:L {{k: v}}) RETURN count(n)");
        assert_eq!(one(&graph, &text), found, "{values}");
        let map = format!(
            "UNWIND {values} AS v WITH {{v: v}} AS m MATCH (n:L {{k: m.v}}) RETURN count(n)"
        );
        assert_eq!(one(&graph, &map), found, "{values} in maps");
    }
}

#[test]
fn a_statement_that_runs_often_gets_a_plan_for_the_graph_as_it_is() {
    let graph = Graph::new();
    graph.run("UNWIND range(1, 64) AS n CREATE (:B {n: n})").unwrap();
    graph.run("MATCH (b:B {n: 1}) CREATE (:A)-[:R]->(b)").unwrap();
    let plan = || graph.run("PROFILE MATCH (:A)-[r:R]->(:B) RETURN count(r)").unwrap().text;
    let starts_at =
        |label: &str| plan().is_some_and(|text| text.contains(&format!("Scan ({label})")));
    assert!(starts_at("A"), "{:?}", plan());
    graph.run("UNWIND range(1, 4096) AS n CREATE (:A)").unwrap();
    assert!((0..1_000).any(|_| starts_at("B")), "{:?}", plan());
}
