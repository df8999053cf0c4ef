//! `SHOW`, and the commands on databases.

use millrace_db::languages::Entry;

use super::{Graph, schema::check};

#[test]
fn each_show_has_all_its_columns() {
    let graph = Graph::new();
    for what in [
        "INDEXES",
        "CONSTRAINTS",
        "FUNCTIONS",
        "PROCEDURES",
        "DATABASES",
        "DEFAULT DATABASE",
        "HOME DATABASE",
        "USERS",
        "CURRENT USER",
        "SETTINGS",
    ] {
        let shown = graph.run(&format!("SHOW {what}")).map(|rows| rows.columns.len());
        let all = graph.run(&format!("SHOW {what} YIELD *")).map(|rows| rows.columns.len());
        let (shown, all) = (shown.expect(what), all.expect(what));
        assert!(0 < shown && shown <= all, "{what}: {shown} of {all}");
    }
}

#[test]
fn the_rows_of_a_show_are_filtered_ordered_and_returned() {
    check(
        &Graph::new(),
        &[
            (
                "SHOW FUNCTIONS YIELD name, aggregating WHERE name IN ['count', 'abs']",
                &["abs, false", "count, true"],
            ),
            (
                "SHOW BUILT IN FUNCTIONS YIELD name WHERE name STARTS WITH 'co' RETURN count(*) > 3 AS many",
                &["true"],
            ),
            (
                "SHOW PROCEDURES YIELD name, mode ORDER BY name DESC SKIP 0 LIMIT 1",
                &["tx.setMetaData, DBMS"],
            ),
            (
                "SHOW PROCEDURES YIELD name, mode WHERE mode = 'WRITE' RETURN name ORDER BY name LIMIT 1",
                &["db.create.setNodeVectorProperty"],
            ),
            (
                "SHOW SETTINGS 'gremlin.graph', 'cypher.graph' YIELD name, value",
                &["cypher.graph, ", "gremlin.graph, graph"],
            ),
            ("SHOW SETTINGS YIELD name WHERE name ENDS WITH '.none'", &[]),
            ("SHOW TRANSACTIONS", &["error -"]),
            (
                "CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' RETURN versions[0] STARTS WITH '5.'",
                &["true"],
            ),
            ("CALL db.ping()", &["true"]),
            ("CALL dbms.queryJmx('x') YIELD name RETURN name", &[]),
            ("CALL dbms.showCurrentUser() YIELD username, roles RETURN size(roles)", &["0"]),
        ],
    );
}

#[test]
fn graphs_are_the_databases_that_are_made_listed_set_and_dropped() {
    const NAMES: &str = "SHOW DATABASES YIELD name, default, options RETURN name, default, options.isolation ORDER BY name";
    check(
        &Graph::new(),
        &[
            (NAMES, &["g1, false, snapshot", "neo4j, true, snapshot", "system, false, snapshot"]),
            ("CREATE DATABASE films", &[]),
            ("CREATE DATABASE films", &["error ExistingDatabaseFound"]),
            ("CREATE DATABASE films IF NOT EXISTS WAIT", &[]),
            ("USE films CREATE (:Film)", &[]),
            ("USE films MATCH (n) RETURN count(*)", &["1"]),
            ("ALTER DATABASE films SET OPTION isolation 'serializable'", &[]),
            ("ALTER DATABASE films SET OPTION other 1", &["error -: the option `other`"]),
            ("SHOW DATABASE films YIELD name, options", &["films, {isolation: serializable}"]),
            ("CREATE OR REPLACE DATABASE films", &[]),
            ("USE films MATCH (n) RETURN count(*)", &["0"]),
            ("DROP DATABASE films", &[]),
            ("DROP DATABASE films", &["error DatabaseNotFound"]),
            ("DROP DATABASE films IF EXISTS", &[]),
            ("CREATE DATABASE `a/b`", &["error -: `a/b` is not a valid graph name"]),
            (NAMES, &["g1, false, snapshot", "neo4j, true, snapshot", "system, false, snapshot"]),
            ("SHOW DEFAULT DATABASE YIELD name, writer", &["neo4j, true"]),
            ("DROP DATABASE system", &["error ArgumentError"]),
            ("CREATE DATABASE system", &["error ExistingDatabaseFound"]),
            ("USE system SHOW DEFAULT DATABASE YIELD name", &["neo4j"]),
            ("USE system MATCH (n) RETURN n", &["error SemanticError"]),
            ("MATCH (n) RETURN count(*)", &["0"]),
            ("DROP DATABASE g1", &[]),
            ("SHOW DATABASES YIELD name", &["error -: there is no graph"]),
        ],
    );
}

