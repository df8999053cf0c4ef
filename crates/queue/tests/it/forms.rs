//! What a message may be.

use std::time::Duration;

use millrace_model::Value;
use millrace_queue::QueueSettings;
use millrace_queue::deliveries::{DETAIL_HEADER, ERROR_HEADER};
use millrace_queue::settings::{Allowed, DeadLetterRoute, Form, Format};

use crate::fake::{FakeBroker, Faults, person, with_id};
use crate::graph::{ask, in_memory, numbers, settings, wait_until};
use crate::once::start;

/// Applies messages of JSON; returns the database, and the kind and detail of each dead letter.
fn apply(
    settings: &QueueSettings,
    messages: &[&str],
) -> (std::sync::Arc<millrace_db::Database>, Vec<(String, String)>) {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    let dead_letter = DeadLetterRoute { exchange: "dead".to_owned(), key: String::new() };
    let settings = QueueSettings { format: Format::Json, dead_letter, ..settings.clone() };
    let message = |(at, text): (usize, &&str)| with_id(&at.to_string(), text.as_bytes().to_vec());
    broker.publish(messages.iter().enumerate().map(message));
    let queue = start(&database, &settings, &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    queue.stop(Duration::from_secs(10));
    let dead = broker.with(|state| {
        let text = |letter: &millrace_queue::deliveries::DeadLetter| {
            (letter.header(ERROR_HEADER).unwrap(), letter.header(DETAIL_HEADER).unwrap())
        };
        state.dead.iter().map(text).collect()
    });
    (database, dead)
}

#[test]
fn a_statement_may_be_in_gremlin() {
    let (database, broker) = (in_memory(), FakeBroker::new(1, Faults(0), 60));
    let statement =
        "g.inject(messages).unfold().as('m').addV('Person').property('n', select('m').select('n'))";
    let settings = QueueSettings {
        language: "gremlin".to_owned(),
        statement: statement.to_owned(),
        ..settings()
    };
    broker.publish((0..50).map(person));
    let queue = start(&database, &settings, &broker);
    wait_until("all are acknowledged", || broker.is_empty());
    assert_eq!(numbers(&database), (0..50).collect::<Vec<_>>());
    queue.stop(Duration::from_secs(10));
}

#[test]
fn requests_bring_their_statements_if_they_are_allowed() {
    let create = "CREATE (:Person {n: $n, name: $name})";
    let settings = QueueSettings {
        form: Some(Form::Requests),
        statement: String::new(),
        statements_allowed: Allowed::These(vec![create.to_owned()]),
        ..settings()
    };
    let request = |n: i64| {
        format!("{{\"statement\": \"{create}\", \"parameters\": {{\"n\": {n}, \"name\": \"é\"}}}}")
    };
    let (one, two) = (request(1), request(2));
    let (database, dead) = apply(
        &settings,
        &[
            &one,
            "{\"statement\": \"MATCH (n) DETACH DELETE n\"}",
            "{\"parameters\": {}}",
            "[1]",
            "{\"statement\": 7}",
            "{\"statement\": \"x\", \"params\": {}}",
            &two,
        ],
    );
    assert_eq!(numbers(&database), [1, 2]);
    let kinds: Vec<&str> = dead.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["forbidden", "bad-input", "bad-input", "bad-input", "bad-input"],
        "{dead:?}"
    );
}

#[test]
fn any_request_runs_where_any_is_allowed_and_a_failing_one_is_known() {
    let settings = QueueSettings {
        form: Some(Form::Requests),
        statement: String::new(),
        statements_allowed: Allowed::Any,
        ..settings()
    };
    let (database, dead) = apply(
        &settings,
        &[
            "{\"statement\": \"CREATE (:Person {n: 1})\"}",
            "{\"statement\": \"MATCH (p:Person {n: 1}) SET p.n = 10\"}",
            "{\"statement\": \"RETURN 1 / 0\"}",
            "{\"statement\": \"COMMIT\"}",
            "{\"statement\": \"CREATE (:Person {n: 2})\", \"parameters\": null}",
        ],
    );
    assert_eq!(numbers(&database), [10, 2]);
    assert_eq!(dead.len(), 2, "{dead:?}");
}

