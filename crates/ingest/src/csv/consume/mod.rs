//! Parsed rows to the sink, on the consumer's thread: names get vertices, groups of rows become
//! parts as they are, without being copied.

mod edges;
mod nodes;
mod taken;

use taken::Seen;

use super::dialect::CsvOptions;
use super::edges::Space;
use super::header::Header;
use super::spaces::KnownSpaces;
use super::value::IdType;
use crate::error::LoadError;
use crate::graph::{Sink, intern, push_text};
use crate::progress::{LoadPath, Meter};
use millrace_model::column::ColumnValues;
use millrace_model::{Column, KeyId, LabelId, Strings, Value};
use millrace_store::{Changes, NameKind, Snapshot, Store, VertexBlock};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, LazyLock};

/// A space without nodes.
static NO_SPACE: LazyLock<Space> = LazyLock::new(Space::default);

/// The state of one load.
pub(super) struct Consumer<'a, 'p> {
    store: &'a dyn Store,
    options: CsvOptions,
    meter: Meter<'p>,
    sink: Sink<'a>,
    spaces: FxHashMap<Box<str>, Space>,
    /// Ends that were made because rows named them.
    made: FxHashMap<Box<str>, Space>,
    /// Nodes of earlier loads.
    known: KnownSpaces,
    /// The graph as unique indexes are looked up in it.
    unique_at: Arc<dyn Snapshot>,
    /// Whether rows of this load are in the graph already: then an id may stand there.
    in_batches: bool,
    /// The key that each space's names are stored under, and how.
    id_keys: FxHashMap<Box<str>, (KeyId, IdType)>,
    /// Values of this load that unique indexes of properties have to hold once.
    seen: Seen,
    /// Labels and keys that have their unique index.
    unique: FxHashSet<(LabelId, KeyId)>,
    /// Bytes of the names of nodes, once these are given to the tables of relationships.
    nodes_bytes: u64,
    vertices: u64,
    edges: u64,
}

impl<'a, 'p> Consumer<'a, 'p> {
    pub(super) fn new(
        store: &'a dyn Store,
        options: CsvOptions,
        meter: Meter<'p>,
    ) -> Result<Self, LoadError> {
        let sink = match meter.path() {
            LoadPath::Bulk => Sink::bulk(store)?,
            LoadPath::Transaction => Sink::transaction(store, None),
        };
        let unique_at = store.snapshot()?;
        let known = KnownSpaces::new(Arc::clone(&unique_at));
        Ok(Self {
            store,
            options,
            meter,
            sink,
            spaces: FxHashMap::default(),
            made: FxHashMap::default(),
            known,
            unique_at,
            in_batches: false,
            id_keys: FxHashMap::default(),
            seen: Seen::default(),
            unique: FxHashSet::default(),
            nodes_bytes: 0,
            vertices: 0,
            edges: 0,
        })
    }

    /// For one batch: reads and writes belong to one transaction at `snapshot`.
    pub(in crate::csv) fn for_batch(
        store: &'a dyn Store,
        options: CsvOptions,
        meter: Meter<'p>,
        snapshot: Arc<dyn Snapshot>,
    ) -> Result<Self, LoadError> {
        let sink = Sink::transaction(store, Some(Arc::clone(&snapshot)));
        let (known, unique_at) = (KnownSpaces::new(Arc::clone(&snapshot)), snapshot);
        let new = Self::new(store, options, meter)?;
        Ok(Self { sink, known, unique_at, in_batches: true, ..new })
    }

    /// The batch, ready to be committed, its meter, and the numbers of vertices and edges in it.
    pub(in crate::csv) fn into_batch(self) -> (Sink<'a>, Meter<'p>, u64, u64) {
        (self.sink, self.meter, self.vertices, self.edges)
    }

    fn property_keys(&self, header: &Header) -> Result<Vec<KeyId>, LoadError> {
        let numbers = intern(self.store, NameKind::Key, header.property_names())?;
        Ok(numbers.into_iter().map(KeyId).collect())
    }

    fn push_vertices(&mut self, block: VertexBlock) -> Result<(), LoadError> {
        Ok(self.sink.push(Changes { vertices: vec![block], ..Changes::default() })?)
    }
}

/// Columns with their keys; a column without any value is left out.
fn keyed(keys: &[KeyId], columns: Vec<Column>) -> Vec<(KeyId, Column)> {
    let has_value = |column: &Column| {
        column.absents.as_ref().is_none_or(|absents| absents.count() < column.len())
    };
    keys.iter().copied().zip(columns).filter(|(_, column)| has_value(column)).collect()
}

/// The names of the kept rows; a node without a name has no entry.
fn names_column(names: Strings, kept: &[u32], id_type: IdType) -> Column {
    let is_text = id_type == IdType::Text;
    if is_text && kept.len() == names.len() && names.iter().all(|name| !name.is_empty()) {
        return Column::of(ColumnValues::String(names));
    }
    let mut column = Column::default();
    for row in kept {
        match names.get(*row as usize) {
            "" => column.push_absent(),
            name if is_text => push_text(&mut column, name),
            name => column.push(id_type.value(name).unwrap_or(Value::Null)),
        }
    }
    column
}
