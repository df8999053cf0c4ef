//! Messages of errors of the schema: in Neo4j 5.26's words, since clients look for parts of them.

use millrace_db::Database;

use super::{Client, failure, open, run};
use crate::client::{Running, settings, start_speaking};

fn start() -> Running {
    let database = Database::in_memory(settings()).expect("a database in memory opens");
    start_speaking(database, "cypher")
}

/// Runs each text; with a code it fails, and its message begins with the words, in which `#` stands for a number.
fn check(client: &mut Client, cases: &[(&str, &str, &str)]) {
    for (text, code, words) in cases {
        if code.is_empty() {
            run(client, text);
            continue;
        }
        let failed = failure(client.run(text, &[]));
        assert_eq!(failed.title(), *code, "{text}: {failed:?}");
        let mut rest = &*failed.message;
        for (index, part) in words.split('#').enumerate() {
            if index != 0 {
                rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
            }
            rest = rest.strip_prefix(part).unwrap_or_else(|| panic!("{text}: {failed:?}"));
        }
    }
}

#[test]
fn a_value_that_is_there_already_is_named_with_its_owner() {
    let server = start();
    let mut client = open(&server);
    let code = "ConstraintValidationFailed";
    check(
        &mut client,
        &[
            ("CREATE CONSTRAINT FOR (n:U) REQUIRE n.k IS UNIQUE", "", ""),
            ("CREATE CONSTRAINT FOR (n:V) REQUIRE (n.a, n.b) IS NODE KEY", "", ""),
            ("CREATE CONSTRAINT FOR ()-[r:R]-() REQUIRE r.k IS UNIQUE", "", ""),
            ("CREATE CONSTRAINT FOR ()-[r:S]-() REQUIRE (r.a, r.b) IS UNIQUE", "", ""),
            ("CREATE (:U {k: 1})", "", ""),
            (
                "CREATE (:U {k: 1})",
                code,
                "Node(#) already exists with label `U` and property `k` = 1",
            ),
            (
                "CREATE (:U {k: 2.5}), (:U {k: 2.5})",
                code,
                "Node(#) already exists with label `U` and property `k` = 2.5",
            ),
            (
                "CREATE (n:X {k: 1}) SET n:U",
                code,
                "Node(#) already exists with label `U` and property `k` = 1",
            ),
            (
                "CREATE (n:U {k: 3}) SET n.k = 1",
                code,
                "Node(#) already exists with label `U` and property `k` = 1",
            ),
            (
                "MERGE (n:U {k: 3}) ON CREATE SET n.k = 1",
                code,
                "Node(#) already exists with label `U` and property `k` = 1",
            ),
            (
                "CREATE (:U {k: ['a', 'b']}) CREATE (:U {k: ['a', 'b']})",
                code,
                "Node(#) already exists with label `U` and property `k` = ['a', 'b']",
            ),
            (
                "CREATE (:V {a: 1, b: 'x'}) CREATE (:V {a: 1, b: 'x'})",
                code,
                "Node(#) already exists with label `V` and properties `a` = 1, `b` = 'x'",
            ),
            (
                "CREATE ()-[:R {k: 1}]->() CREATE ()-[:R {k: 1}]->()",
                code,
                "Relationship(#) already exists with type `R` and property `k` = 1",
            ),
            (
                "CREATE ()-[:S {a: 1, b: 2}]->() CREATE ()-[:S {a: 1, b: 2}]->()",
                code,
                "Relationship(#) already exists with type `S` and properties `a` = 1, `b` = 2",
            ),
        ],
    );
}

#[test]
fn a_property_that_is_missing_is_named_with_its_element() {
    let server = start();
    let mut client = open(&server);
    let code = "ConstraintValidationFailed";
    check(
        &mut client,
        &[
            ("CREATE CONSTRAINT FOR (n:U) REQUIRE n.k IS NOT NULL", "", ""),
            ("CREATE CONSTRAINT FOR ()-[r:R]-() REQUIRE r.k IS NOT NULL", "", ""),
            ("CREATE (:U)", code, "Node(#) with label `U` must have the property `k`"),
            (
                "CREATE ()-[:R]->()",
                code,
                "Relationship(#) with type `R` must have the property `k`",
            ),
            ("CREATE (:U {k: 1})", "", ""),
            ("MATCH (n:U) REMOVE n.k", code, "Node(#) with label `U` must have the property `k`"),
        ],
    );
}

