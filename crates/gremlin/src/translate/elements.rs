//! Parts of an element, or of an object that may be one: id, label, properties.

use millrace_model::{Result, Token, Value};
use millrace_plan::{Comparison, Expr, Function, Name};

use super::kind::{At, Kind};
use super::properties;

/// The label of vertices that have none.
pub(crate) const DEFAULT_LABEL: &str = "vertex";

/// The value of a key: of an element its property, of a map its entry; absent where there is none. An
/// error where a vertex has several.
pub(crate) fn property(of: At, key: &Name) -> Expr {
    match may_have_several(of) {
        true => Expr::SingleValue(Box::new(stored(of, key))),
        false => stored(of, key),
    }
}

/// Whether a key may have several values.
fn may_have_several(of: At) -> bool {
    matches!(of.kind, Kind::Vertex | Kind::Any)
}

/// Whether a value of a key passes; `test` makes the condition for an expression.
pub(crate) fn some_value(
    of: At,
    stored: Expr,
    test: impl FnOnce(Expr) -> Result<Expr>,
) -> Result<Expr> {
    let test = test(stored.clone())?;
    Ok(if may_have_several(of) { Expr::any_value(stored, test) } else { test })
}

/// The stored property of a key: one plain value, or property values.
pub(crate) fn stored(of: At, key: &Name) -> Expr {
    Expr::Property { element: Box::new(Expr::Column(of.column)), key: key.clone() }
}

/// The part of an element that a token names.
pub(crate) fn token(of: At, token: Token) -> Expr {
    let own = || Expr::Column(of.column);
    match token {
        Token::Key if of.kind == Kind::Property => label(of),
        Token::Id if of.kind == Kind::Property => property_id(of),
        Token::Id if of.kind == Kind::Any => {
            either(is_property(&own()), property_id(of), Expr::Id(Box::new(own())))
        }
        Token::Id => Expr::Id(Box::new(own())),
        Token::Label => label(of),
        Token::Key | Token::End(_) => part_of_pair(of, Function::Keys),
        Token::Value => part_of_pair(of, Function::Values),
    }
}

/// The id of a vertex's property: that of the vertex, the key and which of its values it is.
fn property_id(of: At) -> Expr {
    let owner = Expr::Id(Box::new(properties::owner_of(of)));
    let key = Expr::call(Function::KeyOf, vec![Expr::Column(of.column)]);
    let parts = Expr::List(vec![owner, key, properties::ordinal_of(of)]);
    Expr::call(Function::JoinDisplay, vec![parts, Expr::literal(":")])
}

fn part_of_pair(of: At, function: Function) -> Expr {
    let own = Expr::Column(of.column);
    let part = Expr::call(function, vec![own.clone()]);
    if of.kind == Kind::Entry {
        return part;
    }
    let all = Expr::call(Function::OneOrAll, vec![part.clone()]);
    either(is_of_type(&own, "map entry"), part, all)
}

/// The label of an element; several of a vertex are joined.
pub(crate) fn label(of: At) -> Expr {
    let own = || Box::new(Expr::Column(of.column));
    let of_vertex = || {
        let labels = Expr::Labels(own());
        Expr::call(Function::Join, vec![labels, Expr::literal("::"), Expr::literal(DEFAULT_LABEL)])
    };
    match of.kind {
        Kind::Vertex => of_vertex(),
        Kind::Edge => Expr::EdgeType(own()),
        Kind::Property => Expr::call(Function::KeyOf, vec![*own()]),
        _ => Expr::Case {
            branches: vec![
                (is_of_type(&own(), "vertex"), of_vertex()),
                (is_property(&own()), Expr::call(Function::KeyOf, vec![*own()])),
            ],
            otherwise: Some(Box::new(Expr::EdgeType(own()))),
        },
    }
}

/// Whether an element has a label.
pub(crate) fn has_label(of: At, wanted: &Name) -> Expr {
    match of.kind {
        Kind::Vertex => {
            Expr::HasLabel { vertex: Box::new(Expr::Column(of.column)), label: wanted.clone() }
        }
        _ => Expr::compare(Comparison::Equal, label(of), Expr::literal(&**wanted)),
    }
}

/// Whether a value is of a type, by the word for it.
pub(crate) fn is_of_type(value: &Expr, word: &str) -> Expr {
    let kind = Expr::call(Function::TypeName, vec![value.clone()]);
    Expr::compare(Comparison::Equal, kind, Expr::literal(word))
}

/// Whether a value is a property, not the value of one.
pub(crate) fn is_property(value: &Expr) -> Expr {
    let words = ["vertex property", "property"].map(Value::from);
    Expr::InList {
        item: Box::new(Expr::call(Function::TypeName, vec![value.clone()])),
        list: Box::new(Expr::Literal(Value::list(words.to_vec()))),
    }
}

/// The first expression where a condition holds, else the second.
pub(crate) fn either(condition: Expr, this: Expr, otherwise: Expr) -> Expr {
    Expr::Case { branches: vec![(condition, this)], otherwise: Some(Box::new(otherwise)) }
}

/// The properties of an element as a map, or those of some keys.
pub(crate) fn properties(of: At, keys: Option<Vec<Name>>) -> Expr {
    Expr::Properties { element: Box::new(Expr::Column(of.column)), keys }
}
