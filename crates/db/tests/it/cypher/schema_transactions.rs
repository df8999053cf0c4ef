//! Indexes and constraints in transactions that a client begins itself.

use millrace_db::languages::Entry;
use millrace_db::session::{ExplicitTransaction, Request};
use millrace_model::{ErrorKind, Result};

use super::{Graph, Rows};
use crate::limits;

fn run(
    graph: &Graph,
    transaction: &mut ExplicitTransaction,
    number: i64,
    text: &str,
) -> Result<()> {
    let Entry::Compiled(language) = Entry::of_name("cypher")? else { panic!("it is compiled") };
    let request = Request::text(language, text, "g1", limits());
    transaction.run(&graph.0, number, &request, &mut Rows::default()).map(drop)
}

#[test]
fn an_index_is_seen_by_others_once_its_transaction_is_committed() {
    let graph = Graph::new();
    let mut own = ExplicitTransaction::begin(false);
    run(&graph, &mut own, 0, "CREATE INDEX a FOR (n:A) ON (n.x)").expect("is made");
    let again = run(&graph, &mut own, 1, "CREATE INDEX a FOR (n:A) ON (n.y)").expect_err("is seen");
    assert_eq!(again.name, Some("IndexWithNameAlreadyExists"));
    assert_eq!(graph.ask("SHOW RANGE INDEXES YIELD name"), [] as [&str; 0]);
    let mut own = ExplicitTransaction::begin(false);
    run(&graph, &mut own, 0, "CREATE INDEX b FOR (n:A) ON (n.x)").expect("is made");
    own.commit().expect("commits").expect("it wrote").wait().expect("is visible");
    assert_eq!(graph.ask("SHOW RANGE INDEXES YIELD name"), ["b"]);
}

#[test]
fn of_two_transactions_that_make_one_name_the_second_conflicts() {
    let graph = Graph::new();
    let (mut one, mut other) =
        (ExplicitTransaction::begin(false), ExplicitTransaction::begin(false));
    run(&graph, &mut one, 0, "CREATE INDEX a FOR (n:A) ON (n.x)").expect("is made");
    run(&graph, &mut other, 0, "CREATE INDEX a FOR (n:B) ON (n.x)").expect("sees no other");
    one.commit().expect("commits").expect("it wrote").wait().expect("is visible");
    let lost = match other.commit() {
        Ok(ticket) => ticket.expect("it wrote").wait().map(drop),
        Err(error) => Err(error),
    };
    assert_eq!(lost.expect_err("conflicts").kind, ErrorKind::Conflict);
    assert_eq!(graph.ask("SHOW RANGE INDEXES YIELD name, labelsOrTypes"), ["a, [A]"]);
}
