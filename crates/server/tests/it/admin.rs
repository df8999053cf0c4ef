//! Administration: graphs, schemas, loads, exports, backups, the requests under way.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Running, start, start_over, start_with};
use crate::gremlin::socket::{Socket, eval};

/// A script that runs until it is cancelled.
const ENDLESS: &str = "while true do end\n1";

fn graph(name: &str, vertices: u64, edges: u64, isolation: &str) -> Value {
    json!({ "name": name, "vertices": vertices, "edges": edges, "isolation": isolation })
}

#[test]
fn graphs_are_made_shown_isolated_and_dropped() {
    let server = start_with(|_| {});
    assert_eq!(server.administer("GET", "/graphs", ""), json!([]));
    let made = server.admin("PUT", "/graphs/shop", "");
    assert_eq!((made.status, made.json()), (201, graph("shop", 0, 0, "snapshot")));
    assert_eq!(server.post("/db/shop/node/Person/ann", "").status, 201);
    let found = server.admin("PUT", "/graphs/shop", "{\"isolation\": \"serializable\"}");
    assert_eq!((found.status, found.json()), (200, graph("shop", 1, 0, "serializable")));
    assert_eq!(server.admin("PUT", "/graphs/shop", "").json(), graph("shop", 1, 0, "serializable"));
    let back = server.administer("PUT", "/graphs/shop", "{\"isolation\": \"snapshot\"}");
    assert_eq!(back, graph("shop", 1, 0, "snapshot"));
    assert_eq!(server.administer("GET", "/graphs", ""), json!([back]));
    for (body, word) in [
        ("{\"isolation\": \"strict\"}", "snapshot or serializable"),
        ("{\"colour\": \"red\"}", "`colour`"),
        ("[]", "object"),
        ("{", ""),
    ] {
        let refused = server.admin("PUT", "/graphs/shop", body);
        assert_eq!(refused.status, 400, "{body}: {refused:?}");
        assert!(refused.body.contains(word), "{body}: {refused:?}");
    }
    assert_eq!(server.admin("PUT", "/graphs/a%2Fb", "").status, 400);
    assert_eq!(server.admin("DELETE", "/graphs/shop", "").status, 204);
    for gone in [
        server.admin("GET", "/graphs/shop", ""),
        server.admin("DELETE", "/graphs/shop", ""),
        server.admin("GET", "/graphs/shop/schema", ""),
        server.admin("GET", "/export/shop?format=graphson", ""),
    ] {
        assert_eq!((gone.status, gone.error.as_deref()), (404, Some("not-found")), "{gone:?}");
        assert!(gone.json()["error"]["help"].as_str().unwrap().contains("PUT /graphs/shop"));
    }
    assert_eq!(server.admin("POST", "/load/shop?format=nquads", "").status, 404);
}

fn change(server: &Running, changes: &Value) -> crate::client::Reply {
    server.admin("POST", "/graphs/one/schema", &json!({ "changes": changes }).to_string())
}

#[test]
fn a_schema_is_changed_as_one_transaction_and_shown() {
    let server = start();
    server.run("NodeTypeInsert('Person')\nNodeAdd('Person', 'ann', [[{\"age\": 7}]])");
    let changed = change(
        &server,
        &json!([
            { "change": "create_index", "label": "Person", "keys": ["age"], "kind": "range" },
            { "change": "create_index", "edge_type": "KNOWS", "keys": ["since"] },
            { "change": "create_index", "label": "Person", "keys": ["name"], "kind": "made",
              "method": " words( janusgraph )" },
            { "change": "create_index", "label": "Person", "keys": ["name"], "method": "trigrams" },
            { "change": "drop_index", "label": "Person", "keys": ["name"], "method": "trigrams" },
            { "change": "create_unique", "label": "Person", "keys": ["email"] },
            { "change": "create_property", "label": "Person", "key": "age", "type": "integer", "required": true },
            { "change": "create_type", "edge_type": "LIKES" },
        ]),
    );
    assert_eq!(changed.status, 200, "{changed:?}");
    let schema = changed.json();
    assert_eq!(schema, server.administer("GET", "/graphs/one/schema", ""));
    let person = &schema["labels"][0];
    assert_eq!((&person["name"], &person["defined"]), (&json!("Person"), &json!(true)));
    let age = json!({ "key": "age", "type": "integer", "required": true });
    assert_eq!(person["properties"], json!([age]));
    assert!(schema["edge_types"].as_array().unwrap().iter().any(|own| own["name"] == "LIKES"));
    assert_eq!(
        schema["indexes"],
        json!([
            { "label": "Person", "keys": ["age"], "kind": "range", "state": "ready",
              "percent": 100.0, "entries": 1, "bytes": 8 },
            { "edge_type": "KNOWS", "keys": ["since"], "kind": "exact", "state": "ready",
              "percent": 100.0, "entries": 0, "bytes": 0 },
            { "label": "Person", "keys": ["name"], "kind": "made", "state": "ready",
              "percent": 100.0, "entries": 0, "bytes": 0, "method": "words(janusgraph)" },
        ])
    );
    let is_email = |own: &Value| own["label"] == "Person" && own["keys"] == json!(["email"]);
    let email = schema["constraints"].as_array().unwrap().iter().find(|own| is_email(own));
    assert_eq!(email.map(|own| &own["kind"]), Some(&json!("unique")), "{schema}");
    assert!(schema["property_keys"].as_array().unwrap().contains(&json!("email")));
    assert_eq!(schema["isolation"], "snapshot");
    // The definitions are enforced.
    assert_ne!(server.post("/db/one/node/Person/ben", "{\"age\": \"old\"}").status, 201);
    let dropped = change(
        &server,
        &json!([
            { "change": "drop_index", "label": "Person", "keys": ["age"] },
            { "change": "drop_unique", "label": "Person", "keys": ["email"] },
            { "change": "drop_property", "label": "Person", "key": "age" },
            { "change": "drop_type", "edge_type": "LIKES" },
        ]),
    )
    .json();
    assert_eq!(dropped["indexes"].as_array().unwrap().len(), 2, "{dropped}");
    assert!(!dropped["constraints"].as_array().unwrap().iter().any(is_email), "{dropped}");
    assert_eq!(dropped["labels"][0]["properties"], json!([]));
}

