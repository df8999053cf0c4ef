//! Lists: many values of one node in one request are one write of its list.

use std::fmt::Write;
use std::time::{Duration, Instant};

use millrace_db::Database;
use millrace_db::languages::dql::language;

use super::{alter, change, mutate, query};

/// A request that took a step for each value went on for minutes.
const LINEAR_MAX: Duration = Duration::from_secs(240);

const VALUES: usize = 20_000;

fn quads(values: std::ops::Range<usize>, predicate: &str) -> String {
    let mut all = String::new();
    for value in values {
        writeln!(all, "<0x1> <{predicate}> \"{value}\" .").expect("a text takes all");
    }
    all
}

/// How many values a node has, and which nodes have a value.
fn count(database: &Database, predicate: &str, value: &str) -> String {
    let is_it = format!("eq({predicate}, \"{value}\")");
    // A root needs an index.
    let root = match predicate {
        "tags" => format!("has(tags)) @filter({is_it}"),
        _ => is_it,
    };
    let text = format!("{{ q(func: uid(1)) {{ count({predicate}) }} r(func: {root}) {{ uid }} }}");
    query(database, &text).expect("it is answered")
}

#[test]
fn twenty_thousand_values_of_a_list_are_set_and_removed_in_linear_time() {
    let database = Database::in_memory(Default::default()).unwrap();
    let schema = "tags: [string] .\nwords: [string] @index(exact, hash, term) .\n\
                  numbers: [int] @index(int) .";
    alter(&database, schema).unwrap();
    let begin = Instant::now();
    for predicate in ["tags", "words", "numbers"] {
        mutate(&database, &quads(0..VALUES, predicate), "").unwrap();
        // Half of them are there.
        mutate(&database, &quads(VALUES / 2..VALUES * 3 / 2, predicate), "").unwrap();
        let all = count(&database, predicate, "29999");
        let expected =
            format!("{{\"q\":[{{\"count({predicate})\":30000}}],\"r\":[{{\"uid\":\"0x1\"}}]}}");
        assert_eq!(all, expected);
        mutate(&database, "", &quads(1..VALUES, predicate)).unwrap();
        let expected = format!("{{\"q\":[{{\"count({predicate})\":10001}}],\"r\":[]}}");
        assert_eq!(count(&database, predicate, "19999"), expected);
        let expected =
            format!("{{\"q\":[{{\"count({predicate})\":10001}}],\"r\":[{{\"uid\":\"0x1\"}}]}}");
        assert_eq!(count(&database, predicate, "0"), expected);
    }
    assert!(begin.elapsed() < LINEAR_MAX, "{:?}", begin.elapsed());
}

#[test]
fn a_repeated_value_is_there_once_with_the_facets_of_the_last() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "tags: [string] .").unwrap();
    let shown = |database: &Database| {
        query(database, "{ q(func: uid(1)) { tags @facets } }").expect("it is answered")
    };
    let set = "<1> <tags> \"a\" (k=1) .\n<1> <tags> \"b\" .\n<1> <tags> \"a\" (k=2, l=3) .\n<2> <tags> \"a\" .";
    mutate(&database, set, "").unwrap();
    let both = shown(&database);
    assert_eq!(both.matches("\"a\"").count(), 1, "{both}");
    assert!(
        both.contains("\"tags|k\":{\"0\":2}") || both.contains("\"tags|k\":{\"1\":2}"),
        "{both}"
    );
    mutate(&database, "<1> <tags> \"a\" .", "").unwrap();
    let bare = shown(&database);
    assert!(bare.contains("\"a\"") && !bare.contains("tags|k"), "{bare}");
    // Deletions come first, and what is not there cannot be deleted.
    mutate(&database, "<1> <tags> \"c\" .", "<1> <tags> \"c\" .\n<1> <tags> \"a\" .").unwrap();
    let left = query(&database, "{ q(func: has(tags)) { uid tags } }").unwrap();
    assert!(left.contains("\"b\"") && left.contains("\"c\""), "{left}");
    assert_eq!(left.matches("\"a\"").count(), 1, "that of the other node: {left}");
    mutate(&database, "", "<1> <tags> \"b\" .\n<1> <tags> \"c\" .\n<2> <tags> \"a\" .").unwrap();
    assert_eq!(query(&database, "{ q(func: has(tags)) { uid } }").unwrap(), r#"{"q":[]}"#);
}

#[test]
fn a_value_of_a_variable_goes_into_a_list_however_often_it_is_named() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "numbers: [int] @index(int) .\nage: int .").unwrap();
    mutate(&database, "<1> <age> \"7\" .\n<1> <numbers> \"1\" .\n<2> <age> \"8\" .", "").unwrap();
    let upsert = |action: &str, rows: usize| {
        let quad = "<1> <numbers> val(a) .\nuid(n) <numbers> val(a) .\n";
        let text = format!(
            "upsert {{ query {{ n as var(func: has(age)) {{ a as age }} }} mutation {{ {action} {{ {} }} }} }}",
            quad.repeat(rows)
        );
        change(&database, language::of_text(&text)).unwrap();
        query(&database, "{ q(func: has(numbers)) { numbers } }").unwrap()
    };
    let begin = Instant::now();
    let set = upsert("set", VALUES);
    assert!(set.contains("[1,7]") || set.contains("[7,1]"), "{set}");
    assert!(set.contains("[8]"), "{set}");
    assert_eq!(upsert("delete", VALUES), r#"{"q":[{"numbers":[1]}]}"#);
    assert!(begin.elapsed() < LINEAR_MAX, "{:?}", begin.elapsed());
}
