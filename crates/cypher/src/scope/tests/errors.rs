//! Queries and the names of their faults.

use super::{faults, resolved};

fn check(table: &[(&str, &str)]) {
    for (query, fault) in table {
        let expected: Vec<&str> = fault.split_whitespace().collect();
        assert_eq!(faults(query), expected, "{query}");
    }
}

#[test]
fn names_must_be_bound_once_and_before_they_are_read() {
    check(&[
        ("MATCH (n) RETURN m", "UndefinedVariable"),
        ("MATCH (n) RETURN m, m.x, k", "UndefinedVariable UndefinedVariable"),
        ("MATCH (n) WITH n AS m RETURN n", "UndefinedVariable"),
        ("UNWIND [1] AS x UNWIND [2] AS x RETURN x", "VariableAlreadyBound"),
        ("MATCH (n) CREATE (n)", "VariableAlreadyBound"),
        ("MATCH (n) CREATE (n)-[:T]->(n)", ""),
        ("MATCH (n) CREATE (n:A)-[:T]->()", "VariableAlreadyBound"),
        ("CREATE (a {x: b.x})-[:R]->(b)", "UndefinedVariable"),
        ("CREATE (a {x: 1}), (b {x: a.x})", ""),
        ("MERGE (a {x: 1})-[:T]->(b {x: a.x})", ""),
        ("MERGE (a {x: a.y})", "UndefinedVariable"),
        ("MATCH (a {x: b.x}), (b) RETURN a", ""),
        ("MATCH p = (p)-->() RETURN p", "VariableAlreadyBound"),
        ("MATCH (n)-[n]->() RETURN n", "VariableTypeConflict"),
        ("MATCH ()-[r]->()-[r]->() RETURN r", "RelationshipUniquenessViolation"),
        ("MATCH REPEATABLE ELEMENTS ()-[r]->(), ()-[r]->() RETURN r", ""),
        ("MATCH (n) FOREACH (n IN [1] | CREATE ({x: n}))", ""),
        ("MATCH (n) FOREACH (x IN [1] | CREATE (m)) RETURN m", "UndefinedVariable"),
        ("MATCH (n) RETURN [n IN [1] | n + 1] AS x, n.y", ""),
        ("MATCH (n) RETURN [x IN [1] | x] AS a, x AS b", "UndefinedVariable"),
        ("RETURN reduce(s = 0, x IN [1] | s + x) AS a, s AS b", "UndefinedVariable"),
        ("MATCH (n) WHERE (n)-->(m) RETURN n", "UndefinedVariable"),
        ("MATCH (n) RETURN [(n)-->(m) | m.x] AS xs", ""),
        ("MATCH (n) RETURN [(n)-->(m) | m.x] AS xs, m", "UndefinedVariable"),
        ("MATCH (n) WHERE EXISTS { (n)-->(m) } RETURN m", "UndefinedVariable"),
        (
            "MATCH (n) WHERE EXISTS { MATCH (n)-->(m) WITH m AS n RETURN n } RETURN n",
            "VariableAlreadyBound",
        ),
        ("MATCH ((a)-->(b)){1,3} WHERE a.x = 1 RETURN b", "InvalidArgumentType"),
        (
            "MATCH ((a)-[r WHERE r.x = 1]->(b) WHERE a.x = 1){1,3} RETURN b, size(a), [x IN r | x.y]",
            "",
        ),
        ("MATCH (a)-[r:T WHERE r.x = 1]->+(b) RETURN size(r)", ""),
        ("MATCH (a) MATCH ((a)-->(b)){1,3} RETURN b", "VariableAlreadyBound"),
    ]);
}

#[test]
fn projections_name_their_columns_once() {
    check(&[
        ("MATCH (n) WITH n.x RETURN 1", "NoExpressionAlias"),
        ("RETURN 1 AS a, 2 AS a", "ColumnNameConflict"),
        ("MATCH (n) WITH *, 1 AS n RETURN n", ""),
        ("MATCH () RETURN *", "NoVariablesInScope"),
        ("RETURN 1 AS a UNION RETURN 2 AS b", "DifferentColumnsInUnion"),
        ("RETURN 1 AS a, 2 AS b UNION RETURN 2 AS b, 1 AS a", ""),
        ("RETURN 1 AS a UNION RETURN 2 AS a UNION ALL RETURN 3 AS a", "InvalidClauseComposition"),
        ("MATCH (n) RETURN n SKIP n.x", "NonConstantExpression"),
        ("MATCH (n) RETURN n.x, m SKIP m", "UndefinedVariable NonConstantExpression"),
        ("MATCH (n) RETURN n SKIP toInteger(rand() * 9) LIMIT $p + 1", ""),
        ("MATCH (n) RETURN n LIMIT -1", "NegativeIntegerArgument"),
        ("MATCH (n) RETURN n LIMIT 1.5", "InvalidArgumentType"),
        ("MATCH (n) RETURN n LIMIT 'a'", "InvalidArgumentType"),
    ]);
}

