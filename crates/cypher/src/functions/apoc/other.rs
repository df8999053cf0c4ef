//! Dates, types, degrees, digests and UUIDs.

use millrace_model::{Direction, Result, Value};
use millrace_plan::functions::Overflow;
use millrace_plan::op::{self, ApplyKind, Loops};
use millrace_plan::{Expr, Fold, Function as F, Makes};

use super::{next, or_else, unsupported};
use crate::functions::make;
use crate::functions::row::Make::{Of, Plan, With};
use crate::functions::row::{FunctionRow, arg, function, is, opt};
use crate::primitives::{self, equal};
use crate::translate::Translator;
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
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
        "apoc.math.round",
        &[arg("value", K::Number), opt("precision", K::Integer), opt("mode", K::String)],
        is(K::Float),
        Plan(F::RoundTo),
        "A number rounded to a precision by a mode.",
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
        "apoc.meta.cypher.types",
        &[arg("props", K::Any)],
        is(K::Map),
        With(cypher_types),
        "The names of the types of the values of a map, a node or a relationship.",
    ),
    function(
        "apoc.meta.type",
        &[arg("value", K::Any)],
        is(K::String),
        Of(cypher_type),
        "The name of the type of a value.",
    ),
    function(
        "apoc.meta.types",
        &[arg("properties", K::Any)],
        is(K::Map),
        With(cypher_types),
        "The names of the types of the values of a map, a node or a relationship.",
    ),
    function(
        "apoc.node.degree",
        &[arg("node", K::Node), opt("relTypes", K::String)],
        is(K::Integer),
        With(degree),
        "The number of relationships of a node.",
    ),
    function(
        "apoc.node.degree.in",
        &[arg("node", K::Node), opt("relTypes", K::String)],
        is(K::Integer),
        With(degree_in),
        "The number of relationships into a node.",
    ),
    function(
        "apoc.node.degree.out",
        &[arg("node", K::Node), opt("relTypes", K::String)],
        is(K::Integer),
        With(degree_out),
        "The number of relationships out of a node.",
    ),
    function(
        "apoc.util.md5",
        &[arg("values", K::LIST)],
        is(K::String),
        Plan(F::Md5),
        "The MD5 digest of values.",
    ),
];

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
    degree_of(translator, arguments, None)
}

/// The same one way only, if that is said.
fn degree_of(
    translator: &mut Translator<'_>,
    arguments: Vec<Expr>,
    only: Option<Direction>,
) -> Result<Expr> {
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
        let direction = only.unwrap_or(direction);
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

fn degree_in(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    degree_of(translator, arguments, Some(Direction::In))
}

fn degree_out(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    degree_of(translator, arguments, Some(Direction::Out))
}

/// The types of all values of a map.
fn cypher_types(translator: &mut Translator<'_>, arguments: Vec<Expr>) -> Result<Expr> {
    let map = primitives::properties(next(&mut arguments.into_iter()));
    let map = Expr::Column(translator.as_column("map", map));
    let item = translator.plan.column("value");
    let value = Some(cypher_type(vec![Expr::Column(item)]));
    let values = Expr::call(F::Values, vec![map.clone()]);
    let types = Expr::over(values, item, Makes::List { keep: None, value });
    let keys = Expr::call(F::Keys, vec![map]);
    Ok(Expr::call(F::MapOfPairs, vec![Expr::call(F::Zip, vec![keys, types])]))
}
