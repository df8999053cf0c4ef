//! Transactions that a client begins: several results, conflicts, rollbacks, idleness.

use millrace_server::wire::bolt::{Amount, Reply, Request, Run, TransactionOptions};

use super::{Client, count, failure, only, open, run, start};
use crate::client::start_with;
use crate::gremlin::wait_until;

fn begin(client: &mut Client) {
    client.begin(TransactionOptions::default()).expect("works");
}

#[test]
fn a_transaction_sees_its_writes_and_others_see_them_after_the_commit() {
    let server = start();
    let (mut client, mut other) = (open(&server), open(&server));
    begin(&mut client);
    run(&mut client, "g.addV('a')");
    assert_eq!(count(&mut client, "g.V().count()"), 1);
    assert_eq!(count(&mut other, "g.V().count()"), 0);
    let bookmark = client.commit().expect("works").expect("it has one");
    assert!(bookmark.starts_with("millrace:"));
    assert_eq!(count(&mut other, "g.V().count()"), 1);
    begin(&mut client);
    run(&mut client, "g.addV('a')");
    client.roll_back().expect("works");
    assert_eq!(count(&mut client, "g.V().count()"), 1);
}

fn send_run(client: &mut Client, query: &str) {
    client.send(&Request::Run(Run { query: query.into(), ..Run::default() })).expect("works");
}

fn pull(client: &mut Client, records: u64, query: Option<i64>) -> (Vec<i64>, bool) {
    client.send(&Request::Pull(Amount { records: Some(records), query })).expect("works");
    client.flush().expect("works");
    let (records, fields) = client.records().expect("works");
    let numbers = records.iter().map(|record| record[0].as_int().expect("works")).collect();
    (numbers, fields.iter().any(|(name, _)| &**name == "has_more"))
}

#[test]
fn several_results_are_open_and_are_read_to_their_ends_before_a_write() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "g.addV().property('n', 1).addV().property('n', 2).addV().property('n', 3)");
    begin(&mut client);
    for number in 0..2 {
        send_run(&mut client, "g.V().values('n').order()");
        client.flush().expect("works");
        let Reply::Success(fields) = client.receive().expect("works") else { panic!("a result") };
        let qid = fields.iter().find(|(name, _)| &**name == "qid").expect("works");
        assert_eq!(qid.1.as_int(), Some(number));
    }
    assert_eq!(pull(&mut client, 1, Some(0)), (vec![1], true));
    assert_eq!(pull(&mut client, 2, None), (vec![1, 2], true));
    assert_eq!(run(&mut client, "g.V().drop()").records.len(), 0);
    assert_eq!(pull(&mut client, 5, Some(0)), (vec![2, 3], false), "as it was when it began");
    assert_eq!(pull(&mut client, 1, Some(1)), (vec![3], false));
    assert_eq!(count(&mut client, "g.V().count()"), 0);
    client.commit().expect("works");
}

#[test]
fn a_write_conflict_is_the_clients_in_a_transaction_and_is_retried_outside_of_it() {
    let server = start();
    let (mut client, mut other) = (open(&server), open(&server));
    run(&mut client, "g.addV().property('n', 0)");
    begin(&mut client);
    run(&mut client, "g.V().property('n', 1)");
    run(&mut other, "g.V().property('n', 2)");
    let lost = failure(client.commit());
    assert!(lost.is_transient() && lost.message.contains("write conflict"), "{lost:?}");
    assert_eq!(count(&mut client, "g.V().values('n')"), 2);
}

#[test]
fn after_a_failure_the_transaction_is_gone() {
    let server = start();
    let mut client = open(&server);
    begin(&mut client);
    run(&mut client, "g.addV()");
    assert_eq!(failure(client.run("g.V(", &[])).title(), "SyntaxError");
    assert_eq!(count(&mut client, "g.V().count()"), 0);
    begin(&mut client);
    run(&mut client, "g.addV()");
    send_run(&mut client, "g.V(");
    client.send(&Request::Commit).expect("works");
    client.flush().expect("works");
    assert!(matches!(client.receive().expect("works"), Reply::Failure(_)));
    assert_eq!(
        client.receive().expect("works"),
        Reply::Ignored,
        "COMMIT after a failure commits nothing"
    );
    client.reset().expect("works");
    assert_eq!(count(&mut client, "g.V().count()"), 0);
}

#[test]
fn a_read_transaction_refuses_to_write() {
    let server = start();
    let mut client = open(&server);
    client.begin(TransactionOptions { is_read_only: true, ..Default::default() }).expect("works");
    assert_eq!(count(&mut client, "g.V().count()"), 0);
    assert_eq!(failure(client.run("g.addV()", &[])).title(), "AccessMode");
}

#[test]
fn a_query_does_not_end_the_transaction_of_its_client() {
    let server = start();
    let mut client = open(&server);
    begin(&mut client);
    run(&mut client, "g.addV()");
    let refused = failure(client.run("g.tx().commit()", &[]));
    assert!(refused.message.contains("begun by the protocol"), "{refused:?}");
    assert_eq!(count(&mut client, "g.V().count()"), 0);
}

#[test]
fn an_abandoned_transaction_is_rolled_back() {
    let server = start_with(|settings| {
        settings.bolt.transaction_idle_ms = 30;
        // Ticks follow the shortest time limit.
        settings.connections.head_ms = 40;
    });
    let mut client = open(&server);
    begin(&mut client);
    run(&mut client, "g.addV().property('n', 1)");
    // The next request comes whenever the transaction is gone: until then each is a part of it.
    wait_until("the transaction is rolled back", || {
        std::thread::sleep(std::time::Duration::from_millis(60));
        match client.run("g.V().count()", &[]) {
            Ok(answer) => only(&answer).as_int() == Some(0),
            Err(error) => error.to_string().contains("transaction-idle-ms"),
        }
    });
    assert_eq!(count(&mut client, "g.V().count()"), 0);
    let mut client = open(&server);
    begin(&mut client);
    run(&mut client, "g.addV()");
    drop(client);
    assert_eq!(count(&mut open(&server), "g.V().count()"), 0);
}
