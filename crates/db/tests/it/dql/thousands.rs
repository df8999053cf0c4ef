//! Requests with thousands of parts: they end in time, or name the bound that they reach.

use std::time::{Duration, Instant};

use millrace_db::Database;
use millrace_db::languages::dql::language;
use millrace_model::ErrorKind;

use super::{alter, change, mutate, query};

/// What took time with the square of the parts went on for minutes.
const LINEAR_MAX: Duration = Duration::from_secs(240);

fn people() -> Database {
    let database = Database::in_memory(Default::default()).expect("it opens");
    let schema = "name: string @index(exact, trigram) .\nage: int @index(int) .\nfriend: [uid] .";
    alter(&database, schema).expect("the schema is right");
    mutate(&database, "<1> <name> \"Ann\" .\n<1> <age> \"7\" .\n<1> <friend> <1> .", "")
        .expect("the data are right");
    database
}

fn parts(count: usize, between: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(between)
}

#[test]
fn an_answer_of_too_many_blocks_or_fields_is_refused_before_a_plan_is_made() {
    let database = people();
    let blocks = parts(5_000, " ", |own| format!("q{own}(func: uid(1)) {{ name }}"));
    let fields = parts(5_000, " ", |own| format!("a{own}: name"));
    let levels = parts(5_000, " ", |own| format!("a{own}: friend {{ name }}"));
    let tests = parts(5_000, " or ", |own| format!("uid_in(friend, {})", own + 1));
    let begin = Instant::now();
    for text in [
        format!("{{ {blocks} }}"),
        format!("{{ q(func: uid(1)) {{ {fields} }} }}"),
        format!("{{ q(func: uid(1)) {{ {levels} }} }}"),
        format!("{{ q(func: uid(1)) @filter({tests}) {{ name }} }}"),
    ] {
        let error = query(&database, &text).unwrap_err();
        assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
        assert!(error.detail.contains("more than 1000 operators in a row"), "{error}");
    }
    assert!(begin.elapsed() < LINEAR_MAX, "{:?}", begin.elapsed());
}

#[test]
fn thousands_of_variables_and_conditions_end_in_time() {
    let database = people();
    let chain = |count: usize| {
        let links = parts(count, " ", |own| format!("v{} as var(func: uid(v{own}))", own + 1));
        format!("{{ q(func: uid(v{count})) {{ name }} {links} v0 as var(func: uid(1)) }}")
    };
    let begin = Instant::now();
    let found = r#"{"q":[{"name":"Ann"}]}"#;
    assert_eq!(query(&database, &chain(200)).unwrap(), found);
    let either = parts(2_000, " or ", |own| format!("eq(age, {own})"));
    let both = parts(2_000, " and ", |own| format!("not eq(age, {})", own + 8));
    for filter in [either, both] {
        let text = format!("{{ q(func: has(name)) @filter({filter}) {{ name }} }}");
        assert_eq!(query(&database, &text).unwrap(), found);
    }
    let condition = parts(5_000, " and ", |_| "eq(len(v), 1)".to_owned());
    let text = format!(
        "upsert {{ query {{ v as var(func: uid(1)) }} mutation @if({condition}) {{ set {{ <1> <age> \"8\" . }} }} }}"
    );
    change(&database, language::of_text(&text)).unwrap();
    let found = query(&database, "{ q(func: eq(age, 8)) { uid } }").unwrap();
    assert_eq!(found, r#"{"q":[{"uid":"0x1"}]}"#);
    assert!(begin.elapsed() < LINEAR_MAX, "{:?}", begin.elapsed());
}

#[test]
fn a_long_text_of_match_is_compared_in_time_or_refused() {
    let database = people();
    let near = |text: &str| format!("match(name, \"{text}\", 8)");
    let root = |text: &str| query(&database, &format!("{{ q(func: {}) {{ name }} }}", near(text)));
    let filter = |text: &str| {
        let text = format!("{{ q(func: has(name)) @filter({}) {{ name }} }}", near(text));
        query(&database, &text)
    };
    let found = r#"{"q":[{"name":"Ann"}]}"#;
    assert_eq!(
        (root("Anna").unwrap(), filter("Anna").unwrap()),
        (r#"{"q":[{"name":"Ann"}]}"#.to_owned(), found.to_owned())
    );
    let long = "Ann".repeat(40_000);
    let begin = Instant::now();
    assert_eq!(filter(&long).unwrap(), r#"{"q":[]}"#);
    assert_eq!(root(&long[..4_096]).unwrap(), r#"{"q":[]}"#);
    let error = root(&long).unwrap_err();
    assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
    assert!(error.detail.contains("4096 characters"), "{error}");
    assert!(begin.elapsed() < LINEAR_MAX, "{:?}", begin.elapsed());
}
