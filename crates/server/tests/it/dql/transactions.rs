//! Mutations and queries by themselves, and transactions that go on over requests.

use std::thread;
use std::time::{Duration, Instant};

use millrace_server::db::Database;
use serde_json::{Value, json};

use super::{DQL, JSON, RDF, failure, post, start, start_with};
use crate::client::{Running, settings, start_over};

const ABORTED: &str = "Transaction has been aborted. Please retry";

/// The answer of a request that succeeds.
fn done(server: &Running, path: &str, kind: (&str, &str), body: &str) -> Value {
    let answer = post(server, path, kind, body).json();
    assert!(answer.get("errors").is_none(), "{path} {body}: {answer}");
    answer
}

/// A server whose nodes 1 and 2 have names and ages.
fn start_with_nodes() -> Running {
    let server = start();
    done(&server, "/alter", DQL, "name: string @index(exact) .\nage: int .");
    let quads = "{ set {\n<0x1> <name> \"Ann\" .\n<0x1> <age> \"7\" .\n<0x2> <name> \"Bo\" .\n} }";
    done(&server, "/mutate?commitNow=true", RDF, quads);
    server
}

fn start_ts(answer: &Value) -> u64 {
    answer["extensions"]["txn"]["start_ts"].as_u64().unwrap_or_else(|| panic!("{answer}"))
}

/// The ages of node 1, as a transaction sees them; 0: a new one.
fn age(server: &Running, number: u64) -> Value {
    let answer = ask(server, number);
    answer["data"]["q"][0]["age"].clone()
}

fn ask(server: &Running, number: u64) -> Value {
    let path = format!("/query?startTs={number}");
    post(server, &path, DQL, "{ q(func: uid(0x1)) { age } }").json()
}

fn set_age(server: &Running, number: u64, age: u32) -> Value {
    let path = format!("/mutate?startTs={number}");
    post(server, &path, JSON, &json!({ "set": { "uid": "0x1", "age": age } }).to_string()).json()
}

fn commit(server: &Running, changed: &Value) -> Value {
    let txn = &changed["extensions"]["txn"];
    let body = json!({ "keys": txn["keys"], "preds": txn["preds"] }).to_string();
    post(server, &format!("/commit?startTs={}", start_ts(changed)), JSON, &body).json()
}

fn assert_aborted(answer: &Value) {
    assert_eq!(failure(answer).0, ABORTED, "{answer}");
}

#[test]
fn a_mutation_that_commits_names_its_nodes_and_is_visible() {
    let server = start_with_nodes();
    let body = "{ set { _:c <name> \"Cy\" .\n _:c <age> \"9\" . } }";
    let changed = done(&server, "/mutate?commitNow=true", RDF, body);
    let data = &changed["data"];
    assert_eq!((&data["code"], &data["message"]), (&json!("Success"), &json!("Done")));
    let uid = data["uids"]["c"].as_str().unwrap();
    let txn = &changed["extensions"]["txn"];
    assert!(txn["start_ts"].as_u64() < txn["commit_ts"].as_u64(), "{txn}");
    assert_eq!((&txn["preds"], txn.get("keys")), (&json!(["1-0-age", "1-0-name"]), None));
    let latency = &changed["extensions"]["server_latency"];
    assert!(latency["processing_ns"].as_u64() < latency["total_ns"].as_u64(), "{latency}");
    let query = json!({
        "query": "query q($n: string) { q(func: eq(name, $n)) { uid age } }",
        "variables": { "$n": "Cy" },
    });
    let found = done(&server, "/query", JSON, &query.to_string());
    assert_eq!(found["data"]["q"], json!([{ "uid": uid, "age": 9 }]));
    assert!(txn["commit_ts"].as_u64() < found["extensions"]["txn"]["start_ts"].as_u64());
    assert!(start_ts(&found) < 1 << 53);
}

#[test]
fn what_a_transaction_wrote_is_its_own_until_it_commits() {
    let server = start_with_nodes();
    let changed = set_age(&server, 0, 8);
    let number = start_ts(&changed);
    assert_eq!(changed["extensions"]["txn"]["keys"].as_array().map(Vec::len), Some(1), "{changed}");
    assert_eq!((age(&server, number), age(&server, 0)), (json!(8), json!(7)));
    assert_eq!(start_ts(&set_age(&server, number, 9)), number);
    assert_eq!((age(&server, number), age(&server, 0)), (json!(9), json!(7)));
    let committed = commit(&server, &changed);
    assert_eq!(committed["data"]["code"], "Success", "{committed}");
    assert!(number < committed["extensions"]["txn"]["commit_ts"].as_u64().unwrap());
    assert_eq!(age(&server, 0), 9);
    assert_aborted(&commit(&server, &changed));
    assert_aborted(&set_age(&server, number, 10));
    assert_aborted(&ask(&server, number));
}

