//! Functions and procedures of APOC.

use super::Graph;

const STATEMENTS: &[(&str, &[&str])] = &[
    (
        "RETURN apoc.coll.avg([1, 2, 6]) AS a, apoc.coll.avg([]) AS b, apoc.coll.sum([1, 2.5]) AS c, apoc.coll.max([1, 3, 2]) AS d, apoc.coll.min(['b', 'a']) AS e",
        &["3.0, null, 3.5, 3, a"],
    ),
    (
        "RETURN apoc.coll.contains([1, null], 1) AS a, apoc.coll.contains([1, null], 2) AS b, apoc.coll.indexOf([3, 4], 4) AS c, apoc.coll.indexOf([3], 4) AS d",
        &["true, false, 1, -1"],
    ),
    (
        "RETURN apoc.coll.flatten([[1, [2]], [3]]) AS a, apoc.coll.flatten([[1, [2]], [3]], true) AS b, apoc.coll.toSet([1, 2, 1]) AS c",
        &["[1, [2], 3], [1, 2, 3], [1, 2]"],
    ),
    (
        "RETURN apoc.coll.intersection([1, 2, 3], [3, 2]) AS a, apoc.coll.subtract([1, 2], [2]) AS b, apoc.coll.union([1, 2], [2, 3]) AS c, apoc.coll.zip([1, 2], ['a']) AS d",
        &["[2, 3], [1], [1, 2, 3], [[1, a], [2, null]]"],
    ),
    (
        "RETURN apoc.coll.sort([2, 1]) AS a, [m IN apoc.coll.sortMaps([{x: 1}, {x: 2}], 'x') | m.x] AS b, [m IN apoc.coll.sortMaps([{x: 2}, {x: 1}], '^x') | m.x] AS c",
        &["[1, 2], [2, 1], [1, 2]"],
    ),
    (
        "RETURN apoc.convert.fromJsonMap('{\"a\": [1, {\"b\": null}]}') AS a, apoc.convert.fromJsonList('[1, \"x\"]') AS b, apoc.convert.toJson({a: [1.5, 'x', null]}) AS c",
        &["{a: [1, {b: null}]}, [1, x], {\"a\":[1.5,\"x\",null]}"],
    ),
    (
        "RETURN size(apoc.create.uuid()) AS a, apoc.date.format(0, 's', 'yyyy-MM-dd') AS b, apoc.date.parse('1970-01-02 00:00:00', 's') AS c, apoc.date.format(1700000000000) AS d",
        &["36, 1970-01-01, 86400, 2023-11-14 22:13:20"],
    ),
    (
        "RETURN apoc.map.fromLists(['a', 'b'], [1, 2]) AS a, apoc.map.fromPairs([['a', 1]]) AS b, apoc.map.merge({a: 1, b: 2}, {b: 3}) AS c, apoc.map.removeKeys({a: 1, b: 2}, ['a']) AS d, apoc.map.setKey({a: 1}, 'b', 2) AS e",
        &["{a: 1, b: 2}, {a: 1}, {a: 1, b: 3}, {b: 2}, {a: 1, b: 2}"],
    ),
    (
        "RETURN apoc.text.clean('Hello, World! 1') AS a, apoc.text.join(['a', 'b'], '-') AS b, apoc.text.levenshteinSimilarity('abcd', 'abcx') AS c",
        &["helloworld1, a-b, 0.75"],
    ),
    (
        "RETURN apoc.text.regexGroups('a1 b2', '(\\\\w)(\\\\d)') AS a, apoc.text.replace('a1', '\\\\d', 'x') AS b, apoc.text.split('a, b', ', *') AS c, apoc.util.md5(['a', 1]) AS d",
        &["[[a1, a, 1], [b2, b, 2]], ax, [a, b], 8a8bb7cd343aa2ad99b7d762030857a2"],
    ),
    (
        "RETURN apoc.util.validatePredicate(false, 'no', []) AS a, apoc.util.validatePredicate(null, 'no', []) AS b, apoc.date.convertFormat('2020-01-02T03:04+01:00[Europe/Stockholm]', 'iso_zoned_date_time', 'iso_offset_date_time') AS c, apoc.date.convertFormat('02.01.2020', 'dd.MM.yyyy') AS d",
        &["true, true, 2020-01-02T03:04:00+01:00, 2020-01-02"],
    ),
    (
        "RETURN [x IN [1, 1.5, 'a', true, null, [1, 2], [1, 'a'], [], {a: 1}, datetime(), localdatetime(), localtime(), time()] | apoc.meta.cypher.type(x)] AS t, apoc.meta.cypher.isType(['a'], 'LIST OF STRING') AS i",
        &[
            "[INTEGER, FLOAT, STRING, BOOLEAN, NULL, LIST OF INTEGER, LIST OF ANY, LIST OF ANY, MAP, DATE_TIME, LOCAL_DATE_TIME, LOCAL_TIME, TIME], true",
        ],
    ),
    ("CREATE (a:A)-[:R]->(:B), (a)<-[:S]-(:B), (a)-[:R]->(a)", &[]),
    (
        "MATCH (a:A) RETURN apoc.node.degree(a) AS a, apoc.node.degree(a, 'R>') AS b, apoc.node.degree(a, '<S|R>') AS c, apoc.node.degree(a, '>') AS d",
        &["3, 2, 3, 2"],
    ),
];

