//! Lists between brackets, with commas.

use crate::text::{Cursor, Read};

/// The items between an opening mark, which comes next, and its closing one; there may be none.
pub(super) fn list<T>(
    cursor: &mut Cursor<'_>,
    (open, close): (char, char),
    context: &str,
    mut item: impl FnMut(&mut Cursor<'_>) -> Read<T>,
) -> Read<Vec<T>> {
    cursor.must_take(open, context)?;
    let mut items = Vec::new();
    if cursor.take(close) {
        return Ok(items);
    }
    loop {
        cursor.count_node()?;
        items.push(item(cursor)?);
        if cursor.take(close) {
            return Ok(items);
        }
        if !cursor.take(',') {
            return Err(cursor.unexpected(&format!("`,` or `{close}` {context}")));
        }
    }
}

/// The same in parentheses.
pub(super) fn in_parentheses<T>(
    cursor: &mut Cursor<'_>,
    context: &str,
    item: impl FnMut(&mut Cursor<'_>) -> Read<T>,
) -> Read<Vec<T>> {
    list(cursor, ('(', ')'), context, item)
}

/// Sets what a text may set once.
pub(super) fn set_once<T>(
    cursor: &mut Cursor<'_>,
    into: &mut Option<T>,
    name: &crate::tree::Name,
    value: T,
) -> Read<()> {
    if into.is_some() {
        return Err(cursor.error(name.offset, format!("`{}` is set twice", name.text)));
    }
    *into = Some(value);
    Ok(())
}