#[test]
fn the_properties_of_elements_are_listed_by_their_labels_and_types() {
    check(
        &Graph::new(),
        &[
            ("CREATE (:A:B {x: 1, y: 'a'})-[:R {z: [1.5]}]->(:A:B {x: 'b'}), (:C)-[:S]->()", &[]),
            (
                "CALL db.schema.nodeTypeProperties()",
                &[
                    ", [], null, null, false",
                    ":`A`:`B`, [A, B], x, [Long, String], true",
                    ":`A`:`B`, [A, B], y, [String], false",
                    ":`C`, [C], null, null, false",
                ],
            ),
            (
                "CALL db.schema.relTypeProperties()",
                &[":`R`, z, [DoubleArray], true", ":`S`, null, null, false"],
            ),
        ],
    );
}

#[test]
fn the_schema_that_tools_ask_apoc_for_is_read_from_the_graph() {
    check(
        &Graph::new(),
        &[
            ("CREATE INDEX FOR (p:Person) ON (p.name)", &[]),
            (
                "CREATE (a:Person {name: 'a', born: 1}), (b:Person:Writer {name: 'b'}), (f:Film {tags: ['x']}), \
                 (a)-[:IN {role: 'r'}]->(f), (b)-[:IN]->(f), (b)-[:IN]->(:Film)",
                &[],
            ),
            (
                "CALL apoc.meta.data() YIELD label, property, type, count, index, array, other, elementType \
                 RETURN label, property, type, count, index, array, other, elementType",
                &[
                    "Film, tags, LIST, 1, false, true, [], node",
                    "Person, born, INTEGER, 1, false, false, [], node",
                    "Person, name, STRING, 2, true, false, [], node",
                    "Writer, name, STRING, 1, false, false, [], node",
                    "Person, IN, RELATIONSHIP, 3, false, true, [Film], node",
                    "Writer, IN, RELATIONSHIP, 2, false, true, [Film], node",
                    "IN, role, STRING, 1, false, false, [], relationship",
                    "IN, Person, RELATIONSHIP, 3, false, true, [Film], relationship",
                    "IN, Writer, RELATIONSHIP, 2, false, true, [Film], relationship",
                ],
            ),
            (
                "CALL apoc.meta.data({excludeLabels: ['Person', 'Film']}) YIELD label, property, otherLabels \
                 WHERE property = 'name' RETURN label, otherLabels",
                &["Writer, [Person]"],
            ),
            ("CALL apoc.meta.data({other: 1})", &["error -: the setting other is not supported"]),
            (
                "CALL apoc.meta.stats() YIELD labels, relTypes, nodeCount, relCount \
                 RETURN nodeCount, relCount, labels.Film, relTypes['(:Writer)-[:IN]->()'], relTypes['()-[:IN]->(:Film)']",
                &["4, 3, 2, 2, 3"],
            ),
            (
                "CALL apoc.meta.schema() YIELD value WITH value.Person AS p, value.IN AS i \
                 RETURN p.type, p.count, p.properties.name.indexed, p.relationships.IN.direction, p.relationships.IN.labels, i.properties.role.type",
                &["node, 2, true, out, [Film], STRING"],
            ),
            (
                "CALL apoc.meta.nodeTypeProperties() YIELD nodeType, propertyName, propertyObservations, totalObservations \
                 WHERE nodeType = ':`Film`' RETURN propertyName, propertyObservations, totalObservations",
                &["tags, 1, 2"],
            ),
            (
                "CALL apoc.meta.relTypeProperties() YIELD sourceNodeLabels, targetNodeLabels, propertyName, mandatory \
                 RETURN sourceNodeLabels, targetNodeLabels, propertyName, mandatory",
                &["[Person], [Film], role, true", "[Person, Writer], [Film], null, false"],
            ),
        ],
    );
}

#[test]
fn functions_are_built_in_or_of_apoc() {
    const COUNT: &str = "YIELD name, isBuiltIn WHERE name IN ['abs', 'apoc.coll.sum'] RETURN name, isBuiltIn ORDER BY name";
    check(
        &Graph::new(),
        &[
            (&format!("SHOW FUNCTIONS {COUNT}"), &["abs, true", "apoc.coll.sum, false"]),
            (&format!("SHOW ALL FUNCTIONS {COUNT}"), &["abs, true", "apoc.coll.sum, false"]),
            (&format!("SHOW BUILT IN FUNCTIONS {COUNT}"), &["abs, true"]),
            (&format!("SHOW USER DEFINED FUNCTIONS {COUNT}"), &["apoc.coll.sum, false"]),
        ],
    );
}

#[test]
fn a_check_knows_the_procedures_there_are() {
    let graph = Graph::new();
    let inner = graph.0.graph("g1").expect("is there");
    let language = Entry::of_name("cypher").expect("is known");
    let errors = |text| language.check(&graph.0, &inner, text, None).expect("checks").errors;
    for text in ["SHOW INDEXES", "CALL db.labels()", "CREATE INDEX FOR (n:A) ON (n.x)"] {
        assert_eq!(errors(text), [], "{text}");
    }
    assert_eq!(errors("CALL db.other()")[0].name, Some("ProcedureNotFound"));
}
