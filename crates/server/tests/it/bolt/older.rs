//! Bolt before 4.3: what its clients ask in other ways, and what they do not know.

use millrace_db::Database;
use millrace_model::Value;
use millrace_server::wire::bolt::client::LogIn;
use millrace_server::wire::bolt::packstream::Datum;
use millrace_server::wire::bolt::{TransactionOptions, Version};

use super::{Client, failure, only, open, open_as, open_with, parameter, run};
use crate::client::{Running, settings, start_speaking};

const OLDER: [Version; 4] = [
    Version { major: 4, minor: 2 },
    Version { major: 4, minor: 1 },
    Version { major: 4, minor: 0 },
    Version { major: 3, minor: 0 },
];

fn start() -> Running {
    let database = Database::in_memory(settings()).expect("a database in memory opens");
    start_speaking(database, "cypher")
}

fn routes(client: &mut Client, procedure: &str, context: Value) -> String {
    let text = format!("CALL {procedure}($context)");
    let answer = client.run(&text, &[parameter("context", context)]).expect("works");
    assert_eq!(answer.columns, ["ttl".into(), "servers".into()]);
    assert_eq!(answer.records[0][0].as_int(), Some(300));
    format!("{:?}", answer.records)
}

#[test]
fn a_procedure_gives_the_routes() {
    let server = start();
    let map = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|(name, text)| (Value::from(*name), Value::from(*text)));
        Value::map(pairs.collect())
    };
    for version in OLDER {
        let mut client = open_as(&server, version);
        for procedure in ["dbms.routing.getRoutingTable", "dbms.cluster.routing.getRoutingTable"] {
            let shown = routes(&mut client, procedure, map(&[("address", "db.example:1")]));
            assert!(shown.contains("db.example:1") && shown.contains("ROUTE"), "{shown}");
            let shown = routes(&mut client, procedure, map(&[("policy", "x")]));
            assert!(shown.contains(&server.bolt.to_string()), "{shown}");
        }
    }
    let address = Some("hello.example".into());
    let version = Some(Version { major: 4, minor: 1 });
    let log_in = LogIn { version, routing_address: address, ..LogIn::default() };
    let mut client = open_with(server.bolt, &log_in).expect("works");
    let system = || TransactionOptions {
        database: Some("system".into()),
        is_read_only: true,
        ..TransactionOptions::default()
    };
    let text = "CALL dbms.routing.getRoutingTable($context, $database)";
    let parameters = [parameter("context", map(&[])), parameter("database", Value::Null)];
    let answer = client.run_with(text, &parameters, system()).expect("works");
    let shown = format!("{:?}", answer.records);
    assert!(shown.contains("hello.example:7687"), "{shown}");
}

#[test]
fn the_setting_of_the_address_is_before_all_others() {
    let mut settings = settings();
    settings.bolt.advertised_address = "front.example".to_owned();
    let server = start_speaking(Database::in_memory(settings).expect("it opens"), "cypher");
    let text = "CALL dbms.routing.getRoutingTable({address: 'db.example:1'})";
    let shown = format!("{:?}", open_as(&server, OLDER[0]).run(text, &[]));
    assert!(shown.contains("front.example:7687"), "{shown}");
}

#[test]
fn a_timestamp_has_local_seconds_and_counters_have_no_flag() {
    let server = start();
    for version in OLDER {
        let mut client = open_as(&server, version);
        let made = run(&mut client, "CREATE (:A {d: datetime('2024-01-01T00:00:00+01:00')})");
        let Some(Datum::Value(Value::Map(stats))) = made.summary_field("stats") else {
            panic!("{made:?}")
        };
        let has = |name: &str| stats.iter().any(|(own, _)| own.as_str() == Some(name));
        assert!(has("nodes-created") && !has("contains-updates"), "{version}");
        let has_database = made.summary_field("db").is_some();
        assert_eq!(has_database, version.has_amounts(), "{version}");
        let read = run(&mut client, "MATCH (n:A) RETURN n.d LIMIT 1");
        assert!(matches!(only(&read), Datum::Value(Value::DateTime(_))), "{read:?}");
    }
    let made = run(&mut open(&server), "CREATE (:A)");
    assert!(format!("{made:?}").contains("contains-updates"));
}

#[test]
fn transactions_commit_and_roll_back() {
    let server = start();
    for version in OLDER {
        let mut client = open_as(&server, version);
        client.begin(TransactionOptions::default()).expect("works");
        run(&mut client, "CREATE (:T)");
        client.roll_back().expect("works");
        client.begin(TransactionOptions::default()).expect("works");
        run(&mut client, "CREATE (:T)");
        assert_eq!(failure(client.run("RETURN 1/0", &[])).title(), "ArithmeticError");
        client.begin(TransactionOptions::default()).expect("works");
        run(
            &mut client,
            "MERGE (:T {version: $v})".replace("$v", &version.minor.to_string()).as_str(),
        );
        client.commit().expect("works");
    }
    let count = run(&mut open(&server), "MATCH (n:T) RETURN count(n)");
    assert_eq!(only(&count).as_int(), Some(3), "4.0 and 3.0 have one minor number");
}

#[test]
fn before_4_0_a_named_database_is_refused() {
    let server = start();
    let of = |name: &str| TransactionOptions {
        database: Some(name.into()),
        ..TransactionOptions::default()
    };
    let mut client = open_as(&server, Version { major: 3, minor: 0 });
    let refused = failure(client.run_with("RETURN 1", &[], of("neo4j")));
    assert!(refused.message.contains("Database name parameter"), "{refused:?}");
    run(&mut client, "RETURN 1");
    let mut client = open_as(&server, Version { major: 4, minor: 0 });
    client.run_with("RETURN 1", &[], of("neo4j")).expect("works");
}

#[test]
fn a_statement_reads_what_its_transaction_notes() {
    let server = start();
    let mut client = open(&server);
    let noted = || TransactionOptions {
        metadata: vec![("app".into(), Value::from("test"))],
        ..TransactionOptions::default()
    };
    let get = "CALL tx.getMetaData() YIELD metadata RETURN metadata.app";
    let alone = client.run_with(get, &[], noted()).expect("works");
    assert_eq!(only(&alone).as_str(), Some("test"));
    assert_eq!(only(&run(&mut client, get)), Datum::Value(Value::Null));
    client.begin(noted()).expect("works");
    assert_eq!(only(&run(&mut client, get)).as_str(), Some("test"));
    run(&mut client, "CALL tx.setMetaData({app: 'other'})");
    assert_eq!(only(&run(&mut client, get)).as_str(), Some("other"));
    let long =
        parameter("data", Value::map(vec![(Value::from("a"), "x".repeat(3_000).as_str().into())]));
    let refused = failure(client.run("CALL tx.setMetaData($data)", &[long]));
    assert!(refused.message.contains("less than 2048"), "{refused:?}");
}
