//! Parsed rows to the sink, on the consumer's thread: names get vertices, groups of rows become
//! parts as they are, without being copied.

mod edges;
mod nodes;

use super::edges::Space;
use super::header::{Header, Role};
use super::load::CsvOptions;
use crate::error::LoadError;
use crate::graph::{Sink, intern_one};
use crate::load::{LoadPath, Meter};
use millrace_model::{Column, KeyId, LabelId};
use millrace_store::{Changes, NameKind, Store, VertexBlock};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of one load.
pub(super) struct Consumer<'a, 'p> {
    store: &'a dyn Store,
    options: CsvOptions,
    meter: Meter<'p>,
    sink: Sink<'a>,
    spaces: FxHashMap<Box<str>, Space>,
    /// The key that each space's names are stored under.
    id_keys: FxHashMap<Box<str>, KeyId>,
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
        Ok(Self {
            store,
            options,
            meter,
            sink,
            spaces: FxHashMap::default(),
            id_keys: FxHashMap::default(),
            unique: FxHashSet::default(),
            vertices: 0,
            edges: 0,
        })
    }

    fn property_keys(&self, header: &Header) -> Result<Vec<KeyId>, LoadError> {
        let mut keys = Vec::new();
        for role in &header.roles {
            if let Role::Property { key, .. } = role {
                keys.push(KeyId(intern_one(self.store, NameKind::Key, key)?));
            }
        }
        Ok(keys)
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
