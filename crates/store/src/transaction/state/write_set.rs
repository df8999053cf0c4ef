//! Everything a transaction wrote.
//!
//! An element that was created here and deleted again is *dead*: its rows stay in the columns until
//! commit takes them out. A deleted element of the snapshot is in `deleted_…`.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::schema::Names;
use millrace_model::{
    Catalog, CatalogChange, Column, Direction, EdgeId, EdgeTypeId, Error, IndexId, LabelId,
    MemoryShare, Result, VertexId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::backend::{NameKind, Store};
use crate::base::limits::WRITE_SET_BYTES_MAX;
use crate::changes::{EdgeEnds, Labels};
use crate::transaction::state::column_append::byte_size;
use crate::transaction::state::created::Created;
use crate::transaction::state::own_edges::OwnEdges;
use crate::transaction::state::own_index::OwnIndex;
use crate::transaction::state::part::Part;
use crate::transaction::state::spilled_part::{LoadedParts, PartSummary, SpilledPart};

pub(in crate::transaction) struct WriteSet {
    pub(in crate::transaction) catalog: Arc<Catalog>,
    /// The version that the snapshot knew.
    pub(in crate::transaction) catalog_version: u64,
    pub(in crate::transaction) catalog_changes: Vec<CatalogChange>,
    pub(in crate::transaction) open: Part,
    pub(in crate::transaction) spilled: Vec<SpilledPart>,
    pub(in crate::transaction) loaded: LoadedParts,
    pub(in crate::transaction) own_edges: OwnEdges,
    pub(in crate::transaction) created: Created,
    /// Label sets that were replaced, of created vertices too.
    pub(in crate::transaction) relabelled: BTreeMap<VertexId, Labels>,
    pub(in crate::transaction) deleted_vertices: FxHashSet<VertexId>,
    pub(in crate::transaction) deleted_edges: FxHashMap<EdgeId, EdgeEnds>,
    pub(in crate::transaction) deleted_degrees: FxHashMap<VertexId, Vec<DeletedDegree>>,
    pub(in crate::transaction) dead_edges: FxHashMap<EdgeId, EdgeEnds>,
    pub(in crate::transaction) counts: Counts,
    /// Indexes whose entries it changed, or that it defined.
    pub(in crate::transaction) indexes: BTreeMap<IndexId, OwnIndex>,
    pub(in crate::transaction) unchecked: Unchecked,
    pub(in crate::transaction) claims: Vec<u64>,
    /// Whether a value of another type than its definition's is refused where it could be converted.
    pub(in crate::transaction) has_exact_types: bool,
    /// Why a part could not be spilled, or a write could not be held: from then on nothing can be
    /// committed.
    pub(in crate::transaction) lost: Option<Error>,
    /// Its share of the memory budget of the store.
    pub(in crate::transaction) memory: MemoryShare,
    /// Bytes of the entries of its indexes, about.
    pub(in crate::transaction) index_bytes: usize,
}

/// Bytes of an entry of an index of the write set, about, without its values.
pub(in crate::transaction) const INDEX_ENTRY_BYTES: usize = 48;

/// How many edges of the snapshot a vertex lost, by direction and type.
pub(in crate::transaction) struct DeletedDegree {
    pub(in crate::transaction) half: Direction,
    pub(in crate::transaction) edge_type: EdgeTypeId,
    pub(in crate::transaction) count: u64,
}

/// Differences from the snapshot's counts.
#[derive(Default)]
pub(in crate::transaction) struct Counts {
    pub(in crate::transaction) vertices: i64,
    pub(in crate::transaction) labels: BTreeMap<LabelId, i64>,
    pub(in crate::transaction) edges: BTreeMap<EdgeTypeId, i64>,
}

/// Elements that are checked when the statement ends.
#[derive(Default)]
pub(in crate::transaction) struct Unchecked {
    pub(in crate::transaction) dangling: Vec<VertexId>,
    pub(in crate::transaction) vertices: Vec<VertexId>,
    pub(in crate::transaction) edges: Vec<EdgeId>,
}

impl WriteSet {
    pub(in crate::transaction) fn new(catalog: Arc<Catalog>, memory: MemoryShare) -> WriteSet {
        WriteSet {
            indexes: BTreeMap::new(),
            catalog_version: catalog.version,
            catalog,
            catalog_changes: Vec::new(),
            open: Part::default(),
            spilled: Vec::new(),
            loaded: LoadedParts::default(),
            own_edges: OwnEdges::default(),
            created: Created::default(),
            relabelled: BTreeMap::new(),
            deleted_vertices: FxHashSet::default(),
            deleted_edges: FxHashMap::default(),
            deleted_degrees: FxHashMap::default(),
            dead_edges: FxHashMap::default(),
            counts: Counts::default(),
            unchecked: Unchecked::default(),
            claims: Vec::new(),
            has_exact_types: false,
            lost: None,
            memory,
            index_bytes: 0,
        }
    }

    pub(in crate::transaction) fn is_empty(&self) -> bool {
        self.open.changes.is_empty()
            && self.spilled.is_empty()
            && self.catalog_changes.is_empty()
            && self.relabelled.is_empty()
            && self.deleted_vertices.is_empty()
            && self.deleted_edges.is_empty()
            && self.claims.is_empty()
    }

    pub(in crate::transaction) fn is_indexed(&self) -> bool {
        self.open.index.is_current()
    }

    pub(in crate::transaction) fn catch_up(&mut self) {
        self.open.catch_up();
    }

    pub(in crate::transaction) fn index(&self, id: IndexId) -> Option<&OwnIndex> {
        self.indexes.get(&id)
    }

    /// The entries of an index of the catalog, to change them.
    pub(in crate::transaction) fn index_mut(&mut self, id: IndexId) -> Option<&mut OwnIndex> {
        if !self.indexes.contains_key(&id) {
            let definition = self.catalog.indexes.get(&id)?.clone();
            self.indexes.insert(id, OwnIndex::new(definition, false));
        }
        self.indexes.get_mut(&id)
    }

    /// Adds the entries of elements with the values of rows.
    pub(in crate::transaction) fn insert_entries(
        &mut self,
        index: IndexId,
        keys: &[&Column],
        ids: impl ExactSizeIterator<Item = u64>,
    ) {
        self.index_bytes += ids.len() * INDEX_ENTRY_BYTES
            + keys.iter().map(|column| byte_size(column)).sum::<usize>();
        let Some(own) = self.index_mut(index) else { return };
        ids.enumerate().for_each(|(row, id)| own.insert(keys, row, id));
    }

    /// Moves the open part out when it exceeds [`WRITE_SET_BYTES_MAX`], and counts the memory of the
    /// rest.
    pub(in crate::transaction) fn settle(&mut self, store: &dyn Store) -> Result<()> {
        if WRITE_SET_BYTES_MAX < self.open.bytes {
            self.spill(store)?;
        }
        // What was written stays in it, so that it must never be committed.
        self.memory.reserve(self.byte_size()).inspect_err(|error| self.lost = Some(error.clone()))
    }

    /// Bytes that it holds, about: columns that grow have room for as much again.
    fn byte_size(&self) -> u64 {
        let of = |entries: usize, bytes: usize| entries * bytes;
        // Parts are encoded, and read again, one at a time.
        let spilling = if self.spilled.is_empty() { 0 } else { 2 * WRITE_SET_BYTES_MAX };
        let parts = 2 * self.open.bytes
            + self.created.byte_size()
            + self.index_bytes
            + self.indexes.values().map(OwnIndex::made_bytes).sum::<usize>()
            + spilling
            + of(self.relabelled.len(), 48)
            + of(self.deleted_vertices.len(), 16)
            + of(self.deleted_edges.len() + self.dead_edges.len(), 64)
            + of(self.deleted_degrees.len(), 96)
            + of(self.unchecked.vertices.len() + self.unchecked.edges.len(), 16)
            + of(self.unchecked.dangling.len() + self.claims.len(), 16);
        parts as u64
    }

    pub(in crate::transaction) fn spill(&mut self, store: &dyn Store) -> Result<()> {
        if self.open.changes.is_empty() {
            return Ok(());
        }
        let part = std::mem::take(&mut self.open);
        let summary = PartSummary::of(&part);
        match store.spill(part.changes) {
            Ok(changes) => self.spilled.push(SpilledPart { changes, summary }),
            // The part is lost, and the rest must never be committed without it.
            Err(error) => {
                self.lost = Some(error.clone());
                return Err(error);
            }
        }
        Ok(())
    }

    pub(in crate::transaction) fn knows(&self, names: &[(NameKind, &str)]) -> bool {
        names.iter().all(|(kind, name)| self.names(*kind).number(name).is_some())
    }

    /// Takes the names of a newer catalog: names only grow, and definitions stay as they were.
    pub(in crate::transaction) fn learn_names(&mut self, newest: &Catalog) {
        let catalog = Arc::make_mut(&mut self.catalog);
        catalog.labels = newest.labels.clone();
        catalog.edge_types = newest.edge_types.clone();
        catalog.keys = newest.keys.clone();
    }

    fn names(&self, kind: NameKind) -> &Names {
        match kind {
            NameKind::Label => &self.catalog.labels,
            NameKind::EdgeType => &self.catalog.edge_types,
            NameKind::Key => &self.catalog.keys,
        }
    }
}

impl Counts {
    pub(in crate::transaction) fn add_vertices(&mut self, labels: &[LabelId], count: i64) {
        self.vertices += count;
        for label in labels {
            *self.labels.entry(*label).or_default() += count;
        }
    }

    pub(in crate::transaction) fn add_edges(&mut self, edge_type: EdgeTypeId, count: i64) {
        *self.edges.entry(edge_type).or_default() += count;
    }
}
