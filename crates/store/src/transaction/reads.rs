//! The calls of a snapshot, answered by a transaction: noted if it is serializable, then asked of
//! the view.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{
    Bits, Catalog, Column, Direction, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId, LogPosition,
    Owner, Result, VertexId,
};
use millrace_terms::KeyQuestion;
use millrace_terms::score::TextStatistics;

use super::Transaction;
use crate::base::key_hash::hash_row;
use crate::base::limits::CHOSEN_AHEAD;
use crate::changes::{Isolation, Labels, ReadUnit};
use crate::external_ids::{keys_of, text_keys, with_elements};
use crate::reads::key_range::ByteRange;
use crate::reads::nearest::{NearestMatches, NearestQuery};
use crate::reads::postings::{Exactness, PostingsSink};
use crate::reads::run::RunSink;
use crate::reads::{
    EdgeRows, Elements, Ends, IdSpace, IndexState, IndexUsage, KeyRanges, ScanCursor, Scanned,
    SeekMatches,
};
use crate::snapshot::Snapshot;
use crate::transaction::writes::schema_change::is_provisional;

impl Snapshot for Transaction {
    fn position(&self) -> LogPosition {
        self.snapshot.position()
    }

    fn catalog(&self) -> Arc<Catalog> {
        self.set.read().catalog.clone()
    }

    fn id_space(&self) -> IdSpace {
        let IdSpace { dense, bound } = self.snapshot.id_space();
        IdSpace { dense, bound: bound.max(self.set.read().created.id_bound()) }
    }

    fn external_ids(&self, vertices: &[VertexId]) -> Result<Option<Vec<u64>>> {
        self.external_numbers_unread(Elements::Vertices(vertices))
    }

    fn find_external(&self, ids: &[u64]) -> Result<Option<Vec<VertexId>>> {
        let internal_ids = self.find_numbers_reading(Owner::AllVertices, ids)?;
        Ok(internal_ids.map(|internal_ids| internal_ids.into_iter().map(VertexId).collect()))
    }

    fn external_edge_ids(&self, edges: &[EdgeId]) -> Result<Option<Vec<u64>>> {
        self.external_numbers_unread(Elements::Edges(edges))
    }

    fn find_external_edges(&self, ids: &[u64]) -> Result<Option<Vec<EdgeId>>> {
        let internal_ids = self.find_numbers_reading(Owner::AllEdges, ids)?;
        Ok(internal_ids.map(|internal_ids| internal_ids.into_iter().map(EdgeId).collect()))
    }

    fn external_id_values(&self, elements: Elements<'_>) -> Result<Option<Column>> {
        self.with_view(|view| view.external_id_values(elements))
    }

    fn find_texts(&self, owner: Owner, texts: &[Arc<str>]) -> Result<Vec<Option<u64>>> {
        self.find_texts_reading(owner, texts)
    }

    fn scan_vertices(
        &self,
        label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        self.record([ReadUnit::Label(label)].into_iter());
        self.with_records(|view| view.scan_vertices(label, cursor, rows_max, vertices))
    }

    fn scan_vertices_with_edges(
        &self,
        types: &[EdgeTypeId],
        direction: Direction,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        match self.unchanged() {
            Some(own) => own.scan_vertices_with_edges(types, direction, cursor, rows_max, vertices),
            None => self.scan_vertices(None, cursor, rows_max, vertices),
        }
    }

