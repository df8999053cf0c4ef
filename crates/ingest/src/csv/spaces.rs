//! Id spaces that a graph remembers: under which key and labels the nodes of a space are found, so
//! that a later load may name nodes of an earlier one, and a batch those of the batches before.
//!
//! ```text
//!   note "load.ids.Person"     username⇥Person       one line for each key and label, of which
//!                              username⇥Author       there is a unique index
//! ```
//!
//! A space is a name of files, not of the graph. Two spaces may mean the same label; and nodes without a
//! label, or without a stored id, are in no space here.

use crate::graph::push_text;
use crate::limits::SEEK_ROWS;
use millrace_model::{CatalogChange, Column, KeyId, LabelId, Owner, Result, VertexId};
use millrace_store::{Changes, SeekMatches, Snapshot, Store, WriteBatch};
use std::sync::Arc;

/// Looks up names of earlier loads.
pub(super) struct KnownSpaces {
    snapshot: Arc<dyn Snapshot>,
}

fn note_name(space: &str) -> String {
    format!("load.ids.{space}")
}

impl KnownSpaces {
    pub(super) fn new(snapshot: Arc<dyn Snapshot>) -> Self {
        Self { snapshot }
    }

    /// Whether anything is known of a space.
    pub(super) fn has(&self, space: &str) -> bool {
        self.snapshot.catalog().notes.contains_key(note_name(space).as_str())
    }

    /// The vertex of each name, where the graph has one.
    pub(super) fn find(&self, space: &str, names: &[&str]) -> Result<Vec<Option<VertexId>>> {
        let mut found = vec![None; names.len()];
        let catalog = self.snapshot.catalog();
        let Some(note) = catalog.notes.get(note_name(space).as_str()) else { return Ok(found) };
        for (key, label) in note.lines().filter_map(|line| line.split_once('\t')) {
            let (Some(key), Some(label)) = (catalog.key(key), catalog.label(label)) else {
                continue;
            };
            let Some(index) = catalog.index(Owner::Label(label), &[key]) else { continue };
            for (chunk, found) in names.chunks(SEEK_ROWS).zip(found.chunks_mut(SEEK_ROWS)) {
                let mut column = Column::default();
                chunk.iter().for_each(|name| push_text(&mut column, name));
                let mut matches = SeekMatches::default();
                self.snapshot.seek(index.id, &[&column], &mut matches)?;
                for (row, id) in matches.rows.iter().zip(&matches.ids) {
                    found[*row as usize].get_or_insert(VertexId(*id));
                }
            }
        }
        Ok(found)
    }
}

/// Has the graph remember that nodes of a space are found by a key of a label.
pub(super) fn remember(store: &dyn Store, space: &str, key: KeyId, label: LabelId) -> Result<()> {
    let snapshot = store.snapshot()?;
    let catalog = snapshot.catalog();
    let (Some(key), Some(label)) = (catalog.keys.name(key.0), catalog.labels.name(label.0)) else {
        return Ok(());
    };
    if [key, label].iter().any(|name| name.contains(['\t', '\n'])) {
        return Ok(());
    }
    let (name, line) = (note_name(space), format!("{key}\t{label}\n"));
    let before = catalog.notes.get(name.as_str()).map_or("", |text| &**text);
    if before.contains(&line) {
        return Ok(());
    }
    let note = CatalogChange::SetNote(name.into(), Some(format!("{before}{line}").into()));
    let batch = WriteBatch {
        snapshot: snapshot.position(),
        catalog_version: catalog.version,
        changes: Changes { catalog: vec![note], ..Changes::default() },
        ..WriteBatch::default()
    };
    store.commit(batch)?.wait().map(drop)
}
