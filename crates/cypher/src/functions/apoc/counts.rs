//! Lists: how often they have their values, values by chance and in order.

use millrace_model::{Result, Value};
use millrace_plan::functions::{Conversion, IndexMode, OnFailure, Outside};
use millrace_plan::op::RandomKind;
use millrace_plan::{Arithmetic, Comparison, Expr, Function as F, Makes};

use super::coll::{column_of, no_list};
use super::{CYPHER, next};
use crate::functions::row::Make::{Of, With};
use crate::functions::row::{FunctionRow, arg, function, is};
use crate::primitives::equal;
use crate::translate::Translator;
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "apoc.coll.containsDuplicates",
        &[arg("coll", K::LIST)],
        is(K::Boolean),
        With(contains_duplicates),
        "Whether a value is in a list twice.",
    ),
    function(
        "apoc.coll.different",
        &[arg("values", K::LIST)],
        is(K::Boolean),
        With(are_different),
        "Whether no value is in a list twice.",
    ),
    function(
        "apoc.coll.duplicates",
        &[arg("coll", K::LIST)],
        is(K::LIST),
        With(duplicates),
        "The values that are in a list twice or more.",
    ),
    function(
        "apoc.coll.duplicatesWithCount",
        &[arg("coll", K::LIST)],
        is(K::LIST),
        With(duplicates_with_count),
        "The same as maps of item and count.",
    ),
    function(
        "apoc.coll.frequencies",
        &[arg("coll", K::LIST)],
        is(K::LIST),
        With(frequencies),
        "The different values of a list as maps of item and count.",
    ),
    function(
        "apoc.coll.frequenciesAsMap",
        &[arg("coll", K::LIST)],
        is(K::Map),
        With(frequencies_as_map),
        "A map from the texts of values to how often they are in a list.",
    ),
    function(
        "apoc.coll.isEqualCollection",
        &[arg("coll", K::LIST), arg("values", K::LIST)],
        is(K::Boolean),
        With(is_equal_collection),
        "Whether two lists have the same values as often, in any order.",
    ),
    function(
        "apoc.coll.occurrences",
        &[arg("coll", K::LIST), arg("item", K::Any)],
        is(K::Integer),
        Of(occurrences),
        "How often a list has a value.",
    ),
    function(
        "apoc.coll.randomItem",
        &[arg("coll", K::LIST)],
        is(K::Any),
        With(random_item),
        "A value of a list by chance.",
    ),
    function(
        "apoc.coll.sortNodes",
        &[arg("coll", K::LIST), arg("prop", K::String)],
        is(K::LIST),
        With(sort_nodes),
        "Nodes in descending order of a property; `^` in front: ascending.",
    ),
];

fn occurrences(arguments: Vec<Expr>) -> Expr {
    let count = Expr::call(F::Occurrences, arguments);
    Expr::coalesce(vec![count, Expr::literal(0_i64)])
}

/// The different values with how often they are there, in lists of two.
fn counted(arguments: Vec<Expr>) -> Expr {
    let list = Expr::coalesce(vec![next(&mut arguments.into_iter()), Expr::Literal(no_list())]);
    Expr::call(F::Counted, vec![list])
}

fn part(pair: &Expr, place: i64) -> Expr {
    let mode = IndexMode { first: 0, from_end: false, outside: Outside::Missing };
    Expr::call(F::ElementAt(mode), vec![pair.clone(), Expr::literal(place)])
}

/// A list of what each different value of a list and its count make; of the repeated ones only, if that is asked.
fn of_counted(
    translator: &mut Translator<'_>,
    arguments: Vec<Expr>,
    repeated: bool,
    make: impl FnOnce(Expr, Expr) -> Expr,
) -> Expr {
    let item = translator.plan.column("counted");
    let pair = Expr::Column(item);
    let (value, count) = (part(&pair, 0), part(&pair, 1));
    let is_repeated = Expr::compare(Comparison::Greater, count.clone(), Expr::literal(1_i64));
    let keep = repeated.then_some(is_repeated);
    Expr::over(counted(arguments), item, Makes::List { keep, value: Some(make(value, count)) })
}

