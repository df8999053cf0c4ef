//! Queries as transactions of their own, in every version.

use millrace_model::Value;
use millrace_server::wire::bolt::client::LogIn;
use millrace_server::wire::bolt::packstream::Datum;
use millrace_server::wire::bolt::{Request, Route, TransactionOptions, Version};

use super::{count, failure, only, open, open_as, open_with, parameter, run, start};
use crate::client::start_with;

#[test]
fn every_version_runs_queries() {
    let server = start();
    run(&mut open(&server), "g.addV('person').property('name', 'ann')");
    for version in Version::SERVED {
        let mut client = open_as(&server, version);
        assert_eq!(client.version(), Some(version));
        let answer = run(&mut client, "g.V()");
        let Datum::Node(node) = only(&answer) else { panic!("{answer:?}") };
        assert_eq!(node.labels, ["person".into()], "{version}");
        assert_eq!(node.properties, [("name".into(), Value::from("ann"))]);
        let wanted = match version.has_element_ids() {
            true => format!("4:0:{}", node.id),
            false => node.id.to_string(),
        };
        assert_eq!(*node.element_id, wanted, "{version}");
        client.close().expect("works");
    }
}

#[test]
fn a_summary_has_the_type_the_counters_and_a_bookmark() {
    let server = start();
    let mut client = open(&server);
    let made =
        run(&mut client, "g.addV('a').as('x').addV('b').addE('e').from('x').property('n', 1)");
    assert_eq!(made.columns, ["value".into()]);
    let field = |name: &str| made.summary_field(name).cloned();
    assert_eq!(field("type").expect("works").as_str(), Some("rw"));
    assert_eq!(field("db").expect("works").as_str(), Some("neo4j"));
    assert!(
        field("bookmark").expect("works").as_str().expect("works").starts_with("millrace:graph:")
    );
    let Some(Datum::Value(Value::Map(stats))) = field("stats") else { panic!("{made:?}") };
    let stat = |name: &str| stats.iter().find(|(own, _)| own.as_str() == Some(name));
    assert_eq!(stat("nodes-created").expect("works").1, Value::I64(2));
    assert_eq!(stat("relationships-created").expect("works").1, Value::I64(1));
    assert_eq!(stat("contains-updates").expect("works").1, Value::Bool(true));
    assert!(stat("nodes-deleted").is_none());
    let read = run(&mut client, "g.V().count()");
    assert_eq!(read.summary_field("type").expect("works").as_str(), Some("r"));
    assert!(read.summary_field("stats").is_none());
    let profile = run(&mut client, "g.V().count().profile()");
    assert!(profile.records.is_empty());
    assert!(matches!(profile.summary_field("profile"), Some(Datum::Value(Value::Map(_)))));
}

#[test]
fn parameters_are_values() {
    let server = start();
    let mut client = open(&server);
    let values = Value::list(vec![Value::I64(1), Value::from("a"), Value::F64(0.5), Value::Null]);
    let answer = client.run("g.inject(x)", &[parameter("x", values.clone())]).expect("works");
    assert_eq!(only(&answer), Datum::Value(values));
}

#[test]
fn a_failure_has_its_code_and_the_connection_goes_on() {
    let server = start();
    for version in [Version::NEWEST, Version { major: 4, minor: 4 }] {
        let mut client = open_as(&server, version);
        let wrong = failure(client.run("g.V(", &[]));
        assert_eq!(&*wrong.code, "Neo.ClientError.Statement.SyntaxError");
        assert!(wrong.message.contains("line 1"), "{wrong:?}");
        assert_eq!(count(&mut client, "g.inject(1).count()"), 1);
    }
}

