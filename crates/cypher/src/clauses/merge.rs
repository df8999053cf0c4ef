//! `MERGE`: a pattern that is found, or else created.

use millrace_model::TextPosition;

use super::SetItem;
use super::{Clause, set};
use crate::text::{Parser, Read};
use crate::tree::PathPattern;

/// `MERGE pattern [ON CREATE SET …] [ON MATCH SET …]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Merge {
    pub(crate) at: TextPosition,
    pub(crate) pattern: PathPattern,
    pub(crate) on_create: Vec<SetItem>,
    pub(crate) on_match: Vec<SetItem>,
}

/// `MERGE …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let pattern = parser.path_pattern()?;
    let mut merge = Merge { at, pattern, on_create: Vec::new(), on_match: Vec::new() };
    while parser.take_word("ON") {
        let is_create = parser.take_word("CREATE");
        if !is_create {
            parser.expect_word("MATCH")?;
        }
        parser.expect_word("SET")?;
        let items = parser.list(set::read_item)?;
        if is_create { &mut merge.on_create } else { &mut merge.on_match }.extend(items);
    }
    Ok(Clause::Merge(merge))
}
