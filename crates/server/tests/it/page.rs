//! The query page and `/query`, on both ports.

use serde_json::{Value, json};

use crate::client::{Reply, Running, start, start_with, start_with_ann};

const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");

fn ports(server: &Running) -> [String; 2] {
    [server.url.clone(), format!("http://{}", server.gremlin)]
}

fn query(server: &Running, url: &str, language: &str, graph: &str, text: &str) -> Reply {
    let body = json!({ "language": language, "graph": graph, "text": text }).to_string();
    server.send_to(url, "POST", "/query", &[JSON], body.as_bytes())
}

#[test]
fn a_plain_get_of_either_port_is_the_page() {
    let server = start();
    for url in ports(&server) {
        let page = server.send_to(&url, "GET", "/", &[], b"");
        assert_eq!(page.status, 200, "{page:?}");
        assert_eq!(page.content_type.as_deref(), Some("text/html; charset=utf-8"));
        assert!(page.body.starts_with("<!doctype html>"));
    }
    let gremlin = format!("http://{}", server.gremlin);
    let asked = server.send_to(&gremlin, "GET", "/?gremlin=g.V().count()", &[], b"");
    assert!(asked.body.contains("\"result\""), "{asked:?}");
    assert_eq!(server.send_to(&gremlin, "GET", "/gremlin", &[], b"").status, 400);
}

#[test]
fn a_query_in_any_language_is_answered_on_either_port() {
    let server = start_with(|settings| settings.gremlin.graph = "g".to_owned());
    assert_eq!(server.post("/dbs/g", "").status, 200);
    server.run("NodeTypeInsert(\"P\")\nNodeAdd(\"P\", \"ann\", [[{\"age\": 7}]])");
    for url in ports(&server) {
        let targets = server.send_to(&url, "GET", "/query", &[], b"").json();
        assert_eq!(targets, json!({ "graphs": ["g"], "languages": ["gremlin", "lua"] }));
        let counted = query(&server, &url, "gremlin", "g", "g.V().hasLabel('P').count()").json();
        assert_eq!(counted["results"], json!([1]));
        assert!(counted["took_ms"].as_f64().is_some_and(|millis| 0.0 < millis));
        let element = query(&server, &url, "gremlin", "g", "g.V()").json();
        assert_eq!(element["results"][0]["label"], "P");
        assert_eq!(element["results"][0]["properties"]["age"][0]["value"], 7);
        assert_eq!(query(&server, &url, "gremlin", "g", "g.V(99)").json()["results"], json!([]));
        let counted = query(&server, &url, "lua", "g", "AllNodesCount()").json();
        assert_eq!(counted["results"], json!(1));
    }
    let written = query(&server, &server.url, "gremlin", "g", "g.addV('P').iterate()");
    assert_eq!(written.json()["results"], json!([]));
    assert_eq!(server.run("AllNodesCount()"), json!(2));
}

#[test]
fn a_query_that_fails_says_what_and_where() {
    let server = start();
    let error = |language: &str, graph: &str, text: &str, status: u16| -> Value {
        let reply = query(&server, &server.url, language, graph, text);
        assert_eq!(reply.status, status, "{text}: {reply:?}");
        reply.json()["error"].clone()
    };
    let place = error("gremlin", "g", "g.V()\n.out(", 400);
    assert_eq!((place["line"].as_i64(), place["kind"].as_str()), (Some(2), Some("bad-query")));
    let place = error("lua", "g", "local x = nil + 1\nx", 400);
    assert!(place["message"].as_str().is_some_and(|text| text.contains("script:1:")), "{place}");
    let unknown = error("lua", "nope", "1", 404);
    assert!(unknown["message"].as_str().is_some_and(|text| text.contains("`nope`")), "{unknown}");
    error("sql", "g", "1", 400);
}

#[test]
fn a_query_that_a_page_of_another_origin_could_send_unasked_is_refused() {
    let server = start();
    let body = json!({ "language": "lua", "text": "NodeTypeInsert(\"Q\")" }).to_string();
    let kinds = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];
    for url in ports(&server) {
        for kind in kinds {
            let reply =
                server.send_to(&url, "POST", "/query", &[("content-type", kind)], body.as_bytes());
            assert_eq!(reply.status, 415, "{kind}: {reply:?}");
        }
        assert_eq!(server.send_to(&url, "POST", "/query", &[], body.as_bytes()).status, 415);
        assert_eq!(server.send_to(&url, "PUT", "/query", &[JSON], b"").status, 405);
    }
    assert_eq!(server.run("NodeTypesGetCount()"), json!(0));
}

#[test]
fn the_page_wants_a_name_and_a_password_where_users_are_named() {
    let server = start_with_ann(|_| {});
    for url in ports(&server) {
        assert_eq!(server.send_to(&url, "GET", "/", &[], b"").status, 401);
        assert_eq!(server.send_to(&url, "GET", "/query", &[], b"").status, 401);
        assert_eq!(query(&server, &url, "lua", "g", "1").status, 401);
        // ann:secret
        let login = [("authorization", "Basic YW5uOnNlY3JldA==")];
        assert_eq!(server.send_to(&url, "GET", "/", &login, b"").status, 200);
    }
}
