//! Indexes and constraints of Cypher: made, listed and dropped by name.

use millrace_db::plan::{Definition, OwnerName, WriteCounts};
use millrace_db::{Database, Settings};
use millrace_model::schema::IndexKind;
use millrace_model::{ErrorKind, PropertyType};

use super::Graph;
use crate::limits;

/// Runs each statement; each must give these rows, or an error that has this text in it.
pub(super) fn check(graph: &Graph, cases: &[(&str, &[&str])]) {
    for (text, wanted) in cases {
        let given = graph.ask(text);
        match wanted {
            [error] if error.starts_with("error ") => {
                let is_it = given.len() == 1 && given[0].starts_with(error);
                assert!(is_it, "{text}\n  gives {given:?}\n  not   {error}");
            }
            rows => assert_eq!(given, *rows, "{text}"),
        }
    }
}

const INDEXES: &str = "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, owningConstraint \
                       WHERE type <> 'LOOKUP' \
                       RETURN name, type, entityType, labelsOrTypes, properties, owningConstraint";

const CONSTRAINTS: &str =
    "SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties, ownedIndex, propertyType";

#[test]
fn indexes_are_made_listed_and_dropped_by_name() {
    let graph = Graph::new();
    check(
        &graph,
        &[
            ("CREATE INDEX names FOR (p:Person) ON (p.name)", &[]),
            ("CREATE RANGE INDEX FOR ()-[k:KNOWS]-() ON (k.since, k.`a b`)", &[]),
            ("CREATE TEXT INDEX texts IF NOT EXISTS FOR (p:Person) ON (p.name)", &[]),
            (
                INDEXES,
                &[
                    "index_d7d0300b, RANGE, RELATIONSHIP, [KNOWS], [since, a b], null",
                    "names, RANGE, NODE, [Person], [name], null",
                    "texts, TEXT, NODE, [Person], [name], null",
                ],
            ),
            ("SHOW TEXT INDEXES YIELD name", &["texts"]),
            ("DROP INDEX names", &[]),
            ("DROP INDEX names IF EXISTS", &[]),
            ("DROP INDEX names", &["error IndexDropFailed"]),
            ("SHOW INDEXES YIELD name WHERE name STARTS WITH 't'", &["texts"]),
            ("DROP INDEX texts", &[]),
            ("SHOW TEXT INDEXES", &[]),
            ("CREATE LOOKUP INDEX l FOR (n) ON EACH labels(n)", &[]),
            (
                "SHOW LOOKUP INDEXES YIELD entityType, state",
                &["NODE, ONLINE", "RELATIONSHIP, ONLINE"],
            ),
            ("DROP INDEX index_343aff4e", &["error -: the lookup index"]),
        ],
    );
}

#[test]
fn a_second_index_of_a_name_or_of_the_same_keys_is_an_error_unless_it_may_be_there() {
    let graph = Graph::new();
    check(
        &graph,
        &[
            ("CREATE INDEX a FOR (p:Person) ON (p.name)", &[]),
            (
                "CREATE INDEX a FOR (p:Person) ON (p.name)",
                &["error EquivalentSchemaRuleAlreadyExists"],
            ),
            ("CREATE INDEX b FOR (p:Person) ON (p.name)", &["error IndexAlreadyExists"]),
            ("CREATE INDEX a FOR (p:Person) ON (p.age)", &["error IndexWithNameAlreadyExists"]),
            ("CREATE INDEX b IF NOT EXISTS FOR (p:Person) ON (p.name)", &[]),
            ("CREATE INDEX a IF NOT EXISTS FOR (p:Person) ON (p.age)", &[]),
            (
                "CREATE CONSTRAINT a FOR (p:Person) REQUIRE p.id IS UNIQUE",
                &["error IndexWithNameAlreadyExists"],
            ),
            (
                "CREATE CONSTRAINT c FOR (p:Person) REQUIRE p.name IS UNIQUE",
                &["error IndexAlreadyExists"],
            ),
            ("CREATE CONSTRAINT c FOR (p:Person) REQUIRE p.id IS UNIQUE", &[]),
            ("CREATE INDEX d FOR (p:Person) ON (p.id)", &["error ConstraintAlreadyExists"]),
            ("CREATE INDEX d IF NOT EXISTS FOR (p:Person) ON (p.id)", &[]),
            ("CREATE RANGE INDEX d IF NOT EXISTS FOR (p:Person) ON (p.id)", &[]),
            ("CREATE RANGE INDEX e FOR (p:Person) ON (p.id)", &["error IndexAlreadyExists"]),
            ("CREATE INDEX d IF NOT EXISTS FOR (p:Person) ON (p.id)", &[]),
            ("CREATE INDEX c FOR (p:Person) ON (p.x)", &["error ConstraintWithNameAlreadyExists"]),
            ("DROP INDEX c", &["error IndexDropFailed"]),
            (
                INDEXES,
                &[
                    "a, RANGE, NODE, [Person], [name], null",
                    "c, RANGE, NODE, [Person], [id], c",
                    "d, RANGE, NODE, [Person], [id], null",
                ],
            ),
            ("CREATE (:Person {id: 1}) CREATE (:Person {id: 1})", &["error -: Person with id = 1"]),
            ("DROP CONSTRAINT c", &[]),
            ("CREATE (:Person {id: 1}) CREATE (:Person {id: 1})", &[]),
            ("MATCH (p:Person) WHERE p.id < 2 RETURN p.id", &["1", "1"]),
            ("DROP INDEX d", &[]),
            (INDEXES, &["a, RANGE, NODE, [Person], [name], null"]),
        ],
    );
}

