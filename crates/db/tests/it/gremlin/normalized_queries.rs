//! Texts that differ in their literals are read once, with the same results.

use std::collections::HashMap;

use millrace_db::{Database, Settings};
use millrace_gremlin::bytecode::Argument;
use millrace_model::{TextPosition, Value};

use super::scenarios::run;

fn with_database(test: impl Fn(&Database)) {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::open(folder.path(), Settings::default()).expect("it opens");
    database.create_graph("one").expect("a new graph");
    test(&database);
}

/// The value of a metric of the cache, for one kind of entry.
fn counted(database: &Database, name: &str, kind: &str) -> f64 {
    let metrics = database.metrics();
    let found = metrics
        .iter()
        .find(|metric| metric.name == name && metric.labels.iter().any(|(_, value)| value == kind));
    found.map_or(f64::NAN, |metric| metric.value)
}

#[test]
fn texts_that_differ_in_literals_are_parsed_once_and_none_of_them_is_cached() {
    with_database(|database| {
        let (none, hits) = (HashMap::new(), "millrace_statement_cache_hits_total");
        for number in 0..50 {
            let add =
                format!("g.addV('p').property('name', 'n{number}').property('age', {number})");
            run(database, "one", &add, &none, &[]).expect("it is added");
            let find = format!(
                "g.V().has('p', 'name', 'n{number}').has('age', P.gte({number})).values('age')"
            );
            let found = run(database, "one", &find, &none, &[]).expect("it is found");
            assert_eq!(found, [Value::I32(number)]);
        }
        assert_eq!(counted(database, hits, "normalized_query"), 98.0, "all but the first of each");
        let metrics = database.metrics();
        let entries = metrics.iter().find(|own| own.name == "millrace_statement_cache_entries");
        assert_eq!(entries.map(|own| own.value), Some(4.0), "two normalized queries, two plans");
    });
}

#[test]
fn a_literal_of_another_type_is_another_normalized_query() {
    with_database(|database| {
        let none = HashMap::new();
        for literal in ["1", "2L", "1.5", "'1'", "3000000000"] {
            for _ in 0..2 {
                let text = format!("g.inject({literal}, {literal})");
                let found = run(database, "one", &text, &none, &[]).expect("it is given back");
                let alone = run(database, "one", literal, &none, &[]).expect("it is a value");
                assert_eq!(found, [alone[0].clone(), alone[0].clone()], "{literal}");
            }
        }
    });
}

#[test]
fn errors_name_places_of_the_text_and_earlier_effects_are_undone() {
    with_database(|database| {
        let place = |text: &str| {
            let none: HashMap<String, Argument> = HashMap::new();
            let error = run(database, "one", text, &none, &[]).expect_err("it is wrong");
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
        let count = run(database, "one", "g.V().count()", &HashMap::new(), &[]).expect("it counts");
        assert_eq!(count, [Value::I64(0)]);
    });
}

#[test]
fn variables_of_a_request_may_have_the_names_of_literals() {
    with_database(|database| {
        let named = HashMap::from([("$s0".to_owned(), Argument::Value(Value::from("own")))]);
        for text in ["g.inject($s0)", "g.inject('other').is(neq('$s0'))", "g.inject('x', 'other')"]
        {
            let found = run(database, "one", text, &named, &[]).expect("it runs");
            let wanted = if text.contains("($s0)") { "own" } else { "other" };
            assert_eq!(found.last(), Some(&Value::from(wanted)), "{text}");
        }
    });
}

/// A script whose last traversal did not compile ran again to find the position of the error in its original
/// text, although its first run had committed.
#[test]
fn a_script_that_commits_and_fails_runs_once_however_it_fails() {
    let adds = "g.addV('p').property('name', 'x').iterate(); g.tx().commit(); ";
    for last in [
        "g.V(1).nothing()",
        "g.V().hasLabel('p').by('name')",
        "g.io('x').read()",
        "g.V().hasLabel('p').range(5, 2)",
        "g.V().hasLabel('p').order().by(5)",
        "g.mergeV([(T.value): 'x'])",
        "g.V().hasLabel('p').cap('nokey')",
        "g.V().path().from(2)",
        "g.V().has('p', bound, 'y').nothing()",
        "g.inject('a').fail('b')",
        "g.V(1).has('a', 'b'",
        "g.V(1).has('a', unbound)",
    ] {
        with_database(|database| {
            let bound = HashMap::from([("bound".to_owned(), Argument::Value(Value::from("name")))]);
            let count = || {
                let found = run(database, "one", "g.V().hasLabel('p').count()", &bound, &[]);
                found.expect("it counts")
            };
            for times in [1_usize, 3] {
                let before = count()[0].as_int().expect("a number");
                let text = format!("{}{last}", adds.repeat(times));
                run(database, "one", &text, &bound, &[]).expect_err("its end is wrong");
                let added = count()[0].as_int().expect("a number") - before;
                assert!([0, times as i64].contains(&added), "{text}: {added}");
            }
        });
    }
}

#[test]
fn statements_after_a_commit_read_it() {
    with_database(|database| {
        for number in 1..=50 {
            let text = "g.addV('q').iterate(); g.tx().commit(); g.V().hasLabel('q').count()";
            let found = run(database, "one", text, &HashMap::new(), &[]).expect("it counts");
            assert_eq!(found, [Value::I64(number)]);
        }
    });
}

/// An error was answered while the commit before it was on its way to the disk.
#[test]
fn an_error_is_answered_when_the_commits_before_it_are_visible() {
    with_database(|database| {
        database.create_graph("other").expect("a new graph");
        for (number, last) in (1..)
            .zip(["g.inject(1).fail('x')", "g.V(1).nothing()", "other.addV().fail('x')"].repeat(20))
        {
            let text = format!("g.addV('q').iterate(); g.tx().commit(); {last}");
            run(database, "one", &text, &HashMap::new(), &[]).expect_err("its end is wrong");
            let count = "g.V().hasLabel('q').count()";
            let found = run(database, "one", count, &HashMap::new(), &[]).expect("it counts");
            assert_eq!(found, [Value::I64(number)], "{last}");
        }
    });
}
