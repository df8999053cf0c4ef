//! Behind an error the text is read on, so that a client sees all of them at once.

use millrace_cypher::check;
use millrace_model::{ErrorKind, Phase};

fn positions(text: &str) -> Vec<(u32, u32)> {
    let errors = check(text);
    errors.iter().filter_map(|error| error.position).map(|at| (at.line, at.column)).collect()
}

#[test]
fn each_clause_and_statement_has_its_own_errors() {
    assert_eq!(positions("MATCH (n RETURN n"), [(1, 10)]);
    assert_eq!(positions("MATCH (n:)\nWITH n LIMT 3\nRETURN n."), [(1, 10), (2, 8), (3, 10)]);
    assert_eq!(positions("RETURN 1 +; RETURN 2; MTCH (n) RETURN n;"), [(1, 11), (1, 23)]);
    assert_eq!(positions("RETURN [1, ; RETURN (2"), [(1, 12), (1, 23)]);
    assert_eq!(positions("CREATE (n {k: }) RETURN n"), [(1, 15)]);
    assert_eq!(positions("MATCH (n) WHERE n.x = = 1 RETURN n, RETURN n"), [(1, 23), (1, 37)]);
}

#[test]
fn a_subquery_has_its_own_errors() {
    let text = "MATCH (n) WHERE EXISTS { MATCH (n)-[>(m) RETURN m } RETURN n.";
    assert_eq!(positions(text), [(1, 37), (1, 62)]);
    assert_eq!(positions("CALL { RETURN 1 AS } RETURN 2 AS"), [(1, 20), (1, 33)]);
    assert_eq!(
        positions("FOREACH (x IN [1] | CREAT (n) SET n. ) RETURN :"),
        [(1, 21), (1, 38), (1, 47)]
    );
}

#[test]
fn errors_of_tokens_come_in_order_with_the_others() {
    assert_eq!(positions("RETURN 0x, 'a\\u' AS AS x\n, 1x"), [(1, 8), (1, 14), (1, 24), (2, 3)]);
}

#[test]
fn every_error_has_its_position_and_the_phase() {
    for text in ["RETURN", "RETURN 'a", "CYPHER 25 RETURN 1", "FOO", ")", "RETURN 1)", "}", "MATCH"]
    {
        let errors = check(text);
        assert!(!errors.is_empty(), "{text}");
        for error in errors {
            assert!(error.position.is_some(), "{text}: {error}");
            assert_eq!(error.phase, Phase::Parse, "{text}");
            assert!(matches!(error.kind, ErrorKind::BadQuery | ErrorKind::Unsupported), "{error}");
        }
    }
}
