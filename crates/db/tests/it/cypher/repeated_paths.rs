//! Repeated parts of a path, each beside an equivalent query of fixed lengths.

use super::Graph;
use super::schema::check;

const GRAPH: &str = "CREATE (a:A {n: 1}), (b:B {n: 2}), (c:A {n: 3}), (d:B {n: 4}), (e:C {n: 5}), \
    (a)-[:R {w: 1}]->(b), (b)-[:R {w: 2}]->(c), (c)-[:R {w: 3}]->(a), (c)-[:S {w: 4}]->(d), \
    (d)-[:S {w: 5}]->(e), (b)-[:S {w: 6}]->(b), (d)-[:R {w: 7}]->(a), (a)-[:S {w: 8}]->(b)";

fn graph() -> Graph {
    let graph = Graph::new();
    check(&graph, &[(GRAPH, &[])]);
    graph
}

/// Both queries give the same rows, some at least, in any order.
fn same(graph: &Graph, repeated: &str, fixed: &str) {
    let sorted = |text: &str| {
        let mut rows = graph.ask(text);
        rows.sort();
        rows
    };
    let (given, wanted) = (sorted(repeated), sorted(fixed));
    assert!(!wanted.is_empty() && !wanted[0].starts_with("error"), "{fixed}\n  gives {wanted:?}");
    assert_eq!(given, wanted, "{repeated}");
}

#[test]
fn a_part_of_one_relationship_gives_lists_in_the_order_of_the_text() {
    let graph = graph();
    let lists = "RETURN [v IN x | v.n] AS x, [e IN r | e.w] AS r, [v IN y | v.n] AS y";
    let one = "RETURN [x.n] AS x, [r.w] AS r, [y.n] AS y";
    let two = "RETURN [x.n, y.n] AS x, [r.w, q.w] AS r, [y.n, z.n] AS y";
    same(
        &graph,
        &format!("MATCH ((x)-[r:R]->(y)){{1,2}} {lists}"),
        &format!("MATCH (x)-[r:R]->(y) {one} UNION ALL MATCH (x)-[r:R]->(y)-[q:R]->(z) {two}"),
    );
    same(
        &graph,
        &format!("MATCH (s) ((x)-[r]->(y)){{1,2}} (t:C) {lists}"),
        &format!("MATCH (x)-[r]->(y:C) {one} UNION ALL MATCH (x)-[r]->(y)-[q]->(z:C) {two}"),
    );
    same(
        &graph,
        &format!("MATCH ((x)-[r]-(y)){{2}} {lists}"),
        &format!("MATCH (x)-[r]-(y)-[q]-(z) {two}"),
    );
    same(
        &graph,
        &format!("MATCH ((x:A)-[r]->(y:B {{n: 2}}))+ {lists}"),
        &format!("MATCH (x:A)-[r]->(y:B {{n: 2}}) {one}"),
    );
    same(
        &graph,
        &format!("MATCH (s:C) ((x)<-[r]-(y) WHERE y.n < x.n){{1,2}} {lists}"),
        &format!(
            "MATCH (x:C)<-[r]-(y) WHERE y.n < x.n {one} UNION ALL \
             MATCH (x:C)<-[r]-(y)<-[q]-(z) WHERE y.n < x.n AND z.n < y.n {two}"
        ),
    );
}

