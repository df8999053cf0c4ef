//! A snapshot: the graph at one position, registered so that nothing it sees is freed.

use std::sync::{Arc, OnceLock};

use millrace_model::column::Field;
use millrace_model::{
    Bits, Catalog, Column, Direction, EXTERNAL_ID_KEY, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId,
    LogPosition, Result, VertexId,
};
use millrace_store::key_range::ByteRange;
use millrace_store::nearest::{NearestMatches, NearestQuery};
use millrace_store::postings::{Exactness, PostingsSink};
use millrace_store::{
    EdgeRows, Elements, Ends, IdSpace, IndexState, IndexUsage, KeyRanges, Labels, RunSink,
    ScanCursor, Scanned, SeekMatches, Snapshot, non_blocking,
};
use millrace_terms::KeyQuestion;
use millrace_terms::score::TextStatistics;

use crate::checkpoint::OpenFolder;
use crate::graph::{Graph, GraphView};
use crate::index::Usage;

/// The graph at one position.
pub(crate) struct EmbeddedSnapshot {
    open: Arc<OpenFolder>,
    graph: Arc<Graph>,
    at: LogPosition,
    /// Looked up when it is asked for: the version that a reader needs is not freed.
    catalog: OnceLock<Arc<Catalog>>,
    id_bound: u64,
}

impl EmbeddedSnapshot {
    /// The graph as of now.
    pub(crate) fn of_now(open: &Arc<OpenFolder>, graph: &Arc<Graph>) -> EmbeddedSnapshot {
        let pipeline = &open.pipeline;
        let position = pipeline.readers.enter(&pipeline.progress);
        EmbeddedSnapshot {
            open: Arc::clone(open),
            graph: Arc::clone(graph),
            at: LogPosition(position),
            catalog: OnceLock::new(),
            // Read after the position: every id that is visible there was given before.
            id_bound: graph.leases.bound(),
        }
    }

    fn known_catalog(&self) -> &Arc<Catalog> {
        self.catalog.get_or_init(|| self.graph.catalog.at(self.at.0))
    }

    fn view(&self) -> GraphView<'_> {
        GraphView { graph: &self.graph, at: self.at, catalog: Arc::clone(self.known_catalog()) }
    }

    /// All types there are, by number, if none were asked for.
    fn all_types(&self) -> Vec<EdgeTypeId> {
        (0..self.known_catalog().edge_types.len() as u32).map(EdgeTypeId).collect()
    }
}

impl Drop for EmbeddedSnapshot {
    fn drop(&mut self) {
        self.open.pipeline.readers.leave(self.at.0);
    }
}

