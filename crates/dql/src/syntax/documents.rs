//! Documents: which parts one may have beside each other.

use super::blocks::blocks;
use super::children::children;
use super::lists::in_parentheses;
use super::mutations::{begins_mutation, mutation, upsert};
use super::requests::schema_request;
use super::values::value;
use crate::text::{Cursor, Read, name, parameter, word};
use crate::tree::{Document, Fragment, Item, Offset, Query, QueryVariable};

/// The whole text.
pub(super) fn document(cursor: &mut Cursor<'_>) -> Read<Document> {
    let mut document = Document::default();
    while !cursor.is_end() {
        cursor.count_node()?;
        let offset = cursor.here();
        let item = item(cursor)?;
        check_beside(cursor, offset, &document.items, &item)?;
        document.items.push(item);
    }
    Ok(document)
}

fn item(cursor: &mut Cursor<'_>) -> Read<Item> {
    if cursor.is('{') {
        return match cursor.looking(begins_mutation) {
            true => Ok(Item::Mutation(mutation(cursor)?)),
            false => Ok(Item::Query(query(cursor)?)),
        };
    }
    let (at, operation) =
        cursor.looking(|cursor| word(cursor, "`{`, or an operation such as `query`"))?;
    match operation.to_lowercase().as_str() {
        "query" => Ok(Item::Query(query(cursor)?)),
        "fragment" => Ok(Item::Fragment(fragment(cursor)?)),
        "schema" => Ok(Item::Schema(schema_request(cursor)?)),
        "mutation" => Ok(Item::Mutation(mutation(cursor)?)),
        "upsert" => Ok(Item::Upsert(upsert(cursor)?)),
        _ => Err(cursor.error(at, format!("Invalid operation type: {operation}"))),
    }
}

/// Whether a part may stand beside those before it.
fn check_beside(cursor: &Cursor<'_>, at: Offset, before: &[Item], item: &Item) -> Read<()> {
    let stands_alone = |item: &Item| match item {
        Item::Schema(_) => Some("a schema block"),
        Item::Upsert(_) => Some("an upsert block"),
        Item::Query(_) | Item::Fragment(_) | Item::Mutation(_) => None,
    };
    let is_query = |item: &Item| matches!(item, Item::Query(_));
    if is_query(item) && before.iter().any(is_query) {
        let error = cursor.error(at, "a document has one query");
        return Err(error.with_help("a query may have several blocks in its braces"));
    }
    if let Some(other) = before.first()
        && let Some(alone) = stands_alone(item).or_else(|| stands_alone(other))
    {
        return Err(
            cursor.error(at, format!("{alone} is not allowed beside other parts of a document"))
        );
    }
    Ok(())
}

/// `query name($a: int) { … }`, or its blocks alone.
pub(super) fn query(cursor: &mut Cursor<'_>) -> Read<Query> {
    let offset = cursor.here();
    let (mut query_name, mut variables) = (None, Vec::new());
    if cursor.take_word("query") {
        if !cursor.is('{') && !cursor.is('(') {
            query_name = Some(name(cursor, "the name of a query, or `{`")?.name);
        }
        if cursor.is('(') {
            variables = in_parentheses(cursor, "of the variables of a query", query_variable)?;
        }
    }
    Ok(Query { offset, name: query_name, variables, blocks: blocks(cursor)? })
}

/// `$a: int! = 1`.
fn query_variable(cursor: &mut Cursor<'_>) -> Read<QueryVariable> {
    let variable = parameter(cursor)?;
    cursor.must_take(':', "before the type of a variable")?;
    let value_type = name(cursor, "a type such as `int`")?.name;
    let is_required = cursor.take('!');
    let default = if cursor.take('=') { Some(value(cursor)?) } else { None };
    if is_required && default.is_some() {
        let detail = format!("the variable ${} is required and has a default value", variable.text);
        let error = cursor.error(variable.offset, detail);
        return Err(error.with_help("leave out either `!` or the value"));
    }
    Ok(QueryVariable { name: variable, value_type, is_required, default })
}

/// `fragment name { … }`.
pub(super) fn fragment(cursor: &mut Cursor<'_>) -> Read<Fragment> {
    let offset = cursor.here();
    cursor.take_word("fragment");
    let name = name(cursor, "the name of a fragment")?.name;
    Ok(Fragment { offset, name, children: children(cursor)? })
}