#[test]
fn an_order_reads_columns_and_where_nothing_is_merged_also_what_was_before() {
    check(&[
        ("MATCH (n) RETURN n.x AS x ORDER BY n.y", ""),
        ("MATCH (n) RETURN DISTINCT n.x AS x ORDER BY n.y", "UndefinedVariable"),
        ("MATCH (n) RETURN DISTINCT n.x AS x ORDER BY n.x + 1", ""),
        ("MATCH (n) RETURN n.x AS n ORDER BY n + 2", ""),
        ("MATCH (n) RETURN n.x, count(*) AS c ORDER BY count(*), n.x", ""),
        ("MATCH (n) RETURN MAX(n.x), count(*) AS c ORDER BY ((max( n . x )))", ""),
        ("MATCH (n) RETURN DISTINCT COUNT { (n)-->() } AS c ORDER BY count { (n)-->() } + 1", ""),
        ("MATCH (n) RETURN DISTINCT [(n)-->(m) | m.x] AS c ORDER BY [(n)-->(m) | m.x]", ""),
        (
            "MATCH (n) RETURN DISTINCT [(n)-->(m) | m.x] AS c ORDER BY [(n)-->(m) | m.y]",
            "UndefinedVariable",
        ),
        ("MATCH (n) RETURN n.x, count(*) AS c ORDER BY max(n.y)", "UndefinedVariable"),
        ("MATCH (n) RETURN n.x AS x, count(*) AS c ORDER BY max(x)", "InvalidAggregation"),
        ("MATCH (n) RETURN n.x AS x ORDER BY count(*)", "InvalidAggregation"),
        ("MATCH (n) RETURN DISTINCT n.x AS x ORDER BY COUNT { (n)-->() }", "UndefinedVariable"),
        ("MATCH (n) WITH n.x AS x WHERE n.y = 1 RETURN x", ""),
        ("MATCH (n) WITH n.x AS x, count(*) AS c WHERE n.y = 1 RETURN x", "UndefinedVariable"),
        (
            "MATCH (n) WITH n.x AS x, count(*) AS c WHERE count(*) = 1 RETURN x",
            "InvalidAggregation",
        ),
    ]);
}

#[test]
fn aggregates_stand_in_projections_beside_keys() {
    check(&[
        ("MATCH (n) WHERE count(n) = 1 RETURN n", "InvalidAggregation"),
        ("RETURN count(count(*))", "NestedAggregation"),
        ("RETURN count(rand())", "NonConstantExpression"),
        ("RETURN [x IN [1] | count(*)]", "InvalidAggregation"),
        ("RETURN [x IN collect(1) | x]", ""),
        ("MATCH (n) RETURN n.x + count(*)", "AmbiguousAggregationExpression"),
        ("MATCH (n) RETURN n.x, n.x + count(*)", ""),
        ("MATCH (n) RETURN n, n.x + count(*)", ""),
        ("MATCH (n) RETURN n.x + 1, n.x + 1 + count(*)", "AmbiguousAggregationExpression"),
        ("MATCH (n) RETURN count(*) + COUNT { (n)-->() }", "AmbiguousAggregationExpression"),
        ("MATCH (n) RETURN n, count(*) + COUNT { (n)-->() }", ""),
        ("MATCH (n)-->(m) RETURN n {.x, y: m.y, c: count(*)}", "AmbiguousAggregationExpression"),
        ("MATCH (n) RETURN n {.x}, count(*) + n.y", "AmbiguousAggregationExpression"),
        ("MATCH (n)-->(m) RETURN n {.x, y: n.y, ms: collect(m {.x})}", ""),
        ("MATCH (n)-->(m) WITH n, m.x AS x RETURN n {.x, x, c: count(*)}", ""),
        ("MATCH (n) SET n.x = count(*)", "InvalidAggregation"),
        ("MATCH (n) RETURN abs(DISTINCT n.x)", "UnexpectedSyntax"),
        ("MATCH (n) RETURN n.x, EXISTS { MATCH (n)-->(m) RETURN count(m) AS c }", ""),
    ]);
}

