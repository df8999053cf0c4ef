//! Lists: `apoc.coll`. Values are the same by identity, as in a set.

use millrace_model::{Result, Value};
use millrace_plan::functions::{Division, IndexMode, OnFailure, Outside, Reduction, SetOperation};
use millrace_plan::{Expr, Function as F};

use super::{CYPHER, next, or_else};
use crate::functions::row::Make::{Of, Plan, With};
use crate::functions::row::{FunctionRow, arg, function, is, opt};
use crate::primitives::equal;
use crate::translate::Translator;
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "apoc.coll.avg",
        &[arg("coll", K::LIST)],
        is(K::Float),
        With(average),
        "The mean of the numbers of a list.",
    ),
    function(
        "apoc.coll.contains",
        &[arg("coll", K::LIST), arg("value", K::Any)],
        is(K::Boolean),
        Of(contains),
        "Whether a list contains a value.",
    ),
    function(
        "apoc.coll.containsAll",
        &[arg("coll1", K::LIST), opt("coll2", K::LIST)],
        is(K::Boolean),
        Of(contains_all),
        "Whether a list has all values of another.",
    ),
    function(
        "apoc.coll.containsAllSorted",
        &[arg("coll1", K::LIST), arg("coll2", K::LIST)],
        is(K::Boolean),
        Of(contains_all),
        "The same of lists in order.",
    ),
    function(
        "apoc.coll.containsSorted",
        &[arg("coll", K::LIST), arg("value", K::Any)],
        is(K::Boolean),
        Of(contains),
        "Whether a list in order has a value.",
    ),
    function(
        "apoc.coll.disjunction",
        &[arg("list1", K::LIST), arg("list2", K::LIST)],
        is(K::LIST),
        Of(disjunction),
        "The different values that are in one of two lists only.",
    ),
    function(
        "apoc.coll.dropDuplicateNeighbors",
        &[arg("list", K::LIST)],
        is(K::LIST),
        Plan(F::WithoutRepeats),
        "A list without values that are as the one before.",
    ),
    function(
        "apoc.coll.fill",
        &[arg("item", K::Any), arg("count", K::Integer)],
        is(K::LIST),
        Plan(F::Fill),
        "A value so many times.",
    ),
    function(
        "apoc.coll.flatten",
        &[arg("coll", K::LIST), opt("recursive", K::Boolean)],
        is(K::LIST),
        Of(flatten),
        "A list of lists as one list.",
    ),
    function(
        "apoc.coll.indexOf",
        &[arg("coll", K::LIST), arg("value", K::Any)],
        is(K::Integer),
        Plan(F::IndexOf(CYPHER)),
        "The index of a value in a list, or -1.",
    ),
    function(
        "apoc.coll.insert",
        &[arg("coll", K::LIST), arg("index", K::Integer), arg("value", K::Any)],
        is(K::LIST),
        Of(insert),
        "A list with one more value at an index.",
    ),
    function(
        "apoc.coll.insertAll",
        &[arg("coll", K::LIST), arg("index", K::Integer), arg("values", K::LIST)],
        is(K::LIST),
        Of(insert_all),
        "A list with more values at an index.",
    ),
    function(
        "apoc.coll.intersection",
        &[arg("list1", K::LIST), arg("list2", K::LIST)],
        is(K::LIST),
        Of(intersection),
        "The different values that are in both lists.",
    ),
    function(
        "apoc.coll.max",
        &[arg("values", K::LIST)],
        is(K::Any),
        Of(greatest),
        "The greatest value of a list.",
    ),
    function(
        "apoc.coll.min",
        &[arg("values", K::LIST)],
        is(K::Any),
        Of(least),
        "The least value of a list.",
    ),
    function(
        "apoc.coll.pairs",
        &[arg("list", K::LIST)],
        is(K::LIST),
        With(pairs),
        "Each value with the next one; the last one with null.",
    ),
    function(
        "apoc.coll.pairsMin",
        &[arg("list", K::LIST)],
        is(K::LIST),
        Of(pairs_min),
        "Each value with the next one.",
    ),
    function(
        "apoc.coll.partition",
        &[arg("coll", K::LIST), arg("batchSize", K::Integer)],
        is(K::LIST),
        Plan(F::Partition),
        "Parts of so many values.",
    ),
    function(
        "apoc.coll.remove",
        &[arg("coll", K::LIST), arg("index", K::Integer), opt("length", K::Integer)],
        is(K::LIST),
        Of(remove),
        "A list without so many values from an index on.",
    ),
    function(
        "apoc.coll.removeAll",
        &[arg("list1", K::LIST), arg("list2", K::LIST)],
        is(K::LIST),
        Of(remove_all),
        "A list without the values of another, the others as often as before.",
    ),
    function(
        "apoc.coll.reverse",
        &[arg("coll", K::LIST)],
        is(K::LIST),
        Plan(F::Reverse),
        "A list, last value first.",
    ),
    function(
        "apoc.coll.runningTotal",
        &[arg("list", K::LIST)],
        is(K::LIST),
        Of(running_total),
        "Each number added to those before it.",
    ),
    function(
        "apoc.coll.set",
        &[arg("coll", K::LIST), arg("index", K::Integer), arg("value", K::Any)],
        is(K::LIST),
        Of(set),
        "A list with another value at an index.",
    ),
    function(
        "apoc.coll.sort",
        &[arg("coll", K::LIST)],
        is(K::LIST),
        Plan(F::SortList(CYPHER)),
        "A list in ascending order.",
    ),
    function(
        "apoc.coll.sortMaps",
        &[arg("list", K::LIST), arg("prop", K::String)],
        is(K::LIST),
        Plan(F::SortMaps(CYPHER)),
        "A list of maps in descending order of a key.",
    ),
    function(
        "apoc.coll.subtract",
        &[arg("list1", K::LIST), arg("list2", K::LIST)],
        is(K::LIST),
        Of(difference),
        "The different values of the first list that are not in the second.",
    ),
    function(
        "apoc.coll.sum",
        &[arg("coll", K::LIST)],
        is(K::Float),
        Of(sum),
        "The sum of the numbers of a list.",
    ),
    function(
        "apoc.coll.sumLongs",
        &[arg("coll", K::LIST)],
        is(K::Integer),
        Of(sum_integers),
        "The sum of the numbers of a list, as an integer.",
    ),
    function(
        "apoc.coll.toSet",
        &[arg("coll", K::LIST)],
        is(K::LIST),
        Plan(F::Distinct),
        "The different values of a list.",
    ),
    function(
        "apoc.coll.union",
        &[arg("list1", K::LIST), arg("list2", K::LIST)],
        is(K::LIST),
        Of(union),
        "The different values that are in one of two lists.",
    ),
    function(
        "apoc.coll.unionAll",
        &[arg("list1", K::LIST), arg("list2", K::LIST)],
        is(K::LIST),
        Of(union_all),
        "Two lists as one.",
    ),
    function(
        "apoc.coll.zip",
        &[arg("list1", K::LIST), arg("list2", K::LIST)],
        is(K::LIST),
        Plan(F::Zip),
        "The pairs of the entries of two lists.",
    ),
];

