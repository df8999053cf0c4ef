//! The statements that Neo4j Browser 5.24 sends: when it connects, for its list of labels, and when a node is opened in its
//! drawing of a graph. It finds columns and settings by name, and stops at the first that is not there.

use millrace_db::Database;
use millrace_model::Value;
use millrace_server::wire::bolt::TransactionOptions;
use millrace_server::wire::bolt::packstream::Datum;

use super::{Client, open, parameter, run};
use crate::client::{Running, settings, start_speaking};

fn start() -> Running {
    start_speaking(Database::in_memory(settings()).expect("a database in memory opens"), "cypher")
}

fn names(columns: &[std::sync::Arc<str>]) -> Vec<&str> {
    columns.iter().map(|column| &**column).collect()
}

/// The columns and the number of rows of an answer of the database `system`, read only as the Browser reads.
fn of_system(client: &mut Client, query: &str) -> (Vec<String>, usize) {
    let options = TransactionOptions {
        is_read_only: true,
        database: Some("system".into()),
        ..TransactionOptions::default()
    };
    let answer = client.run_with(query, &[], options);
    let answer = answer.unwrap_or_else(|error| panic!("{query}: {error}"));
    (names(&answer.columns).into_iter().map(str::to_owned).collect(), answer.records.len())
}

#[test]
fn what_it_asks_when_it_connects_has_the_columns_that_it_reads() {
    let server = start();
    let mut client = open(&server);
    for (query, wanted, rows_min) in [
        (
            "CALL dbms.components() YIELD name, versions, edition",
            &["name", "versions", "edition"] as &[&str],
            1,
        ),
        ("SHOW DATABASES", &["name", "currentStatus", "default", "home", "role", "aliases"], 1),
        (
            "SHOW PROCEDURES yield name, description, signature",
            &["name", "description", "signature"],
            10,
        ),
        (
            "SHOW FUNCTIONS yield name, description, signature",
            &["name", "description", "signature"],
            100,
        ),
        ("CALL dbms.clientConfig()", &["name", "value"], 1),
        ("CALL dbms.showCurrentUser()", &["username", "roles"], 1),
    ] {
        let (columns, rows) = of_system(&mut client, query);
        for column in wanted {
            assert!(columns.iter().any(|own| own == column), "{query}: {columns:?}");
        }
        assert!(rows_min <= rows, "{query}: {rows} rows");
    }
}

const TYPES: &str = "
CALL db.labels() YIELD label
RETURN {name:'labels', data:COLLECT(label)[..1000]} AS result
UNION ALL
CALL db.relationshipTypes() YIELD relationshipType
RETURN {name:'relationshipTypes', data:COLLECT(relationshipType)[..1000]} AS result
UNION ALL
CALL db.propertyKeys() YIELD propertyKey
RETURN {name:'propertyKeys', data:COLLECT(propertyKey)[..1000]} AS result
";

const COUNTS: &str = "
MATCH () RETURN { name:'nodes', data:count(*) } AS result
UNION ALL
MATCH ()-[]->() RETURN { name:'relationships', data: count(*)} AS result
";

/// The entry `data` of the map in each row.
fn data(client: &mut Client, query: &str) -> Vec<Value> {
    let answer = run(client, query);
    let of_row = |record: &Vec<Datum>| match &record[0] {
        Datum::Value(Value::Map(entries)) => {
            let found = entries.iter().find(|(key, _)| key.as_str() == Some("data"));
            found.expect("data is there").1.clone()
        }
        other => panic!("{query}: {other:?}"),
    };
    answer.records.iter().map(of_row).collect()
}

#[test]
fn its_list_has_labels_types_keys_and_counts() {
    let server = start();
    let mut client = open(&server);
    let nothing = Value::list(Vec::new());
    assert_eq!(data(&mut client, TYPES), [nothing.clone(), nothing.clone(), nothing]);
    assert_eq!(data(&mut client, COUNTS), [Value::I64(0), Value::I64(0)]);
    run(&mut client, "CREATE (:A {x: 1})-[:R]->(:A)");
    let list = |text: &str| Value::list(vec![Value::from(text)]);
    assert_eq!(data(&mut client, TYPES), [list("A"), list("R"), list("x")]);
    assert_eq!(data(&mut client, COUNTS), [Value::I64(2), Value::I64(1)]);
    let rows = |client: &mut Client, query: &str| run(client, query).records.len();
    assert_eq!(rows(&mut client, "MATCH (n:`A`) RETURN n LIMIT 25"), 2);
    assert_eq!(rows(&mut client, "MATCH p=()-[r:`R`]->() RETURN p LIMIT 25"), 1);
    let of_key = "MATCH (n) WHERE (n.`x`) IS NOT NULL \nRETURN DISTINCT \"node\" as entity, n.`x` AS `x` LIMIT 25 \nUNION ALL \nMATCH ()-[r]-() WHERE (r.`x`) IS NOT NULL \nRETURN DISTINCT \"relationship\" AS entity, r.`x` AS `x` LIMIT 25";
    assert_eq!(rows(&mut client, of_key), 1);
}

#[test]
fn a_node_that_is_opened_shows_its_neighbours_and_the_relationships_between_them() {
    let server = start();
    let mut client = open(&server);
    let made = run(
        &mut client,
        "CREATE (a)-[:R]->(b)-[:S]->(c), (c)-[:R]->(a) RETURN id(a), id(b), id(c)",
    );
    let ids: Vec<i64> = made.records[0].iter().map(|id| id.as_int().expect("an integer")).collect();
    let [a, b, c] = ids[..] else { panic!("{ids:?}") };
    let neighbours = format!(
        "MATCH (a) WHERE id(a) = {a}\nWITH a, size([(a)--() | 1]) AS allNeighboursCount\nMATCH path = (a)--(o) WHERE NOT id(o) IN [{b}]\nRETURN path, allNeighboursCount\nORDER BY id(o)\nLIMIT 99"
    );
    let answer = run(&mut client, &neighbours);
    assert_eq!(names(&answer.columns), ["path", "allNeighboursCount"]);
    let [row] = answer.records.as_slice() else { panic!("{answer:?}") };
    let Datum::Path(path) = &row[0] else { panic!("{row:?}") };
    let seen: Vec<i64> = path.nodes.iter().map(|node| node.id).collect();
    assert_eq!(seen, [a, c]);
    assert_eq!(row[1].as_int(), Some(2));
    let of_all = format!("MATCH p=(a)--() WHERE id(a) = {a} RETURN count(p) as allNeighboursCount");
    assert_eq!(super::count(&mut client, &of_all), 2);
    let list = |ids: &[i64]| Value::list(ids.iter().copied().map(Value::I64).collect());
    let between = client
        .run(
            "MATCH (a)-[r]->(b) WHERE id(a) IN $existingNodeIds AND id(b) IN $newNodeIds RETURN r;",
            &[
                parameter("existingNodeIds", list(&[a, b, c])),
                parameter("newNodeIds", list(&[b, c])),
            ],
        )
        .expect("works");
    assert_eq!(between.records.len(), 2);
}
