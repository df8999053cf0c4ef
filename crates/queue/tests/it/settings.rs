//! Settings of queues: the right ones, and every wrong one by its name.

use millrace_db::settings::{Layer, Origin, resolve};
use millrace_queue::settings::{Allowed, Form, Format, KeyFrom, QueueKind, of_resolved, readable};
use millrace_queue::{QueueSettings, limits};

const STATEMENT: (&str, &str) = ("statement", "UNWIND $messages AS m CREATE (:P {n: m.n})");

fn read(rows: &[(&str, &str)]) -> Result<QueueSettings, String> {
    let entries =
        rows.iter().map(|(key, value)| (format!("queue.people.{key}"), value.to_string()));
    let layer = Layer { origin: Origin::File("millrace.toml".into()), entries: entries.collect() };
    let queues = of_resolved(&resolve(&[layer], &[])).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        faults.join("\n")
    })?;
    Ok(queues.into_iter().next().unwrap())
}

#[test]
fn a_queue_with_a_form_has_defaults_for_the_rest() {
    let queue = read(&[("form", "statement"), STATEMENT]).unwrap();
    assert_eq!((queue.queue.as_str(), queue.graph.as_str()), ("people", "graph"));
    let named = read(&[("form", "statement"), STATEMENT, ("graph", "neo4j")]).unwrap();
    assert_eq!(named.graph, "graph", "a queue writes where clients read");
    let refused = read(&[("form", "statement"), STATEMENT, ("graph", "system")]).unwrap_err();
    assert!(refused.contains("has no graph"), "{refused}");
    assert_eq!((queue.prefetch, queue.batch_messages, queue.batch_ms), (4_000, 1_000, 50));
    assert_eq!((queue.form, queue.format), (Some(Form::Statement), Format::Auto));
    assert_eq!(
        (queue.key, queue.kind, queue.consumers),
        (KeyFrom::MessageId, QueueKind::Existing, 1)
    );
    let queue = read(&[
        ("form", "requests"),
        ("statements-allowed", "[\"RETURN 1\", \"RETURN 2\"]"),
        ("key", "$.person.id"),
        ("dead-letter-key", "dead"),
        ("declare", "quorum"),
        ("exchange", "amq.topic"),
        ("binding", "people.*"),
    ])
    .unwrap();
    assert_eq!(queue.key, KeyFrom::Path(vec!["person".into(), "id".into()]));
    assert!(matches!(queue.statements_allowed, Allowed::These(texts) if texts.len() == 2));
    assert!(queue.dead_letter.is_set());
}

