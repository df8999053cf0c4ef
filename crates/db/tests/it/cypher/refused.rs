//! What the guide for users of Neo4j lists as refused is refused by its name, with what to do instead; and what the page
//! of APOC's names says of each is so.

use std::fs;

use millrace_testkit::workspace;

use super::Graph;

/// Each statement is an error with these words, the last of which are in its help.
fn check(table: &[(&str, &str, &str)]) {
    let graph = Graph::new();
    for (text, name, help) in table {
        let given = graph.ask(text);
        assert!(given.len() == 1 && given[0].starts_with("error "), "{text}: {given:?}");
        assert!(given[0].contains(name) && given[0].contains(help), "{text}: {given:?}");
    }
}

#[test]
fn patterns_that_the_guide_lists_are_refused_with_a_remedy() {
    check(&[
        (
            "MATCH ((a)-[r:R]->(b) WHERE EXISTS { (b)-[:R]->() }){1,3} RETURN a",
            "a subquery inside a repeated part is not supported",
            "test the lists of its variables",
        ),
        (
            "MATCH (x:P), ((a)-[r:R]->(b) WHERE a.n <> x.n){1,3} RETURN a",
            "reads a variable of the same MATCH is not supported",
            "bind that variable in an earlier MATCH",
        ),
        (
            "MATCH (p = (a)-[r:R]->(b)){1,3} RETURN p",
            "a path variable in a repeated part is not supported",
            "name the path of the whole pattern",
        ),
        (
            "MATCH (a)-[:R]->(b) ((b)-[:R]->(c)) RETURN a",
            "a part in parentheses without a quantifier beside other parts",
            "leave the parentheses out",
        ),
        (
            "MATCH REPEATABLE ELEMENTS (a:C) ((x)-[:R]->(y))+ (b) RETURN a",
            "REPEATABLE ELEMENTS with a part without an upper bound",
            "{1,5}",
        ),
        (
            "MATCH REPEATABLE ELEMENTS (a:C)-[:R]->*(b) RETURN a",
            "REPEATABLE ELEMENTS with a part without an upper bound",
            "{1,5}",
        ),
        (
            "MATCH ANY (a:P)-[:R]->(b)-[:R]->(c) RETURN a",
            "a selector over several parts is not supported",
            "between two nodes",
        ),
        (
            "MATCH ANY SHORTEST (a:P) ((x)-[:R]->(y)-[:R]->(z) WHERE x.n <> z.n){1,2} (b) RETURN a",
            "a condition on several relationships of a part, with a selector",
            "test one relationship and the nodes at its ends",
        ),
        (
            "MATCH ANY SHORTEST (p = (a:P)-[:R]->+(b) WHERE length(p) > 1) RETURN a",
            "a condition on whole paths before some of them are selected",
            "test relationships in a repeated part",
        ),
        (
            "MATCH p = shortestPath((a:P)-[:R*..5]->(b:Q)) WHERE EXISTS { MATCH (x) WHERE x IN nodes(p) } \
             RETURN p",
            "a subquery or a pattern in a condition on the path of a shortestPath",
            "find the paths with a relationship of variable length",
        ),
        (
            "RETURN reduce(s = 0, x IN [1, 2] | s + COUNT { (:P) }) AS r",
            "a subquery inside reduce() is not supported",
            "with a comprehension first",
        ),
    ]);
}

/// `-[:R]->{1,5}` in a circle had four paths, those that use a relationship once, where there are ten.
#[test]
fn elements_repeat_in_every_form_of_a_repeated_part() {
    let graph = Graph::new();
    graph.ask("CREATE (a:C)-[:R]->(:C)-[:R]->(a)");
    for part in ["((x)-[:R]->(y)){1,5}", "-[:R]->{1,5}", "-[:R*1..5]->"] {
        let count =
            |mode: &str| graph.ask(&format!("MATCH {mode} (a:C){part}(b) RETURN count(*) AS n"));
        assert_eq!(count("REPEATABLE ELEMENTS"), ["10"], "{part}");
        assert_eq!(count(""), ["4"], "{part}");
    }
}

#[test]
fn commands_that_the_guide_lists_are_refused_with_a_remedy() {
    let users = "`millrace users`";
    check(&[
        ("CREATE USER x SET PASSWORD 'abcdefgh'", "`CREATE USER` is not supported", users),
        ("CREATE ROLE x", "`CREATE ROLE` is not supported", users),
        ("GRANT READ ON GRAPH * TO x", "`GRANT` is not supported", users),
        ("SHOW PRIVILEGES", "`SHOW PRIVILEGES` is not supported", users),
        ("CREATE ALIAS a FOR DATABASE g1", "`CREATE ALIAS` is not supported", users),
        ("SHOW SERVERS", "`SHOW SERVERS` is not supported", users),
    ]);
}