#[test]
fn a_message_of_json_keeps_its_values() {
    let settings = QueueSettings {
        statement: "UNWIND $messages AS m CREATE (:P {v: m.v})".to_owned(),
        ..settings()
    };
    let (database, dead) =
        apply(&settings, &["{\"v\": [1, 2]}", "{\"v\": 1.5}", "{\"v\": \"x\"}", "{\"v\": [1"]);
    let found = ask(&database, "MATCH (p:P) RETURN p.v ORDER BY id(p)");
    let list = Value::list(vec![Value::I64(1), Value::I64(2)]);
    assert_eq!(found, [list, Value::F64(1.5), Value::from("x")]);
    assert_eq!(dead.len(), 1, "{dead:?}");
}

fn of_form(form: Form) -> QueueSettings {
    QueueSettings { form: Some(form), statement: String::new(), ..settings() }
}

#[test]
fn commands_of_neography_are_applied_with_references_to_what_they_make() {
    let (database, dead) = apply(
        &of_form(Form::Commands),
        &[
            "[\"create_node\", {\"n\": 1}]",
            "[[\"create_node\", {\"n\": 2}], [\"create_node\", {\"n\": 3}], \
              [\"create_relationship\", \"KNOWS\", \"{0}\", \"{1}\", {\"since\": 7}], \
              [\"set_node_property\", \"{0}\", {\"a b\": true}], [\"add_label\", \"{1}\", \"Person\"]]",
            "[\"execute_query\", \"CREATE (:Person {n: $n})\", {\"n\": 4}]",
            "[\"execute_script\", \"g.addV('Person').property('n', n)\", {\"n\": 5}]",
            "[\"add_node_to_index\", \"people\", \"name\", \"Ann\", 1]",
            "[\"create_nod\", {}]",
            "[\"create_node\", 7]",
            "[[\"create_node\", {\"n\": 6}], [\"delete_node\", \"{7}\"]]",
            "[[\"create_node\", {\"n\": 6}], [\"create_node\", {\"n\": 7}], [\"delete_node\", 999999]]",
            "{}",
        ],
    );
    let n = ask(&database, "MATCH (p) RETURN p.n ORDER BY p.n");
    assert_eq!(n.iter().map(|n| n.as_int().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let path =
        "MATCH (a {n: 2, `a b`: true})-[k:KNOWS {since: 7}]->(b:Person {n: 3}) RETURN count(k)";
    assert_eq!(ask(&database, path)[0].as_int(), Some(1));
    let reasons = [
        "manual indexes",
        "did you mean `create_node`",
        "properties",
        "{7}",
        "999999",
        "send a list",
    ];
    assert_eq!(dead.len(), reasons.len(), "{dead:?}");
    for ((kind, detail), reason) in dead.iter().zip(reasons) {
        assert!(detail.contains(reason), "{kind}: {detail}");
    }
}

#[test]
fn jobs_are_those_of_the_rest_interface() {
    let (database, dead) = apply(
        &of_form(Form::Jobs),
        &[
            "[{\"method\": \"POST\", \"to\": \"/node\", \"id\": 0, \"body\": {\"n\": 1}}, \
              {\"method\": \"POST\", \"to\": \"{0}/labels\", \"id\": 1, \"body\": \"Person\"}]",
            "[{\"method\": \"POST\", \"to\": \"/nodes\"}]",
            "[{\"method\": \"POST\", \"to\": \"/node\", \"id\": 0, \"body\": {\"n\": 2}}, \
              {\"method\": \"POST\", \"to\": \"{0}/labels\", \"id\": 1, \"body\": \"Person\"}]",
        ],
    );
    assert_eq!(numbers(&database), [1, 2]);
    assert_eq!(dead.len(), 1, "{dead:?}");
}