#[test]
fn an_abort_leaves_nothing_also_after_it() {
    let server = start_with_nodes();
    let changed = set_age(&server, 0, 8);
    let path = format!("/commit?startTs={}&abort=true", start_ts(&changed));
    for _ in 0..2 {
        let aborted = post(&server, &path, JSON, "").json();
        assert_eq!(aborted, json!({ "code": "Success", "message": "Done" }));
    }
    assert_aborted(&commit(&server, &changed));
    assert_eq!(age(&server, 0), 7);
}

#[test]
fn the_first_to_commit_wins_and_the_other_is_aborted() {
    let server = start_with_nodes();
    let (first, second) = (set_age(&server, 0, 8), set_age(&server, 0, 9));
    assert_eq!(commit(&server, &second)["data"]["code"], "Success");
    assert_aborted(&commit(&server, &first));
    assert_eq!(age(&server, 0), 9);
}

#[test]
fn transactions_that_set_different_predicates_of_a_node_both_commit() {
    let server = start_with_nodes();
    let age = set_age(&server, 0, 8);
    let name = json!({ "set": { "uid": "0x1", "name": "Anna" } }).to_string();
    let name = done(&server, "/mutate", JSON, &name);
    let other = json!({ "set": { "uid": "0x1", "nick": "A" } }).to_string();
    done(&server, "/mutate?commitNow=true", JSON, &other);
    assert_eq!(commit(&server, &age)["data"]["code"], "Success");
    assert_eq!(commit(&server, &name)["data"]["code"], "Success");
    let found = done(&server, "/query", DQL, "{ q(func: uid(0x1)) { name age nick } }");
    assert_eq!(found["data"]["q"], json!([{ "name": "Anna", "age": 8, "nick": "A" }]));
}

/// What a new transaction writes of a node that is not there yet.
fn write_new(server: &Running, quads: &str) -> Value {
    done(server, "/mutate", RDF, &format!("{{ set {{\n{quads}\n}} }}"))
}

#[test]
fn transactions_that_make_the_same_node_conflict_by_predicate_as_if_it_had_been_there() {
    let server = start_with_nodes();
    done(&server, "/alter", DQL, "friend: [uid] @reverse .\nboss: uid .");
    let name = write_new(&server, "<0x50> <name> \"Eve\" .\n<0x50> <friend> <0x1> .");
    let age = write_new(&server, "<0x50> <age> \"5\" .\n<0x50> <friend> <0x2> .");
    let lost = write_new(&server, "<0x50> <age> \"6\" .");
    assert_eq!(commit(&server, &name)["data"]["code"], "Success");
    assert_eq!(commit(&server, &age)["data"]["code"], "Success");
    assert_aborted(&commit(&server, &lost));
    let found = done(&server, "/query", DQL, "{ q(func: uid(0x50)) { name age friend { uid } } }");
    let friends = json!([{ "uid": "0x1" }, { "uid": "0x2" }]);
    assert_eq!(found["data"]["q"], json!([{ "name": "Eve", "age": 5, "friend": friends }]));
    for same in ["<0x51> <friend> <0x2> .", "<0x52> <name> \"F\" ."] {
        let (first, second) = (write_new(&server, same), write_new(&server, same));
        assert_eq!(commit(&server, &first)["data"]["code"], "Success");
        assert_aborted(&commit(&server, &second));
    }
    let boss = |to: u32| write_new(&server, &format!("<0x53> <boss> <0x{to}> ."));
    let (first, second) = (boss(1), boss(2));
    assert_eq!(commit(&server, &first)["data"]["code"], "Success");
    assert_aborted(&commit(&server, &second));
}

