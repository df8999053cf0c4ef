//! Chains of calls: source words, steps, and the ending of a traversal.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::{Error, Result, TextPosition, Value};

use super::lexer::Token;
use super::parser::Parser;
use super::refused::{bad, refused, shown};
use super::script::{Ending, Expression, HIDDEN_PREFIX, Traversal};
use super::words::{SOURCE_WORDS, ending, transaction_word};
use crate::replacements::{Use, instead};

/// Most steps take no more.
const USUAL_ARGUMENTS: usize = 2;

impl<'t> Parser<'t> {
    /// A source and the calls on it.
    pub(super) fn source(&mut self, name: &str) -> Result<Expression> {
        self.advance()?;
        match self.take(".")? {
            true => self.source_behind_dot(name),
            false => Ok(Expression::Traversal(Traversal {
                source: Arc::from(name),
                bytecode: Bytecode::default(),
                ending: Ending::None,
            })),
        }
    }

    /// The same, with the dot behind the source taken.
    pub(super) fn source_behind_dot(&mut self, name: &str) -> Result<Expression> {
        let source: Arc<str> = Arc::from(name);
        if self.token() == Token::Word("tx") {
            return self.transaction(source);
        }
        let mut bytecode = Bytecode::default();
        let mut end = Ending::None;
        let mut has_more = true;
        while has_more {
            let (name, position) = self.call_name()?;
            if let Some(found) = ending(name) {
                end = self.ending(found)?;
                break;
            }
            let is_source_word =
                bytecode.steps.is_empty() && SOURCE_WORDS.binary_search(&name).is_ok();
            let instruction = self.call(name, position)?;
            if is_source_word {
                bytecode.sources.push(instruction);
            } else {
                bytecode.steps.push(instruction);
            }
            has_more = self.take(".")?;
        }
        Ok(Expression::Traversal(Traversal { source, bytecode, ending: end }))
    }

    /// `.tx().commit()` and its kin.
    fn transaction(&mut self, source: Arc<str>) -> Result<Expression> {
        self.advance()?;
        self.empty_parentheses()?;
        self.expect(".")?;
        let position = self.position();
        let name = self.expect_word("`begin`, `commit` or `rollback`")?;
        let word = transaction_word(name).ok_or_else(|| {
            let help = instead(Use::Transaction, name);
            refused(position, format!("`tx().{name}()` is not supported"))
                .with_help(help.unwrap_or("a transaction has begin(), commit() and rollback()"))
        })?;
        self.empty_parentheses()?;
        self.refuse_more()?;
        Ok(Expression::Transaction { source, word })
    }

    /// A traversal from a source inside an argument; the result of its ending is the argument.
    pub(super) fn ended_traversal(
        &mut self,
        name: &str,
        position: TextPosition,
        rest: impl FnOnce(&mut Self) -> Result<Expression>,
    ) -> Result<Argument> {
        let outer = std::mem::take(&mut self.variables);
        let expression = rest(self)?;
        let is_ended = match &expression {
            Expression::Traversal(traversal) => {
                !matches!(traversal.ending, Ending::None | Ending::ToString)
            }
            Expression::Transaction { .. } | Expression::Argument(_) => false,
        };
        if !is_ended {
            return Err(refused(
                position,
                format!("`{name}.` inside an argument is not supported"),
            )
            .with_help(
                "begin a child traversal with `__.`; an element that a variable holds stands for itself, \
                 as in `g.V(v)`",
            ));
        }
        self.hidden_targets += 1;
        let target = format!("{HIDDEN_PREFIX}{}", self.hidden_targets);
        self.complete(position, Some(Arc::from(target.as_str())), expression)?;
        self.variables = outer;
        Ok(self.variable(&target, position))
    }

    /// A traversal without a source; its first step is at hand.
    pub(super) fn anonymous(&mut self) -> Result<Argument> {
        let mut steps = Vec::new();
        loop {
            let (name, position) = self.call_name()?;
            if ending(name).is_some() {
                let detail = format!("`{name}()` ends a traversal that has no source");
                return Err(
                    bad(position, detail).with_help("a child traversal is run by its parent")
                );
            }
            steps.push(self.call(name, position)?);
            if !self.take(".")? {
                return Ok(Argument::Bytecode(Bytecode { sources: Vec::new(), steps }));
            }
        }
    }

