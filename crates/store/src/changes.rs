//! The writes of a transaction, in columns, and its reads, for validation.
//!
//! The order in which a batch takes effect is fixed and not the order of calls: catalog changes,
//! created vertices, created edges, label sets, property blocks (in order, the last wins), deleted
//! edges, deleted vertices. Nothing created may be deleted in the same batch: the write set takes
//! it out instead.
//!
//! Plain data enters, as a commit carries it to a backend. Nothing here reads a graph or validates a rule.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::property_values::has_multi_valued;
use millrace_model::{
    Catalog, CatalogChange, Column, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId, LogPosition,
    Result, VertexId,
};

/// The labels of a vertex, ascending by number; shared, since few sets are in use.
pub type Labels = Arc<[LabelId]>;

/// New vertices that share labels and keys.
#[derive(Clone, Debug, Default)]
pub struct VertexBlock {
    /// Their labels.
    pub labels: Labels,
    /// Their ids, from a lease.
    pub ids: Vec<VertexId>,
    /// Their properties, one entry for each vertex; absent where it has none.
    pub properties: Vec<(KeyId, Column)>,
}

/// New edges that share a type and keys.
#[derive(Clone, Debug, Default)]
pub struct EdgeBlock {
    /// Their type.
    pub edge_type: EdgeTypeId,
    /// Their ids, from a lease; empty in a bulk load, where the store assigns them.
    pub ids: Vec<EdgeId>,
    /// Their sources.
    pub sources: Vec<VertexId>,
    /// Their targets.
    pub targets: Vec<VertexId>,
    /// Their properties, one entry for each edge; absent where it has none.
    pub properties: Vec<(KeyId, Column)>,
}

/// New values of one key.
#[derive(Clone, Debug, Default)]
pub struct PropertyBlock<Id> {
    /// The key.
    pub key: KeyId,
    /// The elements, one for each value.
    pub owners: Vec<Id>,
    /// The values; an absent entry removes the property.
    pub values: Column,
}

/// An edge with its type and ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EdgeEnds {
    /// The edge.
    pub edge: EdgeId,
    /// Its type.
    pub edge_type: EdgeTypeId,
    /// Its source.
    pub source: VertexId,
    /// Its target.
    pub target: VertexId,
}

/// Columns of operations. Values of defined properties are already in the form of their
/// definition (`PropertyType::accept`), labels ascend, and owners within a set may repeat.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Definitions, indexes, constraints.
    pub catalog: Vec<CatalogChange>,
    /// New vertices.
    pub vertices: Vec<VertexBlock>,
    /// New edges.
    pub edges: Vec<EdgeBlock>,
    /// Vertices with new labels, which replace the old.
    pub labels: Vec<(VertexId, Labels)>,
    /// Vertex properties set or removed.
    pub vertex_properties: Vec<PropertyBlock<VertexId>>,
    /// Edge properties set or removed.
    pub edge_properties: Vec<PropertyBlock<EdgeId>>,
    /// Edges deleted.
    pub deleted_edges: Vec<EdgeEnds>,
    /// Vertices deleted; their edges are in `deleted_edges`.
    pub deleted_vertices: Vec<VertexId>,
}

/// Which anomalies a transaction rules out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// Reads one snapshot; the first committer of a record wins.
    #[default]
    Snapshot,
    /// Also validates the reads.
    Serializable,
}

impl Isolation {
    /// The word for it in settings and answers.
    pub fn word(self) -> &'static str {
        match self {
            Isolation::Snapshot => "snapshot",
            Isolation::Serializable => "serializable",
        }
    }
}

/// What two transactions that set properties of one element conflict on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConflictUnit {
    /// The record: the first to set any of its properties wins.
    #[default]
    Record,
    /// The record and the key, so that different keys may be set at once. Keys that an index of
    /// several keys is about count as the whole record, and so do labels.
    Key,
}

impl ConflictUnit {
    /// Whether setting a key of some element counts as writing all of its record.
    pub fn is_whole(self, catalog: &Catalog, key: KeyId) -> bool {
        self == ConflictUnit::Record || catalog.indexes.ties(key)
    }
}