#[test]
fn a_schema_change_that_fails_changes_nothing() {
    let server = start();
    server.run(
        "NodeTypeInsert('P')\nNodeAdd('P', 'a', [[{\"n\": 1}]])\nNodeAdd('P', 'b', [[{\"n\": 1}]])",
    );
    let before = server.administer("GET", "/graphs/one/schema", "");
    let index = json!({ "change": "create_index", "label": "P", "keys": ["n"] });
    for (second, status, word) in [
        (json!({ "change": "create_unique", "label": "P", "keys": ["n"] }), 409, ""),
        (
            json!({ "change": "create_property", "label": "P", "key": "n", "type": "string" }),
            409,
            "",
        ),
        (json!({ "change": "drop_index", "label": "P", "keys": ["none"] }), 404, "none"),
        (json!({ "change": "drop_index", "edge_type": "none", "keys": ["n"] }), 404, "none"),
        (json!({ "change": "explode" }), 400, "create_index"),
        (json!({ "change": "create_index", "keys": ["n"] }), 400, "`label` or `edge_type`"),
        (
            json!({ "change": "create_index", "label": "P", "edge_type": "E", "keys": ["n"] }),
            400,
            "change 2",
        ),
        (json!({ "change": "create_index", "label": "P", "keys": [] }), 400, "`keys`"),
        (
            json!({ "change": "create_index", "label": "P", "keys": ["n"], "kind": "hash" }),
            400,
            "range",
        ),
        (
            json!({ "change": "create_index", "label": "P", "keys": ["n"], "kind": "made" }),
            400,
            "`method`",
        ),
        (
            json!({ "change": "create_index", "label": "P", "keys": ["n"], "kind": "range", "method": "trigrams" }),
            400,
            "`method`",
        ),
        (
            json!({ "change": "create_index", "label": "P", "keys": ["n"], "method": "words(klingon)" }),
            400,
            "klingon",
        ),
        (
            json!({ "change": "create_index", "label": "P", "keys": ["n"], "method": "value" }),
            400,
            "range",
        ),
        (
            json!({ "change": "drop_index", "label": "P", "keys": ["n"], "method": "trigrams" }),
            404,
            "no such index",
        ),
        (
            json!({ "change": "create_unique", "label": "P", "keys": ["n"], "kind": "exact" }),
            400,
            "no `kind`",
        ),
        (
            json!({ "change": "create_property", "label": "P", "key": "n", "type": "text" }),
            400,
            "string_list",
        ),
        (
            json!({ "change": "create_property", "label": "P", "key": "n", "required": 1 }),
            400,
            "`required`",
        ),
        (json!("drop"), 400, "object"),
    ] {
        let refused = change(&server, &json!([index, second]));
        assert_eq!(refused.status, status, "{second}: {refused:?}");
        assert!(refused.body.contains(word), "{second}: {refused:?}");
        let after = server.administer("GET", "/graphs/one/schema", "");
        let defined = |schema: &Value| (schema["indexes"].clone(), schema["constraints"].clone());
        assert_eq!(defined(&after), defined(&before), "{second}");
    }
    let many = vec![index; 300];
    assert_eq!(change(&server, &json!(many)).error.as_deref(), Some("limit-reached"));
    for body in ["{}", "{\"changes\": 1}", "{\"change\": []}", "nonsense"] {
        assert_eq!(server.admin("POST", "/graphs/one/schema", body).status, 400, "{body}");
    }
}

