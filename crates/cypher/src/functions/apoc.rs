//! The functions of APOC that public code uses most.

//!
//! What they give is what APOC's documentation says. A digest, a set or a sum of a list is one value for each row: none of
//! them reads the graph but `apoc.node.degree`.

use millrace_model::compare::CompareMode;
use millrace_model::{Direction, Error, ErrorKind, Phase, Result, Value};
use millrace_plan::functions::{
    Conversion, Division, OnFailure, Overflow, Reduction, SetOperation,
};
use millrace_plan::op::{self, ApplyKind, Loops};
use millrace_plan::{Expr, Fold, Function as F};

use super::Make::{Of, Plan, With};
use super::make;
use super::row::{arg, function, is, opt};
use super::{FunctionRow, Kind as K};
use crate::expressions::equal;
use crate::translate::Translator;

/// How values are compared and sorted.
const CYPHER: CompareMode = CompareMode::NullIsUnknown;

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
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
        "apoc.coll.zip",
        &[arg("list1", K::LIST), arg("list2", K::LIST)],
        is(K::LIST),
        Plan(F::Zip),
        "The pairs of the entries of two lists.",
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
        "apoc.convert.toJson",
        &[arg("value", K::Any)],
        is(K::String),
        Plan(F::ToJson),
        "A value as a JSON text.",
    ),
    function("apoc.create.uuid", &[], is(K::String), With(make::random_uuid), "A random UUID."),
    function(
        "apoc.date.format",
        &[
            arg("time", K::Integer),
            opt("unit", K::String),
            opt("format", K::String),
            opt("timezone", K::String),
        ],
        is(K::String),
        Of(format_time),
        "A time since 1970 as a text.",
    ),
    function(
        "apoc.date.parse",
        &[
            arg("time", K::String),
            opt("unit", K::String),
            opt("format", K::String),
            opt("timezone", K::String),
        ],
        is(K::Integer),
        Of(parse_time),
        "The time since 1970 that a text means.",
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
        "apoc.map.merge",
        &[arg("map1", K::Map), arg("map2", K::Map)],
        is(K::Map),
        Of(merge_maps),
        "Two maps as one; the second one wins.",
    ),
    function(
        "apoc.map.removeKeys",
        &[arg("map", K::Map), arg("keys", K::LIST), opt("config", K::Map)],
        is(K::Map),
        Of(without_keys),
        "A map without some keys.",
    ),
    function(
        "apoc.map.setKey",
        &[arg("map", K::Map), arg("key", K::String), arg("value", K::Any)],
        is(K::Map),
        Of(set_key),
        "A map with the value of a key set.",
    ),
    function(
        "apoc.meta.cypher.isType",
        &[arg("value", K::Any), arg("type", K::String)],
        is(K::Boolean),
        Of(is_cypher_type),
        "Whether a value is of the type of a name, such as LIST OF STRING.",
    ),
    function(
        "apoc.meta.cypher.type",
        &[arg("value", K::Any)],
        is(K::String),
        Of(cypher_type),
        "The name of the type of a value, such as LIST OF STRING.",
    ),
    function(
        "apoc.node.degree",
        &[arg("node", K::Node), opt("relTypes", K::String)],
        is(K::Integer),
        With(degree),
        "The number of relationships of a node.",
    ),
    function(
        "apoc.text.clean",
        &[arg("text", K::String)],
        is(K::String),
        Plan(F::LettersAndDigits),
        "A text in lower case, letters and digits only.",
    ),
    function(
        "apoc.text.join",
        &[arg("texts", K::LIST), arg("delimiter", K::String)],
        is(K::String),
        Of(join),
        "Texts joined by a delimiter.",
    ),
    function(
        "apoc.text.levenshteinSimilarity",
        &[arg("text1", K::String), arg("text2", K::String)],
        is(K::Float),
        Plan(F::Similarity),
        "The similarity of two texts, from 0 to 1.",
    ),
    function(
        "apoc.text.regexGroups",
        &[arg("text", K::String), arg("regex", K::String)],
        is(K::LIST),
        Plan(F::PatternGroups),
        "The groups of all matches of a regular expression.",
    ),
    function(
        "apoc.text.replace",
        &[arg("text", K::String), arg("regex", K::String), arg("replacement", K::String)],
        is(K::String),
        Plan(F::ReplacePattern),
        "A text with all matches of a regular expression replaced.",
    ),
    function(
        "apoc.text.split",
        &[arg("text", K::String), arg("regex", K::String), opt("limit", K::Integer)],
        is(K::LIST),
        Of(split),
        "The parts of a text between matches of a regular expression.",
    ),
    function(
        "apoc.util.md5",
        &[arg("values", K::LIST)],
        is(K::String),
        Plan(F::Md5),
        "The MD5 digest of values.",
    ),
];

/// An argument, or a value in its place.
fn or_else(arguments: &mut impl Iterator<Item = Expr>, default: Value) -> Expr {
    match arguments.next() {
        None | Some(Expr::Literal(Value::Null)) => Expr::Literal(default),
        Some(argument) => Expr::coalesce(vec![argument, Expr::Literal(default)]),
    }
}

/// An argument that is there.
fn next(arguments: &mut impl Iterator<Item = Expr>) -> Expr {
    arguments.next().unwrap_or(Expr::Literal(Value::Null))
}

