//! Changes of the schema that go on after their answer, and administration that is somewhere else.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{DQL, JSON, RDF, failure, get, post, start};
use crate::client::Running;

fn alter_in_background(server: &Running, text: &str) -> Value {
    post(server, "/alter?runInBackground=true", DQL, text).json()
}

/// Waits until nothing is indexed in the background.
fn wait(server: &Running) {
    let until = Instant::now() + Duration::from_secs(60);
    while get(server, "/health").json()[0]["indexing"] != json!([]) {
        assert!(Instant::now() < until, "it goes on for too long");
        std::thread::yield_now();
    }
}

fn start_with_emails() -> Running {
    let server = start();
    let quads =
        "{ set {\n<0x1> <email> \"a@x\" .\n<0x2> <email> \"a@x\" .\n<0x3> <email> \"b@x\" .\n} }";
    let done = post(&server, "/mutate?commitNow=true", RDF, quads).json();
    assert_eq!(done["data"]["code"], "Success", "{done}");
    server
}

/// The message of an answer that has an error; empty for others.
fn failure_of(answer: &Value) -> String {
    answer["errors"][0]["message"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_schema_changes_in_the_background_and_health_says_when_it_is_done() {
    let server = start_with_emails();
    let ask = || post(&server, "/query", DQL, "{ q(func: eq(email, \"b@x\")) { uid } }").json();
    let is_indexed = || !failure_of(&ask()).contains("Predicate email is not indexed");
    assert!(!is_indexed());
    let done = alter_in_background(&server, "email: string @index(exact) .");
    assert_eq!(done, json!({ "data": { "code": "Success", "message": "Done" } }));
    wait(&server);
    assert_eq!(ask()["data"]["q"], json!([{ "uid": "0x3" }]));
    // A text that is wrong is refused at once, and so is a tokenizer that there is none of.
    for wrong in ["email: string @index(exact", "email: string @index(nothing) ."] {
        let refused = alter_in_background(&server, wrong);
        assert!(!failure(&refused).0.is_empty(), "{refused}");
    }
    // What removes data is done when it is answered.
    let dropped = alter_in_background(&server, "{\"drop_attr\": \"email\"}");
    assert_eq!(dropped["data"]["code"], "Success", "{dropped}");
    assert!(!is_indexed());
}

#[test]
fn a_schema_that_the_data_cannot_follow_leaves_the_one_before() {
    let server = start_with_emails();
    let unique = "email: string @index(exact) @upsert @unique .";
    let done = alter_in_background(&server, unique);
    assert_eq!(done["data"]["code"], "Success", "its client has its answer by then: {done}");
    wait(&server);
    let schema = post(&server, "/query", DQL, "schema(pred: [email]) {}").json();
    assert_eq!(schema["data"]["schema"][0]["unique"], Value::Null, "{schema}");
    assert!(!failure(&post(&server, "/alter", DQL, unique).json()).0.is_empty());
}

#[test]
fn namespaces_and_exports_of_administration_name_what_there_is_instead() {
    let server = start();
    let admin =
        |query: &str| post(&server, "/admin", JSON, &json!({ "query": query }).to_string()).json();
    let state = admin("{ state { namespaces } }");
    assert_eq!(state["data"]["state"]["namespaces"], json!([0]));
    for (mutation, words) in [
        ("export(input: { format: \"rdf\" }) { response { message code } }", "millrace export"),
        ("addNamespace(input: { password: \"x\" }) { namespaceId message }", "dql.graph"),
        ("deleteNamespace(input: { namespaceId: 1 }) { namespaceId message }", "dql.graph"),
        ("shutdown { response { message } }", "shutdown"),
    ] {
        let refused = admin(&format!("mutation {{ {mutation} }}"));
        assert!(failure(&refused).0.contains(words), "{refused}");
    }
}
