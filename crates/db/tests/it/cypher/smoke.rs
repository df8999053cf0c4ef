//! Statements of each kind, one behind the other on one graph.

use super::Graph;

/// Each statement with its rows.
const STATEMENTS: &[(&str, &[&str])] = &[
    ("RETURN 1 AS one, 'a' + 'b' AS s, [1, 2, 3][1] AS x, {a: 1}.a AS y", &["1, ab, 2, 1"]),
    (
        "CREATE (a:Person {name: 'Ann', age: 30})-[:KNOWS {since: 2000}]->(b:Person {name: 'Bob', age: 40}),
         (b)-[:KNOWS]->(c:Person {name: 'Cid'}) RETURN a.name, b.name",
        &["Ann, Bob"],
    ),
    (
        "MATCH (n) RETURN n.name, labels(n), n.age ORDER BY n.name",
        &["Ann, [Person], 30", "Bob, [Person], 40", "Cid, [Person], null"],
    ),
    (
        "MATCH (a)-[r:KNOWS]->(b) RETURN a.name, type(r), b.name, r.since ORDER BY a.name",
        &["Ann, KNOWS, Bob, 2000", "Bob, KNOWS, Cid, null"],
    ),
    (
        "MATCH p = (a:Person {name: 'Ann'})-[:KNOWS*]->(b) RETURN length(p), [n IN nodes(p) | n.name]",
        &["1, [Ann, Bob]", "2, [Ann, Bob, Cid]"],
    ),
    (
        "MATCH (a:Person) RETURN count(*), count(a), avg(a.age), sum(a.age), max(a.age), count(DISTINCT a)",
        &["3, 3, 35.0, 70, 40, 3"],
    ),
    (
        "MATCH (a:Person) OPTIONAL MATCH (a)-[:KNOWS]->(b) RETURN a.name, b.name, count(b) ORDER BY a.name DESC LIMIT 2",
        &["Cid, null, 0", "Bob, Cid, 1"],
    ),
    ("MATCH (a:Person) WHERE NOT (a)-[:KNOWS]->() RETURN a.name", &["Cid"]),
    (
        "MATCH (a:Person) WITH a.age > 35 AS old, count(*) AS c RETURN old, c ORDER BY old",
        &["false, 1", "true, 1", "null, 1"],
    ),
    ("UNWIND [3, 1, 2, 2] AS x WITH DISTINCT x ORDER BY x SKIP 1 RETURN x", &["2", "3"]),
    (
        "MERGE (n:City {name: 'Rome'}) ON CREATE SET n.made = true ON MATCH SET n.found = true
         RETURN n.made, n.found",
        &["true, null"],
    ),
    (
        "MERGE (n:City {name: 'Rome'}) ON CREATE SET n.made = true ON MATCH SET n.found = true
         RETURN n.made, n.found",
        &["true, true"],
    ),
    (
        "MATCH (a:Person {name: 'Ann'}), (c:City) MERGE (a)-[r:LIVES_IN]->(c) RETURN type(r)",
        &["LIVES_IN"],
    ),
    (
        "MATCH (a:Person {name: 'Ann'}) SET a:Happy, a.age = a.age + 1 RETURN labels(a), a.age",
        &["[Person, Happy], 31"],
    ),
    (
        "MATCH (a:Person {name: 'Ann'}) REMOVE a:Happy, a.age RETURN labels(a), a.age",
        &["[Person], null"],
    ),
    (
        "MATCH (a:Person {name: 'Cid'}) WITH a, a AS b DETACH DELETE b RETURN a.name",
        &["error DeletedEntityAccess: the vertex was deleted earlier in this statement (read what is wanted of it before the DELETE: WITH n, n.key AS key DELETE n)"],
    ),
    (
        "MATCH (a:Person {name: 'Cid'}) DETACH DELETE a WITH a AS c RETURN labels(c)",
        &["error DeletedEntityAccess: the vertex was deleted earlier in this statement (read what is wanted of it before the DELETE: WITH n, n.key AS key DELETE n)"],
    ),
    ("MATCH (a:Person {name: 'Cid'}) DETACH DELETE a", &[]),
    ("MATCH (n) RETURN count(n)", &["3"]),
    (
        "RETURN all(x IN [1, 2] WHERE x > 0) AS a, reduce(s = 0, x IN [1, 2, 3] | s + x) AS r",
        &["true, 6"],
    ),
    (
        "MATCH (a:Person) RETURN a.name, EXISTS { (a)-[:KNOWS]->() } AS e, COUNT { (a)--() } AS c ORDER BY a.name",
        &["Ann, true, 2", "Bob, false, 1"],
    ),
    (
        "MATCH (a:Person) CALL (a) { MATCH (a)-[:KNOWS]->(b) RETURN b.name AS bn } RETURN a.name, bn",
        &["Ann, Bob"],
    ),
    ("RETURN 1 AS x UNION RETURN 1 AS x UNION RETURN 2 AS x", &["1", "2"]),
    ("FOREACH (i IN range(1, 3) | CREATE (:N {i: i}))", &[]),
    ("MATCH (n:N) RETURN n.i ORDER BY n.i", &["1", "2", "3"]),
    (
        "MATCH (a:Person {name: 'Ann'}), (b:Person {name: 'Bob'}) MATCH p = shortestPath((a)-[:KNOWS*]-(b))
         RETURN length(p)",
        &["1"],
    ),
    (
        "MATCH (a:Person {name: 'Ann'})-[r*1..2]-(b) WITH r, a MATCH p = (a)-[r*]-(c) RETURN length(p), [n IN nodes(p) | coalesce(n.name, '?')], nodes(p)[-1] = c ORDER BY length(p), nodes(p)[-1].name",
        &["1, [Ann, Bob], true", "1, [Ann, Rome], true"],
    ),
    ("UNWIND range(1, 3000000) AS i RETURN count(*), sum(i), max(i)", &["3000000, 4500001500000, 3000000"]),
    ("UNWIND [[5, 1, -2], [1, 0, 1], [null, 1, 1]] AS r UNWIND range(r[0], r[1], r[2]) AS i RETURN i", &["5", "3", "1"]),
    ("UNWIND range(1, 2, 0) AS i RETURN i", &["error NumberOutOfRange: a range goes by a step other than 0"]),
    ("RETURN foo", &["error UndefinedVariable: line 1, column 8: Variable `foo` not defined"]),
    (
        "RETURN 1 / 0",
        &["error DivisionByZero: division by zero"],
    ),
];

