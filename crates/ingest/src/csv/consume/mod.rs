//! Parsed rows to the sink, on the consumer's thread: names get vertices, groups of rows become
//! parts as they are, without being copied.

mod edges;
mod nodes;

use super::dialect::CsvOptions;
use super::edges::Space;
use super::header::Header;
use super::spaces::KnownSpaces;
use super::value::IdType;
use crate::error::LoadError;
use crate::graph::{Sink, intern};
use crate::progress::{LoadPath, Meter};
use millrace_model::{Column, KeyId, LabelId};
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
    /// Whether rows of this load are in the graph already: then an id may stand there.
    in_batches: bool,
    /// The key that each space's names are stored under, and how.
    id_keys: FxHashMap<Box<str>, (KeyId, IdType)>,
    /// Labels and keys that have their unique index.
    unique: FxHashSet<(LabelId, KeyId)>,
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
        let known = KnownSpaces::new(store.snapshot()?);
        Ok(Self {
            store,
            options,
            meter,
            sink,
            spaces: FxHashMap::default(),
            made: FxHashMap::default(),
            known,
            in_batches: false,
            id_keys: FxHashMap::default(),
            unique: FxHashSet::default(),
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
        let known = KnownSpaces::new(snapshot);
        Ok(Self { sink, known, in_batches: true, ..Self::new(store, options, meter)? })
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
