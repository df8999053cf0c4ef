//! Values: strings, words, numbers, variables of the query, regular expressions, lists.

use super::lists::list;
use crate::text::{Cursor, Read, bare, name, parameter, quoted, regexp};
use crate::tree::{Name, NamedValue, Value, ValueKind};

/// A value.
pub(super) fn value(cursor: &mut Cursor<'_>) -> Read<Value> {
    let offset = cursor.here();
    let kind = match cursor.next_character() {
        Some('"') => ValueKind::Text(quoted(cursor)?),
        Some('$') => ValueKind::Parameter(parameter(cursor)?.text),
        Some('/') => {
            let (pattern, flags) = regexp(cursor)?;
            ValueKind::Regexp { pattern, flags }
        }
        Some('[') => {
            let values = cursor.deeper(|cursor| list(cursor, ('[', ']'), "of a list", value))?;
            ValueKind::List(values)
        }
        Some('<') => ValueKind::Word(name(cursor, "a value")?.name.text),
        _ => ValueKind::Word(bare(cursor, "a value")?),
    };
    Ok(Value { offset, kind })
}

/// `name: value`.
pub(super) fn named_value(cursor: &mut Cursor<'_>) -> Read<NamedValue> {
    let name = name(cursor, "the name of an option")?.name;
    cursor.must_take(':', "behind the name of an option")?;
    Ok(NamedValue { name, value: value(cursor)? })
}

/// `val(x)`, of which the word comes next.
pub(super) fn variable_in(cursor: &mut Cursor<'_>, word: &str) -> Read<Name> {
    cursor.take_word(word);
    variable_behind(cursor, word)
}

/// `(x)`, behind a word.
pub(super) fn variable_behind(cursor: &mut Cursor<'_>, word: &str) -> Read<Name> {
    cursor.must_take('(', &format!("behind {word}"))?;
    let variable = name(cursor, "the name of a variable")?.name;
    cursor.must_take(')', "behind the name of a variable")?;
    Ok(variable)
}

/// A list of names in brackets, or one alone.
pub(super) fn names(cursor: &mut Cursor<'_>, context: &str) -> Read<Vec<Name>> {
    if cursor.is('[') {
        return list(cursor, ('[', ']'), context, |cursor| Ok(name(cursor, "a name")?.name));
    }
    Ok(vec![name(cursor, "a name, or names in brackets")?.name])
}