#[test]
fn every_wrong_setting_is_refused_by_its_name() {
    let many = (limits::CONSUMERS_MAX + 1).to_string();
    let long = "x".repeat(256);
    let cases: &[(&[(&str, &str)], &str)] = &[
        (&[("form", "statement"), STATEMENT, ("prefech", "1")], "did you mean `prefetch`?"),
        (
            &[("form", "statement"), STATEMENT, ("batch-messages", "0")],
            "queue.people.batch-messages is `0`",
        ),
        (&[("form", "statement"), STATEMENT, ("batch-messages", "many")], "must be a whole number"),
        (
            &[("form", "statement"), STATEMENT, ("prefetch", "10")],
            "queue.people.prefetch is 10, and batch-messages is 1000",
        ),
        (&[("form", "statement"), STATEMENT, ("consumers", &many)], "queue.people.consumers"),
        (&[("form", "statement")], "queue.people.statement is not set"),
        (
            &[("form", "statement"), ("statement", "UNWIND $messages AS m CRATE (:P)")],
            "queue.people.statement does not parse as cypher",
        ),
        (
            &[("form", "statement"), ("statement", "g.addV("), ("language", "gremlin")],
            "does not parse as gremlin",
        ),
        (
            &[("form", "statement"), ("statement", "USE other UNWIND $messages AS m CREATE (:P)")],
            "queue.people.statement names the graph `other`",
        ),
        (
            &[
                ("form", "statement"),
                ("statement", "g.addV(); g.tx().commit()"),
                ("language", "gremlin"),
            ],
            "queue.people.statement begins or ends a transaction",
        ),
        (
            &[("form", "statement"), STATEMENT, ("language", "lua")],
            "queue.people.language is `lua`",
        ),
        (&[("form", "sentence")], "queue.people.form is `sentence`"),
        (&[STATEMENT], "queue.people.form is not set"),
        (&[("form", "commands"), STATEMENT], "queue.people.statement is set, and form is commands"),
        (&[("form", "requests")], "queue.people.statements-allowed allows no statement"),
        (&[("form", "requests"), ("statements-allowed", "RETURN 1")], "a list of texts, or any"),
        (
            &[("form", "requests"), ("statements-allowed", "[\"RETRN 1\"]")],
            "statements-allowed does not parse",
        ),
        (
            &[("form", "statement"), STATEMENT, ("statements-allowed", "any")],
            "messages bring no statements",
        ),
        (
            &[("form", "statement"), STATEMENT, ("url", "amqps://broker")],
            "queue.people.url is of amqps",
        ),
        (
            &[("form", "statement"), STATEMENT, ("url", "http://ann:secret@broker")],
            "queue.people.url is not",
        ),
        (&[("form", "statement"), STATEMENT, ("declare", "yes")], "queue.people.declare is `yes`"),
        (&[("form", "statement"), STATEMENT, ("exchange", "amq.topic")], "declare is none"),
        (
            &[("form", "statement"), STATEMENT, ("declare", "durable"), ("binding", "x")],
            "queue.people.binding is set without exchange",
        ),
        (&[("form", "statement"), STATEMENT, ("queue", &long)], "queue.people.queue is too long"),
        (&[("form", "statement"), STATEMENT, ("key", "$.a..b")], "queue.people.key is `a..b`"),
        (
            &[("form", "statement"), STATEMENT, ("key", "none"), ("key-required", "true")],
            "queue.people.key-required is true",
        ),
        (&[("form", "statement"), STATEMENT, ("key-required", "yes")], "true or false"),
        (&[("form", "statement"), STATEMENT, ("format", "xml")], "queue.people.format is `xml`"),
        (
            &[("form", "statement"), STATEMENT, ("message-bytes-max", "-1")],
            "queue.people.message-bytes-max",
        ),
    ];
    for (rows, reason) in cases {
        let error = read(rows).unwrap_err();
        assert!(error.contains(reason), "{rows:?}: {error}");
        assert!(!error.contains("secret"), "{error}");
    }
    let error = read(&[("form", "sentence")]).unwrap_err();
    assert!(error.starts_with("millrace.toml: "), "{error}");
}

#[test]
fn a_name_that_the_environment_cannot_say_is_refused() {
    for name in ["queue.People.form", "queue.my_queue.form", "queue.form"] {
        let layer =
            Layer { origin: Origin::Environment, entries: vec![(name.into(), "jobs".into())] };
        let error = of_resolved(&resolve(&[layer], &[])).unwrap_err()[0].to_string();
        assert!(error.starts_with("environment: "), "{error}");
    }
}

#[test]
fn sizes_and_times_of_a_queue_have_suffixes_and_all_faults_are_named_together() {
    let sizes = [("batch-ms", "1.5s"), ("message-bytes-max", "2MB")];
    let queue = read(&[&[("form", "statement"), STATEMENT], &sizes[..]].concat()).unwrap();
    assert_eq!((queue.batch_ms, queue.message_bytes_max), (1_500, 2 << 20));
    assert_eq!(readable("queue.people.batch-ms", "1.5s").as_deref(), Some("1.5 s"));
    let error = read(&[("batch-ms", "soon"), ("form", "sentence"), ("message-bytes-max", "2 TB")])
        .unwrap_err();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 3, "{error}");
    assert!(lines[0].contains("is `soon`, which is no number; it must be a time from 0 ms to 1 d"));
    let error = read(&[("prefetch", "10"), ("key-required", "true"), ("key", "none")]).unwrap_err();
    for words in ["set prefetch to 1000 at least", "key-required is true", "form is not set"] {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_message_that_no_query_could_take_is_refused_with_both_settings() {
    let entry = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let entries = vec![
        entry("query.bytes-max", "1MB"),
        entry("queue.people.form", "jobs"),
        entry("queue.people.message-bytes-max", "2MB"),
    ];
    let layer = Layer { origin: Origin::Environment, entries };
    let faults = of_resolved(&resolve(&[layer], &[])).unwrap_err();
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    let help = "set queue.people.message-bytes-max to 1048576 (1 MiB) at most, or query.bytes-max to 2097152 (2 MiB)";
    assert!(fault.to_string().contains(help), "{fault}");
}