#[test]
fn a_node_that_was_made_since_a_transaction_began_is_written_by_it() {
    let server = start_with_nodes();
    let began = [ask(&server, 0), ask(&server, 0)].map(|answer| start_ts(&answer));
    done(&server, "/mutate?commitNow=true", RDF, "{ set { <0x50> <name> \"Eve\" . } }");
    let write = |number: u64, quad: &str| {
        let path = format!("/mutate?startTs={number}");
        done(&server, &path, RDF, &format!("{{ set {{ {quad} }} }}"))
    };
    let age = write(began[0], "<0x50> <age> \"5\" .");
    let name = write(began[1], "<0x50> <name> \"Eva\" .");
    assert_eq!(commit(&server, &age)["data"]["code"], "Success");
    assert_aborted(&commit(&server, &name));
    let found = done(&server, "/query", DQL, "{ q(func: uid(0x50)) { name age } }");
    assert_eq!(found["data"]["q"], json!([{ "name": "Eve", "age": 5 }]));
}

#[test]
fn a_client_that_read_before_it_writes_loses_no_update_of_others() {
    let server = start_with_nodes();
    let (first, second) = (ask(&server, 0), ask(&server, 0));
    let (first, second) = (start_ts(&first), start_ts(&second));
    done(&server, "/mutate?commitNow=true", JSON, "{\"set\": {\"uid\": \"0x1\", \"age\": 20}}");
    assert_eq!(
        (age(&server, first), age(&server, 0)),
        (json!(7), json!(20)),
        "it sees its snapshot"
    );
    let changed = set_age(&server, first, 8);
    assert_eq!(start_ts(&changed), first);
    assert_aborted(&commit(&server, &changed));
    // What another wrote elsewhere is no conflict.
    let path = format!("/mutate?startTs={second}&commitNow=true");
    let elsewhere = "{\"set\": {\"uid\": \"0x2\", \"age\": 3}}";
    let committed = done(&server, &path, JSON, elsewhere);
    assert!(committed["extensions"]["txn"]["commit_ts"].is_u64(), "{committed}");
    assert_eq!(age(&server, 0), 20);
}

#[test]
fn a_transaction_that_only_read_has_nothing_to_commit() {
    let server = start_with_nodes();
    let read = ask(&server, 0);
    let path = format!("/commit?startTs={}", start_ts(&read));
    assert_eq!(done(&server, &path, JSON, "{}")["data"]["code"], "Success");
    let best_effort = done(&server, "/query?be=true", DQL, "{ q(func: uid(0x1)) { age } }");
    assert_aborted(&ask(&server, start_ts(&best_effort)));
}

#[test]
fn a_text_that_is_wrong_leaves_its_transaction_as_it_is() {
    let server = start_with_nodes();
    let changed = set_age(&server, 0, 8);
    let path = format!("/query?startTs={}", start_ts(&changed));
    let wrong = post(&server, &path, DQL, "{ q(func: uid(0x1)) { ").json();
    assert!(failure(&wrong).0.starts_with("line 1 column "), "{wrong}");
    assert_eq!(commit(&server, &changed)["data"]["code"], "Success");
    assert_eq!(age(&server, 0), 8);
}

#[test]
fn a_transaction_that_waits_too_long_is_aborted() {
    let server = start_with(|settings| settings.dql.transaction_idle_ms = 50);
    let changed = set_age(&server, 0, 8);
    let since = Instant::now();
    // Each look would keep it open, so there is one, once it must be over.
    while since.elapsed() < Duration::from_millis(200) {
        thread::yield_now();
    }
    assert_aborted(&commit(&server, &changed));
    assert_eq!(age(&server, 0), Value::Null);
}

#[test]
fn a_number_of_before_a_restart_is_aborted_and_new_ones_are_larger() {
    let folder = tempfile::tempdir().expect("there is room");
    let open = || {
        let mut settings = settings();
        settings.listen.set("dql", "127.0.0.1:0");
        start_over(Database::open(folder.path(), settings).expect("it opens"))
    };
    let server = open();
    done(&server, "/mutate?commitNow=true", JSON, "{\"set\": {\"uid\": \"0x1\", \"age\": 7}}");
    let changed = set_age(&server, 0, 8);
    let read = start_ts(&ask(&server, 0));
    drop(server);
    let server = open();
    assert_aborted(&commit(&server, &changed));
    assert_aborted(&set_age(&server, start_ts(&changed), 9));
    assert_aborted(&ask(&server, read));
    let found = ask(&server, 0);
    assert_eq!(found["data"]["q"], json!([{ "age": 7 }]));
    assert!(read < start_ts(&found), "{read} {found}");
}

