//! Statements: assignments, traversals from a source, transactions, values.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::{Result, TextPosition};

use super::Language;
use super::lexer::Token;
use super::parser::Parser;
use super::refused::{bad, cut, is_keyword, refused};
use super::script::{Ending, Expression, Statement};
use super::words::{CLASSES, bare_constant};
use crate::replacements::{Use, instead};

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
                return Err(self.unexpected_behind("`;`, a new line or the end of the text"));
            }
        }
    }

    /// gremlin-lang needs no separator between two traversals. A token that could continue a statement does not begin
    /// a new one.
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
        self.check_console()?;
        let target = self.assignment_target()?;
        let expression = self.expression()?;
        if is_own_source(target.as_deref(), &expression) {
            self.variables.clear();
            return Ok(());
        }
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
                let error = refused(position, "a declaration without a value is not supported");
                Err(error.with_help(instead(Use::Word, "def").unwrap_or_default()))
            } else {
                self.check_first_word().map(|()| None)
            };
        };
        if is_reserved(word) {
            return Err(bad(position, format!("`{word}` is a word of Gremlin and not a variable"))
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
        let detail = format!("`{}` before another word or value is not supported", cut(first));
        let help = instead(Use::Word, first);
        Err(refused(self.position(), detail).with_help(
            help.unwrap_or("a variable is declared by `def x = …`, and calls have parentheses"),
        ))
    }

    fn expression(&mut self) -> Result<Expression> {
        match self.token() {
            Token::Word("org") if self.is_mark_behind(".") => {
                match (self.is_behind_package()?, self.token()) {
                    (true, Token::Word(_)) => self.argument().map(Expression::Argument),
                    _ => self.source_behind_dot("org"),
                }
            }
            Token::Word(name) if self.is_mark_behind(".") && is_source(name) => self.source(name),
            Token::Word("g") if !self.is_mark_behind("(") => self.source("g"),
            _ => self.argument().map(Expression::Argument),
        }
    }
}

/// Whether a statement only assigns to `g` the source of its graph, which it is already: `g = graph.traversal()`,
/// `g = traversal().withEmbedded(graph)`.
fn is_own_source(target: Option<&str>, expression: &Expression) -> bool {
    let calls = |bytecode: &Bytecode, names: &[&str]| {
        bytecode.sources.is_empty()
            && bytecode.steps.len() == names.len()
            && bytecode.steps.iter().zip(names).all(|(step, name)| *step.name == **name)
    };
    let is_graph =
        |argument: &Argument| matches!(argument, Argument::Binding(name, _) if &**name == "graph");
    target == Some("g")
        && match expression {
            Expression::Traversal(traversal) => {
                &*traversal.source == "graph"
                    && traversal.ending == Ending::None
                    && calls(&traversal.bytecode, &["traversal"])
                    && traversal.bytecode.steps[0].arguments.is_empty()
            }
            Expression::Argument(Argument::Bytecode(bytecode)) => {
                calls(bytecode, &["traversal", "withEmbedded"])
                    && matches!(bytecode.steps[1].arguments.as_slice(), [only] if is_graph(only))
            }
            Expression::Argument(_) | Expression::Transaction { .. } => false,
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