impl Snapshot for EmbeddedSnapshot {
    fn position(&self) -> LogPosition {
        self.at
    }

    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(self.known_catalog())
    }

    fn id_space(&self) -> IdSpace {
        IdSpace { dense: true, bound: self.id_bound }
    }

    fn scan_vertices(
        &self,
        label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        non_blocking::would_block()?;
        self.graph.partitions.scan_vertices(self.at, label, cursor, rows_max, vertices)
    }

    fn scan_vertices_with_edges(
        &self,
        types: &[EdgeTypeId],
        direction: Direction,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        non_blocking::would_block()?;
        let lists = (types, direction);
        self.graph.partitions.scan_vertices_with_edges(self.at, lists, cursor, rows_max, vertices)
    }

    fn scan_edges(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<()> {
        non_blocking::would_block()?;
        let partitions = &self.graph.partitions;
        match types {
            Some(types) => partitions.scan_edges(self.at, types, cursor, rows_max, edges),
            None => partitions.scan_edges(self.at, &self.all_types(), cursor, rows_max, edges),
        }
    }

    fn scan_edge_ids(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut Vec<EdgeId>,
    ) -> Result<()> {
        non_blocking::would_block()?;
        let partitions = &self.graph.partitions;
        match types {
            Some(types) => partitions.scan_edges(self.at, types, cursor, rows_max, edges),
            None => partitions.scan_edges(self.at, &self.all_types(), cursor, rows_max, edges),
        }
    }

    fn scan_pieces(&self, scanned: Scanned<'_>, elements: u64) -> Result<Vec<ScanCursor>> {
        let all;
        let scanned = match scanned {
            Scanned::Edges(None) => {
                all = self.all_types();
                Scanned::Edges(Some(&all))
            }
            some => some,
        };
        self.graph.partitions.scan_pieces(self.at, scanned, elements)
    }

    fn count_vertices(&self, label: Option<LabelId>) -> Result<u64> {
        self.graph.partitions.count_vertices(self.at, label)
    }

    fn count_edges(&self, edge_type: Option<EdgeTypeId>) -> Result<u64> {
        self.graph.partitions.count_edges(self.at, edge_type)
    }

    fn seek(&self, index: IndexId, keys: &[&Column], matches: &mut SeekMatches) -> Result<()> {
        match self.known_catalog().indexes.get(&index) {
            Some(defined) => self.view().seek(defined, keys, matches),
            None => Ok(()),
        }
    }

    fn seek_ranges(
        &self,
        index: IndexId,
        ranges: &KeyRanges<'_>,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        match self.known_catalog().indexes.get(&index) {
            Some(defined) => self.view().seek_ranges(defined, ranges, matches),
            None => Ok(()),
        }
    }

    fn candidates(
        &self,
        index: IndexId,
        questions: &[KeyQuestion],
        limit: usize,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        match self.known_catalog().indexes.get(&index) {
            Some(defined) => self.view().candidates_of(defined, questions, limit, matches),
            None => Ok(()),
        }
    }

    fn nearest(
        &self,
        index: IndexId,
        query: &NearestQuery<'_>,
        matches: &mut NearestMatches,
    ) -> Result<()> {
        match self.known_catalog().indexes.get(&index) {
            Some(defined) => {
                if self.view().nearest_of(defined, query, matches)? {
                    self.open.checkpoints.want();
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn postings(
        &self,
        index: IndexId,
        ranges: &[ByteRange],
        visit: PostingsSink<'_>,
    ) -> Result<Exactness> {
        match self.known_catalog().indexes.get(&index) {
            Some(defined) => self.view().postings(defined, ranges, visit),
            None => Ok(Exactness::Exact),
        }
    }

    fn count_entries(&self, index: IndexId, ranges: &[ByteRange]) -> Result<Vec<u64>> {
        match self.known_catalog().indexes.get(&index) {
            Some(defined) => self.view().count_entries(defined, ranges),
            None => Ok(vec![0; ranges.len()]),
        }
    }

    fn index_usage(&self, indexes: &[IndexId]) -> Result<Vec<IndexUsage>> {
        // What a transaction that begins now will know.
        let catalog = self.graph.catalog.at(self.open.pipeline.progress.visible());
        let usage = |index: &IndexId| {
            let Usage { entries, bytes } = self.graph.indexes.usage(*index);
            let build = self.graph.indexes.build(*index);
            let is_stopped = build.as_ref().is_some_and(|build| build.is_stopped());
            let (elements_done, elements_total) = build.map_or((0, 0), |build| build.elements());
            let (index, state) = (*index, IndexState::of(&catalog, *index));
            IndexUsage { index, state, elements_done, elements_total, is_stopped, entries, bytes }
        };
        Ok(indexes.iter().map(usage).collect())
    }

    fn text_statistics(&self, index: IndexId, field: usize) -> Result<TextStatistics> {
        match self.known_catalog().indexes.get(&index) {
            Some(defined) => self.view().text_statistics(defined, field),
            None => Ok(TextStatistics::default()),
        }
    }

    fn expand(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        sink: &mut dyn RunSink,
    ) -> Result<()> {
        let partitions = &self.graph.partitions;
        non_blocking::walk_runs(sink, |sink| {
            partitions.expand(self.at, frontier, types, direction, sink)
        })
    }

    fn degrees(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        degrees: &mut Vec<u64>,
    ) -> Result<()> {
        self.graph.partitions.degrees(self.at, frontier, types, direction, degrees)
    }

    fn exist(&self, elements: Elements<'_>) -> Result<Bits> {
        self.graph.partitions.exist(self.at, elements)
    }

    fn labels(&self, vertices: &[VertexId]) -> Result<Vec<Labels>> {
        self.graph.partitions.labels(self.at, vertices)
    }

    fn have_label(&self, vertices: &[VertexId], label: LabelId) -> Result<Bits> {
        self.graph.partitions.have_label(self.at, vertices, label)
    }

    fn ends(&self, edges: &[EdgeId]) -> Result<Ends> {
        self.graph.partitions.ends(self.at, edges)
    }

    fn gather(&self, elements: Elements<'_>, keys: &[KeyId]) -> Result<Vec<Column>> {
        self.graph.partitions.gather(self.at, elements, keys)
    }

    fn fields(&self, elements: Elements<'_>) -> Result<Vec<Arc<[Field]>>> {
        let fields = self.graph.partitions.fields(self.at, elements)?;
        if !self.known_catalog().has_external_ids() {
            return Ok(fields);
        }
        Ok(fields.into_iter().map(without_external_id).collect())
    }
}

/// An external id identifies an element outside the store, and is no property. Fields are by key,
/// and its is last.
fn without_external_id(fields: Arc<[Field]>) -> Arc<[Field]> {
    match &*fields {
        [rest @ .., last] if last.key == EXTERNAL_ID_KEY => Arc::from(rest),
        _ => fields,
    }
}
