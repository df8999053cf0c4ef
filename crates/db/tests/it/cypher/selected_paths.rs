//! Paths of which a selector picks some for each pair of ends, and shortest paths with conditions.

use millrace_model::ErrorKind;

use super::Graph;
use super::schema::check;

/// A square 1-2-3-4 of R with a diagonal of S from 1 to 3 and a tail of S to 5.
fn square() -> Graph {
    let graph = Graph::new();
    let made = "CREATE (a:P {n: 1}), (b:P {n: 2}), (c:P {n: 3}), (d:P {n: 4}), (e:P {n: 5}), \
                (a)-[:R {w: 12}]->(b), (b)-[:R {w: 23}]->(c), (a)-[:R {w: 14}]->(d), \
                (d)-[:R {w: 43}]->(c), (a)-[:S {w: 13}]->(c), (c)-[:S {w: 35}]->(e)";
    check(&graph, &[(made, &[])]);
    graph
}

#[test]
fn selectors_pick_paths_for_each_pair_of_ends() {
    check(
        &square(),
        &[
            (
                "MATCH p = SHORTEST 1 (a {n: 1}) ((x)-[r]->(y))+ (b {n: 3}) \
                 RETURN [e IN r | e.w], [v IN x | v.n], [v IN y | v.n], length(p)",
                &["[13], [1], [3], 1"],
            ),
            (
                "MATCH ANY (a {n: 1}) ((x)-[r]->(y)){2,} (b {n: 5}) RETURN [e IN r | e.w]",
                &["[13, 35]"],
            ),
            (
                "MATCH ALL SHORTEST (a {n: 1}) ((x)-[r:R]->(y))+ (b {n: 3}) \
                 WITH [e IN r | e.w] AS r ORDER BY r RETURN r",
                &["[12, 23]", "[14, 43]"],
            ),
            ("MATCH SHORTEST 2 (a {n: 1}) ((x)-[r]->(y))+ (b {n: 3}) RETURN size(r)", &["1", "2"]),
            (
                "MATCH ANY 5 (a {n: 1}) ((x)-[r]->(y))+ (b {n: 3}) RETURN size(r) ORDER BY size(r)",
                &["1", "2", "2"],
            ),
            (
                "MATCH ANY SHORTEST (a {n: 1}) ((x)-[r WHERE r.w <> 13]->(y) WHERE y.n <> 2)+ \
                 (b {n: 5}) RETURN [e IN r | e.w]",
                &["[14, 43, 35]"],
            ),
            ("MATCH SHORTEST 1 (a {n: 1}) ((x)-[r:R]->(y)-[q:S]->(z))+ (b) RETURN b.n", &[]),
            (
                "MATCH SHORTEST 1 (a {n: 2}) ((x)-[r:R]->(y)-[q:S]->(z))+ (b) \
                 RETURN [v IN y | v.n], b.n",
                &["[3], 5"],
            ),
            (
                "MATCH p = SHORTEST 2 GROUPS (a {n: 1})-[*]->(b {n: 5}) \
                 WITH [e IN relationships(p) | e.w] AS w ORDER BY w RETURN w",
                &["[12, 23, 35]", "[13, 35]", "[14, 43, 35]"],
            ),
            (
                "MATCH p = SHORTEST 1 GROUP (a {n: 1})-[*]->(b) RETURN b.n, length(p) ORDER BY b.n",
                &["2, 1", "3, 1", "4, 1", "5, 2"],
            ),
            (
                "MATCH ALL SHORTEST (a {n: 1}) ((x)-[r]->(y)){3,} (b {n: 5}) \
                 WITH [e IN r | e.w] AS r ORDER BY r RETURN r",
                &["[12, 23, 35]", "[14, 43, 35]"],
            ),
            (
                "MATCH ALL SHORTEST (a {n: 1}) ((x)-[r]->(y)-[q]->(z))+ (b {n: 3}) \
                 RETURN count(*), min(size(r))",
                &["2, 1"],
            ),
            (
                "MATCH p = ALL SHORTEST (a {n: 1})-[*]-(a) RETURN count(*), min(length(p)), max(length(p))",
                &["4, 3, 3"],
            ),
            // A trail back to the start goes around.
            ("MATCH SHORTEST 1 (a {n: 1}) ((x)-[r]-(y))+ (a) RETURN size(r)", &["3"]),
            ("MATCH SHORTEST 1 (a {n: 1})-[r]-+(a) RETURN size(r)", &["3"]),
            ("MATCH p = ANY SHORTEST (a {n: 1})-[r:R]->{0,3}(b {n: 4}) RETURN length(p)", &["1"]),
            ("MATCH p = SHORTEST 1 ((a {n: 1})-[r]->+(b) WHERE b.n > 4) RETURN length(p)", &["2"]),
        ],
    );
}

