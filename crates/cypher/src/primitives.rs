//! The expressions of a plan that Cypher's operators and functions are made of.
//!
//! Each takes expressions of a plan and gives one. Nothing that needs a tree to be translated, a column or an operator
//! enters here.

use millrace_model::Value;
use millrace_plan::functions::{IndexMode, OnFailure, Outside, Wanted};
use millrace_plan::{Arithmetic, Comparison, Expr, Function, Makes, Name, Quantifier, Unknown};

use crate::tree::TypeName;
use crate::types::Type;

/// Null in place of an absent property.
pub(crate) fn or_null(expr: Expr) -> Expr {
    if matches!(expr, Expr::Property { .. }) {
        return Expr::call(Function::OrNull, vec![expr]);
    }
    expr
}

/// The value, which becomes a property: an error if it cannot be one.
pub(crate) fn storable(expr: Expr, kind: &Type) -> Expr {
    match kind {
        Type::Boolean
        | Type::Integer
        | Type::Float
        | Type::Number
        | Type::String
        | Type::Date
        | Type::LocalTime
        | Type::Time
        | Type::LocalDateTime
        | Type::DateTime
        | Type::Duration
        | Type::Point
        | Type::Null => expr,
        Type::Any
        | Type::Node
        | Type::Relationship
        | Type::Path
        | Type::Map
        | Type::List(_)
        | Type::Property => Expr::call(Function::Storable, vec![expr]),
    }
}

/// Whether values of a type are equivalent only if they are identical.
pub(crate) fn is_its_own_key(kind: &Type) -> bool {
    matches!(kind, Type::Node | Type::Relationship | Type::String | Type::Boolean)
}

/// A value that is identical for equivalent values.
pub(crate) fn key_of(expr: Expr) -> Expr {
    Expr::call(Function::EquivalenceKey, vec![expr])
}

/// A path of vertices, edges and paths in order; each with whether it is walked from its end.
pub(crate) fn path_of(parts: Vec<(Expr, bool)>) -> Expr {
    let part = |(part, reversed)| match reversed {
        true => Expr::call(Function::Reverse, vec![part]),
        false => part,
    };
    Expr::call(Function::PathOf, parts.into_iter().map(part).collect())
}

pub(crate) fn equal(left: Expr, right: Expr) -> Expr {
    Expr::compare(Comparison::Equal, left, right)
}

/// Of two truths whether one holds; unknown if one is. What may be no truth is looked at when it runs.
pub(crate) fn xor(left: Expr, right: Expr, are_truths: bool) -> Expr {
    match are_truths {
        true => Expr::compare(Comparison::NotEqual, left, right),
        false => Expr::call(Function::Xor, vec![left, right]),
    }
}

/// A number as a whole one, where a fraction is cut off.
pub(crate) fn whole(number: Expr) -> Expr {
    if matches!(number, Expr::Literal(Value::I64(_) | Value::Null)) {
        return number;
    }
    let of_type = Expr::literal("Type mismatch: expected Integer");
    let arguments = vec![number, Expr::Literal(Value::Null), of_type];
    let number = Expr::call(Function::Require(Wanted::Number), arguments);
    Expr::call(Function::ToInteger(OnFailure::Error), vec![number])
}

pub(crate) fn matches(text: Expr, pattern: Expr) -> Expr {
    Expr::call(Function::MatchesWhole, vec![text, pattern])
}

pub(crate) fn in_list(item: Expr, list: Expr) -> Expr {
    Expr::InList { item: Box::new(item), list: Box::new(list) }
}

/// `+` and kin by the types that operands have at run time.
pub(crate) fn operate(operation: Arithmetic, left: Expr, right: Expr) -> Expr {
    Expr::call(Function::Operate(operation), vec![left, right])
}

pub(crate) fn negative(of: Expr) -> Expr {
    operate(Arithmetic::Multiply, Expr::literal(-1_i64), of)
}

pub(crate) fn power(base: Expr, exponent: Expr) -> Expr {
    Expr::call(Function::Power, vec![base, exponent])
}

pub(crate) fn slice(of: Expr, from: Option<Expr>, to: Option<Expr>) -> Expr {
    let mode = IndexMode { first: 0, from_end: true, outside: Outside::Missing };
    let from = whole(from.unwrap_or_else(|| Expr::literal(0_i64)));
    let arguments = [of, from].into_iter().chain(to.map(whole)).collect();
    Expr::call(Function::Slice(mode), arguments)
}