    fn scan_edges(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<()> {
        self.record_types(types);
        self.with_records(|view| view.scan_edges(types, cursor, rows_max, edges))
    }

    fn scan_edge_ids(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut Vec<EdgeId>,
    ) -> Result<()> {
        self.record_types(types);
        self.with_records(|view| view.scan_edge_ids(types, cursor, rows_max, edges))
    }

    fn scan_pieces(&self, scanned: Scanned<'_>, elements: u64) -> Result<Vec<ScanCursor>> {
        // Its own elements have no place among those of the snapshot.
        self.unchanged().map_or(Ok(Vec::new()), |own| own.scan_pieces(scanned, elements))
    }

    fn count_vertices(&self, label: Option<LabelId>) -> Result<u64> {
        self.record([ReadUnit::Label(label)].into_iter());
        self.with_records(|view| view.count_vertices(label))
    }

    fn count_edges(&self, edge_type: Option<EdgeTypeId>) -> Result<u64> {
        self.record([ReadUnit::EdgeType(edge_type)].into_iter());
        self.with_records(|view| view.count_edges(edge_type))
    }

    fn seek(&self, index: IndexId, keys: &[&Column], matches: &mut SeekMatches) -> Result<()> {
        let rows = 0..keys.first().map_or(0, |column| column.len());
        let hashes = rows.filter_map(|row| hash_row(keys, row));
        self.record(hashes.map(|hash| ReadUnit::Seek(index, hash)));
        self.with_records(|view| view.seek(index, keys, matches))
    }

    fn seek_ranges(
        &self,
        index: IndexId,
        ranges: &KeyRanges<'_>,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        self.record([ReadUnit::Index(index)].into_iter());
        self.with_records(|view| view.seek_ranges(index, ranges, matches))
    }

    fn candidates(
        &self,
        index: IndexId,
        questions: &[KeyQuestion],
        limit: usize,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        self.record([ReadUnit::Index(index)].into_iter());
        self.with_records(|view| view.candidates(index, questions, limit, matches))
    }

    fn nearest(
        &self,
        index: IndexId,
        query: &NearestQuery<'_>,
        matches: &mut NearestMatches,
    ) -> Result<()> {
        self.record([ReadUnit::Index(index)].into_iter());
        self.with_records(|view| view.nearest(index, query, matches))
    }

    fn postings(
        &self,
        index: IndexId,
        ranges: &[ByteRange],
        visit: PostingsSink<'_>,
    ) -> Result<Exactness> {
        self.record([ReadUnit::Index(index)].into_iter());
        self.with_records(|view| view.postings(index, ranges, visit))
    }

    fn count_entries(&self, index: IndexId, ranges: &[ByteRange]) -> Result<Vec<u64>> {
        self.record([ReadUnit::Index(index)].into_iter());
        self.with_records(|view| view.count_entries(index, ranges))
    }

    fn index_usage(&self, indexes: &[IndexId]) -> Result<Vec<IndexUsage>> {
        let mut usage = self.with_records(|view| view.snapshot.index_usage(indexes))?;
        // Its own indexes are filled as it defines them, or built when it commits: there is nothing to wait for.
        let own = usage.iter_mut().filter(|usage| is_provisional(usage.index));
        own.for_each(|usage| usage.state = IndexState::Ready);
        Ok(usage)
    }

    fn text_statistics(&self, index: IndexId, field: usize) -> Result<TextStatistics> {
        self.record([ReadUnit::Index(index)].into_iter());
        self.with_records(|view| view.text_statistics(index, field))
    }

    fn expand(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        sink: &mut dyn RunSink,
    ) -> Result<()> {
        self.record(frontier.iter().map(|vertex| ReadUnit::List(*vertex)));
        self.with_view(|view| view.expand(frontier, types, direction, sink))
    }

    fn degrees(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        degrees: &mut Vec<u64>,
    ) -> Result<()> {
        self.record(frontier.iter().map(|vertex| ReadUnit::List(*vertex)));
        self.with_view(|view| view.degrees(frontier, types, direction, degrees))
    }

    fn exist(&self, elements: Elements<'_>) -> Result<Bits> {
        self.record_elements(elements);
        match elements {
            Elements::Vertices(_) => self.with_records(|view| view.exist(elements)),
            Elements::Edges(_) => self.with_view(|view| view.exist(elements)),
        }
    }

    fn labels(&self, vertices: &[VertexId]) -> Result<Vec<Labels>> {
        self.record_elements(Elements::Vertices(vertices));
        self.with_records(|view| view.labels(vertices))
    }

    fn have_label(&self, vertices: &[VertexId], label: LabelId) -> Result<Bits> {
        self.record_elements(Elements::Vertices(vertices));
        self.with_records(|view| view.have_label(vertices, label))
    }

    fn ends(&self, edges: &[EdgeId]) -> Result<Ends> {
        self.record_elements(Elements::Edges(edges));
        self.with_view(|view| view.ends(edges))
    }

    fn gather(&self, elements: Elements<'_>, keys: &[KeyId]) -> Result<Vec<Column>> {
        self.record_elements(elements);
        self.with_view(|view| view.gather(elements, keys))
    }

    fn fields(&self, elements: Elements<'_>) -> Result<Vec<Arc<[Field]>>> {
        self.record_elements(elements);
        self.with_view(|view| view.fields(elements))
    }
}

impl Transaction {
    /// The snapshot under it, if what it reads is what that gives: it has changed nothing, and its reads are not recorded.
    pub fn unchanged(&self) -> Option<Arc<dyn Snapshot>> {
        let is_recorded = self.isolation == Isolation::Serializable;
        (!is_recorded && self.set.read().is_empty()).then(|| self.snapshot.clone())
    }

