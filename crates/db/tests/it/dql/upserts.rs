//! Upserts that differ in literals alone share a plan.

use millrace_db::Database;
use millrace_db::languages::dql::language;

use super::{alter, change, query};

/// How many plans were compiled.
fn compiled(database: &Database) -> f64 {
    let kind = ("kind", "prepared_statement".to_owned());
    let metrics = database.metrics();
    let found = metrics.iter().find(|own| {
        own.name == "millrace_statement_cache_misses_total" && own.labels.contains(&kind)
    });
    found.map_or(0.0, |own| own.value)
}

/// Each was compiled anew, as its literals were parts of the plan.
#[test]
fn upserts_that_differ_in_literals_share_a_plan() {
    let database = Database::in_memory(Default::default()).unwrap();
    let schema = "email: string @index(hash) @upsert .\nage: int @index(int) .\nbio: string @index(term) .\n\
                  name: string .";
    alter(&database, schema).unwrap();
    let upsert = |number: usize| {
        let text = format!(
            "upsert {{ query {{ q(func: eq(email, \"u{number}@x\")) {{ v as uid }} \
             r(func: ge(age, {number})) @filter(uid(0x{number}, 0x{number}0) OR between(age, {number}, 1{number})) {{ w as uid }} \
             s(func: anyofterms(bio, \"a b{number}\")) @filter(eq(count(knows), [{number}, 7])) {{ x as uid }} }} \
             mutation @if(eq(len(v), 0)) {{ set {{ uid(v) <email> \"u{number}@x\" . \n uid(v) <age> \"{number}\" . \n \
             uid(w) <name> \"n{number}\" . \n uid(x) <name> \"m{number}\" . }} }} }}"
        );
        change(&database, language::of_text(&text))
    };
    // The first makes predicates and values, which others find.
    upsert(1).unwrap();
    upsert(2).unwrap();
    let before = compiled(&database);
    for number in 3..9 {
        upsert(number).unwrap();
    }
    assert_eq!(compiled(&database), before);
    let found = query(&database, "{ q(func: has(email), orderasc: age) { email age } }").unwrap();
    for number in 1..9 {
        let node = format!("{{\"email\":\"u{number}@x\",\"age\":{number}}}");
        assert!(found.contains(&node), "{found}");
    }
    assert_eq!(found.matches("email").count(), 8, "{found}");
    upsert(4).unwrap();
    let again = query(&database, "{ q(func: has(email)) { count(uid) } }").unwrap();
    assert_eq!(again, r#"{"q":[{"count":8}]}"#, "the fourth was there");
}

/// A literal that is none of its predicate's type is refused where it stands.
#[test]
fn a_wrong_literal_of_an_upsert_is_refused_with_its_position() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "age: int @index(int) .").unwrap();
    let text = "upsert { query {\n q(func: eq(age, \"old\")) { v as uid } }\n mutation { set { uid(v) <age> \"1\" . } } }";
    let error = change(&database, language::of_text(text)).unwrap_err();
    let at = error.position.map(|at| (at.line, at.column));
    assert_eq!(at, Some((2, 18)), "{error}");
}
