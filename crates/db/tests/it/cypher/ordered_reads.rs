//! Orders, pages and extremes by an ordered index: the same rows as without, asked in two languages.

use millrace_testkit::{Rng, run_seeds};

use super::Graph;

const SEEDS: u64 = 30;
const NODES: usize = 400;
const QUESTIONS: usize = 40;

/// Literals of one type, or of several, with equal ones among them.
fn literal(rng: &mut Rng, types: usize) -> String {
    match rng.index(types) {
        0 => (rng.index(60) as i64 - 20).to_string(),
        1 => format!("{}.5", rng.index(30)),
        2 => format!("'t{}'", rng.index(40)),
        3 => format!("date('2026-01-{:02}')", 1 + rng.index(28)),
        4 => ["true", "false", "[1, 2]", "duration('P1M')"][rng.index(4)].to_owned(),
        _ => format!("datetime('2026-01-01T{:02}:00+0{}:00')", 10 + rng.index(4), rng.index(3)),
    }
}

/// Nodes with the same value as `k`, which has indexes, and as `j`, which has none; some without.
fn graph(rng: &mut Rng, types: usize) -> Graph {
    let graph = Graph::new();
    graph.run("CREATE RANGE INDEX ks FOR (n:P) ON (n.k)").expect("it is sound");
    graph.run("CREATE RANGE INDEX aks FOR (n:P) ON (n.a, n.k)").expect("it is sound");
    graph.run("CREATE RANGE INDEX rks FOR ()-[r:R]-() ON (r.k)").expect("it is sound");
    let values: Vec<String> = (0..NODES)
        .map(|_| if rng.chance(0.1) { "null".to_owned() } else { literal(rng, types) })
        .collect();
    let text = format!(
        "WITH [{}] AS values UNWIND range(0, size(values) - 1) AS i \
         CREATE (n:P {{i: i, a: i % 3, k: values[i], j: values[i]}}) \
         CREATE (n)-[:R {{i: i, k: values[i], j: values[i]}}]->(n)",
        values.join(", ")
    );
    graph.run(&text).expect("it is sound");
    graph
}

/// A question by a key; equal keys come by another, so that one order is right.
fn question(rng: &mut Rng) -> impl Fn(&str) -> String + use<> {
    let direction = *rng.pick(&["", " DESC"]);
    let (from, count) = (rng.index(5), 1 + rng.index(20));
    let value = literal(rng, 3);
    let test = match rng.index(8) {
        0 => format!("n.K > {value}"),
        1 => format!("n.K <= {value}"),
        2 => format!("n.K > {value} OR n.K = {value} AND n.i > 100"),
        3 => "n.K IS NOT NULL".to_owned(),
        4 => format!("n.a = {}", rng.index(3)),
        5 => format!("n.a = {} AND n.K >= {value}", rng.index(3)),
        6 => "n.i % 7 = 3".to_owned(),
        _ => "true".to_owned(),
    };
    let pattern = *rng.pick(&["(n:P)", "(n:P)", "()-[n:R]->()"]);
    let asked = match rng.index(5) {
        0 => "RETURN max(n.K)".to_owned(),
        1 => "RETURN min(n.K)".to_owned(),
        2 => format!("RETURN n.K ORDER BY n.K{direction} SKIP {from} LIMIT {count}"),
        3 => format!("WITH n ORDER BY n.a, n.K{direction}, n.i LIMIT {count} RETURN n.i, n.K"),
        _ => format!("RETURN n.i, n.K ORDER BY n.K{direction}, n.i SKIP {from} LIMIT {count}"),
    };
    move |key| format!("MATCH {pattern} WHERE {test} {asked}").replace("n.K", &format!("n.{key}"))
}

#[test]
fn cypher_gives_the_same_order_with_an_index_as_without() {
    run_seeds(SEEDS, |_, rng| {
        let types = 1 + rng.index(6);
        let graph = graph(rng, types);
        for _ in 0..QUESTIONS {
            let question = question(rng);
            let (found, expected) = (graph.ask(&question("k")), graph.ask(&question("j")));
            assert_eq!(found, expected, "{}", question("k"));
        }
    });
}

