//! Arguments: literals, ranges, lists, sets, maps, casts, and arguments in parentheses.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use millrace_bytecode::Argument;
use millrace_model::{Result, TextPosition, Value};

use super::lexer::{Quoted, Token};
use super::numbers::number;
use super::parser::Parser;
use super::refused::bad;
use super::strings::text_of;

impl<'t> Parser<'t> {
    /// One argument of any kind.
    pub(super) fn argument(&mut self) -> Result<Argument> {
        self.count(1)?;
        let argument = self.nested(|parser| match parser.token() {
            Token::Word(word) => parser.word(word),
            Token::Text(_) | Token::Number(_) => parser.literal_or_range(),
            Token::Mark("[") => parser.list_or_map(),
            Token::Mark("{") => parser.set(),
            Token::Mark("(") => parser.parenthesis(),
            _ => Err(parser.unexpected("an argument")),
        })?;
        match self.token() {
            Token::Word("as") if !self.begins_line() => self.converted(&argument),
            _ => Ok(argument),
        }
    }

    fn literal_or_range(&mut self) -> Result<Argument> {
        let position = self.position();
        let first = self.literal()?;
        if !self.take("..")? {
            return Ok(Argument::Value(first));
        }
        if !matches!(self.token(), Token::Text(_) | Token::Number(_)) {
            return Err(self.unexpected("the end of a range"));
        }
        let last = self.literal()?;
        self.range(&first, &last, position).map(Argument::Value)
    }

    /// A string or a number.
    fn literal(&mut self) -> Result<Value> {
        let position = self.position();
        match self.advance()? {
            Token::Number(text) => number(text).map_err(|reason| {
                bad(position, format!("`{}`: {reason}", super::refused::cut(text)))
            }),
            Token::Text(quoted) => self.text(quoted, position).map(Value::String),
            found => Err(super::refused::unexpected(position, found, "a string or a number")),
        }
    }

    /// A string with its escapes decoded.
    pub(super) fn text(&mut self, quoted: Quoted<'_>, position: TextPosition) -> Result<Arc<str>> {
        let text = text_of(quoted, self.language).map_err(|reason| bad(position, reason))?;
        Ok(self.names.share(&text))
    }

    /// Whole numbers, or texts that differ in their last character, both ends included.
    fn range(&mut self, first: &Value, last: &Value, position: TextPosition) -> Result<Value> {
        match (first, last) {
            (Value::I32(first), Value::I32(last)) => {
                self.count(first.abs_diff(*last) as usize)?;
                Ok(Value::list(between(*first, *last).map(Value::I32).collect()))
            }
            (Value::String(first), Value::String(last)) => self.text_range(first, last, position),
            _ => Err(bad(position, "a range goes from a 32-bit integer or a string to another")),
        }
    }

    fn text_range(&mut self, first: &str, last: &str, position: TextPosition) -> Result<Value> {
        if first.is_empty() && last.is_empty() {
            return Ok(Value::list(Vec::new()));
        }
        let (Some((prefix, from)), Some((other, to))) = (split_last(first), split_last(last))
        else {
            return Err(bad(position, "both ends of a range of strings have the same length"));
        };
        if prefix != other {
            return Err(bad(
                position,
                "the ends of a range of strings differ in their last character only",
            ));
        }
        let (from, to) = (u32::from(from), u32::from(to));
        self.count(from.abs_diff(to) as usize)?;
        let letters = between(i64::from(from), i64::from(to));
        // Half characters lie between, and are none.
        let letters = letters.filter_map(|code| char::from_u32(u32::try_from(code).ok()?));
        Ok(Value::list(letters.map(|letter| Value::string(&format!("{prefix}{letter}"))).collect()))
    }

    /// `[1, 2]`, `[a: 1]`, `[:]`.
    fn list_or_map(&mut self) -> Result<Argument> {
        self.expect("[")?;
        if self.is_mark(":") && self.is_mark_behind("]") {
            self.advance()?;
            self.advance()?;
            return Ok(Argument::map(Vec::new()));
        }
        if self.take("]")? {
            return Ok(Argument::list(Vec::new()));
        }
        let first = self.key_or_element()?;
        if self.is_mark(":") {
            return self.map_from(first);
        }
        self.elements("]", first).map(Argument::list)
    }

