//! Id spaces that a graph remembers: under which key and labels the nodes of a space are found, so
//! that a later load may name nodes of an earlier one, and a batch those of the batches before.
//!
//! ```text
//!   note "load.ids.Person"     username⇥Person       one line for each key and label, of which
//!                              number⇥Author⇥long    there is a unique index; and the type of ids
//! ```
//!
//! A space is a name of files, not of the graph. Two spaces may mean the same label; and nodes without a
//! label, or without a stored id, are in no space here. A space without a note is the label of its name, if
//! that has a unique index of one key: so nodes that came by other ways are found, too.

use super::value::IdType;
use crate::graph::push_text;
use crate::limits::SEEK_ROWS;
use millrace_model::schema::IndexKind;
use millrace_model::{
    Catalog, CatalogChange, Column, IndexId, KeyId, LabelId, Owner, Result, Value, VertexId,
};
use millrace_store::{Changes, SeekMatches, Snapshot, Store, WriteBatch};
use std::sync::Arc;

/// Looks up names of earlier loads.
pub(crate) struct KnownSpaces {
    snapshot: Arc<dyn Snapshot>,
}

const NOTES: &str = "load.ids.";

fn note_name(space: &str) -> String {
    format!("{NOTES}{space}")
}

/// A unique index by which nodes of a space are found.
struct Lookup {
    index: IndexId,
    /// How the note says that ids are stored; `None`: in either way.
    id_type: Option<IdType>,
}

fn lookups(catalog: &Catalog, space: &str) -> Vec<Lookup> {
    let Some(note) = catalog.notes.get(note_name(space).as_str()) else {
        let Some(label) = catalog.label(space) else { return Vec::new() };
        let indexes = catalog.indexes.iter().filter(|index| {
            index.owner == Owner::Label(label)
                && index.kind == IndexKind::Unique
                && index.keys.len() == 1
        });
        return indexes.map(|index| Lookup { index: index.id, id_type: None }).collect();
    };
    let lookup = |line: &str| {
        let mut words = line.split('\t');
        let (key, label) = (catalog.key(words.next()?)?, catalog.label(words.next()?)?);
        let id_type = words.next().and_then(IdType::from_word).unwrap_or_default();
        let index = catalog.index(Owner::Label(label), &[key])?.id;
        Some(Lookup { index, id_type: Some(id_type) })
    };
    note.lines().filter_map(lookup).collect()
}

impl KnownSpaces {
    pub(crate) fn new(snapshot: Arc<dyn Snapshot>) -> Self {
        Self { snapshot }
    }

    /// Whether anything is known of a space.
    pub(super) fn has(&self, space: &str) -> bool {
        let catalog = self.snapshot.catalog();
        catalog.notes.contains_key(note_name(space).as_str())
            || !lookups(&catalog, space).is_empty()
    }

    /// The spaces that the graph remembers.
    pub(super) fn names(&self) -> Vec<Box<str>> {
        let catalog = self.snapshot.catalog();
        catalog.notes.keys().filter_map(|name| Some(name.strip_prefix(NOTES)?.into())).collect()
    }

    /// The key by which nodes of a space are found, and the type of their ids, if the graph remembers them.
    pub(crate) fn key_of(&self, space: &str) -> Option<(Box<str>, IdType)> {
        let catalog = self.snapshot.catalog();
        let note = catalog.notes.get(note_name(space).as_str())?;
        let mut words = note.lines().next()?.split('\t');
        let key = words.next()?.into();
        Some((key, words.nth(1).and_then(IdType::from_word).unwrap_or_default()))
    }

    /// The vertex of each name, where the graph has one.
    pub(crate) fn find(&self, space: &str, names: &[&str]) -> Result<Vec<Option<VertexId>>> {
        let mut found = vec![None; names.len()];
        for Lookup { index, id_type } in lookups(&self.snapshot.catalog(), space) {
            let types = id_type.map_or(vec![IdType::Text, IdType::Integer], |only| vec![only]);
            for id_type in types {
                for (chunk, found) in names.chunks(SEEK_ROWS).zip(found.chunks_mut(SEEK_ROWS)) {
                    self.seek(index, id_type, chunk, found)?;
                }
            }
        }
        Ok(found)
    }

    fn seek(
        &self,
        index: IndexId,
        id_type: IdType,
        names: &[&str],
        found: &mut [Option<VertexId>],
    ) -> Result<()> {
        let mut column = Column::default();
        for name in names {
            match id_type {
                IdType::Text => push_text(&mut column, name),
                IdType::Integer => {
                    match id_type.name(name).ok().and_then(|name| id_type.value(&name)) {
                        Some(number) => column.push(number),
                        None => column.push(Value::Null),
                    }
                }
            }
        }
        let mut matches = SeekMatches::default();
        self.snapshot.seek(index, &[&column], &mut matches)?;
        for (row, id) in matches.rows.iter().zip(&matches.ids) {
            found[*row as usize].get_or_insert(VertexId(*id));
        }
        Ok(())
    }
}

/// Has the graph remember that nodes of a space are found by a key of a label.
pub(crate) fn remember(
    store: &dyn Store,
    space: &str,
    (key, id_type): (KeyId, IdType),
    label: LabelId,
) -> Result<()> {
    let snapshot = store.snapshot()?;
    let catalog = snapshot.catalog();
    let (Some(key), Some(label)) = (catalog.keys.name(key.0), catalog.labels.name(label.0)) else {
        return Ok(());
    };
    if [key, label].iter().any(|name| name.contains(['\t', '\n'])) {
        return Ok(());
    }
    let type_word = match id_type {
        IdType::Text => String::new(),
        IdType::Integer => format!("\t{}", id_type.word()),
    };
    let (name, line) = (note_name(space), format!("{key}\t{label}{type_word}"));
    let before = catalog.notes.get(name.as_str()).map_or("", |text| &**text);
    if before.lines().any(|known| known == line) {
        return Ok(());
    }
    let line = line + "\n";
    let note = CatalogChange::SetNote(name.into(), Some(format!("{before}{line}").into()));
    let batch = WriteBatch {
        snapshot: snapshot.position(),
        catalog_version: catalog.version,
        changes: Changes { catalog: vec![note], ..Changes::default() },
        ..WriteBatch::default()
    };
    store.commit(batch)?.wait().map(drop)
}