    /// The name of a step, before its parenthesis.
    fn call_name(&mut self) -> Result<(&'t str, TextPosition)> {
        let position = self.position();
        let name = self.expect_word("a step")?;
        match self.token() {
            Token::Mark("(") => Ok((name, position)),
            Token::Mark("{") => Err(self.closure(name)),
            found => {
                let detail = format!("{} where the `(` of `{name}(…)` is expected", shown(found));
                let error = bad(self.position(), detail);
                Err(match found {
                    Token::Mark(".") => error.with_help(
                        "a step has parentheses, `V()`; classes have no packages here: write the \
                         name alone, \
                         as in `TextP.containing('a')`",
                    ),
                    _ => error,
                })
            }
        }
    }

    /// The arguments of a step, and the step.
    pub(super) fn call(&mut self, name: &str, position: TextPosition) -> Result<Instruction> {
        let arguments = match name {
            "withComputer" => {
                let error = refused(position, "`withComputer()` is not supported");
                return Err(error.with_help(instead(Use::Call, name).unwrap_or_default()));
            }
            "buildIndex" | "buildEdgeIndex" | "buildPropertyIndex" => {
                return Err(self.index_of_management(name, position));
            }
            "withStrategies" => self.strategies()?,
            "withoutStrategies" => self.classes()?,
            _ => self.call_arguments()?,
        };
        if self.is_mark("{") && !self.begins_line() {
            return Err(self.closure(name));
        }
        self.instruction(name, arguments, position)
    }

    /// The error for an index of JanusGraph's management: the call that ends its chain says which one is meant.
    fn index_of_management(&mut self, name: &str, position: TextPosition) -> Error {
        let error = refused(position, format!("`{name}(…)` is not supported"));
        let mut help = instead(Use::Call, name);
        while !matches!(self.token(), Token::End | Token::Mark(";")) {
            match self.advance() {
                Ok(Token::Word(last @ ("buildMixedIndex" | "buildCompositeIndex"))) => {
                    help = instead(Use::Call, last);
                    break;
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        error.with_help(help.unwrap_or_default())
    }

    /// Whether a class is at hand, behind the names of its package: `org.janusgraph.core.attribute.Text`. The word `org`
    /// is at hand, and a dot behind it. If not, both are taken: `org` is a source.
    pub(super) fn is_behind_package(&mut self) -> Result<bool> {
        self.advance()?;
        self.advance()?;
        let is_package = |word: &str| matches!(word, "apache" | "janusgraph" | "locationtech");
        if !matches!(self.token(), Token::Word(word) if is_package(word))
            || !self.is_mark_behind(".")
        {
            return Ok(false);
        }
        while let Token::Word(word) = self.token()
            && word.starts_with(|letter: char| letter.is_lowercase())
        {
            self.advance()?;
            self.expect(".")?;
        }
        match self.token() {
            Token::Word(_) => Ok(true),
            _ => Err(self.unexpected("a class")),
        }
    }

    /// Arguments between parentheses.
    pub(super) fn call_arguments(&mut self) -> Result<Vec<Argument>> {
        self.expect("(")?;
        if self.take(")")? {
            return Ok(Vec::new());
        }
        let mut arguments = Vec::with_capacity(USUAL_ARGUMENTS);
        loop {
            arguments.push(self.argument()?);
            if self.take(")")? {
                return Ok(arguments);
            }
            if !self.take(",")? {
                return Err(self.unexpected_behind("`,` or `)`"));
            }
        }
    }

    /// The parentheses of an ending, and nothing behind them.
    fn ending(&mut self, found: Ending) -> Result<Ending> {
        let position = self.position();
        let arguments = self.call_arguments()?;
        let found = match (found, arguments.as_slice()) {
            (_, []) => found,
            (Ending::Next, [Argument::Value(Value::I32(many))]) if *many >= 0 => {
                Ending::NextMany(u64::from(many.unsigned_abs()))
            }
            (Ending::Next, _) => {
                return Err(bad(position, "`next` takes one whole number or no argument"));
            }
            _ => return Err(bad(position, "the method that ends a traversal takes no arguments")),
        };
        self.refuse_more()?;
        Ok(found)
    }

    fn refuse_more(&mut self) -> Result<()> {
        match self.token() {
            Token::Mark(".") => Err(self.method("a result")),
            _ => Ok(()),
        }
    }

    pub(super) fn empty_parentheses(&mut self) -> Result<()> {
        self.expect("(")?;
        self.expect(")")?;
        Ok(())
    }
}
