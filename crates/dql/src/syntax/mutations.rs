//! Mutations and upserts.

use super::documents::{fragment, query};
use super::filters;
use crate::text::{Cursor, Read, raw_text, word};
use crate::tree::{Filter, Mutation, MutationKind, MutationPart, Upsert};

/// Whether braces with data come next, and none with query blocks.
pub(super) fn begins_mutation(cursor: &mut Cursor<'_>) -> bool {
    cursor.take('{')
        && MutationKind::ALL.into_iter().any(|kind| cursor.is_word_then(kind.word(), '{'))
}

/// `mutation @if(…) { … }`, or its parts alone.
pub(super) fn mutation(cursor: &mut Cursor<'_>) -> Read<Mutation> {
    let offset = cursor.here();
    let condition = if cursor.take_word("mutation") { condition(cursor)? } else { None };
    let opened = cursor.here();
    cursor.must_take('{', "of a mutation")?;
    let mut parts = Vec::new();
    while !cursor.take('}') {
        if cursor.is_end() {
            return Err(cursor
                .error(opened, "Unclosed action")
                .with_help("close this brace with `}`"));
        }
        cursor.count_node()?;
        parts.push(part(cursor)?);
    }
    Ok(Mutation { offset, condition, parts })
}

/// `@if(…)`, if it comes next.
pub(super) fn condition(cursor: &mut Cursor<'_>) -> Read<Option<Filter>> {
    if !cursor.take('@') {
        return Ok(None);
    }
    if !cursor.take_word("if") {
        return Err(cursor.unexpected("`@if(…)`"));
    }
    filters::in_parentheses(cursor, "of @if")
}

fn part(cursor: &mut Cursor<'_>) -> Read<MutationPart> {
    let (offset, written) = word(cursor, "`set`, `delete` or `}`")?;
    let kind = MutationKind::ALL.into_iter().find(|kind| written.eq_ignore_ascii_case(kind.word()));
    let Some(kind) = kind else {
        let error = cursor.error(offset, format!("Invalid operation type: {written}"));
        return Err(error.with_help("a mutation has `set { … }` and `delete { … }`"));
    };
    Ok(MutationPart { offset, kind, data: raw_text(cursor)? })
}

/// `upsert { … }`, of which the word comes next.
pub(super) fn upsert(cursor: &mut Cursor<'_>) -> Read<Upsert> {
    let offset = cursor.here();
    cursor.take_word("upsert");
    cursor.must_take('{', "behind upsert")?;
    let (mut found, mut fragments, mut mutations) = (None, Vec::new(), Vec::new());
    while !cursor.take('}') {
        cursor.count_node()?;
        let at = cursor.here();
        if cursor.is_word("query") {
            if found.is_some() {
                return Err(cursor.error(at, "an upsert block has one query"));
            }
            found = Some(query(cursor)?);
        } else if cursor.is_word("fragment") {
            fragments.push(fragment(cursor)?);
        } else if cursor.is_word("mutation") {
            mutations.push(mutation(cursor)?);
        } else {
            return Err(
                cursor.unexpected("`query`, `mutation`, `fragment` or `}` in an upsert block")
            );
        }
    }
    let Some(query) = found else {
        return Err(cursor.error(offset, "an upsert block needs a query"));
    };
    if mutations.is_empty() {
        return Err(cursor.error(offset, "an upsert block needs a mutation"));
    }
    Ok(Upsert { offset, query, fragments, mutations })
}
