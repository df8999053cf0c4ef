//! `CREATE`, and `INSERT`, which is the same with fewer forms.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Clause, Create};

/// `CREATE …`, `INSERT …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    if parser.are_words(&["CREATE", "UNIQUE"]) && !parser.is_mark_after(2, "=") {
        return parser.removed_clause("CREATE UNIQUE", "write `MERGE`");
    }
    parser.advance();
    let patterns = parser.list(Parser::path_pattern)?;
    Ok(Clause::Create(Create { at, patterns, later: Vec::new() }))
}
