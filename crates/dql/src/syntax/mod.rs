//! The grammar: a file for each construct, each a few functions from a cursor to a part of a tree.
//!
//! ```text
//!   documents ──> blocks ──> children ──> arguments, directives ──> filters, facets, math ──> functions ──> values
//!       └───────> mutations                                schemas: the text of `/alter`
//! ```
//!
//! The constructs need each other, as a filter stands in a mutation and a child has children. A text has one error,
//! the first: behind it no brace can be trusted.

mod arguments;
mod blocks;
mod children;
mod directives;
mod documents;
mod facets;
mod filters;
mod functions;
mod lists;
mod math;
mod mutations;
mod requests;
mod schemas;
mod values;

pub(crate) use arguments::PAGE_ARGUMENTS;
pub(crate) use blocks::PATH_ARGUMENTS;
pub(crate) use directives::DIRECTIVES;
pub(crate) use functions::ROOT_FUNCTIONS;
pub(crate) use math::MATH_FUNCTIONS;

use crate::text::{Cursor, Read};
use crate::tree::{Document, Filter, Schema};

/// The tree of a document: queries, mutations, upserts, requests of the schema. An empty text is an empty document.
///
/// # Errors
/// Of kind `BadQuery` in `Phase::Parse`, with a position; `LimitReached` beyond a bound.
pub fn parse(text: &str) -> Read<Document> {
    parse_measured(text).map(|(document, _)| document)
}

/// The same, and the levels that the tree has at most.
pub(crate) fn parse_measured(text: &str) -> Read<(Document, usize)> {
    let mut cursor = Cursor::new(text)?;
    let document = documents::document(&mut cursor)?;
    Ok((document, cursor.nesting()))
}

/// The condition of a mutation that a client sends beside it: `@if(eq(len(v), 0))`. An empty one is none.
///
/// # Errors
/// Of kind `BadQuery` in `Phase::Parse`, with a position; `LimitReached` beyond a bound.
pub fn parse_condition(text: &str) -> Read<Option<Filter>> {
    let mut cursor = Cursor::new(text)?;
    let condition = mutations::condition(&mut cursor)?;
    if cursor.is_end() {
        Ok(condition)
    } else {
        Err(cursor.unexpected("`@if` and nothing behind it"))
    }
}

/// The tree of a text for `/alter`.
///
/// # Errors
/// Of kind `BadQuery` in `Phase::Parse`, with a position; `LimitReached` beyond a bound.
pub fn parse_schema(text: &str) -> Read<Schema> {
    schemas::schema(&mut Cursor::new(text)?)
}
