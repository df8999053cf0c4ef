//! Conditions: `NOT` binds closest, then `AND`, then `OR`.

use super::functions::function;
use crate::text::{Cursor, Read};
use crate::tree::Filter;

/// A condition in parentheses, which may be empty.
pub(super) fn in_parentheses(cursor: &mut Cursor<'_>, context: &str) -> Read<Option<Filter>> {
    cursor.must_take('(', context)?;
    if cursor.take(')') {
        return Ok(None);
    }
    let found = filter(cursor)?;
    cursor.must_take(')', &format!("or AND or OR behind a condition {context}"))?;
    Ok(Some(found))
}

/// Conditions with `OR`.
pub(super) fn filter(cursor: &mut Cursor<'_>) -> Read<Filter> {
    let any = joined(cursor, "or", |cursor| {
        let all = joined(cursor, "and", single)?;
        Ok(alone_or(all, Filter::And))
    })?;
    Ok(alone_or(any, Filter::Or))
}

/// Conditions with a word between them.
fn joined(
    cursor: &mut Cursor<'_>,
    word: &str,
    mut read: impl FnMut(&mut Cursor<'_>) -> Read<Filter>,
) -> Read<Vec<Filter>> {
    let mut found = vec![read(cursor)?];
    while cursor.take_word(word) {
        cursor.count_node()?;
        found.push(read(cursor)?);
    }
    Ok(found)
}

fn alone_or(mut found: Vec<Filter>, join: fn(Vec<Filter>) -> Filter) -> Filter {
    match found.pop() {
        Some(only) if found.is_empty() => only,
        last => {
            found.extend(last);
            join(found)
        }
    }
}

/// A function, a negated condition, or one in parentheses.
fn single(cursor: &mut Cursor<'_>) -> Read<Filter> {
    let offset = cursor.here();
    if cursor.take_word("not") {
        let of = Box::new(cursor.deeper(single)?);
        cursor.count_node()?;
        return Ok(Filter::Not { offset, of });
    }
    if cursor.take('(') {
        let found = cursor.deeper(filter)?;
        cursor.must_take(')', "or AND or OR behind a condition in parentheses")?;
        return Ok(found);
    }
    Ok(Filter::Function(function(cursor)?))
}
