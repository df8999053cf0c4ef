//! LDBC's ACID cases over Bolt, at both isolation levels.

use millrace_db::Database;
use millrace_server::wire::bolt::TransactionOptions;
use millrace_server::wire::bolt::client::{Answer, ClientError};
use millrace_testkit::acid::{self, Clients};

use super::{Client, open, run};
use crate::client::{Running, settings, start_speaking};

struct OverBolt {
    /// It runs as long as its clients are connected.
    _server: Running,
    admin: Client,
    clients: Vec<Client>,
}

#[test]
fn each_acid_case_shows_what_its_isolation_level_allows_and_nothing_else() {
    acid::check(|isolation| {
        let database = Database::in_memory(settings()).expect("it opens");
        let server = start_speaking(database, "cypher");
        let mut admin = open(&server);
        run(&mut admin, &format!("ALTER DATABASE neo4j SET OPTION isolation '{isolation}'"));
        let clients = (0..3).map(|_| open(&server)).collect();
        Box::new(OverBolt { _server: server, admin, clients })
    });
}

fn numbers(answer: &Answer) -> Vec<i64> {
    answer.records.iter().map(|record| record[0].as_int().expect("a number")).collect()
}

/// `None`: refused for a conflict, after which the client may try again.
fn unless_conflict<T>(done: Result<T, ClientError>) -> Option<T> {
    match done {
        Ok(done) => Some(done),
        Err(ClientError::Failure(failure)) if failure.is_transient() => None,
        Err(error) => panic!("{error}"),
    }
}

impl Clients for OverBolt {
    fn run_alone(&mut self, text: &str) -> Vec<i64> {
        numbers(&run(&mut self.admin, text))
    }

    fn begin(&mut self, client: usize) {
        self.clients[client].begin(TransactionOptions::default()).expect("begins");
    }

    fn run(&mut self, client: usize, text: &str) -> Option<Vec<i64>> {
        unless_conflict(self.clients[client].run(text, &[])).map(|answer| numbers(&answer))
    }

    fn commit(&mut self, client: usize) -> bool {
        unless_conflict(self.clients[client].commit()).is_some()
    }

    fn roll_back(&mut self, client: usize) {
        self.clients[client].roll_back().expect("rolls back");
    }
}