    /// Notes that the edges of these types (`None`: all) were listed.
    fn record_types(&self, types: Option<&[EdgeTypeId]>) {
        match types {
            None => self.record([ReadUnit::EdgeType(None)].into_iter()),
            Some(types) => self.record(types.iter().map(|kind| ReadUnit::EdgeType(Some(*kind)))),
        }
    }

    /// An element has one external id as long as it lives, so the id is no read of the transaction.
    pub(super) fn external_numbers_unread(
        &self,
        elements: Elements<'_>,
    ) -> Result<Option<Vec<u64>>> {
        self.with_view(|view| view.external_numbers(elements))
    }

    /// Notes that numbers were looked for. Before the first external id, one that cannot be an
    /// internal id may come with any vertex, and one that no edge has with any edge.
    pub(super) fn find_numbers_reading(
        &self,
        owner: Owner,
        ids: &[u64],
    ) -> Result<Option<Vec<u64>>> {
        if self.isolation == Isolation::Serializable {
            let catalog = self.catalog();
            match catalog.external_index_of(owner) {
                Some(index) => self.record_sought(index.id, &keys_of(ids)),
                None if self.may_come(owner, ids)? => self.record_any(owner),
                None => {}
            }
        }
        self.with_view(|view| view.find_numbers(owner, ids))
    }

    /// The same of texts, which are no internal ids.
    pub(super) fn find_texts_reading(
        &self,
        owner: Owner,
        texts: &[Arc<str>],
    ) -> Result<Vec<Option<u64>>> {
        match self.catalog().external_index_of(owner) {
            Some(index) => self.record_sought(index.id, &text_keys(texts)),
            None => self.record_any(owner),
        }
        self.with_view(|view| view.find_texts(owner, texts))
    }

    fn may_come(&self, owner: Owner, ids: &[u64]) -> Result<bool> {
        if owner == Owner::AllVertices {
            let slots_end = self.snapshot.id_space().bound.saturating_add(CHOSEN_AHEAD);
            return Ok(ids.iter().any(|id| slots_end <= *id));
        }
        let there = with_elements(owner, ids, |edges| self.with_view(|view| view.exist(edges)))?;
        Ok(there.count() < ids.len())
    }

    fn record_sought(&self, index: IndexId, keys: &Column) {
        let hashes = (0..keys.len()).filter_map(|row| hash_row(&[keys], row));
        self.record(hashes.map(|hash| ReadUnit::Seek(index, hash)));
    }

    fn record_any(&self, owner: Owner) {
        let unit = match owner {
            Owner::AllVertices | Owner::Label(_) => ReadUnit::Label(None),
            Owner::AllEdges | Owner::EdgeType(_) => ReadUnit::EdgeType(None),
        };
        self.record([unit].into_iter());
    }
}
