//! Texts that functions make of a text, written behind one another: an engine that has texts side by side makes no value of
//! each.

use millrace_model::{Result, Value};

use super::strings::{character_count, substring, trimmed};
use crate::functions::arguments::{bad, bound, check_bytes, int, misplaced, text};
use crate::functions::{Collation, Function, Outside};

impl Function {
    /// Whether it makes a text of a text and what it takes behind that.
    pub fn makes_text(self) -> bool {
        matches!(
            self,
            Function::Upper
                | Function::Lower
                | Function::CollationKey(Collation::CaseFold)
                | Function::Trim
                | Function::TrimStart
                | Function::TrimEnd
                | Function::Substring(_)
                | Function::LastCharacters
                | Function::Replace
                | Function::RepeatText
        )
    }

    /// Whether it tests a text against another.
    pub fn tests_text(self) -> bool {
        matches!(self, Function::StartsWith | Function::EndsWith | Function::Contains)
    }

    /// Writes the text that it makes behind others; no argument is null.
    pub fn write_text(self, own: &str, rest: &[Value], to: &mut String) -> Result<()> {
        match self {
            Function::Upper if own.is_ascii() => {
                let start = to.len();
                to.push_str(own);
                to[start..].make_ascii_uppercase();
            }
            Function::Upper => to.push_str(&own.to_uppercase()),
            Function::Lower | Function::CollationKey(Collation::CaseFold) if own.is_ascii() => {
                let start = to.len();
                to.push_str(own);
                to[start..].make_ascii_lowercase();
            }
            Function::Lower | Function::CollationKey(Collation::CaseFold) => {
                to.push_str(&own.to_lowercase());
            }
            Function::Trim | Function::TrimStart | Function::TrimEnd => {
                let characters = rest.first().map(|other| text(self, other)).transpose()?;
                to.push_str(trimmed(self, own, characters));
            }
            // Neo4j looks at no place of the empty text.
            Function::Substring(mode) if own.is_empty() && mode.outside == Outside::ErrorBefore => {
            }
            Function::Substring(mode) => {
                // A byte is a character of most texts.
                let is_ascii = own.is_ascii();
                let length = if is_ascii { own.len() } else { own.chars().count() };
                let start = bound(mode, int(self, &rest[0])?, length)?;
                let count = rest.get(1).map(|count| int(self, count)).transpose()?;
                match count.map(usize::try_from) {
                    Some(Ok(count)) if is_ascii => {
                        to.push_str(&own[start..own.len().min(start.saturating_add(count))]);
                    }
                    _ => to.push_str(substring(own, start, count)?),
                }
            }
            Function::LastCharacters => {
                let count = character_count(self, &rest[0])?;
                let start = own.char_indices().rev().take(count).last().map(|(at, _)| at);
                to.push_str(&own[start.unwrap_or(own.len())..]);
            }
            Function::Replace => {
                let (old, new) = (text(self, &rest[0])?, text(self, &rest[1])?);
                check_bytes(own.len().saturating_add(own.len().saturating_mul(new.len())))?;
                let count = rest.get(2).map(|count| character_count(self, count)).transpose()?;
                let mut end = 0;
                for (at, found) in own.match_indices(old).take(count.unwrap_or(usize::MAX)) {
                    to.push_str(&own[end..at]);
                    to.push_str(new);
                    end = at + found.len();
                }
                to.push_str(&own[end..]);
            }
            Function::RepeatText => {
                let times = usize::try_from(int(self, &rest[0])?)
                    .map_err(|_| bad("a text is repeated no less than 0 times"))?;
                check_bytes(own.len().saturating_mul(times))?;
                (0..times).for_each(|_| to.push_str(own));
            }
            other => return Err(misplaced(other)),
        }
        Ok(())
    }
}
