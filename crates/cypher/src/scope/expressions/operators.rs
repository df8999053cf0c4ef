//! Types of operators and of components: of both operands to that of the result, or an error where no value is right.

use millrace_model::{Error, TextPosition};

use crate::scope::faults::wrong_type;
use crate::tree::{Binary, Selector};
use crate::types::Type;

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(in crate::scope) struct Operand<'t> {
    pub(in crate::scope) at: TextPosition,
    pub(in crate::scope) kind: &'t Type,
}

impl Operand<'_> {
    fn wrong(self, wanted: &str) -> Error {
        wrong_type(self.at, wanted, &self.kind.to_string())
    }
}

/// The type of an operator between its operands.
pub(in crate::scope) fn binary(
    operator: Binary,
    left: Operand<'_>,
    right: Operand<'_>,
) -> Result<Type, Error> {
    match operator {
        Binary::And | Binary::Or | Binary::Xor => {
            let wrong = [left, right].into_iter().find(|side| !side.kind.overlaps(&Type::Boolean));
            wrong.map_or(Ok(Type::Boolean), |side| Err(side.wrong("Boolean")))
        }
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessOrEqual
        | Binary::Greater
        | Binary::GreaterOrEqual
        | Binary::Matches
        | Binary::StartsWith
        | Binary::EndsWith
        | Binary::Contains => Ok(Type::Boolean),
        Binary::In => match right.kind.overlaps(&Type::list(Type::Any)) {
            true => Ok(Type::Boolean),
            false => Err(right.wrong("List")),
        },
        Binary::Plus => plus(left, right),
        Binary::Minus => minus(left, right),
        Binary::Times => scaled(left, right, true),
        Binary::Divide => scaled(left, right, false),
        Binary::Modulo => numbers(left, right).map(|()| arithmetic(left.kind, right.kind)),
        Binary::Power => numbers(left, right).map(|()| Type::Float),
        Binary::Concatenate => concatenated(left, right),
    }
}

/// `+` adds numbers and durations, joins strings and lists, and adds an entry to a list.
fn plus(left: Operand<'_>, right: Operand<'_>) -> Result<Type, Error> {
    match (left.kind, right.kind) {
        (Type::List(one), Type::List(other)) => Ok(Type::list(one.join(other))),
        (Type::List(entry), other) | (other, Type::List(entry)) => match other.is_open() {
            // Unknown: an entry, a list of entries, or null.
            true => Ok(Type::list(Type::Any)),
            false => Ok(Type::list(entry.join(other))),
        },
        (Type::Any | Type::Null | Type::Property, _)
        | (_, Type::Any | Type::Null | Type::Property) => Ok(Type::Any),
        (Type::String, other) | (other, Type::String) if is_joined(other) => Ok(Type::String),
        (one, other) => {
            sum(one, other).or_else(|| sum(other, one)).ok_or_else(|| mismatch(left, right))
        }
    }
}

/// Whether `+` joins a value to a string.
fn is_joined(kind: &Type) -> bool {
    let scalar = matches!(kind, Type::String | Type::Boolean | Type::Duration | Type::Point);
    scalar || kind.is_number() || kind.is_instant()
}

fn sum(one: &Type, other: &Type) -> Option<Type> {
    match (one, other) {
        (one, other) if one.is_number() && other.is_number() => Some(arithmetic(one, other)),
        (one, Type::Duration) if one.is_instant() || *one == Type::Duration => Some(one.clone()),
        _ => None,
    }
}

fn mismatch(left: Operand<'_>, right: Operand<'_>) -> Error {
    let is_left_wrong = !is_joined(left.kind);
    let (wrong, wanted) = if is_left_wrong { (left, right) } else { (right, left) };
    match wanted.kind {
        kind if kind.is_number() => wrong.wrong("Float, Integer, String or List"),
        Type::Duration => wrong.wrong("Duration or a temporal value"),
        kind if kind.is_instant() => wrong.wrong("Duration"),
        _ => wrong.wrong("a value that can be added"),
    }
}

fn minus(left: Operand<'_>, right: Operand<'_>) -> Result<Type, Error> {
    let (one, other) = (left.kind, right.kind);
    if one.is_open() || other.is_open() {
        return open(left, right, |kind| {
            kind.is_number() || kind.is_instant() || *kind == Type::Duration
        });
    }
    match other {
        Type::Duration if one.is_instant() || *one == Type::Duration => Ok(one.clone()),
        _ => numbers(left, right).map(|()| arithmetic(one, other)),
    }
}

/// `*` and `/`: of numbers, and of a duration by a number.
fn scaled(left: Operand<'_>, right: Operand<'_>, is_product: bool) -> Result<Type, Error> {
    let (one, other) = (left.kind, right.kind);
    if one.is_open() || other.is_open() {
        return open(left, right, |kind| kind.is_number() || *kind == Type::Duration);
    }
    match (one, other) {
        (Type::Duration, number) if number.is_number() => Ok(Type::Duration),
        (number, Type::Duration) if number.is_number() && is_product => Ok(Type::Duration),
        (one, other) => numbers(left, right).map(|()| arithmetic(one, other)),
    }
}

/// One side is unknown: the other can be wrong by itself.
fn open(
    left: Operand<'_>,
    right: Operand<'_>,
    is_right: impl Fn(&Type) -> bool,
) -> Result<Type, Error> {
    let is_wrong = |side: &Operand<'_>| !side.kind.is_open() && !is_right(side.kind);
    match [left, right].into_iter().find(is_wrong) {
        Some(side) => Err(side.wrong("Integer, Float or Duration")),
        None => Ok(Type::Any),
    }
}

fn numbers(left: Operand<'_>, right: Operand<'_>) -> Result<(), Error> {
    let wrong = [left, right].into_iter().find(|side| !side.kind.overlaps(&Type::Number));
    wrong.map_or(Ok(()), |side| Err(side.wrong("Integer or Float")))
}

fn arithmetic(one: &Type, other: &Type) -> Type {
    match (one, other) {
        (Type::Integer, Type::Integer) => Type::Integer,
        (Type::Float, other) | (other, Type::Float) if other.is_number() => Type::Float,
        (one, other) if one.is_number() && other.is_number() => Type::Number,
        _ => Type::Any,
    }
}

fn concatenated(left: Operand<'_>, right: Operand<'_>) -> Result<Type, Error> {
    let is_text = |kind: &Type| matches!(kind, Type::String | Type::List(_)) || kind.is_open();
    if let Some(side) = [left, right].into_iter().find(|side| !is_text(side.kind)) {
        return Err(side.wrong("String or List"));
    }
    match left.kind.overlaps(right.kind) {
        true => Ok(left.kind.join(right.kind)),
        false => Err(right.wrong(&left.kind.to_string())),
    }
}

/// The type of `x.key`: components of temporal values are integers or strings, those of points floats.
pub(in crate::scope) fn component(of: &Type, key: &str) -> Type {
    let is_text = ["timezone", "offset"].contains(&key);
    match of {
        Type::Duration => Type::Integer,
        of if of.is_instant() && is_text => Type::String,
        of if of.is_instant() => Type::Integer,
        of if of.is_element() => Type::Property,
        _ => Type::Any,
    }
}

/// The type of a shortest path as a value.
pub(in crate::scope) fn shortest_type(selector: &Selector) -> Type {
    match selector {
        Selector::AllShortestPaths => Type::list(Type::Path),
        Selector::All
        | Selector::Any(_)
        | Selector::Shortest(_)
        | Selector::AllShortest
        | Selector::ShortestGroups(_)
        | Selector::ShortestPath => Type::Path,
    }
}
