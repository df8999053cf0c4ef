//! Equalities between nodes that are found apart: the same rows whatever indexes there are, at a cost that grows
//! with the rows. An index on a key that tells few nodes apart made each row compare all of its nodes.

use std::time::{Duration, Instant};

use super::Graph;

/// The forms of an equality of `x` between a node of group 1 and one of group 2.
const FORMS: &[&str] = &[
    "MATCH (a:L {grp: 1}), (b:L {grp: 2}) WHERE a.x = b.x RETURN count(*)",
    "MATCH (a:L {grp: 1}) MATCH (b:L {grp: 2}) WHERE b.x = a.x RETURN count(*)",
    "MATCH (a:L {grp: 1}) MATCH (b:L {x: a.x, grp: 2}) RETURN count(*)",
    "MATCH (a:L {grp: 1}) MATCH (b {x: a.x, grp: 2}) RETURN count(*)",
    "MATCH (a {grp: 1}), (b {grp: 2}) WHERE a.x = b.x RETURN count(*)",
    "MATCH (a:L {grp: 1}) OPTIONAL MATCH (b:L {grp: 2}) WHERE a.x = b.x RETURN count(b)",
    "MATCH (a:L {grp: 1}) RETURN sum(COUNT { MATCH (b:L {grp: 2}) WHERE a.x = b.x })",
    "MATCH (a:L {grp: 1}) CALL (a) { MATCH (b:L {grp: 2, x: a.x}) RETURN b } RETURN count(*)",
    "MATCH (a:L {grp: 1}) WITH collect(a.x) AS xs UNWIND xs AS x \
     MATCH (b:L {x: x, grp: 2}) RETURN count(*)",
    "MATCH (a:L {grp: 1}) WITH collect({x: a.x, grp: 2}) AS rows UNWIND rows AS row \
     MATCH (b:L) WHERE b.grp = row.grp AND b.x = row.x RETURN count(*)",
    // The nodes that are equal are not those that the patterns begin with, or the values are calculated.
    "MATCH (a:L {grp: 1})-[:R]->(u), (b:L {grp: 2})-[:R]->(v) WHERE u.x = v.x RETURN count(*)",
    "MATCH (u)<-[:R]-(a:L {grp: 1}) MATCH (b:L {grp: 2})-[:R]->(v) WHERE v.x = u.x AND b.grp > 1 RETURN count(*)",
    "MATCH (a:L {grp: 1}), (b:L {grp: 2}) WHERE coalesce(a.x, null) = coalesce(b.x, null) RETURN count(*)",
    "MATCH (a:L {grp: 1}), (b:L {grp: 2}) WHERE [a.x, 1] = [b.x, 1] RETURN count(*)",
    "MATCH (a:L {grp: 1}) OPTIONAL MATCH (b:L {grp: 2})-[:R]->(v) WHERE a.x = v.x RETURN count(v)",
    "MATCH (a:L {grp: 1}) RETURN sum(COUNT { MATCH (b:L {grp: 2})-[:R]->(v) WHERE a.x = v.x })",
];

/// Each node leads to one with its value.
const TARGETS: &str = "MATCH (a:L) CREATE (a)-[:R]->(:T {x: a.x})";

const INDEXES: &[&[&str]] =
    &[&[], &["n.grp"], &["n.x"], &["n.grp", "n.x"], &["n.grp, n.x"], &["n.other, n.x", "n.grp"]];

fn indexed(keys: &[&str]) -> Graph {
    let graph = Graph::new();
    for keys in keys {
        graph.run(&format!("CREATE INDEX FOR (n:L) ON ({keys})")).expect("is made");
    }
    graph
}

#[test]
fn values_that_are_equal_are_joined_whatever_indexes_there_are() {
    let values = "[1, 1.0, 2, '1', 'x', true, null, 0.0/0.0, -0.0, 0, [1], [1.0], \
                  date('2020-01-01'), datetime('2020-01-01T00:00Z'), \
                  datetime('2020-01-01T01:00+01:00'), duration('P1D'), 9007199254740993, 9007199254740992.0]";
    for keys in INDEXES {
        let graph = indexed(keys);
        let texts = [
            format!(
                "UNWIND {values} AS x UNWIND range(1, 20) AS i CREATE (:L {{grp: 1, x: x, i: i}})"
            ),
            format!(
                "UNWIND {values} AS x UNWIND range(1, 3) AS i CREATE (:L {{grp: 2, x: x, i: i}})"
            ),
            "UNWIND range(1, 50) AS i CREATE (:L {grp: 2}), (:M {grp: 2, y: 1})".to_owned(),
            TARGETS.to_owned(),
        ];
        texts.iter().for_each(|text| drop(graph.run(text).expect("is made")));
        let pairs = "MATCH (a {grp: 1}) WITH collect(a.x) AS xs MATCH (b {grp: 2}) \
                     WITH xs, collect(b.x) AS ys UNWIND xs AS x UNWIND ys AS y \
                     WITH x, y WHERE x = y RETURN count(*)";
        let expected = graph.ask(pairs);
        assert_ne!(expected, ["0"]);
        for form in FORMS {
            assert_eq!(graph.ask(form), expected, "{form} with {keys:?}");
        }
        let exists = "MATCH (a:L {grp: 1}) WHERE EXISTS { MATCH (b:L {grp: 2}) WHERE a.x = b.x } \
                      RETURN count(*)";
        let some = "MATCH (b {grp: 2}) WITH collect(b.x) AS ys MATCH (a:L {grp: 1}) \
                    WHERE any(y IN ys WHERE y = a.x) RETURN count(*)";
        assert_eq!(graph.ask(exists), graph.ask(some), "with {keys:?}");
    }
}

#[test]
fn a_join_beside_an_index_of_few_values_costs_what_its_rows_cost() {
    const ROWS: usize = 4_000;
    let graph = indexed(&["n.grp"]);
    for grp in [1, 2] {
        let text = format!("UNWIND range(1, {ROWS}) AS i CREATE (:L {{grp: {grp}, x: 'x' + i}})");
        graph.run(&text).expect("is made");
    }
    graph.run(TARGETS).expect("is made");
    let merge =
        format!("UNWIND range(1, {ROWS}) AS i MERGE (b:L {{grp: 2, x: 'x' + i}}) RETURN count(*)");
    for form in FORMS.iter().copied().chain([merge.as_str()]) {
        let begun = Instant::now();
        assert_eq!(graph.ask(form), [ROWS.to_string()], "{form}");
        // Each pair compared would be sixteen million comparisons.
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(4), "{form}: {took:?}");
    }
}

#[test]
fn a_relationship_occurs_once_in_a_match_that_is_joined() {
    let graph = indexed(&[]);
    graph
        .run("UNWIND range(1, 5) AS i CREATE (:L {i: i})-[:R {i: i % 2}]->(:T {x: i % 2})")
        .expect("is made");
    let count = |text: &str| graph.ask(text);
    // 13 pairs of equal ends, 5 of them of one relationship twice.
    let one = "MATCH (a)-[r]->(u), (b)-[s]->(v) WHERE u.x = v.x RETURN count(*)";
    assert_eq!(count(one), ["8"]);
    assert_eq!(count(&one.replace("(u), (b)", "(u) MATCH (b)")), ["13"]);
    let edges =
        "MATCH (a)-[r]->(u) MATCH (b)-[s]->(v) WHERE r.i = s.i AND a.i < b.i RETURN count(*)";
    assert_eq!(count(edges), ["4"]);
}