fn item_and_count(value: Expr, count: Expr) -> Expr {
    Expr::Map(vec![("item".into(), value), ("count".into(), count)])
}

fn frequencies(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    Ok(of_counted(translator, arguments, false, item_and_count))
}

fn frequencies_as_map(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let pair = |value: Expr, count: Expr| {
        let text = Expr::call(F::Convert(Conversion::TextOrNull), vec![value]);
        Expr::List(vec![Expr::coalesce(vec![text, Expr::literal("null")]), count])
    };
    let pairs = of_counted(translator, arguments, false, pair);
    Ok(Expr::call(F::MapOfPairs, vec![pairs]))
}

fn duplicates(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    Ok(of_counted(translator, arguments, true, |value, _| value))
}

fn duplicates_with_count(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    Ok(of_counted(translator, arguments, true, item_and_count))
}

fn are_different(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let list = column_of(translator, arguments);
    let size = |list: Expr| Expr::call(F::Size, vec![list]);
    let different = equal(size(list.clone()), size(Expr::call(F::Distinct, vec![list])));
    Ok(Expr::coalesce(vec![different, Expr::literal(false)]))
}

fn contains_duplicates(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let list = column_of(translator, arguments);
    let size = |list: Expr| Expr::call(F::Size, vec![list]);
    let different = equal(size(list.clone()), size(Expr::call(F::Distinct, vec![list])));
    Ok(Expr::coalesce(vec![different.negate(), Expr::literal(false)]))
}

/// As many values, and each as often.
fn is_equal_collection(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let (one, other) = (counted(vec![next(&mut arguments)]), counted(vec![next(&mut arguments)]));
    let one = Expr::Column(translator.as_column("list", one));
    let other = Expr::Column(translator.as_column("list", other));
    let inside = Expr::call(F::IsSublistOf, vec![one.clone(), other.clone()]);
    Ok(Expr::And(vec![inside, Expr::call(F::IsSublistOf, vec![other, one])]))
}

fn random_item(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let list = column_of(translator, arguments);
    let random = translator.plan.column("random");
    translator.plan.random(RandomKind::Number { to: random });
    let size = Expr::call(F::Size, vec![list.clone()]);
    let place = Expr::call(F::Operate(Arithmetic::Multiply), vec![Expr::Column(random), size]);
    let place = Expr::call(F::ToInteger(OnFailure::Error), vec![place]);
    let mode = IndexMode { first: 0, from_end: false, outside: Outside::Missing };
    Ok(Expr::call(F::ElementAt(mode), vec![list, place]))
}

/// Maps of the node and of its property, in order; then the nodes.
fn sort_nodes(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let (list, key) = (next(&mut arguments), next(&mut arguments));
    let Expr::Literal(Value::String(key)) = key else {
        return Err(super::unsupported(
            "a property of apoc.coll.sortNodes from a value is not supported",
            "write the name of the property in the call",
        ));
    };
    let (name, order) = match key.strip_prefix('^') {
        Some(name) => (name, "^by"),
        None => (&*key, "by"),
    };
    let node = translator.plan.column("node");
    let value = Expr::Property { element: Box::new(Expr::Column(node)), key: name.into() };
    let value = Expr::call(F::OrNull, vec![value]);
    let pair = Expr::Map(vec![("by".into(), value), ("node".into(), Expr::Column(node))]);
    let pairs = Expr::over(list, node, Makes::List { keep: None, value: Some(pair) });
    let sorted = Expr::call(F::SortMaps(CYPHER), vec![pairs, Expr::literal(order)]);
    let item = translator.plan.column("pair");
    let node = Expr::call(F::Get, vec![Expr::Column(item), Expr::literal("node")]);
    Ok(Expr::over(sorted, item, Makes::List { keep: None, value: Some(node) }))
}
