//! `schema(pred: [name]) { type index }`: what a client wants to know of the schema.

use super::functions::invalid_keyword;
use super::values::names;
use crate::text::{Cursor, Read, name};
use crate::tree::{SchemaRequest, SchemaScope};

/// The request, of which the word comes next.
pub(super) fn schema_request(cursor: &mut Cursor<'_>) -> Read<SchemaRequest> {
    let offset = cursor.here();
    cursor.take_word("schema");
    let scope = if cursor.take('(') { scope(cursor)? } else { SchemaScope::All };
    cursor.must_take('{', "of a schema block")?;
    let mut fields = Vec::new();
    while !cursor.take('}') {
        cursor.count_node()?;
        fields.push(name(cursor, "a field such as `type`, or `}`")?.name);
        cursor.take(',');
    }
    Ok(SchemaRequest { offset, scope, fields })
}

fn scope(cursor: &mut Cursor<'_>) -> Read<SchemaScope> {
    let key = name(cursor, "`pred` or `type`")?.name;
    cursor.must_take(':', "behind `pred` or `type`")?;
    let scope = match key.text.to_lowercase().as_str() {
        "pred" => SchemaScope::Predicates(names(cursor, "of predicates")?),
        "type" => SchemaScope::Types(names(cursor, "of types")?),
        _ => return Err(invalid_keyword(cursor, key.offset, &key.text)),
    };
    cursor.must_take(')', "of a schema block")?;
    Ok(scope)
}
