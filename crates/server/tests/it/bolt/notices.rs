//! What the end of a result says beside its records: the type of the query, and notices of commands that had no effect,
//! as Neo4j 5.26 says it.

use millrace_db::Database;
use millrace_server::wire::bolt::Version;
use millrace_server::wire::bolt::client::Answer;

use super::{Client, open, open_as, run};
use crate::client::{Running, settings, start_speaking};

fn start() -> Running {
    let database = Database::in_memory(settings()).expect("a database in memory opens");
    start_speaking(database, "cypher")
}

fn field(answer: &Answer, name: &str) -> String {
    answer.summary_field(name).map(|value| format!("{value:?}")).unwrap_or_default()
}

fn check_types(client: &mut Client, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let found = field(&run(client, text), "type");
        assert!(found.contains(&format!("{expected:?}")), "{text}: {found}");
    }
}

#[test]
fn a_query_has_the_type_of_what_it_may_do() {
    let server = start();
    check_types(
        &mut open(&server),
        &[
            ("CREATE INDEX i FOR (n:I) ON (n.k)", "s"),
            ("CREATE INDEX i IF NOT EXISTS FOR (n:I) ON (n.k)", "s"),
            ("CREATE LOOKUP INDEX l IF NOT EXISTS FOR (n) ON EACH labels(n)", "s"),
            ("CREATE CONSTRAINT c IF NOT EXISTS FOR (n:C) REQUIRE n.k IS UNIQUE", "s"),
            ("DROP INDEX none IF EXISTS", "s"),
            ("DROP CONSTRAINT none IF EXISTS", "s"),
            ("CALL dbms.components()", "s"),
            ("CALL dbms.components() YIELD name RETURN name", "s"),
            ("CALL tx.getMetaData()", "s"),
            ("SHOW DATABASES", "s"),
            ("SHOW HOME DATABASE", "s"),
            ("SHOW USERS", "s"),
            ("SHOW CURRENT USER", "s"),
            ("SHOW INDEXES", "r"),
            ("SHOW PROCEDURES", "r"),
            ("SHOW TRANSACTIONS", "r"),
            ("CALL db.labels()", "r"),
            ("RETURN 1", "r"),
            ("CREATE (n) RETURN n", "rw"),
            ("CREATE (n)", "w"),
            ("CALL db.createLabel('L')", "w"),
        ],
    );
}

/// Commands without an effect, their notices as commands, and what is there or missing.
const WITHOUT_EFFECT: [(&str, &str, &str); 8] = [
    (
        "CREATE INDEX i IF NOT EXISTS FOR (n:Other) ON (n.k)",
        "CREATE RANGE INDEX i IF NOT EXISTS FOR (e:Other) ON (e.k)",
        "RANGE INDEX i FOR (e:I) ON (e.k)",
    ),
    (
        "CREATE INDEX other IF NOT EXISTS FOR (n:I) ON (n.k)",
        "CREATE RANGE INDEX other IF NOT EXISTS FOR (e:I) ON (e.k)",
        "RANGE INDEX i FOR (e:I) ON (e.k)",
    ),
    (
        "CREATE INDEX c IF NOT EXISTS FOR (n:Z) ON (n.k)",
        "CREATE RANGE INDEX c IF NOT EXISTS FOR (e:Z) ON (e.k)",
        "RANGE INDEX c FOR (e:C) ON (e.k)",
    ),
    (
        "CREATE TEXT INDEX c IF NOT EXISTS FOR (n:Z) ON (n.k)",
        "CREATE TEXT INDEX c IF NOT EXISTS FOR (e:Z) ON (e.k)",
        "RANGE INDEX c FOR (e:C) ON (e.k)",
    ),
    (
        "CREATE LOOKUP INDEX IF NOT EXISTS FOR (n) ON EACH labels(n)",
        "CREATE LOOKUP INDEX IF NOT EXISTS FOR (e) ON EACH labels(e)",
        "LOOKUP INDEX index_343aff4e FOR (e) ON EACH labels(e)",
    ),
    (
        "CREATE LOOKUP INDEX l IF NOT EXISTS FOR ()-[r]-() ON EACH type(r)",
        "CREATE LOOKUP INDEX l IF NOT EXISTS FOR ()-[e]-() ON EACH type(e)",
        "LOOKUP INDEX index_f7700477 FOR ()-[e]-() ON EACH type(e)",
    ),
    (
        "CREATE CONSTRAINT d IF NOT EXISTS FOR (n:C) REQUIRE n.k IS UNIQUE",
        "CREATE CONSTRAINT d IF NOT EXISTS FOR (e:C) REQUIRE (e.k) IS UNIQUE",
        "CONSTRAINT c FOR (e:C) REQUIRE (e.k) IS UNIQUE",
    ),
    ("DROP INDEX none IF EXISTS", "DROP INDEX none IF EXISTS", "none"),
];

#[test]
fn a_command_without_an_effect_says_so() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "CREATE INDEX i FOR (n:I) ON (n.k)");
    run(&mut client, "CREATE CONSTRAINT c FOR (n:C) REQUIRE n.k IS UNIQUE");
    let mut older = open_as(&server, Version { major: 5, minor: 4 });
    for (text, command, known) in WITHOUT_EFFECT {
        let answer = run(&mut older, text);
        let found = field(&answer, "notifications");
        let parts = [format!("`{command}` has no effect."), format!("`{known}`")];
        assert!(parts.iter().all(|part| found.contains(part)), "{text}: {found}");
        assert!(found.contains("Neo.ClientNotification.Schema.IndexOrConstraint"), "{found}");
        assert!(field(&answer, "statuses").is_empty(), "{answer:?}");
        let answer = run(&mut client, text);
        let found = field(&answer, "statuses");
        assert!(parts.iter().all(|part| found.contains(part)), "{text}: {found}");
        assert!(found.contains("00NA") && found.contains("00001"), "{found}");
        assert!(field(&answer, "notifications").is_empty(), "{answer:?}");
    }
    let answer = run(&mut client, "CREATE INDEX new IF NOT EXISTS FOR (n:New) ON (n.k)");
    assert!(!field(&answer, "statuses").contains("00NA"), "{answer:?}");
}

#[test]
fn a_query_that_is_explained_has_no_result() {
    let server = start();
    let found = field(&run(&mut open(&server), "EXPLAIN RETURN 1"), "statuses");
    assert!(found.contains("00001"), "{found}");
}
