//! Traversals with more walks than 64 bits count.

use std::collections::HashMap;

use millrace_db::{Database, Settings};
use millrace_model::Value;
use millrace_testkit::{gremlin_suite, require};

use super::graphs::Graphs;
use super::scenarios::run;

fn values(database: &Database, graph: &str, text: &str) -> Vec<Value> {
    let found = run(database, graph, text, &HashMap::new(), &[]);
    found.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn number(value: &Value) -> u128 {
    match value {
        Value::Decimal(decimal) if decimal.scale == 0 => decimal.unscaled.unsigned_abs(),
        other => other.as_int().and_then(|int| u128::try_from(int).ok()).expect("a count"),
    }
}

/// How many walks of so many hops there are, by powers of the adjacency matrix.
fn walks(edges: &[(i64, i64)], vertices: &[i64], hops: usize) -> u128 {
    let mut walks: HashMap<i64, u128> = vertices.iter().map(|vertex| (*vertex, 1)).collect();
    for _ in 0..hops {
        let mut next: HashMap<i64, u128> = HashMap::new();
        for (from, to) in edges {
            *next.entry(*to).or_default() += walks.get(from).copied().unwrap_or(0);
            *next.entry(*from).or_default() += walks.get(to).copied().unwrap_or(0);
        }
        walks = next;
    }
    walks.values().sum()
}

fn ints(values: &[Value]) -> Vec<i64> {
    values.iter().map(|value| value.as_int().expect("an id")).collect()
}

#[test]
fn ten_hops_over_the_grateful_dead_are_counted() {
    let suite = gremlin_suite();
    if !require("TinkerPop's feature files", suite.is_some()) {
        return;
    }
    let graphs = Graphs::open(&suite.expect("looked at above"));
    let database = graphs.database();
    let ask = |text: &str| values(database, "grateful", text);
    let ends = ["g.E().order().by(id).outV().id()", "g.E().order().by(id).inV().id()"];
    let [sources, targets] = ends.map(|text| ints(&ask(text)));
    let edges: Vec<(i64, i64)> = sources.into_iter().zip(targets).collect();
    let vertices = ints(&ask("g.V().id()"));
    assert_eq!((edges.len(), vertices.len()), (8_049, 808));
    for hops in [1, 5, 9, 10, 11] {
        let found = ask(&format!("g.V().repeat(both()).times({hops}).count()"));
        assert_eq!(number(&found[0]), walks(&edges, &vertices, hops), "{hops} hops");
    }
}

#[test]
fn each_vertex_is_counted_and_reached_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::open(folder.path(), Settings::default()).expect("it opens");
    database.create_graph("one").expect("a new graph");
    // A vertex with 128 loops, each of which leads back twice: 2^8 ways a hop.
    let loops: Vec<String> = (0..128).map(|number| number.to_string()).collect();
    let made = format!("g.inject({}).V(1).as('a').addE('e').from('a').to('a')", loops.join(","));
    for text in ["g.addV('a').property(T.id, 1)", &made] {
        values(&database, "one", text);
    }
    let walk = "g.V(1).repeat(both()).times(10)";
    let counted =
        values(&database, "one", &format!("{walk}.groupCount().by(id).select(values).unfold()"));
    assert_eq!(number(&counted[0]), 1 << 80);
    assert_eq!(values(&database, "one", &format!("{walk}.dedup().count()")), [Value::I64(1)]);
}
