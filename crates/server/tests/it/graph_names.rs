//! Names that stand for a graph mean the same in every interface, and no graph is made or dropped under one.

use serde_json::json;

use crate::client::{start, start_with};

fn cypher(text: &str) -> String {
    json!({ "language": "cypher", "text": text, "access": "write" }).to_string()
}

#[test]
fn g_and_neo4j_are_the_default_graph_of_queries_schemas_and_lists() {
    let server = start_with(|settings| settings.gremlin.graph = "films".to_owned());
    let made = server.admin("PUT", "/graphs/neo4j", "");
    assert_eq!((made.status, &made.json()["name"]), (201, &json!("films")));
    for name in ["g", "neo4j", "films"] {
        let path = format!("/query/{name}");
        assert_eq!(server.admin("POST", &path, &cypher("CREATE (:Film)")).status, 200, "{name}");
    }
    for name in ["g", "neo4j", "films"] {
        let shown = server.administer("GET", &format!("/graphs/{name}"), "");
        assert_eq!((&shown["name"], &shown["vertices"]), (&json!("films"), &json!(3)), "{name}");
        let used = cypher(&format!("USE {name} MATCH (n) RETURN count(n) AS n"));
        let counted = server.admin("POST", "/query/films", &used);
        assert!(counted.body.contains("{\"rows\":[[3]]}"), "{name}: {counted:?}");
        assert_eq!(server.post(&format!("/db/{name}/lua"), "AllNodesCount()").body, "3", "{name}");
    }
    for name in ["NEO4J", "Films"] {
        let used = cypher(&format!("USE {name} MATCH (n) RETURN count(n) AS n"));
        let counted = server.admin("POST", "/query/films", &used);
        assert!(counted.body.contains("{\"rows\":[[3]]}"), "{name}: {counted:?}");
    }
    let listed = server.administer("GET", "/graphs", "");
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
}

#[test]
fn no_graph_is_made_or_dropped_under_a_name_that_stands_for_another() {
    let server = start();
    server.admin("POST", "/query/g", &cypher("CREATE (:Precious)"));
    for name in ["g", "neo4j"] {
        let dropped = server.admin("DELETE", &format!("/graphs/{name}"), "");
        assert_eq!(dropped.status, 409, "{dropped:?}");
        assert!(dropped.body.contains("stands for the graph `graph`"), "{dropped:?}");
        let made = server.post(&format!("/dbs/{name}"), "");
        assert_eq!(made.status, 409, "{made:?}");
    }
    let commands = [
        ("CREATE DATABASE g", "already exists"),
        ("CREATE OR REPLACE DATABASE g", "stands for the graph `graph`"),
        ("DROP DATABASE g", "stands for the graph `graph`"),
        ("DROP DATABASE system", "has no graph"),
    ];
    for (command, reason) in commands {
        let refused = server.admin("POST", "/query/g", &cypher(command));
        assert!(refused.status >= 400 && refused.body.contains(reason), "{command}: {refused:?}");
    }
    let refused = server.admin("PUT", "/graphs/system", "");
    assert_eq!(refused.status, 400, "{refused:?}");
    for (method, path, body) in [
        ("GET", "/graphs/system", String::new()),
        ("POST", "/query/system", cypher("RETURN 1")),
        ("POST", "/load/system?format=csv", String::new()),
    ] {
        let missing = server.admin(method, path, &body);
        assert_eq!(missing.status, 404, "{path}: {missing:?}");
        assert!(!missing.body.contains("PUT /graphs"), "{path}: {missing:?}");
    }
    let missing = server.admin("GET", "/graphs/new", "");
    assert!(missing.body.contains("PUT /graphs/new creates it"), "{missing:?}");
    let left = server.administer("GET", "/graphs/graph", "");
    assert_eq!(left["vertices"], json!(1));
}