#[test]
fn a_body_that_is_too_long_is_refused() {
    let server = start_with(|settings| settings.http.body_bytes_max = 1_000);
    assert_eq!(server.admin("PUT", "/graphs/one", "").status, 201);
    let long = format!("{{\"changes\": [\"{}\"]}}", "x".repeat(2_000));
    for path in ["/graphs/one/schema", "/query/g"] {
        let refused = server.admin("POST", path, &long);
        assert_eq!((refused.status, refused.error.as_deref()), (413, Some("limit-reached")));
        assert!(refused.body.contains("http.body-bytes-max"), "{refused:?}");
    }
    let file = "<a> <b> <c> .\n".repeat(200);
    let loaded =
        server.send_to(&server.admin, "POST", "/load/one?format=nquads", &[], file.as_bytes());
    assert_eq!(loaded.status, 200, "files have a bound of their own: {loaded:?}");
}

#[test]
fn a_load_and_an_export_of_it_are_one_graph() {
    let server = start();
    let quads = "<ann> <name> \"Ann\" .\n<ann> <knows> <ben> .\n";
    let path = "/load/one?format=nquads";
    let loaded = server.send_to(&server.admin, "POST", path, &[], quads.as_bytes()).json();
    assert_eq!(loaded["vertices"], 2, "{loaded}");
    assert_eq!(server.administer("GET", &format!("/load/{}", loaded["id"]), ""), loaded);
    assert_eq!(server.administer("GET", "/load", ""), json!([loaded]));
    assert_eq!(server.shown("/load"), json!([loaded]), "the same on RageDB's listener");
    for (format, kind, begins) in
        [("graphson", "application/x-ndjson", "{\"id\""), ("graphml", "application/xml", "<?xml")]
    {
        let exported = server.admin("GET", &format!("/export/one?format={format}"), "");
        assert_eq!(exported.status, 200, "{exported:?}");
        assert_eq!(exported.content_type.as_deref(), Some(kind));
        assert!(exported.body.starts_with(begins), "{exported:?}");
        assert_eq!(server.admin("PUT", &format!("/graphs/{format}"), "").status, 201);
        let path = format!("/load/{format}?format={format}");
        let body = exported.body.as_bytes();
        let again = server.send_to(&server.admin, "POST", &path, &[], body).json();
        assert_eq!((&again["vertices"], &again["edges"]), (&json!(2), &json!(1)), "{again}");
    }
    let empty = server.admin("PUT", "/graphs/empty", "");
    assert_eq!(empty.status, 201);
    assert_eq!(server.admin("GET", "/export/empty?format=graphson", "").body, "");
    for (query, status, word) in [
        ("?format=csv", 501, "graphml"),
        ("?format=parquet", 400, "graphson"),
        ("", 400, "?format="),
        ("?format=graphml&colour=red", 400, "colour"),
    ] {
        let refused = server.admin("GET", &format!("/export/one{query}"), "");
        assert_eq!(refused.status, status, "{query}: {refused:?}");
        assert!(refused.body.contains(word), "{query}: {refused:?}");
    }
}

