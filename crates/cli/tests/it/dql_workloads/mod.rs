//! Workloads as Jepsen's, by DQL over HTTP and over gRPC: bank, set, upsert, delete, long fork, register, sequential and write skew, all
//! at once, while the real server is killed by `kill -9` and comes back on its folder, at both levels of isolation.
//!
//! Promise: no client sees what the level rules out, and nothing that was acknowledged is lost. A request without an answer
//! may have been done or not; one that is aborted was not. Transactions go on over kills: a server that comes back knows
//! none of those before it.

mod accounts;
mod acknowledged;
mod client;
mod orders;
mod records;
mod servers;
mod sets;
mod skew;
mod transport;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use millrace_testkit::{Rng, number};

use crate::program::Served;
use client::Client;
use servers::{EndsClients, Servers};
use transport::{Failed, Protocol, Reached};

/// Seconds of each level and protocol, unless `MILLRACE_DQL_SECONDS` says otherwise.
const SECONDS_DEFAULT: u64 = 5;

/// Clients of each workload.
const CLIENTS: u64 = 2;

/// Between how many milliseconds of a server's life it is killed.
const LIFE_MS: std::ops::Range<u64> = 300..3_000;

/// So often is a check of a server that lives tried.
const CHECKS_MAX: usize = 50;

/// What clients do, and what has to hold of what they see.
trait Workload: Sync {
    fn name(&self) -> &'static str;

    fn schema(&self) -> &'static str;

    /// The data that it begins with, in N-Quads.
    fn quads(&self) -> String {
        String::new()
    }

    /// One thing that a client does.
    fn step(&self, client: &Client<'_>, rng: &mut Rng) -> Reached<()>;

    /// Looks at everything, while clients go on.
    fn check(&self, client: &Client<'_>, when: &str) -> Reached<()>;

    /// How much was acknowledged, and what else is worth a word.
    fn report(&self) -> String;
}

fn workloads(is_serializable: bool) -> Vec<Box<dyn Workload>> {
    vec![
        Box::new(accounts::Bank),
        Box::new(sets::Sets::default()),
        Box::new(records::Upserts::default()),
        Box::new(records::Deletes::default()),
        Box::new(orders::LongFork::default()),
        Box::new(orders::Sequential::default()),
        Box::new(accounts::Register::default()),
        Box::new(skew::Skew::new(is_serializable)),
    ]
}

#[test]
fn dql_workloads_keep_snapshots_over_kill_nine() {
    run(Protocol::Http, false);
}

#[test]
fn dql_workloads_keep_serializability_over_kill_nine() {
    run(Protocol::Http, true);
}

#[test]
fn dql_workloads_over_grpc_keep_snapshots_over_kill_nine() {
    run(Protocol::Grpc, false);
}

#[test]
fn dql_workloads_over_grpc_keep_serializability_over_kill_nine() {
    run(Protocol::Grpc, true);
}

fn run(protocol: Protocol, is_serializable: bool) {
    let folder = tempfile::tempdir().expect("a folder");
    let further: &[&str] = match is_serializable {
        true => &["--set", "graphs.dql.isolation=serializable"],
        false => &[],
    };
    let workloads = workloads(is_serializable);
    let server = protocol.serve(folder.path(), further);
    let servers = Servers::at(protocol, &server.url);
    begin(&servers, &workloads);
    let mut kills = 0;
    thread::scope(|scope| {
        let _end = EndsClients(&servers);
        for (number, workload) in workloads.iter().enumerate() {
            for client in 0..CLIENTS {
                let servers = &servers;
                scope.spawn(move || {
                    let _end = EndsClients(servers);
                    work(&**workload, servers, &mut Rng::new(number as u64 * CLIENTS + client));
                });
            }
        }
        kills = kill_again_and_again((folder.path(), further), server, &servers, &workloads);
    });
    let level = if is_serializable { "serializable" } else { "snapshot" };
    let run = format!("dql over {}, {level}", protocol.name());
    for workload in &workloads {
        eprintln!("{run}: {}: {}", workload.name(), workload.report());
    }
    let aborted = servers.aborted();
    eprintln!("{run}: {kills} kills, {aborted} transactions aborted");
    assert!(0 < kills, "no server was killed");
}

fn begin(servers: &Servers, workloads: &[Box<dyn Workload>]) {
    let client = Client::new(servers);
    for workload in workloads {
        client.alter(workload.schema()).expect("the server lives");
        let quads = workload.quads();
        if !quads.is_empty() {
            client.set(&quads).expect("the server lives");
        }
    }
}

/// What a client does until all is over.
fn work(workload: &dyn Workload, servers: &Servers, rng: &mut Rng) {
    let client = Client::new(servers);
    while !servers.is_over() {
        if let Err(Failed::Gone) = workload.step(&client, rng) {
            client.wait_for_the_next();
        }
    }
}

/// Kills the server again and again, and checks what is there when it is back; how often.
fn kill_again_and_again(
    (folder, further): (&Path, &[&str]),
    mut server: Served,
    servers: &Servers,
    workloads: &[Box<dyn Workload>],
) -> u32 {
    let seconds = number("MILLRACE_DQL_SECONDS", SECONDS_DEFAULT);
    let (began, rng) = (Instant::now(), &mut Rng::new(0xd01));
    let mut kills = 0;
    while began.elapsed().as_secs() < seconds && !servers.is_over() {
        servers.wait_unless_over(Duration::from_millis(rng.range(LIFE_MS)));
        server.kill();
        kills += 1;
        server = servers.protocol.serve(folder, further);
        servers.move_to(&server.url);
        check(servers, workloads, &format!("after kill {kills}"));
    }
    servers.end();
    check(servers, workloads, "at the end");
    assert_eq!(server.terminate(), Some(0));
    kills
}

fn check(servers: &Servers, workloads: &[Box<dyn Workload>], when: &str) {
    let client = Client::new(servers);
    for workload in workloads {
        let mut tries = 0..CHECKS_MAX;
        let is_done = tries.any(|_| workload.check(&client, when).is_ok());
        assert!(is_done, "{} cannot be checked {when}", workload.name());
    }
}
