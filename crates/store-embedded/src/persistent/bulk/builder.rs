//! Takes parts of a load and routes their rows to partitions.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{
    Column, EdgeId, EdgeTypeId, Error, ErrorKind, KeyId, MemoryBudget, MemoryShare, VertexId,
};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Changes, EdgeBlock, Labels, VertexBlock};

use super::finish::Finish;
use super::pile::Pile;
use super::rows::{EdgeRows, UNASSIGNED, VertexRows};
use super::spool::Spool;
use super::target::{BulkError, LoadTarget};
use crate::folder::Folder;
use crate::persistent::edge_partition;

/// Collects rows until [`BulkBuilder::finish`] makes images of them.
///
/// It holds about `memory_bytes_max` and spills further rows to a temporary file. Finishing needs
/// room for one partition on top: about 40 bytes an edge of it.
pub struct BulkBuilder {
    pub(super) folder: Arc<Folder>,
    pub(super) memory_bytes_max: usize,
    /// Its share of the memory budget.
    pub(super) memory: MemoryShare,
    pub(super) buffered_bytes: usize,
    pub(super) vertices: BTreeMap<u32, Pile<VertexRows>>,
    /// By the ordinal of their ids, or, where they have none yet, of their sources.
    pub(super) edges: BTreeMap<(u32, EdgeTypeId), Pile<EdgeRows>>,
    pub(super) spool: Option<Spool>,
    router: Router,
}

/// Sorts rows by partition.
#[derive(Default)]
struct Router {
    /// Partition to bucket plus one, or 0.
    buckets_of: Vec<u32>,
    buckets: Vec<(u32, Vec<u32>)>,
}

impl BulkBuilder {
    /// A builder with its temporary file, if it needs one, in `folder`.
    pub fn new(folder: Arc<Folder>, memory_bytes_max: usize) -> BulkBuilder {
        BulkBuilder {
            folder,
            memory_bytes_max,
            memory: MemoryBudget::unbounded().share(),
            buffered_bytes: 0,
            vertices: BTreeMap::new(),
            edges: BTreeMap::new(),
            spool: None,
            router: Router::default(),
        }
    }

    /// The same with a share of a memory budget.
    pub fn sharing(self, memory: MemoryShare) -> BulkBuilder {
        BulkBuilder { memory, ..self }
    }

    /// Takes the created vertices and edges out of `part`; the rest stays in it, for its owner to
    /// refuse or to apply.
    pub fn push(&mut self, part: &mut Changes) -> Result<(), BulkError> {
        for block in std::mem::take(&mut part.vertices) {
            self.push_vertices(&block)?;
        }
        for block in std::mem::take(&mut part.edges) {
            self.push_edges(&block)?;
        }
        if self.buffered_bytes > self.memory_bytes_max {
            self.spill()?;
        }
        Ok(self.memory.reserve(self.buffered_bytes as u64)?)
    }

    /// Makes the images, and gives each to `target`. All ends are checked before the first image
    /// is given.
    pub fn finish(self, target: &mut dyn LoadTarget) -> Result<(), BulkError> {
        Finish::run(self, target)
    }

    fn push_vertices(&mut self, block: &VertexBlock) -> Result<(), BulkError> {
        self.router.route(&block.ids)?;
        for (ordinal, picked) in &self.router.buckets {
            let rows = &mut self.vertices.entry(*ordinal).or_default().rows;
            let first = rows.locals.len();
            let bytes = rows.columns.append(first, pairs(&block.properties), picked);
            self.buffered_bytes += bytes + size_of::<(u32, Labels)>();
            rows.locals.extend(picked.iter().map(|&row| block.ids[row as usize].0 as u16));
            rows.labels.push((picked.len() as u32, block.labels.clone()));
        }
        self.buffered_bytes += block.ids.len() * 2;
        Ok(())
    }

