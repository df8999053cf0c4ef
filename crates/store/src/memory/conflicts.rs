//! Write conflicts: the newest position of everything that two transactions can conflict on.
//!
//! The marks are those of docs/design/store.md, section 4. An edge insert *sets* `Incident` on its
//! ends and never *checks* it, so inserts to one hub never conflict.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use millrace_model::schema::IndexKind;
use millrace_model::{
    Catalog, CatalogChange, EXTERNAL_ID_KEY, EdgeId, EdgeTypeId, Error, ErrorKind, ExternalId,
    IndexId, KeyId, LogPosition, Owner, Phase, Result, VertexId, WriteConflict,
};
use rustc_hash::FxHasher;

use super::apply::Modified;
use super::graph_version::GraphVersion;
use crate::base::key_hash::hash_values;
use crate::changes::{Changes, ConflictUnit, ReadUnit};
use crate::reads::run::{EDGE_SLOT_BITS, PARTITION_BITS};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    Written(VertexId),
    WrittenWhole(VertexId),
    WrittenKey(VertexId, KeyId),
    Incident(VertexId),
    Deleted(VertexId),
    Edge(EdgeId),
    EdgeWhole(EdgeId),
    EdgeKey(EdgeId, KeyId),
    Pair(EdgeTypeId, VertexId, VertexId),
    Unique(IndexId, u64),
    Claim(u64),
    Catalog,
    Schema(Owner),
    /// The end of an index: for its readers, as a later writer sets no mark for it.
    Dropped(IndexId),
    Unit(ReadUnit),
}

/// The marks that a transaction checks, and those that it sets for others to check.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) checked: Vec<Mark>,
    pub(super) set: Vec<Mark>,
}

#[derive(Default)]
pub(super) struct Conflicts {
    newest: HashMap<Mark, LogPosition>,
}

impl Conflicts {
    pub(super) fn check(&self, marks: &[Mark], snapshot: LogPosition) -> Result<()> {
        let newest = |mark: &Mark| Some((*self.newest.get(mark)?, *mark));
        let newer = marks.iter().filter_map(newest).filter(|(at, _)| snapshot < *at);
        match newer.max_by_key(|(at, _)| *at) {
            None => Ok(()),
            Some((winner, mark)) => {
                let detail = "another transaction was first";
                let error = Error::new(ErrorKind::Conflict, detail).in_phase(Phase::Commit);
                let lost = WriteConflict { winner, key: mark.key() };
                Err(error.with_help("run the transaction again").with_write_conflict(lost))
            }
        }
    }

    pub(super) fn record(&mut self, marks: Vec<Mark>, position: LogPosition) {
        self.newest.extend(marks.into_iter().map(|mark| (mark, position)));
    }
}

