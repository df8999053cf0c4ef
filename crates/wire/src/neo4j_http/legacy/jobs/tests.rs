//! Batches over statements that are recorded: how many there are, in which order, and what refuses a batch.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};

use super::super::operation::{StatementRows, Statements};
use super::{Answers, Job, JobFailure, Jobs, Order, in_bulk_or_singly};

/// Gives each row a result, and each new element the next number.
#[derive(Default)]
struct Recorded {
    /// The last clauses of each statement, and its rows.
    statements: Vec<(String, usize)>,
    next: i64,
    /// Jobs without a row.
    missing: Vec<i64>,
    conflicts: bool,
}

impl Statements for Recorded {
    fn run(
        &mut self,
        _: &'static str,
        text: &Arc<str>,
        parameters: Vec<(Arc<str>, Value)>,
    ) -> Result<StatementRows> {
        if self.conflicts {
            return Err(Error::new(ErrorKind::Conflict, "x was changed"));
        }
        let rows = parameters.iter().find_map(|(name, value)| match value {
            Value::List(rows) if &**name == "rows" => Some(rows.to_vec()),
            _ => None,
        });
        let job = |row: &Value| match row {
            Value::Map(pairs) => pairs[0].1.as_int().unwrap(),
            other => panic!("{other:?}"),
        };
        let jobs = rows.map_or(vec![0], |rows| rows.iter().map(job).collect());
        self.statements.push((text.to_string(), jobs.len()));
        let makes = text.contains("AS made");
        let mut found = StatementRows { columns: vec!["job".into()], ..StatementRows::default() };
        if makes {
            found.columns.push("made".into());
        }
        for job in jobs.iter().filter(|job| !self.missing.contains(job)) {
            found.values.push(Value::I64(*job));
            if makes {
                self.next += 1;
                found.values.push(Value::I64(self.next));
            }
        }
        Ok(found)
    }
}

fn job(id: i64, method: &str, to: &str, body: Value) -> Job {
    Job { id: Some(id), method: method.into(), to: to.into(), body }
}

fn edge(id: i64, from: i64, to: i64) -> Job {
    let pairs = [("to", format!("{{{to}}}")), ("type", "T".to_owned())];
    let pairs = pairs.map(|(key, text)| (Value::from(key), Value::from(text.as_str())));
    job(id, "POST", &format!("{{{from}}}/relationships"), Value::map(pairs.to_vec()))
}

/// How many rows each statement had.
fn rows(jobs: Vec<Job>) -> Vec<usize> {
    let mut recorded = Recorded::default();
    Jobs::of(jobs).unwrap().run(&mut recorded, Answers::None, Order::Bulk).unwrap();
    recorded.statements.iter().map(|(_, rows)| *rows).collect()
}

#[test]
fn nodes_and_relationships_between_them_are_two_statements() {
    let nodes = (0..100).map(|id| job(id, "POST", "/node", Value::Null));
    let edges = (0..100).map(|id| edge(100 + id, id, (id + 1) % 100));
    assert_eq!(rows(nodes.chain(edges).collect()), [100, 100]);
    // The same where each relationship follows its nodes: they may share a node.
    let mixed = (0..50)
        .flat_map(|id| [job(2 * id, "POST", "node", Value::Null), edge(2 * id + 1, 2 * id, 0)]);
    assert_eq!(rows(mixed.collect()), [50, 50]);
}

#[test]
fn what_does_not_commute_keeps_its_order() {
    let set = |id, node: &str| job(id, "PUT", &format!("/node/{node}/properties/x"), 1.into());
    // Two changes of one node are two stages; of two nodes they are one.
    assert_eq!(rows(vec![set(0, "1"), set(1, "1")]), [1, 1]);
    assert_eq!(rows(vec![set(0, "1"), set(1, "2")]), [2]);
    // A job that got an element by its number stands for that element.
    let get = |id| job(id, "GET", "/node/1", Value::Null);
    assert_eq!(rows(vec![get(0), set(1, "1"), set(2, "2")]), [1, 1, 1]);
    let by_reference = vec![get(0), job(1, "PUT", "{0}/properties/x", 1.into()), set(2, "1")];
    assert_eq!(rows(by_reference), [1, 1, 1]);
    // The relationship that is deleted may be one of the node.
    let delete = |id, path: &str| job(id, "DELETE", path, Value::Null);
    assert_eq!(rows(vec![delete(0, "/relationship/5"), delete(1, "/node/1")]), [1, 1]);
    assert_eq!(rows(vec![delete(0, "/node/2"), delete(1, "/node/1")]), [2]);
    // A query is behind all that stands in front of it, and in front of the rest.
    let query = Value::map(vec![(Value::from("query"), Value::from("RETURN 1"))]);
    let query = |id| job(id, "POST", "/cypher", query.clone());
    assert_eq!(rows(vec![set(0, "1"), query(1), set(2, "2"), set(3, "3")]), [1, 1, 2]);
}

#[test]
fn references_stay_within_their_message() {
    let message = || {
        let nodes = vec![job(0, "POST", "/node", Value::Null), edge(1, 0, 0)];
        Jobs::of(nodes).unwrap()
    };
    let mut jobs = message();
    jobs.append(message());
    let mut recorded = Recorded::default();
    let answers = Answers::Full { base: "http://a/db/data", version: "5" };
    let answers = jobs.run(&mut recorded, answers, Order::Bulk).unwrap();
    let froms: Vec<&str> = answers.iter().map(|answer| &*answer.from).collect();
    assert_eq!(
        froms,
        [
            "/node",
            "http://a/db/data/node/1/relationships",
            "/node",
            "http://a/db/data/node/2/relationships"
        ]
    );
    assert_eq!(recorded.statements.len(), 2);
}

