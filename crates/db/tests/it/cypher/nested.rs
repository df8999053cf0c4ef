//! Texts that nest: deep ones, and short ones that nest functions which stand for an expression with an operand several
//! times.

use millrace_model::ErrorKind;

use super::Graph;

/// Symptom: forty of them made an expression of 2^40 parts, until the kernel ended the process.
#[test]
fn functions_that_repeat_an_operand_are_bounded_however_they_nest() {
    let graph = Graph::new();
    for (open, close) in [
        ("coalesce(", ", 2)"),
        ("nullIf(", ", 2)"),
        ("CASE ", " WHEN 1 THEN 1 WHEN 2 THEN 2 END"),
        ("0 < ", " < 2"),
        ("[1, 2][", "]"),
    ] {
        for levels in [3, 40] {
            let (open, close) = (open.repeat(levels), close.repeat(levels));
            let brackets = if open.starts_with("0 <") { ("(", ")") } else { ("", "") };
            let open = open.replace("0 <", &format!("{}0 <", brackets.0));
            let close = close.replace("< 2", &format!("< 2{}", brackets.1));
            let found = graph.run(&format!("RETURN {open}1{close} AS x"));
            if let Err(error) = found {
                let is_bounded = error.kind == ErrorKind::LimitReached && 3 < levels;
                assert!(is_bounded || error.kind == ErrorKind::BadQuery, "{open}: {error}");
            }
        }
    }
}

/// What generated texts nest, as the texts in and behind each level.
const GENERATED: [(&str, &str); 11] = [
    ("(", ")"),
    ("(1 + ", ")"),
    ("1 - (", ")"),
    ("toInteger(toString(", "))"),
    ("replace(replace(toString(", "), '1', '2'), '2', '1')"),
    ("CASE WHEN $p = 0 THEN 0 ELSE ", " END"),
    ("head([x IN [", "] | x])"),
    ("reduce(s = 0, x IN [", "] | s + x)"),
    ("size([", "])"),
    ("- ", ""),
    ("- 1 + ", ""),
];

/// Symptom: texts of more than 100 levels were refused. Each level takes memory, and none takes a stack of the thread.
#[test]
fn a_text_nests_as_deep_as_generators_write_it_on_a_thread_of_two_mebibytes() {
    let run = || {
        let graph = Graph::new();
        for (open, close) in GENERATED {
            let levels = 1_000 / open.matches(['(', '[', '{']).count().max(1);
            let deep = |levels: usize| format!("{}1{}", open.repeat(levels), close.repeat(levels));
            for text in [
                format!("WITH $p AS q RETURN {} AS x", deep(levels)),
                format!("MATCH (n) WHERE n.x = {} RETURN n.x AS x", deep(levels)),
                format!("CREATE (n {{x: {}}}) RETURN n.x AS x", deep(levels)),
            ] {
                let begun = text.get(..60).unwrap_or(&text).to_owned();
                graph
                    .run(&text.replace("$p", "7"))
                    .unwrap_or_else(|error| panic!("{begun}: {error}"));
                graph
                    .run(&text.replace("$p", "(7 + 1)"))
                    .unwrap_or_else(|error| panic!("{begun}: {error}"));
            }
            let error = graph.run(&format!("RETURN {}", deep(5_000))).map(drop).unwrap_err();
            assert_eq!(error.kind, ErrorKind::LimitReached, "{open}: {error}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run);
    thread.expect("it starts").join().expect("the stack suffices");
}

/// Symptom: each part was a level of the plan, and 6,000 ended the process.
#[test]
fn a_union_of_thousands_of_parts_is_one_level() {
    let text = vec!["RETURN 1 AS x"; 6_000].join(" UNION ");
    assert_eq!(Graph::new().ask(&text), ["1"]);
}
