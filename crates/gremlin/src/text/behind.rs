//! Errors for Groovy syntax behind a complete value (methods, indexes, closures), and for commands of the Gremlin
//! console before a statement.

use millrace_model::{Error, Result};

use super::lexer::Token;
use super::parser::Parser;
use super::refused::{NO_CLOSURES, cut, refused};
use crate::replacements::{Use, instead};

impl Parser<'_> {
    /// The token at hand as an error behind a complete value.
    pub(super) fn unexpected_behind(&mut self, expected: &str) -> Error {
        if let (Token::Operator(sign), Token::Mark(mark)) = (self.token(), self.token_behind())
            && let Some(help) = instead(Use::Word, &format!("{sign}{mark}"))
        {
            let detail = format!("the operator `{sign}{mark}` is not supported");
            return refused(self.position(), detail).with_help(help);
        }
        match self.token() {
            Token::Mark(".") => self.method("a value"),
            Token::Mark("[") => {
                let error = refused(self.position(), "`[…]` after a value is not supported");
                error.with_help(instead(Use::Call, "getAt").unwrap_or_default())
            }
            _ => self.unexpected(expected),
        }
    }

    /// A method of a value or a result; its dot is at hand.
    pub(super) fn method(&mut self, of: &str) -> Error {
        let Token::Word(name) = self.token_behind() else { return self.unexpected("its end") };
        let error =
            refused(self.behind_position(), format!("`.{}` of {of} is not supported", cut(name)));
        let help = instead(Use::Call, name);
        error.with_help(help.unwrap_or("take the value with a step, before the traversal ends"))
    }

    /// A closure at hand, behind a step of this name.
    pub(super) fn closure(&self, name: &str) -> Error {
        let help = instead(Use::Closure, name).or_else(|| instead(Use::Call, name));
        let help = help.or_else(|| instead(Use::Word, "closure"));
        refused(self.position(), NO_CLOSURES).with_help(help.unwrap_or_default())
    }

    /// Refuses commands and prompts of the Gremlin console: `:remote connect`, `gremlin>`, `==>`.
    pub(super) fn check_console(&mut self) -> Result<()> {
        let command = match (self.token(), self.token_behind()) {
            (Token::Mark(":"), Token::Word(word)) => format!(":{}", cut(word)),
            (Token::Mark(":"), Token::Operator(sign)) => format!(":{sign}"),
            (Token::Word("gremlin"), Token::Operator(">")) => "gremlin>".to_owned(),
            (Token::Operator("==>"), _) => "==>".to_owned(),
            _ => return Ok(()),
        };
        let help = instead(Use::Console, &command).or_else(|| instead(Use::Console, ":help"));
        let error =
            refused(self.position(), format!("`{command}` is a command of the Gremlin console"));
        Err(error.with_help(help.unwrap_or_default()))
    }
}
