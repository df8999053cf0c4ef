//! The next token as an error, with what would be sound in its place.

use millrace_model::Error;
use millrace_plan::nearest;

use super::Parser;
use crate::text::error::{Detail, shown, syntax};
use crate::text::lexer::Token;

/// What is expected where a clause may begin; stands for the words of [`super::Grammar::clauses`].
pub(in crate::text) const A_CLAUSE: &str = "a clause";

/// The same of commands.
pub(in crate::text) const A_COMMAND: &str = "a command";

impl Parser<'_> {
    /// The next token as an error, with what was expected in its place.
    pub(crate) fn unexpected(&self) -> Error {
        self.unexpected_as(Detail::UnexpectedSyntax)
    }

    /// The same by another name.
    pub(crate) fn unexpected_as(&self, name: Detail) -> Error {
        let detail = match self.token() {
            Token::End => "unexpected end of the text".to_owned(),
            _ => format!("unexpected `{}`", self.written()),
        };
        let error = syntax(name, self.position(), detail);
        match self.help() {
            Some(help) => error.with_help(help),
            None => error,
        }
    }

    /// The next token as it is written.
    pub(crate) fn written(&self) -> String {
        let placed = self.tokens.get(self.next);
        shown(placed.and_then(|token| self.text.get(token.begin..token.end)).unwrap_or_default())
    }

    fn help(&self) -> Option<String> {
        let expected: Vec<String> = self.expected.iter().map(|wanted| quoted(wanted)).collect();
        let (last, others) = expected.split_last()?;
        let listed = match others {
            [] => format!("expected {last}"),
            _ => format!("expected {} or {last}", others.join(", ")),
        };
        let meant = match self.token() {
            Token::Word(word) => self.nearest_keyword(word),
            _ => None,
        };
        Some(match meant {
            Some(meant) => format!("did you mean {meant}? {listed}"),
            None => listed,
        })
    }

    /// The nearest of the expected keywords.
    fn nearest_keyword(&self, word: &str) -> Option<&'static str> {
        let is_keyword = |wanted: &&str| wanted.starts_with(|c: char| c.is_ascii_uppercase());
        let expected = self.expected.iter().copied().filter(is_keyword);
        let of_clauses = self.grammar.clauses.iter().map(|reader| reader.keyword);
        let of_commands = self.grammar.commands.iter().map(|reader| reader.keyword);
        let has_clause = self.expected.contains(&A_CLAUSE);
        let has_command = self.expected.contains(&A_COMMAND);
        let of_clauses = of_clauses.filter(|_| has_clause);
        nearest(word, expected.chain(of_clauses).chain(of_commands.filter(|_| has_command)))
            .filter(|meant| !word.eq_ignore_ascii_case(meant))
    }
}

/// What is expected, as help shows it: marks in backticks, keywords and descriptions as they are.
fn quoted(wanted: &str) -> String {
    if wanted.starts_with(|c: char| c.is_alphabetic()) {
        wanted.to_owned()
    } else {
        format!("`{wanted}`")
    }
}