#[test]
fn a_read_refuses_to_write_and_a_database_is_a_graph() {
    let server = start();
    let mut client = open(&server);
    let reading = TransactionOptions { is_read_only: true, ..TransactionOptions::default() };
    let refused = failure(client.run_with("g.addV()", &[], reading));
    assert_eq!(&*refused.code, "Neo.ClientError.Statement.AccessMode");
    let of = |name: &str| TransactionOptions {
        database: Some(name.into()),
        ..TransactionOptions::default()
    };
    let missing = failure(client.run_with("g.V()", &[], of("other")));
    assert_eq!(&*missing.code, "Neo.ClientError.Database.DatabaseNotFound");
    assert_eq!(server.post("/dbs/other", "").status, 200);
    client.run_with("g.addV()", &[], of("other")).expect("works");
    for (asked, meant) in [("OTHER", "other"), ("Neo4j", "neo4j"), ("SYSTEM", "system")] {
        let answer = client.run_with("g.V().count()", &[], of(asked)).expect("works");
        assert_eq!(answer.summary_field("db").expect("works").as_str(), Some(meant), "{asked}");
    }
    let answer = client.run_with("g.V().count()", &[], of("other")).expect("works");
    assert_eq!(only(&answer).as_int(), Some(1));
    assert_eq!(answer.summary_field("db").expect("works").as_str(), Some("other"));
    assert_eq!(count(&mut client, "g.V().count()"), 0);
    client.run_with("g.V().count()", &[], of("neo4j")).expect("works");
    let system = client.run_with("g.V().count()", &[], of("system")).expect("works");
    assert_eq!(system.summary_field("db").expect("works").as_str(), Some("system"));
}

#[test]
fn the_default_graph_is_a_setting() {
    let server = start_with(|settings| settings.cypher.graph = "own".to_owned());
    run(&mut open(&server), "g.addV()");
    assert_eq!(server.get("/dbs/own").status, 200);
}

#[test]
fn routes_lead_to_the_address_that_the_client_used_or_the_setting() {
    let addresses = |client: &mut super::Client, address: Option<&str>| {
        let route = Route { address: address.map(Into::into), ..Route::default() };
        let fields = client.ask(&Request::Route(route)).expect("works");
        format!("{fields:?}")
    };
    let server = start();
    let mut client = open(&server);
    assert!(addresses(&mut client, Some("db.example:1")).contains("db.example:1"));
    assert!(addresses(&mut client, None).contains(&server.bolt.to_string()));
    let address = Some("hello.example:2".into());
    let log_in = LogIn { routing_address: address, ..LogIn::default() };
    let mut client = open_with(server.bolt, &log_in).expect("works");
    let shown = addresses(&mut client, None);
    assert!(shown.contains("hello.example:2") && shown.contains("ROUTE"), "{shown}");
    let server = start_with(|settings| {
        settings.bolt.advertised_address = "front.example".to_owned();
        settings.bolt.server_agent = "Neo4j/9".to_owned();
    });
    let mut client = open(&server);
    assert!(addresses(&mut client, Some("db.example:1")).contains("front.example:7687"));
    let agent = client.greeting().iter().find(|(name, _)| &**name == "server").expect("works");
    assert_eq!(agent.1.as_str(), Some("Neo4j/9"));
}

#[test]
fn a_bookmark_is_taken_back() {
    let server = start();
    let mut client = open(&server);
    let made = run(&mut client, "g.addV()");
    let bookmark = made.summary_field("bookmark").expect("works").as_str().expect("works").into();
    let options = TransactionOptions { bookmarks: vec![bookmark], ..TransactionOptions::default() };
    let mut other = open(&server);
    let seen = other.run_with("g.V().count()", &[], options).expect("works");
    assert_eq!(only(&seen).as_int(), Some(1));
    let foreign = vec!["FB:kcwQ".into()];
    let options = TransactionOptions { bookmarks: foreign, ..TransactionOptions::default() };
    let refused = failure(other.run_with("g.V()", &[], options.clone()));
    assert_eq!(&*refused.code, "Neo.ClientError.Transaction.InvalidBookmark");
    let refused = failure(other.begin(options));
    assert_eq!(refused.title(), "InvalidBookmark");
    let later = vec!["millrace:graph:99999999".into()];
    let options = TransactionOptions {
        bookmarks: later,
        timeout_ms: Some(20),
        ..TransactionOptions::default()
    };
    assert_eq!(failure(other.run_with("g.V()", &[], options)).title(), "BookmarkTimeout");
}

#[test]
fn a_query_has_its_timeout() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "g.addV().as('a').addE('e').to('a')");
    let options = TransactionOptions { timeout_ms: Some(20), ..TransactionOptions::default() };
    let long = "g.V().repeat(__.out()).times(2000000000).count()";
    let late = failure(client.run_with(long, &[], options));
    assert_eq!(&*late.code, "Neo.ClientError.Transaction.TransactionTimedOut");
    assert_eq!(count(&mut client, "g.V().count()"), 1);
}
