//! The footprint of a commit: the keys that it checks, and those that it sets for others to check.
//!
//! New edges *set* `Incident` on their ends and *check* `Deleted` there; a deletion does the
//! reverse. That, and nothing else, keeps edges from dangling.

use millrace_model::{
    Catalog, CatalogChange, EdgeId, EdgeTypeId, GraphId, KeyId, LabelId, Owner, VertexId,
};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Changes, ConflictUnit, ReadUnit, WriteBatch};

use super::created::IdRanges;
use super::modified::Modified;
use crate::commit::conflict::{ConflictTable, Footprint, Mark, marks_of_unit};
use crate::graph::is_of_edges;
use crate::io::Bug;

/// The catalog and the unit by which the changes of a batch are read.
#[derive(Clone, Copy)]
pub(crate) struct Form<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) unit: ConflictUnit,
}

impl Form<'_> {
    /// The key that a write of it conflicts on; none if it counts as all of the record.
    fn key(&self, key: KeyId) -> Option<KeyId> {
        (!self.unit.is_whole(self.catalog, key)).then_some(key)
    }
}

/// Marks of one commit as they are collected.
pub(crate) struct Marks<'a> {
    table: &'a ConflictTable,
    graph: GraphId,
    footprint: Footprint,
    /// The partition that was marked last: neighbours in a batch often share it.
    last_partition: Option<ReadUnit>,
    /// The owners of definitions that the batch itself changes, by steps that come before its
    /// commit.
    defined: &'a [Owner],
}

impl<'a> Marks<'a> {
    pub(crate) fn new(table: &'a ConflictTable, graph: GraphId) -> Self {
        let footprint = Footprint::with_capacity(16);
        Self { table, graph, footprint, last_partition: None, defined: &[] }
    }

    /// The marks of a batch that defines something of these owners.
    pub(crate) fn of_schema_change(self, defined: &'a [Owner]) -> Self {
        Self { defined, ..self }
    }

    /// A change of the catalog. Writers already know of changes that were steps of their own
    /// before.
    pub(crate) fn add_schema(&mut self, owner: Option<Owner>, change: &CatalogChange) {
        if self.defined.is_empty() {
            self.take(Mark::Catalog);
        } else {
            self.set(Mark::Catalog);
        }
        if *change == CatalogChange::DemandSerializable(true) {
            self.set(Mark::Demanded);
        }
        if let CatalogChange::DropIndex(index) = change {
            self.set(Mark::Dropped(*index));
        }
        let Some(owner) = owner else { return };
        let ends =
            matches!(change, CatalogChange::FinishIndex(_) | CatalogChange::CreateProperty(_));
        if ends && self.defined.contains(&owner) {
            return;
        }
        self.set(Mark::Schema(owner));
        if is_of_edges(owner) {
            self.set(Mark::SchemaOfEdges);
        }
    }

    fn check_schema(&mut self, owner: Owner) {
        if !self.defined.contains(&owner) {
            self.check(Mark::Schema(owner));
        }
    }

    /// A commit that writes values of edges does not look up their types.
    fn check_schema_of_edges(&mut self) {
        if self.defined.is_empty() {
            self.check(Mark::SchemaOfEdges);
        }
    }

    pub(crate) fn finish(self) -> Footprint {
        self.footprint
    }

    pub(crate) fn check(&mut self, mark: Mark) {
        self.footprint.check(self.table.key(self.graph, mark));
    }

    pub(crate) fn set(&mut self, mark: Mark) {
        self.footprint.set(self.table.key(self.graph, mark));
    }

    pub(crate) fn take(&mut self, mark: Mark) {
        self.footprint.take(self.table.key(self.graph, mark));
    }

    /// Adds the reads and claims of the batch.
    pub(crate) fn add_reads(&mut self, batch: &WriteBatch) {
        for claim in &batch.claims {
            self.take(Mark::Claim(*claim));
        }
        if !batch.reads.is_empty() {
            self.check(Mark::Loaded);
        }
        for unit in batch.reads.iter().filter(|_| !self.table.is_injected(Bug::ReadsUnchecked)) {
            marks_of_unit(*unit).into_iter().flatten().for_each(|mark| self.check(mark));
        }
    }

    /// Adds the marks that changes have by themselves. No other transaction knows the elements that
    /// the batch creates, so nothing can have happened to them.
    pub(crate) fn add_changes(&mut self, changes: &Changes, created: &IdRanges, form: Form<'_>) {
        self.add_created(changes, created);
        self.add_pairs(changes, form.catalog);
        for (vertex, _) in changes.labels.iter().filter(|(own, _)| !created.contains(own.0)) {
            self.write_vertex(*vertex, None);
        }
        for block in &changes.vertex_properties {
            let key = form.key(block.key);
            block.owners.iter().for_each(|vertex| self.write_vertex(*vertex, key));
        }
        for block in &changes.edge_properties {
            let key = form.key(block.key);
            self.check_schema_of_edges();
            block.owners.iter().for_each(|edge| self.write_edge(*edge, key));
        }
        for ends in &changes.deleted_edges {
            self.write_edge(ends.edge, None);
            self.edge_type(ends.edge_type);
            for end in [ends.source, ends.target] {
                self.set(Mark::Incident(end));
                self.vertices(end);
            }
        }
        for vertex in &changes.deleted_vertices {
            self.take(Mark::Deleted(*vertex));
            self.check(Mark::Written(*vertex));
            self.check(Mark::Incident(*vertex));
            self.vertices(*vertex);
        }
    }

