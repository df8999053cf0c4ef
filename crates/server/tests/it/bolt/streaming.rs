//! Results piece by piece, RESET in the middle, clients that read slowly or not at all.

use millrace_server::wire::bolt::{Amount, Reply, Request, Run};

use super::{Client, count, only, open, run, start};

const MANY: i64 = 100_000;

fn send_run(client: &mut Client, query: &str) {
    client.send(&Request::Run(Run { query: query.into(), ..Run::default() })).unwrap();
}

/// A query with as many records, made as they are read.
fn many() -> String {
    format!("g.inject(1).repeat(__.union(__.identity(), __.identity())).times(20).limit({MANY})")
}

#[test]
fn records_come_as_they_are_pulled() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "g.inject(1)");
    send_run(&mut client, "g.inject(1, 2, 3, 4, 5)");
    client.flush().unwrap();
    assert!(matches!(client.receive().unwrap(), Reply::Success(_)));
    let mut found = Vec::new();
    loop {
        client.send(&Request::Pull(Amount { records: Some(2), query: None })).unwrap();
        client.flush().unwrap();
        let (records, fields) = client.records().unwrap();
        assert!(records.len() <= 2);
        found.extend(records.iter().map(|record| record[0].as_int().unwrap()));
        if !fields.iter().any(|(name, _)| &**name == "has_more") {
            break;
        }
    }
    assert_eq!(found, [1, 2, 3, 4, 5]);
}

#[test]
fn a_long_result_arrives_whole_and_can_be_passed_over() {
    let server = start();
    let mut client = open(&server);
    let answer = run(&mut client, &many());
    assert_eq!(answer.records.len() as i64, MANY);
    send_run(&mut client, &many());
    client.send(&Request::Pull(Amount { records: Some(10), query: None })).unwrap();
    client.send(&Request::Discard(Amount::ALL)).unwrap();
    client.flush().unwrap();
    assert!(matches!(client.receive().unwrap(), Reply::Success(_)));
    assert_eq!(client.records().unwrap().0.len(), 10);
    let (none, summary) = client.records().unwrap();
    assert!(none.is_empty() && summary.iter().any(|(name, _)| &**name == "bookmark"));
    assert_eq!(count(&mut client, "g.inject(1).count()"), 1);
}

#[test]
fn vertices_stream_with_their_properties() {
    let server = start();
    let mut client = open(&server);
    run(
        &mut client,
        "g.inject(1).repeat(__.union(__.identity(), __.identity())).times(12).addV('x').property('n', 1)",
    );
    let answer = run(&mut client, "g.V()");
    assert_eq!(answer.records.len(), 4_096);
    assert_eq!(count(&mut client, "g.V().count()"), 4_096);
}

#[test]
fn a_reset_cancels_the_query_that_runs() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "g.addV().as('a').addE('e').to('a')");
    send_run(&mut client, "g.V().repeat(__.out()).times(2000000000).count()");
    client.send(&Request::Pull(Amount::ALL)).unwrap();
    client.flush().unwrap();
    client.reset().unwrap();
    assert_eq!(count(&mut client, "g.V().count()"), 1);
}

#[test]
fn a_reset_ends_a_result_in_its_middle() {
    let server = start();
    let mut client = open(&server);
    send_run(&mut client, &many());
    client.send(&Request::Pull(Amount { records: Some(10), query: None })).unwrap();
    client.flush().unwrap();
    assert!(matches!(client.receive().unwrap(), Reply::Success(_)));
    assert_eq!(client.records().unwrap().0.len(), 10);
    client.reset().unwrap();
    assert_eq!(only(&run(&mut client, "g.inject(7)")).as_int(), Some(7));
}

#[test]
fn a_client_that_goes_away_ends_its_query() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "g.addV().as('a').addE('e').to('a')");
    send_run(&mut client, "g.V().repeat(__.out()).times(2000000000).count()");
    client.flush().unwrap();
    drop(client);
    let mut client = open(&server);
    crate::gremlin::wait_until("no request is under way", || {
        server.admin_get("/queries").json()["queries"].as_array().is_some_and(Vec::is_empty)
    });
    assert_eq!(count(&mut client, "g.V().count()"), 1);
}
