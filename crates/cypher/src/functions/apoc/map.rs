//! Maps: `apoc.map`.

use millrace_model::{Result, Value};
use millrace_plan::functions::Reduction;
use millrace_plan::{Expr, Function as F, Makes};

use super::{next, or_else, unsupported};
use crate::functions::row::Make::{Of, Plan, With};
use crate::functions::row::{FunctionRow, arg, function, is, opt};
use crate::translate::Translator;
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "apoc.map.clean",
        &[arg("map", K::Map), arg("keys", K::LIST), arg("values", K::LIST)],
        is(K::Map),
        Plan(F::CleanMap),
        "A map without null, without some keys, and without some values.",
    ),
    function(
        "apoc.map.flatten",
        &[arg("map", K::Map), opt("delimiter", K::String)],
        is(K::Map),
        Of(flatten),
        "A map of maps as one map, with keys such as a.b.",
    ),
    function(
        "apoc.map.fromLists",
        &[arg("keys", K::LIST), arg("values", K::LIST)],
        is(K::Map),
        Of(map_of_lists),
        "A map of a list of keys and a list of values.",
    ),
    function(
        "apoc.map.fromPairs",
        &[arg("pairs", K::LIST)],
        is(K::Map),
        Plan(F::MapOfPairs),
        "A map of a list of pairs.",
    ),
    function(
        "apoc.map.fromValues",
        &[arg("values", K::LIST)],
        is(K::Map),
        Of(from_values),
        "A map of keys and values in turn.",
    ),
    function(
        "apoc.map.get",
        &[arg("map", K::Map), arg("key", K::String), opt("value", K::Any), opt("fail", K::Boolean)],
        is(K::Any),
        Of(get),
        "The value of a key, or another value; else an error, unless fail is false.",
    ),
    function(
        "apoc.map.groupBy",
        &[arg("values", K::LIST), arg("key", K::String)],
        is(K::Map),
        With(group_by),
        "A map from the values of a key to the last map, node or relationship that has it.",
    ),
    function(
        "apoc.map.groupByMulti",
        &[arg("values", K::LIST), arg("key", K::String)],
        is(K::Map),
        With(group_by_multi),
        "The same with lists of all of them.",
    ),
    function(
        "apoc.map.merge",
        &[arg("map1", K::Map), arg("map2", K::Map)],
        is(K::Map),
        Of(merge_maps),
        "Two maps as one; the second one wins.",
    ),
    function(
        "apoc.map.mergeList",
        &[arg("maps", K::LIST)],
        is(K::Map),
        Of(merge_list),
        "Maps as one; later ones win.",
    ),
    function(
        "apoc.map.mget",
        &[
            arg("map", K::Map),
            arg("keys", K::LIST),
            opt("values", K::LIST),
            opt("fail", K::Boolean),
        ],
        is(K::LIST),
        Of(get_each),
        "The values of keys, or other values.",
    ),
    function(
        "apoc.map.removeKey",
        &[arg("map", K::Map), arg("key", K::String), opt("config", K::Map)],
        is(K::Map),
        With(without_key),
        "A map without a key.",
    ),
    function(
        "apoc.map.removeKeys",
        &[arg("map", K::Map), arg("keys", K::LIST), opt("config", K::Map)],
        is(K::Map),
        With(without_keys),
        "A map without some keys.",
    ),
    function(
        "apoc.map.setEntry",
        &[arg("map", K::Map), arg("key", K::String), arg("value", K::Any)],
        is(K::Map),
        Of(set_key),
        "A map with the value of a key set.",
    ),
    function(
        "apoc.map.setKey",
        &[arg("map", K::Map), arg("key", K::String), arg("value", K::Any)],
        is(K::Map),
        Of(set_key),
        "A map with the value of a key set.",
    ),
    function(
        "apoc.map.setLists",
        &[arg("map", K::Map), arg("keys", K::LIST), arg("values", K::LIST)],
        is(K::Map),
        Of(set_lists),
        "A map with the values of keys set.",
    ),
    function(
        "apoc.map.setPairs",
        &[arg("map", K::Map), arg("pairs", K::LIST)],
        is(K::Map),
        Of(set_pairs),
        "A map with the values of pairs set.",
    ),
    function(
        "apoc.map.setValues",
        &[arg("map", K::Map), arg("pairs", K::LIST)],
        is(K::Map),
        Of(set_values),
        "A map with the values of keys and values in turn set.",
    ),
    function(
        "apoc.map.sortedProperties",
        &[arg("map", K::Map), opt("ignoreCase", K::Boolean)],
        is(K::LIST),
        Of(sorted_properties),
        "The pairs of a map by key.",
    ),
    function(
        "apoc.map.submap",
        &[
            arg("map", K::Map),
            arg("keys", K::LIST),
            opt("values", K::LIST),
            opt("fail", K::Boolean),
        ],
        is(K::Map),
        Of(submap),
        "A map of some keys only.",
    ),
    function(
        "apoc.map.unflatten",
        &[arg("map", K::Map), opt("delimiter", K::String)],
        is(K::Map),
        Of(unflatten),
        "A map of maps of a map with keys such as a.b.",
    ),
    function(
        "apoc.map.values",
        &[arg("map", K::Map), opt("keys", K::LIST), opt("addNullsForMissing", K::Boolean)],
        is(K::LIST),
        Of(values),
        "The values of keys.",
    ),
];

