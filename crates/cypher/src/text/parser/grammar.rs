//! The grammar as the core of the parser has it: which clauses and commands there are, and how each is read.

use super::Parser;
use crate::text::error::Read;
use crate::text::lexer::Token;
use crate::tree::{Clause, Command};

/// The readers of clauses and commands, which the core does not know by name.
#[derive(Clone, Copy)]
pub(crate) struct Grammar {
    pub(crate) clauses: &'static [ClauseReader],
    pub(crate) commands: &'static [CommandReader],
}

/// How a clause is read.
pub(crate) struct ClauseReader {
    /// The word that it begins with.
    pub(crate) keyword: &'static str,
    /// Reads it, that word included.
    pub(crate) read: fn(&mut Parser<'_>) -> Read<Clause>,
}

/// How a command is read.
pub(crate) struct CommandReader {
    /// The word that it begins with.
    pub(crate) keyword: &'static str,
    /// Reads it, that word included.
    pub(crate) read: fn(&mut Parser<'_>) -> Read<Command>,
}

impl Parser<'_> {
    /// The reader of the clause that begins with a token.
    pub(in crate::text) fn clause_reader(
        &self,
        token: &Token<'_>,
    ) -> Option<&'static ClauseReader> {
        let Token::Word(word) = token else { return None };
        self.grammar.clauses.iter().find(|reader| reader.keyword.eq_ignore_ascii_case(word))
    }

    /// The reader of the command that begins with the next token, if its word is meant so.
    pub(in crate::text) fn command_reader(&self) -> Option<&'static CommandReader> {
        let Token::Word(word) = self.token() else { return None };
        self.grammar.commands.iter().find(|reader| reader.keyword.eq_ignore_ascii_case(word))
    }
}
