//! State that all parts of the parser share: the token at hand and the one behind it, the bounds, the variables.
//!
//! The parser looks at two tokens and never goes back, so its time is linear in the length of any text.

use std::sync::Arc;

use millrace_bytecode::{Argument, Instruction};
use millrace_model::{Error, Result, TextPosition, Value};

use super::Language;
use super::lexer::{Lexer, Placed, Token};
use super::names::Names;
use super::refused::{too_much, unexpected};
use super::script::{Script, Statement, Variable};
use crate::limits::{ITEMS_MAX, NESTING_MAX, TEXT_BYTES_MAX};

pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    at_hand: Placed<'t>,
    behind: Placed<'t>,
    /// The line on which the last token taken ended.
    last_line: u32,
    depth: usize,
    items: usize,
    /// How many traversals were ended inside arguments.
    pub(super) hidden_targets: usize,
    pub(super) language: Language,
    pub(super) names: Names,
    /// The statements that are complete.
    pub(super) statements: Vec<Statement>,
    /// The variables of the one that is not.
    pub(super) variables: Vec<Variable>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, language: Language) -> Result<Self> {
        if text.len() > TEXT_BYTES_MAX {
            let begin = TextPosition { line: 1, column: 1 };
            let detail = format!(
                "the text has {} bytes, and a script may have {TEXT_BYTES_MAX}",
                text.len()
            );
            return Err(too_much(begin, detail).with_help("send long lists as bindings"));
        }
        let mut lexer = Lexer::new(text);
        let (at_hand, behind) = (lexer.next()?, lexer.next()?);
        Ok(Self {
            lexer,
            at_hand,
            behind,
            last_line: 1,
            depth: 0,
            items: 0,
            hidden_targets: 0,
            language,
            names: Names::default(),
            statements: Vec::new(),
            variables: Vec::new(),
        })
    }

    pub(super) fn script(mut self) -> Result<Script> {
        self.all_statements()?;
        Ok(Script { statements: self.statements })
    }

    pub(super) fn token(&self) -> Token<'t> {
        self.at_hand.token
    }

    pub(super) fn token_behind(&self) -> Token<'t> {
        self.behind.token
    }

    pub(super) fn position(&self) -> TextPosition {
        self.at_hand.position
    }

    pub(super) fn behind_position(&self) -> TextPosition {
        self.behind.position
    }

    /// Whether the token at hand begins a line of its own.
    pub(super) fn begins_line(&self) -> bool {
        self.position().line > self.last_line
    }

    /// Whether the token behind it does.
    pub(super) fn begins_line_behind(&self) -> bool {
        self.behind.position.line > self.at_hand.last_line
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        matches!(self.token(), Token::Mark(found) if found == mark)
    }

    pub(super) fn is_mark_behind(&self, mark: &str) -> bool {
        matches!(self.token_behind(), Token::Mark(found) if found == mark)
    }

    /// Takes the token at hand.
    pub(super) fn advance(&mut self) -> Result<Token<'t>> {
        let taken = self.at_hand;
        self.at_hand = self.behind;
        self.last_line = taken.last_line;
        // Behind the end is the end.
        if self.behind.token != Token::End {
            self.behind = self.lexer.next()?;
        }
        Ok(taken.token)
    }

    /// Takes the token at hand if it is this mark.
    pub(super) fn take(&mut self, mark: &str) -> Result<bool> {
        let found = self.is_mark(mark);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes this mark.
    pub(super) fn expect(&mut self, mark: &str) -> Result<()> {
        if self.take(mark)? { Ok(()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    /// Takes a word.
    pub(super) fn expect_word(&mut self, expected: &str) -> Result<&'t str> {
        let Token::Word(word) = self.token() else { return Err(self.unexpected(expected)) };
        self.advance()?;
        Ok(word)
    }

    /// The token at hand as an error.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        unexpected(self.position(), self.token(), expected)
    }

    /// Parses one level deeper; an error beyond [`NESTING_MAX`] levels.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        self.check_depth(self.depth)?;
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    /// Fails if so many levels more would exceed [`NESTING_MAX`].
    pub(super) fn check_deeper(&self, levels: usize) -> Result<()> {
        self.check_depth(self.depth + levels)
    }

    fn check_depth(&self, depth: usize) -> Result<()> {
        if depth <= NESTING_MAX {
            return Ok(());
        }
        Err(too_much(self.position(), format!("this is nested more than {NESTING_MAX} deep")))
    }

    /// Counts steps, arguments and elements.
    pub(super) fn count(&mut self, items: usize) -> Result<()> {
        self.items = self.items.saturating_add(items);
        if self.items <= ITEMS_MAX {
            return Ok(());
        }
        let detail = format!("the text has more than {ITEMS_MAX} steps, arguments and elements");
        Err(too_much(self.position(), detail).with_help("send long lists as bindings"))
    }

    /// A variable that is used here.
    pub(super) fn variable(&mut self, name: &str, position: TextPosition) -> Argument {
        let name: Arc<str> = self.names.share(name);
        self.variables.push(Variable { name: Arc::clone(&name), position });
        Argument::Binding(name, Box::new(Argument::Value(Value::Null)))
    }

    /// An instruction with its name at `position`.
    pub(super) fn instruction(
        &mut self,
        name: &str,
        arguments: Vec<Argument>,
        position: TextPosition,
    ) -> Result<Instruction> {
        self.count(1)?;
        Ok(Instruction { name: self.names.share(name), arguments, position: Some(position) })
    }
}
