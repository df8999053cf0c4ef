//! `CREATE`, and `INSERT`, which is the same with fewer forms.

use millrace_model::{Result, TextPosition};

use super::Clause;
use crate::text::{Parser, Read};
use crate::translate::Translator;
use crate::tree::PathPattern;

/// `CREATE patterns`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Create {
    pub(crate) at: TextPosition,
    pub(crate) patterns: Vec<PathPattern>,
}

/// `CREATE …`, `INSERT …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    if parser.are_words(&["CREATE", "UNIQUE"]) && !parser.is_mark_after(2, "=") {
        return parser.removed_clause("CREATE UNIQUE", "write `MERGE`");
    }
    parser.advance();
    let patterns = parser.list(Parser::path_pattern)?;
    Ok(Clause::Create(Create { at, patterns }))
}

impl Create {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        self.patterns.iter().try_for_each(|pattern| translator.create_path(pattern))
    }
}
