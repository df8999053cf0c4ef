//! Functions of roots and filters, their arguments, and predicates.

use super::lists::in_parentheses;
use super::values::{value, variable_in};
use crate::text::{Cursor, FoundName, Read, language, name, word};
use crate::tree::{
    Argument, Function, Name, NamedValue, Offset, Predicate, Subject, Value, ValueKind,
};

/// Functions that a root may have, and `uid_in`, which a later stage refuses by name. In a filter an unknown function
/// is noticed later, as in Dgraph.
pub(crate) const ROOT_FUNCTIONS: [&str; 24] = [
    "allof",
    "allofterms",
    "alloftext",
    "anyof",
    "anyofterms",
    "anyoftext",
    "between",
    "contains",
    "eq",
    "ge",
    "gt",
    "has",
    "intersects",
    "le",
    "lt",
    "match",
    "near",
    "ngram",
    "regexp",
    "similar_to",
    "type",
    "uid",
    "uid_in",
    "within",
];

/// The function behind `func:`.
pub(super) fn root_function(cursor: &mut Cursor<'_>) -> Read<Function> {
    let function = function(cursor)?;
    let name = function.name.as_str();
    if ROOT_FUNCTIONS.contains(&name) {
        return Ok(function);
    }
    Err(cursor.error(function.offset, format!("Function name: {name} is not valid.")))
}

/// `eq(name, "Alice")`.
pub(super) fn function(cursor: &mut Cursor<'_>) -> Read<Function> {
    let (offset, written) = word(cursor, "a function")?;
    let name = written.to_lowercase();
    cursor.count_node()?;
    if name == "uid" {
        let arguments = in_parentheses(cursor, "of uid", uid_argument)?;
        return Ok(Function { offset, name, subject: Subject::Absent, arguments });
    }
    if name == "type" {
        let arguments = in_parentheses(cursor, "of type", argument)?;
        return Ok(Function { offset, name, subject: Subject::Absent, arguments });
    }
    cursor.must_take('(', &format!("behind the function {written}"))?;
    if cursor.is(')') {
        return Err(cursor.error(offset, format!("the function {written}() has no predicate")));
    }
    let subject = subject(cursor)?;
    let mut arguments = Vec::new();
    while cursor.take(',') {
        cursor.count_node()?;
        arguments.push(argument(cursor)?);
    }
    cursor.must_take(')', &format!("or `,` behind an argument of {written}"))?;
    Ok(Function { offset, name, subject, arguments })
}

/// The first argument of a function.
fn subject(cursor: &mut Cursor<'_>) -> Read<Subject> {
    if cursor.is('"') {
        return Err(quoted_predicate(cursor));
    }
    if cursor.is_word_then("val", '(') {
        return Ok(Subject::Variable(variable_in(cursor, "val")?));
    }
    if cursor.is_word_then("len", '(') {
        return Ok(Subject::Length(variable_in(cursor, "len")?));
    }
    if cursor.is_word_then("count", '(') {
        cursor.take_word("count");
        cursor.must_take('(', "behind count")?;
        let counted = predicate(cursor)?;
        cursor.must_take(')', "behind the predicate of count")?;
        return Ok(Subject::Count(counted));
    }
    Ok(Subject::Predicate(predicate(cursor)?))
}

/// A predicate in quotation marks, which Dgraph refuses in these words.
pub(super) fn quoted_predicate(cursor: &mut Cursor<'_>) -> millrace_model::Error {
    let at = cursor.here();
    if let Err(error) = crate::text::quoted(cursor) {
        return error;
    }
    let written = cursor.text_since(at).to_owned();
    cursor
        .error(at, format!("Attribute in function must not be quoted with \": {written}"))
        .with_help("write a predicate as it is, or in `<` and `>`")
}

/// An argument behind the subject.
pub(super) fn argument(cursor: &mut Cursor<'_>) -> Read<Argument> {
    if cursor.is_word_then("val", '(') {
        return Ok(Argument::ValueOf(variable_in(cursor, "val")?));
    }
    if cursor.is_word_then("uid", '(') {
        let offset = cursor.here();
        cursor.take_word("uid");
        return Ok(Argument::Uids {
            offset,
            arguments: in_parentheses(cursor, "of uid", uid_argument)?,
        });
    }
    let first = value(cursor)?;
    if let ValueKind::Word(text) = &first.kind
        && cursor.take(':')
    {
        let name = Name { offset: first.offset, text: text.clone() };
        return Ok(Argument::Named(NamedValue { name, value: value(cursor)? }));
    }
    Ok(Argument::Value(first))
}

/// An argument of `uid`: a uid begins with a digit, and a variable does not.
fn uid_argument(cursor: &mut Cursor<'_>) -> Read<Argument> {
    let Value { offset, kind } = value(cursor)?;
    Ok(match kind {
        ValueKind::Word(text) if is_variable(&text) => Argument::Variable(Name { offset, text }),
        ValueKind::Word(_)
        | ValueKind::Text(_)
        | ValueKind::Parameter(_)
        | ValueKind::Regexp { .. }
        | ValueKind::List(_) => Argument::Value(Value { offset, kind }),
    })
}

/// Whether a word is the name of a variable and no uid.
pub(super) fn is_variable(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.'))
}

/// `name`, `name@en:fr`, `~friend`.
pub(super) fn predicate(cursor: &mut Cursor<'_>) -> Read<Predicate> {
    let found = name(cursor, "a predicate")?;
    let mut predicate = without_languages(found);
    if cursor.take('@') {
        predicate.languages = languages(cursor)?;
    }
    Ok(predicate)
}

/// A name as a predicate: `~` before it, also in angle brackets, reverses it.
pub(super) fn without_languages(found: FoundName) -> Predicate {
    let Name { offset, text } = found.name;
    match text.strip_prefix('~').filter(|rest| !rest.is_empty()) {
        Some(rest) => {
            Predicate { offset, is_reverse: true, name: rest.to_owned(), languages: Vec::new() }
        }
        None => Predicate { offset, is_reverse: false, name: text, languages: Vec::new() },
    }
}

/// `en:fr:.`, or `*`, behind `@`.
pub(super) fn languages(cursor: &mut Cursor<'_>) -> Read<Vec<String>> {
    let at = cursor.here();
    let mut languages = vec![language(cursor)?];
    // Space behind the last one is not skipped: whether there is some, matters to the caller.
    while cursor.looking(|cursor| cursor.is(':')) {
        cursor.take(':');
        cursor.count_node()?;
        languages.push(language(cursor)?);
    }
    if languages.len() > 1 && languages.iter().any(|tag| tag == "*") {
        return Err(cursor.error(at, "`*` is all languages, and stands without others"));
    }
    Ok(languages)
}

/// Predicates in parentheses.
pub(super) fn predicates(cursor: &mut Cursor<'_>, context: &str) -> Read<Vec<Predicate>> {
    in_parentheses(cursor, context, predicate)
}

/// A word that is nothing a reader knows, in Dgraph's words.
pub(super) fn invalid_keyword(
    cursor: &Cursor<'_>,
    at: Offset,
    word: &str,
) -> millrace_model::Error {
    cursor.error(at, format!("Got invalid keyword: {word}"))
}
