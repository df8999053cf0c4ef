//! JanusGraph's predicates on texts and places, as expressions.
//!
//! What no row is needed for is refused while the plan is made: a condition that is blank, a pattern that is none, an argument
//! of another kind. A shape stands as its point and its radius, or as its corners.

use millrace_bytecode::{Argument, Geoshape, GeoshapeKind, Instruction};
use millrace_model::{Error, Result, Value};
use millrace_plan::functions::{GeoTest, TextTest};
use millrace_plan::{Expr, Function};

use super::calls::wrong;
use super::values::described;

/// The test of a value by a predicate of JanusGraph; `operands` are its arguments as expressions.
pub(super) fn test(
    of: &Instruction,
    name: &str,
    value: Expr,
    arguments: &[Argument],
    operands: Vec<Expr>,
) -> Result<Expr> {
    let (function, holds) = function(name).ok_or_else(|| unknown(of, name))?;
    for (argument, operand) in arguments.iter().zip(&operands) {
        if let Expr::Parameter(_) = operand
            && !fits(function, argument)
        {
            return Err(takes_no(of, name, function, argument));
        }
    }
    let literal = |operand: &Expr| {
        if let Expr::Literal(value) = operand { Some(value.clone()) } else { None }
    };
    if let Some(literals) = operands.iter().map(literal).collect::<Option<Vec<_>>>() {
        check(of, name, function, (arguments, &literals))?;
    }
    let arguments = std::iter::once(value).chain(operands).collect();
    let test = Expr::call(function, arguments);
    Ok(if holds { test } else { test.negate() })
}

/// The operands that a shape is. The point of a predicate is a value already.
pub(super) fn operands(of: &Instruction, geoshape: &Geoshape) -> Result<Vec<Expr>> {
    let values = geoshape.operands().map_err(|error| as_of(of, error))?;
    let unknown = || wrong(of, "has a shape with a number that is not known");
    Ok(values.ok_or_else(unknown)?.into_iter().map(Expr::Literal).collect())
}

/// A shape as a value: a point is one.
pub(super) fn value(of: &Instruction, geoshape: &Geoshape) -> Result<Expr> {
    if geoshape.kind != GeoshapeKind::Point {
        let name = geoshape.kind.name();
        let detail =
            format!("takes no {name}: only a predicate takes one, and only points are stored");
        return Err(wrong(of, detail).with_help(format!(
            "write has('place', geoWithin(Geoshape.{name}(…))); keep a shape as its numbers"
        )));
    }
    let mut operands = operands(of, geoshape)?;
    operands.pop().ok_or_else(|| wrong(of, "has a point without coordinates"))
}

fn function(name: &str) -> Option<(Function, bool)> {
    let geo = |test| Some((Function::GeoTest(test), true));
    match name {
        "geoContains" => return geo(GeoTest::Contains),
        "geoDisjoint" => return geo(GeoTest::Disjoint),
        "geoIntersect" => return geo(GeoTest::Intersects),
        "geoWithin" => return geo(GeoTest::Within),
        _ => {}
    }
    let test = name.strip_prefix("text")?;
    let opposite = test.strip_prefix("Not");
    let test = match opposite.unwrap_or(test) {
        "Contains" => TextTest::Contains,
        "ContainsFuzzy" => TextTest::ContainsFuzzy,
        "ContainsPhrase" => TextTest::ContainsPhrase,
        "ContainsPrefix" => TextTest::ContainsPrefix,
        "ContainsRegex" => TextTest::ContainsRegex,
        "Fuzzy" => TextTest::Fuzzy,
        "Prefix" => TextTest::Prefix,
        "Regex" => TextTest::Regex,
        _ => return None,
    };
    Some((Function::TextTest(test), opposite.is_none()))
}

/// Whether the value of a parameter may be an operand, by its type.
fn fits(function: Function, argument: &Argument) -> bool {
    match argument {
        Argument::Binding(_, inner) => fits(function, inner),
        Argument::Value(Value::String(_)) => matches!(function, Function::TextTest(_)),
        Argument::Value(Value::Point(_) | Value::F64(_)) => {
            matches!(function, Function::GeoTest(_))
        }
        _ => false,
    }
}

/// Tests a value that passes for any, so that only the operands can be wrong.
fn check(
    of: &Instruction,
    name: &str,
    function: Function,
    (arguments, operands): (&[Argument], &[Value]),
) -> Result<()> {
    let all: Vec<Value> =
        std::iter::once(Value::string("x")).chain(operands.iter().cloned()).collect();
    if let Some(Argument::Value(Value::Null)) = arguments.first() {
        return Err(takes_no(of, name, function, &arguments[0]));
    }
    function.call(&all).map(drop).map_err(|error| {
        let detail = format!("has the predicate {name}: {}", error.detail);
        Error { help: error.help, ..wrong(of, detail) }
    })
}

fn takes_no(of: &Instruction, name: &str, function: Function, argument: &Argument) -> Error {
    if let Argument::Binding(_, inner) = argument {
        return takes_no(of, name, function, inner);
    }
    let takes = match function {
        Function::TextTest(_) => "a text",
        _ => "a shape, such as Geoshape.circle(50, 14, 10)",
    };
    wrong(
        of,
        format!("has the predicate {name}, which takes {takes}, and not {}", described(argument)),
    )
}

fn unknown(of: &Instruction, name: &str) -> Error {
    wrong(of, format!("has the predicate {name}, which is unknown"))
}

/// An error of a shape, at the step.
fn as_of(of: &Instruction, error: Error) -> Error {
    let detail = format!("has a shape that is none: {}", error.detail);
    Error { help: error.help, ..wrong(of, detail) }
}
