//! `log.slow-ms`: the cost of a query in the log, without the values in its text.

use std::net::TcpStream;
use std::path::Path;

use millrace_server::wire::bolt::TransactionOptions;
use millrace_server::wire::bolt::client::{Connection, LogIn};
use serde_json::Value;

use crate::program::{Served, serve_logging};

/// A served folder with 200 people in a ring, and a log of all queries.
fn people(data: &Path, slow_ms: &str) -> Served {
    let served = serve_logging(data, &["--set", slow_ms]);
    served.ask_new(
        "graph",
        "NodeTypeInsert('Person')\nRelationshipTypeInsert('KNOWS')\n\
         for i = 1, 200 do NodeAdd('Person', 'p' .. i, '{\"ssn\": \"078-05-1120\"}') end\n\
         for i = 1, 199 do RelationshipAdd('KNOWS', 'Person', 'p' .. i, 'Person', 'p' .. i + 1) end\n0",
    );
    served
}

/// The log entry with these words in its query text.
fn entry(served: &Served, words: &str) -> Value {
    served.event("slow-query", |event| {
        event["text"].as_str().expect("it is there, and of its kind").contains(words)
    })
}

fn number(entry: &Value, field: &str) -> f64 {
    entry[field].as_f64().unwrap_or_else(|| panic!("{field} of {entry}"))
}

/// Requirements for every entry.
fn check(entry: &Value) {
    assert_eq!(entry["level"], "warn");
    let phases = ["wait_ms", "parse_ms", "plan_ms", "run_ms", "commit_ms", "sync_ms", "send_ms"];
    let parts: f64 = phases.iter().map(|phase| number(entry, phase)).sum();
    assert!(parts <= number(entry, "took_ms") + 0.1, "the parts are more than the whole: {entry}");
    for secret in ["078-05-1120", "p7", "secret"] {
        assert!(!entry.to_string().contains(secret), "{secret} is a value: {entry}");
    }
}

#[test]
fn a_query_of_lua_is_logged_with_phases_rows_and_operators() {
    let folder = tempfile::tempdir().unwrap();
    let served = people(folder.path(), "log.slow-ms=0");
    let made = entry(&served, "NodeTypeInsert(?)");
    check(&made);
    assert!(0.0 < number(&made, "commit_ms") && 0.0 < number(&made, "sync_ms"), "{made}");
    served.ask("graph", "-- a secret\nNodeGetNeighbors('Person', 'p7', Direction.OUT, 'KNOWS')");
    let asked = entry(&served, "NodeGetNeighbors");
    check(&asked);
    assert_eq!(asked["text"], "NodeGetNeighbors('Person', ?, Direction.OUT, 'KNOWS')");
    let words = [&asked["language"], &asked["graph"], &asked["outcome"]];
    assert_eq!(words, ["lua", "graph", "done"]);
    assert_eq!(number(&asked, "sync_ms"), 0.0, "it wrote nothing: {asked}");
    assert!(0.0 < number(&asked, "run_ms") && 1.0 <= number(&asked, "runs"), "{asked}");
    let operators = asked["operators"].as_str().unwrap();
    // The slowest of them: which those are depends on what else the machine does.
    assert!(operators.contains(" ms ") && operators.contains(" rows"), "{operators}");
}

#[test]
fn a_query_of_gremlin_is_logged_whichever_way_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let served = people(folder.path(), "log.slow-ms=0");
    // By HTTP on its own port.
    let gremlin = served.gremlin_url();
    let ask = |url: &str, text: &str| {
        let body = serde_json::json!({ "gremlin": text }).to_string();
        let config = ureq::post(url).config().http_status_as_error(false).build();
        config.send(body).unwrap().body_mut().read_to_string().unwrap()
    };
    let http = gremlin.replacen("ws://", "http://", 1);
    ask(&http, "g.V().hasLabel('Person').has('ssn', '078-05-1120').out('KNOWS').count()");
    let counted = entry(&served, "count()");
    check(&counted);
    assert_eq!(counted["text"], "g.V().hasLabel('Person').has('ssn', ?).out('KNOWS').count()",);
    assert_eq!((number(&counted, "rows"), &counted["language"]), (1.0, &"gremlin".into()));
    assert!(0.0 < number(&counted, "parse_ms") && 0.0 < number(&counted, "plan_ms"), "{counted}");
    assert!(!counted["operators"].as_str().unwrap().is_empty(), "{counted}");
    // Over a WebSocket.
    let (mut socket, _) = tungstenite::connect(&gremlin).unwrap();
    let request = serde_json::json!({
        "requestId": "41d2e28a-20a4-4ab0-b379-d810dede3786", "op": "eval", "processor": "",
        "args": { "gremlin": "g.addV('Person').property('ssn', 'secret').id()" }
    });
    let mut message = b"\x10application/json".to_vec();
    message.extend(request.to_string().bytes());
    socket.send(tungstenite::Message::binary(message)).unwrap();
    socket.read().unwrap();
    let written = entry(&served, "addV");
    check(&written);
    assert!(0.0 < number(&written, "commit_ms") && 0.0 < number(&written, "sync_ms"), "{written}");
    // By the route of the page, on the port of Lua.
    let body = serde_json::json!({ "language": "gremlin", "text": "g.V().limit(3)" });
    served.post_json("/query/g", &body.to_string());
    let paged = entry(&served, "limit(?)");
    check(&paged);
    assert_eq!(number(&paged, "rows"), 3.0);
    // One that fails.
    ask(&http, "g.V().has('ssn', 'p7').noSuchStep('secret')");
    let failed = entry(&served, "noSuchStep");
    check(&failed);
    assert_eq!([&failed["outcome"], &failed["graph"]], ["unsupported", "graph"]);
}

