//! Transactions that a client begins and ends itself, with several open results.

use millrace_db::session::{ExplicitTransaction, Ran};
use millrace_db::{Database, ResultHead, Results, Settings};
use millrace_model::{DetachedElements, ErrorKind, Profile, Result, Value};

use crate::{gremlin_request, limits};

#[derive(Default)]
struct Taken {
    head: Option<ResultHead>,
    values: Vec<Value>,
}

impl Results for Taken {
    fn begin(&mut self, _streams: bool) {
        *self = Taken::default();
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.head = Some(head.clone());
    }

    fn take(&mut self, values: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        self.values.extend_from_slice(values);
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}

fn run(
    database: &Database,
    transaction: &mut ExplicitTransaction,
    number: i64,
    text: &str,
) -> Result<(Ran, Taken)> {
    let (request, mut taken) = (gremlin_request(text, limits()), Taken::default());
    let ran = transaction.run(database, number, &request, &mut taken)?;
    Ok((ran, taken))
}

fn rest(
    database: &Database,
    transaction: &mut ExplicitTransaction,
    number: i64,
    taken: &mut Taken,
) -> Vec<Value> {
    while transaction.next(database, number, taken).expect("goes on") {}
    std::mem::take(&mut taken.values)
}

#[test]
fn a_write_waits_until_the_open_results_were_read() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let mut own = ExplicitTransaction::begin(false);
    let (ran, taken) = run(&database, &mut own, 0, "g.addV('a').property('n', 1L)").unwrap();
    assert_eq!((ran, taken.head.unwrap().only_reads), (Ran::Done, false));
    let (ran, mut first) = run(&database, &mut own, 1, "g.V().values('n')").unwrap();
    assert_eq!((ran, first.head.as_ref().unwrap().only_reads), (Ran::Open, true));
    let (ran, mut second) = run(&database, &mut own, 2, "g.V().count()").unwrap();
    assert_eq!((ran, own.open_results()), (Ran::Open, vec![1, 2]));
    assert_eq!(run(&database, &mut own, 3, "g.V().drop()").unwrap().0, Ran::Blocked);
    assert_eq!(rest(&database, &mut own, 2, &mut second), [Value::I64(1)]);
    assert_eq!(run(&database, &mut own, 3, "g.V().drop()").unwrap().0, Ran::Blocked);
    assert_eq!(rest(&database, &mut own, 1, &mut first), [Value::I64(1)]);
    assert_eq!(run(&database, &mut own, 3, "g.V().drop()").unwrap().0, Ran::Done);
    assert!(own.open_results().is_empty());
    run(&database, &mut own, 4, "g.addV('b')").unwrap();
    own.commit().unwrap().unwrap().wait().unwrap();
    let mut later = ExplicitTransaction::begin(true);
    let (_, mut taken) = run(&database, &mut later, 0, "g.V().label()").unwrap();
    assert_eq!(rest(&database, &mut later, 0, &mut taken), [Value::from("b")]);
}

#[test]
fn after_an_error_nothing_is_left_to_commit() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let mut own = ExplicitTransaction::begin(false);
    run(&database, &mut own, 0, "g.addV('a')").unwrap();
    assert_eq!(run(&database, &mut own, 1, "g.V(").err().unwrap().kind, ErrorKind::BadQuery);
    assert!(own.commit().unwrap().is_none());
    let mut own = ExplicitTransaction::begin(false);
    let refused = run(&database, &mut own, 0, "g.tx().rollback()").err().unwrap();
    assert!(refused.detail.contains("begun by the protocol"), "{refused}");
    let mut own = ExplicitTransaction::begin(true);
    assert_eq!(run(&database, &mut own, 0, "g.addV()").err().unwrap().kind, ErrorKind::Forbidden);
}