fn unsupported(detail: &str, help: &str) -> Error {
    Error::new(ErrorKind::Unsupported, detail).with_help(help).in_phase(Phase::Compile)
}

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

/// The pattern of a time that is written without one.
const TIME_PATTERN: &str = "yyyy-MM-dd HH:mm:ss";

/// A time, its unit, a pattern and a zone.
fn with_defaults(arguments: Vec<Expr>) -> Vec<Expr> {
    let mut arguments = arguments.into_iter();
    let time = next(&mut arguments);
    let scale = or_else(&mut arguments, Value::from("ms"));
    let pattern = or_else(&mut arguments, Value::from(TIME_PATTERN));
    let zone = or_else(&mut arguments, Value::from(""));
    vec![time, scale, pattern, zone]
}

fn format_time(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::FormatTime, with_defaults(arguments))
}

fn parse_time(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::ParseTime, with_defaults(arguments))
}

fn map_of_lists(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::MapOfPairs, vec![Expr::call(F::Zip, arguments)])
}

/// A map that is null is empty.
fn merge_maps(arguments: Vec<Expr>) -> Expr {
    let no_map = || Expr::Literal(Value::map(Vec::new()));
    let or_empty = |map: Expr| Expr::coalesce(vec![map, no_map()]);
    Expr::call(F::MergeMaps, arguments.into_iter().map(or_empty).collect())
}

fn without_keys(arguments: Vec<Expr>) -> Expr {
    Expr::call(F::Without, arguments.into_iter().take(2).collect())
}

fn set_key(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let map = next(&mut arguments);
    let pair = Expr::List(vec![next(&mut arguments), next(&mut arguments)]);
    let pairs = Expr::call(F::MapOfPairs, vec![Expr::List(vec![pair])]);
    merge_maps(vec![map, pairs])
}

/// The name of `valueType()` in APOC's words; a list of several types is one of ANY.
fn cypher_type(arguments: Vec<Expr>) -> Expr {
    let replaced = |name: Expr, (from, to): (&str, &str)| {
        Expr::call(F::ReplacePattern, vec![name, Expr::literal(from), Expr::literal(to)])
    };
    let words = [
        (" NOT NULL", ""),
        (r"^LIST<(NOTHING|NULL|LIST<.*|.*\|.*)>$", "LIST<ANY>"),
        ("^LIST<", "LIST OF "),
        (">$", ""),
        ("(ZONED )?DATETIME", "DATE_TIME"),
        ("ZONED TIME", "TIME"),
        ("LOCAL ", "LOCAL_"),
    ];
    words.into_iter().fold(Expr::call(F::ValueType, arguments), replaced)
}

fn is_cypher_type(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let name = cypher_type(vec![next(&mut arguments)]);
    equal(name, next(&mut arguments))
}

/// Values that are no texts are converted.
fn join(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let texts = Expr::call(F::Convert(Conversion::Texts), vec![next(&mut arguments)]);
    Expr::call(F::JoinDisplay, vec![texts, next(&mut arguments)])
}

fn split(arguments: Vec<Expr>) -> Expr {
    let mut arguments = arguments.into_iter();
    let (text, pattern) = (next(&mut arguments), next(&mut arguments));
    let limit = or_else(&mut arguments, Value::I64(0));
    Expr::call(F::SplitByPattern, vec![text, pattern, limit])
}

fn plus(one: Expr, other: Expr) -> Expr {
    Expr::call(F::Add(Overflow::Error), vec![one, other])
}

/// Relationships of one type and direction, as `KNOWS>`, `<KNOWS`, `KNOWS`, `>` and `<` mean them.
fn read_types(types: &str) -> Vec<(Option<String>, Direction)> {
    let read = |own: &str| {
        let (name, direction) = match (own.strip_prefix('<'), own.strip_suffix('>')) {
            (Some(name), _) => (name, Direction::In),
            (None, Some(name)) => (name, Direction::Out),
            (None, None) => (own, Direction::Both),
        };
        ((!name.is_empty()).then(|| name.to_owned()), direction)
    };
    types.split('|').map(str::trim).map(read).collect()
}

/// The sum of the degrees by each type.
fn degree(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let mut arguments = arguments.into_iter();
    let from = translator.as_column("node", next(&mut arguments));
    let types = match arguments.next() {
        None | Some(Expr::Literal(Value::Null)) => vec![(None, Direction::Both)],
        Some(Expr::Literal(Value::String(types))) => read_types(&types),
        Some(_) => {
            let help =
                "write the types as a text in the query, or count by COUNT { (n)-[:TYPE]-() }";
            return Err(unsupported(
                "types of apoc.node.degree from a value are not supported",
                help,
            ));
        }
    };
    let mut degrees = Vec::new();
    for (name, direction) in types {
        let to = translator.plan.column("degree");
        let (sub, ()) = translator.sub(|sub| {
            let types = name.map(|name| vec![name.as_str().into()]);
            let loops = Loops::Once;
            sub.plan.push(op::Expand { from, types, direction, edge: None, to: None, loops });
            Ok(())
        })?;
        translator.apply(sub, ApplyKind::Value { fold: Fold::Count, to });
        degrees.push(Expr::Column(to));
    }
    Ok(degrees.into_iter().reduce(plus).unwrap_or(Expr::literal(0_i64)))
}