const MANY: usize = 20_000;

fn numbered() -> Graph {
    let graph = Graph::new();
    for text in [
        "CREATE CONSTRAINT ku FOR (n:P) REQUIRE n.k IS UNIQUE".to_owned(),
        "CREATE RANGE INDEX ks FOR (n:P) ON (n.k)".to_owned(),
        "CREATE RANGE INDEX aks FOR (n:P) ON (n.a, n.k)".to_owned(),
        format!(
            "UNWIND range(0, {MANY} - 1) AS i CREATE (:P {{k: i * 7919 % {MANY}, a: i % 3, i: i}})"
        ),
    ] {
        graph.run(&text).expect("it is sound");
    }
    graph
}

#[test]
fn first_rows_pages_and_extremes_read_the_index() {
    let graph = numbered();
    let rows = |first: usize, step: i64| -> Vec<String> {
        (0..3).map(|row| (first as i64 + row * step).to_string()).collect()
    };
    for (text, expected) in [
        ("MATCH (n:P) RETURN n.k ORDER BY n.k LIMIT 3", rows(0, 1)),
        ("MATCH (n:P) RETURN n.k AS k ORDER BY k SKIP 2 LIMIT 3", rows(2, 1)),
        (
            "MATCH (n:P) WHERE n.k IS NOT NULL RETURN n.k ORDER BY n.k DESC LIMIT 3",
            rows(19_999, -1),
        ),
        ("MATCH (n:P) WHERE n.k > 99 RETURN n.k ORDER BY n.k LIMIT 3", rows(100, 1)),
        ("MATCH (n:P) WHERE n.k < 99 RETURN n.k ORDER BY n.k DESC LIMIT 3", rows(98, -1)),
        (
            "MATCH (n:P) WHERE n.k > 99 OR n.k = 99 AND id(n) > 100000 \
             RETURN n.k ORDER BY n.k, id(n) LIMIT 3",
            rows(100, 1),
        ),
        ("MATCH (n:P) RETURN max(n.k)", vec!["19999".to_owned()]),
        ("MATCH (n:P) WHERE n.k > 5 RETURN min(n.k)", vec!["6".to_owned()]),
        ("MATCH (n:P {a: 1}) RETURN n.a ORDER BY n.a, n.k LIMIT 3", rows(1, 0)),
    ] {
        assert_eq!(graph.ask(text), expected, "{text}");
        let profile = graph.ask(&format!("PROFILE {text}")).concat();
        assert!(profile.contains("in order of k"), "{text}: {profile}");
        assert!(!profile.contains(&format!("(\"rows\", {MANY})")), "{text}: {profile}");
    }
    let hashed = graph.ask("PROFILE MATCH (n:P {k: 7}) RETURN n.i").concat();
    assert!(!hashed.contains(&format!("(\"rows\", {MANY})")), "{hashed}");
}

/// The first and the last value of an index were read to learn its type, also where it had none: a panic.
#[test]
fn an_index_without_entries_has_an_order_too() {
    let graph = Graph::new();
    graph.run("CREATE RANGE INDEX ks FOR (n:P) ON (n.k)").expect("it is sound");
    graph.run("CREATE RANGE INDEX aks FOR (n:P) ON (n.a, n.k)").expect("it is sound");
    for data in ["RETURN 1", "CREATE (:P {i: 1}), (:P {i: 2, a: 2, k: 7})", "MATCH (n) DELETE n"] {
        graph.run(data).expect("it is sound");
        let count = graph.ask("MATCH (n:P) RETURN count(n)");
        let is_empty = count == ["0"];
        for (text, expected) in [
            ("MATCH (n:P) RETURN n.i ORDER BY n.k LIMIT 3", vec!["2", "1"]),
            ("MATCH (n:P) RETURN n.i ORDER BY n.k DESC LIMIT 3", vec!["1", "2"]),
            ("MATCH (n:P) WHERE n.k > 8 RETURN n.i ORDER BY n.k LIMIT 3", vec![]),
            ("MATCH (n:P) WHERE n.a = 1 RETURN n.i ORDER BY n.k, n.i LIMIT 3", vec![]),
            ("MATCH (n:P) WHERE n.a = 2 RETURN n.i ORDER BY n.k, n.i LIMIT 3", vec!["2"]),
        ] {
            let expected = if is_empty { Vec::new() } else { expected };
            assert_eq!(graph.ask(text), expected, "{text} of {count:?}");
        }
        let extremes = "MATCH (n:P) RETURN min(n.k), max(n.k)";
        assert_eq!(graph.ask(extremes), [if is_empty { "null, null" } else { "7, 7" }]);
        let extreme = "MATCH (n:P) WHERE n.k IS NOT NULL RETURN max(n.k)";
        assert_eq!(graph.ask(extreme), [if is_empty { "null" } else { "7" }]);
    }
}