    fn push_edges(&mut self, block: &EdgeBlock) -> Result<(), BulkError> {
        if block.ids.is_empty() {
            self.router.route(&block.sources)?;
        } else {
            check_ids(block)?;
            self.router.sort_out(block.ids.iter().map(|edge| (edge.0 >> EDGE_SLOT_BITS) as u32));
        }
        if let Some(&vertex) = block.targets.iter().find(|target| target.0 > u64::from(u32::MAX)) {
            return Err(BulkError::BeyondRange { vertex });
        }
        for (ordinal, picked) in &self.router.buckets {
            let pile = self.edges.entry((*ordinal, block.edge_type)).or_default();
            self.buffered_bytes += append_edges(&mut pile.rows, block, picked);
        }
        let slot_bytes = if block.ids.is_empty() { 0 } else { 4 };
        self.buffered_bytes += block.sources.len() * (6 + slot_bytes);
        Ok(())
    }

    fn spill(&mut self) -> Result<(), BulkError> {
        let spool = begun(&mut self.spool, &self.folder)?;
        self.vertices.values_mut().try_for_each(|pile| pile.spill(spool))?;
        self.edges.values_mut().try_for_each(|pile| pile.spill(spool))?;
        self.buffered_bytes = 0;
        Ok(())
    }
}

/// The spool, begun if this is its first use.
pub(super) fn begun<'a>(
    spool: &'a mut Option<Spool>,
    folder: &Arc<Folder>,
) -> Result<&'a mut Spool, BulkError> {
    match spool {
        Some(spool) => Ok(spool),
        none => Ok(none.insert(Spool::begin(folder.clone())?)),
    }
}

/// An id is of its source's partition, or of one above where ids ran out.
fn check_ids(block: &EdgeBlock) -> Result<(), BulkError> {
    let of_other = |(edge, source): &(&EdgeId, &VertexId)| {
        edge_partition(**edge)
            .is_none_or(|ordinal| u64::from(ordinal) != source.0 >> PARTITION_BITS)
    };
    let Some((edge, source)) = block.ids.iter().zip(&block.sources).find(of_other) else {
        return Ok(());
    };
    let detail = format!("the id {edge} was not leased for an edge that begins at vertex {source}");
    Err(Error::new(ErrorKind::BadInput, detail).into())
}

/// Gives the bytes of their properties.
fn append_edges(rows: &mut EdgeRows, block: &EdgeBlock, picked: &[u32]) -> usize {
    if !block.ids.is_empty() {
        rows.has_slots();
        rows.slots.extend(picked.iter().map(|&row| block.ids[row as usize].0 as u32));
    } else if !rows.slots.is_empty() {
        rows.slots.resize(rows.len() + picked.len(), UNASSIGNED);
    }
    let bytes = rows.columns.append(rows.sources.len(), pairs(&block.properties), picked);
    rows.sources.extend(picked.iter().map(|&row| block.sources[row as usize].0 as u16));
    rows.targets.extend(picked.iter().map(|&row| block.targets[row as usize].0 as u32));
    bytes
}

fn pairs(columns: &[(KeyId, Column)]) -> impl Iterator<Item = (KeyId, &Column)> {
    columns.iter().map(|(key, column)| (*key, column))
}

impl Router {
    /// Puts the index of each vertex in the bucket of its partition.
    fn route(&mut self, vertices: &[VertexId]) -> Result<(), BulkError> {
        if let Some(&vertex) = vertices.iter().find(|vertex| vertex.0 > u64::from(u32::MAX)) {
            return Err(BulkError::BeyondRange { vertex });
        }
        self.sort_out(vertices.iter().map(|vertex| (vertex.0 >> PARTITION_BITS) as u32));
        Ok(())
    }

    /// Puts the index of each row in the bucket of its ordinal.
    fn sort_out(&mut self, ordinals: impl Iterator<Item = u32>) {
        for (ordinal, _) in self.buckets.drain(..) {
            self.buckets_of[ordinal as usize] = 0;
        }
        for (row, ordinal) in ordinals.enumerate() {
            let ordinal = ordinal as usize;
            if ordinal >= self.buckets_of.len() {
                self.buckets_of.resize(ordinal + 1, 0);
            }
            let bucket = &mut self.buckets_of[ordinal];
            if *bucket == 0 {
                self.buckets.push((ordinal as u32, Vec::new()));
                *bucket = self.buckets.len() as u32;
            }
            self.buckets[*bucket as usize - 1].1.push(row as u32);
        }
    }
}