#[test]
fn a_failure_names_the_first_job_in_order_and_a_conflict_stays_one() {
    let jobs = vec![
        job(7, "GET", "/node/1", Value::Null),
        job(8, "PUT", "/node/2/properties/x", 1.into()),
        job(9, "GET", "/node/3", Value::Null),
    ];
    let jobs = Jobs::of(jobs).unwrap();
    let mut attempts = Vec::new();
    let failed = in_bulk_or_singly(|order| {
        attempts.push(order);
        // In bulk the last job fails first; singly each job is number 0.
        let missing = if order == Order::Bulk { vec![2] } else { vec![0] };
        let mut recorded = Recorded { missing, ..Recorded::default() };
        jobs.run(&mut recorded, Answers::None, order)
    });
    let failure = failed.unwrap_err();
    assert_eq!(attempts, [Order::Bulk, Order::Single]);
    assert_eq!(failure.message(), "job 7 (GET /node/1): there is no node 1");
    assert_eq!((failure.status(), failure.failure.status), (500, 404));
    let conflicting = in_bulk_or_singly(|order| {
        assert_eq!(order, Order::Bulk);
        let mut recorded = Recorded { conflicts: true, ..Recorded::default() };
        jobs.run(&mut recorded, Answers::None, order)
    });
    assert_eq!(conflicting.unwrap_err().error().kind, ErrorKind::Conflict);
}

#[test]
fn strings_that_name_a_job_are_its_address() {
    let jobs = vec![
        job(0, "POST", "http://other:7474/db/data/node", Value::Null),
        job(1, "PUT", "/db/data/node/5/properties/x", Value::from("see {0}, {x}")),
    ];
    let mut recorded = Recorded::default();
    Jobs::of(jobs).unwrap().run(&mut recorded, Answers::None, Order::Bulk).unwrap();
    assert_eq!(recorded.statements.len(), 2, "the second job waits for the first");
}

/// The message of a batch that is refused.
fn refused(body: &str) -> String {
    let failure: JobFailure = Jobs::read(body.as_bytes()).unwrap_err();
    let status = if failure.job.is_some() { 500 } else { 400 };
    assert!(failure.is_refused && failure.status() == status, "{failure:?}");
    assert!(serde_json::from_str::<serde_json::Value>(&failure.body()).is_ok());
    failure.message()
}

#[test]
fn wrong_batches_are_refused_whole_and_say_why() {
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    for (body, says) in [
        ("", "not JSON"),
        ("{}", "a batch is a list of jobs"),
        ("[1]", "the entry 0 of the batch: a job is an object"),
        (r#"[{"to": "/node"}]"#, "`method` is missing"),
        (r#"[{"method": "POST"}]"#, "`to` is missing"),
        (r#"[{"method": "POST", "to": 1}]"#, "`to` is a"),
        (r#"[{"method": "POST", "to": "/node", "id": "a"}]"#, "`id` is a"),
        (r#"[{"method": "PATCH", "to": "/node"}]"#, "job PATCH /node: this path takes POST"),
        (r#"[{"method": "GET", "to": "/x", "id": 3}]"#, "there is no route GET /db/data/x"),
        (r#"[{"method": "POST", "to": "/batch", "body": []}]"#, "a batch or a transaction"),
        (r#"[{"method": "POST", "to": "/transaction"}]"#, "a batch or a transaction"),
        (r#"[{"method": "GET", "to": "/index/node"}]"#, "the manual index"),
        (r#"[{"method": "GET", "to": "/node/x"}]"#, "neither the number nor the address"),
        (
            r#"[{"method": "POST", "to": "/node", "id": 3}, {"method": "GET", "to": "{7}"}]"#,
            "`{7}` is no earlier job",
        ),
        (
            r#"[{"method": "GET", "to": "{1}", "id": 0}, {"method": "POST", "to": "/node", "id": 1}]"#,
            "`{1}` is no earlier job",
        ),
        (r#"[{"method": "POST", "to": "/node", "id": 0, "body": {"a": "{0}"}}]"#, "`{0}` is no"),
        (
            r#"[{"method": "GET", "to": "/labels", "id": 0}, {"method": "GET", "to": "{0}"}]"#,
            "makes neither a node nor a relationship",
        ),
        (
            r#"[{"method": "POST", "to": "/node", "id": 0}, {"method": "POST", "to": "/node", "id": 0}]"#,
            "job 0 (POST /node): another job of the batch has the id 0",
        ),
        (
            r#"[{"method": "POST", "to": "/node", "id": 0}, {"method": "GET", "to": "/relationship/{0}"}]"#,
            "`{0}` is a node, and a relationship is wanted",
        ),
        (r#"[{"method": "POST", "to": "/node", "body": {"a": null}}]"#, "cannot be null"),
        (r#"[{"method": "POST", "to": "/node", "body": {"a": {}}}]"#, "cannot be an object"),
        (&deep, "JSON"),
    ] {
        let message = refused(body);
        assert!(message.contains(says), "{body}: {message}");
    }
    assert!(Jobs::read(b"[\"\xff\"]").unwrap_err().message().contains("not JSON"));
}
