//! Texts that are too deep or too long end in an error that names the bound, and the time is linear.

use std::time::{Duration, Instant};

use millrace_dql::limits::{MATH_OPERATORS_MAX, NESTING_MAX, NODES_MAX, TEXT_BYTES_MAX};
use millrace_dql::{parse, parse_schema};
use millrace_model::ErrorKind;

use crate::texts::{Kind, is_read};

/// What nests, as the texts before, in and behind it.
const NESTED: [(&str, &str, &str, &str, &str); 9] = [
    ("{ q(func: uid(1)) ", "{ a ", "", "}", "}"),
    ("{ q(func: uid(1)) @filter(", "(", "has(a)", ")", ") }"),
    ("{ q(func: uid(1)) @filter(", "not ", "has(a)", "", ") }"),
    ("{ q(func: uid(1)) @filter(", "not (has(b) and (", "has(a)", "))", ") }"),
    ("{ q(func: eq(a, ", "[", "1", "]", ")) }"),
    ("{ q(func: uid(1)) { x: math(", "(", "a", ")", ") } }"),
    ("{ q(func: uid(1)) { x: math(", "-", "a", "", ") } }"),
    ("{ q(func: uid(1)) { x: math(", "ln(1 + ", "a", ")", ") } }"),
    ("{ q(func: uid(1)) { x: math(", "1 != 2 * (", "a", ")", ") } }"),
];

fn nested(
    (before, open, core, close, behind): (&str, &str, &str, &str, &str),
    levels: usize,
) -> String {
    format!("{before}{}{core}{}{behind}", open.repeat(levels), close.repeat(levels))
}

fn refused(text: &str, bound: usize) {
    let error = parse(text).expect_err("it is too much");
    assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
    assert!(error.detail.contains(&bound.to_string()), "{error}");
}

#[test]
fn what_nests_may_reach_some_depth_and_no_other() {
    for form in NESTED {
        assert!(is_read(Kind::Document, &nested(form, NESTING_MAX / 4 - 1)), "{}", form.1);
        for levels in [10_000, 1_000_000] {
            let text = nested(form, levels);
            let error = parse(&text).expect_err("it is too deep");
            let names = |bound: usize| error.detail.contains(&bound.to_string());
            assert_eq!(error.kind, ErrorKind::LimitReached, "{}: {error}", form.1);
            assert!(names(NESTING_MAX), "{}: {error}", form.1);
        }
    }
}

#[test]
fn a_row_of_operators_has_a_bound() {
    let row = |count: usize| format!("{{ q() {{ x: math({}a) }} }}", "a + ".repeat(count));
    assert!(is_read(Kind::Document, &row(MATH_OPERATORS_MAX)));
    refused(&row(MATH_OPERATORS_MAX + 1), MATH_OPERATORS_MAX);
}

#[test]
fn a_row_of_conditions_is_no_depth() {
    let row = "has(a) and has(b) or ".repeat(50_000);
    assert!(is_read(Kind::Document, &format!("{{ q(func: uid(1)) @filter({row}has(c)) }}")));
}

#[test]
fn a_tree_and_a_text_have_bounds() {
    refused(&format!("{{ q(func: uid(1)) {{ {}}} }}", "a ".repeat(NODES_MAX + 1)), NODES_MAX);
    refused(&format!("{{ q(func: uid({}1)) }}", "1,".repeat(NODES_MAX + 1)), NODES_MAX);
    refused(&" ".repeat(TEXT_BYTES_MAX + 1), TEXT_BYTES_MAX);
}

/// 16 MB of something that a reader might read again and again.
#[test]
fn the_time_is_linear() {
    let many = |text: &str| text.repeat((16 << 20) / text.len());
    let texts = [
        many("#"),
        many(" # \n"),
        many("a"),
        format!("{{ q(func: uid({}", many(" ")),
        format!("{{ q(func: eq(name, \"{}", many("\\\"")),
        format!("{{ q(func: regexp(name, /{}", many("\\/")),
        format!("{{ q(func: uid(1)) {{ a @facets({}", many("a")),
        format!("{{ q(func: uid(1)) {{ <{}", many("a")),
        format!("{{ set {{ {} }} }}", many("<a> <b> \"{\" .\n")),
        many("{"),
        many("@"),
        many("query"),
        many("...a "),
    ];
    for text in texts {
        let begin = Instant::now();
        let is_read = parse(&text).is_ok() | parse_schema(&text).is_ok();
        let shown = text.get(..40).unwrap_or_default();
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "{shown}: {is_read} after {:?}",
            begin.elapsed()
        );
    }
}

/// Every second node of a long text is such a child.
#[test]
fn a_child_is_small() {
    use millrace_dql::tree::{Child, Traversal};
    assert!(size_of::<Child>() + size_of::<Traversal>() <= 400);
}

#[test]
fn the_deepest_texts_fit_a_small_stack() {
    let read = || NESTED.iter().for_each(|form| assert!(parse(&nested(*form, 10_000)).is_err()));
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(read);
    thread.expect("a thread starts").join().expect("its stack is large enough");
}