fn reduced(reduction: Reduction, arguments: Vec<Expr>) -> Expr {
    let list = next(&mut arguments.into_iter());
    Expr::call(F::Reduce(reduction), vec![Expr::Literal(Value::Null), list])
}

fn greatest(arguments: Vec<Expr>) -> Expr {
    reduced(Reduction::Max, arguments)
}

fn least(arguments: Vec<Expr>) -> Expr {
    reduced(Reduction::Min, arguments)
}

fn sum(arguments: Vec<Expr>) -> Expr {
    let sum = Expr::coalesce(vec![reduced(Reduction::Sum, arguments), Expr::literal(0_i64)]);
    Expr::call(F::ToDouble(OnFailure::Error), vec![sum])
}

/// Null of no entries.
fn average(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let list = Expr::Column(translator.as_column("list", next(&mut arguments.into_iter())));
    let sum = reduced(Reduction::Sum, vec![list.clone()]);
    let size = Expr::call(F::Size, vec![list]);
    let mean = Expr::call(F::Divide(Division::Exact), vec![sum, size.clone()]);
    let is_empty = equal(size, Expr::literal(0_i64));
    let branches = vec![(is_empty, Expr::Literal(Value::Null))];
    Ok(Expr::Case { branches, otherwise: Some(Box::new(mean)) })
}

