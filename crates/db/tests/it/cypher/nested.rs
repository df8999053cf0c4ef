//! Short texts that nest functions which stand for an expression with an operand several times.

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
