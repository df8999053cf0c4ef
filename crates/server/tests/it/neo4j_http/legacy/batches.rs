//! Batches: what they answer, what they leave behind, and what refuses them.

use serde_json::{Value, json};

use super::{ask, batch, count, number_of, only, post, start, start_with, statements};
use crate::client::{Reply, Running};

/// A job.
fn job(id: i64, method: &str, to: &str, body: Value) -> Value {
    let mut job = json!({"id": id, "method": method, "to": to});
    job["body"] = body;
    job
}

fn value_of(server: &Running, text: &str) -> Value {
    let answer = post(server, "/db/neo4j/tx/commit", &statements(&[text]));
    only(&answer.json()).clone()
}

#[test]
fn jobs_refer_to_what_earlier_jobs_made() {
    let server = start();
    let answers = batch(
        &server,
        &json!([
            job(0, "POST", "/node", json!({"name": "bob"})),
            job(1, "post", "node", json!({"age": 12})),
            job(3, "POST", "{0}/relationships",
                json!({"to": "{1}", "type": "KNOWS", "data": {"since": "2010"}})),
            job(4, "PUT", "{3}/properties/from", json!("made by {0}")),
            job(5, "POST", "{1}/labels", json!("Person")),
            job(6, "GET", "{1}", Value::Null),
            {"method": "GET", "to": "{0}/degree/out"},
            job(8, "POST", "cypher", json!({"query": "MATCH (p:Person) RETURN p.age"})),
        ]),
    );
    let statuses: Vec<_> = answers.as_array().unwrap().iter().map(|own| &own["status"]).collect();
    assert_eq!(statuses, [201, 201, 201, 204, 204, 200, 200, 200]);
    let bob = answers[0]["location"].as_str().unwrap();
    assert_eq!(answers[0]["from"], "/node");
    assert_eq!(answers[0]["body"]["self"], bob);
    assert_eq!(answers[0]["body"]["data"], json!({"name": "bob"}));
    assert_eq!(answers[2]["from"], format!("{bob}/relationships"));
    assert_eq!((&answers[2]["body"]["start"], &answers[2]["id"]), (&json!(bob), &json!(3)));
    assert_eq!((answers[3].get("body"), answers[3].get("location")), (None, None));
    assert_eq!(answers[5]["body"]["metadata"]["labels"], json!(["Person"]));
    assert_eq!((answers[6].get("id"), &answers[6]["body"]), (None, &json!(1)));
    assert_eq!(answers[7]["body"], json!({"columns": ["p.age"], "data": [[12]]}));
    let from = value_of(&server, "MATCH ({name: 'bob'})-[k:KNOWS]->({age: 12}) RETURN k.from");
    assert_eq!(from, format!("made by {bob}"));
    assert_eq!(batch(&server, &json!([])), json!([]));
}

#[test]
fn thousands_of_nodes_and_relationships_by_reference_are_one_batch() {
    let server = start();
    let count_of = 2_500;
    let nodes = (0..count_of).map(|id| job(id, "POST", "/node", json!({"n": id})));
    let edges = (0..count_of).map(|id| {
        let next = (id + 1) % count_of;
        let body = json!({"to": format!("{{{next}}}"), "type": "NEXT", "data": {"n": id}});
        job(count_of + id, "POST", &format!("{{{id}}}/relationships"), body)
    });
    let answers = batch(&server, &nodes.chain(edges).collect());
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), 2 * count_of as usize);
    for (index, answer) in answers.iter().enumerate() {
        assert_eq!((&answer["id"], &answer["status"]), (&json!(index), &json!(201)));
    }
    let found =
        "MATCH (a)-[k:NEXT]->(b) WHERE a.n = k.n AND b.n = (k.n + 1) % 2500 RETURN count(k)";
    assert_eq!(value_of(&server, found), count_of);
}

/// The message of a batch that fails, which leaves nothing behind.
fn failure(server: &Running, jobs: &Value) -> (u16, Value) {
    let before = count(server);
    let reply = ask(server, "POST", "/batch", jobs);
    assert_eq!(count(server), before, "{jobs}");
    (reply.status, reply.json())
}