#[test]
fn functions_give_what_their_documentation_says() {
    let graph = Graph::new();
    for (text, rows) in STATEMENTS {
        let found: Vec<String> =
            graph.ask(text).into_iter().filter(|row| !row.is_empty()).collect();
        assert_eq!(found, *rows, "{text}");
    }
}

const CALLS: &[(&str, &[&str])] = &[
    (
        "CREATE (n:V)-[r:W]->(n) WITH n, r CALL db.create.setNodeVectorProperty(n, 'v', [1, 2.5]) CALL db.create.setRelationshipVectorProperty(r, 'w', [3]) RETURN n.v, r.w",
        &["[1.0, 2.5], [3.0]"],
    ),
    (
        "UNWIND [1, 2] AS x CALL apoc.util.validate(x > 2, 'too much: %d', [x]) RETURN x",
        &["1", "2"],
    ),
    ("CALL apoc.util.validate(false, 'no', [])", &[]),
    (
        "UNWIND [1, 2] AS x CALL (x) { WITH x CALL apoc.util.validate(x > 2, 'no', []) } RETURN x",
        &["1", "2"],
    ),
    (
        "CALL apoc.create.node(['A', 'B'], {x: 1}) YIELD node RETURN labels(node), node.x",
        &["[A, B], 1"],
    ),
    (
        "UNWIND [1, 2] AS i CALL apoc.merge.node(['M'], {i: i % 2}, {made: i}, {found: i}) YIELD node AS n RETURN n.i, n.made, n.found ORDER BY i",
        &["1, 1, null", "0, 2, null"],
    ),
    (
        "CALL apoc.merge.node(['M'], {i: 1}, {}, {found: true}) YIELD node RETURN node.made, node.found",
        &["1, true"],
    ),
    (
        "MATCH (a:M {i: 0}), (b:M {i: 1}) CALL apoc.create.relationship(a, 'R' + b.i, {w: 1}, b) YIELD rel RETURN type(rel), rel.w",
        &["R1, 1"],
    ),
    (
        "MATCH (a:M {i: 0}), (b:M {i: 1}) CALL apoc.merge.relationship(a, 'R1', {w: 1}, {made: true}, b, {found: true}) YIELD rel RETURN rel.made, rel.found",
        &["null, true"],
    ),
    (
        "MATCH (a:M {i: 0}), (b:M {i: 1}) CALL apoc.merge.relationship(a, 'S', {}, {made: true}, b) YIELD rel RETURN rel.made",
        &["true"],
    ),
    (
        "MATCH (m:M) WITH collect(m) AS all CALL apoc.create.addLabels(all, ['L']) YIELD node RETURN labels(node), count(*)",
        &["[M, L], 2"],
    ),
    (
        "MATCH (m:L {i: 0}) CALL apoc.create.removeLabels([m], ['L']) YIELD node CALL apoc.create.setProperty(node, 'k' + 1, 5) YIELD node AS n RETURN labels(n), n.k1",
        &["[M], 5"],
    ),
    (
        "CALL apoc.periodic.iterate('UNWIND range(1, $count) AS i RETURN i', 'CREATE (:P {i: i, j: $i, k: $k})', {batchSize: 30, parallel: true, params: {count: 100, k: 'x'}}) YIELD batches, total, errorMessages AS e RETURN batches, total, e",
        &["4, 100, {}"],
    ),
    ("MATCH (p:P) WHERE p.i = p.j AND p.k = 'x' RETURN count(*)", &["100"]),
    (
        "CALL apoc.periodic.iterate('MATCH (p:P) RETURN p', 'SET p.y = 1 / (p.i - 1) RETURN p', {batchSize: 100}) YIELD total, failedOperations, failedBatches, operations RETURN total, failedOperations, failedBatches, operations.errors",
        &["100, 100, 1, {1 / 0 divides an integer by zero: 100}"],
    ),
    (
        "UNWIND [1, 2, 3] AS x CALL apoc.when(x > 1, 'RETURN $x + 1 AS y', '', {x: x}) YIELD value RETURN x, value.y ORDER BY x",
        &["1, null", "2, 3", "3, 4"],
    ),
    (
        "UNWIND [1, 2] AS x CALL apoc.do.when(x = 1, 'CREATE (n:W {x: x}) RETURN n', 'RETURN null AS n', {x: x}) YIELD value RETURN value.n.x",
        &["1", "null"],
    ),
    (
        "UNWIND [1, 2, 3] AS x CALL apoc.do.case([x = 1, 'RETURN \"one\" AS w', x = 2, 'RETURN \"two\" AS w'], 'RETURN \"many\" AS w') YIELD value RETURN x, value.w ORDER BY x",
        &["1, one", "2, two", "3, many"],
    ),
    (
        "CREATE (a:G {i: 0})-[:T]->(b:G {i: 1})-[:T]->(c:G {i: 2})-[:T]->(a), (b)-[:U]->(:G {i: 3})",
        &[],
    ),
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.subgraphNodes(a, {relationshipFilter: 'T>', maxLevel: 2}) YIELD node RETURN node.i ORDER BY node.i",
        &["0", "1", "2"],
    ),
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.expandConfig(a, {relationshipFilter: 'T>', minLevel: 1, maxLevel: 2, uniqueness: 'RELATIONSHIP_PATH'}) YIELD path RETURN [n IN nodes(path) | n.i] AS p ORDER BY size(p), p",
        &["[0, 1]", "[0, 1, 2]"],
    ),
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.expand(a, 'T>', '-G', 0, 3) YIELD path RETURN length(path) AS l",
        &["0"],
    ),
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.subgraphNodes(a, {relationshipFilter: 'T>', labelFilter: '+G|+H', maxLevel: 1}) YIELD node RETURN node.i ORDER BY node.i",
        &["0", "1"],
    ),
    (
        "MATCH (a:G {i: 3}) CALL apoc.path.subgraphNodes(a, {minLevel: 1}) YIELD node WHERE node.i < 2 RETURN node.i ORDER BY node.i",
        &["0", "1"],
    ),
];