pub(crate) fn properties(of: Expr) -> Expr {
    Expr::properties_of(of)
}

pub(crate) fn merge_maps(maps: Vec<Expr>) -> Expr {
    Expr::call(Function::MergeMaps, maps)
}

pub(crate) fn has_edge_type(edge: Expr, name: &Name) -> Expr {
    equal(Expr::EdgeType(Box::new(edge)), Expr::Literal(Value::String(name.clone())))
}

fn labels(of: Expr) -> Expr {
    Expr::Labels(Box::new(of))
}

pub(crate) fn has_some_label(of: Expr) -> Expr {
    let count = Expr::call(Function::Size, vec![labels(of)]);
    Expr::compare(Comparison::Greater, count, Expr::literal(0_i64))
}

/// Whether an element has the label that a text is.
pub(crate) fn has_label(of: Expr, name: Expr) -> Expr {
    in_list(name, labels(of))
}

/// Whether a value is of a type. Null is of every type that does not exclude it.
pub(crate) fn has_type(
    of: Expr,
    wanted: &TypeName,
    item: &mut dyn FnMut() -> millrace_plan::ColumnId,
) -> Expr {
    let name = |text: &str| {
        let own = Expr::call(Function::ValueType, vec![of.clone()]);
        let starts = Expr::call(Function::StartsWith, vec![own, Expr::literal(text)]);
        Expr::Or(vec![Expr::IsNull(Box::new(of.clone())), starts])
    };
    match wanted {
        TypeName::Nothing => Expr::literal(false),
        TypeName::Null => Expr::IsNull(Box::new(of)),
        TypeName::Boolean => name("BOOLEAN"),
        TypeName::String => name("STRING"),
        TypeName::Integer => name("INTEGER"),
        TypeName::Float => name("FLOAT"),
        TypeName::Date => name("DATE"),
        TypeName::LocalTime => name("LOCAL TIME"),
        TypeName::ZonedTime => name("ZONED TIME"),
        TypeName::LocalDateTime => name("LOCAL DATETIME"),
        TypeName::ZonedDateTime => name("ZONED DATETIME"),
        TypeName::Duration => name("DURATION"),
        TypeName::Point => name("POINT"),
        TypeName::Node => name("NODE"),
        TypeName::Relationship => name("RELATIONSHIP"),
        TypeName::Map => name("MAP"),
        TypeName::Path => name("PATH"),
        TypeName::PropertyValue => {
            let others = ["NODE", "RELATIONSHIP", "MAP", "PATH"].map(|other| {
                let own = Expr::call(Function::ValueType, vec![of.clone()]);
                Expr::call(Function::Contains, vec![own, Expr::literal(other)])
            });
            Expr::Or(others.to_vec()).negate()
        }
        TypeName::Any => Expr::literal(true),
        TypeName::List(entry) => {
            let is_list = name("LIST");
            let column = item();
            let holds = has_type(Expr::Column(column), entry, item);
            let makes =
                Makes::Truth { quantifier: Quantifier::All, unknown: Unknown::IsFalse, holds };
            let entries = Expr::over(of.clone(), column, makes);
            let is_null = Expr::IsNull(Box::new(of));
            let branches = vec![(is_null, Expr::literal(true)), (is_list, entries)];
            Expr::Case { branches, otherwise: Some(Box::new(Expr::literal(false))) }
        }
        TypeName::OneOf(types) => {
            Expr::Or(types.iter().map(|own| has_type(of.clone(), own, item)).collect())
        }
        TypeName::NotNull(inner) => {
            let is_there = Expr::IsNull(Box::new(of.clone())).negate();
            Expr::And(vec![is_there, has_type(of, inner, item)])
        }
    }
}

/// The list that a part is taken of. A text is no list of characters here.
pub(crate) fn whole_list(value: Expr) -> Expr {
    if !matches!(value, Expr::Parameter(_)) {
        return as_list(value);
    }
    let of_type = Expr::literal("Type mismatch: expected List");
    let arguments = vec![value, Expr::Literal(Value::Null), of_type];
    Expr::call(Function::Require(Wanted::Entries), arguments)
}

/// A value that is no list, and not null, as the only entry of one.
pub(crate) fn as_list(value: Expr) -> Expr {
    Expr::call(Function::AsList, vec![value])
}