#[test]
fn a_backup_is_an_archive_and_a_database_in_memory_has_none() {
    use millrace_server::db::Database;
    let folder = tempfile::tempdir().unwrap();
    let settings = crate::client::settings();
    let server = start_over(Database::open(&folder.path().join("data"), settings).unwrap());
    assert_eq!(server.admin("PUT", "/graphs/one", "").status, 201);
    for method in ["GET", "POST"] {
        let mut stream = TcpStream::connect(server.admin.trim_start_matches("http://")).unwrap();
        write!(stream, "{method} /backup HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let head = String::from_utf8_lossy(&answer[..200]).to_lowercase();
        assert!(head.contains(" 200 ") && head.contains("application/x-tar"), "{head}");
    }
    assert_eq!(server.admin("GET", "/backup?all=1", "").status, 400);
    let none = start().admin("GET", "/backup", "");
    assert_eq!((none.status, none.error.as_deref()), (501, Some("unsupported")), "{none:?}");
}

fn queries(server: &Running) -> Vec<Value> {
    server.administer("GET", "/queries", "").as_array().expect("a list").clone()
}

/// The requests under way, once there are so many that run.
fn running(server: &Running, count: usize) -> Vec<Value> {
    let began = Instant::now();
    loop {
        let listed = queries(server);
        if listed.iter().filter(|query| query["state"] == "running").count() == count {
            return listed;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{listed:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn requests_under_way_are_listed_without_values_and_cancelled() {
    let server = start();
    assert_eq!(queries(&server), Vec::<Value>::new());
    std::thread::scope(|scope| {
        let script = format!("local secret = 'geheim'\n{ENDLESS}");
        let server = &server;
        let asked = scope.spawn(move || server.post("/db/one/lua", &script));
        let listed = running(server, 1);
        let [query] = listed.as_slice() else { panic!("{listed:?}") };
        assert_eq!((&query["kind"], &query["language"]), (&json!("lua"), &json!("lua")));
        assert_eq!(query["graph"], "one");
        let text = query["text"].as_str().unwrap();
        assert!(text.contains("while true") && !text.contains("geheim"), "{text}");
        assert!(query["client"].as_str().unwrap().starts_with("127.0.0.1:"), "{query}");
        assert!(0.0 < query["since_ms"].as_f64().unwrap());
        let path = format!("/queries/{}", query["number"]);
        assert_eq!(server.administer("DELETE", &path, "")["cancelled"], query["number"]);
        let answer = asked.join().unwrap();
        assert_eq!(answer.error.as_deref(), Some("cancelled"), "{answer:?}");
        let gone = server.admin("DELETE", &path, "");
        assert_eq!((gone.status, gone.error.as_deref()), (404, Some("not-found")), "{gone:?}");
    });
    assert_eq!(queries(&server), Vec::<Value>::new());
    assert_eq!(server.admin("DELETE", "/queries/one", "").status, 400);
}

/// Symptom: all requests of a WebSocket had one cancel flag. Shape: several requests of one connection, of which
/// one is cancelled. Bound: none.
#[test]
fn a_request_of_a_websocket_is_cancelled_while_its_neighbour_goes_on() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.eval("g.addV('x').as('a').addE('e').to('a')");
    socket.options.timeout_ms = Some(120_000);
    let script =
        |name: &str| format!("g.V().hasLabel('{name}').repeat(__.out()).times(2000000000).count()");
    let first = socket.send(eval(&script("x")));
    let numbers = |listed: &[Value]| -> Vec<u64> {
        listed.iter().map(|query| query["number"].as_u64().unwrap()).collect()
    };
    let [victim] = numbers(&running(&server, 1))[..] else { panic!("one runs") };
    let second = socket.send(eval(&script("x")));
    let listed = running(&server, 2);
    assert_eq!(listed[0]["kind"], "gremlin-script", "{listed:?}");
    assert_eq!(listed[0]["language"], "gremlin", "{listed:?}");
    assert!(!listed[0]["text"].as_str().unwrap().contains("2000000000"), "{listed:?}");
    server.administer("DELETE", &format!("/queries/{victim}"), "");
    let (code, _) = socket.answers(first);
    assert!(code >= 400, "{code}");
    let left = running(&server, 1);
    assert_ne!(numbers(&left), [victim]);
    // The connection serves on, and the neighbour still runs.
    assert_eq!(socket.count("g.V().count()"), 1);
    assert_eq!(numbers(&running(&server, 1)), numbers(&left));
    server.administer("DELETE", &format!("/queries/{}", numbers(&left)[0]), "");
    assert!(socket.answers(second).0 >= 400);
    // The end of a connection still cancels all of its requests.
    socket.send(eval(&script("x")));
    socket.send(eval(&script("x")));
    running(&server, 2);
    drop(socket);
    running(&server, 0);
}

#[test]
fn health_and_metrics_are_there_with_gremlin_alone_and_while_all_requests_are_taken() {
    let server = start_with(|settings| settings.http.requests_max = 1);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    std::thread::scope(|scope| {
        let server = &server;
        let asked = scope.spawn(move || server.post("/db/one/lua", ENDLESS));
        let listed = running(server, 1);
        let refused = server.admin("GET", "/graphs", "");
        assert_eq!(
            (refused.status, refused.error.as_deref()),
            (503, Some("unavailable")),
            "{listed:?}"
        );
        for path in ["/health", "/health/live", "/health/ready", "/metrics", "/queries", "/load"] {
            assert_eq!(server.admin("GET", path, "").status, 200, "{path}");
        }
        let path = format!("/queries/{}", listed[0]["number"]);
        server.administer("DELETE", &path, "");
        assert_eq!(asked.join().unwrap().error.as_deref(), Some("cancelled"));
    });
    assert_eq!(server.administer("GET", "/health", "")["status"], "ready");
    let metrics = server.admin("GET", "/metrics", "");
    assert!(metrics.content_type.as_deref().unwrap().starts_with("text/plain; version=0.0.4"));
    assert!(metrics.body.contains("millrace_http_requests_total{route=\"queries\""), "{metrics:?}");
    let nowhere = server.admin("GET", "/nowhere", "");
    assert_eq!((nowhere.status, nowhere.error.as_deref()), (404, Some("not-found")));
    let wrong = server.admin("PUT", "/metrics", "");
    assert_eq!(wrong.status, 405, "{wrong:?}");
}
