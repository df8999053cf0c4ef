//! Queries for full text: what is read, what is asked of keys, and which texts match.

use std::collections::BTreeSet;

use millrace_model::random::SplitMix64;
use millrace_model::{ErrorKind, TextPosition, Value};
use millrace_terms::query::{Corpus, Fields, Occur, Query, WordPositions, parse};
use millrace_terms::score::TextStatistics;
use millrace_terms::{Analyzer, KeyExtractor, KeyQuestion};
use millrace_testkit::run_seeds;

/// A query as the `toString` of Lucene 9.11 shows it, which gave what these tests expect; fields and boosts have
/// more parentheses here.
fn shown(query: &Query) -> String {
    match query {
        Query::Boolean(clauses) => {
            let clause = |occur: Occur| match occur {
                Occur::Must => "+",
                Occur::Should => "",
                Occur::MustNot => "-",
            };
            let parts: Vec<String> = clauses
                .iter()
                .map(|own| {
                    let text = shown(&own.query);
                    let is_group = matches!(own.query, Query::Boolean(_));
                    let text = if is_group { format!("({text})") } else { text };
                    format!("{}{text}", clause(own.occur))
                })
                .collect();
            parts.join(" ")
        }
        Query::Term(word) => word.clone(),
        Query::Phrase { text, slop: 0 } => format!("\"{text}\""),
        Query::Phrase { text, slop } => format!("\"{text}\"~{slop}"),
        Query::Prefix(word) => format!("{word}*"),
        Query::Wildcard(pattern) => pattern.clone(),
        Query::Regex(pattern) => format!("/{pattern}/"),
        Query::Fuzzy { word, edits } => format!("{word}~{edits}"),
        Query::Range { low, high } => {
            let word = |bound: &Option<millrace_terms::query::Bound>| {
                bound.as_ref().map_or("*".to_owned(), |own| own.word.clone())
            };
            let is_in = |bound: &Option<millrace_terms::query::Bound>| {
                bound.as_ref().is_none_or(|own| own.is_included)
            };
            let (open, close) =
                (if is_in(low) { '[' } else { '{' }, if is_in(high) { ']' } else { '}' });
            format!("{open}{} TO {}{close}", word(low), word(high))
        }
        Query::All => "*:*".into(),
        Query::Field(name, query) => format!("{name}:({})", shown(query)),
        Query::Boost(query, boost) => format!("({})^{boost}", shown(query)),
    }
}

fn read(text: &str) -> String {
    shown(&parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}")))
}

#[test]
fn and_or_and_not_have_no_precedence() {
    assert_eq!(read("a b"), "a b");
    assert_eq!(read("a AND b"), "+a +b");
    assert_eq!(read("a OR b AND c"), "a +b +c");
    assert_eq!(read("a AND b OR c"), "+a +b c");
    assert_eq!(read("a AND NOT b"), "+a -b");
    assert_eq!(read("NOT a AND b"), "-a +b");
    assert_eq!(read("a && b || !c"), "+a +b -c");
    assert_eq!(read("+a -b c"), "+a -b c");
    assert_eq!(read("(a OR b) AND c"), "+(a b) +c");
    assert_eq!(read("a OR NOT b"), "a -b");
    assert_eq!(read("rock - roll"), "rock - roll");
    assert_eq!(read("-(a) b (-c)"), "-a b (-c)");
    assert_eq!(read("-a"), "-a");
    assert_eq!(read("and or not"), "and or not");
}

#[test]
fn terms_of_every_kind() {
    assert_eq!(read("app* a?p*e"), "app* a?p*e");
    assert_eq!(read("roam~ roam~1 roam~0.8 roam~5"), "roam~2 roam~1 roam~0 roam~2");
    // Letters behind it belong to it, and say nothing.
    assert_eq!(read("roam~abc roam~1x roam~1f \"a b\"~x"), "roam~2 roam~2 roam~1 \"a b\"");
    assert_eq!(read(r"/fo+x?/ t:/a\/b/^2 a/b/c"), r"/fo+x?/ t:((/a\/b/)^2) a /b/ c");
    assert_eq!(read("\"big apple\" \"big apple\"~3"), "\"big apple\" \"big apple\"~3");
    assert_eq!(read("title:word title:(a b)^2 t\\:x:y"), "title:(word) title:((a b)^2) t:x:(y)");
    assert_eq!(read("[a TO b] {a TO b} [a TO *] {* TO b]"), "[a TO b] {a TO b} [a TO *] [* TO b]");
    assert_eq!(read("*:* x:* *"), "*:* x:(*) *");
    assert_eq!(read("a^4 \"b c\"~2^0.5"), "(a)^4 (\"b c\"~2)^0.5");
    assert_eq!(read(r"\(1\+1\)\:2 wi-fi C\+\+ \u0041b a\*"), "(1+1):2 wi-fi C++ Ab a*");
    assert_eq!(read(""), "");
}

