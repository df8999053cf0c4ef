//! A text that is too large, too deep or too long ends in an error that names the bound, and soon.

use std::time::{Duration, Instant};

use millrace_gremlin::limits::{ITEMS_MAX, NESTING_MAX, TEXT_BYTES_MAX};
use millrace_gremlin::text::{Language, parse};
use millrace_model::ErrorKind;

/// More than a parser in linear time takes for any of these, however slow the machine.
const SOON: Duration = Duration::from_secs(30);

fn refused(text: &str, bound: &str) {
    let began = Instant::now();
    let error = parse(text, Language::Groovy).expect_err("it is too much");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
    assert!(error.detail.contains(bound), "{error}");
}

#[test]
fn whatever_nests_has_a_depth_it_may_reach_and_one_it_may_not() {
    let open_and_close = |open: &str, core: &str, close: &str, levels: usize| {
        format!("g.V({}{core}{})", open.repeat(levels), close.repeat(levels))
    };
    for (open, core, close) in [
        ("[", "1", "]"),
        ("{", "1", "}"),
        ("[a:", "1", "]"),
        ("(", "1", ")"),
        ("__.not(", "__.out()", ")"),
        ("not(", "eq(1)", ")"),
        ("P.not(", "P.eq(1)", ")"),
        ("list(", "1", ")"),
        ("out(", "'a'", ").in()"),
        ("(int) ", "1", ""),
        ("g.V(", "1", ").next()"),
        ("eq(1).and(", "eq(2)", ")"),
    ] {
        let sound = open_and_close(open, core, close, NESTING_MAX / 2);
        parse(&sound, Language::Gremlin).unwrap_or_else(|error| panic!("{open}: {error}"));
        for levels in [NESTING_MAX, 1_000_000] {
            refused(&open_and_close(open, core, close, levels), "nested");
        }
    }
}

#[test]
fn predicates_joined_by_turns_nest_and_those_joined_alike_do_not() {
    let by_turns =
        |pairs: usize| format!("g.V().is(eq(1){})", ".and(eq(2)).or(eq(3))".repeat(pairs));
    parse(&by_turns(NESTING_MAX / 4), Language::Gremlin).expect("it is not too deep");
    refused(&by_turns(NESTING_MAX), "nested");
    let negated = format!("g.V().is(eq(1){})", ".negate()".repeat(NESTING_MAX / 2));
    parse(&negated, Language::Gremlin).expect("twice is not at all");
}

#[test]
fn texts_of_very_many_parts_are_refused() {
    refused(&format!("g.inject({}1)", "1,".repeat(ITEMS_MAX)), "more than");
    refused(&format!("g.V(){}", ".in()".repeat(ITEMS_MAX)), "more than");
    refused(&"g.V();".repeat(ITEMS_MAX), "more than");
    refused("g.inject(1..2000000)", "more than");
    refused(&format!("g.inject({}1)", "1..99999,".repeat(11)), "more than");
}

#[test]
fn a_text_of_very_many_bytes_is_refused_unread() {
    refused(&" ".repeat(TEXT_BYTES_MAX + 1), "bytes");
    refused(&format!("g.V({}", "(".repeat(100 << 20)), "bytes");
}

/// Twice the text takes twice the time, not four times: texts that would tempt a parser to look back.
#[test]
fn long_texts_are_read_in_the_time_of_their_length() {
    let long = 1 << 21;
    for text in [
        format!("g.inject('{}')", "é\\n".repeat(long / 4)),
        format!("g.inject({})", "[:],".repeat(long / 8) + "1"),
        format!("// {}\ng.V()", "x".repeat(long)),
        format!("/*{}*/ g.V()", "*".repeat(long)),
        format!(
            "g.inject([{}])",
            (0..long / 16).map(|n| format!("k{n}: {n}")).collect::<Vec<_>>().join(",")
        ),
        format!("g.V(){}", "\n.out()".repeat(long / 16)),
        format!("g.V({})", "x,".repeat(long / 16) + "y"),
    ] {
        let began = Instant::now();
        parse(&text, Language::Gremlin).expect("it is long and sound");
        assert!(began.elapsed() < SOON, "{:?}: {}", began.elapsed(), &text[..20]);
    }
    for open in ["'", "\"\"\"", "/*", "'\\"] {
        parse(&open.repeat(long / 4), Language::Groovy).expect_err("it has no end");
    }
}