#[test]
fn clauses_that_the_guide_lists_are_refused_with_a_remedy() {
    let once = "UNWIND [1] AS x";
    check(&[
        (
            &format!("{once} CALL (x) {{ CREATE (:T) }} IN TRANSACTIONS ON ERROR RETRY"),
            "`ON ERROR RETRY` is not supported",
            "ON ERROR CONTINUE REPORT STATUS AS s",
        ),
        (
            &format!("{once} CREATE (:U) WITH x CALL (x) {{ CREATE (:T) }} IN TRANSACTIONS"),
            "A clause that writes beside CALL { … } IN TRANSACTIONS",
            "write inside of the CALL",
        ),
        (
            "CALL { USE g1 MATCH (a) RETURN a } RETURN a",
            "`USE` inside of a query",
            "in front of the whole",
        ),
        ("USE graph.byName('g1') MATCH (a) RETURN a", "`graph.byName`", "`USE name`"),
        ("CYPHER 25 RETURN 1", "a version of the language other than 5", "`CYPHER 5`"),
        ("MATCH (a:P) FILTER a.n = 1 RETURN a", "the clause `FILTER`", "`WITH * WHERE test`"),
        ("LET x = 1 RETURN x", "the clause `LET`", "`WITH *, value AS variable`"),
        ("START n=node(1) RETURN n", "`START` was removed", "`MATCH (n) WHERE id(n) = 1`"),
        ("CREATE UNIQUE (a)-[:R]->(b)", "`CREATE UNIQUE` was removed", "`MERGE`"),
        (
            "USING PERIODIC COMMIT LOAD CSV FROM 'file:///a' AS r RETURN r",
            "`USING PERIODIC COMMIT` was removed",
            "IN TRANSACTIONS OF 1000 ROWS",
        ),
        ("RETURN {p}", "`{p}` is not a map, and no longer a parameter", "`$p`"),
        (":param x => 1", "a command of a client", "send parameters with the statement"),
        (
            "WITH 'RETURN 1' AS s CALL apoc.cypher.run(s, {}) YIELD value RETURN value",
            "the text of a statement that is a value",
            "write the text in the call",
        ),
    ]);
}

#[test]
fn options_in_front_of_a_statement_are_read_and_change_nothing() {
    let graph = Graph::new();
    for text in ["CYPHER 5 RETURN 1 AS x", "CYPHER runtime=slotted RETURN 1 AS x"] {
        assert_eq!(graph.ask(text), ["1"], "{text}");
    }
}

#[test]
fn a_text_of_several_statements_is_one_transaction_and_answers_with_the_last() {
    let graph = Graph::new();
    assert_eq!(graph.ask("CREATE (:N); MATCH (n:N) RETURN count(n) AS n"), ["1"]);
    let failed = graph.ask("CREATE (:N); RETURN 1 / 0 AS x");
    assert!(failed[0].starts_with("error "), "{failed:?}");
    assert_eq!(graph.ask("MATCH (n:N) RETURN count(n) AS n"), ["1"], "nothing of it is left");
}

#[test]
fn names_of_apoc_are_there_or_refused_as_the_page_says() {
    let page = fs::read_to_string(workspace().join("docs/reference/apoc-in-use.md")).unwrap();
    let graph = Graph::new();
    let mut rows = 0;
    for line in page.lines().filter(|line| line.starts_with("| `apoc.")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (name, here) = (cells[1].trim_matches('`'), cells[4]);
        let function = graph.ask(&format!("RETURN {name}() AS x"));
        let procedure = graph.ask(&format!("CALL {name}()"));
        let is_unknown = function.iter().any(|line| line.contains("Unknown function"))
            && procedure.iter().any(|line| line.contains("There is no procedure with the name"));
        assert_eq!(is_unknown, here == "refused", "{name}: {function:?} {procedure:?}");
        rows += 1;
    }
    assert!(60 < rows, "{rows} rows");
}

#[test]
fn a_property_set_to_null_is_not_there_in_either_language() {
    let graph = Graph::new();
    let count = |text: &str| graph.run_in("gremlin", text).unwrap().rows.len();
    assert_eq!(count("g.addV('A').property('x', null).properties()"), 0);
    assert_eq!(count("g.addV('B').property('x', 1).properties()"), 1);
    assert_eq!(count("g.V().hasLabel('B').property('x', null)"), 1);
    assert_eq!(count("g.V().hasLabel('B').properties()"), 0);
    assert_eq!(graph.ask("MATCH (b:B) SET b.y = 1 SET b.y = null RETURN keys(b)"), ["[]"]);
}

#[test]
fn graph_data_science_is_refused_with_a_remedy() {
    check(&[
        (
            "CALL gds.graph.project('g', 'P', 'R')",
            "graph data science is not supported",
            "SHORTEST k",
        ),
        ("CALL db.schema.visualization()", "There is no procedure", "apoc.meta.graph"),
    ]);
}

#[test]
fn what_the_remedies_of_indexes_say_runs() {
    let graph = Graph::new();
    graph.ask("CREATE (:P {t: 'a word', e: [1.0, 0.0], at: point({x: 1, y: 2})})");
    for text in [
        "MATCH (n:P) WHERE n.t CONTAINS 'word' RETURN count(n) AS n",
        "MATCH (n:P) WHERE point.distance(n.at, point({x: 1, y: 1})) < 1000 RETURN count(n) AS n",
        "MATCH (n:P) WITH n ORDER BY vector.similarity.cosine(n.e, [1.0, 0.0]) DESC LIMIT 10 \
         RETURN count(n) AS n",
    ] {
        assert_eq!(graph.ask(text), ["1"], "{text}");
    }
}