#[test]
fn a_query_that_ran_into_its_deadline_is_logged_with_its_operators() {
    let folder = tempfile::tempdir().unwrap();
    let served = people(folder.path(), "log.slow-ms=150");
    let http = served.gremlin_url().replacen("ws://", "http://", 1);
    let text =
        "g.with('evaluationTimeout', 300).V().repeat(both('KNOWS')).times(1000000).path().count()";
    let body = serde_json::json!({ "gremlin": text }).to_string();
    let config = ureq::post(&http).config().http_status_as_error(false).build();
    config.send(body).unwrap();
    let slow = entry(&served, "repeat(both('KNOWS'))");
    check(&slow);
    assert_eq!(slow["outcome"], "deadline-exceeded");
    assert!(150.0 <= number(&slow, "took_ms"), "{slow}");
    assert!(slow["operators"].as_str().unwrap().contains("Repeat"), "{slow}");
    // A fast query is not in the log.
    served.ask("graph", "AllNodesCount('Person')");
    served.terminate_now();
    let events = served.events_to_the_end();
    let fast =
        |event: &&Value| event["text"].as_str().is_some_and(|text| text.contains("AllNodes"));
    assert_eq!(events.iter().find(fast), None);
}

/// A client of a server that listens for Bolt.
fn bolt(served: &Served) -> Connection<TcpStream> {
    let listening = served.event("listening", |event| event["protocol"] == "bolt");
    let address = listening["address"].as_str().expect("it has an address").to_owned();
    let stream = TcpStream::connect(address).expect("it listens");
    Connection::open(stream, &LogIn::default()).expect("no login is needed")
}

/// Symptom: writes over Bolt had `commit_ms=0 sync_ms=0`, and the commit of a transaction was in no entry.
#[test]
fn a_write_over_bolt_is_logged_with_its_commit_and_a_refused_query_with_its_graph() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--listen", "bolt=127.0.0.1:0", "--set", "log.slow-ms=0"];
    let served = serve_logging(folder.path(), &options);
    let mut client = bolt(&served);
    let phases = |entry: &Value| ["commit_ms", "sync_ms"].map(|phase| number(entry, phase));
    client.run("CREATE (:Alone {ssn: '078-05-1120'})", &[]).unwrap();
    let alone = entry(&served, "CREATE (:Alone");
    check(&alone);
    let words = [&alone["language"], &alone["graph"], &alone["outcome"]];
    assert_eq!(words, ["cypher", "graph", "done"]);
    assert!(phases(&alone).iter().all(|phase| 0.0 < *phase), "{alone}");
    // In a transaction of the client the commit is a request of its own.
    client.begin(TransactionOptions::default()).unwrap();
    client.run("CREATE (:Within)", &[]).unwrap();
    client.commit().unwrap();
    let within = entry(&served, "CREATE (:Within");
    assert_eq!(phases(&within), [0.0, 0.0], "{within}");
    let commit = entry(&served, "COMMIT");
    check(&commit);
    assert!(phases(&commit).iter().all(|phase| 0.0 < *phase), "{commit}");
    assert_eq!([&commit["language"], &commit["graph"]], ["cypher", "graph"]);
    client.run("RETRUN 1", &[]).unwrap_err();
    let refused = entry(&served, "RETRUN");
    assert_eq!([&refused["outcome"], &refused["graph"]], ["bad-query", "graph"]);
}
