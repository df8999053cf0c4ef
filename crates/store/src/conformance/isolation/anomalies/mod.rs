//! The anomalies of the LDBC ACID suite, and a few more: which isolation level rules out which.
//!
//! Each row of the table is tried at both levels and must come out as the table says: what a level
//! does not rule out must *happen*, or the case would prove nothing.

mod elements;
mod ldbc;
mod predicates;

use millrace_model::{Result, Value, VertexId};

use crate::changes::Isolation;
use crate::conformance::fixture::Fixture;
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::snapshot::Snapshot;

/// One row: an anomaly, and whether each level rules it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anomaly {
    /// Its name, that of the LDBC suite if it is one of those.
    pub name: &'static str,
    /// Whether snapshot isolation rules it out.
    pub snapshot: bool,
    /// Whether `serializable` rules it out.
    pub serializable: bool,
}

/// Tries an anomaly on a graph of its own; says whether it happened.
#[derive(Clone, Copy)]
enum Try {
    /// While the graph stays open.
    Open(fn(&Fixture, Isolation) -> Result<bool>),
    /// Closing it in between, or worse.
    Reopened(fn(&mut dyn Harness, Fixture, Isolation) -> Result<bool>),
}

macro_rules! table {
    ($(($name:literal, $snapshot:literal, $serializable:literal, $attempt:expr),)*) => {
        /// Every row.
        pub const ANOMALIES: &[Anomaly] = &[
            $(Anomaly { name: $name, snapshot: $snapshot, serializable: $serializable },)*
        ];

        pub(in crate::conformance) const CASES: &[Case] = &[
            $(($name, |harness| {
                check(harness, [$snapshot, $serializable], $attempt)
            }),)*
        ];
    };
}

table! {
    // name, whether snapshot isolation rules it out, whether serializable does
    ("Atomicity-C", true, true, Try::Reopened(ldbc::atomicity_c)),
    ("Atomicity-RB", true, true, Try::Reopened(ldbc::atomicity_rb)),
    ("G0", true, true, Try::Open(ldbc::g0)),
    ("G1a", true, true, Try::Open(ldbc::g1a)),
    ("G1b", true, true, Try::Open(ldbc::g1b)),
    ("G1c", true, true, Try::Open(ldbc::g1c)),
    ("IMP", true, true, Try::Open(ldbc::imp)),
    ("PMP", true, true, Try::Open(ldbc::pmp)),
    ("OTV", true, true, Try::Open(ldbc::otv)),
    ("FR", true, true, Try::Open(ldbc::fr)),
    ("LU", true, true, Try::Open(ldbc::lu)),
    ("WS", false, true, Try::Open(ldbc::ws)),
    ("Durability", true, true, Try::Reopened(ldbc::durability)),
    ("long fork", true, true, Try::Open(elements::long_fork)),
    ("read-only anomaly", false, true, Try::Open(elements::read_only)),
    ("predicate write skew", false, true, Try::Open(predicates::write_skew)),
    ("phantom on a list", false, true, Try::Open(predicates::phantom_on_a_list)),
    ("phantom on a degree", false, true, Try::Open(predicates::phantom_on_a_degree)),
    ("phantom on a label", false, true, Try::Open(predicates::phantom_on_a_label)),
    ("phantom on an index", false, true, Try::Open(predicates::phantom_on_an_index)),
    ("phantom on an edge type", false, true, Try::Open(predicates::phantom_on_an_edge_type)),
    ("phantom on a missing vertex", false, true, Try::Open(predicates::phantom_on_a_missing_vertex)),
    ("phantom among thousands", false, true, Try::Open(predicates::phantom_among_thousands)),
    ("dangling edge", true, true, Try::Open(elements::dangling_edge)),
    ("hub inserts that conflict", true, true, Try::Open(elements::hub_inserts)),
    ("uniqueness conflict", true, true, Try::Open(elements::uniqueness_conflict)),
}

fn check(harness: &mut dyn Harness, ruled_out: [bool; 2], attempt: Try) -> Result<()> {
    let levels = [(Isolation::Snapshot, "snapshot"), (Isolation::Serializable, "serializable")];
    for ((level, graph), ruled_out) in levels.into_iter().zip(ruled_out) {
        let fixture = Fixture::named(harness, graph)?;
        let happened = match attempt {
            Try::Open(attempt) => attempt(&fixture, level)?,
            Try::Reopened(attempt) => attempt(harness, fixture, level)?,
        };
        assert_eq!(happened, !ruled_out, "{level:?}: whether it happens");
    }
    Ok(())
}

fn ages(fixture: &Fixture, snapshot: &dyn Snapshot, people: &[VertexId]) -> Result<Vec<i64>> {
    let column = &snapshot.gather(Elements::Vertices(people), &[fixture.age])?[0];
    let age = |row| column.get(row).and_then(|value: Value| value.as_int()).unwrap_or(0);
    Ok((0..people.len()).map(age).collect())
}

fn ages_now(fixture: &Fixture, people: &[VertexId]) -> Result<Vec<i64>> {
    ages(fixture, &*fixture.snapshot()?, people)
}