/// False where `IN` is unknown.
fn contains(arguments: Vec<Expr>) -> Expr {
    let index = Expr::call(F::IndexOf(CYPHER), arguments);
    let index = Expr::coalesce(vec![index, Expr::literal(-1_i64)]);
    equal(index, Expr::literal(-1_i64)).negate()
}

fn flatten(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let list = next(&mut arguments);
    Expr::call(F::Flatten, vec![list, or_else(&mut arguments, Value::Bool(false))])
}

/// A set as a list.
fn set_of(operation: SetOperation, arguments: Vec<Expr>) -> Expr {
    Expr::call(F::Distinct, vec![Expr::call(F::SetOf(operation), arguments)])
}

fn intersection(arguments: Vec<Expr>) -> Expr {
    set_of(SetOperation::Intersection, arguments)
}

fn difference(arguments: Vec<Expr>) -> Expr {
    set_of(SetOperation::Difference, arguments)
}

fn union(arguments: Vec<Expr>) -> Expr {
    set_of(SetOperation::Union, arguments)
}

/// Values of a list that is read more than once.
pub(super) fn column_of(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Expr {
    Expr::Column(translator.as_column("list", next(&mut arguments.into_iter())))
}

pub(super) fn no_list() -> Value {
    Value::list(Vec::new())
}

fn contains_all(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (whole, part) = (next(&mut arguments), next(&mut arguments));
    let is_part = Expr::call(F::IsSublistOf, vec![part, whole]);
    Expr::coalesce(vec![is_part, Expr::literal(false)])
}

fn disjunction(arguments: Vec<Expr>) -> Expr {
    set_of(SetOperation::SymmetricDifference, arguments)
}

fn insert(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (list, index) = (next(&mut arguments), next(&mut arguments));
    Expr::call(F::InsertAt, vec![list, index, Expr::List(vec![next(&mut arguments)])])
}

fn insert_all(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (list, index) = (next(&mut arguments), next(&mut arguments));
    Expr::call(F::InsertAt, vec![list, index, or_else(&mut arguments, no_list())])
}

fn remove(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (list, index) = (next(&mut arguments), next(&mut arguments));
    Expr::call(F::RemoveAt, vec![list, index, or_else(&mut arguments, Value::I64(1))])
}

fn remove_all(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let list = next(&mut arguments);
    Expr::call(F::WithoutAll, vec![list, or_else(&mut arguments, no_list())])
}

/// A value that is null changes nothing.
fn set(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::ReplaceAt, arguments)
}

fn union_all(arguments: Vec<Expr>) -> Expr {
    let or_empty = |list: Expr| Expr::coalesce(vec![list, Expr::Literal(no_list())]);
    Expr::call(F::ConcatLists, arguments.into_iter().map(or_empty).collect())
}

fn sum_integers(arguments: Vec<Expr>) -> Expr {
    let sum = Expr::coalesce(vec![reduced(Reduction::Sum, arguments), Expr::literal(0_i64)]);
    Expr::call(F::ToInteger(OnFailure::Error), vec![sum])
}

fn running_total(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::RunningTotals, arguments)
}

fn pairs_min(mut arguments: Vec<Expr>) -> Expr {
    arguments.push(Expr::literal(1_i64));
    Expr::call(F::Neighbours, arguments)
}

fn pairs(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let list = column_of(translator, arguments);
    let all = IndexMode { first: 0, from_end: true, outside: Outside::Missing };
    let behind = Expr::call(F::Slice(all), vec![list.clone(), Expr::literal(1_i64)]);
    Ok(Expr::call(F::Zip, vec![list, behind]))
}