impl Mark {
    /// Its number in the conflict queue.
    pub(super) fn key(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

impl Marks {
    /// Adds the marks of a part. Labels of what the batch made are a part of that: `created` says which vertices these
    /// are.
    pub(super) fn add_changes(
        &mut self,
        changes: &Changes,
        (catalog, unit): (&Catalog, ConflictUnit),
        created: &HashSet<VertexId>,
    ) {
        if !changes.catalog.iter().all(CatalogChange::is_note) {
            self.both(Mark::Catalog);
        }
        for change in &changes.catalog {
            if let CatalogChange::DropIndex(index) = change {
                self.set.push(Mark::Dropped(*index));
            }
        }
        for block in &changes.vertices {
            // Two may have chosen the same id.
            block.ids.iter().for_each(|vertex| self.both(Mark::Written(*vertex)));
        }
        for block in &changes.edges {
            for end in block.sources.iter().chain(&block.targets) {
                self.checked.push(Mark::Deleted(*end));
                self.set.push(Mark::Incident(*end));
            }
        }
        for (vertex, _) in changes.labels.iter().filter(|(own, _)| !created.contains(own)) {
            self.write_vertex(*vertex, None);
        }
        for block in &changes.vertex_properties {
            let key = (!unit.is_whole(catalog, block.key)).then_some(block.key);
            block.owners.iter().for_each(|vertex| self.write_vertex(*vertex, key));
        }
        for block in &changes.edge_properties {
            let key = (!unit.is_whole(catalog, block.key)).then_some(block.key);
            block.owners.iter().for_each(|edge| self.write_edge(*edge, key));
        }
        for block in changes.edges.iter().filter(|block| catalog.is_set(block.edge_type)) {
            for (source, target) in block.sources.iter().zip(&block.targets) {
                self.both(Mark::Pair(block.edge_type, *source, *target));
            }
        }
        for ends in &changes.deleted_edges {
            self.write_edge(ends.edge, None);
            if catalog.is_set(ends.edge_type) {
                self.both(Mark::Pair(ends.edge_type, ends.source, ends.target));
            }
        }
        for vertex in &changes.deleted_vertices {
            self.both(Mark::Deleted(*vertex));
            self.checked.extend([Mark::Written(*vertex), Mark::Incident(*vertex)]);
        }
    }

    /// Adds the reads of a serializable transaction.
    pub(super) fn add_reads(&mut self, reads: &[ReadUnit]) {
        for unit in reads {
            self.checked.push(Mark::Unit(*unit));
            if let ReadUnit::Seek(index, _) | ReadUnit::Index(index) = unit {
                self.checked.push(Mark::Dropped(*index));
            }
        }
    }

    /// All of a vertex is written, or one key of it.
    fn write_vertex(&mut self, vertex: VertexId, key: Option<KeyId>) {
        self.checked.push(Mark::Deleted(vertex));
        self.set.push(Mark::Written(vertex));
        match key {
            None => {
                self.checked.push(Mark::Written(vertex));
                self.set.push(Mark::WrittenWhole(vertex));
            }
            Some(key) => {
                self.checked.push(Mark::WrittenWhole(vertex));
                self.both(Mark::WrittenKey(vertex, key));
            }
        }
    }

    /// All of an edge is written, or one key of it.
    fn write_edge(&mut self, edge: EdgeId, key: Option<KeyId>) {
        self.set.push(Mark::Edge(edge));
        match key {
            None => {
                self.checked.push(Mark::Edge(edge));
                self.set.push(Mark::EdgeWhole(edge));
            }
            Some(key) => {
                self.checked.push(Mark::EdgeWhole(edge));
                self.both(Mark::EdgeKey(edge, key));
            }
        }
    }

    pub(super) fn both(&mut self, mark: Mark) {
        self.checked.push(mark);
        self.set.push(mark);
    }

    /// Adds the marks that need both versions: index entries, units that others read, and
    /// definitions of the written elements.
    pub(super) fn add_difference(
        &mut self,
        before: &GraphVersion,
        after: &GraphVersion,
        modified: &Modified,
    ) {
        for vertex in &modified.vertices {
            self.add_vertex(before, after, *vertex);
        }
        for edge in &modified.edges {
            self.add_edge(before, after, *edge);
        }
        self.set.extend(modified.owners.iter().map(|owner| Mark::Schema(*owner)));
        for index in &before.catalog.indexes {
            for id in modified.ids(index.owner) {
                let (old, new) = (before.index_keys(index, id), after.index_keys(index, id));
                if old == new {
                    continue;
                }
                self.set.push(Mark::Unit(ReadUnit::Index(index.id)));
                // A read of made keys is one of the whole index: a text has too many for a mark each.
                if index.kind == IndexKind::Made {
                    continue;
                }
                for hash in old.iter().chain(&new).filter_map(|key| hash_values(&key.0)) {
                    self.set.push(Mark::Unit(ReadUnit::Seek(index.id, hash)));
                }
                if index.kind == IndexKind::Unique {
                    for hash in new.iter().filter_map(|key| hash_values(&key.0)) {
                        self.both(Mark::Unique(index.id, hash));
                    }
                }
            }
        }
    }

    fn add_vertex(&mut self, before: &GraphVersion, after: &GraphVersion, vertex: VertexId) {
        self.unit(ReadUnit::Vertex(vertex));
        self.unit(ReadUnit::Vertices(vertex.0 >> PARTITION_BITS));
        let (old, new) = (before.vertices.get(&vertex), after.vertices.get(&vertex));
        if old.is_some() != new.is_some() {
            self.unit(ReadUnit::Label(None));
        }
        let labels = |record: Option<&super::graph_version::VertexRecord>| {
            record.map_or_else(Vec::new, |record| record.labels.to_vec())
        };
        let (old, new) = (labels(old), labels(new));
        for label in old.iter().chain(&new) {
            self.checked.push(Mark::Schema(Owner::Label(*label)));
            if old.contains(label) != new.contains(label) {
                self.unit(ReadUnit::Label(Some(*label)));
            }
        }
        self.checked.push(Mark::Schema(Owner::AllVertices));
    }

    fn add_edge(&mut self, before: &GraphVersion, after: &GraphVersion, edge: EdgeId) {
        let (old, new) = (before.edges.get(&edge), after.edges.get(&edge));
        self.unit(ReadUnit::Edge(edge));
        self.unit(ReadUnit::Edges(edge.0 >> EDGE_SLOT_BITS));
        let Some(record) = old.or(new) else { return };
        self.checked.push(Mark::Schema(Owner::EdgeType(record.edge_type)));
        if old.is_some() == new.is_some() {
            return;
        }
        // A client may choose its external number.
        if let (Some(index), Some(own)) = (after.catalog.external_edge_index(), new)
            && !own.properties.contains_key(&EXTERNAL_ID_KEY)
            && let Some(hash) = hash_values(&[ExternalId::Number(edge.0).to_stored()])
        {
            self.both(Mark::Unique(index.id, hash));
        }
        self.unit(ReadUnit::EdgeType(None));
        self.unit(ReadUnit::EdgeType(Some(record.edge_type)));
        for end in [record.source, record.target] {
            self.unit(ReadUnit::List(end));
            self.unit(ReadUnit::Vertices(end.0 >> PARTITION_BITS));
        }
    }

    fn unit(&mut self, unit: ReadUnit) {
        self.set.push(Mark::Unit(unit));
    }
}
