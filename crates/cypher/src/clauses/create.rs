//! `CREATE`, and `INSERT`, which is the same with fewer forms.

use millrace_model::{Result, TextPosition};

use super::Clause;
use crate::patterns::Maker;
use crate::text::{Parser, Read};
use crate::translate::Translator;
use crate::tree::{PathPattern, Variable};

/// `CREATE patterns`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Create {
    pub(crate) at: TextPosition,
    pub(crate) patterns: Vec<PathPattern>,
    /// Nodes that are read before they are made, once names are resolved: they are null there.
    pub(crate) later: Vec<Variable>,
}

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

impl Create {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        self.later.iter().for_each(|variable| translator.pend(variable));
        let mut patterns = self.patterns.iter();
        patterns.try_for_each(|pattern| translator.create_path(pattern, Maker::Create))
    }
}
