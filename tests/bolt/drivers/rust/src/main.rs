//! What neo4rs 0.8 asks of a server, in Bolt 4.1: it ends with 1 at the first answer that is wrong.
//!
//! Usage: `main HOST:PORT [USER PASSWORD]`.

use std::fmt::Debug;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime};
use neo4rs::{
    query, BoltType, ConfigBuilder, Error, Graph, Node, Path, Point2D, Point3D, Query, Relation,
    UnboundedRelation,
};

type Done = Result<(), Error>;

fn expect<T: PartialEq + Debug>(found: T, expected: T, what: &str) {
    if found != expected {
        eprintln!("{what}: found {found:?}, expected {expected:?}");
        std::process::exit(1);
    }
}

async fn single<T>(graph: &Graph, asked: Query) -> Result<T, Error>
where
    T: for<'de> serde::Deserialize<'de>,
{
    let mut rows = graph.execute(asked).await?;
    let row = rows.next().await?.expect("a row");
    let value = row.get("value").map_err(Error::DeserializationError)?;
    expect(rows.next().await?.is_none(), true, "one row");
    Ok(value)
}

async fn count(graph: &Graph) -> Result<i64, Error> {
    single(graph, query("MATCH (n) RETURN count(n) AS value")).await
}

fn give(value: impl Into<BoltType>) -> Query {
    query("RETURN $x AS value").param("x", value)
}

fn code<T>(done: Result<T, Error>) -> String {
    match done {
        Err(Error::Neo4j(error)) => error.code().to_owned(),
        Err(other) => format!("{other}"),
        Ok(_) => "it was not refused".to_owned(),
    }
}

async fn types(graph: &Graph) -> Done {
    expect(single(graph, give(1_i64 << 62)).await?, 1_i64 << 62, "an integer");
    expect(single(graph, give(-1.5)).await?, -1.5, "a float");
    expect(single(graph, give(true)).await?, true, "a boolean");
    expect(single(graph, give("text ü 世")).await?, "text ü 世".to_owned(), "a text");
    expect(single(graph, give(vec![1_i64, 2])).await?, vec![1_i64, 2], "a list");
    expect(single(graph, give(None::<i64>)).await?, None::<i64>, "null");
    let date = NaiveDate::from_ymd_opt(2024, 2, 29).expect("a date");
    expect(single(graph, give(date)).await?, date, "a date");
    let local: NaiveDateTime = date.and_hms_nano_opt(12, 30, 1, 7).expect("a time");
    expect(single(graph, give(local)).await?, local, "a local moment");
    let moment = DateTime::<FixedOffset>::parse_from_rfc3339("2024-02-29T12:30:01.5+02:00");
    let moment = moment.expect("a moment");
    expect(single(graph, give(moment)).await?, moment, "a moment of an offset");
    let zoned: (NaiveDateTime, String) = single(graph, give((local, "Europe/Paris"))).await?;
    expect(zoned, (local, "Europe/Paris".to_owned()), "a moment of a zone");
    let text = "RETURN datetime('2024-07-01T12:00[Europe/Paris]') AS value";
    let zoned: (NaiveDateTime, String) = single(graph, query(text)).await?;
    expect(zoned.0.to_string(), "2024-07-01 12:00:00".to_owned(), "its local seconds");
    let point: Point2D = single(graph, query("RETURN point({x: 1.5, y: 2}) AS value")).await?;
    expect((point.sr_id(), point.x(), point.y()), (7203, 1.5, 2.0), "a point");
    let text = "RETURN point({longitude: 1, latitude: 2, height: 3}) AS value";
    let point: Point3D = single(graph, query(text)).await?;
    expect((point.sr_id(), point.z()), (4979, 3.0), "a point of three numbers");
    let bytes: Vec<u8> = single(graph, give(b"bytes".to_vec())).await?;
    expect(bytes, b"bytes".to_vec(), "bytes");
    Ok(())
}

