//! Graphs, health, metrics, and unknown routes.

use serde_json::json;

use crate::client::{start, start_with};

#[test]
fn graphs_are_made_listed_emptied_and_dropped() {
    let server = start_with(|_| {});
    assert_eq!(server.shown("/dbs"), json!([]));
    let made = server.post("/dbs/shop", "");
    assert_eq!(
        (made.status, made.json()),
        (200, json!({"name": "shop", "nodes": 0, "relationships": 0}))
    );
    assert_eq!(server.post("/dbs/shop", "").status, 409);
    assert_eq!(server.post("/db/shop/node/Person/ann", "").status, 201);
    assert_eq!(server.shown("/dbs/shop")["nodes"], 1);
    assert_eq!(server.put("/dbs/shop", "").status, 200);
    assert_eq!(server.shown("/dbs/shop")["nodes"], 0);
    assert_eq!(server.delete("/dbs/shop").status, 204);
    for gone in [server.get("/dbs/shop"), server.delete("/dbs/shop"), server.put("/dbs/shop", "")] {
        assert_eq!((gone.status, gone.error.as_deref()), (404, Some("not-found")), "{gone:?}");
    }
}

#[test]
fn a_wrong_name_for_a_graph_is_refused() {
    let server = start_with(|_| {});
    for name in ["a%2Fb", "a%20b", ".", "..", "...", "%2E%2E", ".a", &"x".repeat(200)] {
        let refused = server.post(&format!("/dbs/{name}"), "");
        assert_eq!((refused.status, refused.error.as_deref()), (400, Some("bad-input")), "{name}");
        assert!(refused.body.contains("letters, digits"), "{name}: {}", refused.body);
    }
}

#[test]
fn health_reports_version_and_uptime() {
    let server = start();
    let health = server.shown("/health");
    assert_eq!(health["status"], "ready");
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert!(health["uptime_seconds"].as_f64().unwrap() >= 0.0);
    assert_eq!(health["backend"]["isolation"], "snapshot, serializable");
    assert_eq!(health["backend"]["durability"], "process", "the tests' server has no folder");
    for path in ["/health/live", "/health/ready", "/health_check", "/db/one/health_check"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    assert_eq!(server.get("/db/nope/health_check").status, 404);
}

#[test]
fn a_greeting_is_answered() {
    let server = start();
    let hello = server.get("/hello");
    assert_eq!((hello.status, hello.json()), (200, json!("Hello")));
    assert_eq!(server.post("/hello", "").status, 405);
    assert_eq!(server.get("/index.html").status, 404);
}

#[test]
fn metrics_are_text_that_prometheus_reads() {
    let server = start();
    server.run("1");
    let page = server.get("/metrics");
    assert!(page.content_type.unwrap().starts_with("text/plain; version=0.0.4"));
    for line in [
        "millrace_http_requests_total{route=\"lua\",status=\"200\"} 1",
        "millrace_scripts_total{outcome=\"answered\"} 1",
        "# TYPE millrace_http_request_seconds histogram",
    ] {
        assert!(page.body.lines().any(|found| found == line), "{line}\n{}", page.body);
    }
    // On a busy machine the first interpreter starts so slowly that others do, one in each 100 ms.
    let interpreters =
        page.body.lines().find_map(|line| line.strip_prefix("millrace_interpreters "));
    let count = interpreters.and_then(|count| count.parse::<u32>().ok());
    assert!(count.is_some_and(|count| 0 < count), "{interpreters:?}");
}

#[test]
fn unknown_routes_are_refused_by_name() {
    let server = start();
    assert_eq!(server.get("/console").status, 404);
    assert_eq!(server.get("/db/one/edges").status, 404);
    assert_eq!(server.get("/db/one/lua").status, 405);
    for (path, name) in [
        ("/db/one/gql", "GQL"),
        ("/db/one/restore", "restore over HTTP"),
        ("/db/one/schema/relationships/KNOWS/algebra", "declaring a relationship's algebra"),
    ] {
        let refused = server.post(path, "RETURN 1");
        assert_eq!((refused.status, refused.error.as_deref()), (501, Some("unsupported")));
        assert!(refused.body.contains(name), "{refused:?}");
    }
}