    /// Adds the marks that need the states before and after: the labels of changed vertices.
    pub(crate) fn add_kinds(&mut self, modified: &Modified) {
        self.check_schema(Owner::AllVertices);
        for label in modified.labels() {
            self.check_schema(Owner::Label(label));
        }
        let (some_vertex, labels) = modified.changed_labels();
        if some_vertex {
            self.set(Mark::Read(ReadUnit::Label(None)));
        }
        for label in labels {
            self.set(Mark::Read(ReadUnit::Label(Some(label))));
        }
    }

    /// All of a vertex is written, or one key of it.
    fn write_vertex(&mut self, vertex: VertexId, key: Option<KeyId>) {
        match key {
            None => {
                self.take(Mark::Written(vertex));
                self.set(Mark::WrittenWhole(vertex));
            }
            Some(key) => {
                self.set(Mark::Written(vertex));
                self.check(Mark::WrittenWhole(vertex));
                self.take(Mark::WrittenKey(vertex, key));
            }
        }
        self.check(Mark::Deleted(vertex));
        self.vertices(vertex);
    }

    /// All of an edge is written, or one key of it.
    fn write_edge(&mut self, edge: EdgeId, key: Option<KeyId>) {
        match key {
            None => {
                self.take(Mark::Edge(edge));
                self.set(Mark::EdgeWhole(edge));
            }
            Some(key) => {
                self.set(Mark::Edge(edge));
                self.check(Mark::EdgeWhole(edge));
                self.take(Mark::EdgeKey(edge, key));
            }
        }
        self.partition(ReadUnit::Edges(edge.0 >> EDGE_SLOT_BITS));
    }

    /// A commit that inserts or deletes an edge of a set claims its ends.
    fn add_pairs(&mut self, changes: &Changes, catalog: &Catalog) {
        for block in changes.edges.iter().filter(|block| catalog.is_set(block.edge_type)) {
            for (source, target) in block.sources.iter().zip(&block.targets) {
                self.take(Mark::Pair(block.edge_type, *source, *target));
            }
        }
        for ends in changes.deleted_edges.iter().filter(|ends| catalog.is_set(ends.edge_type)) {
            self.take(Mark::Pair(ends.edge_type, ends.source, ends.target));
        }
    }

    fn add_created(&mut self, changes: &Changes, created: &IdRanges) {
        for block in &changes.vertices {
            self.created_with(block.labels.iter().copied());
            for vertex in &block.ids {
                self.take_id(*vertex);
            }
        }
        for block in &changes.edges {
            self.edge_type(block.edge_type);
            for edge in &block.ids {
                self.partition(ReadUnit::Edges(edge.0 >> EDGE_SLOT_BITS));
            }
            for end in block.sources.iter().chain(&block.targets) {
                if !created.contains(end.0) {
                    self.end_of_edge(*end);
                }
            }
        }
    }

    /// A vertex is created. Two may have chosen the same id.
    pub(crate) fn take_id(&mut self, vertex: VertexId) {
        self.take(Mark::Written(vertex));
        let partition = vertex.0 >> PARTITION_BITS;
        if self.last_partition != Some(ReadUnit::Vertices(partition)) {
            self.check(Mark::Filled(partition));
        }
        self.vertices(vertex);
    }

    /// All vertices of a partition are created: one mark for all their ids. Only the commit that
    /// creates them can have modified one.
    pub(crate) fn take_partition(&mut self, partition: u64) {
        self.take(Mark::Filled(partition));
        self.check(Mark::Read(ReadUnit::Vertices(partition)));
    }

    /// A new edge begins or ends at a vertex that was there before.
    pub(crate) fn end_of_edge(&mut self, end: VertexId) {
        self.check(Mark::Deleted(end));
        if !self.table.is_injected(Bug::IncidentForgotten) {
            self.set(Mark::Incident(end));
        }
        self.vertices(end);
    }

    /// Whether the machine asks for a bug. Never in a release.
    pub(crate) fn is_injected(&self, bug: Bug) -> bool {
        self.table.is_injected(bug)
    }

    /// Edges of the type come or go.
    pub(crate) fn edge_type(&mut self, edge_type: EdgeTypeId) {
        self.check_schema(Owner::EdgeType(edge_type));
        self.set(Mark::Read(ReadUnit::EdgeType(None)));
        self.set(Mark::Read(ReadUnit::EdgeType(Some(edge_type))));
    }

    /// Vertices with these labels come.
    pub(crate) fn created_with(&mut self, labels: impl Iterator<Item = LabelId>) {
        for label in labels {
            self.set(Mark::Read(ReadUnit::Label(Some(label))));
            self.check_schema(Owner::Label(label));
        }
        self.set(Mark::Read(ReadUnit::Label(None)));
        self.check_schema(Owner::AllVertices);
    }

    fn vertices(&mut self, vertex: VertexId) {
        self.partition(ReadUnit::Vertices(vertex.0 >> PARTITION_BITS));
    }

    fn partition(&mut self, unit: ReadUnit) {
        if self.last_partition != Some(unit) {
            self.last_partition = Some(unit);
            self.set(Mark::Read(unit));
        }
    }
}
