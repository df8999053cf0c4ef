//! `CALL { … } IN TRANSACTIONS`: batches, errors, what is left of them, and where it may stand.

use millrace_db::languages::Entry;
use millrace_db::session::{ExplicitTransaction, Request};
use millrace_model::ErrorKind;

use super::{Graph, Rows};
use crate::limits;

/// Asks one statement after the other and compares its rows.
fn check(statements: &[(&str, &[&str])]) {
    let graph = Graph::new();
    for (text, rows) in statements {
        let found: Vec<String> =
            graph.ask(text).into_iter().filter(|row| !row.is_empty()).collect();
        assert_eq!(found, *rows, "{text}");
    }
}

#[test]
fn batches_commit_one_after_the_other_and_their_rows_go_on() {
    check(&[
        (
            "UNWIND range(1, 2500) AS i CALL (i) { CREATE (n:N {i: i}) } IN TRANSACTIONS",
            &[],
        ),
        ("MATCH (n:N) RETURN count(*), sum(n.i)", &["2500, 3126250"]),
        (
            "MATCH (n:N) WHERE n.i <= 5 CALL { WITH n SET n.x = n.i * 2 RETURN n.x AS x }
             IN TRANSACTIONS OF 2 ROWS RETURN x ORDER BY x",
            &["2", "4", "6", "8", "10"],
        ),
        (
            "MATCH (n:N) CALL (n) { DETACH DELETE n } IN 4 CONCURRENT TRANSACTIONS OF 100 ROWS RETURN count(*)",
            &["2500"],
        ),
        ("MATCH (n:N) RETURN count(*)", &["0"]),
        (
            "UNWIND [1, 1, 2] AS i CALL (i) { MERGE (n:M {i: i}) ON MATCH SET n.again = true RETURN n }
             IN TRANSACTIONS OF 1 ROW RETURN n.i, n.again, labels(n)",
            &["1, true, [M]", "1, true, [M]", "2, null, [M]"],
        ),
        (
            "UNWIND [] AS i CALL (i) { CREATE (:O) } IN TRANSACTIONS RETURN count(*)",
            &["0"],
        ),
        ("CALL { CREATE (:P) } IN TRANSACTIONS", &[]),
        ("MATCH (p:P) RETURN count(*)", &["1"]),
    ]);
}

#[test]
fn a_batch_that_fails_is_rolled_back_alone_as_the_query_wants() {
    let failing = |rest: &str| {
        format!(
            "UNWIND [1, 2, 0, 4, 5] AS i CALL (i) {{ CREATE (n:N {{x: 10 / i}}) RETURN n.x AS x }} {rest}"
        )
    };
    for (rest, rows, left) in [
        (
            "IN TRANSACTIONS OF 2 ROWS RETURN i, x",
            vec!["error DivisionByZero: 10 / 0 divides an integer by zero"],
            "2",
        ),
        (
            "IN TRANSACTIONS OF 2 ROWS ON ERROR CONTINUE RETURN i, x",
            vec!["1, 10", "2, 5", "0, null", "4, null", "5, 2"],
            "3",
        ),
        (
            "IN TRANSACTIONS OF 2 ROWS ON ERROR BREAK REPORT STATUS AS s
             RETURN i, x, s.started, s.committed, s.errorMessage, s.transactionId IS NULL",
            vec![
                "1, 10, true, true, null, false",
                "2, 5, true, true, null, false",
                "0, null, true, false, 10 / 0 divides an integer by zero, false",
                "4, null, true, false, 10 / 0 divides an integer by zero, false",
                "5, null, false, false, null, true",
            ],
            "2",
        ),
        (
            "IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE REPORT STATUS AS s
             WITH s.committed AS c RETURN c, count(*) ORDER BY c",
            vec!["false, 1", "true, 4"],
            "4",
        ),
    ] {
        let graph = Graph::new();
        assert_eq!(graph.ask(&failing(rest)), rows, "{rest}");
        assert_eq!(graph.ask("MATCH (n:N) RETURN count(*)"), [left], "{rest}");
    }
}

#[test]
fn counts_of_changes_are_those_of_committed_batches() {
    let graph = Graph::new();
    let text = "UNWIND [1, 0, 2] AS i CALL (i) { CREATE (:N {x: 1 / i}) } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE";
    let counts = graph.run(text).expect("it runs").counts;
    assert_eq!((counts.vertices_created, counts.properties_set), (2, 2));
}

#[test]
fn it_stands_alone_and_outside_of_a_transaction() {
    let graph = Graph::new();
    let text = "CALL { CREATE (:N) } IN TRANSACTIONS";
    let Ok(Entry::Compiled(language)) = Entry::of_name("cypher") else { panic!("it is compiled") };
    let mut transaction = ExplicitTransaction::begin(false);
    let request = Request::text(language, text, "g1", limits());
    let refused =
        transaction.run(&graph.0, 0, &request, &mut Rows::default()).expect_err("refused");
    assert_eq!((refused.kind, refused.name), (ErrorKind::BadQuery, Some("TransactionStartFailed")));
    let two = graph.ask(&format!("{text}; {text}"));
    assert!(two[0].starts_with("error TransactionStartFailed"), "{two:?}");
    for (text, message) in [
        ("CALL { CALL { CREATE (:N) } IN TRANSACTIONS }", "nested"),
        (
            "CALL { CREATE (:N) } IN TRANSACTIONS RETURN 1 AS a UNION RETURN 1 AS a",
            "in a UNION is not supported",
        ),
        (
            "CREATE (n) WITH n CALL (n) { SET n.x = 1 } IN TRANSACTIONS",
            "A clause that writes beside",
        ),
        (
            "UNWIND [1] AS i CALL (i) { CREATE (:N) } IN TRANSACTIONS REPORT STATUS AS s RETURN s",
            "REPORT STATUS",
        ),
        ("UNWIND [1] AS i CALL (i) { CREATE (:N) } IN TRANSACTIONS OF 0 ROWS", "Invalid input '0'"),
        (
            "UNWIND [1] AS i CALL (i) { CREATE (:N) } IN TRANSACTIONS OF i ROWS",
            "refer to variables",
        ),
    ] {
        let found = graph.ask(text);
        assert!(found[0].contains(message), "{text}: {found:?}");
    }
    assert_eq!(graph.ask("MATCH (n) RETURN count(*)"), ["0"], "nothing of it ran");
}

/// Rows come from the graph as it was, and batches see what earlier ones did.
#[test]
fn rows_are_read_before_and_batches_see_earlier_ones() {
    check(&[
        ("CREATE (:N {i: 1}), (:N {i: 2}), (:N {i: 3})", &[]),
        (
            "MATCH (n:N) CALL (n) { CREATE (:N {i: n.i + 10}) RETURN COUNT { MATCH (:N) } AS c }
             IN TRANSACTIONS OF 1 ROW WITH c ORDER BY c RETURN collect(c) AS seen, COUNT { MATCH (:N) } AS after",
            &["[4, 5, 6], 6"],
        ),
    ]);
}