#[test]
fn concurrent_requests_of_one_transaction_wait_for_each_other() {
    let server = start_with_nodes();
    let changed = set_age(&server, 0, 8);
    let number = start_ts(&changed);
    thread::scope(|scope| {
        for key in 0..8_u32 {
            let server = &server;
            scope.spawn(move || {
                let path = format!("/mutate?startTs={number}");
                let body = json!({ "set": { "uid": "0x2", format!("p{key}"): key } });
                done(server, &path, JSON, &body.to_string());
            });
        }
    });
    assert_eq!(commit(&server, &changed)["data"]["code"], "Success");
    let found = done(&server, "/query", DQL, "{ q(func: uid(0x2)) { p0 p1 p2 p3 p4 p5 p6 p7 } }");
    assert_eq!(found["data"]["q"][0].as_object().map(serde_json::Map::len), Some(8), "{found}");
}

#[test]
fn the_server_runs_a_mutation_that_commits_again_after_a_conflict() {
    const CLIENTS: u32 = 8;
    const EACH: u32 = 10;
    let server = start_with_nodes();
    let upsert = "upsert { query { v as var(func: uid(0x1)) { a as age n as math(a + 1) } }
        mutation { set { uid(v) <age> val(n) . } } }";
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                for _ in 0..EACH {
                    done(&server, "/mutate?commitNow=true", RDF, upsert);
                }
            });
        }
    });
    assert_eq!(age(&server, 0), 7 + CLIENTS * EACH);
}

#[test]
fn an_upsert_without_a_match_makes_a_node_once() {
    let server = start_with_nodes();
    let body = json!({
        "query": "{ v as var(func: eq(name, \"Di\")) }",
        "mutations": [{ "cond": "@if(eq(len(v), 0))", "set": { "uid": "_:d", "name": "Di" } }],
    });
    let first = done(&server, "/mutate?commitNow=true", JSON, &body.to_string());
    let second = done(&server, "/mutate?commitNow=true", JSON, &body.to_string());
    assert!(first["data"]["uids"]["d"].is_string(), "{first}");
    let found = done(&server, "/query", DQL, "{ q(func: eq(name, \"Di\")) { count(uid) } }");
    assert_eq!(found["data"]["q"], json!([{ "count": 1 }]), "{second}");
}

#[test]
fn an_empty_graph_answers_ratel_and_a_time_limit_ends_a_request() {
    let server = start();
    let found = done(&server, "/query", DQL, "{ q(func: uid(1)) { uid } }");
    assert_eq!(found["data"]["q"], json!([{ "uid": "0x1" }]));
    let late = post(&server, "/query?timeout=1ns", DQL, "{ q(func: uid(1)) { uid } }").json();
    assert!(failure(&late).0.contains("deadline"), "{late}");
}

/// Two read both lights, and each puts the other one out.
#[test]
fn a_serializable_graph_aborts_one_of_two_that_write_what_the_other_read() {
    for is_serializable in [false, true] {
        let mut own = settings();
        own.listen.set("dql", "127.0.0.1:0");
        if is_serializable {
            own.isolations.push(("dql".to_owned(), "serializable".to_owned()));
        }
        let database = Database::in_memory(own).unwrap();
        database.make_graphs().unwrap();
        let server = start_over(database);
        done(&server, "/alter", DQL, "on: bool .");
        let lights = "{ set {\n<0x1> <on> \"true\" .\n<0x2> <on> \"true\" .\n} }";
        done(&server, "/mutate?commitNow=true", RDF, lights);
        let both = "{ q(func: uid(0x1, 0x2)) { on } }";
        let [one, other] = [0; 2].map(|_| start_ts(&done(&server, "/query", DQL, both)));
        // One that only reads sees what it saw, and may not write.
        let reader = start_ts(&done(&server, "/query?ro=true", DQL, both));
        let put_out = |number: u64, light: u32| {
            let quads = format!("{{ set {{\n<{light}> <on> \"false\" .\n}} }}");
            post(&server, &format!("/mutate?startTs={number}"), RDF, &quads).json()
        };
        let (first, second) = (put_out(one, 1), put_out(other, 2));
        assert_eq!(commit(&server, &first)["data"]["code"], "Success");
        let late = commit(&server, &second);
        match is_serializable {
            true => assert_aborted(&late),
            false => assert_eq!(late["data"]["code"], "Success", "snapshots allow it"),
        }
        let found = done(&server, &format!("/query?startTs={reader}"), DQL, both);
        assert_eq!(found["data"]["q"], json!([{ "on": true }, { "on": true }]));
        if is_serializable {
            assert_aborted(&put_out(reader, 2));
        }
    }
}
