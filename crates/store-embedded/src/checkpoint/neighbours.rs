//! The files of graphs of neighbours: found when a folder is opened, written when a graph was made, removed when it is the
//! graph of nothing.
//!
//! A crash between the base of an index and the file of its graph loses the graph, or leaves an older one, which the next
//! search brings up to date. So no record and no manifest names these files, and no failure here is one of a checkpoint.

use std::collections::HashSet;
use std::sync::Arc;

use millrace_model::IndexId;

use crate::base::error::Result;
use crate::checkpoint::OpenFolder;
use crate::graph::Graph;
use crate::index::RangeIndex;
use crate::io::{FileKind, FileName};
use crate::persistent::segment::{SegmentFile, neighbours_of, write_neighbours};

/// The tasks of which events tell.
const FINDING: &str = "opening the graph of a vector index, which is made anew";
const STORING: &str = "storing the graph of a vector index";

impl OpenFolder {
    /// Gives indexes the files of their graphs. Of several the newest counts: a crash left the others.
    pub(crate) fn find_neighbours(&self) {
        // Best effort: without a file a graph is made anew.
        for name in self.folder.names(FileKind::Neighbours).unwrap_or_default() {
            let found = SegmentFile::open(&self.folder, name)
                .and_then(|file| neighbours_of(&file).map(|of| (file, of)));
            self.folder.watch().note_task(FINDING, &found);
            let Ok((file, (graph, index))) = found else { continue };
            let graph = self.graphs.get(graph);
            if let Some(ordered) = graph.and_then(|graph| graph.indexes.ordered(index)) {
                ordered.keep_graph_file(file);
            }
        }
    }

    /// Writes the graphs that were made since they were stored.
    pub(crate) fn store_neighbours(&self) {
        if self.is_read_only() {
            return;
        }
        let mut is_new = false;
        for (graph, index, ordered) in self.ordered_indexes() {
            let Some((stored, charge)) = ordered.graph_to_store() else { continue };
            let at = ordered.all().iter().map(|shard| shard.checkpoint()).max().unwrap_or_default();
            let written = write_neighbours(&self.folder, (graph.id, index), at, &stored);
            drop((stored, charge));
            self.folder.watch().note_task(STORING, &written);
            if let Ok(file) = written {
                ordered.note_graph_file(file.name);
                is_new = true;
            }
        }
        if is_new {
            self.sweep_neighbours();
        }
    }

    /// Removes the files that are the graphs of no index. Best effort: one that is left goes the next time.
    pub(crate) fn sweep_neighbours(&self) {
        let outcome = self.sweep();
        self.folder.watch().note_task(STORING, &outcome);
    }

    fn sweep(&self) -> Result<()> {
        let names = self.folder.names(FileKind::Neighbours)?;
        let indexes = self.ordered_indexes();
        let named: HashSet<FileName> =
            indexes.iter().filter_map(|(.., ordered)| ordered.graph_file()).collect();
        let gone = names.into_iter().filter(|name| !named.contains(name)).collect();
        let gone = self.checkpoints.unless_pinned(gone);
        gone.into_iter().try_for_each(|name| self.folder.remove_freed(name))
    }

    fn ordered_indexes(&self) -> Vec<(Arc<Graph>, IndexId, Arc<RangeIndex>)> {
        let of_graph = |graph: Arc<Graph>| {
            let catalog = graph.catalog.newest();
            let founded = graph.indexes.founded(&catalog);
            let ordered = founded.filter_map(|index| {
                let ordered = graph.indexes.ordered(index.id)?;
                Some((Arc::clone(&graph), index.id, ordered))
            });
            ordered.collect::<Vec<_>>()
        };
        self.graphs.all().into_iter().flat_map(of_graph).collect()
    }
}
