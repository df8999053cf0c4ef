//! Names with backticks where they need them, strings with their escapes.

use std::fmt::{Display, Formatter, Result, Write};

use crate::text::is_clause_word;
use crate::tree::Variable;

/// Words that mean something else where a name may stand.
const WORDS: [&str; 30] = [
    "ALL",
    "ALLSHORTESTPATHS",
    "AND",
    "AS",
    "BOTH",
    "CASE",
    "COLLECT",
    "CONTAINS",
    "COUNT",
    "DISTINCT",
    "ENDS",
    "EXISTS",
    "FALSE",
    "FROM",
    "IN",
    "INF",
    "INFINITY",
    "IS",
    "LEADING",
    "NAN",
    "NOT",
    "NULL",
    "OR",
    "SHORTESTPATH",
    "STARTS",
    "TRAILING",
    "TRUE",
    "WHEN",
    "WHERE",
    "XOR",
];

/// A name of one part.
pub(super) struct Named<'a>(pub(super) &'a str);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut letters = self.0.chars();
        let is_plain =
            letters.next().is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
                && letters.all(|letter| letter == '_' || letter.is_ascii_alphanumeric());
        let is_keyword =
            WORDS.iter().any(|word| word.eq_ignore_ascii_case(self.0)) || is_clause_word(self.0);
        match is_plain && !is_keyword {
            true => f.write_str(self.0),
            false => write!(f, "`{}`", self.0.replace('`', "``")),
        }
    }
}

/// The name of a function, which is a keyword in few places only.
pub(super) struct Function<'a>(pub(super) &'a str);

impl Display for Function<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let is_plain = ["all", "collect", "count", "exists"]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(self.0));
        if is_plain { f.write_str(self.0) } else { write!(f, "{}", Dotted(self.0)) }
    }
}

/// A name with points in it.
pub(super) struct Dotted<'a>(pub(super) &'a str);

impl Display for Dotted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (place, part) in self.0.split('.').enumerate() {
            f.write_str(if place == 0 { "" } else { "." })?;
            write!(f, "{}", Named(part))?;
        }
        Ok(())
    }
}

/// A parameter.
pub(super) struct Parameter<'a>(pub(super) &'a str);

impl Display for Parameter<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let is_plain =
            !self.0.is_empty() && self.0.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
        match is_plain {
            true => write!(f, "${}", self.0),
            false => write!(f, "$`{}`", self.0.replace('`', "``")),
        }
    }
}

/// A string.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_char('\'')?;
        for letter in self.0.chars() {
            match letter {
                '\'' | '\\' => write!(f, "\\{letter}")?,
                '\n' => f.write_str("\\n")?,
                letter if letter.is_control() => write!(f, "\\u{:04X}", u32::from(letter))?,
                letter => f.write_char(letter)?,
            }
        }
        f.write_char('\'')
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.is_anonymous() {
            true => Ok(()),
            false => write!(f, "{}", Named(&self.name)),
        }
    }
}
