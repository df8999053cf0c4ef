//! New edges of one run of slots: ends, positions and properties in slot order.
//!
//! A run belongs to one edge type, but not to one commit: slots are leased before their
//! transactions commit, so they fill in any order, and some never do.

use millrace_model::{EdgeTypeId, KeyId, Position, Value};
use millrace_store::EdgeBlock;

use super::cells::Cells;
use crate::limits::EDGE_RUN_BITS;

const LEN: usize = 1 << EDGE_RUN_BITS;

/// The edges created since the root in one run of slots.
#[derive(Clone, Debug)]
pub(crate) struct EdgeRun {
    pub(crate) edge_type: EdgeTypeId,
    /// Stamps count from here, so that they begin at 1: 0 is a slot without an edge.
    origin: Position,
    created: Box<[u32; LEN]>,
    sources: Box<[u16; LEN]>,
    targets: Box<[u32; LEN]>,
    columns: Vec<(KeyId, Option<Cells>)>,
}

impl EdgeRun {
    /// A run whose first edge is created at `at`.
    pub(crate) fn new(edge_type: EdgeTypeId, at: Position) -> EdgeRun {
        let origin = Position(at.0 - 1);
        EdgeRun {
            edge_type,
            origin,
            created: Box::new([0; LEN]),
            sources: Box::new([0; LEN]),
            targets: Box::new([0; LEN]),
            columns: Vec::new(),
        }
    }

    /// Takes the edge at `row` of a block.
    #[inline]
    pub(crate) fn insert(&mut self, at: Position, index: usize, block: &EdgeBlock, row: usize) {
        self.created[index] = self.stamp(at);
        self.sources[index] = super::local(block.sources[row]);
        self.targets[index] = super::narrow(block.targets[row]);
        for (key, column) in &block.properties {
            Cells::fill(self.column_mut(*key), index, column, row);
        }
    }

    /// Source local and target of the edge, if it was created by `at`.
    #[inline]
    pub(crate) fn ends(&self, at: Position, index: usize) -> Option<(u16, u32)> {
        let stamp = u64::from(self.created[index]);
        (stamp != 0 && self.origin.0 + stamp <= at.0)
            .then(|| (self.sources[index], self.targets[index]))
    }

    /// The property the edge was created with.
    pub(crate) fn get(&self, index: usize, key: KeyId) -> Option<Value> {
        let (_, cells) = self.columns.iter().find(|(own, _)| *own == key)?;
        cells.as_ref()?.get(index)
    }

    /// All properties the edge was created with.
    pub(crate) fn fields(&self, index: usize) -> impl Iterator<Item = (KeyId, Value)> + '_ {
        self.columns.iter().filter_map(move |(key, cells)| {
            cells.as_ref().and_then(|cells| cells.get(index)).map(|value| (*key, value))
        })
    }

    /// Indexes of the edges created in `(after, until]`, ascending.
    pub(crate) fn created(
        &self,
        after: Position,
        until: Position,
    ) -> impl Iterator<Item = usize> + '_ {
        self.created.iter().enumerate().filter_map(move |(index, stamp)| {
            let at = self.origin.0 + u64::from(*stamp);
            (*stamp != 0 && after.0 < at && at <= until.0).then_some(index)
        })
    }

    /// The same run without what was created up to `cut`; `None` if nothing is left.
    pub(crate) fn after(&self, cut: Position) -> Option<EdgeRun> {
        let later = self.created(cut, Position(u64::MAX)).count();
        if later == 0 {
            return None;
        }
        let mut run = self.clone();
        for index in self.created(Position(0), cut) {
            run.created[index] = 0;
        }
        Some(run)
    }

    pub(crate) fn byte_size(&self) -> usize {
        let cells = self.columns.iter().filter_map(|(_, cells)| cells.as_ref());
        size_of::<EdgeRun>() + LEN * 10 + cells.map(Cells::byte_size).sum::<usize>()
    }

    #[inline]
    fn column_mut(&mut self, key: KeyId) -> &mut Option<Cells> {
        let place = self.columns.iter().position(|(own, _)| *own == key);
        let place = place.unwrap_or_else(|| {
            self.columns.push((key, None));
            self.columns.len() - 1
        });
        &mut self.columns[place].1
    }

    #[inline]
    fn stamp(&self, at: Position) -> u32 {
        u32::try_from(at.0 - self.origin.0)
            .expect("the log is checkpointed long before 2^32 commits are in it")
    }
}