    /// `{1, 2}`; with `it` or an arrow it is a closure.
    fn set(&mut self) -> Result<Argument> {
        let begin = self.position();
        if matches!(self.token_behind(), Token::Word("it")) {
            return Err(self.unexpected("an argument"));
        }
        self.expect("{")?;
        if self.take("}")? {
            return Ok(Argument::set(Vec::new()));
        }
        let is_closure =
            matches!((self.token(), self.token_behind()), (Token::Word(_), Token::Operator("->")))
                || self.token() == Token::Operator("->");
        if is_closure {
            return Err(super::refused::unexpected(begin, Token::Mark("{"), "an argument"));
        }
        let first = self.argument()?;
        self.elements("}", first).map(|elements| Argument::set(distinct(elements)))
    }

    /// All elements up to the closing mark; the first one is parsed already.
    fn elements(&mut self, close: &str, first: Argument) -> Result<Vec<Argument>> {
        let mut elements = vec![first];
        while !self.take(close)? {
            if !self.take(",")? {
                return Err(self.unexpected_behind(&format!("`,` or `{close}`")));
            }
            elements.push(self.argument()?);
        }
        Ok(elements)
    }

    /// A map after its first key. The last value of a repeated key counts.
    fn map_from(&mut self, first: Argument) -> Result<Argument> {
        let mut pairs = Vec::new();
        let mut key = first;
        loop {
            self.expect(":")?;
            pairs.push((key, self.argument()?));
            if self.take("]")? {
                return Ok(Argument::map(last_of_each(pairs)));
            }
            if !self.take(",")? {
                return Err(self.unexpected_behind("`,` or `]`"));
            }
            key = self.key_or_element()?;
        }
    }

    /// A word before a colon is the key of that name, even if it is a word of Gremlin.
    fn key_or_element(&mut self) -> Result<Argument> {
        match self.token() {
            Token::Word(word) if self.is_mark_behind(":") => {
                self.count(1)?;
                self.advance()?;
                Ok(Argument::Value(Value::string(word)))
            }
            _ => self.argument(),
        }
    }

    /// A cast, or an argument in parentheses.
    fn parenthesis(&mut self) -> Result<Argument> {
        self.expect("(")?;
        if let (Token::Word(word), true) = (self.token(), self.is_mark_behind(")"))
            && let Some(cast) = super::casts::Cast::named(word)
        {
            let position = self.position();
            self.advance()?;
            self.advance()?;
            return self.cast(cast, position);
        }
        let argument = self.argument()?;
        self.expect(")")?;
        Ok(argument)
    }
}

/// The numbers from `first` to `last`, both included, ascending or descending.
fn between<T: Into<i64> + TryFrom<i64>>(first: T, last: T) -> impl Iterator<Item = T> {
    let (first, last): (i64, i64) = (first.into(), last.into());
    let step = if first <= last { 1 } else { -1 };
    (0..=first.abs_diff(last))
        .filter_map(move |count| T::try_from(first + step * count as i64).ok())
}

fn split_last(text: &str) -> Option<(&str, char)> {
    let last = text.chars().next_back()?;
    Some((&text[..text.len() - last.len_utf8()], last))
}

/// Each element once, the first of equals.
pub(super) fn distinct(elements: Vec<Argument>) -> Vec<Argument> {
    let mut seen = HashSet::new();
    let mut kept = Vec::with_capacity(elements.len());
    for element in elements {
        if is_variable(&element) || seen.insert(element.clone()) {
            kept.push(element);
        }
    }
    kept
}

/// Each key once, where it stood first, with its last value.
fn last_of_each(pairs: Vec<(Argument, Argument)>) -> Vec<(Argument, Argument)> {
    let mut places: HashMap<Argument, usize> = HashMap::new();
    let mut kept: Vec<(Argument, Argument)> = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        match places.get(&key) {
            Some(place) if !is_variable(&key) => kept[*place].1 = value,
            _ => {
                places.insert(key.clone(), kept.len());
                kept.push((key, value));
            }
        }
    }
    kept
}

/// Whether equality with other arguments is known only when the script runs.
fn is_variable(argument: &Argument) -> bool {
    !matches!(argument, Argument::Value(_))
}
