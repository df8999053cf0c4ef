//! Texts that are too large, too deep or too long end in an error that names the bound.

use millrace_cypher::check;
use millrace_cypher::limits::{ERRORS_MAX, HEIGHT_MAX, NESTING_MAX, TEXT_BYTES_MAX, TOKENS_MAX};
use millrace_model::ErrorKind;

fn refused(text: &str, bound: &str) {
    let errors = check(text);
    let is_named = |error: &millrace_model::Error| {
        error.kind == ErrorKind::LimitReached && error.detail.contains(bound)
    };
    let shown = text.get(..60).unwrap_or(text);
    assert!(errors.iter().any(is_named), "{shown}: {errors:?}");
}

/// What nests, as the texts before, in and behind it.
const NESTED: [(&str, &str, &str, &str, &str); 27] = [
    ("RETURN ", "(", "1", ")", ""),
    ("RETURN ", "[", "1", "]", ""),
    ("RETURN ", "[x IN ", "[]", "]", ""),
    ("RETURN ", "[x IN [] | ", "1", "]", ""),
    ("RETURN ", "[(a)-->(b) | ", "1", "]", ""),
    ("RETURN ", "{k: ", "1", "}", ""),
    ("RETURN ", "n {k: ", "1", "}", ""),
    ("RETURN ", "f(", "1", ")", ""),
    ("RETURN ", "all(x IN ", "[]", " WHERE true)", ""),
    ("RETURN ", "reduce(a = 0, x IN [] | ", "1", ")", ""),
    ("RETURN ", "CASE WHEN true THEN ", "1", " END", ""),
    ("RETURN ", "CASE ", "1", " WHEN 1 THEN 1 END", ""),
    ("RETURN ", "NOT ", "true", "", ""),
    ("RETURN ", "- ", "x", "", ""),
    ("RETURN ", "1 + (2 * ", "3", ")", ""),
    ("RETURN ", "x[", "0", "]", ""),
    ("RETURN ", "EXISTS { RETURN ", "1", " }", ""),
    ("RETURN ", "COUNT { (n) WHERE ", "true", " }", ""),
    ("RETURN x IS :: ", "LIST<", "INTEGER", ">", ""),
    ("MATCH (n:", "(", "A", ")", ") RETURN n"),
    ("MATCH (n:", "!", "A", "", ") RETURN n"),
    ("MATCH (n:", "$(n:", "A", ")", ") RETURN n"),
    ("MATCH ", "(", "(a)-->(b)", ")", " RETURN 1"),
    ("MATCH ", "(n {k: ", "1", "})", " RETURN 1"),
    ("", "CALL { ", "RETURN 1 AS x", " }", ""),
    ("", "FOREACH (x IN [] | ", "CREATE (n)", ")", ""),
    ("MATCH (n WHERE ", "EXISTS { (n WHERE ", "true", ") }", ") RETURN n"),
];

fn nested(
    (before, open, core, close, behind): (&str, &str, &str, &str, &str),
    levels: usize,
) -> String {
    format!("{before}{}{core}{}{behind}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn whatever_nests_has_a_depth_it_may_reach_and_one_it_may_not() {
    for form in NESTED {
        let deep = nested(form, 10_000);
        // A map in the properties of a node cannot hold a node.
        if form.1.starts_with("(n {k: ") {
            assert!(!check(&deep).is_empty(), "{}", form.1);
            continue;
        }
        assert_eq!(check(&nested(form, NESTING_MAX / 8)), [], "{}", form.1);
        // Operators before one operand nest half as deep, and are in a row.
        let is_operator = ["NOT ", "- ", "!"].contains(&form.1);
        refused(&deep, if is_operator { "in a row" } else { "nested" });
    }
}

#[test]
fn brackets_that_are_never_closed_are_an_error() {
    for (before, open, ..) in NESTED {
        assert!(!check(&format!("{before}{}", open.repeat(10_000))).is_empty(), "{open}");
    }
}

/// A thread of two mebibytes, as servers have them, holds the deepest text that is read.
#[test]
fn the_deepest_text_fits_the_stack_of_a_thread() {
    let read = || {
        for form in NESTED {
            check(&nested(form, 10_000));
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(read);
    thread.expect("a thread").join().expect("it does not overflow");
}

#[test]
fn operators_in_a_row_are_bounded_and_connectives_are_not() {
    let row = |operator: &str, count: usize| format!("RETURN 1{}", operator.repeat(count));
    for operator in [" + 1", " * 1", " ^ 1", " IN 1", " || 1", " IS NULL"] {
        assert_eq!(check(&row(operator, HEIGHT_MAX - 2)), [], "{operator}");
        refused(&row(operator, HEIGHT_MAX + 1), "in a row");
    }
    refused(&format!("RETURN n{}", ".k".repeat(HEIGHT_MAX + 1)), "in a row");
    refused(&format!("RETURN n{}", "[0]".repeat(100_000)), "in a row");
    for operator in [" OR x", " AND x", " XOR x", " = 1", " < 1"] {
        assert_eq!(check(&format!("RETURN x{}", operator.repeat(50_000))), [], "{operator}");
    }
}

/// Each level repeats its subject twice: 2^40 of them would be gigabytes, of a text of a kilobyte.
#[test]
fn subjects_that_are_repeated_at_each_level_are_bounded() {
    let nested = |levels| {
        nested(("RETURN ", "CASE ", "1", " WHEN > 0 THEN 1 WHEN < 0 THEN 2 END", ""), levels)
    };
    assert_eq!(check(&nested(8)), []);
    refused(&nested(40), "subjects of CASE");
}

#[test]
fn texts_of_very_many_bytes_or_tokens_are_refused() {
    refused(&" ".repeat(TEXT_BYTES_MAX + 1), "bytes");
    refused(&"(".repeat(TOKENS_MAX + 1), "tokens");
}

#[test]
fn no_more_errors_are_reported_than_the_bound() {
    let errors = check(&"RETURN ;".repeat(10 * ERRORS_MAX));
    assert_eq!(errors.len(), ERRORS_MAX);
    assert!(check(&"# ".repeat(10 * ERRORS_MAX)).len() <= 2 * ERRORS_MAX);
}