#[test]
fn clauses_stand_where_they_may() {
    check(&[
        ("MATCH (n)", "InvalidClauseComposition"),
        ("MATCH (n) WITH n", "InvalidClauseComposition"),
        ("UNWIND [1] AS x", "InvalidClauseComposition"),
        ("MATCH (n) SET n.x = 1", ""),
        ("MATCH (n) FINISH", ""),
        ("MATCH (n) FOREACH (x IN [1] | MATCH (m))", "InvalidClauseComposition"),
        ("MATCH (n) WHERE EXISTS { MATCH (n) SET n.x = 1 } RETURN n", "InvalidClauseComposition"),
        (
            "MATCH (n) RETURN COLLECT { MATCH (m) RETURN m, n AS k } AS c",
            "InvalidClauseComposition",
        ),
        ("MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN m } RETURN m", ""),
        (
            "MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN m AS n } RETURN m",
            "VariableAlreadyBound UndefinedVariable",
        ),
        ("MATCH (n) CALL { WITH n MATCH (n)-->(m) RETURN m } RETURN n, m", ""),
        ("MATCH (n) CALL { MATCH (n)-->(m) RETURN m } RETURN n, m", ""),
        ("MATCH (k) CALL { RETURN k.x AS x } RETURN x", "UndefinedVariable"),
        ("MATCH (k) CALL { RETURN 1 } RETURN k", "NoExpressionAlias"),
        ("MATCH (k) CALL () { CREATE (x) } RETURN k", ""),
        ("MATCH (k) CALL (k) { CREATE (x) RETURN x }", "InvalidClauseComposition"),
        ("MATCH (k) CALL (k) { SET k.x = 1 } IN TRANSACTIONS OF 0 ROWS", "NegativeIntegerArgument"),
    ]);
}

#[test]
fn patterns_that_are_made_say_all_and_those_that_are_matched_hold_no_parameter() {
    check(&[
        ("CREATE ()-[:A|B]->()", "NoSingleRelationshipType"),
        ("CREATE ()-->()", "NoSingleRelationshipType"),
        ("CREATE ()-[:A]-()", "RequiresDirectedRelationship"),
        ("MERGE ()-[:A]-()", ""),
        ("CREATE ()-[:A*2]->()", "CreatingVarLength"),
        ("CREATE (n $p)", ""),
        ("MATCH (n $p) RETURN n", "InvalidParameterUse"),
        ("MERGE (n $p)", "InvalidParameterUse"),
        ("MATCH ()-[r]->() DELETE r:T", "InvalidDelete"),
        ("MATCH (n) DELETE [n], null", ""),
        ("MATCH (n) DELETE n.x", "InvalidArgumentType"),
        ("MATCH (n) DELETE 1 + 1", "InvalidArgumentType"),
        ("MATCH (n) RETURN (n)-->() AS x", "UnexpectedSyntax"),
        ("MATCH (n) RETURN NOT (n)-->() AS x", ""),
        ("MATCH (n) RETURN exists((n)-->()) AS x", ""),
        ("MATCH (n) RETURN size((n)-->()) AS x", "UnexpectedSyntax"),
        ("MATCH (a), (b) RETURN shortestPath((a)-[*]-(b)) AS p", ""),
        ("MATCH p = shortestPath((a)-->()-->(b)) RETURN p", "InvalidRelationshipPattern"),
    ]);
}

