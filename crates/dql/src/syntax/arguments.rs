//! `first`, `offset`, `after`, `orderasc` and `orderdesc` in parentheses.

use super::functions::{invalid_keyword, predicate};
use super::lists::{in_parentheses, set_once};
use super::values::{value, variable_in};
use crate::text::{Cursor, Described, Read, described, name};
use crate::tree::{Name, Order, OrderKey, Page};

/// What pages and orders are made of.
#[rustfmt::skip]
pub(crate) const PAGE_ARGUMENTS: [Described; 5] = [
    described("first", "first: 10", "So many nodes; of a negative number, the last ones."),
    described("offset", "offset: 20", "Leaves out so many before."),
    described("after", "after: 0x1f", "The nodes behind a uid."),
    described("orderasc", "orderasc: name@de", "Ascending by values of a predicate, in the order of its language, or `val(x)`; several are keys one after the other."),
    described("orderdesc", "orderdesc: val(x)", "The same, descending."),
];

/// The arguments of a child, in the parentheses that come next.
pub(super) fn arguments(
    cursor: &mut Cursor<'_>,
    page: &mut Page,
    order: &mut Vec<Order>,
) -> Read<()> {
    in_parentheses(cursor, "of arguments", |cursor| {
        let key = name(cursor, "an argument such as `first`")?.name;
        cursor.must_take(':', "behind the name of an argument")?;
        match page_or_order(cursor, &key, page, order)? {
            true => Ok(()),
            false => Err(invalid_keyword(cursor, key.offset, &key.text)),
        }
    })?;
    Ok(())
}

/// Reads the value of an argument of a page or an order; whether it is one.
pub(super) fn page_or_order(
    cursor: &mut Cursor<'_>,
    key: &Name,
    page: &mut Page,
    order: &mut Vec<Order>,
) -> Read<bool> {
    let into = match key.text.to_lowercase().as_str() {
        "first" => &mut page.first,
        "offset" => &mut page.offset,
        "after" => &mut page.after,
        "orderasc" => return ordered(cursor, key, false, order),
        "orderdesc" => return ordered(cursor, key, true, order),
        _ => return Ok(false),
    };
    let found = value(cursor)?;
    set_once(cursor, into, key, Box::new(found))?;
    Ok(true)
}

fn ordered(
    cursor: &mut Cursor<'_>,
    key: &Name,
    is_descending: bool,
    order: &mut Vec<Order>,
) -> Read<bool> {
    let compared = match cursor.is_word_then("val", '(') {
        true => OrderKey::Variable(variable_in(cursor, "val")?),
        false if cursor.is('$') => OrderKey::Parameter(value(cursor)?),
        false => OrderKey::Predicate(predicate(cursor)?),
    };
    order.push(Order { offset: key.offset, is_descending, key: compared });
    Ok(true)
}