#[test]
fn a_node_with_relationships_is_not_deleted() {
    let server = start();
    let mut client = open(&server);
    let code = "ConstraintValidationFailed";
    check(
        &mut client,
        &[
            ("CREATE (:A)-[:R]->(:B)", "", ""),
            (
                "MATCH (n:A) DELETE n",
                code,
                "Cannot delete node<#>, because it still has relationships. To delete this node, you must first delete \
                 its relationships.",
            ),
            (
                "CREATE (n:C)-[:R]->() DELETE n",
                code,
                "Cannot delete node that was created in this transaction, because it still has relationships.",
            ),
        ],
    );
}

#[test]
fn a_rule_that_is_there_already_is_named() {
    let server = start();
    let mut client = open(&server);
    check(
        &mut client,
        &[
            ("CREATE CONSTRAINT u FOR (n:U) REQUIRE n.k IS UNIQUE", "", ""),
            (
                "CREATE CONSTRAINT u FOR (n:U) REQUIRE n.k IS UNIQUE",
                "EquivalentSchemaRuleAlreadyExists",
                "An equivalent constraint already exists, 'Constraint( name='u', type='UNIQUENESS', schema=(:U {k}) )'.",
            ),
            (
                "CREATE CONSTRAINT v FOR (n:U) REQUIRE n.k IS UNIQUE",
                "ConstraintAlreadyExists",
                "Constraint already exists: Constraint( name='u', type='UNIQUENESS', schema=(:U {k}) )",
            ),
            (
                "CREATE CONSTRAINT u FOR (n:Z) REQUIRE n.k IS UNIQUE",
                "ConstraintWithNameAlreadyExists",
                "There already exists a constraint called 'u'.",
            ),
            ("CREATE INDEX i FOR (n:I) ON (n.k)", "", ""),
            (
                "CREATE INDEX i FOR (n:I) ON (n.k)",
                "EquivalentSchemaRuleAlreadyExists",
                "An equivalent index already exists, 'Index( name='i', type='RANGE', schema=(:I {k}), \
                 indexProvider='range-1.0' )'.",
            ),
            (
                "CREATE INDEX FOR (n:I) ON (n.k)",
                "IndexAlreadyExists",
                "There already exists an index (:I {k}).",
            ),
            (
                "CREATE INDEX i FOR (n:J) ON (n.k)",
                "IndexWithNameAlreadyExists",
                "There already exists an index called 'i'.",
            ),
            (
                "CREATE INDEX u FOR (n:Q) ON (n.k)",
                "ConstraintWithNameAlreadyExists",
                "There already exists a constraint called 'u'.",
            ),
            (
                "CREATE INDEX FOR (n:U) ON (n.k)",
                "ConstraintAlreadyExists",
                "There is a uniqueness constraint on (:U {k}), so an index is already created that matches this.",
            ),
            (
                "CREATE CONSTRAINT FOR (n:I) REQUIRE n.k IS UNIQUE",
                "IndexAlreadyExists",
                "There already exists an index (:I {k}). A constraint cannot be created until the index has been dropped.",
            ),
            (
                "DROP INDEX u",
                "IndexDropFailed",
                "Unable to drop index: Index belongs to constraint: `u`",
            ),
            (
                "DROP INDEX none",
                "IndexDropFailed",
                "Unable to drop index called `none`. There is no such index.",
            ),
            (
                "DROP CONSTRAINT none",
                "ConstraintDropFailed",
                "Unable to drop constraint `none`: No such constraint none.",
            ),
            ("CREATE (:W {k: 1}) CREATE (:W {k: 1})", "", ""),
            (
                "CREATE CONSTRAINT w FOR (n:W) REQUIRE n.k IS UNIQUE",
                "ConstraintCreationFailed",
                "Unable to create Constraint( name='w', type='UNIQUENESS', schema=(:W {k}) ):\nBoth Node(#) and \
                 Node(#) have the label `W` and property `k` = 1. Note that only the first found violation is shown.",
            ),
            (
                "CREATE CONSTRAINT w FOR (n:W) REQUIRE n.j IS NOT NULL",
                "ConstraintCreationFailed",
                "Unable to create Constraint( name='w', type='NODE PROPERTY EXISTENCE', schema=(:W {j}) ):\nNode(#) with \
                 label `W` must have the property `j`. Note that only the first found violation is shown.",
            ),
        ],
    );
}
