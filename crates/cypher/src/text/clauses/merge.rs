//! `MERGE`: a pattern that is found, or else created.

use super::set;
use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Clause, Merge, PathPart, PathPattern};

/// `MERGE …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let pattern = without_parentheses(parser.path_pattern()?);
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

/// The pattern that stands in parentheses alone.
fn without_parentheses(mut pattern: PathPattern) -> PathPattern {
    loop {
        let inner = match pattern.parts.as_mut_slice() {
            [PathPart::Quantified(own)]
                if own.length.is_none() && own.test.is_none() && own.pattern.variable.is_none() =>
            {
                std::mem::take(&mut own.pattern.parts)
            }
            _ => return pattern,
        };
        pattern.parts = inner;
    }
}