fn map_of_lists(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::MapOfPairs, vec![Expr::call(F::Zip, arguments)])
}

/// A map that is null is empty.
fn merge_maps(arguments: Vec<Expr>) -> Expr {
    let no_map = || Expr::Literal(Value::map(Vec::new()));
    let or_empty = |map: Expr| Expr::coalesce(vec![map, no_map()]);
    Expr::call(F::MergeMaps, arguments.into_iter().map(or_empty).collect())
}

fn set_key(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let map = next(&mut arguments);
    let pair = Expr::List(vec![next(&mut arguments), next(&mut arguments)]);
    let pairs = Expr::call(F::MapOfPairs, vec![Expr::List(vec![pair])]);
    merge_maps(vec![map, pairs])
}

fn no_list() -> Value {
    Value::list(Vec::new())
}

/// Keys and values in turn as lists of two.
fn in_pairs(list: Expr) -> Expr {
    Expr::call(F::Partition, vec![list, Expr::literal(2_i64)])
}

fn with_separator(function: F, arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let map = next(&mut arguments);
    Expr::call(function, vec![map, or_else(&mut arguments, Value::from("."))])
}

fn flatten(arguments: Vec<Expr>) -> Expr {
    with_separator(F::FlattenMap, arguments)
}

fn unflatten(arguments: Vec<Expr>) -> Expr {
    with_separator(F::UnflattenMap, arguments)
}

fn from_values(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::MapOfPairs, vec![in_pairs(next(&mut arguments.into_iter()))])
}

fn merge_list(arguments: Vec<Expr>) -> Expr {
    let no_map = Expr::Literal(Value::map(Vec::new()));
    let list = next(&mut arguments.into_iter());
    Expr::call(F::Reduce(Reduction::Join), vec![no_map, list])
}

fn set_lists(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let map = next(&mut arguments);
    merge_maps(vec![map, map_of_lists(arguments.collect())])
}

fn set_pairs(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let map = next(&mut arguments);
    merge_maps(vec![map, Expr::call(F::MapOfPairs, arguments.collect())])
}

fn set_values(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let map = next(&mut arguments);
    merge_maps(vec![map, from_values(arguments.collect())])
}

/// A map, keys, other values, and whether a key without either is an error.
fn with_defaults(function: F, other: Value, arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (map, keys) = (next(&mut arguments), next(&mut arguments));
    let (other, fails) =
        (or_else(&mut arguments, other), or_else(&mut arguments, Value::Bool(true)));
    Expr::call(function, vec![map, keys, other, fails])
}

fn get(arguments: Vec<Expr>) -> Expr {
    with_defaults(F::GetOr, Value::Null, arguments)
}

fn get_each(arguments: Vec<Expr>) -> Expr {
    with_defaults(F::GetEach, no_list(), arguments)
}

fn submap(arguments: Vec<Expr>) -> Expr {
    with_defaults(F::SubMap, no_list(), arguments)
}

fn values(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let map = next(&mut arguments);
    let (keys, with_null) =
        (or_else(&mut arguments, no_list()), or_else(&mut arguments, Value::Bool(false)));
    Expr::call(F::ValuesOfKeys, vec![map, keys, with_null])
}

fn sorted_properties(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let map = next(&mut arguments);
    Expr::call(F::SortedPairs, vec![map, or_else(&mut arguments, Value::Bool(true))])
}

fn without_key(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let (map, key) = (next(&mut arguments), Expr::List(vec![next(&mut arguments)]));
    without_keys(translator, [map, key].into_iter().chain(arguments).collect())
}

/// With `{recursive: true}` also in maps inside.
fn without_keys(_: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let of = vec![next(&mut arguments), next(&mut arguments)];
    let is_deep = match arguments.next() {
        None | Some(Expr::Literal(Value::Null)) => false,
        Some(Expr::Map(pairs)) if pairs.is_empty() => false,
        Some(Expr::Map(pairs)) => match pairs.as_slice() {
            [(key, Expr::Literal(Value::Bool(own)))] if &**key == "recursive" => *own,
            _ => return Err(unknown_settings()),
        },
        Some(Expr::Literal(Value::Map(pairs))) => match pairs.as_slice() {
            [] => false,
            [(key, Value::Bool(own))] if key.as_str() == Some("recursive") => *own,
            _ => return Err(unknown_settings()),
        },
        Some(_) => return Err(unknown_settings()),
    };
    Ok(Expr::call(if is_deep { F::WithoutDeep } else { F::Without }, of))
}

fn unknown_settings() -> millrace_model::Error {
    unsupported("settings of apoc.map.removeKey from a value", "write {recursive: true} or false")
}

fn group_by(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    Ok(grouped(translator, F::LastByKey, arguments))
}

fn group_by_multi(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    Ok(grouped(translator, F::AllByKey, arguments))
}

/// The values of the key are read of all entries at once.
fn grouped(translator: &mut Translator<'_>, function: F, arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let list = Expr::Column(translator.as_column("list", next(&mut arguments)));
    let key = next(&mut arguments);
    let item = translator.plan.column("entry");
    let value = super::value_of_key(Expr::Column(item), key);
    let keys = Expr::over(list.clone(), item, Makes::List { keep: None, value: Some(value) });
    Expr::call(function, vec![list, keys])
}