#[test]
fn errors_have_their_position() {
    let at = |text: &str| {
        let error = parse(text).expect_err(text);
        assert_eq!(error.kind, ErrorKind::BadQuery, "{text}");
        error.position.map(|TextPosition { line, column }| (line, column)).expect("a position")
    };
    assert_eq!(at("a (b c"), (1, 3));
    assert_eq!(at("a b) c"), (1, 4));
    assert_eq!(at("a\n \"b c"), (2, 2));
    assert_eq!(at("AND a"), (1, 1));
    assert_eq!(at("a AND"), (1, 6));
    assert_eq!(at("a ()"), (1, 3));
    assert_eq!(at("(~"), (1, 2));
    assert_eq!(at("a [b TO"), (1, 3));
    assert_eq!(at("a [b c]"), (1, 3));
    assert_eq!(at("a ]"), (1, 3));
    assert_eq!(at("a ^"), (1, 3));
    assert_eq!(at("a~1.5"), (1, 1));
    assert_eq!(at("a*~"), (1, 1));
    assert_eq!(at("a /b"), (1, 3));
    assert_eq!(at("a /b(c/"), (1, 6));
    assert_eq!(at("t:/b~c/"), (1, 5));
    assert_eq!(at("a~-1"), (1, 1));
    assert_eq!(at("a\\"), (1, 1));
    assert_eq!(at("é: :"), (1, 4));
}

#[test]
fn a_query_is_bounded() {
    let many = "a ".repeat(1_025);
    let deep = format!("{}a{}", "(".repeat(65), ")".repeat(65));
    let long = "a".repeat(65_537);
    for text in [many, deep, long] {
        assert_eq!(parse(&text).expect_err("too much").kind, ErrorKind::LimitReached);
    }
}

fn fields(analyzer: Analyzer, texts: &[(&str, &str)]) -> Fields {
    let mut fields = Fields::new();
    for (name, text) in texts {
        let own: &mut WordPositions = fields.entry((*name).to_owned()).or_default();
        own.add(analyzer, text, None).expect("a short text");
    }
    fields
}

fn matches(query: &str, texts: &[(&str, &str)]) -> bool {
    let analyzer = Analyzer::named("english").expect("a name");
    let query = parse(query).expect("a query").analyzed(analyzer, None).expect("short words");
    query.matches(&fields(analyzer, texts)).expect("no limits")
}

#[test]
fn texts_match_as_in_lucene() {
    let text: &[(&str, &str)] =
        &[("title", "The Quick Brown Foxes"), ("body", "jumped over the lazy dogs")];
    for query in [
        "fox",
        "FOXES",
        "missing fox",
        "+fox dog",
        "fox AND jumping",
        "\"quick brown fox\"",
        "\"quick fox\"~1",
        "\"brown quick\"~2",
        "title:fox",
        "body:(lazy AND dog)",
        "qui*",
        "q?ick",
        "*uic*",
        "quikc~1",
        "[f TO g]",
        "*:*",
        "fox -cat",
        "\"jumped over the lazy\"",
        "the fox",
        "-cat *:*",
        "title:[* TO *]",
    ] {
        assert!(matches(query, text), "{query}");
    }
    for query in [
        "cat",
        "+cat fox",
        "fox AND cat",
        "\"quick fox\"",
        "\"brown quick\"~1",
        "title:dog",
        "fox -dog",
        "-cat",
        "qui?",
        "quikc~0",
        "{g TO h}",
        "the",
        "\"over lazy\"",
        "",
        "the -cat",
        "\"fox jumped\"",
    ] {
        assert!(!matches(query, text), "{query}");
    }
}

struct Counts;

impl Corpus for Counts {
    fn statistics(&self, _: &str) -> TextStatistics {
        TextStatistics { text_count: 7, word_count: 21 }
    }

    fn texts_with(&self, _: &str, word: &str) -> u64 {
        if word == "rare" { 1 } else { 5 }
    }
}

