//! The text of `/alter`, and of the schema of an export.

use super::lists::{in_parentheses, list};
use super::values::named_value;
use crate::text::{Cursor, Read, bare, name};
use crate::tree::{
    FieldType, Name, PredicateSchema, Schema, SchemaDirective, SchemaItem, Tokenizer, TypeField,
    TypeSchema, ValueType,
};

/// The whole text.
pub(super) fn schema(cursor: &mut Cursor<'_>) -> Read<Schema> {
    let mut schema = Schema::default();
    while !cursor.is_end() {
        cursor.count_node()?;
        schema.items.push(item(cursor)?);
    }
    Ok(schema)
}

fn item(cursor: &mut Cursor<'_>) -> Read<SchemaItem> {
    let namespace = namespace(cursor)?;
    // A predicate may be called `type`, too.
    if cursor.is_word("type") && !cursor.is_word_then("type", ':') {
        cursor.take_word("type");
        return Ok(SchemaItem::Type(type_schema(cursor, namespace)?));
    }
    Ok(SchemaItem::Predicate(predicate_schema(cursor, namespace)?))
}

/// `[0x0]`.
fn namespace(cursor: &mut Cursor<'_>) -> Read<Option<Name>> {
    if !cursor.take('[') {
        return Ok(None);
    }
    let offset = cursor.here();
    let text = bare(cursor, "the number of a namespace")?;
    cursor.must_take(']', "behind a namespace")?;
    Ok(Some(Name { offset, text }))
}

/// `name: [string] @index(term) .`
fn predicate_schema(cursor: &mut Cursor<'_>, namespace: Option<Name>) -> Read<PredicateSchema> {
    let predicate = name(cursor, "a predicate, or `type`")?.name;
    cursor.must_take(':', "behind a predicate")?;
    let value_type = value_type(cursor)?;
    let mut directives = Vec::new();
    while cursor.take('@') {
        cursor.count_node()?;
        directives.push(directive(cursor)?);
    }
    cursor.must_take('.', "at the end of a predicate")?;
    Ok(PredicateSchema { namespace, predicate, value_type, directives })
}

/// `string`, `[string]`.
fn value_type(cursor: &mut Cursor<'_>) -> Read<ValueType> {
    let is_list = cursor.take('[');
    let name = type_name(cursor)?;
    if is_list {
        cursor.must_take(']', "behind the type of a list")?;
    }
    Ok(ValueType { name, is_list })
}

/// The name of a type of values. The dot that ends a statement is no part of it.
fn type_name(cursor: &mut Cursor<'_>) -> Read<Name> {
    let offset = cursor.here();
    let text = cursor.take_while(|letter| letter.is_alphanumeric() || letter == '_');
    if text.is_empty() {
        return Err(cursor.unexpected("a type such as `string`"));
    }
    Ok(Name { offset, text: text.to_owned() })
}

fn directive(cursor: &mut Cursor<'_>) -> Read<SchemaDirective> {
    let name = type_name(cursor)?;
    let is_listed = cursor.is('(');
    let tokenizers =
        if is_listed { in_parentheses(cursor, "of a directive", tokenizer)? } else { Vec::new() };
    Ok(SchemaDirective { name, tokenizers })
}

/// `exact`, `hnsw(metric: "euclidean")`.
fn tokenizer(cursor: &mut Cursor<'_>) -> Read<Tokenizer> {
    let name = type_name(cursor)?;
    let is_listed = cursor.is('(');
    let options =
        if is_listed { in_parentheses(cursor, "of options", named_value)? } else { Vec::new() };
    Ok(Tokenizer { name, options })
}

/// `Person { name friend }`, behind `type`.
fn type_schema(cursor: &mut Cursor<'_>, namespace: Option<Name>) -> Read<TypeSchema> {
    let type_name = name(cursor, "the name of a type")?.name;
    let opened = cursor.here();
    cursor.must_take('{', "before the fields of a type")?;
    let mut fields = Vec::new();
    while !cursor.take('}') {
        if cursor.is_end() {
            return Err(cursor
                .error(opened, "Unclosed type")
                .with_help("close this brace with `}`"));
        }
        cursor.count_node()?;
        fields.push(type_field(cursor)?);
        cursor.take(',');
    }
    Ok(TypeSchema { namespace, name: type_name, fields })
}

fn type_field(cursor: &mut Cursor<'_>) -> Read<TypeField> {
    let predicate = name(cursor, "a field, or `}`")?.name;
    let field_type = if cursor.take(':') { Some(field_type(cursor)?) } else { None };
    Ok(TypeField { predicate, field_type })
}

/// `string!`, `[Person!]!`.
fn field_type(cursor: &mut Cursor<'_>) -> Read<FieldType> {
    if !cursor.is('[') {
        let name = name(cursor, "a type such as `string`")?.name;
        let is_required = cursor.take('!');
        let value_type = ValueType { name, is_list: false };
        return Ok(FieldType { value_type, is_required, is_list_required: false });
    }
    let at = cursor.here();
    let mut items = list(cursor, ('[', ']'), "of the type of a list", |cursor| {
        let name = name(cursor, "a type such as `string`")?.name;
        Ok((name, cursor.take('!')))
    })?;
    let (Some((name, is_required)), true) = (items.pop(), items.is_empty()) else {
        return Err(cursor.error(at, "a list has one type"));
    };
    let value_type = ValueType { name, is_list: true };
    Ok(FieldType { value_type, is_required, is_list_required: cursor.take('!') })
}