#[test]
fn a_part_of_two_relationships_gives_every_second_element() {
    let graph = graph();
    let lists = "RETURN [v IN x | v.n] AS x, [e IN r | e.w] AS r, [v IN y | v.n] AS y, \
                 [e IN q | e.w] AS q, [v IN z | v.n] AS z";
    let one = "RETURN [x.n] AS x, [r.w] AS r, [y.n] AS y, [q.w] AS q, [z.n] AS z";
    let two = "RETURN [x.n, z.n] AS x, [r.w, r2.w] AS r, [y.n, y2.n] AS y, [q.w, q2.w] AS q, \
               [z.n, z2.n] AS z";
    for (ends, part) in [
        (("(x:A)", "(z)"), "-[r:R]->(y)-[q]-"),
        (("(x)", "(z:C)"), "-[r]-(y)-[q:S]->"),
        (("(x:A)", "(z)"), "<-[r]-(y)<-[q]-"),
        (("(x)", "(z:A)"), "-[r]->(y:B)-[q]-"),
    ] {
        let ((first, last), second) = (ends, part.replace("[r", "[r2").replace("[q", "[q2"));
        let second = second.replace("(y", "(y2");
        let outer = |node: &str| node.replace(['x', 'z'], "");
        same(
            &graph,
            &format!("MATCH {} ((x){part}(z)){{1,2}} {} {lists}", outer(first), outer(last)),
            &format!(
                "MATCH {first}{part}{last} {one} UNION ALL MATCH {first}{part}(z){second}{} {two}",
                last.replace('z', "z2")
            ),
        );
        // A condition on both ends of a repetition.
        same(
            &graph,
            &format!(
                "MATCH {} ((x){part}(z) WHERE x.n <= z.n AND r.w <> 3){{1,2}} {} {lists}",
                outer(first),
                outer(last)
            ),
            &format!(
                "MATCH {first}{part}{last} WHERE x.n <= z.n AND r.w <> 3 {one} UNION ALL \
                 MATCH {first}{part}(z){second}{} \
                 WHERE x.n <= z.n AND z.n <= z2.n AND r.w <> 3 AND r2.w <> 3 {two}",
                last.replace('z', "z2")
            ),
        );
    }
}

#[test]
fn a_node_that_occurs_twice_in_a_part_is_one_node() {
    let graph = graph();
    same(
        &graph,
        "MATCH ((x)-[r]->(y)-[q]-(x)){1,2} RETURN [v IN x | v.n] AS x, [v IN y | v.n] AS y",
        "MATCH (x)-[r]->(y)-[q]-(x) RETURN [x.n] AS x, [y.n] AS y UNION ALL \
         MATCH (x)-[r]->(y)-[q]-(x)-[r2]->(y2)-[q2]-(x) RETURN [x.n, x.n] AS x, [y.n, y2.n] AS y",
    );
    check(
        &graph,
        &[("MATCH ((x)-[r]->(x))+ RETURN [v IN x | v.n], [e IN r | e.w]", &["[2], [6]"])],
    );
}

#[test]
fn no_repetition_is_a_path_too() {
    let graph = graph();
    same(
        &graph,
        "MATCH p = (s:A) ((x:C)-[r:S]->(y) WHERE r.w > 100){0,2} (t) \
         RETURN s.n AS s, x, r, y, t.n AS t, length(p) AS l",
        "MATCH (s:A) RETURN s.n AS s, [] AS x, [] AS r, [] AS y, s.n AS t, 0 AS l",
    );
    same(
        &graph,
        "MATCH (s) ((x)-[r:S]->(y)-[q:S]->(z) WHERE x.n < z.n)* (t:C) \
         RETURN s.n AS s, [v IN x | v.n] AS x, [v IN z | v.n] AS z",
        "MATCH (s:C) RETURN s.n AS s, [] AS x, [] AS z UNION ALL \
         MATCH (x)-[r:S]->(y)-[q:S]->(z:C) RETURN x.n AS s, [x.n] AS x, [z.n] AS z",
    );
}

#[test]
fn relationships_of_a_match_differ() {
    let graph = graph();
    same(
        &graph,
        "MATCH (s)-[k:R]->(m) ((x)-[r]-(y)){2} (t) RETURN s.n AS s, k.w AS k, [e IN r | e.w] AS r",
        "MATCH (s)-[k:R]->(m)-[r]-(y)-[q]-(t) RETURN s.n AS s, k.w AS k, [r.w, q.w] AS r",
    );
    same(
        &graph,
        "MATCH ((a)-[k:R]-(b)){1} ((x)-[r]->(y)){1,2} RETURN [e IN k | e.w] AS k, [e IN r | e.w] AS r",
        "MATCH (a)-[k:R]-(b)-[r]->(y) RETURN [k.w] AS k, [r.w] AS r UNION ALL \
         MATCH (a)-[k:R]-(b)-[r]->(y)-[q]->(z) RETURN [k.w] AS k, [r.w, q.w] AS r",
    );
    same(
        &graph,
        "MATCH (a:A)-[k]->(b:B), (a) ((x)-[r]->(y)){2} (c) RETURN k.w AS k, [e IN r | e.w] AS r",
        "MATCH (a:A)-[k]->(b:B), (a)-[r]->(x)-[q]->(c) RETURN k.w AS k, [r.w, q.w] AS r",
    );
}

