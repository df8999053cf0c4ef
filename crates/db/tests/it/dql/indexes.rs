//! Words, patterns and places: what an index finds is what a scan finds, and a profile says which was asked.

use millrace_db::Database;
use millrace_db::languages::Language;
use millrace_db::languages::dql::language::DQL;
use millrace_db::session::Statements;

use super::{Profiled, alter, mutate, query, run_into};

const PEOPLE: u64 = 2_000;

/// Texts of few words in two languages, lists, and places.
fn fill(database: &Database) {
    let english = ["Good", "Will", "Hunting", "the Trains", "were running", "far", "away", "Ærø"];
    let german = ["Häuser", "Haus", "Wälder", "der Zug", "fährt", "läuft"];
    let text = |words: &[&str], number: u64| {
        let word = |place: u64| words[(number * 7 + place * place * 5) as usize % words.len()];
        let rare = if number % 500 == 7 { " zebras" } else { "" };
        format!("{} {} {}{rare}", word(0), word(1), word(2))
    };
    let mut set = String::new();
    for number in 1..=PEOPLE {
        let (one, other) = (text(&english, number), text(&german, number));
        let (east, north) = ((number % 360) as f64 - 180.0, (number % 170) as f64 - 85.0);
        for value in [
            format!("<name> \"{one}\""),
            format!("<name> \"{other}\"@de"),
            format!("<tag> \"tag {} word\"", number % 300),
            format!("<tag> \"other{}\"", number % 7),
            format!("<home> \"{{'type':'Point','coordinates':[{east},{north}]}}\"^^<geo:geojson>"),
        ] {
            set.push_str(&format!("<{number:#x}> {value} .\n"));
        }
    }
    mutate(database, &set, "").expect("it is right");
}

/// Functions, and whether an index narrows them.
const QUERIES: [(&str, bool); 15] = [
    ("allofterms(name, \"zebras FAR\")", true),
    ("anyofterms(name, \"zebras lion\")", true),
    ("anyofterms(name, \"\")", false),
    ("alloftext(name, \"zebras\")", true),
    ("anyoftext(name, \"the zebra\")", true),
    ("anyoftext(name, \"the\")", true),
    ("alloftext(name@de, \"zebra\")", true),
    ("anyofterms(name@de, \"zebras\")", true),
    ("ngram(name, \"far away zebra\")", true),
    ("regexp(name, /zeb[rs]a/)", true),
    ("regexp(name, /ZEBRA/i)", true),
    ("allofterms(tag, \"17 tag\")", true),
    ("anyofterms(tag, \"other3 299\")", true),
    ("anyofterms(tag, \"tag\")", false),
    ("near(home, [10.0, 20.0], 100000)", true),
];

fn profile(database: &Database, text: &str) -> String {
    let statements = Statements::Text(DQL.profiled(text).into());
    let mut profiled = Profiled::default();
    run_into(database, &DQL, (statements, Vec::new(), true), &mut profiled).expect("it runs");
    profiled.0
}

const SCHEMA: &str = "name: string @lang @index(term, fulltext, trigram, ngram) .\n\
    tag: [string] @index(term) .\nhome: geo @index(geo) .";

#[test]
fn what_an_index_finds_is_what_a_scan_finds_and_the_profile_names_it() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "name: string @lang .\ntag: [string] .\nhome: geo .").unwrap();
    fill(&database);
    // A filter needs no index.
    let filtered =
        |function: &str| format!("{{ q(func: has(home)) @filter({function}) {{ uid }} }}");
    let scanned: Vec<String> = QUERIES
        .iter()
        .map(|(function, _)| query(&database, &filtered(function)).unwrap())
        .collect();
    alter(&database, SCHEMA).unwrap();
    for ((function, is_narrowed), expected) in QUERIES.iter().zip(&scanned) {
        let at_root = format!("{{ q(func: {function}) {{ uid }} }}");
        assert_eq!(&query(&database, &at_root).unwrap(), expected, "{function}");
        let profile = profile(&database, &at_root);
        assert_eq!(profile.contains("\"Index ("), *is_narrowed, "{function}: {profile}");
    }
}