#[test]
fn a_job_that_fails_leaves_nothing_and_is_named() {
    let server = start();
    let deleted = number_of(&ask(&server, "POST", "/node", &Value::Null).json()["self"]);
    assert_eq!(ask(&server, "DELETE", &format!("/node/{deleted}"), &Value::Null).status, 204);
    let connected = ask(&server, "POST", "/node", &Value::Null).json()["self"].clone();
    let loop_of = json!({"to": connected, "type": "T"});
    let node = format!("/node/{}", number_of(&connected));
    assert_eq!(ask(&server, "POST", &format!("{node}/relationships"), &loop_of).status, 201);
    let made = job(0, "POST", "/node", Value::Null);
    let gone = format!("/node/{deleted}");
    for (failing, status, exception, says) in [
        (job(7, "GET", &gone, Value::Null), 404, "NodeNotFoundException", "there is no node"),
        (
            job(7, "PUT", &format!("{gone}/properties/x"), json!(1)),
            404,
            "NodeNotFoundException",
            "",
        ),
        (job(7, "DELETE", &node, Value::Null), 409, "ConstraintViolationException", "edges"),
        (
            job(7, "DELETE", "{0}/properties/x", Value::Null),
            404,
            "NoSuchPropertyException",
            "no property `x`",
        ),
        (
            job(7, "POST", "{0}/relationships", json!({"to": gone, "type": "T"})),
            400,
            "EndNodeNotFoundException",
            "there is no node",
        ),
        (
            job(7, "POST", &format!("{gone}/relationships"), json!({"to": "{0}", "type": "T"})),
            404,
            "StartNodeNotFoundException",
            "there is no node",
        ),
        (job(7, "POST", "/cypher", json!({"query": "RETUR 1"})), 400, "SyntaxException", "RETUR"),
        (job(7, "PUT", "{0}/properties/x", json!([1, "a"])), 400, "PropertyValueException", ""),
        (job(7, "PUT", "{0}/properties/x", Value::Null), 400, "PropertyValueException", "null"),
        // Null, and no body, would remove all properties.
        (job(7, "PUT", "{0}/properties", Value::Null), 400, "BadInputException", "an object"),
        (job(7, "PUT", "{0}/properties", json!([])), 400, "BadInputException", "an object"),
        (job(7, "PUT", "{0}/properties", json!("x")), 400, "BadInputException", "an object"),
        (job(7, "PUT", "{0}/labels", Value::Null), 400, "BadInputException", "a list of names"),
        (job(7, "POST", "/node", json!([])), 400, "BadInputException", "an object"),
    ] {
        let behind = job(8, "POST", "/node", Value::Null);
        let (found, answer) = failure(&server, &json!([made, failing, behind]));
        assert_eq!(found, 500, "{answer}");
        assert_eq!(answer["exception"], "BatchOperationFailedException");
        assert_eq!((&answer["id"], &answer["from"]), (&json!(7), &failing["to"]), "{answer}");
        assert_eq!((&answer["method"], &answer["status"]), (&failing["method"], &json!(status)));
        assert_eq!(answer["cause"]["exception"], exception, "{answer}");
        let message = answer["message"].as_str().unwrap();
        assert!(message.starts_with("job 7 (") && message.contains(says), "{message}");
    }
}

#[test]
fn batches_that_cannot_be_run_are_refused_whole() {
    let server = start();
    let node = job(0, "POST", "/node", Value::Null);
    let (status, answer) = failure(&server, &json!({"method": "POST", "to": "/node"}));
    assert_eq!((status, &answer["exception"]), (400, &json!("BadInputException")));
    assert!(answer["message"].as_str().unwrap().contains("a batch is a list"), "{answer}");
    for (jobs, says) in [
        (json!([node, node]), "another job of the batch has the id 0"),
        (
            json!([node, job(1, "POST", "/node", Value::Null), job(2, "GET", "{7}", Value::Null)]),
            "`{7}` is no earlier job",
        ),
        (
            json!([job(1, "GET", "{2}", Value::Null), job(2, "POST", "/node", Value::Null)]),
            "`{2}` is no earlier job",
        ),
        (json!([node, job(1, "PATCH", "/node", Value::Null)]), "this path takes POST"),
        (json!([node, job(1, "GET", "/nothing", Value::Null)]), "there is no route"),
        (json!([node, job(1, "GET", "/index/node", Value::Null)]), "is not supported"),
        (
            json!([node, job(1, "POST", "/cypher", json!({"query": "START n=node(1) RETURN n"}))]),
            "`START` is not supported",
        ),
    ] {
        let (status, answer) = failure(&server, &jobs);
        let exception = &answer["exception"];
        assert_eq!((status, exception), (500, &json!("BatchOperationFailedException")));
        assert!(answer["message"].as_str().unwrap().contains(says), "{answer}");
    }
    let json = [("content-type", "application/json")];
    let deep = format!("[{}{}]", "[".repeat(10_000), "]".repeat(10_000));
    for (body, status) in [(deep.as_bytes(), 400), (b"[\"\xff\"]", 400), (b"[{\"method\":", 400)] {
        let path = "/db/data/batch";
        let reply = server.send_to(&server.neo4j_http, "POST", path, &json, body);
        assert_eq!(
            (reply.status, &*reply.json()["exception"].to_string()),
            (status, "\"BadInputException\"")
        );
    }
    let form = [("content-type", "text/plain")];
    let reply = server.send_to(&server.neo4j_http, "POST", "/db/data/batch", &form, b"[]");
    assert_eq!(reply.status, 415);
    assert_eq!(count(&server), 0);
}