#[test]
fn the_value_of_a_path_goes_through_repeated_parts() {
    let graph = graph();
    let path = "RETURN [v IN nodes(p) | v.n] AS n, [e IN relationships(p) | e.w] AS w";
    same(
        &graph,
        &format!("MATCH p = (s) ((x)-[r]->(y)<-[q]-(z)){{1,2}} (t:A) {path}"),
        &format!(
            "MATCH p = ()-[]->()<-[]-(:A) {path} UNION ALL \
             MATCH p = ()-[]->()<-[]-()-[]->()<-[]-(:A) {path}"
        ),
    );
    same(
        &graph,
        &format!("MATCH p = (:A)-[:S]->(m) ((x)-[r]->(y)){{1,2}} (t)-[:R]->() {path}"),
        &format!(
            "MATCH p = (:A)-[:S]->()-->()-[:R]->() {path} UNION ALL \
             MATCH p = (:A)-[:S]->()-->()-->()-[:R]->() {path}"
        ),
    );
}

#[test]
fn a_part_reads_variables_of_clauses_before() {
    let graph = graph();
    same(
        &graph,
        "MATCH (k:C) MATCH ((x)-[r]->(y {n: k.n - 1}) WHERE r.w < k.n){1,2} \
         RETURN [e IN r | e.w] AS r",
        "MATCH (x)-[r]->(y {n: 4}) WHERE r.w < 5 RETURN [r.w] AS r",
    );
    same(
        &graph,
        "MATCH (k:A) WHERE EXISTS { MATCH (k) ((x)-[:S]->(y)){2} (:C) } RETURN k.n AS k",
        "MATCH (k:A)-[:S]->()-[:S]->(:C) RETURN DISTINCT k.n AS k",
    );
    same(
        &graph,
        "MATCH (s:A) OPTIONAL MATCH (s) ((x)-[r:S]->(y)){2} (t:C) RETURN s.n AS s, size(r) AS r",
        "MATCH (s:A) OPTIONAL MATCH (s)-[r:S]->()-[q:S]->(t:C) \
         RETURN s.n AS s, CASE WHEN r IS NULL THEN NULL ELSE 2 END AS r",
    );
    same(
        &graph,
        "MATCH REPEATABLE ELEMENTS (s:A) ((x)-[r]-(y)){2} (t) RETURN [e IN r | e.w] AS r",
        "MATCH (s:A)-[r]-(y) MATCH (y)-[q]-(t) RETURN [r.w, q.w] AS r",
    );
}

#[test]
fn an_entry_of_a_list_is_read_where_no_row_has_the_element() {
    let graph = Graph::new();
    check(
        &graph,
        &[
            ("CREATE (a {l: [1, 2]})-[:R {l: [7]}]->(b)-[:R {l: [8]}]->(c)", &[]),
            ("RETURN [x IN [{a: [[1]]}] | x.a[0][0]] AS v", &["[1]"]),
            ("MATCH ((x)-[r]->(y) WHERE r.l[0] > 7)+ RETURN [e IN r | e.l[0]]", &["[8]"]),
        ],
    );
}

#[test]
fn what_a_part_cannot_say_is_refused_by_name() {
    let graph = graph();
    for (text, wanted) in [
        ("MATCH ((x)-[r*2]->(y)){2} RETURN x", "variable length inside a repeated part"),
        ("MATCH (((x)-[r]->(y)){2}){2} RETURN x", "a part in parentheses inside a repeated part"),
        ("MATCH ((x)){2} RETURN x", "a repeated part without a relationship"),
        ("MATCH (p = (x)-->(y)){2} RETURN x", "a path variable in a repeated part"),
        ("MATCH (s) ((x)-->(y)) (t) RETURN x", "a part in parentheses without a quantifier"),
        ("MATCH ((x)-->(y) WHERE (y)-->(:C)){2} RETURN x", "a subquery inside a repeated part"),
        ("MATCH (s) ((x)-->(y) WHERE y.n > s.n){2} RETURN x", "a variable of the same MATCH"),
        ("MATCH REPEATABLE ELEMENTS ((x)-->(y))+ RETURN x", "without an upper bound"),
    ] {
        let given = graph.ask(text);
        assert!(given.len() == 1 && given[0].contains(wanted), "{text}\n  gives {given:?}");
    }
}