#[test]
fn conditions_on_all_elements_are_asked_during_the_search() {
    let of = |test: &str| {
        format!(
            "MATCH p = shortestPath((a {{n: 1}})-[r*]->(b {{n: 5}})) WHERE {test} \
             RETURN [e IN relationships(p) | e.w]"
        )
    };
    let graph = square();
    for (test, wanted) in [
        ("length(p) > 0", "[13, 35]"),
        ("all(e IN relationships(p) WHERE e.w <> 13 AND e.w <> 12)", "[14, 43, 35]"),
        ("none(e IN r WHERE e.w = 13 OR e.w = 14) AND a.n = 1", "[12, 23, 35]"),
        (
            "none(e IN relationships(p) WHERE e.w = 13) AND all(v IN nodes(p) WHERE v.n <> 2)",
            "[14, 43, 35]",
        ),
        ("all(e IN Relationships(p) WHERE type(e) = 'S')", "[13, 35]"),
    ] {
        assert_eq!(graph.ask(&of(test)), [wanted], "{test}");
    }
    let none: [&str; 0] = [];
    assert_eq!(graph.ask(&of("all(v IN nodes(p) WHERE v.n > 1)")), none);
    let all = "MATCH p = allShortestPaths((a {n: 1})-[*]->(b {n: 5})) \
               WHERE none(e IN relationships(p) WHERE e.w = 13) \
               WITH [e IN relationships(p) | e.w] AS w ORDER BY w RETURN w";
    assert_eq!(graph.ask(all), ["[12, 23, 35]", "[14, 43, 35]"]);
    let value = "MATCH (a {n: 1}), (b {n: 5}) RETURN length(shortestPath((a)-[*]->(b)))";
    assert_eq!(graph.ask(value), ["2"]);
}

#[test]
fn what_selectors_cannot_say_is_refused_by_name() {
    let graph = square();
    for (text, wanted) in [
        ("MATCH ANY (a) ((x)-->(y))+ (b)-->(c) RETURN a", "a selector over several parts"),
        (
            "MATCH ANY (a) ((x)-->(y)-->(z) WHERE x.n < z.n)+ (b) RETURN a",
            "several relationships of a part, with a selector",
        ),
        (
            "MATCH ANY ((a) ((x)-[r]->(y))+ (b) WHERE size(r) > 1) RETURN a",
            "a condition on whole paths before",
        ),
    ] {
        let given = graph.ask(text);
        assert!(given.len() == 1 && given[0].contains(wanted), "{text}\n  gives {given:?}");
    }
}

#[test]
fn the_ends_of_a_selected_path_are_found_before_it_is_searched() {
    let graph = square();
    for text in [
        "MATCH (a:P {n: 2}), (b:P {n: 5}), p = shortestPath((a)-[*]-(b)) RETURN length(p)",
        "MATCH p = shortestPath((a)-[*]-(b)), (a:P {n: 2}), (b:P {n: 5}) RETURN length(p)",
        "MATCH p = ANY SHORTEST (a)-[*]-(b), (b:P {n: 5}), (a:P {n: 2}) RETURN length(p)",
    ] {
        assert_eq!(graph.ask(text), ["2"], "{text}");
        let plan = graph.ask(&format!("EXPLAIN {text}")).concat();
        let searched = plan.split("PathExpand").next().unwrap_or_default();
        assert_eq!(
            searched.matches("(P)").count() + searched.matches("by P(n").count(),
            2,
            "{plan}"
        );
        assert!(!plan.contains("Scan (*)"), "{plan}");
    }
}

#[test]
fn of_patterns_that_do_not_hang_together_the_one_with_fewer_nodes_is_first() {
    let graph = Graph::new();
    graph.ask("UNWIND range(1, 50) AS n CREATE (:Many {n: n})");
    graph.ask("CREATE (:Few {n: 7}), (:Few {n: 70})");
    let text = "MATCH (a:Many), (b:Few) WHERE a.n = b.n RETURN a.n, b.n";
    assert_eq!(graph.ask(text), ["7, 7"]);
    let plan = graph.ask(&format!("EXPLAIN {text}")).concat();
    let places = ["(Few)", "Many"].map(|name| plan.find(name).expect("in the plan"));
    assert!(places.is_sorted(), "{plan}");
}

#[test]
fn what_a_search_of_shortest_paths_cannot_do_is_refused() {
    check(
        &square(),
        &[
            (
                "MATCH (a {n: 1}) MATCH p = shortestPath((a)-[:R*]-(a)) RETURN p",
                &["error SamePathEnds"],
            ),
            (
                "MATCH (a {n: 1}) MATCH p = allShortestPaths((a)-[:R*]-(a)) RETURN p",
                &["error SamePathEnds"],
            ),
            (
                "MATCH p = shortestPath((:P {n: 1})-[:R*]-(:P {n: 3})) \
                 WHERE all(n IN nodes(p) WHERE EXISTS { (n)-[:S]->() }) RETURN p",
                &["error -: "],
            ),
        ],
    );
}

/// It would only be asked of the path that is found, and not of the next one.
#[test]
fn a_subquery_that_reads_the_path_of_a_search_is_refused_by_its_name() {
    let graph = Graph::new();
    for test in [
        "EXISTS { (c)-->(x) WHERE x IN nodes(p) }",
        "NOT EXISTS { (c)-->(x) WHERE NOT x IN nodes(p) }",
        "COUNT { MATCH (c)-->(x) WHERE x IN nodes(p) RETURN x } > 0",
        "EXISTS { (c)-->() WHERE size(`r`) > 1 }",
    ] {
        for function in ["shortestPath", "allShortestPaths"] {
            let text = format!(
                "MATCH (a), (c) MATCH p = {function}((a)-[r:R*]->(c)) WHERE {test} RETURN p"
            );
            let error = graph.run(&text).map(drop).expect_err(&text);
            assert_eq!(error.kind, ErrorKind::Unsupported, "{text}: {error}");
            assert!(error.to_string().contains("on the path of a shortestPath"), "{text}: {error}");
        }
    }
}