/// Languages are as many as in film data, and come with mutations: the schema was there before.
#[test]
fn a_language_that_a_mutation_brings_has_the_indexes_of_its_predicate() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "name: string @lang @index(hash, term, fulltext, trigram) .").unwrap();
    let tags: Vec<String> =
        (b'a'..=b'z').map(|letter| format!("{}x", char::from(letter))).collect();
    let set = |nodes: std::ops::Range<u64>, tags: &[String]| {
        let values = nodes.flat_map(|number| {
            tags.iter()
                .map(move |tag| format!("<{number:#x}> <name> \"word{number} {tag}\"@{tag} .\n"))
        });
        mutate(&database, &values.collect::<String>(), "").unwrap();
    };
    set(1..200, &tags[..1]);
    set(200..400, &tags[1..]);
    // Where there are many nodes, the store makes indexes beside the mutations that follow.
    set(400..6_000, &["de".to_owned()]);
    set(6_000..6_200, &["fr".to_owned()]);
    for (tag, number) in [("ax", 7), ("bx", 207), ("zx", 399), ("de", 5_999), ("fr", 6_007)] {
        for function in [
            format!("eq(name@{tag}, \"word{number} {tag}\")"),
            format!("allofterms(name@{tag}, \"word{number}\")"),
            format!("alloftext(name@{tag}, \"word{number}\")"),
            format!("regexp(name@{tag}, /word{number} /)"),
        ] {
            let text = format!("{{ q(func: {function}) {{ uid }} }}");
            let expected = format!("{{\"q\":[{{\"uid\":\"{number:#x}\"}}]}}");
            assert_eq!(query(&database, &text).unwrap(), expected, "{function}");
            let profile = profile(&database, &text);
            assert!(profile.contains("\"Index ("), "{function}: {profile}");
        }
    }
}

#[test]
fn a_page_in_the_order_of_a_value_is_read_from_its_index() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "name: string @index(exact) @lang .\nhome: geo .\ntag: [string] .").unwrap();
    fill(&database);
    for (root, order) in [
        ("has(name)", "orderasc: name, first: 10"),
        ("ge(name, \"Will\")", "orderasc: name, first: 10"),
        ("has(name)", "orderdesc: name, first: 10, offset: 5"),
    ] {
        let text = format!("{{ q(func: {root}, {order}) {{ uid name }} }}");
        let profile = profile(&database, &text);
        assert!(profile.contains("in order of name"), "{text}: {profile}");
        // Nodes of a variable are sorted.
        let sorted =
            format!("{{ v as var(func: {root}) q(func: uid(v), {order}) {{ uid name }} }}");
        assert_eq!(query(&database, &text).unwrap(), query(&database, &sorted).unwrap(), "{text}");
    }
}

#[test]
fn a_mutation_has_no_profile() {
    let profiled = DQL.profiled("{ set { <1> <name> \"a\" . } }");
    let error = DQL.parse(&profiled).map(drop).expect_err("it is no query");
    assert!(error.to_string().contains("only a query has a profile"), "{error}");
}

/// A page was read with all nodes of its last value, however many these are: 2,223 nodes for the first ten of 200,000 with 90
/// ages.
#[test]
fn a_page_in_the_order_of_a_value_that_many_have_reads_its_nodes_alone() {
    let database = Database::in_memory(Default::default()).unwrap();
    let schema = "age: int @index(int) .\nname: string @index(exact) .";
    alter(&database, "age: int .\nname: string .").unwrap();
    let line = |node: u64| {
        let age = node * 7 % 3;
        format!("<{node:#x}> <age> \"{age}\" .\n<{node:#x}> <name> \"n{}\" .\n", node % 5)
    };
    mutate(&database, &(1..3_000).map(line).collect::<String>(), "").unwrap();
    let page = |order: &str, more: &str| {
        format!("{{ q(func: ge(age, 1), {order}, first: 10{more}) {{ uid age name }} }}")
    };
    let sorted = |order: &str| {
        let text = format!(
            "{{ q(func: has(age), {order}, first: 10) @filter(ge(age, 1)) {{ uid age name }} }}"
        );
        query(&database, &text).unwrap()
    };
    let orders = ["orderasc: age", "orderdesc: age", "orderasc: age, orderdesc: name"];
    let expected = orders.map(sorted);
    alter(&database, schema).unwrap();
    for (order, expected) in orders.iter().zip(&expected) {
        assert_eq!(&query(&database, &page(order, "")).unwrap(), expected, "{order}");
    }
    let profile = profile(&database, &page("orderasc: age", ""));
    let step = profile.split("in order of age").nth(1).unwrap_or_default();
    let count = step.split("\"elementCount\", ").nth(1).unwrap_or_default();
    let count: String = count.chars().take_while(char::is_ascii_digit).collect();
    assert!(count.parse::<u64>().is_ok_and(|count| count < 100), "{profile}");
}
