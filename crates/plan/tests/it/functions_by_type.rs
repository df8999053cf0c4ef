//! Calls of functions that ask for types at run time, and of their modes of others, for the goldens.

use std::sync::Arc;

use millrace_model::path::Path;
use millrace_model::temporal::{Date, Duration};
use millrace_model::{EdgeId, Value, VertexId};
use millrace_plan::functions::{Conversion, Elementary, IndexMode, Outside, Which};
use millrace_plan::{Arithmetic, ElementKind, Function};

type Call = (Function, Vec<Value>);

/// From 0, an error before that, cut behind the last.
const FROM_ZERO: IndexMode = IndexMode { first: 0, from_end: false, outside: Outside::ErrorBefore };

fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::list(values.into_iter().collect())
}

fn text(text: &str) -> Value {
    Value::string(text)
}

fn map(pairs: &[(&str, Value)]) -> Value {
    Value::map(pairs.iter().map(|(key, value)| (text(key), value.clone())).collect())
}

/// The calls of a family; `None` if there is none of that name.
pub(crate) fn family(name: &str) -> Option<Vec<Call>> {
    Some(match name {
        "operators" => operators(),
        "parts" => parts(),
        "conversions by type" => conversions(),
        "more of text" => more_of_text(),
        "more of numbers" => more_of_numbers(),
        "points" => points(),
        "paths" => paths(),
        _ => return None,
    })
}

fn operators() -> Vec<Call> {
    let day = || Value::Date(Date { days: 0 });
    let duration = Duration { months: 0, days: 1, seconds: 0, nanos: 0 };
    let ints = || list([1.into(), 2.into()]);
    let add = Arithmetic::Add;
    let operands = vec![
        (add, 1.into(), 2.into()),
        (add, 1.into(), 0.5.into()),
        (add, i64::MAX.into(), 1.into()),
        (add, text("a"), text("b")),
        (add, text("a"), 1.into()),
        (add, 1.5.into(), text("a")),
        (add, text("a"), 1e7.into()),
        (add, text("a"), true.into()),
        (add, text("a"), day()),
        (add, text("a"), map(&[])),
        (add, ints(), ints()),
        (add, ints(), 3.into()),
        (add, text("a"), ints()),
        (add, ints(), Value::Null),
        (add, Value::Null, 1.into()),
        (add, true.into(), 1.into()),
        (add, day(), Value::Duration(Arc::new(duration))),
        (add, day(), 1.into()),
        (Arithmetic::Subtract, 1.into(), 2.5.into()),
        (Arithmetic::Subtract, i64::MIN.into(), 1.into()),
        (Arithmetic::Subtract, text("a"), 1.into()),
        (Arithmetic::Multiply, i64::MAX.into(), 2.into()),
        (Arithmetic::Multiply, 2.into(), 0.5.into()),
        (Arithmetic::Divide, (-7).into(), 2.into()),
        (Arithmetic::Divide, 7.into(), 2.0.into()),
        (Arithmetic::Divide, 7.into(), 0.into()),
        (Arithmetic::Divide, 7.into(), 0.0.into()),
        (Arithmetic::Divide, 0.0.into(), 0.into()),
        (Arithmetic::Remainder, (-7).into(), 3.into()),
        (Arithmetic::Remainder, 7.into(), (-3).into()),
        (Arithmetic::Remainder, (-7.5).into(), 2.into()),
        (Arithmetic::Remainder, i64::MIN.into(), (-1).into()),
        (Arithmetic::Remainder, 1.into(), 0.into()),
    ];
    let call = |(operation, left, right)| (Function::Operate(operation), vec![left, right]);
    operands.into_iter().map(call).collect()
}

fn parts() -> Vec<Call> {
    use Function as F;
    let abc = || list(["a", "b", "c"].map(text));
    let pairs = || map(&[("a", 1.into()), ("b", Value::Null)]);
    vec![
        (F::At, vec![abc(), 0.into()]),
        (F::At, vec![abc(), (-1).into()]),
        (F::At, vec![abc(), 3.into()]),
        (F::At, vec![abc(), (-4).into()]),
        (F::At, vec![abc(), text("a")]),
        (F::At, vec![abc(), 1.0.into()]),
        (F::At, vec![abc(), Value::Null]),
        (F::At, vec![pairs(), text("a")]),
        (F::At, vec![pairs(), text("c")]),
        (F::At, vec![pairs(), 0.into()]),
        (F::At, vec![text("abc"), 0.into()]),
        (F::At, vec![1.into(), text("a")]),
        (F::IsEmpty, vec![text("")]),
        (F::IsEmpty, vec![pairs()]),
        (F::IsEmpty, vec![list([])]),
        (F::IsEmpty, vec![Value::Null]),
        (F::IsEmpty, vec![1.into()]),
        (F::ValueType, vec![abc()]),
        (F::ValueType, vec![Value::Null]),
        (F::ValueType, vec![list([1.into(), Value::Null, 2.5.into()])]),
    ]
}