#[test]
fn constraints_hold_until_the_last_one_that_needs_a_definition_is_dropped() {
    let graph = Graph::new();
    check(
        &graph,
        &[
            ("CREATE CONSTRAINT k FOR (p:Person) REQUIRE (p.a, p.b) IS NODE KEY", &[]),
            ("CREATE CONSTRAINT e FOR (p:Person) REQUIRE p.a IS NOT NULL", &[]),
            ("CREATE CONSTRAINT t FOR (p:Person) REQUIRE p.a IS :: STRING", &[]),
            (
                "CREATE CONSTRAINT l FOR ()-[r:R]-() REQUIRE r.l IS TYPED LIST<INTEGER NOT NULL>",
                &[],
            ),
            (
                CONSTRAINTS,
                &[
                    "e, NODE_PROPERTY_EXISTENCE, [Person], [a], null, null",
                    "k, NODE_KEY, [Person], [a, b], k, null",
                    "l, RELATIONSHIP_PROPERTY_TYPE, [R], [l], null, LIST<INTEGER NOT NULL>",
                    "t, NODE_PROPERTY_TYPE, [Person], [a], null, STRING",
                ],
            ),
            ("SHOW NODE PROPERTY TYPE CONSTRAINTS YIELD name", &["t"]),
            ("SHOW KEY CONSTRAINTS YIELD name", &["k"]),
            ("CREATE (:Person {a: 'x', b: 1})", &[]),
            (
                "CREATE (:Person {a: 'x', b: 1})",
                &["error -: Person with a = \"x\", b = 1 already exists"],
            ),
            ("CREATE (:Person {a: 1, b: 1})", &["error -: Person.a is string, not"]),
            ("CREATE (:Person {b: 1})", &["error -: Person.a is required"]),
            ("DROP CONSTRAINT k", &[]),
            ("CREATE (:Person {a: 'x', b: 1})", &[]),
            ("CREATE (:Person {b: 1})", &["error -: Person.a is required"]),
            ("DROP CONSTRAINT e", &[]),
            ("CREATE (:Person {b: 1})", &[]),
            ("CREATE (:Person {a: 1})", &["error -: Person.a is string, not"]),
            ("DROP CONSTRAINT t", &[]),
            ("CREATE (:Person {a: 1})", &[]),
            (
                CONSTRAINTS,
                &["l, RELATIONSHIP_PROPERTY_TYPE, [R], [l], null, LIST<INTEGER NOT NULL>"],
            ),
            ("DROP CONSTRAINT t", &["error ConstraintDropFailed"]),
            ("DROP CONSTRAINT t IF EXISTS", &[]),
            (
                "CREATE CONSTRAINT FOR (p:Person) REQUIRE p.b IS UNIQUE",
                &["error ConstraintCreationFailed"],
            ),
        ],
    );
}

#[test]
fn what_the_catalog_has_no_kind_for_is_refused_by_name() {
    let graph = Graph::new();
    for (text, named) in [
        ("CREATE CONSTRAINT FOR (n:A) REQUIRE n.p IS :: DATE", "a constraint of this type"),
        (
            "CREATE INDEX FOR (n:A) ON (n.p) OPTIONS {indexConfig: {`a.b`: 1}}",
            "the configuration of this index has no `a.b`",
        ),
        ("GRANT ROLE r TO u", "`GRANT`"),
    ] {
        let given = graph.ask(text);
        assert!(given.len() == 1 && given[0].starts_with("error -"), "{text}: {given:?}");
        assert!(
            given[0].contains(&format!("{named} is not supported")) || given[0].contains(named),
            "{text}: {given:?}"
        );
    }
}