/// Something a serializable transaction read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadUnit {
    /// A vertex record.
    Vertex(VertexId),
    /// An edge record.
    Edge(EdgeId),
    /// The list of a vertex, of any type, in any direction.
    List(VertexId),
    /// An equality seek, by the hash of its values.
    Seek(IndexId, u64),
    /// A scan or range of a whole index.
    Index(IndexId),
    /// A scan of a label; `None` is all vertices.
    Label(Option<LabelId>),
    /// A scan of an edge type; `None` is all edges.
    EdgeType(Option<EdgeTypeId>),
    /// Records and lists of all vertices with an id that starts with this number, `PARTITION_BITS`
    /// above its end: many units of one partition, collapsed.
    Vertices(u64),
    /// Records of all edges with an id that starts with this number, `EDGE_SLOT_BITS` above its
    /// end.
    Edges(u64),
}

/// Where a commit comes from that another process sent here to be ordered. It is a part of the
/// commit's record, so that whoever lost the process that ordered it finds out what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommitOrigin {
    /// The id of the server that sent it.
    pub server: u128,
    /// The server's number of the commit: it gives none twice.
    pub number: u64,
}

/// A part of a write set that waits outside memory for its commit.
pub trait SpilledChanges: Send + Sync {
    /// Reads the part back, verified.
    fn read(&self) -> Result<Changes>;
}

/// The number of a ticket: plain, so that it can be sent to where commits are ordered. A queue that
/// does not know it treats its commit as one that has a ticket for other keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConflictTicketId(pub u64);

/// A transaction on its way to the sequencer.
#[derive(Default)]
pub struct WriteBatch {
    /// The position of the snapshot that it read.
    pub snapshot: LogPosition,
    /// The catalog it knew.
    pub catalog_version: u64,
    /// Its isolation level.
    pub isolation: Isolation,
    /// The unit on which its property writes conflict.
    pub unit: ConflictUnit,
    /// Its reads, if it is serializable.
    pub reads: Vec<ReadUnit>,
    /// Keys that `Merge` matched on and found missing: two transactions that claim one conflict.
    pub claims: Vec<u64>,
    /// The ticket it is committed with, if it met write conflicts before.
    pub ticket: Option<ConflictTicketId>,
    /// Where it comes from, if not from this process.
    pub origin: Option<CommitOrigin>,
    /// Parts that were spilled, oldest first; they come before `changes`.
    pub spilled: Vec<Arc<dyn SpilledChanges>>,
    /// The rest.
    pub changes: Changes,
}

/// Whether a column of properties has an entry for which an index has none, or several.
pub(crate) fn is_irregular(values: &Column) -> bool {
    values.nulls.as_ref().is_some_and(|nulls| nulls.ones().next().is_some())
        || has_multi_valued(values)
}

impl Changes {
    /// The changes of the catalog that note keys of which new elements have several values or null, where it does not
    /// yet.
    pub fn notes_of_irregular_keys(&self, catalog: &Catalog) -> Vec<CatalogChange> {
        let vertices = self.vertices.iter().flat_map(|block| &block.properties);
        let properties = vertices.chain(self.edges.iter().flat_map(|block| &block.properties));
        let irregular =
            properties.filter(|(key, values)| is_irregular(values) && !catalog.is_irregular(*key));
        let keys: BTreeSet<KeyId> = irregular.map(|(key, _)| *key).collect();
        let note = |key| CatalogChange::SetNote(Catalog::irregular_note(key), Some("".into()));
        keys.into_iter().map(note).collect()
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.catalog.is_empty() && self.writes_nothing()
    }

    /// Whether no element is written; the catalog may be.
    pub fn writes_nothing(&self) -> bool {
        self.vertices.is_empty()
            && self.edges.is_empty()
            && self.labels.is_empty()
            && self.vertex_properties.is_empty()
            && self.edge_properties.is_empty()
            && self.deleted_edges.is_empty()
            && self.deleted_vertices.is_empty()
    }
}
