//! Clauses that are known by name and refused: those of older and newer versions of the language.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::Clause;

/// `FILTER test`, of Cypher 25.
pub(super) fn read_filter(parser: &mut Parser<'_>) -> Read<Clause> {
    parser.refuse_clause("write `WITH * WHERE test`")
}

/// `LET variable = value`, of Cypher 25.
pub(super) fn read_let(parser: &mut Parser<'_>) -> Read<Clause> {
    parser.refuse_clause("write `WITH *, value AS variable`")
}

/// `START n = node(1)`, of Cypher 3.
pub(super) fn read_start(parser: &mut Parser<'_>) -> Read<Clause> {
    parser.removed_clause("START", "write `MATCH (n) WHERE id(n) = 1`")
}
