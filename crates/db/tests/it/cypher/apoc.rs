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
    (
        "RETURN apoc.map.clean({a: 1, b: null, c: '', d: 0, e: 'x'}, ['e'], ['', '0']) AS a, apoc.map.clean({a: 1, b: null}, ['x'], ['']) AS b, apoc.map.clean(null, [], []) AS c",
        &["{a: 1}, {a: 1}, null"],
    ),
    (
        "RETURN apoc.map.flatten({a: {b: 1, c: {d: 2}}, e: 3}) AS a, apoc.map.flatten({a: {b: 1}}, '/') AS b, apoc.map.unflatten({`a.b`: 1, `a.c`: 2}) AS c",
        &["{a.b: 1, a.c.d: 2, e: 3}, {a/b: 1}, {a: {b: 1, c: 2}}"],
    ),
    (
        "RETURN apoc.map.get({a: 1}, 'a') AS a, apoc.map.get({a: 1}, 'b', 2) AS b, apoc.map.get({a: 1}, 'b', null, false) AS c, apoc.map.mget({a: 1}, ['a', 'b'], [null, 3]) AS d, apoc.map.submap({a: 1, b: 2}, ['b']) AS e, apoc.map.values({a: 1}, ['a', 'b'], true) AS f",
        &["1, 2, null, [1, 3], {b: 2}, [1, null]"],
    ),
    (
        "RETURN apoc.map.groupBy([{k: 'x', v: 1}, {k: 'x', v: 2}, {v: 3}], 'k') AS a, apoc.map.groupByMulti([{k: 1, v: 1}, {k: 1, v: 2}], 'k') AS b, apoc.map.mergeList([{a: 1}, {a: 2, b: 3}]) AS c",
        &["{x: {k: x, v: 2}}, {1: [{k: 1, v: 1}, {k: 1, v: 2}]}, {a: 2, b: 3}"],
    ),
    (
        "RETURN apoc.map.fromValues(['a', 1, 'b', 2]) AS a, apoc.map.setEntry({a: 1}, 'a', 2) AS b, apoc.map.setLists({}, ['a'], [1]) AS c, apoc.map.setPairs({}, [['a', 1]]) AS d, apoc.map.setValues({}, ['a', 1]) AS e, apoc.map.removeKey({a: 1, b: {a: 2, c: 3}}, 'a', {recursive: true}) AS f, apoc.map.removeKey({a: 1, b: {a: 2}}, 'a') AS g, apoc.map.sortedProperties({b: 1, A: 2}) AS h",
        &[
            "{a: 1, b: 2}, {a: 2}, {a: 1}, {a: 1}, {a: 1}, {b: {c: 3}}, {b: {a: 2}}, [[A, 2], [b, 1]]",
        ],
    ),
    (
        "RETURN apoc.coll.containsAll([1, 2, 3], [3, 1]) AS a, apoc.coll.containsAll([1], null) AS b, apoc.coll.different([1, 2]) AS c, apoc.coll.containsDuplicates([1, 1]) AS d, apoc.coll.disjunction([1, 2], [2, 3]) AS e, apoc.coll.dropDuplicateNeighbors([1, 1, 2, 1]) AS f, apoc.coll.duplicates([1, 2, 1]) AS g",
        &["true, false, true, true, [1, 3], [1, 2, 1], [1]"],
    ),
    (
        "RETURN apoc.coll.frequencies([1, 2, 1]) AS a, apoc.coll.frequenciesAsMap([1, 2, 1]) AS b, apoc.coll.duplicatesWithCount([1, 2, 1]) AS c, apoc.coll.occurrences([1, 2, 1], 1) AS d, apoc.coll.occurrences(null, 1) AS e, apoc.coll.isEqualCollection([1, 2, 2], [2, 1, 2]) AS f, apoc.coll.isEqualCollection([1, 2, 2], [2, 1, 1]) AS g",
        &[
            "[{item: 1, count: 2}, {item: 2, count: 1}], {1: 2, 2: 1}, [{item: 1, count: 2}], 2, 0, true, false",
        ],
    ),
    (
        "RETURN apoc.coll.insert([1, 2], 1, 9) AS a, apoc.coll.insertAll([1], 1, [2, 3]) AS b, apoc.coll.remove([1, 2, 3], 1) AS c, apoc.coll.remove([1, 2, 3], 0, 2) AS d, apoc.coll.set([1, 2], 0, 9) AS e, apoc.coll.removeAll([1, 1, 2, 3], [2]) AS f, apoc.coll.unionAll([1], [1]) AS g, apoc.coll.fill('x', 2) AS h",
        &["[1, 9, 2], [1, 2, 3], [1, 3], [3], [9, 2], [1, 1, 3], [1, 1], [x, x]"],
    ),
    (
        "RETURN apoc.coll.pairs([1, 2]) AS a, apoc.coll.pairsMin([1, 2, 3]) AS b, apoc.coll.partition([1, 2, 3], 2) AS c, apoc.coll.reverse([1, 2]) AS d, apoc.coll.runningTotal([1, 2, 3]) AS e, apoc.coll.sumLongs([1, 2.5]) AS f, apoc.coll.randomItem([7]) AS g",
        &["[[1, 2], [2, null]], [[1, 2], [2, 3]], [[1, 2], [3]], [2, 1], [1, 3, 6], 3, 7"],
    ),
    (
        "RETURN apoc.text.capitalize('neo4j') AS a, apoc.text.capitalizeAll('a b') AS b, apoc.text.decapitalize('Ab') AS c, apoc.text.swapCase('aB') AS d, apoc.text.camelCase('FOO_BAR') AS e, apoc.text.upperCamelCase('foo bar') AS f, apoc.text.snakeCase('fooBar') AS g, apoc.text.toUpperCase('Foo bar') AS h",
        &["Neo4j, A B, ab, Ab, fooBar, FooBar, foo-bar, FOO_BAR"],
    ),
    (
        "RETURN apoc.text.distance('Neo4j', 'Neo4j!') AS a, apoc.text.levenshteinDistance('a', 'b') AS b, apoc.text.hammingDistance('ab', 'ac') AS c, apoc.text.jaroWinklerDistance('a', 'a') AS d, apoc.text.sorensenDiceSimilarity('belly', 'jolly') AS e, apoc.text.fuzzyMatch('The', 'the') AS f, apoc.text.compareCleaned('A b', 'ab!') AS g",
        &["1, 1, 1, 0.0, 0.5, true, true"],
    ),
    (
        "RETURN apoc.text.indexOf('Hello World', 'o', 5) AS a, apoc.text.indexOf('a', 'b') AS b, apoc.text.indexesOf('abab', 'b') AS c, apoc.text.lpad('1', 3, '0') AS d, apoc.text.rpad('1', 3) + '.' AS e, apoc.text.repeat('ab', 2) AS f, apoc.text.slug(' a b-- c', '.') AS g, apoc.text.regreplace('a1', '[0-9]', '') AS h",
        &["7, -1, [1, 3], 001, 1  ., abab, a.b.c, a"],
    ),
    (
        "RETURN apoc.text.urlencode('ab cd=gh&ij?') AS a, apoc.text.urldecode('ab+cd%3D') AS b, apoc.text.base64Encode('neo4j') AS c, apoc.text.base64Decode('bmVvNGo=') AS d, apoc.text.hexValue(255) AS e, apoc.text.charAt('ab', 1) AS f, apoc.text.bytes('ab') AS g",
        &["ab+cd%3Dgh%26ij%3F, ab cd=, bmVvNGo=, neo4j, 000000FF, 98, [97, 98]"],
    ),
    (
        "RETURN apoc.convert.toString(1) AS a, apoc.convert.toInteger('2') AS b, apoc.convert.toFloat('x') AS c, [x IN ['no', 'yes', 0, null, true] | apoc.convert.toBoolean(x)] AS d, apoc.convert.toList(1) AS e, apoc.convert.toList([1]) AS f, apoc.convert.toMap({a: 1}) AS g, apoc.convert.toSet([1, 1]) AS h, apoc.convert.toStringList([1]) AS i, apoc.convert.toIntList(['1']) AS j",
        &["1, 2, null, [false, true, false, false, true], [1], [1], {a: 1}, [1], [1], [1]"],
    ),
    (
        "RETURN apoc.any.property({a: 1}, 'a') AS a, apoc.any.properties({a: 1, b: 2}, ['a']) AS b, apoc.meta.cypher.types({a: 1, b: 'x'}) AS c, apoc.meta.type(1.5) AS d, apoc.math.round(1.2345, 2) AS e",
        &["1, {a: 1}, {a: INTEGER, b: STRING}, FLOAT, 1.23"],
    ),
    (
        "RETURN vector.similarity.cosine([1.0, 0.0], [1, 1]) AS a, vector.similarity.euclidean([1, 0], [1, 1]) AS b, vector.similarity.cosine(null, [1]) AS c",
        &["0.8535534143447876, 0.5, null"],
    ),
    ("CREATE (a:A {x: 1})-[:R {w: 2}]->(:B), (a)<-[:S]-(:B), (a)-[:R]->(a)", &[]),
    (
        "MATCH (a:A)-[r:R]->(:B) RETURN apoc.any.property(r, 'w') AS a, apoc.any.properties(a) AS b, apoc.convert.toMap(r) AS c, apoc.map.groupBy([a], 'x') AS d, [n IN apoc.coll.sortNodes([a, a], 'x') | n.x] AS e, apoc.node.degree.in(a) AS f, apoc.node.degree.out(a, 'R') AS g",
        &["2, {x: 1}, {w: 2}, {1: Vertex(v1)}, [1, 1], 2, 2"],
    ),
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
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.spanningTree(a, {relationshipFilter: 'T>', labelFilter: '+G', minLevel: 1, maxLevel: 2}) YIELD path RETURN [n IN nodes(path) | n.i] AS p, length(path) AS l",
        &["[0, 1], 1", "[0, 1, 2], 2"],
    ),
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.spanningTree(a, {}) YIELD path RETURN last(nodes(path)).i AS i, length(path) AS l ORDER BY i",
        &["0, 0", "1, 1", "2, 1", "3, 2"],
    ),
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.expandConfig(a, {relationshipFilter: 'T>|<U', uniqueness: 'NODE_GLOBAL', minLevel: 1, limit: 1}) YIELD path RETURN last(nodes(path)).i",
        &["1"],
    ),
    (
        "MATCH (a:G {i: 0}), (t:G {i: 1}) CALL apoc.path.subgraphNodes(a, {relationshipFilter: 'T>|U>', terminatorNodes: [t]}) YIELD node RETURN node.i",
        &["1"],
    ),
    (
        "MATCH (a:G {i: 0}), (t:G {i: 3}) CALL apoc.path.subgraphNodes(a, {relationshipFilter: 'T>|U>', endNodes: [t]}) YIELD node RETURN node.i",
        &["3"],
    ),
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.subgraphNodes(a, {relationshipFilter: 'V>', minLevel: 1, optional: true}) YIELD node RETURN a.i, node",
        &["0, null"],
    ),
    (
        "MATCH (a:G {i: 0}) CALL apoc.path.subgraphAll(a, {relationshipFilter: 'T>', maxLevel: 1}) YIELD nodes, relationships RETURN [n IN nodes | n.i] AS n, [r IN relationships | type(r)] AS r",
        &["[0, 1], [T]"],
    ),
    ("CREATE (:L0 {i: 10})-[:X]->(:L1 {i: 11})-[:X]->(:L2 {i: 12})-[:X]->(:L3 {i: 13})", &[]),
    (
        "MATCH (a:L0) CALL apoc.path.subgraphNodes(a, {labelFilter: '/L2|>L1|+L3'}) YIELD node RETURN node.i ORDER BY node.i",
        &["11", "12"],
    ),
    (
        "MATCH (a:L0) CALL apoc.path.subgraphNodes(a, {labelFilter: '-L2'}) YIELD node RETURN node.i ORDER BY node.i",
        &["10", "11"],
    ),
    (
        "CALL apoc.meta.subGraph({labels: ['L0', 'L1']}) YIELD nodes, relationships RETURN [n IN nodes | n.name] AS n, [r IN relationships | {name: apoc.any.property(r, 'type'), count: apoc.any.property(r, 'count')}] AS r",
        &["[L0, L1], [{name: X, count: 1}]"],
    ),
    (
        "CALL apoc.create.nodes(['N'], [{x: 1}, {x: 2}]) YIELD node RETURN labels(node), node.x",
        &["[N], 1", "[N], 2"],
    ),
    (
        "MATCH (n:N {x: 1}) CALL apoc.create.setLabels(n, ['N1', 'N2']) YIELD node CALL apoc.create.setProperties(node, ['a', 'b'], [1, 2]) YIELD node AS m CALL apoc.create.removeProperties([m], ['x']) YIELD node AS o RETURN labels(o), properties(o)",
        &["[N1, N2], {a: 1, b: 2}"],
    ),
    (
        "MATCH (:L0)-[r:X]->() CALL apoc.create.setRelProperty(r, 'w', 1) YIELD rel CALL apoc.create.setRelProperties(rel, ['v'], [2]) YIELD rel AS s CALL apoc.create.removeRelProperties([s], ['w']) YIELD rel AS t RETURN properties(t)",
        &["{v: 2}"],
    ),
    (
        "CALL apoc.create.node(['Bare'], null) YIELD node RETURN labels(node), properties(node)",
        &["[Bare], {}"],
    ),
    (
        "UNWIND [1, 2] AS x CALL apoc.cypher.run('RETURN $x + 1 AS y', {x: x}) YIELD value RETURN x, value.y ORDER BY x",
        &["1, 2", "2, 3"],
    ),
    (
        "CALL apoc.cypher.doIt('CREATE (n:Done) RETURN 1 AS one', {}) YIELD value RETURN value.one",
        &["1"],
    ),
    ("CALL apoc.coll.partition([1, 2, 3], 2) YIELD value RETURN value", &["[1, 2]", "[3]"]),
    (
        "CREATE (a:D {n: 1, x: 'a'})-[:K {w: 1}]->(c:E {i: 0}), (b:D:Old {n: 1, y: 'b', x: 'z'})-[:K {w: 2, v: 3}]->(c), (:E {i: 1})-[:K]->(b)",
        &[],
    ),
    (
        "MATCH (d:D) WITH d ORDER BY d.x WITH collect(d) AS all CALL apoc.refactor.mergeNodes(all, {properties: 'discard', mergeRels: true}) YIELD node RETURN labels(node), properties(node)",
        &["[D, Old], {x: a, n: 1, y: b}"],
    ),
    (
        "MATCH (d:D) OPTIONAL MATCH (d)-[r]-(e:E) RETURN e.i, properties(r), startNode(r) = d ORDER BY e.i",
        &["0, {v: 3, w: 1}, true", "1, {}, false"],
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
        ("CALL apoc.refactor.cloneNodes([])", "use MATCH with CREATE, SET and DELETE"),
        ("CALL apoc.refactor.mergeNodes([], {properties: 'combine'})", "properties: 'combine'"),
        ("CALL apoc.schema.assert({}, {})", "CREATE CONSTRAINT … IF NOT EXISTS"),
        ("CALL apoc.create.vNode(['A'], {})", "use maps in place of nodes"),
        ("RETURN apoc.cypher.runFirstColumnSingle('RETURN 1', {})", "write COLLECT { … }[0]"),
        ("CALL apoc.path.spanningTree(1, {}) YIELD path RETURN path", "a search starts at a node"),
        (
            "CREATE (n) WITH n CALL apoc.path.spanningTree(n, {sequence: 'A'}) YIELD path RETURN path",
            "the setting `sequence`",
        ),
        (
            "CREATE (n) WITH n CALL apoc.path.subgraphNodes(n, {minLevel: 2}) YIELD node RETURN node",
            "the setting `minLevel` is 0 or 1",
        ),
        ("CALL apoc.create.node(['A'], 'x')", ""),
        ("RETURN apoc.map.get({a: 1}, 'b')", "Key b is not of one of the existing keys"),
        ("RETURN vector.similarity.cosine([1.0], [1.0, 2.0])", "the same number of dimensions"),
        ("RETURN vector.similarity.cosine(['a'], [1.0])", ""),
    ] {
        let found = graph.ask(text);
        assert!(found[0].contains(message), "{text}: {found:?}");
    }
}
