//! Texts that differ in their literals are read once, and nobody can tell.

use std::collections::HashMap;

use millrace_db::model::bytecode::Argument;
use millrace_db::model::{TextPosition, Value};
use millrace_db::{Database, Settings};

use super::scenarios::run;

fn with_database(test: impl Fn(&Database)) {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::open(folder.path(), Settings::default()).expect("it opens");
    database.create_graph("g").expect("a new graph");
    test(&database);
}

/// What is kept, by its kind and the name of the metric.
fn counted(database: &Database, name: &str, kind: &str) -> f64 {
    let metrics = database.metrics();
    let found = metrics
        .iter()
        .find(|metric| metric.name == name && metric.labels.iter().any(|(_, value)| value == kind));
    found.map_or(f64::NAN, |metric| metric.value)
}

#[test]
fn texts_that_differ_in_literals_are_read_once_and_none_of_them_is_kept() {
    with_database(|database| {
        let (none, hits) = (HashMap::new(), "millrace_gremlin_kept_hits_total");
        for number in 0..50 {
            let add =
                format!("g.addV('p').property('name', 'n{number}').property('age', {number})");
            run(database, "g", &add, &none, &[]).expect("it is added");
            let find = format!(
                "g.V().has('p', 'name', 'n{number}').has('age', P.gte({number})).values('age')"
            );
            let found = run(database, "g", &find, &none, &[]).expect("it is found");
            assert_eq!(found, [Value::I32(number)]);
        }
        assert_eq!(counted(database, hits, "skeleton"), 98.0, "all but the first of each");
        assert_eq!(counted(database, "millrace_gremlin_kept", "script"), 0.0);
        assert_eq!(counted(database, "millrace_gremlin_kept", "skeleton"), 2.0);
    });
}

#[test]
fn a_literal_of_another_type_is_another_skeleton() {
    with_database(|database| {
        let none = HashMap::new();
        for literal in ["1", "2L", "1.5", "'1'", "3000000000"] {
            for _ in 0..2 {
                let text = format!("g.inject({literal}, {literal})");
                let found = run(database, "g", &text, &none, &[]).expect("it is given back");
                let alone = run(database, "g", literal, &none, &[]).expect("it is a value");
                assert_eq!(found, [alone[0].clone(), alone[0].clone()], "{literal}");
            }
        }
    });
}

#[test]
fn errors_name_places_of_the_text_and_what_it_did_before_is_undone() {
    with_database(|database| {
        let place = |text: &str| {
            let none: HashMap<String, Argument> = HashMap::new();
            let error = run(database, "g", text, &none, &[]).expect_err("it is wrong");
            error.position
        };
        for name in ["a", "abcdefghij", "ab"] {
            for (behind, text) in [
                (".nothing()", format!("g.V().has('name', '{name}').nothing()")),
                (".nothing(", format!("g.V().has('name', '{name}').nothing(")),
                (
                    ".nothing(7)",
                    format!("g.addV('p').property('name', '{name}'); g.V(1).nothing(7)"),
                ),
                ("unknown)", format!("g.V().has('name', '{name}').is(unknown)")),
            ] {
                let found = place(&text).unwrap_or_else(|| panic!("{text} is wrong nowhere"));
                let TextPosition { line, column } = found;
                let at = text.find(behind).expect("it is there") as u32;
                assert!(line == 1 && (at..=at + 12).contains(&column), "{text}: {column} for {at}");
            }
        }
        let count = run(database, "g", "g.V().count()", &HashMap::new(), &[]).expect("it counts");
        assert_eq!(count, [Value::I64(0)]);
    });
}

#[test]
fn variables_of_a_request_may_have_the_names_of_literals() {
    with_database(|database| {
        let named = HashMap::from([("$s0".to_owned(), Argument::Value(Value::from("own")))]);
        for text in ["g.inject($s0)", "g.inject('other').is(neq('$s0'))", "g.inject('x', 'other')"]
        {
            let found = run(database, "g", text, &named, &[]).expect("it runs");
            let wanted = if text.contains("($s0)") { "own" } else { "other" };
            assert_eq!(found.last(), Some(&Value::from(wanted)), "{text}");
        }
    });
}
