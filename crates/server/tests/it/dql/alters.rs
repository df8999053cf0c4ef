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
    assert_eq!(ask()["data"]["q"], json!([]), "nothing is known of it");
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
        ("addNamespace(input: { password: \"x\" }) { namespaceId message }", "password"),
        ("addNamespace { namespaceId message }", "users.file"),
        ("deleteNamespace(input: { namespaceId: 1 }) { namespaceId message }", "users.file"),
        ("shutdown { response { message } }", "shutdown"),
    ] {
        let refused = admin(&format!("mutation {{ {mutation} }}"));
        assert!(failure(&refused).0.contains(words), "{refused}");
    }
}

/// What removes all goes as a whole: the transactions that wrote before are aborted, and no uid comes back.
#[test]
fn all_is_dropped_with_its_schema_or_without() {
    let server = start_with_emails();
    let schema = "email: string @index(exact) .\ntype Person { email }";
    assert_eq!(post(&server, "/alter", DQL, schema).json()["data"]["code"], "Success");
    let add = || {
        let quads = "{ set { _:a <email> \"new@x\" . } }";
        let done = post(&server, "/mutate?commitNow=true", RDF, quads).json();
        let uid = done["data"]["uids"]["a"].as_str().unwrap_or_default().to_owned();
        u64::from_str_radix(uid.trim_start_matches("0x"), 16).unwrap()
    };
    let ask = || post(&server, "/query", DQL, "{ q(func: eq(email, \"new@x\")) { uid } }").json();
    let mut last = add();
    for (body, is_left) in [("{\"drop_op\": \"DATA\"}", true), ("{\"drop_all\": true}", false)] {
        let open = post(&server, "/mutate", RDF, "{ set { <0x1> <email> \"late@x\" . } }").json();
        let txn = &open["extensions"]["txn"];
        let done = post(&server, "/alter", DQL, body).json();
        assert_eq!(done, json!({ "data": { "code": "Success", "message": "Done" } }));
        let keys = json!({ "keys": txn["keys"], "preds": txn["preds"] }).to_string();
        let commit = format!("/commit?startTs={}", txn["start_ts"]);
        let ended = post(&server, &commit, JSON, &keys).json();
        assert!(failure_of(&ended).contains("Transaction has been aborted"), "{ended}");
        let answer = ask();
        match is_left {
            true => assert_eq!(answer["data"]["q"], json!([]), "{answer}"),
            false => assert_eq!(answer["data"]["q"], json!([]), "an unknown predicate: {answer}"),
        }
        let left = post(&server, "/query", DQL, "schema(pred: [email]) { type }").json();
        assert_eq!(left["data"]["schema"].is_array(), is_left, "{left}");
        let types = post(&server, "/query", DQL, "schema(type: Person) {}").json();
        assert_eq!(types["data"]["types"].is_array(), is_left, "{types}");
        let next = add();
        assert!(last < next, "{last} {next}");
        last = next;
    }
}
