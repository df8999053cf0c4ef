//! The footprint of a commit: what it checks, and what it leaves for others to check.
//!
//! What a reader would get wrong: new edges *set* `Incident` on their ends and *check* `Deleted`
//! there; a deletion does the reverse. That, and nothing else, keeps edges from dangling.

use millrace_model::{CatalogChange, EdgeTypeId, GraphId, LabelId, Owner, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Changes, ReadUnit, WriteBatch};

use super::created::IdRanges;
use super::touched::Touched;
use crate::commit::conflict::{ConflictTable, Footprint, Mark, marks_of_unit};
use crate::io::Bug;

/// Marks of one commit as they gather.
pub(crate) struct Marks<'a> {
    table: &'a ConflictTable,
    graph: GraphId,
    footprint: Footprint,
    /// The partition that was marked last: neighbours in a batch often share it.
    last_partition: Option<ReadUnit>,
    /// Whose declarations the batch itself changes, by steps that come before its commit.
    declared: &'a [Owner],
}

impl<'a> Marks<'a> {
    pub(crate) fn new(table: &'a ConflictTable, graph: GraphId) -> Self {
        let footprint = Footprint::with_capacity(16);
        Self { table, graph, footprint, last_partition: None, declared: &[] }
    }

    /// The marks of a batch that declares something of these owners.
    pub(crate) fn of_declarer(self, declared: &'a [Owner]) -> Self {
        Self { declared, ..self }
    }

    /// A change of the catalog. Writers know already of what was a step of its own before.
    pub(crate) fn add_declared(&mut self, owner: Option<Owner>, change: &CatalogChange) {
        if self.declared.is_empty() {
            self.take(Mark::Catalog);
        } else {
            self.set(Mark::Catalog);
        }
        let Some(owner) = owner else { return };
        let ends =
            matches!(change, CatalogChange::FinishIndex(_) | CatalogChange::DeclareProperty(_));
        if ends && self.declared.contains(&owner) {
            return;
        }
        self.set(Mark::Declared(owner));
    }

    fn check_declared(&mut self, owner: Owner) {
        if !self.declared.contains(&owner) {
            self.check(Mark::Declared(owner));
        }
    }

    pub(crate) fn finish(self) -> Footprint {
        self.footprint
    }

    pub(crate) fn check(&mut self, mark: Mark) {
        self.footprint.check(self.table.cell(self.graph, mark));
    }

    pub(crate) fn set(&mut self, mark: Mark) {
        self.footprint.set(self.table.cell(self.graph, mark));
    }

    pub(crate) fn take(&mut self, mark: Mark) {
        self.footprint.take(self.table.cell(self.graph, mark));
    }

    /// What the batch read and claimed.
    pub(crate) fn add_reads(&mut self, batch: &WriteBatch) {
        for claim in &batch.claims {
            self.take(Mark::Claim(*claim));
        }
        for unit in batch.reads.iter().filter(|_| !self.table.is_planted(Bug::ReadsUnchecked)) {
            marks_of_unit(*unit).into_iter().flatten().for_each(|mark| self.check(mark));
        }
    }

    /// What changes say by themselves. Nobody else knows what the batch creates, so nothing can
    /// have happened to it.
    pub(crate) fn add_changes(&mut self, changes: &Changes, created: &IdRanges) {
        self.add_created(changes, created);
        let labelled = changes.labels.iter().map(|(vertex, _)| *vertex);
        let owners =
            changes.vertex_properties.iter().flat_map(|block| block.owners.iter().copied());
        for vertex in labelled.chain(owners) {
            self.take(Mark::Written(vertex));
            self.check(Mark::Deleted(vertex));
            self.vertices(vertex);
        }
        let owners = changes.edge_properties.iter().flat_map(|block| &block.owners);
        for edge in owners {
            self.take(Mark::Edge(*edge));
            self.partition(ReadUnit::Edges(edge.0 >> EDGE_SLOT_BITS));
        }
        for ends in &changes.deleted_edges {
            self.take(Mark::Edge(ends.edge));
            self.edge_type(ends.edge_type);
            self.partition(ReadUnit::Edges(ends.edge.0 >> EDGE_SLOT_BITS));
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

    /// What only shows when before and after are there: the labels of changed vertices.
    pub(crate) fn add_kinds(&mut self, touched: &Touched) {
        self.check_declared(Owner::AllVertices);
        self.set(Mark::Read(ReadUnit::Label(None)));
        for label in touched.labels() {
            self.check_declared(Owner::Label(label));
            self.set(Mark::Read(ReadUnit::Label(Some(label))));
        }
    }

    /// What only shows when they are looked up: the types of changed edges. Whoever writes a value
    /// of an edge must know what is declared of it, as for a vertex.
    pub(crate) fn add_types(&mut self, touched: &Touched) {
        for edge_type in touched.edge_types() {
            self.check_declared(Owner::EdgeType(edge_type));
        }
    }

    fn add_created(&mut self, changes: &Changes, created: &IdRanges) {
        for block in &changes.vertices {
            self.created_with(block.labels.iter().copied());
            for vertex in &block.ids {
                self.set(Mark::Written(*vertex));
                self.vertices(*vertex);
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

    /// A new edge begins or ends at a vertex that was there before.
    pub(crate) fn end_of_edge(&mut self, end: VertexId) {
        self.check(Mark::Deleted(end));
        if !self.table.is_planted(Bug::IncidentForgotten) {
            self.set(Mark::Incident(end));
        }
        self.vertices(end);
    }

    /// Whether the machine asks for a bug. Never in a release.
    pub(crate) fn is_planted(&self, bug: Bug) -> bool {
        self.table.is_planted(bug)
    }

    /// Edges of the type come or go.
    pub(crate) fn edge_type(&mut self, edge_type: EdgeTypeId) {
        self.check_declared(Owner::EdgeType(edge_type));
        self.set(Mark::Read(ReadUnit::EdgeType(None)));
        self.set(Mark::Read(ReadUnit::EdgeType(Some(edge_type))));
    }

    /// Vertices with these labels come.
    pub(crate) fn created_with(&mut self, labels: impl Iterator<Item = LabelId>) {
        for label in labels {
            self.set(Mark::Read(ReadUnit::Label(Some(label))));
            self.check_declared(Owner::Label(label));
        }
        self.set(Mark::Read(ReadUnit::Label(None)));
        self.check_declared(Owner::AllVertices);
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