#[test]
fn a_type_is_wrong_where_no_value_can_be_right() {
    check(&[
        ("RETURN 1 AND true", "InvalidArgumentType"),
        ("RETURN $p AND null", ""),
        ("RETURN NOT 'a'", "InvalidArgumentType"),
        ("RETURN 1 IN 2", "InvalidArgumentType"),
        ("RETURN 'a' - 1", "InvalidArgumentType"),
        ("RETURN 'a' + 1, 1 + 'a', [1] + 2, 2 + [1], date() + duration({days: 1})", ""),
        ("RETURN {} + 1", "InvalidArgumentType"),
        ("RETURN date() + 1", "InvalidArgumentType"),
        ("RETURN duration({days: 1}) * 2 / 3, -duration('P1D')", ""),
        ("WITH 1 AS x RETURN x.y", "InvalidArgumentType"),
        ("MATCH p = ()-->() RETURN p.x", "InvalidArgumentType"),
        ("WITH date() AS x RETURN x.year + 1, x['month']", ""),
        ("RETURN [1, 2]['a']", "InvalidArgumentType"),
        ("RETURN {a: 1}[0]", "InvalidArgumentType"),
        ("RETURN [1, 2][1..'a']", "InvalidArgumentType"),
        ("MATCH (n) RETURN type(n)", "InvalidArgumentType"),
        ("MATCH (n) RETURN length(n)", "InvalidArgumentType"),
        ("RETURN any(x IN ['a'] WHERE x % 2 = 0)", "InvalidArgumentType"),
        ("RETURN any(x IN [1, 'a'] WHERE x % 2 = 0)", ""),
        ("RETURN reduce(s = '', x IN [1, 2] | s + x)", ""),
        ("RETURN CASE WHEN 1 THEN 2 END", "InvalidArgumentType"),
        ("RETURN CASE 1 WHEN 1 THEN 2 ELSE 'a' END + 1", ""),
        ("RETURN foo(1)", "UnknownFunction"),
        ("RETURN abs()", "InvalidNumberOfArguments"),
        ("RETURN abs(1, 2)", "InvalidNumberOfArguments"),
        ("RETURN coalesce(1, 2, 3, 4), TOUPPER('a'), Date.Truncate('day', date())", ""),
        ("RETURN range(0, 'a')", ""),
        ("WITH [1] AS n MATCH (n) RETURN n", "VariableTypeConflict"),
        ("UNWIND $rows AS n MATCH (n) RETURN n", ""),
        ("UNWIND 1 AS x RETURN x", ""),
        ("MATCH (n) SET n = 1", "InvalidArgumentType"),
        ("WITH 1 AS n SET n.x = 1", "InvalidArgumentType"),
    ]);
}

#[test]
fn procedures_are_called_as_their_signatures_say() {
    check(&[
        ("CALL test.nothing()", "ProcedureNotFound"),
        ("CALL test.pair(1)", "InvalidNumberOfArguments"),
        ("CALL test.pair(1, 2)", ""),
        ("CALL test.pair(1, 2) YIELD *", ""),
        ("CALL test.pair(1, 2.5)", "InvalidArgumentType"),
        ("CALL test.pair('a', $two)", "InvalidArgumentType"),
        ("CALL test.pair(1, 2) YIELD a, b RETURN a + 1, b.x, b + 1", "InvalidArgumentType"),
        ("CALL test.pair", ""),
        ("RETURN COUNT { CALL test.work() RETURN 1 AS x }", "InvalidClauseComposition"),
        ("CALL test.pair(1, 2) YIELD * RETURN a", "UnexpectedSyntax"),
        ("CALL test.pair(1, 2) YIELD a, b AS a RETURN a", "VariableAlreadyBound"),
        ("CALL test.pair(1, 2) YIELD c RETURN c", "UndefinedVariable"),
        ("CALL test.pair(1, 2) RETURN a", "UndefinedVariable"),
        ("CALL test.pair(1, 2) YIELD a WHERE a > 1 RETURN a", ""),
        ("MATCH (n) CALL test.pair(count(n), 2) YIELD a RETURN a", "InvalidAggregation"),
        ("MATCH (n) CALL test.work RETURN n", ""),
        ("MATCH (n) CALL test.pair YIELD a RETURN n", "InvalidArgumentPassingMode"),
        ("MATCH (n) CALL test.pair(1, 2) YIELD a", "InvalidClauseComposition"),
        ("SHOW INDEXES YIELD nam", "UndefinedVariable"),
        ("SHOW INDEXES WHERE options IS NULL", "UndefinedVariable"),
        ("SHOW INDEXES YIELD name, options WHERE options IS NULL AND name", "InvalidArgumentType"),
    ]);
}

#[test]
fn messages_say_what_is_wrong_where_and_what_to_do() {
    let messages = |query: &str| {
        let errors = resolved(query).err().unwrap_or_default();
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        messages("MATCH (person)\nRETURN persn.name"),
        ["line 2, column 8: Variable `persn` not defined (the nearest variable is `person`)"]
    );
    assert_eq!(
        messages("RETURN true AND 1"),
        ["line 1, column 17: Type mismatch: expected Boolean but was Integer"]
    );
    assert_eq!(
        messages("RETURN toUper('a')"),
        ["line 1, column 8: Unknown function 'toUper' (the nearest name is `toUpper`)"]
    );
}
