//! Conversions, and the properties of any value: `apoc.convert`, `apoc.any`.

use millrace_model::{Result, Value};
use millrace_plan::functions::Conversion;
use millrace_plan::{Expr, Function as F};

use super::{next, unsupported};
use crate::functions::row::Make::{Of, Plan, With};
use crate::functions::row::{FunctionRow, arg, function, is, opt};
use crate::primitives;
use crate::translate::Translator;
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "apoc.any.properties",
        &[arg("entity", K::Any), opt("keys", K::LIST)],
        is(K::Map),
        With(any_properties),
        "The properties of a node or relationship, or a map; of some keys, if that is said.",
    ),
    function(
        "apoc.any.property",
        &[arg("entity", K::Any), arg("key", K::String)],
        is(K::Any),
        Of(any_property),
        "A property of a node or relationship, or the value of a key of a map.",
    ),
    function(
        "apoc.convert.fromJsonList",
        &[arg("list", K::String), opt("path", K::String), opt("pathOptions", K::Any)],
        is(K::LIST),
        With(from_json),
        "The list that a JSON text means.",
    ),
    function(
        "apoc.convert.fromJsonMap",
        &[arg("map", K::String), opt("path", K::String), opt("pathOptions", K::Any)],
        is(K::Map),
        With(from_json),
        "The map that a JSON text means.",
    ),
    function(
        "apoc.convert.toBoolean",
        &[arg("value", K::Any)],
        is(K::Boolean),
        Of(to_boolean),
        "A value as a boolean: false of 0, no, false and what is empty.",
    ),
    function(
        "apoc.convert.toFloat",
        &[arg("value", K::Any)],
        is(K::Float),
        Plan(F::Convert(Conversion::FloatOrNull)),
        "A value as a float, or null.",
    ),
    function(
        "apoc.convert.toInteger",
        &[arg("value", K::Any)],
        is(K::Integer),
        Plan(F::Convert(Conversion::IntegerOrNull)),
        "A value as an integer, or null.",
    ),
    function(
        "apoc.convert.toIntList",
        &[arg("list", K::Any)],
        is(K::LIST),
        Plan(F::Convert(Conversion::Integers)),
        "The entries of a list as integers.",
    ),
    function(
        "apoc.convert.toJson",
        &[arg("value", K::Any)],
        is(K::String),
        Plan(F::ToJson),
        "A value as a JSON text.",
    ),
    function(
        "apoc.convert.toList",
        &[arg("value", K::Any)],
        is(K::LIST),
        Of(to_list),
        "A list as it is, another value as a list of one.",
    ),
    function(
        "apoc.convert.toMap",
        &[arg("map", K::Any)],
        is(K::Map),
        Of(to_map),
        "The properties of a node or relationship, or a map.",
    ),
    function(
        "apoc.convert.toSet",
        &[arg("list", K::Any)],
        is(K::LIST),
        Of(to_set),
        "The different values of a list.",
    ),
    function(
        "apoc.convert.toString",
        &[arg("value", K::Any)],
        is(K::String),
        Plan(F::Display),
        "A value as a text.",
    ),
    function(
        "apoc.convert.toStringList",
        &[arg("list", K::Any)],
        is(K::LIST),
        Plan(F::Convert(Conversion::Texts)),
        "The entries of a list as texts.",
    ),
    function(
        "apoc.json.path",
        &[arg("json", K::String), opt("path", K::String), opt("pathOptions", K::Any)],
        is(K::Any),
        With(from_json),
        "The value that a JSON text means.",
    ),
];

/// A path into the value is another language.
fn from_json(_: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let text = next(&mut arguments);
    match arguments.next() {
        None | Some(Expr::Literal(Value::Null)) => Ok(Expr::call(F::FromJson, vec![text])),
        Some(Expr::Literal(Value::String(path))) if matches!(&*path, "" | "$") => {
            Ok(Expr::call(F::FromJson, vec![text]))
        }
        Some(_) => Err(unsupported(
            "a JSON path of apoc.convert is not supported",
            "convert the whole text, and read its keys with `.key` and `[index]`",
        )),
    }
}

fn to_map(arguments: Vec<Expr>) -> Expr {
    primitives::properties(next(&mut arguments.into_iter()))
}

/// Of a map without some keys these are left out.
fn any_properties(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let map = primitives::properties(next(&mut arguments));
    let Some(keys) = arguments.next() else { return Ok(map) };
    let map = Expr::Column(translator.as_column("map", map));
    let keys = Expr::coalesce(vec![keys, Expr::call(F::Keys, vec![map.clone()])]);
    let gone = Expr::call(F::WithoutAll, vec![Expr::call(F::Keys, vec![map.clone()]), keys]);
    Ok(Expr::call(F::Without, vec![map, gone]))
}

fn any_property(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let of = next(&mut arguments);
    super::value_of_key(of, next(&mut arguments))
}

fn to_list(arguments: Vec<Expr>) -> Expr {
    let value = next(&mut arguments.into_iter());
    let is_null = Expr::IsNull(Box::new(value.clone()));
    let list = Expr::call(F::Unfold, vec![as_entry(value)]);
    Expr::Case { branches: vec![(is_null.negate(), list)], otherwise: None }
}

/// A map is one entry, not one for each key.
fn as_entry(value: Expr) -> Expr {
    let is_map = Expr::call(F::IsA(millrace_plan::functions::Wanted::Map), vec![value.clone()]);
    let branches = vec![(is_map, Expr::List(vec![value.clone()]))];
    Expr::Case { branches, otherwise: Some(Box::new(value)) }
}

fn to_set(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::Distinct, vec![to_list(arguments)])
}

/// `no` is a word for false that Cypher does not have.
fn to_boolean(arguments: Vec<Expr>) -> Expr {
    let value = next(&mut arguments.into_iter());
    let text = Expr::call(F::Convert(Conversion::TextOrNull), vec![value]);
    let text = Expr::call(F::Lower, vec![text]);
    let words = ["", "0", "0.0", "false", "no"].map(Value::from).to_vec();
    let is_false =
        Expr::InList { item: Box::new(text), list: Box::new(Expr::Literal(Value::list(words))) };
    Expr::coalesce(vec![is_false.negate(), Expr::literal(false)])
}