#[test]
fn a_batch_of_too_many_bytes_is_refused() {
    let server = start_with(|settings| settings.http.body_bytes_max = 4 << 10);
    let text = "x".repeat(5 << 10);
    let reply =
        ask(&server, "POST", "/batch", &json!([job(0, "POST", "/node", json!({"a": text}))]));
    assert_eq!(reply.status, 413, "{reply:?}");
    assert_eq!(count(&server), 0);
}

#[test]
fn a_batch_is_run_again_after_a_write_conflict() {
    let server = start();
    let made = ask(&server, "POST", "/node", &json!({"n": 0})).json()["self"].clone();
    let raise = json!([
        job(
            0,
            "POST",
            "/cypher",
            json!({"query": "MATCH (n) WHERE n.n IS NOT NULL SET n.n = n.n + 1"})
        ),
        job(1, "POST", "/node", Value::Null),
        job(2, "POST", "{1}/relationships", json!({"to": made, "type": "T"})),
    ]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..20).for_each(|_| drop(batch(&server, &raise))));
        }
    });
    assert_eq!(value_of(&server, "MATCH (n) WHERE n.n IS NOT NULL RETURN n.n"), 40);
    assert_eq!(value_of(&server, "MATCH ()-[t:T]->({n: 40}) RETURN count(t)"), 40);
}

#[test]
fn an_order_that_a_constraint_needs_is_that_of_the_jobs() {
    let server = start();
    let unique = json!({"property_keys": ["k"]});
    assert_eq!(ask(&server, "POST", "/schema/constraint/P/uniqueness", &unique).status, 200);
    let made = batch(
        &server,
        &json!([
            job(0, "POST", "/node", json!({"k": 1})),
            job(1, "POST", "/node", json!({"k": 2})),
            job(2, "POST", "{0}/labels", json!("P")),
            job(3, "POST", "{1}/labels", json!("P")),
        ]),
    );
    let set = |id, index: usize, value: i64| {
        job(
            id,
            "PUT",
            &format!("/node/{}/properties/k", number_of(&made[index]["location"])),
            json!(value),
        )
    };
    let (status, answer) = failure(&server, &json!([set(0, 0, 5), set(1, 0, 2)]));
    assert_eq!(
        (status, &answer["id"], &answer["status"]),
        (500, &json!(1), &json!(409)),
        "{answer}"
    );
    // Together the first and the last job would come before the one between them.
    let node = |index: usize| format!("/node/{}", number_of(&made[index]["location"]));
    let other = ask(&server, "POST", "/node", &Value::Null).json()["self"].clone();
    batch(
        &server,
        &json!([
            job(0, "PUT", &format!("/node/{}/properties/k", number_of(&other)), json!(1)),
            job(1, "PUT", &format!("{}/properties", node(1)), json!({"k": 3})),
            set(2, 0, 2),
        ]),
    );
    assert_eq!(value_of(&server, "MATCH (p:P) RETURN sum(p.k)"), 5);
}

#[test]
fn a_batch_is_streamed_if_asked_for_and_needs_a_login() {
    let server = start();
    let headers = [("content-type", "application/json"), ("x-stream", "true")];
    let jobs = json!([job(0, "POST", "/node", Value::Null)]).to_string();
    let reply: Reply =
        server.send_to(&server.neo4j_http, "POST", "/db/data/batch", &headers, jobs.as_bytes());
    assert_eq!((reply.status, &reply.json()[0]["status"]), (200, &json!(201)));
    let before = count(&server);
    let jobs =
        json!([job(0, "POST", "/node", Value::Null), job(7, "GET", "/node/123456", Value::Null)]);
    let accepts = ("accept", "application/json; stream=true, */*");
    for header in [headers[1], accepts] {
        let headers = [headers[0], header];
        let body = jobs.to_string();
        let reply: Reply =
            server.send_to(&server.neo4j_http, "POST", "/db/data/batch", &headers, body.as_bytes());
        let answers = reply.json();
        assert_eq!((reply.status, answers.as_array().unwrap().len()), (200, 1), "{answers}");
        assert_eq!(
            (&answers[0]["id"], &answers[0]["status"], &answers[0]["body"]["exception"]),
            (&json!(7), &json!(404), &json!("NodeNotFoundException"))
        );
        assert_eq!(count(&server), before);
    }
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("users");
    crate::client::add_ann(&path);
    let guarded = start_with(|settings| {
        settings.users.file = path.to_str().expect("a plain name").to_owned();
    });
    assert_eq!(ask(&guarded, "POST", "/batch", &json!([])).status, 401);
    assert_eq!(ask(&guarded, "POST", "/node", &Value::Null).status, 401);
}