async fn elements(graph: &Graph) -> Done {
    let text = "CREATE p = (a:Person {name: $name})-[:KNOWS {since: 1999}]->(:Person {name: 'bob'}) RETURN p AS value";
    let path: Path = single(graph, query(text).param("name", "ann")).await?;
    expect((path.nodes().len(), path.rels().len()), (2, 1), "a path");
    let relations: Vec<UnboundedRelation> = path.rels();
    expect(relations[0].typ(), "KNOWS", "the type of its relationship");
    let node: Node = single(graph, query("MATCH (n {name: 'ann'}) RETURN n AS value")).await?;
    expect(node.labels(), vec!["Person"], "the labels of a node");
    expect(node.get::<String>("name").ok(), Some("ann".to_owned()), "its property");
    let relation: Relation = single(graph, query("MATCH ()-[r]->() RETURN r AS value")).await?;
    expect(relation.start_node_id(), node.id(), "the start of a relationship");
    expect(relation.get::<i64>("since").ok(), Some(1999), "its property");
    let text = "MATCH (n) WHERE id(n) = $id RETURN n.name AS value";
    let found: String = single(graph, query(text).param("id", node.id())).await?;
    expect(found, "ann".to_owned(), "a node by its number");
    graph.run(query("MATCH (n) DETACH DELETE n")).await
}

async fn results(graph: &Graph) -> Done {
    let many = || query("UNWIND range(1, 4096) AS value RETURN value");
    let mut rows = graph.execute(many()).await?;
    let mut found = 0;
    while rows.next().await?.is_some() {
        found += 1;
    }
    expect(found, 4096, "all records");
    // A result that is left in its middle gives its connection back.
    for _ in 0..20 {
        let mut rows = graph.execute(many()).await?;
        expect(rows.next().await?.is_some(), true, "the first record");
    }
    Ok(())
}

async fn transactions(graph: &Graph) -> Done {
    let make = || query("CREATE (:T {n: $n})").param("n", 1_i64);
    let mut transaction = graph.start_txn().await?;
    transaction.run_queries([make(), make()]).await?;
    let mut rows = transaction.execute(query("MATCH (n:T) RETURN count(n) AS value")).await?;
    let row = rows.next(transaction.handle()).await?.expect("a row");
    expect(row.get::<i64>("value").ok(), Some(2), "a read of its own writes");
    expect(count(graph).await?, 0, "outside of the transaction");
    transaction.commit().await?;
    expect(count(graph).await?, 2, "after the commit");
    let mut transaction = graph.start_txn().await?;
    transaction.run(make()).await?;
    transaction.rollback().await?;
    expect(count(graph).await?, 2, "after the rollback");
    let mut transaction = graph.start_txn_on("neo4j").await?;
    let failed = transaction.run(query("RETURN (")).await;
    expect(code(failed), "Neo.ClientError.Statement.SyntaxError".to_owned(), "a failure in it");
    // It is rolled back when its connection is used again: an answer to ROLLBACK would be IGNORED, which neo4rs does not know.
    drop(transaction);
    graph.run(query("MATCH (n) DETACH DELETE n")).await
}

async fn failures(graph: &Graph) -> Done {
    let failed = graph.run(query("RETURN (")).await;
    expect(code(failed), "Neo.ClientError.Statement.SyntaxError".to_owned(), "a wrong text");
    expect(count(graph).await?, 0, "after a failure");
    graph.run(query("CREATE CONSTRAINT c FOR (n:U) REQUIRE n.k IS UNIQUE")).await?;
    graph.run(query("CREATE (:U {k: 1})")).await?;
    let Err(Error::Neo4j(error)) = graph.run(query("CREATE (:U {k: 1})")).await else {
        panic!("a second node of a unique key was made");
    };
    expect(error.message().contains("already exists with label"), true, error.message());
    graph.run(query("DROP CONSTRAINT c")).await?;
    let failed = graph.run_on("nowhere", query("RETURN 1")).await;
    expect(code(failed), "Neo.ClientError.Database.DatabaseNotFound".to_owned(), "no database");
    graph.run(query("MATCH (n) DETACH DELETE n")).await
}

#[tokio::main]
async fn main() -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (user, password) = match arguments.as_slice() {
        [_, user, password] => (user.as_str(), password.as_str()),
        _ => ("neo4j", "any"),
    };
    let connect = |password: &str| {
        let config = ConfigBuilder::default().uri(&*arguments[0]).user(user).password(password);
        let config = config.fetch_size(100).max_connections(4).build().expect("a configuration");
        Graph::connect(config)
    };
    let graph = connect(password).await?;
    types(&graph).await?;
    elements(&graph).await?;
    results(&graph).await?;
    transactions(&graph).await?;
    failures(&graph).await?;
    if user != "neo4j" {
        let refused = match connect("wrong").await {
            Ok(graph) => graph.run(query("RETURN 1")).await.is_err(),
            Err(_) => true,
        };
        expect(refused, true, "a wrong password");
    }
    println!("neo4rs 0.8.0");
    Ok(())
}
