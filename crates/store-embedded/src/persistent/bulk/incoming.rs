//! Rows of in lists, routed to the partitions of their targets as out lists are built.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Bits, EdgeTypeId, VertexId};
use millrace_store::run::PARTITION_BITS;

use super::builder::begun;
use super::pile::{Pile, Rows as _};
use super::rows::InRows;
use super::spool::Spool;
use super::target::BulkError;
use crate::base::error::Result;
use crate::folder::Folder;
use crate::persistent::home;
use crate::persistent::image::{List, ListSection};

/// In rows of all partitions.
#[derive(Default)]
pub(super) struct Incoming {
    piles: BTreeMap<(u32, EdgeTypeId), Pile<InRows>>,
    /// Which locals of a partition are targets.
    targets: BTreeMap<u32, Bits>,
}

impl Incoming {
    /// Adds the in rows of a section of out lists; says how many bytes they take.
    pub(super) fn add(&mut self, ordinal: u32, edge_type: EdgeTypeId, out: &ListSection) -> usize {
        let mut router = InRouter::default();
        let first = home(ordinal) << PARTITION_BITS;
        for (local, list) in out.iter() {
            router.add(first | u32::from(local), list);
        }
        // Both ends have an edge as many ordinals above as its id is.
        let above = ordinal - home(ordinal);
        for (of_targets, rows) in router.buckets {
            let ordinal = above + of_targets;
            let targets = self.targets.entry(ordinal).or_default();
            rows.targets.iter().for_each(|&target| {
                targets.insert(target as usize);
            });
            let pile = self.piles.entry((ordinal, edge_type)).or_default();
            pile.rows.absorb(rows);
        }
        out.neighbours().len() * 10
    }

    /// Puts all rows aside.
    pub(super) fn spill(
        &mut self,
        spool: &mut Option<Spool>,
        folder: &Arc<Folder>,
    ) -> std::result::Result<(), BulkError> {
        let spool = begun(spool, folder)?;
        self.piles.values_mut().try_for_each(|pile| pile.spill(spool))?;
        Ok(())
    }

    /// The partitions with targets, and which locals of them are.
    pub(super) fn targets(&self) -> impl Iterator<Item = (u32, &Bits)> + '_ {
        self.targets.iter().map(|(&ordinal, targets)| (ordinal, targets))
    }

    /// The in rows of a partition, type by type.
    pub(super) fn take(&mut self, ordinal: u32) -> Vec<(EdgeTypeId, Pile<InRows>)> {
        let all = (ordinal, EdgeTypeId(0))..=(ordinal, EdgeTypeId(u32::MAX));
        let keys: Vec<_> = self.piles.range(all).map(|(key, _)| *key).collect();
        let take = |key| self.piles.remove(&key).map(|pile| (key.1, pile));
        keys.into_iter().filter_map(take).collect()
    }

    /// An edge into `target` in a partition, for the message that it does not exist.
    pub(super) fn any_edge_into(
        &mut self,
        ordinal: u32,
        target: VertexId,
    ) -> Result<Option<(EdgeTypeId, u32)>> {
        for (edge_type, pile) in self.take(ordinal) {
            let rows = pile.collect()?;
            if let Some(row) = rows.targets.iter().position(|&local| local == target.0 as u16) {
                return Ok(Some((edge_type, rows.sources[row])));
            }
        }
        Ok(None)
    }
}

/// Routes lists of one section by the partitions of their neighbours.
#[derive(Default)]
struct InRouter {
    /// Partition to bucket plus one, or 0.
    buckets_of: Vec<u32>,
    buckets: Vec<(u32, InRows)>,
}

impl InRouter {
    /// Neighbours ascend, so those of one partition stand together.
    fn add(&mut self, source: u32, list: List<'_>) {
        let mut start = 0;
        while start < list.len() {
            let ordinal = list.neighbours[start] >> PARTITION_BITS;
            let rest = &list.neighbours[start..];
            let len = rest.iter().take_while(|&&other| other >> PARTITION_BITS == ordinal).count();
            let rows = self.bucket(ordinal);
            rows.targets.extend(rest[..len].iter().map(|&target| target as u16));
            rows.sources.resize(rows.sources.len() + len, source);
            list.extend_slots_of(start..start + len, &mut rows.slots);
            start += len;
        }
    }

    fn bucket(&mut self, ordinal: u32) -> &mut InRows {
        let at = ordinal as usize;
        if at >= self.buckets_of.len() {
            self.buckets_of.resize(at + 1, 0);
        }
        if self.buckets_of[at] == 0 {
            self.buckets.push((ordinal, InRows::default()));
            self.buckets_of[at] = self.buckets.len() as u32;
        }
        &mut self.buckets[self.buckets_of[at] as usize - 1].1
    }
}
