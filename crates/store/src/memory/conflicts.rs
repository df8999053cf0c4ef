//! Who was first: the newest position of everything that two transactions can quarrel about.
//!
//! The marks are those of STORE section 4. What a reader would get wrong: an edge insert *sets*
//! `Incident` on its ends and never *checks* it, so inserts to one hub never conflict.

use std::collections::HashMap;

use millrace_model::schema::IndexKind;
use millrace_model::{
    CatalogChange, EdgeId, Error, ErrorKind, IndexId, Owner, Phase, Position, Result, VertexId,
};

use super::apply::Touched;
use super::graph_version::GraphVersion;
use crate::changes::{Changes, ReadUnit};
use crate::key_hash::hash_values;
use crate::run::{EDGE_SLOT_BITS, PARTITION_BITS};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    Written(VertexId),
    Incident(VertexId),
    Deleted(VertexId),
    Edge(EdgeId),
    Unique(IndexId, u64),
    Claim(u64),
    Catalog,
    Declared(Owner),
    Unit(ReadUnit),
}

/// What a transaction checks and what it leaves for others to check.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) checked: Vec<Mark>,
    pub(super) set: Vec<Mark>,
}

#[derive(Default)]
pub(super) struct Conflicts {
    newest: HashMap<Mark, Position>,
}

impl Conflicts {
    pub(super) fn check(&self, marks: &[Mark], snapshot: Position) -> Result<()> {
        let newer = |mark: &&Mark| self.newest.get(mark).is_some_and(|at| snapshot < *at);
        match marks.iter().find(newer) {
            None => Ok(()),
            Some(mark) => {
                let detail = format!("another transaction was first ({mark:?})");
                let error = Error::new(ErrorKind::Conflict, detail).in_phase(Phase::Commit);
                Err(error.with_help("run the transaction again"))
            }
        }
    }

    pub(super) fn record(&mut self, marks: Vec<Mark>, position: Position) {
        self.newest.extend(marks.into_iter().map(|mark| (mark, position)));
    }
}

impl Marks {
    pub(super) fn add_changes(&mut self, changes: &Changes) {
        if !changes.catalog.iter().all(CatalogChange::is_note) {
            self.both(Mark::Catalog);
        }
        for block in &changes.edges {
            for end in block.sources.iter().chain(&block.targets) {
                self.checked.push(Mark::Deleted(*end));
                self.set.push(Mark::Incident(*end));
            }
        }
        let labelled = changes.labels.iter().map(|(vertex, _)| vertex);
        let owners = changes.vertex_properties.iter().flat_map(|block| &block.owners);
        for vertex in labelled.chain(owners) {
            self.both(Mark::Written(*vertex));
            self.checked.push(Mark::Deleted(*vertex));
        }
        let owners = changes.edge_properties.iter().flat_map(|block| &block.owners);
        for edge in owners.copied().chain(changes.deleted_edges.iter().map(|edge| edge.edge)) {
            self.both(Mark::Edge(edge));
        }
        for vertex in &changes.deleted_vertices {
            self.both(Mark::Deleted(*vertex));
            self.checked.extend([Mark::Written(*vertex), Mark::Incident(*vertex)]);
        }
    }

    pub(super) fn both(&mut self, mark: Mark) {
        self.checked.push(mark);
        self.set.push(mark);
    }

    /// What only shows when both versions are there: index entries, units that others read, and
    /// declarations of what was written.
    pub(super) fn add_difference(
        &mut self,
        before: &GraphVersion,
        after: &GraphVersion,
        touched: &Touched,
    ) {
        for vertex in &touched.vertices {
            self.add_vertex(before, after, *vertex);
        }
        for edge in &touched.edges {
            self.add_edge(before, after, *edge);
        }
        self.set.extend(touched.owners.iter().map(|owner| Mark::Declared(*owner)));
        for index in &before.catalog.indexes {
            for id in touched.ids(index.owner) {
                let (old, new) = (before.index_key(index, id), after.index_key(index, id));
                if old == new {
                    continue;
                }
                self.set.push(Mark::Unit(ReadUnit::Index(index.id)));
                for hash in [&old, &new].into_iter().flatten().filter_map(|key| hash_values(&key.0))
                {
                    self.set.push(Mark::Unit(ReadUnit::Seek(index.id, hash)));
                }
                if index.kind == IndexKind::Unique
                    && let Some(hash) = new.and_then(|key| hash_values(&key.0))
                {
                    self.both(Mark::Unique(index.id, hash));
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
            self.checked.push(Mark::Declared(Owner::Label(*label)));
            if old.contains(label) != new.contains(label) {
                self.unit(ReadUnit::Label(Some(*label)));
            }
        }
        self.checked.push(Mark::Declared(Owner::AllVertices));
    }

    fn add_edge(&mut self, before: &GraphVersion, after: &GraphVersion, edge: EdgeId) {
        let (old, new) = (before.edges.get(&edge), after.edges.get(&edge));
        self.unit(ReadUnit::Edge(edge));
        self.unit(ReadUnit::Edges(edge.0 >> EDGE_SLOT_BITS));
        let Some(record) = old.or(new) else { return };
        self.checked.push(Mark::Declared(Owner::EdgeType(record.edge_type)));
        if old.is_some() == new.is_some() {
            return;
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
