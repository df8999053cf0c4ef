//! Results piece by piece, RESET in the middle, clients that read slowly or not at all.

use millrace_server::wire::bolt::{Amount, Reply, Request, Run};

use super::{Client, count, only, open, run, start};

const MANY: usize = 1 << 14;

fn send_run(client: &mut Client, query: &str) {
    client.send(&Request::Run(Run { query: query.into(), ..Run::default() })).expect("works");
}

/// A query with as many records, made as they are read.
fn many() -> String {
    "g.inject(1).repeat(__.union(__.identity(), __.identity())).times(14)".to_owned()
}

#[test]
fn records_come_as_they_are_pulled() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "g.inject(1)");
    send_run(&mut client, "g.inject(1, 2, 3, 4, 5)");
    client.flush().expect("works");
    assert!(matches!(client.receive().expect("works"), Reply::Success(_)));
    let mut found = Vec::new();
    loop {
        client.send(&Request::Pull(Amount { records: Some(2), query: None })).expect("works");
        client.flush().expect("works");
        let (records, fields) = client.records().expect("works");
        assert!(records.len() <= 2);
        found.extend(records.iter().map(|record| record[0].as_int().expect("works")));
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
    assert_eq!(answer.records.len(), MANY);
    send_run(&mut client, &many());
    client.send(&Request::Pull(Amount { records: Some(10), query: None })).expect("works");
    client.send(&Request::Discard(Amount::ALL)).expect("works");
    client.flush().expect("works");
    assert!(matches!(client.receive().expect("works"), Reply::Success(_)));
    assert_eq!(client.records().expect("works").0.len(), 10);
    let (none, summary) = client.records().expect("works");
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
    client.send(&Request::Pull(Amount::ALL)).expect("works");
    client.flush().expect("works");
    client.reset().expect("works");
    assert_eq!(count(&mut client, "g.V().count()"), 1);
}

#[test]
fn a_reset_ends_a_result_in_its_middle() {
    let server = start();
    let mut client = open(&server);
    send_run(&mut client, &many());
    client.send(&Request::Pull(Amount { records: Some(10), query: None })).expect("works");
    client.flush().expect("works");
    assert!(matches!(client.receive().expect("works"), Reply::Success(_)));
    assert_eq!(client.records().expect("works").0.len(), 10);
    client.reset().expect("works");
    assert_eq!(only(&run(&mut client, "g.inject(7)")).as_int(), Some(7));
}

#[test]
fn a_client_that_goes_away_ends_its_query() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "g.addV().as('a').addE('e').to('a')");
    send_run(&mut client, "g.V().repeat(__.out()).times(2000000000).count()");
    client.flush().expect("works");
    drop(client);
    let mut client = open(&server);
    crate::gremlin::wait_until("no request is under way", || {
        server.administer("GET", "/queries", "").as_array().is_some_and(Vec::is_empty)
    });
    assert_eq!(count(&mut client, "g.V().count()"), 1);
}
