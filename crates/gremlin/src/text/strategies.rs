//! Strategies and the names of their classes, as `withStrategies` and `withoutStrategies` take them.

use std::sync::Arc;

use millrace_bytecode::{Argument, Strategy};
use millrace_model::Result;

use super::lexer::Token;
use super::parser::Parser;
use super::refused::refused;

impl<'t> Parser<'t> {
    /// `(new A(key: value), B)`.
    pub(super) fn strategies(&mut self) -> Result<Vec<Argument>> {
        self.all_between_parentheses(Self::strategy)
    }

    /// `(A, B)`.
    pub(super) fn classes(&mut self) -> Result<Vec<Argument>> {
        self.all_between_parentheses(|parser| {
            let class = parser.class()?;
            parser.skip_groovy_ending("class")?;
            Ok(Argument::Type(class))
        })
    }

    fn all_between_parentheses(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<Argument>,
    ) -> Result<Vec<Argument>> {
        self.expect("(")?;
        let mut all = Vec::new();
        loop {
            self.count(1)?;
            all.push(one(self)?);
            if self.take(")")? {
                return Ok(all);
            }
            if !self.take(",")? {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }

    fn strategy(&mut self) -> Result<Argument> {
        if self.token() == Token::Word("new") {
            self.advance()?;
        }
        let name = self.class()?;
        let mut configuration = Vec::new();
        if self.take("(")? {
            while !self.take(")")? {
                if !configuration.is_empty() && !self.take(",")? {
                    return Err(self.unexpected("`,` or `)`"));
                }
                let key = self.expect_word("the name of a setting")?;
                self.expect(":")?;
                configuration.push((Arc::from(key), self.argument()?));
            }
        } else if self.skip_groovy_ending("instance")? {
            self.empty_parentheses()?;
        }
        if self.is_mark(".") {
            let detail = format!("the builder of `{name}` is not supported");
            return Err(refused(self.position(), detail)
                .with_help(format!("settings stand in parentheses: new {name}(setting: value)")));
        }
        Ok(Argument::Strategy(Strategy { name, configuration }))
    }

    fn class(&mut self) -> Result<Arc<str>> {
        self.expect_word("the name of a strategy").map(Arc::from)
    }

    /// `A.class` and `A.instance()` of Groovy stand for the `A` of gremlin-lang.
    fn skip_groovy_ending(&mut self, word: &str) -> Result<bool> {
        let found = self.is_mark(".") && self.token_behind() == Token::Word(word);
        if found {
            self.advance()?;
            self.advance()?;
        }
        Ok(found)
    }
}