#[test]
fn each_statement_gives_its_rows() {
    let graph = Graph::new();
    for (text, rows) in STATEMENTS {
        let found: Vec<String> =
            graph.ask(text).into_iter().filter(|row| !row.is_empty()).collect();
        assert_eq!(found, *rows, "{text}");
    }
}

/// Scripts are pasted whole: each statement of one creates hundreds of elements.
#[test]
fn a_statement_of_hundreds_of_clauses_runs() {
    let graph = Graph::new();
    let mut text = String::from("CREATE (n0:N {i: 0})\n");
    for number in 1..700 {
        text += &format!("CREATE (n{number}:N {{i: {number}}})-[:NEXT]->(n{})\n", number - 1);
    }
    assert_eq!(graph.ask(&text), Vec::<String>::new());
    assert_eq!(graph.ask("MATCH (a)-[:NEXT]->(b) WHERE a.i = b.i + 1 RETURN count(*)"), ["699"]);
}

/// What a seek has decided is not asked again, and properties of one element are set together.
#[test]
fn a_plan_does_nothing_twice() {
    let graph = Graph::new();
    let operators = |text: &str| graph.ask(&format!("EXPLAIN {text}")).join("\n");
    let sought = operators("MATCH (a:Person {name: 'Ann'})-[:KNOWS]->(b) RETURN b.name");
    assert!(sought.contains("Seek") && !sought.contains("Filter"), "{sought}");
    let labelled = operators("MATCH (a:Person:Happy) RETURN a.name");
    assert_eq!(labelled.matches("Filter").count(), 1, "the other label: {labelled}");
    let unknown = operators("UNWIND [1, 'a'] AS x MATCH (a:Person {name: x}) RETURN a.name");
    assert!(unknown.contains("Filter"), "a list may be neither equal nor not: {unknown}");
    let set = operators("MATCH (a) SET a.x = 1, a.y = $y, a.z = a.x, a.x = 2");
    assert_eq!(set.matches("Set ").count(), 1, "{set}");
    let several = operators("MATCH (a), (b) SET a.x = 1, b.x = a.x, a.y = b.x");
    assert_eq!(several.matches("Set ").count(), 3, "{several}");
}
