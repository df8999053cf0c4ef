//! Values, functions and their arguments.

use std::fmt::{self, Display, Formatter, Write};

use super::{Joined, Parenthesized};
use crate::text::is_bare;
use crate::tree::{Argument, Function, NamedValue, Subject, Value, ValueKind};

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ValueKind::Text(text) => write_quoted(f, text),
            ValueKind::Word(text) if is_bare(text) => f.write_str(text),
            ValueKind::Word(text) => write!(f, "<{text}>"),
            ValueKind::Parameter(name) => write!(f, "${name}"),
            ValueKind::Regexp { pattern, flags } => write!(f, "/{pattern}/{flags}"),
            ValueKind::List(values) => write!(f, "[{}]", Joined(values, ", ")),
        }
    }
}

fn write_quoted(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            _ if letter.is_control() => write!(f, "\\u{:04x}", u32::from(letter))?,
            _ => f.write_char(letter)?,
        }
    }
    f.write_char('"')
}

impl Display for NamedValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.value)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let arguments = Joined(&self.arguments, ", ");
        match (&self.subject, self.arguments.is_empty()) {
            (Subject::Absent, _) => write!(f, "{}({arguments})", self.name),
            (subject, true) => write!(f, "{}({subject})", self.name),
            (subject, false) => write!(f, "{}({subject}, {arguments})", self.name),
        }
    }
}

impl Display for Subject {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Absent => Ok(()),
            Subject::Predicate(predicate) => write!(f, "{predicate}"),
            Subject::Count(predicate) => write!(f, "count({predicate})"),
            Subject::Variable(name) => write!(f, "val({name})"),
            Subject::Length(name) => write!(f, "len({name})"),
        }
    }
}

impl Display for Argument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Value(value) => write!(f, "{value}"),
            Argument::Variable(name) => write!(f, "{name}"),
            Argument::ValueOf(name) => write!(f, "val({name})"),
            Argument::Uids { arguments, .. } if arguments.is_empty() => f.write_str("uid()"),
            Argument::Uids { arguments, .. } => write!(f, "uid{}", Parenthesized(arguments)),
            Argument::Named(named) => write!(f, "{named}"),
        }
    }
}