fn conversions() -> Vec<Call> {
    let mixed = || list([text("1.7"), 1.7.into(), true.into(), text("x"), list([]), Value::Null]);
    let calls = vec![
        (Conversion::Integer, text("1.7")),
        (Conversion::Integer, text("1e400")),
        (Conversion::Integer, text(" 1 ")),
        (Conversion::Integer, text("abc")),
        (Conversion::Integer, true.into()),
        (Conversion::Integer, (-1.7).into()),
        (Conversion::Integer, f64::INFINITY.into()),
        (Conversion::Integer, list([])),
        (Conversion::IntegerOrNull, list([])),
        (Conversion::Integers, mixed()),
        (Conversion::Float, text(" 1 ")),
        (Conversion::Float, text("1e400")),
        (Conversion::Float, 3.into()),
        (Conversion::Float, true.into()),
        (Conversion::FloatOrNull, true.into()),
        (Conversion::Floats, mixed()),
        (Conversion::Boolean, text("TRUE")),
        (Conversion::Boolean, text("1")),
        (Conversion::Boolean, 0.into()),
        (Conversion::Boolean, 1.0.into()),
        (Conversion::BooleanOrNull, 1.0.into()),
        (Conversion::Booleans, mixed()),
        (Conversion::Text, 1.0.into()),
        (Conversion::Text, 1e10.into()),
        (Conversion::Text, map(&[])),
        (Conversion::TextOrNull, map(&[])),
        (Conversion::Texts, mixed()),
        (Conversion::Texts, text("a")),
        (Conversion::Text, Value::Null),
    ];
    let call = |(conversion, value)| (Function::Convert(conversion), vec![value]);
    calls.into_iter().map(call).collect()
}

fn more_of_text() -> Vec<Call> {
    use Function as F;
    vec![
        (F::Trim, vec![text("xyaxby"), text("xy")]),
        (F::TrimStart, vec![text("xyaxby"), text("xy")]),
        (F::TrimEnd, vec![text("xyaxby"), text("xy")]),
        (F::Trim, vec![text(" a "), Value::Null]),
        (F::Substring(FROM_ZERO), vec![text("äbcd"), 1.into(), 2.into()]),
        (F::Substring(FROM_ZERO), vec![text("äbcd"), 9.into()]),
        (F::Substring(FROM_ZERO), vec![text("äbcd"), (-1).into()]),
        (F::ElementAt(FROM_ZERO), vec![list([1.into()]), 1.into()]),
        (F::ElementAt(FROM_ZERO), vec![list([1.into()]), (-1).into()]),
        (F::LastCharacters, vec![text("äbcd"), 3.into()]),
        (F::LastCharacters, vec![text("äb"), 9.into()]),
        (F::LastCharacters, vec![text("äb"), 0.into()]),
        (F::LastCharacters, vec![text("äb"), (-1).into()]),
        (F::Pad(Which::First), vec![text("7"), 3.into(), text("0")]),
        (F::Pad(Which::Last), vec![text("äb"), 5.into(), text("xy")]),
        (F::Pad(Which::Last), vec![text("abc"), 2.into(), text("x")]),
        (F::Pad(Which::Last), vec![text("abc"), 5.into(), text("")]),
        (F::Pad(Which::Last), vec![text("abc"), (1 << 40).into(), text("x")]),
        (F::Split, vec![text("a,b;c"), list([text(","), text(";")])]),
        (F::Split, vec![text("a--b-c"), list([text("-"), text("--")])]),
        (F::Split, vec![text("ab"), list([])]),
        (F::Split, vec![text("ab"), list([1.into()])]),
        (F::Replace, vec![text("aaa"), text("a"), text("b"), 2.into()]),
        (F::Replace, vec![text("aaa"), text("a"), text("b"), (-1).into()]),
        (F::MatchesWhole, vec![text("abc"), text("b")]),
        (F::MatchesWhole, vec![text("abc"), text("a.c")]),
        (F::MatchesWhole, vec![text("abc"), text("a(?=b).*")]),
        (F::MatchesWhole, vec![text("abc"), text("(")]),
        (F::MatchesWhole, vec![1.into(), text("1")]),
    ]
}

