//! What a resolved statement looks like: columns, symbols, types.

use super::resolved;
use crate::tree::{Body, Clause, Expr, ExprKind, Projection, Statement, Symbol};
use crate::types::Type;

fn columns(query: &str) -> Vec<String> {
    let (_, resolved) = resolved(query).unwrap_or_else(|errors| panic!("{query}: {errors:?}"));
    resolved.columns.iter().map(ToString::to_string).collect()
}

fn projections(statement: &Statement) -> Vec<&Projection> {
    let Body::Query(query) = &statement.body else { panic!("a query") };
    let clauses = query.parts.iter().flat_map(|part| &part.clauses);
    let projection = |clause| match clause {
        &Clause::With(ref own) | &Clause::Return(ref own) => Some(own),
        _ => None,
    };
    clauses.filter_map(projection).collect()
}

fn symbol(expr: &Expr) -> Option<Symbol> {
    match &expr.kind {
        ExprKind::Variable(variable) => variable.symbol,
        _ => None,
    }
}

#[test]
fn stars_become_variables_by_name() {
    assert_eq!(columns("MATCH (b)-[r]->(a) RETURN *"), ["a", "b", "r"]);
    assert_eq!(columns("MATCH (b)-[]->(a) WITH *, 1 AS one RETURN *"), ["a", "b", "one"]);
    assert_eq!(columns("MATCH (b)-[]->(a) RETURN *, 1 AS aa"), ["a", "b", "aa"]);
    assert_eq!(columns("MATCH (n) CALL (*) { RETURN n.x AS x } RETURN *"), ["n", "x"]);
    assert_eq!(columns("CALL test.pair(1, 2)"), ["a", "b"]);
    assert_eq!(columns("CALL test.pair(1, 2) YIELD b AS c"), ["c"]);
    assert_eq!(
        columns("SHOW USERS"),
        ["user", "roles", "passwordChangeRequired", "suspended", "home"]
    );
    assert_eq!(columns("SHOW SETTINGS YIELD *").len(), 9);
    assert_eq!(
        columns("SHOW INDEXES YIELD name, type AS t ORDER BY t WHERE t = 'A' RETURN t"),
        ["t"]
    );
    assert_eq!(columns("SHOW FUNCTIONS WHERE name = 'abs'"), ["name", "category", "description"]);
}

#[test]
fn columns_without_an_alias_are_named_by_their_text() {
    assert_eq!(columns("MATCH (n) RETURN n.x,  count( * ), `n`"), ["n.x", "count( * )", "n"]);
    assert_eq!(columns("CREATE (n)"), [""; 0]);
}

#[test]
fn a_variable_that_is_passed_on_keeps_its_symbol_and_an_alias_has_a_new_one() {
    let query = "MATCH (n) WITH n, n AS m WITH m AS n RETURN n";
    let (statement, _) = resolved(query).expect("it is right");
    let found = projections(&statement);
    let [first, second, last] = found.as_slice() else { panic!("three projections") };
    let alias = |own: &Projection, index: usize| {
        own.items[index].alias.as_ref().and_then(|alias| alias.symbol)
    };
    assert_eq!(alias(first, 0), symbol(&first.items[0].expr));
    assert_ne!(alias(first, 1), symbol(&first.items[1].expr));
    assert_eq!(symbol(&second.items[0].expr), alias(first, 1));
    assert_ne!(alias(second, 0), alias(first, 0));
    assert_eq!(alias(last, 0), alias(second, 0));
}

#[test]
fn a_sort_key_that_equals_an_item_is_its_column() {
    let query = "MATCH (n) RETURN n.x AS a, count(*) AS c ORDER BY n.x, 1 + count(*)";
    let (statement, _) = resolved(query).expect("it is right");
    let found = projections(&statement);
    let own = found[0];
    let aliases: Vec<_> = own.items.iter().map(|item| item.alias.as_ref()?.symbol).collect();
    assert_eq!(symbol(&own.order[0].expr), aliases[0]);
    let ExprKind::Binary(_, _, right) = &own.order[1].expr.kind else { panic!("a sum") };
    assert_eq!(symbol(right), aliases[1]);
}

#[test]
fn the_parts_of_a_union_share_the_symbols_of_their_columns() {
    let query = "MATCH (n) RETURN n, 1 AS x UNION MATCH (m) RETURN 2.5 AS x, m AS n";
    let (statement, known) = resolved(query).expect("it is right");
    let found = projections(&statement);
    let alias = |part: usize, index: usize| {
        found[part].items[index].alias.as_ref().and_then(|alias| alias.symbol)
    };
    assert_eq!(alias(0, 0), alias(1, 1));
    assert_eq!(alias(0, 1), alias(1, 0));
    let number = alias(0, 1).map(|symbol| known.symbols.type_of(symbol));
    assert_eq!(number, Some(&Type::Number));
}

#[test]
fn types_of_columns_follow_from_their_expressions() {
    let cases = [
        ("MATCH (n) RETURN n AS x", Type::Node),
        ("MATCH ()-[r*]->() RETURN r AS x", Type::list(Type::Relationship)),
        ("MATCH p = ()-->() RETURN nodes(p) AS x", Type::list(Type::Node)),
        ("MATCH ((a)-->()){2} RETURN a AS x", Type::list(Type::Node)),
        ("MATCH (n) RETURN n.y AS x", Type::Property),
        ("RETURN 1 + 2.0 AS x", Type::Float),
        ("RETURN [1, 2][0] AS x", Type::Integer),
        ("RETURN [y IN [1, 2] | toString(y)] AS x", Type::list(Type::String)),
        ("MATCH (n) RETURN collect(n) AS x", Type::list(Type::Node)),
        ("MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m } AS x", Type::list(Type::Node)),
        ("RETURN date('2020-01-01').year AS x", Type::Integer),
        ("RETURN coalesce(null, 'a') AS x", Type::String),
        ("RETURN reduce(s = [], y IN [1] | s + y) AS x", Type::Any),
    ];
    for (query, expected) in cases {
        let (statement, known) =
            resolved(query).unwrap_or_else(|errors| panic!("{query}: {errors:?}"));
        let own = projections(&statement)[0];
        let symbol = own.items[0].alias.as_ref().and_then(|alias| alias.symbol);
        assert_eq!(symbol.map(|symbol| known.symbols.type_of(symbol)), Some(&expected), "{query}");
    }
}

#[test]
fn a_statement_writes_if_one_of_its_clauses_does() {
    let writes = |query: &str| resolved(query).map(|(_, known)| known.writes).ok();
    assert_eq!(writes("MATCH (n) RETURN n"), Some(false));
    assert_eq!(writes("MATCH (n) CALL (n) { SET n.x = 1 } RETURN n"), Some(true));
}
