//! The query page and `/query`, on the address of administration.

use serde_json::json;

use crate::client::{Reply, Running, start, start_with, start_with_ann};

fn query(server: &Running, language: &str, graph: &str, text: &str) -> Reply {
    let body = json!({ "language": language, "text": text }).to_string();
    server.admin("POST", &format!("/query/{graph}"), &body)
}

#[test]
fn a_plain_get_is_the_page_and_no_other_listener_has_it() {
    let server = start();
    let page = server.admin("GET", "/", "");
    assert_eq!(page.status, 200, "{page:?}");
    assert_eq!(page.content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert!(page.body.starts_with("<!doctype html>"));
    let gremlin = format!("http://{}", server.gremlin);
    let asked = server.send_to(&gremlin, "GET", "/?gremlin=g.V().count()", &[], b"");
    assert!(asked.body.contains("\"result\""), "{asked:?}");
    for path in ["/", "/gremlin"] {
        assert_eq!(server.send_to(&gremlin, "GET", path, &[], b"").status, 400, "{path}");
    }
    assert_eq!(server.send_to(&gremlin, "GET", "/query", &[], b"").status, 404);
    for path in ["/", "/query"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    let root = server.get("/").body;
    assert!(root.contains("the query page is"), "{root}");
}

#[test]
fn the_graphs_and_the_languages_are_listed() {
    let server = start_with(|settings| settings.gremlin.graph = "one".to_owned());
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let targets = server.administer("GET", "/query", "");
    assert_eq!(
        targets,
        json!({ "graphs": ["g", "neo4j", "one"], "languages": ["gremlin", "gremlin-lang", "cypher", "dql", "lua"] })
    );
}

#[test]
fn a_body_that_a_page_of_another_origin_could_send_unasked_is_refused() {
    let server = start();
    let query = json!({ "language": "lua", "text": "NodeTypeInsert(\"Q\")" }).to_string();
    let change = json!({ "changes": [{ "change": "create_type", "label": "Q" }] }).to_string();
    let kinds = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];
    for (path, body) in [("/query/g", &query), ("/graphs/one/schema", &change)] {
        for kind in kinds {
            let headers = [("content-type", kind)];
            let reply = server.send_to(&server.admin, "POST", path, &headers, body.as_bytes());
            assert_eq!(reply.status, 415, "{path} {kind}: {reply:?}");
        }
        assert_eq!(server.send_to(&server.admin, "POST", path, &[], body.as_bytes()).status, 415);
        let headers = [("origin", "http://evil.example"), ("content-type", "application/json")];
        let reply = server.send_to(&server.admin, "POST", path, &headers, body.as_bytes());
        assert_eq!(reply.status, 403, "{path}: {reply:?}");
    }
    let wrong = server.admin("PUT", "/query", "");
    assert_eq!((wrong.status, wrong.error.as_deref()), (405, Some("bad-input")), "{wrong:?}");
    assert_eq!(server.run("NodeTypesGetCount()"), json!(0));
}

#[test]
fn all_but_health_wants_a_name_and_a_password_where_users_are_named() {
    let server = start_with_ann(|_| {});
    // ann:secret
    let login = [("authorization", "Basic YW5uOnNlY3JldA==")];
    for path in ["/", "/query", "/metrics", "/graphs", "/queries", "/load", "/backup"] {
        let reply = server.admin("GET", path, "");
        assert_eq!(reply.status, 401, "{path}: {reply:?}");
        assert!(reply.challenge.is_some(), "{path}: {reply:?}");
        if path != "/backup" {
            assert_eq!(
                server.send_to(&server.admin, "GET", path, &login, b"").status,
                200,
                "{path}"
            );
        }
    }
    assert_eq!(query(&server, "lua", "g", "1").status, 401);
    assert_eq!(server.admin("DELETE", "/queries/1", "").status, 401);
    for probe in ["/health", "/health/live", "/health/ready"] {
        assert_eq!(server.admin("GET", probe, "").status, 200, "{probe}");
    }
}
