//! What a statement changed, as its receiver of results hears it.

use millrace_db::plan::WriteCounts;
use millrace_db::session::{Session, SessionMode};
use millrace_db::{Database, Results, Settings};
use millrace_model::{DetachedElements, Profile, Result, Value};

use crate::{gremlin_request, limits};

#[derive(Default)]
struct Counts(Vec<WriteCounts>);

impl Results for Counts {
    fn begin(&mut self, _streams: bool) {
        self.0.clear();
    }

    fn take(&mut self, _: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        Ok(())
    }

    fn take_write_counts(&mut self, counts: &WriteCounts) {
        self.0.push(*counts);
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}

#[test]
fn each_statement_of_a_transaction_counts_its_own_changes_and_a_read_has_none() {
    let database = Database::in_memory(Settings::default()).expect("an empty database");
    let mut session = Session::default();
    let mut counts_of = |text: &str| {
        let (request, mut counts) = (gremlin_request(text, limits()), Counts::default());
        let ticket = database.run_in(&mut session, SessionMode::default(), &request, &mut counts);
        ticket.expect("it runs").map(|ticket| ticket.wait().expect("it is durable"));
        counts.0
    };
    let made = counts_of("g.addV('a').property('n', 1).addE('e').to(__.V().hasLabel('a'))");
    let none = WriteCounts::default();
    let wanted = WriteCounts {
        vertices_created: 1,
        labels_added: 1,
        edges_created: 1,
        properties_set: 1,
        ..none
    };
    assert_eq!(made, [wanted]);
    assert_eq!(counts_of("g.V().count()"), []);
    // To the value that it had.
    let set = counts_of("g.V().hasLabel('a').property('n', 1)");
    assert_eq!(set, [WriteCounts { properties_set: 1, ..none }]);
    let dropped = counts_of("g.V().drop()");
    assert_eq!(dropped, [WriteCounts { vertices_deleted: 1, edges_deleted: 1, ..none }]);
    counts_of("g.tx().commit()");
    assert_eq!(counts_of("g.V().drop()"), []);
}
