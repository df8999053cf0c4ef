//! Labels, types and keys that rows know: `$(…)` and `n[key]`.

use super::Graph;

const STATEMENTS: &[(&str, &[&str])] = &[
    (
        "UNWIND [['A', 'x'], ['B', 'y']] AS pair CREATE (n:$(pair[0]) {name: pair[1]})-[:$('R' + pair[1])]->(:$(['C', 'D'])) RETURN labels(n)",
        &["[A]", "[B]"],
    ),
    ("MATCH (n)-[r]->(m:C:D) RETURN labels(n), type(r) ORDER BY type(r)", &["[A], Rx", "[B], Ry"]),
    ("MATCH (n:$('A')) RETURN n.name", &["x"]),
    ("MATCH (n:$any(['A', 'B'])) RETURN n.name ORDER BY n.name", &["x", "y"]),
    (
        "MATCH (n:A|B) SET n:$('Old' + n.name):Seen, n[n.name + 'key'] = 1 RETURN labels(n), n.xkey, n.ykey ORDER BY n.name",
        &["[A, Oldx, Seen], 1, null", "[B, Seen, Oldy], null, 1"],
    ),
    ("MATCH (n:A) SET n:$(['M', 'N']) RETURN labels(n)", &["[A, Oldx, Seen, M, N]"]),
    (
        "MATCH (n:A|B) WITH n ORDER BY n.name REMOVE n:$(['Seen', 'Old' + n.name, 'None']), n[n.name + 'key'] RETURN labels(n), n.xkey, n.ykey ORDER BY n.name",
        &["[A, M, N], null, null", "[B], null, null"],
    ),
    (
        "MERGE (n:$('A') {name: 'x'}) ON MATCH SET n:$('Found') RETURN labels(n)",
        &["[A, M, N, Found]"],
    ),
    (
        "MATCH (n:A) SET n:$(1) RETURN n",
        &[
            "error InvalidArgumentType: line 1, column 21: Type mismatch: expected String or List<String> but was Integer",
        ],
    ),
    ("CREATE ()-[:$(['A', 'B'])]->()", &["error -: an edge has one type, and these are 2"]),
];

#[test]
fn names_come_from_rows() {
    let graph = Graph::new();
    for (text, rows) in STATEMENTS {
        assert_eq!(graph.ask(text), *rows, "{text}");
    }
}
