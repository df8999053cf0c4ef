//! Facets, `(since=2006-01-02, close=true, note="a b")`. A bare value's type follows from its
//! look, in Dgraph's order: integer, float, boolean, date and time; anything else must be quoted.

use super::line::{Cursor, Forms};
use super::literal::parse_quoted;
use crate::error::Fault;
use crate::limits::FACETS_MAX;
use crate::text;
use millrace_model::Value;
use millrace_model::temporal::DateTime;
use std::borrow::Cow;
use std::collections::HashSet;

/// Up to so many facets keys are compared one by one.
const FACETS_FEW: usize = 8;

/// One `key=value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet<'a> {
    /// The key.
    pub key: &'a str,
    /// The value.
    pub value: FacetValue<'a>,
}

/// A facet's value.
#[derive(Clone, Debug, PartialEq)]
pub enum FacetValue<'a> {
    /// Quoted.
    Text(Cow<'a, str>),
    /// Bare.
    Bare(Value),
}

/// With the cursor on `(`.
pub(super) fn parse_facets<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Facet<'a>>, Fault> {
    let mut facets: Vec<Facet<'a>> = Vec::new();
    // Of many, which a statement seldom has, the keys.
    let mut keys: HashSet<&str> = HashSet::new();
    loop {
        cursor.at += 1;
        cursor.skip_blanks();
        let at = cursor.at;
        let facet = parse_facet(cursor)?;
        let is_there = match facets.len() {
            0..FACETS_FEW => facets.iter().any(|other| other.key == facet.key),
            count => {
                if count == FACETS_FEW {
                    keys.extend(facets.iter().map(|own| own.key));
                }
                !keys.insert(facet.key)
            }
        };
        if is_there {
            return Err(Fault::new(at, format!("the facet '{}' occurs twice here", facet.key)));
        }
        facets.push(facet);
        cursor.skip_blanks();
        match cursor.peek() {
            Some(b')') => break,
            Some(b',') if facets.len() < FACETS_MAX => {}
            Some(b',') => {
                let detail = format!("a statement has {FACETS_MAX} facets at most");
                return Err(Fault::new(cursor.at, detail));
            }
            _ => return Err(cursor.expected("',' or ')' after a facet")),
        }
    }
    cursor.at += 1;
    Ok(facets)
}

fn parse_facet<'a>(cursor: &mut Cursor<'a>) -> Result<Facet<'a>, Fault> {
    let is_key = |byte: u8| byte >= 0x80 || byte.is_ascii_alphanumeric() || b"_.-~".contains(&byte);
    let key = cursor.take_while(is_key);
    if key.is_empty() {
        return Err(cursor.expected("a facet, key=value"));
    }
    cursor.skip_blanks();
    if !cursor.take(b'=') {
        return Err(cursor.expected("'=' after a facet's key"));
    }
    cursor.skip_blanks();
    let value = match cursor.peek() {
        Some(b'"') => FacetValue::Text(parse_quoted(cursor)?),
        // Nothing is the empty text, as in Dgraph.
        Some(b',' | b')') => FacetValue::Text(Cow::Borrowed("")),
        _ => FacetValue::Bare(parse_bare(cursor)?),
    };
    Ok(Facet { key, value })
}

fn parse_bare(cursor: &mut Cursor<'_>) -> Result<Value, Fault> {
    let at = cursor.at;
    let bare = cursor.take_while(|byte| !b",) \t".contains(&byte));
    if bare.is_empty() {
        return Err(cursor.expected("a facet's value"));
    }
    let hex = bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X"));
    let hex = hex.filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if let Some(whole) = hex.and_then(|hex| i64::from_str_radix(hex, 16).ok()) {
        return Ok(Value::I64(whole));
    }
    let far = || match cursor.forms {
        Forms::Mutation => text::parse_far_offset(bare),
        Forms::Load => None,
    };
    let value = text::parse_bare(bare).or_else(far).or_else(|| text::parse_year_month(bare).ok());
    value.map(at_start).ok_or_else(|| {
        Fault::new(at, "expected a number, true, false, a date or time, or text in quotes")
    })
}

/// A facet has no days: its dates are the beginnings of them.
pub(crate) fn at_start(value: Value) -> Value {
    match value {
        Value::Date(date) => Value::DateTime(DateTime::at_start_of(date)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::FACETS_MAX;
    use crate::nquads::line::parse_line;

    fn refused(keys: impl Iterator<Item = usize>) -> String {
        let facets: Vec<String> = keys.map(|key| format!("k{key}=1")).collect();
        let line = format!("<1> <p> \"x\" ({}) .", facets.join(","));
        parse_line(&line).err().map_or_else(String::new, |fault| fault.detail)
    }

    #[test]
    fn many_facets_of_a_statement_have_keys_of_their_own_and_a_limit() {
        assert_eq!(refused(0..FACETS_MAX), "");
        for repeated in [3, 20, FACETS_MAX / 2] {
            let keys = (0..repeated).chain([repeated / 2]).chain(repeated..repeated + 2);
            assert_eq!(refused(keys), format!("the facet 'k{}' occurs twice here", repeated / 2));
        }
        assert_eq!(refused(0..FACETS_MAX + 1), "a statement has 65536 facets at most");
    }
}
