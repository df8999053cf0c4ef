//! Rounds: the columns carried from round to round, and the tests between rounds.

use crate::base::{ColumnId, ColumnSet};
use crate::expr::Expr;
use crate::op::facts::{Distinct, Facts};
use crate::op::{Demand, KnownKinds, MadeKinds, Op, Pipeline, live_in_rounds};
use crate::printer::{Printer, join};

/// Rounds of a body over all rows that are left, until they leave.
///
/// The body's rows, and those behind the operator, have the carried columns and no others: the
/// columns that a round may read of the rows before it are explicit, so nothing depends on the columns
/// that a body drops. Rows come out round by round, in order within a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// The carried columns.
    pub columns: Vec<Carried>,
    /// One round, of all rows of a scope at once. Its barriers start anew with each round; a `Dedup`
    /// keeps its state for all of them.
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
    /// The column with its value before the first round.
    pub from: ColumnId,
    /// The column itself, in body and tests, and behind the operator.
    pub to: ColumnId,
    /// The column at the body's end with its value after a round.
    pub next: ColumnId,
}

/// A test between rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundTest {
    /// The condition; unknown is false.
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

    /// The columns that its tests read.
    pub fn read_by_tests(&self) -> ColumnSet {
        let mut read = ColumnSet::new();
        self.tests().for_each(|test| test.holds.read_columns(&mut read));
        read
    }

    /// The columns at a body's end that become these columns at its start.
    pub fn next_of(&self, live: &ColumnSet) -> ColumnSet {
        let live = self.columns.iter().filter(|carried| live.contains(&carried.to));
        live.map(|carried| carried.next).collect()
    }

    /// Whether the state of a `Dedup` goes from round to round: then no round is like another.
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
        let branches = if let Op::Union(union) = op { union.branches.as_slice() } else { &[] };
        matches!(op, Op::Dedup(_)) || branches.iter().any(remembers)
    })
}

impl RoundTest {
    fn print(&self, word: &str, printer: &Printer<'_>) -> String {
        let place = match self.place {
            RoundPlace::Before => "before",
            RoundPlace::After => "after",
        };
        format!(" {word} {place} ({})", printer.expr(&self.holds))
    }
}

impl Facts for Repeat {
    fn print(&self, printer: &Printer<'_>) -> String {
        let times = self.times.map_or(String::new(), |times| format!(" times {times}"));
        let carried = |carried: &Carried| {
            let [from, to, next] =
                [carried.from, carried.to, carried.next].map(|column| printer.column(column));
            format!("{to} = {from} then {next}")
        };
        let carried = join(self.columns.iter().map(carried));
        let rounds = printer.optional(" rounds as ", self.rounds);
        let test = |word: &str, test: &Option<RoundTest>| {
            test.as_ref().map_or(String::new(), |test| test.print(word, printer))
        };
        let (until, emit) = (test("until", &self.until), test("emit", &self.emit));
        format!("Repeat{times} ({carried}){rounds}{until}{emit}")
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.tests().map(|test| &test.holds).collect()
    }

    /// Its tests read the carried columns, so of its input it reads their first values only.
    fn read_by_itself(&self) -> ColumnSet {
        self.columns.iter().map(|carried| carried.from).collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.carried()
    }

    fn drops_other_columns(&self) -> bool {
        true
    }

    /// Carries only columns that are read behind, by tests or by a round.
    fn narrow(&mut self, live: &ColumnSet) -> bool {
        let read = live_in_rounds(self, live);
        let before = self.columns.len();
        self.columns.retain(|carried| read.contains(&carried.to));
        let forgotten = self.rounds.take_if(|rounds| !read.contains(rounds));
        self.columns.len() != before || forgotten.is_some()
    }

    fn made_kinds(&self, known: &KnownKinds<'_>) -> MadeKinds {
        let carried = self.columns.iter();
        let carried = carried.map(|carried| (carried.to, known.of(carried.from)));
        carried.chain(self.rounds.map(|rounds| (rounds, None))).collect()
    }

    fn subplans(&self) -> &[Pipeline] {
        std::slice::from_ref(&self.body)
    }

    fn subplans_mut(&mut self) -> &mut [Pipeline] {
        std::slice::from_mut(&mut self.body)
    }

    /// A body sees the carried columns and nothing else.
    fn subplans_see_rows(&self) -> bool {
        false
    }

    /// A carried column is live in every round. Only the rule of dead columns finds one that is carried
    /// and never read, so that all analyses agree.
    fn live_at_end_of_subplan(&self, _number: usize, _after: &ColumnSet) -> ColumnSet {
        self.next_of(&self.carried().into_iter().collect())
    }

    fn order_needed(&self, after: Demand, _live: &ColumnSet, subplans: &[Demand]) -> Demand {
        if self.body.has_effect() {
            return Demand::Full;
        }
        subplans.iter().copied().fold(after, Demand::max)
    }

    /// Rounds may give the same row again.
    fn distinct_after(&self, _before: Distinct) -> Distinct {
        None
    }

    /// If all rows leave in the last round they do so in their order.
    fn goes_in_pieces(&self) -> bool {
        let asks = self.until.is_some() || self.emit.is_some();
        self.times.is_some() && !asks && self.body.goes_in_pieces()
    }
}
