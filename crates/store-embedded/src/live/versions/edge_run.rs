//! New edges of one run of slots: ends, positions and properties in slot order.
//!
//! A run belongs to one edge type, but not to one commit: slots are leased before their
//! transactions commit, so they fill in any order, and some never do.

use std::sync::Arc;

use millrace_model::{EdgeTypeId, KeyId, LogPosition, Value};
use millrace_store::EdgeBlock;

use crate::base::limits::EDGE_RUN_BITS;
use crate::live::versions::cells::Cells;

const LEN: usize = 1 << EDGE_RUN_BITS;

/// The edges created since the root in one run of slots.
#[derive(Clone, Debug)]
pub(crate) struct EdgeRun {
    pub(crate) edge_type: EdgeTypeId,
    /// The commit of each; 0 where there is no edge. Whole positions, since a run may fill slowly.
    created: Box<[u64; LEN]>,
    sources: Box<[u16; LEN]>,
    targets: Box<[u32; LEN]>,
    columns: Vec<(KeyId, Option<Cells>)>,
}

impl EdgeRun {
    /// A run without edges.
    pub(crate) fn new(edge_type: EdgeTypeId) -> EdgeRun {
        EdgeRun {
            edge_type,
            created: Box::new([0; LEN]),
            sources: Box::new([0; LEN]),
            targets: Box::new([0; LEN]),
            columns: Vec::new(),
        }
    }

    /// Takes the edge at `row` of a block.
    #[inline]
    pub(crate) fn insert(&mut self, at: LogPosition, index: usize, block: &EdgeBlock, row: usize) {
        self.created[index] = at.0;
        self.sources[index] = crate::live::local(block.sources[row]);
        self.targets[index] = crate::live::narrow(block.targets[row]);
        for (key, column) in &block.properties {
            Cells::fill(self.column_mut(*key), index, column, row);
        }
    }

    /// Source local and target of the edge, if it was created by `at`.
    #[inline]
    pub(crate) fn ends(&self, at: LogPosition, index: usize) -> Option<(u16, u32)> {
        let created = self.created[index];
        (created != 0 && created <= at.0).then(|| (self.sources[index], self.targets[index]))
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

    /// The keys some edge was created with.
    pub(crate) fn keys(&self) -> impl Iterator<Item = KeyId> + '_ {
        self.columns.iter().filter(|(_, cells)| cells.is_some()).map(|(key, _)| *key)
    }

    /// Indexes of the edges created in `(after, until]`, ascending.
    pub(crate) fn created(
        &self,
        after: LogPosition,
        until: LogPosition,
    ) -> impl Iterator<Item = usize> + '_ {
        let created = move |at: u64| after.0 < at && at <= until.0;
        let edges = self.created.iter().enumerate();
        edges.filter(move |(_, at)| created(**at)).map(|(index, _)| index)
    }

    /// Index, source local and target of the edges created by `at`, ascending.
    pub(crate) fn created_ends(
        &self,
        at: LogPosition,
    ) -> impl Iterator<Item = (usize, (u16, u32))> + '_ {
        let ends =
            self.sources.iter().zip(&*self.targets).map(|(source, target)| (*source, *target));
        let edges = self.created.iter().zip(ends).enumerate();
        edges
            .filter(move |(_, (own, _))| **own != 0 && **own <= at.0)
            .map(|(at, (_, ends))| (at, ends))
    }

    /// The same run without the edges created up to `checkpoint`; `None` if nothing is left.
    pub(crate) fn after(run: &Arc<EdgeRun>, checkpoint: LogPosition) -> Option<Arc<EdgeRun>> {
        run.created(checkpoint, LogPosition(u64::MAX)).next()?;
        let earlier: Vec<usize> = run.created(LogPosition(0), checkpoint).collect();
        if earlier.is_empty() {
            return Some(run.clone());
        }
        let mut run = EdgeRun::clone(run);
        earlier.iter().for_each(|index| run.created[*index] = 0);
        Some(Arc::new(run))
    }

    pub(crate) fn byte_size(&self) -> usize {
        let cells = self.columns.iter().filter_map(|(_, cells)| cells.as_ref());
        // With the counts of the share.
        size_of::<EdgeRun>()
            + 16
            + LEN * 14
            + self.columns.capacity() * size_of::<(KeyId, Option<Cells>)>()
            + cells.map(Cells::byte_size).sum::<usize>()
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
}
