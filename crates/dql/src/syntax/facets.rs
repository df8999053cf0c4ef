//! `@facets` in its three forms. A function or a parenthesis begins a filter, and a name alone a list.

use super::filters::filter;
use super::lists::in_parentheses;
use crate::text::{Cursor, Read, name};
use crate::tree::{FacetKey, Facets, FacetsKind, Offset};

/// What stands behind `@facets`.
pub(super) fn facets(cursor: &mut Cursor<'_>, offset: Offset) -> Read<Facets> {
    if !cursor.is('(') {
        return Ok(Facets { offset, kind: FacetsKind::All });
    }
    if !cursor.looking(begins_filter) {
        let keys = in_parentheses(cursor, "of @facets", facet_key)?;
        return Ok(Facets { offset, kind: FacetsKind::Keys(keys) });
    }
    cursor.must_take('(', "behind @facets")?;
    let condition = filter(cursor)?;
    cursor.must_take(')', "or AND or OR behind a condition of @facets")?;
    Ok(Facets { offset, kind: FacetsKind::Filter(condition) })
}

/// Whether a condition stands in the parentheses that come next.
fn begins_filter(cursor: &mut Cursor<'_>) -> bool {
    cursor.take('(');
    if cursor.is('(') {
        return true;
    }
    let Ok(first) = name(cursor, "a facet") else { return false };
    let is_negation =
        first.is_keyword("not") && !cursor.is(',') && !cursor.is(')') && !cursor.is(':');
    cursor.is('(') || is_negation
}

/// `w as weight`, `s: since`, `orderasc: since`, `s: w as weight`.
fn facet_key(cursor: &mut Cursor<'_>) -> Read<FacetKey> {
    let mut key = name(cursor, "a facet")?;
    let (mut variable, mut alias, mut is_descending) = (None, None, None);
    if cursor.take(':') {
        if key.is_keyword("orderasc") || key.is_keyword("orderdesc") {
            is_descending = Some(key.is_keyword("orderdesc"));
        } else {
            alias = Some(key.name);
        }
        key = name(cursor, "a facet")?;
    }
    if cursor.take_word("as") {
        variable = Some(key.name);
        key = name(cursor, "a facet")?;
    }
    Ok(FacetKey { variable, alias, key: key.name, is_descending })
}
