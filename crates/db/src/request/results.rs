//! The receiver of a request's results, and what is known of them before the first.

use std::sync::Arc;

use millrace_model::{Batch, DetachedElements, Error, ErrorKind, Profile, Result, Value};
use millrace_plan::{Notice, WriteCounts};

/// What is known of results before the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultHead {
    /// The names of the columns; `None`: a row is one value without a name.
    pub columns: Option<Arc<[Arc<str>]>>,
    /// Whether the statement changes nothing, whatever it finds.
    pub only_reads: bool,
    /// Whether it is a command, or calls a procedure of the program: of the schema, as Neo4j names it.
    pub is_administrative: bool,
}

impl ResultHead {
    /// Values of a row.
    pub fn width(&self) -> usize {
        self.columns.as_ref().map_or(1, |columns| columns.len())
    }
}

/// The receiver of results.
pub trait Results {
    /// A run begins. Results of an earlier run that were not sent are void. `streams` says whether results may
    /// be sent before the run has ended.
    fn begin(&mut self, streams: bool);

    /// What is known of the results that follow, in front of them.
    fn take_head(&mut self, _head: &ResultHead) {}

    /// Receives rows: their values, row by row and as many for each as there are columns, the weight of each row, and
    /// the elements in the values.
    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()>;

    /// Whether it takes rows in columns of plain values, too.
    fn takes_columns(&self) -> bool {
        false
    }

    /// Receives some rows of columns of booleans, numbers and texts, with the weight of each.
    fn take_columns(&mut self, _columns: &Batch, _rows: &[u32], _weights: &[u64]) -> Result<()> {
        Err(Error::new(ErrorKind::Bug, "rows in columns have a receiver that takes values only"))
    }

    /// Waits, where results are streamed, until the client has read enough of the earlier ones.
    fn wait(&mut self) -> Result<()> {
        Ok(())
    }

    /// Takes an answer that its language wrote as JSON.
    fn take_json(&mut self, _answer: &str) -> Result<()> {
        Err(Error::new(ErrorKind::Bug, "an answer in JSON has a receiver that takes values only"))
    }

    /// Takes what the last statement changed, if it changed anything, before its results.
    fn take_write_counts(&mut self, _counts: &WriteCounts) {}

    /// Takes what the last statement tells beside its results, if it tells anything, before its results.
    fn take_notices(&mut self, _notices: &[Notice]) {}

    /// Takes the operators of a plan as text, and as a tree if the language has one, which are wanted in place of
    /// results: by default one value without a name, whatever columns the query has.
    fn take_explanation(&mut self, text: &str, _tree: Option<&Profile>) -> Result<()> {
        self.take_head(&ResultHead { only_reads: true, ..ResultHead::default() });
        self.take(&[Value::from(text)], &[1], &DetachedElements::default())
    }

    /// Whether the rows of a profiled query are wanted, too, in front of the profile.
    fn takes_rows_beside_profile(&self) -> bool {
        false
    }

    /// Takes a profile, which is wanted in place of results, or beside them.
    fn take_profile(&mut self, profile: &Profile) -> Result<()>;
}
