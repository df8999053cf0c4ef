//! The parts of a `Repeat`: what it carries from round to round, and what is asked between rounds.

use crate::columns::ColumnSet;
use crate::expr::Expr;
use crate::op::Op;
use crate::plan::{ColumnId, Pipeline};

/// Rounds of a body over all rows that are left, until they leave.
///
/// The body's rows, and those behind the operator, have the carried columns and no others: what a
/// round may read of the rows before it is said, so nothing depends on what a body drops. Rows come
/// out round by round, in order within a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// What goes from round to round.
    pub columns: Vec<Carried>,
    /// One round, of all rows of a scope at once. Its barriers start anew with each round; what a
    /// `Dedup` has seen lasts for all of them.
    pub body: Pipeline,
    /// Which rows leave.
    pub until: Option<RoundTest>,
    /// Which rows are emitted and go on all the same.
    pub emit: Option<RoundTest>,
    /// After so many rounds all rows leave; `None`: when the body gives no more.
    pub times: Option<u64>,
    /// A column for tests and body: how many rounds there were.
    pub rounds: Option<ColumnId>,
}

/// A column that goes from round to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// What it holds before the first round.
    pub from: ColumnId,
    /// The column itself, in body and tests, and behind the operator.
    pub to: ColumnId,
    /// What it holds after a round: a column at the body's end.
    pub next: ColumnId,
}

/// A test between rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundTest {
    /// What must hold; unknown is false.
    pub holds: Expr,
    /// When it is asked.
    pub place: RoundPlace,
}

/// When a test of a `Repeat` is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundPlace {
    /// Before each round, the first too.
    Before,
    /// After each round.
    After,
}

impl Repeat {
    /// The carried columns, as they are named inside and behind.
    pub fn carried(&self) -> Vec<ColumnId> {
        self.columns.iter().map(|carried| carried.to).collect()
    }

    /// The tests there are.
    pub fn tests(&self) -> impl Iterator<Item = &RoundTest> {
        self.until.iter().chain(&self.emit)
    }

    /// What its tests read.
    pub fn read_by_tests(&self) -> ColumnSet {
        let mut read = ColumnSet::new();
        self.tests().for_each(|test| test.holds.read_columns(&mut read));
        read
    }

    /// What is read at a body's end for these columns at its start.
    pub fn next_of(&self, live: &ColumnSet) -> ColumnSet {
        let live = self.columns.iter().filter(|carried| live.contains(&carried.to));
        live.map(|carried| carried.next).collect()
    }

    /// Whether what a `Dedup` has seen goes from round to round: then no round is like another.
    pub fn remembers(&self) -> bool {
        remembers(&self.body)
    }
}

impl Op {
    /// The repeat, if it is one.
    pub fn repeat(&self) -> Option<&Repeat> {
        if let Op::Repeat(repeat) = self { Some(repeat) } else { None }
    }
}

fn remembers(pipeline: &Pipeline) -> bool {
    pipeline.ops.iter().any(|op| {
        let branches = if let Op::Union { branches, .. } = op { branches.as_slice() } else { &[] };
        matches!(op, Op::Dedup { .. }) || branches.iter().any(remembers)
    })
}