fn more_of_numbers() -> Vec<Call> {
    use Function as F;
    let to =
        |number: f64, decimals: i64, mode: &str| vec![number.into(), decimals.into(), text(mode)];
    vec![
        (F::RoundTo, vec![(-1.5).into()]),
        (F::RoundTo, vec![3.into()]),
        (F::RoundTo, vec![(-1.55).into(), 1.into()]),
        (F::RoundTo, vec![Value::Null, 1.into()]),
        (F::RoundTo, vec![f64::NAN.into(), 1.into()]),
        (F::RoundTo, to(1.249, 1, "UP")),
        (F::RoundTo, to(1.251, 1, "DOWN")),
        (F::RoundTo, to(1.25, 1, "HALF_EVEN")),
        (F::RoundTo, to(1.25, 1, "half_even")),
        (F::RoundTo, to(1.25, -1, "UP")),
        (F::Elementary(Elementary::Ceil), vec![2.into()]),
        (F::Elementary(Elementary::Floor), vec![(-1.2).into()]),
        (F::Elementary(Elementary::Degrees), vec![std::f64::consts::PI.into()]),
        (F::Elementary(Elementary::Cot), vec![text("1")]),
        (F::Atan2, vec![0.into(), (-1).into()]),
        (F::IsNan, vec![f64::NAN.into()]),
        (F::IsNan, vec![1.into()]),
        (F::IsNan, vec![text("NaN")]),
    ]
}

fn points() -> Vec<Call> {
    use Function as F;
    let made = |pairs: &[(&str, Value)]| F::PointOf.call(&[map(pairs)]).expect("a point");
    let flat = |x: i64, y: i64| made(&[("x", x.into()), ("y", y.into())]);
    let earth = |x: i64, y: i64| made(&[("longitude", x.into()), ("latitude", y.into())]);
    let high = |z: i64| {
        made(&[("x", 0.into()), ("y", 0.into()), ("z", z.into()), ("crs", text("wgs-84-3d"))])
    };
    vec![
        (F::Convert(Conversion::Text), vec![flat(1, 2)]),
        (F::Convert(Conversion::Text), vec![high(7)]),
        (F::PointOf, vec![map(&[("x", 1.into())])]),
        (F::PointOf, vec![map(&[("x", 1.into()), ("y", Value::Null)])]),
        (F::PointOf, vec![map(&[("x", 1.into()), ("y", 2.into()), ("srid", 1.into())])]),
        (F::PointOf, vec![map(&[("x", 1.into()), ("y", 2.into()), ("crs", text("wgs-84-3d"))])]),
        (F::Component, vec![earth(1, 2), text("latitude")]),
        (F::Component, vec![flat(1, 2), text("latitude")]),
        (F::Component, vec![flat(1, 2), text("z")]),
        (F::Component, vec![flat(1, 2), text("colour")]),
        (F::Distance, vec![flat(0, 0), flat(3, 4)]),
        (F::Distance, vec![earth(0, 0), earth(0, 0)]),
        (F::Distance, vec![high(0), high(1000)]),
        (F::Distance, vec![flat(0, 0), earth(0, 0)]),
        (F::Distance, vec![flat(0, 0), 1.into()]),
        (F::IsInBox, vec![flat(1, 1), flat(0, 0), flat(1, 1)]),
        (F::IsInBox, vec![earth(0, 0), earth(170, -1), earth(-170, 1)]),
    ]
}

fn paths() -> Vec<Call> {
    use Function as F;
    let objects =
        vec![Value::Vertex(VertexId(1)), Value::Edge(EdgeId(5)), Value::Vertex(VertexId(2))];
    let path = Value::Path(Arc::new(Path::untagged(objects)));
    vec![
        (F::ElementsOf(ElementKind::Vertex), vec![path.clone()]),
        (F::ElementsOf(ElementKind::Edge), vec![path.clone()]),
        (F::EdgeCount, vec![path]),
        (F::EdgeCount, vec![list([])]),
        (F::NumberOfId, vec![text("a"), Value::Vertex(VertexId(2))]),
        (F::NumberOfId, vec![12.into(), Value::Vertex(VertexId(2))]),
        (F::ElementId, vec![text("a"), Value::Edge(EdgeId(2))]),
        (F::ElementId, vec![12.into(), Value::Vertex(VertexId(2))]),
    ]
}
