//! The notes of the graph that the elements of a bulk load need: keys with several values or null.

use std::sync::Arc;

use millrace_model::{Catalog, CatalogChange, LogPosition, Result};
use millrace_store::{Changes, WriteBatch};

use super::submit::submit;
use crate::checkpoint::OpenFolder;
use crate::graph::Graph;

/// Changes of the catalog.
#[derive(Default)]
pub(super) struct LoadNotes(Vec<CatalogChange>);

impl LoadNotes {
    /// Adds those that a part of the load needs.
    pub(super) fn add(&mut self, part: &Changes, catalog: &Catalog) {
        for note in part.notes_of_irregular_keys(catalog) {
            if !self.0.contains(&note) {
                self.0.push(note);
            }
        }
    }

    /// Commits them: before the elements, so that no reader sees these without.
    pub(super) fn commit(self, open: &Arc<OpenFolder>, graph: &Arc<Graph>) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let batch = WriteBatch {
            snapshot: LogPosition(open.pipeline.progress.visible()),
            catalog_version: graph.catalog.newest().version,
            changes: Changes { catalog: self.0, ..Changes::default() },
            ..WriteBatch::default()
        };
        submit(open, graph, batch).map(drop)
    }
}
