//! Goldens of scalar functions: the word of a case names a family, its output each call's value.

use std::path::Path;

use millrace_model::compare::CompareMode;
use millrace_model::temporal::{Date, DateTime};
use millrace_model::{Error, Value};
use millrace_plan::Function;
use millrace_plan::functions::{
    Collation, DatePart, Division, IndexMode, MonthEnd, OnFailure, Outside, Overflow, Rounding,
};
use millrace_testkit::golden;

/// From 0, cut where nothing is.
const ZERO: IndexMode = IndexMode { first: 0, from_end: false, outside: Outside::Missing };
const ZERO_BACK: IndexMode = IndexMode { from_end: true, ..ZERO };
const ZERO_STRICT: IndexMode = IndexMode { outside: Outside::Error, ..ZERO };
const ONE: IndexMode = IndexMode { first: 1, ..ZERO };

type Call = (Function, Vec<Value>);

#[test]
fn functions_agree_with_the_goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/functions");
    golden::check_folder(folder, |case| family(&case.input));
}

fn family(name: &str) -> String {
    let calls = match name {
        "strings" => strings(),
        "numbers" => numbers(),
        "equivalence" => equivalence(),
        "lists" => lists(),
        "maps" => maps(),
        "dates" => dates(),
        "conversion" => conversion(),
        other => {
            let by_type = crate::functions_by_type::family(other);
            by_type.unwrap_or_else(|| panic!("no family is named {other}"))
        }
    };
    let lines: Vec<String> = calls.iter().map(line).collect();
    lines.join("\n")
}

fn line((function, arguments): &Call) -> String {
    let shown: Vec<String> = arguments.iter().map(shown_value).collect();
    let result = match function.call(arguments) {
        Ok(value) => shown_value(&value),
        Err(Error { kind, detail, .. }) => format!("{kind:?}: {detail}"),
    };
    format!("{function}({}) = {result}", shown.join(", "))
}