#[test]
fn a_statement_finds_its_own_writes_in_order() {
    let graph = numbered();
    let behind = " WITH count(*) AS one MATCH (n:P) RETURN n.k ORDER BY n.k LIMIT 3";
    for (write, expected) in [
        ("CREATE (:P {k: -1}) CREATE (:P {k: -2})", ["-2", "-1", "0"]),
        ("MATCH (n:P) WHERE n.k < 0 SET n.k = n.k + 100000", ["0", "1", "2"]),
        ("MATCH (n:P) WHERE n.k IN [0, 2] DELETE n", ["1", "3", "4"]),
        ("MATCH (n:P {k: 3}) REMOVE n:P", ["1", "4", "5"]),
        ("MATCH (n:P {k: 4}) REMOVE n.k", ["1", "5", "6"]),
    ] {
        assert_eq!(graph.ask(&format!("{write}{behind}")), expected, "{write}");
    }
    let last = "MATCH (n:P) WHERE n.k IS NOT NULL RETURN n.k ORDER BY n.k DESC LIMIT 2";
    assert_eq!(graph.ask(last), ["99999", "99998"]);
}

#[test]
fn gremlin_reads_the_order_of_an_index_too() {
    let graph = numbered();
    for (text, expected) in [
        ("g.V().hasLabel('P').order().by('k').limit(3).values('k')", vec!["0", "1", "2"]),
        (
            "g.V().hasLabel('P').order().by('k', desc).range(1, 3).values('k')",
            vec!["19998", "19997"],
        ),
        ("g.V().has('P', 'k', gt(99)).order().by('k').limit(2).values('k')", vec!["100", "101"]),
        ("g.V().hasLabel('P').values('k').max()", vec!["19999"]),
        ("g.V().hasLabel('P').values('k').min()", vec!["0"]),
    ] {
        let ask = |text: &str| -> Vec<String> {
            let found = graph.run_in("gremlin", text).unwrap_or_else(|error| panic!("{error}"));
            let row = |row: &Vec<millrace_model::Value>| super::shown(&row[0]);
            found.text.into_iter().chain(found.rows.iter().map(row)).collect()
        };
        assert_eq!(ask(text), expected, "{text}");
        let profile = ask(&format!("{text}.profile()")).concat();
        assert!(profile.contains("in order of k"), "{text}: {profile}");
    }
}

#[test]
fn several_values_of_a_key_are_sorted_in_every_language() {
    let graph = numbered();
    graph
        .run_in("gremlin", "g.V().has('P', 'k', 7).property(list, 'k', -5).iterate()")
        .expect("it is sound");
    let first = "MATCH (n:P) RETURN n.i ORDER BY n.k LIMIT 1";
    let [found] = &graph.ask(first)[..] else { panic!("one row") };
    let listed = graph.ask("MATCH (n:P) WHERE n.k = 7 OR n.k = -5 OR n.k = [7, -5] RETURN n.i");
    assert!(!graph.ask(&format!("PROFILE {first}")).concat().contains("Index"), "it is sorted");
    // A list is before every number.
    let expected = graph.ask("MATCH (n:P) WHERE n.k IS :: LIST<ANY> RETURN n.i");
    assert!(expected.is_empty() || expected.contains(found), "{found} {listed:?} {expected:?}");
}
