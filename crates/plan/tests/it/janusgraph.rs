//! JanusGraph's predicates answer as its own classes do: tables that `tests/janusgraph/Reference.java` wrote.

use std::sync::Arc;

use millrace_model::Value;
use millrace_model::value::Point;
use millrace_plan::Function;
use millrace_plan::functions::{GeoTest, TextTest};

/// A text whose characters may stand as units of UTF-16.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u");
    let mut units: Vec<u16> = parts.next().unwrap_or_default().encode_utf16().collect();
    for part in parts {
        let (unit, rest) = part.split_at(4);
        units.push(u16::from_str_radix(unit, 16).expect("four digits"));
        units.extend(rest.encode_utf16());
    }
    String::from_utf16(&units).expect("pairs of surrogates")
}

#[test]
fn texts_pass_as_in_janusgraph() {
    let mut different = Vec::new();
    let table = include_str!("../janusgraph/texts.tsv");
    for line in table.lines() {
        let [name, text, condition, answer] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let test = match name {
            "textContains" => TextTest::Contains,
            "textContainsPrefix" => TextTest::ContainsPrefix,
            "textContainsFuzzy" => TextTest::ContainsFuzzy,
            "textContainsPhrase" => TextTest::ContainsPhrase,
            "textContainsRegex" => TextTest::ContainsRegex,
            "textPrefix" => TextTest::Prefix,
            "textRegex" => TextTest::Regex,
            "textFuzzy" => TextTest::Fuzzy,
            other => panic!("{other}"),
        };
        let arguments = [text, condition].map(|own| Value::from(unescaped(own).as_str()));
        let found = match Function::TextTest(test).call(&arguments) {
            Ok(Value::Bool(passes)) => passes.to_string(),
            Ok(other) => format!("{other:?}"),
            Err(_) => "refused".to_owned(),
        };
        if found != answer {
            different.push(format!("{line}, and not {found}"));
        }
    }
    assert!(1_000 < table.lines().count());
    assert!(different.is_empty(), "{}:\n{}", different.len(), different.join("\n"));
}

#[test]
fn points_pass_as_in_janusgraph() {
    let mut different = Vec::new();
    let table = include_str!("../janusgraph/points.tsv");
    for line in table.lines() {
        let [own, geoshape, within, intersects, disjoint, contains] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        let numbers = |text: &str| -> Vec<f64> {
            text.split_whitespace().map(|own| own.parse().expect("a number")).collect()
        };
        let point = |numbers: &[f64]| {
            let coordinates = vec![numbers[1], numbers[0]];
            Value::Point(Arc::new(Point { srid: 4_326, coordinates }))
        };
        let mut arguments = vec![point(&numbers(own))];
        match numbers(geoshape).as_slice() {
            [_, _, radius] => {
                arguments.extend([point(&numbers(geoshape)), Value::F64(*radius)]);
            }
            corners => arguments.extend(corners.chunks(2).map(point)),
        }
        for (test, answer) in [
            (GeoTest::Within, within),
            (GeoTest::Intersects, intersects),
            (GeoTest::Disjoint, disjoint),
            (GeoTest::Contains, contains),
        ] {
            let found = Function::GeoTest(test).call(&arguments).expect("a shape");
            if found != Value::Bool(answer == "true") {
                different.push(format!("{line}: {test:?} {found:?}"));
            }
        }
    }
    assert!(500 < table.lines().count());
    assert!(different.is_empty(), "{}:\n{}", different.len(), different.join("\n"));
}
