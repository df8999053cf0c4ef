//! LDBC's ACID cases in a program that embeds the database; `server` runs them over Bolt.

use millrace_db::languages::Entry;
use millrace_db::session::{ExplicitTransaction, Ran, Request};
use millrace_model::{Error, ErrorKind, Result};
use millrace_testkit::acid::{self, Clients};

use super::{Graph, Rows};
use crate::limits;

struct Embedded {
    graph: Graph,
    transactions: Vec<ExplicitTransaction>,
    statements: i64,
}

#[test]
fn each_acid_case_shows_what_its_isolation_level_allows_and_nothing_else() {
    acid::check(|isolation| {
        let graph = Graph::new();
        let set = format!("ALTER DATABASE g1 SET OPTION isolation '{isolation}'");
        graph.run(&set).expect("it is an option");
        let transactions = (0..3).map(|_| ExplicitTransaction::begin(false)).collect();
        Box::new(Embedded { graph, transactions, statements: 0 })
    });
}

fn numbers(rows: &Rows) -> Vec<i64> {
    rows.rows.iter().map(|row| row[0].as_int().expect("a number")).collect()
}

fn unless_conflict<T>(done: Result<T>) -> Option<T> {
    match done {
        Ok(done) => Some(done),
        Err(Error { kind: ErrorKind::Conflict, .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

impl Clients for Embedded {
    fn run_alone(&mut self, text: &str) -> Vec<i64> {
        numbers(&self.graph.run(text).unwrap_or_else(|error| panic!("{text}: {error}")))
    }

    fn begin(&mut self, client: usize) {
        self.transactions[client] = ExplicitTransaction::begin(false);
    }

    fn run(&mut self, client: usize, text: &str) -> Option<Vec<i64>> {
        let Ok(Entry::Compiled(language)) = Entry::of_name("cypher") else { panic!("compiled") };
        let request = Request::text(language, text, "g1", limits());
        let (number, mut rows) = (self.statements, Rows::default());
        self.statements += 1;
        let (database, transaction) = (&self.graph.0, &mut self.transactions[client]);
        let mut done = transaction.run(database, number, &request, &mut rows);
        assert_ne!(done, Ok(Ran::Blocked), "no result is open");
        while done == Ok(Ran::Open) {
            done = transaction.next(database, number, &mut rows).map(|has_more| match has_more {
                true => Ran::Open,
                false => Ran::Done,
            });
        }
        unless_conflict(done).map(|_| numbers(&rows))
    }

    fn commit(&mut self, client: usize) -> bool {
        let begun = ExplicitTransaction::begin(false);
        let transaction = std::mem::replace(&mut self.transactions[client], begun);
        let visible = transaction.commit().and_then(|ticket| match ticket {
            Some(ticket) => ticket.wait().map(drop),
            None => Ok(()),
        });
        unless_conflict(visible).is_some()
    }

    fn roll_back(&mut self, client: usize) {
        self.transactions[client].roll_back();
    }
}