#[test]
fn calls_become_clauses() {
    let graph = Graph::new();
    for (text, rows) in CALLS {
        let found: Vec<String> =
            graph.ask(text).into_iter().filter(|row| !row.is_empty()).collect();
        assert_eq!(found, *rows, "{text}");
    }
    let alone = graph
        .run("CALL apoc.periodic.iterate('RETURN 1 AS x', 'CREATE (:Q)', {})")
        .expect("it runs");
    assert_eq!(
        (&*alone.columns[0], alone.columns.len(), alone.counts.vertices_created),
        ("batches", 13, 1)
    );
}

#[test]
fn what_cannot_become_clauses_is_refused_where_it_stands() {
    let graph = Graph::new();
    for (text, message) in [
        (
            "CALL apoc.periodic.iterate($a, 'CREATE (:Q)', {})",
            "the text of a statement that is a value",
        ),
        (
            "CALL apoc.periodic.iterate('RETURN 1 AS x', 'CREATE (:Q {y: y})', {})",
            "line 1, column 1: Variable `y` not defined",
        ),
        (
            "CALL apoc.periodic.iterate('RETURN 1 AS x', 'CREATE (:Q {y: $y})', {})",
            "$y of an inner statement is not given",
        ),
        (
            "CALL apoc.periodic.iterate('RETURN 1 AS x', 'CREATE (:Q)', {batchMode: 'SINGLE'})",
            "the setting `batchMode`",
        ),
        ("CALL apoc.create.node(['A'])", "takes the arguments labels, props"),
        ("CALL apoc.create.node(['A'], {}) YIELD n RETURN n", "Unknown procedure output: `n`"),
        ("CALL apoc.refactor.mergeNodes([])", "use MATCH with CREATE, SET and DELETE"),
    ] {
        let found = graph.ask(text);
        assert!(found[0].contains(message), "{text}: {found:?}");
    }
}