#[test]
fn scores_grow_with_rarity_boosts_and_clauses() {
    let analyzer = Analyzer::named("simple").expect("a name");
    let fields = fields(analyzer, &[("a", "rare common words"), ("b", "common")]);
    let score = |query: &str| {
        let query = parse(query).expect("a query").analyzed(analyzer, None).expect("short words");
        query.score(&fields, &Counts).expect("no limits")
    };
    let number = |query: &str| score(query).expect("a match");
    assert!(number("a:common") < number("a:rare"));
    assert!((number("rare^3") - 3.0 * number("rare")).abs() < 1e-12);
    assert!((number("common") - number("a:common") - number("b:common")).abs() < 1e-12);
    assert!((number("rare words") - number("rare") - number("words")).abs() < 1e-12);
    assert!((number("\"rare common\"") - number("a:rare") - number("a:common")).abs() < 1e-12);
    assert_eq!((score("comm*"), score("none")), (Some(2.0), None));
    assert!(number("rarr~1") < number("rare~1"));
}

/// A query of words that the texts have.
fn query(random: &mut SplitMix64, depth: u32) -> String {
    let words = ["run", "cats", "Running", "the", "fox", "l'eau", "ca", "x"];
    let word = *random.pick(&words);
    let mut below = |depth: u32| query(random, depth.saturating_sub(1));
    let (first, second) =
        if depth == 0 { (word.to_owned(), word.to_owned()) } else { (below(depth), below(depth)) };
    match random.below(if depth == 0 { 8 } else { 16 }) {
        0 => format!("{word}*"),
        1 => format!("{word}~1"),
        2 => format!("\"{word} {}\"~{}", random.pick(&words), random.below(3)),
        3 => format!("[{word} TO z]"),
        4 => format!("*{word}"),
        5 => format!("{{a TO {word}]"),
        6..8 => word.to_owned(),
        8 => format!("({first} AND {second})"),
        9 => format!("({first} OR {second})"),
        10 => format!("(+{first} -{second})"),
        11 => format!("({first})^2"),
        12 => format!("a:({first})"),
        13 => format!("NOT {first}"),
        _ => format!("{first} {second}"),
    }
}

#[test]
fn no_text_that_matches_is_lost() {
    let (mut matched, mut narrowed) = (0, 0);
    run_seeds(1_500, |_, random| {
        let name = *random.pick(&[
            "english",
            "simple",
            "whitespace",
            "french",
            "standard-folding",
            "german",
        ]);
        let analyzer = Analyzer::named(name).expect("a name");
        let text = query(random, 2);
        let Ok(query) = parse(&text) else { return };
        let query = query.analyzed(analyzer, None).expect("short words");
        let question = query.key_question();
        for _ in 0..6 {
            let words =
                ["runs", "cat", "running", "the", "foxes", "L'eau", "caf\u{e9}", "xy", "car"];
            let own: Vec<&str> = (0..random.below(6)).map(|_| *random.pick(&words)).collect();
            let own = own.join(" ");
            let mut keys = BTreeSet::new();
            let each = &mut |key: &[u8], _| {
                keys.insert(key.to_vec());
                Ok(())
            };
            KeyExtractor::Words(analyzer)
                .keys_of(&Value::from(own.as_str()), None, each)
                .expect("short");
            let is_match = query.matches(&fields(analyzer, &[("a", &own)])).expect("no limits");
            let is_candidate = question.is_satisfied_by(&keys);
            assert!(is_candidate || !is_match, "{name} {text:?} {own:?} {question:?}");
            matched += u32::from(is_match);
            narrowed += u32::from(!is_candidate);
        }
    });
    assert!(500 < matched && 500 < narrowed, "{matched} {narrowed}");
}

#[test]
fn no_text_is_too_odd_for_the_parser() {
    const PARTS: &[&str] = &[
        "a", "é", " ", "AND", "OR", "NOT", "&&", "||", "+", "-", "!", "(", ")", ":", "^", "[", "]",
        "{", "}", "\"", "~", "*", "?", "\\", "/", "TO", "1", ".", "\u{3000}", "\\u00", "\\ud800",
        "*:*", "\n",
    ];
    run_seeds(20_000, |_, random| {
        let text: String = (0..random.below(14)).map(|_| *random.pick(PARTS)).collect();
        match parse(&text) {
            Ok(query) => {
                let analyzer = Analyzer::named("german").expect("a name");
                let query = query.analyzed(analyzer, None).expect("short words");
                let _ = query.matches(&fields(analyzer, &[("a", "A é TO 1")])).expect("no limits");
                let _: KeyQuestion = query.key_question();
            }
            Err(error) => {
                assert!(error.position.is_some() && error.kind == ErrorKind::BadQuery, "{text:?}");
            }
        }
    });
}