#[test]
fn a_rule_counts_once_whatever_definitions_it_needs() {
    let graph = Graph::new();
    let none = WriteCounts::default();
    for (text, wanted) in [
        ("CREATE INDEX i FOR (n:A) ON (n.x)", WriteCounts { indexes_added: 1, ..none }),
        ("CREATE TEXT INDEX t FOR (n:A) ON (n.x)", WriteCounts { indexes_added: 1, ..none }),
        ("CREATE INDEX i IF NOT EXISTS FOR (n:A) ON (n.x)", none),
        (
            "CREATE CONSTRAINT k FOR (n:A) REQUIRE (n.a, n.b) IS KEY",
            WriteCounts { constraints_added: 1, ..none },
        ),
        ("DROP INDEX i", WriteCounts { indexes_removed: 1, ..none }),
        ("DROP CONSTRAINT k", WriteCounts { constraints_removed: 1, ..none }),
    ] {
        assert_eq!(graph.run(text).expect("runs").counts, wanted, "{text}");
    }
}

#[test]
fn definitions_of_other_languages_are_rules_under_generated_names() {
    let graph = Graph::new();
    let name = |label: &str| OwnerName::Label(label.into());
    let definitions = [
        Definition::CreateIndex {
            owner: name("A"),
            keys: vec!["x".into()],
            kind: IndexKind::Exact,
        },
        Definition::CreateProperty {
            owner: name("A"),
            key: "y".into(),
            kind: PropertyType::Integer,
            required: true,
        },
    ];
    let inner = graph.0.graph("g1").expect("is there");
    inner.change_schema(&definitions, &limits()).expect("is changed");
    let indexes =
        "SHOW INDEXES YIELD name, type, properties WHERE type = 'RANGE' RETURN name, properties";
    let constraints = "SHOW CONSTRAINTS YIELD name, type RETURN name, type ORDER BY type";
    check(
        &graph,
        &[
            (indexes, &["index_2d924f35, [x]"]),
            (
                constraints,
                &[
                    "constraint_c80a5ac1, NODE_PROPERTY_EXISTENCE",
                    "constraint_aab15b33, NODE_PROPERTY_TYPE",
                ],
            ),
            ("CREATE INDEX FOR (n:A) ON (n.x)", &["error IndexAlreadyExists"]),
            (
                "CREATE CONSTRAINT FOR (n:A) REQUIRE n.y IS :: STRING",
                &["error ConstraintAlreadyExists"],
            ),
            ("DROP CONSTRAINT constraint_aab15b33", &[]),
            (constraints, &["constraint_c80a5ac1, NODE_PROPERTY_EXISTENCE"]),
            ("DROP INDEX index_2d924f35", &[]),
            (indexes, &[]),
        ],
    );
}

#[test]
fn a_rule_is_there_after_the_data_folder_was_opened_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Graph(Database::open(folder.path(), Settings::default()).expect("opens"));
    let graph = open();
    graph.0.create_graph("g1").expect("is made");
    check(&graph, &[("CREATE INDEX names FOR (p:Person) ON (p.name)", &[])]);
    graph.0.checkpoint().expect("is written");
    check(&graph, &[("CREATE CONSTRAINT ids FOR (p:Person) REQUIRE p.id IS UNIQUE", &[])]);
    graph.0.close();
    drop(graph);
    let names = "SHOW RANGE INDEXES YIELD name, owningConstraint";
    check(&open(), &[(names, &["ids, ids", "names, null"])]);
}

/// Other languages convert numbers where a definition asks for another type.
#[test]
fn a_type_constraint_converts_nothing() {
    let graph = Graph::new();
    graph.ask("CREATE CONSTRAINT x FOR (n:F) REQUIRE n.x IS :: FLOAT");
    graph.ask("CREATE CONSTRAINT y FOR (n:F) REQUIRE n.y IS :: INTEGER");
    for (text, is_refused) in [
        ("CREATE (:F {x: 1.5, y: 1})", false),
        ("CREATE (:F {x: 1})", true),
        ("CREATE (:F {y: 1.0})", true),
        ("MATCH (n:F) SET n.x = 2", true),
        ("UNWIND [1] AS i CALL (i) { CREATE (:F {x: i}) } IN TRANSACTIONS", true),
    ] {
        let refused = graph.run(text).err();
        assert_eq!(
            refused.is_some_and(|error| error.kind == ErrorKind::Constraint),
            is_refused,
            "{text}"
        );
    }
    assert_eq!(graph.ask("MATCH (n:F) RETURN n.x, n.y"), ["1.5, 1"]);
}
