//! Statements: assignments, traversals from a source, transactions, values.

use std::sync::Arc;

use millrace_model::{Result, TextPosition};

use super::Language;
use super::lexer::Token;
use super::parser::Parser;
use super::refused::{bad, cut, is_keyword, refused};
use super::script::{Expression, Statement};
use super::words::{CLASSES, bare_constant};

/// Words that cannot be assigned to, beside those of constants and classes.
const RESERVED: &[&str] = &["Infinity", "NaN", "__", "def", "false", "new", "null", "true", "var"];

impl<'t> Parser<'t> {
    pub(super) fn all_statements(&mut self) -> Result<()> {
        loop {
            while self.take(";")? {}
            if self.token() == Token::End {
                return Ok(());
            }
            self.statement()?;
            if !self.ends_statement() {
                return Err(self.unexpected("`;`, a new line or the end of the text"));
            }
        }
    }

    /// gremlin-lang wants nothing between two traversals; but what could go on is no new statement.
    fn ends_statement(&self) -> bool {
        let is_word = matches!(self.token(), Token::Word(_));
        let is_beginning = is_word || matches!(self.token(), Token::Number(_) | Token::Text(_));
        let is_apart =
            self.begins_line() && (is_beginning || self.is_mark("[") || self.is_mark("("));
        matches!(self.token(), Token::End | Token::Mark(";"))
            || is_apart
            || (is_word && self.language == Language::Gremlin)
    }

    fn statement(&mut self) -> Result<()> {
        let position = self.position();
        let target = self.assignment_target()?;
        let expression = self.expression()?;
        self.complete(position, target, expression)
    }

    /// Adds a statement, with the variables that were noted since the last one.
    pub(super) fn complete(
        &mut self,
        position: TextPosition,
        target: Option<Arc<str>>,
        expression: Expression,
    ) -> Result<()> {
        self.count(1)?;
        let variables = std::mem::take(&mut self.variables);
        self.statements.push(Statement { position, target, expression, variables });
        Ok(())
    }

    /// `x =`, `def x =` or `var x =`.
    fn assignment_target(&mut self) -> Result<Option<Arc<str>>> {
        let both = (self.token(), self.token_behind());
        let is_declared = matches!(both, (Token::Word("def" | "var"), Token::Word(_)));
        if is_declared {
            self.advance()?;
        }
        let position = self.position();
        let (Token::Word(word), true) = (self.token(), self.is_mark_behind("=")) else {
            return if is_declared {
                Err(refused(position, "a declaration without a value is not done here"))
            } else {
                self.check_first_word().map(|()| None)
            };
        };
        if is_reserved(word) {
            return Err(bad(position, format!("`{word}` is a word of Gremlin and no variable"))
                .with_help("give the variable another name"));
        }
        self.advance()?;
        self.advance()?;
        Ok(Some(Arc::from(word)))
    }

    /// Refuses `import x`, `int x = 5` and `println x`.
    fn check_first_word(&mut self) -> Result<()> {
        let Token::Word(first) = self.token() else { return Ok(()) };
        if is_keyword(first) {
            return Err(self.unexpected("a traversal, an assignment or a value"));
        }
        let is_pair =
            matches!(self.token_behind(), Token::Word(_) | Token::Text(_) | Token::Number(_));
        if first == "new"
            || !is_pair
            || self.begins_line_behind()
            || self.language == Language::Gremlin
        {
            return Ok(());
        }
        let detail = format!("`{}` before another word or value is not done here", cut(first));
        Err(refused(self.position(), detail)
            .with_help("a variable is declared by `def x = …`, and calls have parentheses"))
    }

    fn expression(&mut self) -> Result<Expression> {
        match self.token() {
            Token::Word(name) if self.is_mark_behind(".") && is_source(name) => self.source(name),
            Token::Word("g") if !self.is_mark_behind("(") => self.source("g"),
            _ => self.argument().map(Expression::Argument),
        }
    }
}

/// Whether a word before a dot is a source or a variable.
pub(super) fn is_source(word: &str) -> bool {
    let is_class = word.starts_with(|letter: char| letter.is_uppercase());
    !is_class && word != "__"
}

fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || CLASSES.contains(&word) || bare_constant(word).is_some()
}