fn shown_value(value: &Value) -> String {
    let all = |values: &[Value]| {
        let values: Vec<String> = values.iter().map(shown_value).collect();
        format!("[{}]", values.join(", "))
    };
    match value {
        Value::Null => "null".to_owned(),
        Value::String(text) if 40 < text.len() => format!("a text of {} bytes", text.len()),
        Value::String(text) => format!("{text:?}"),
        Value::Bool(truth) => truth.to_string(),
        Value::I64(int) => int.to_string(),
        Value::F64(double) => format!("{double:?}"),
        Value::List(values) => all(values),
        Value::Date(date) => date.to_string(),
        Value::Duration(duration) => duration.to_string(),
        Value::Vertex(vertex) => format!("v{vertex}"),
        Value::Edge(edge) => format!("e{edge}"),
        Value::Path(path) => format!("path {}", all(&path.objects())),
        Value::Point(point) => format!("{}:{:?}", point.srid, point.coordinates),
        Value::DateTime(timestamp) => timestamp.to_string(),
        Value::Map(pairs) => {
            let pair = |(key, value): &(Value, Value)| {
                format!("{}: {}", shown_value(key), shown_value(value))
            };
            let pairs: Vec<String> = pairs.iter().map(pair).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn text(text: &str) -> Value {
    Value::string(text)
}

fn int(int: i64) -> Value {
    Value::I64(int)
}

fn strings() -> Vec<Call> {
    use Function as F;
    vec![
        (F::StartsWith, vec![text("abc"), text("ab")]),
        (F::StartsWith, vec![text("abc"), int(1)]),
        (F::EndsWith, vec![text("abc"), text("bc")]),
        (F::Contains, vec![text("abc"), Value::Null]),
        (F::Upper, vec![text("straße")]),
        (F::Lower, vec![text("ÄB")]),
        (F::Lower, vec![int(1)]),
        (F::Trim, vec![text(" a ")]),
        (F::TrimStart, vec![text(" a ")]),
        (F::TrimEnd, vec![text(" a ")]),
        (F::Substring(ZERO), vec![text("äbcd"), int(1), int(2)]),
        (F::Substring(ONE), vec![text("äbcd"), int(1), int(2)]),
        (F::Substring(ZERO), vec![text("äbcd"), int(9)]),
        (F::Substring(ZERO_STRICT), vec![text("äbcd"), int(9)]),
        (F::Substring(ZERO_BACK), vec![text("äbcd"), int(-2)]),
        (F::Substring(ZERO), vec![text("äbcd"), int(0), int(-1)]),
        (F::Position(ZERO), vec![text("äbcd"), text("c")]),
        (F::Position(ONE), vec![text("äbcd"), text("c")]),
        (F::Position(ONE), vec![text("äbcd"), text("z")]),
        (F::Split, vec![text("a,b,,c"), text(",")]),
        (F::Split, vec![text("äb"), text("")]),
        (F::Replace, vec![text("banana"), text("an"), text("o")]),
        (F::Concat, vec![text("a"), text("b"), text("c")]),
        (F::Concat, vec![text("a"), Value::Null]),
        (F::RepeatText, vec![text("ab"), int(3)]),
        (F::RepeatText, vec![text("ab"), int(-1)]),
        (F::RepeatText, vec![text("ab"), int(1 << 40)]),
        (F::CollationKey(Collation::CodePoint), vec![text("Ab")]),
        (F::CollationKey(Collation::CaseFold), vec![text("Ab")]),
        (F::Upper, vec![]),
    ]
}

fn numbers() -> Vec<Call> {
    use Function as F;
    let double = Value::F64;
    vec![
        (F::Abs(Overflow::Error), vec![int(-3)]),
        (F::Abs(Overflow::Error), vec![int(i64::MIN)]),
        (F::Abs(Overflow::Wrap), vec![int(i64::MIN)]),
        (F::Abs(Overflow::Double), vec![int(i64::MIN)]),
        (F::Abs(Overflow::Error), vec![double(-0.5)]),
        (F::Sign, vec![double(-2.5)]),
        (F::Sign, vec![double(f64::NAN)]),
        (F::Ceil, vec![double(1.2)]),
        (F::Floor, vec![double(-1.2)]),
        (F::Floor, vec![int(7)]),
        (F::Round(Rounding::HalfUp), vec![double(-2.5)]),
        (F::Round(Rounding::HalfEven), vec![double(2.5)]),
        (F::Round(Rounding::HalfCeiling), vec![double(-2.5)]),
        (F::Round(Rounding::HalfUp), vec![double(1.23456), int(2)]),
        (F::Round(Rounding::HalfUp), vec![double(1e300), int(5)]),
        (F::Round(Rounding::HalfUp), vec![int(5), int(1)]),
        (F::Sqrt, vec![int(9)]),
        (F::Sqrt, vec![int(-1)]),
        (F::Exp, vec![int(0)]),
        (F::Ln, vec![int(1)]),
        (F::Power, vec![int(2), int(10)]),
        (F::Add(Overflow::Error), vec![int(i64::MAX), int(1)]),
        (F::Add(Overflow::Wrap), vec![int(i64::MAX), int(1)]),
        (F::Add(Overflow::Missing), vec![int(i64::MAX), int(1)]),
        (F::Multiply(Overflow::Missing), vec![int(6), int(7)]),
        (F::Add(Overflow::Widen), vec![Value::I8(127), Value::I8(1)]),
        (F::Add(Overflow::Widen), vec![Value::I8(1), Value::I32(1)]),
        (F::Add(Overflow::Widen), vec![int(i64::MAX), int(1)]),
        (F::Divide(Division::Widen), vec![Value::I8(127), Value::F32(0.5)]),
        (F::Divide(Division::Widen), vec![Value::I8(-128), Value::I8(-1)]),
        (F::Divide(Division::Widen), vec![Value::I8(1), Value::I8(0)]),
        (F::Add(Overflow::Double), vec![int(i64::MAX), int(1)]),
        (F::Subtract(Overflow::Error), vec![int(1), double(0.5)]),
        (F::Multiply(Overflow::Error), vec![int(6), int(7)]),
        (F::Divide(Division::Whole), vec![int(7), int(-2)]),
        (F::Divide(Division::Whole), vec![int(7), int(0)]),
        (F::Divide(Division::Whole), vec![int(i64::MIN), int(-1)]),
        (F::Divide(Division::Exact), vec![int(7), int(-2)]),
        (F::Divide(Division::Exact), vec![int(7), int(0)]),
        (F::Modulo, vec![int(-7), int(3)]),
        (F::Modulo, vec![int(7), int(-3)]),
        (F::Modulo, vec![double(-0.5), int(2)]),
        (F::Modulo, vec![int(1), int(0)]),
        (F::Add(Overflow::Error), vec![text("a"), int(1)]),
    ]
}

fn abc() -> Value {
    Value::list(vec![text("a"), text("b"), text("c")])
}

fn equivalence() -> Vec<Call> {
    use Function as F;
    let double = Value::F64;
    let map = |pairs: &[(&str, Value)]| {
        Value::map(pairs.iter().map(|(key, value)| (text(key), value.clone())).collect())
    };
    let values = [
        Value::Null,
        Value::I8(1),
        double(1.0),
        double(-0.0),
        double(0.5),
        double(1e300),
        double(f64::NAN),
        text("1"),
        Value::list(vec![double(2.0), Value::Null]),
        map(&[("b", double(2.0)), ("a", Value::Null)]),
    ];
    let keys = values.iter().map(|value| (F::EquivalenceKey, vec![value.clone()]));
    keys.chain([(F::OrNull, vec![double(1.0)]), (F::OrNull, vec![Value::Null])]).collect()
}

fn lists() -> Vec<Call> {
    use Function as F;
    let mixed = || Value::list(vec![int(2), Value::F64(1.0), int(1), int(2), Value::Null]);
    vec![
        (F::Size, vec![abc()]),
        (F::Size, vec![text("äb")]),
        (F::Size, vec![int(1)]),
        (F::ElementAt(ZERO), vec![abc(), int(0)]),
        (F::ElementAt(ONE), vec![abc(), int(3)]),
        (F::ElementAt(ZERO), vec![abc(), int(-1)]),
        (F::ElementAt(ZERO_BACK), vec![abc(), int(-1)]),
        (F::ElementAt(ZERO_BACK), vec![abc(), int(i64::MIN)]),
        (F::ElementAt(ZERO_STRICT), vec![abc(), int(3)]),
        (F::Slice(ZERO), vec![abc(), int(1)]),
        (F::Slice(ZERO), vec![abc(), int(2), int(1)]),
        (F::Slice(ZERO), vec![abc(), int(1), int(9)]),
        (F::Slice(ZERO_BACK), vec![abc(), int(-2), int(-1)]),
        (F::Slice(ZERO_STRICT), vec![abc(), int(1), int(9)]),
        (F::Reverse, vec![abc()]),
        (F::Reverse, vec![text("äbc")]),
        (F::ConcatLists, vec![abc(), abc()]),
        (F::Distinct, vec![mixed()]),
        (F::SortList(CompareMode::Plain), vec![mixed()]),
        (F::SortList(CompareMode::NullIsUnknown), vec![mixed()]),
        (F::Range, vec![int(1), int(4)]),
        (F::Range, vec![int(4), int(1)]),
        (F::Range, vec![int(4), int(1), int(-2)]),
        (F::Range, vec![int(4), int(4), int(-2)]),
        (F::Range, vec![int(1), int(4), int(0)]),
        (F::Range, vec![int(i64::MIN), int(i64::MAX)]),
    ]
}

fn maps() -> Vec<Call> {
    use Function as F;
    let map = |pairs: &[(&str, i64)]| {
        Value::map(pairs.iter().map(|(key, value)| (text(key), int(*value))).collect())
    };
    let own = || map(&[("a", 1), ("b", 2)]);
    vec![
        (F::Keys, vec![own()]),
        (F::Values, vec![own()]),
        (F::Get, vec![own(), text("b")]),
        (F::Get, vec![own(), text("c")]),
        (F::Size, vec![own()]),
        (F::MergeMaps, vec![own(), map(&[("c", 3), ("a", 4)])]),
        (F::Without, vec![own(), abc()]),
        (F::Keys, vec![abc()]),
    ]
}

fn dates() -> Vec<Call> {
    use Function as F;
    let day =
        |year, month, day| Date::from_civil(year, month, day).map_or(Value::Null, Value::Date);
    let timestamp =
        |seconds, offset_seconds| Value::DateTime(DateTime { seconds, nanos: 0, offset_seconds });
    let (error, null) = (OnFailure::Error, OnFailure::Null);
    vec![
        (F::Date, vec![int(2024), int(2), int(29)]),
        (F::Date, vec![int(2023), int(2), int(29)]),
        (F::ParseDate(error), vec![text("2024-02-29")]),
        (F::ParseDate(error), vec![text("-0044-03-15")]),
        (F::ParseDate(error), vec![text("2024-2-9")]),
        (F::ParseDate(null), vec![text("2024-13-01")]),
        (F::Part(DatePart::Year), vec![day(2024, 2, 29)]),
        (F::Part(DatePart::Month), vec![day(2024, 2, 29)]),
        (F::Part(DatePart::Day), vec![day(2024, 2, 29)]),
        (F::Part(DatePart::Weekday), vec![day(2024, 2, 29)]),
        (F::Part(DatePart::YearDay), vec![day(2024, 12, 31)]),
        (F::Part(DatePart::Hour), vec![timestamp(3_599, 3_600)]),
        (F::Part(DatePart::Hour), vec![timestamp(3_599, DateTime::LOCAL)]),
        (F::Part(DatePart::Minute), vec![timestamp(3_599, 0)]),
        (F::Part(DatePart::Second), vec![timestamp(-1, 0)]),
        (F::Part(DatePart::Hour), vec![day(2024, 2, 29)]),
        (F::AddDays, vec![day(2024, 2, 28), int(2)]),
        (F::AddDays, vec![day(2024, 2, 28), int(i64::MAX)]),
        (F::AddMonths(MonthEnd::Clamp), vec![day(2024, 1, 31), int(1)]),
        (F::AddMonths(MonthEnd::Spill), vec![day(2024, 1, 31), int(1)]),
        (F::AddMonths(MonthEnd::Clamp), vec![day(2024, 1, 31), int(-13)]),
        (F::DaysBetween, vec![day(2024, 2, 28), day(2024, 3, 1)]),
        (F::EpochSeconds, vec![timestamp(12, 3_600)]),
        (F::EpochSeconds, vec![day(1970, 1, 2)]),
        (F::FromEpochSeconds, vec![int(86_400)]),
        (F::FromEpochSeconds, vec![int(i64::MAX)]),
        (F::DaysBetween, vec![int(1), int(2)]),
    ]
}

fn conversion() -> Vec<Call> {
    use Function as F;
    let (error, null) = (OnFailure::Error, OnFailure::Null);
    vec![
        (F::ToInteger(error), vec![text(" 42 ")]),
        (F::ToInteger(error), vec![text("4.9")]),
        (F::ToInteger(error), vec![text("x")]),
        (F::ToInteger(null), vec![text("x")]),
        (F::ToInteger(error), vec![Value::F64(-4.9)]),
        (F::ToInteger(null), vec![Value::F64(1e19)]),
        (F::ToInteger(null), vec![Value::F64(f64::NAN)]),
        (F::ToInteger(error), vec![Value::Bool(true)]),
        (F::ToDouble(error), vec![text("1e3")]),
        (F::ToDouble(null), vec![abc()]),
        (F::ToBoolean(error), vec![text("TRUE")]),
        (F::ToBoolean(error), vec![int(0)]),
        (F::ToBoolean(error), vec![text("yes")]),
        (F::ToBoolean(null), vec![text("yes")]),
        (F::ToText(error), vec![Value::F64(1.0)]),
        (F::ToText(error), vec![Value::Bool(false)]),
        (F::ToText(error), vec![Value::Date(Date { days: 0 })]),
        (F::ToText(error), vec![abc()]),
        (F::ToText(null), vec![abc()]),
        (F::TypeName, vec![Value::F64(1.0)]),
        (F::TypeName, vec![Value::Null]),
    ]
}
