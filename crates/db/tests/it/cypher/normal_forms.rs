//! `normalize()` and `IS NORMALIZED`.

use super::Graph;

#[test]
fn texts_are_normalized_and_tested() {
    let graph = Graph::new();
    for (text, rows) in [
        (
            "RETURN normalize('A\\u030A') = '\\u00C5' AS a, size(normalize('\\u00C5', NFD)) AS b",
            ["true, 2"],
        ),
        (
            "RETURN normalize('\\uFB01', NFKC) AS a, normalize('\\uFB01', NFKD) AS b, normalize(null) AS c",
            ["fi, fi, null"],
        ),
        (
            "RETURN 'A\\u030A' IS NORMALIZED AS a, 'A\\u030A' IS NFD NORMALIZED AS b, 'a' IS NOT NFKC NORMALIZED AS c",
            ["false, true, false"],
        ),
        (
            "WITH [1, null] AS l RETURN l[0] IS NORMALIZED AS a, l[1] IS NOT NORMALIZED AS b",
            ["null, null"],
        ),
    ] {
        assert_eq!(graph.ask(text), rows, "{text}");
    }
}
