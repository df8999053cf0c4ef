//! The calls of a snapshot.

use std::sync::Arc;
use std::time::Duration;

use millrace_model::column::Field;
use millrace_model::{
    Bits, Catalog, Column, Direction, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId, LogPosition,
    Owner, Result, VertexId,
};
use millrace_terms::KeyQuestion;
use millrace_terms::score::TextStatistics;

use super::external;
use crate::changes::Labels;
use crate::reads::key_range::ByteRange;
use crate::reads::nearest::{NearestMatches, NearestQuery};
use crate::reads::postings::{Exactness, PostingsSink};
use crate::reads::run::RunSink;
use crate::reads::{
    EdgeRows, Elements, Ends, IdSpace, IndexUsage, KeyRanges, ScanCursor, Scanned, SeekMatches,
};

/// How new a snapshot has to be. A backend may always give a newer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// Everything that any process acknowledged before the call is in it.
    #[default]
    Latest,
    /// At most commits of the last so long before the call are missing.
    Within(Duration),
    /// It has this log position: for a client that comes with what it saw, of this process or of
    /// another. Position 0 takes what is here.
    Seen(LogPosition),
}

/// The graph at one position. All calls take sets; ids that do not exist are answered as empty,
/// absent or unset, never as an error: a language decides the meaning of an unknown id.
pub trait Snapshot: Send + Sync {
    /// The last commit this snapshot sees.
    fn position(&self) -> LogPosition;

    /// Names and definitions at this position. Names interned later may be in it too.
    fn catalog(&self) -> Arc<Catalog>;

    /// The range and density of vertex ids.
    fn id_space(&self) -> IdSpace;

    /// The external ids of vertices as numbers: the slot, unless a client chose another id. `None`:
    /// that is so of no vertex. A missing vertex has the number that was asked for. Where the id is
    /// a text, a number that stands for it and that no client can choose.
    fn external_ids(&self, vertices: &[VertexId]) -> Result<Option<Vec<u64>>> {
        external::external_numbers(self, Elements::Vertices(vertices))
    }

    /// The vertices with these external numbers. `None`: each is its own slot. One of an id that
    /// no vertex does not exist.
    fn find_external(&self, ids: &[u64]) -> Result<Option<Vec<VertexId>>> {
        let slots = external::find_numbers(self, Owner::AllVertices, ids)?;
        Ok(slots.map(|slots| slots.into_iter().map(VertexId).collect()))
    }

    /// The same as [`Snapshot::external_ids`], of edges.
    fn external_edge_ids(&self, edges: &[EdgeId]) -> Result<Option<Vec<u64>>> {
        external::external_numbers(self, Elements::Edges(edges))
    }

    /// The same as [`Snapshot::find_external`], of edges.
    fn find_external_edges(&self, ids: &[u64]) -> Result<Option<Vec<EdgeId>>> {
        let slots = external::find_numbers(self, Owner::AllEdges, ids)?;
        Ok(slots.map(|slots| slots.into_iter().map(EdgeId).collect()))
    }

    /// The external ids of elements, integers and texts. `None`: each is its own slot.
    fn external_id_values(&self, elements: Elements<'_>) -> Result<Option<Column>> {
        external::external_id_values(self, elements)
    }

    /// The slots of the vertices (`AllVertices`) or edges (`AllEdges`) with these texts as ids;
    /// none where no such element is.
    fn find_texts(&self, owner: Owner, texts: &[Arc<str>]) -> Result<Vec<Option<u64>>> {
        external::find_texts(self, owner, texts)
    }

    /// Appends up to `rows_max` vertices with the label (`None`: all), ids ascending.
    fn scan_vertices(
        &self,
        label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()>;

    /// The same as [`Snapshot::scan_vertices`] of all vertices; those without an edge of the types in the direction may
    /// be left out.
    fn scan_vertices_with_edges(
        &self,
        _types: &[EdgeTypeId],
        _direction: Direction,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        self.scan_vertices(None, cursor, rows_max, vertices)
    }

    /// Appends at least one and about `rows_max` edges of the types (`None`: all), if there are
    /// more: type by type in the order asked for (all: by number), by source within a type; edges
    /// that a transaction itself created come last within their type, by source too.
    fn scan_edges(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<()>;

    /// The same as [`Snapshot::scan_edges`], the edges alone.
    fn scan_edge_ids(
        &self,
        types: Option<&[EdgeTypeId]>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut Vec<EdgeId>,
    ) -> Result<()> {
        let mut rows = EdgeRows::default();
        self.scan_edges(types, cursor, rows_max, &mut rows)?;
        edges.append(&mut rows.edges);
        Ok(())
    }

    /// Pieces of about so many elements that a scan consists of, in its order, so that threads may share it: each begins
    /// and ends as its cursor says. None: it goes in one piece.
    fn scan_pieces(&self, _scanned: Scanned<'_>, _elements: u64) -> Result<Vec<ScanCursor>> {
        Ok(Vec::new())
    }

    /// How many vertices have the label (`None`: all).
    fn count_vertices(&self, label: Option<LabelId>) -> Result<u64>;

    /// How many edges are of the type (`None`: all).
    fn count_edges(&self, edge_type: Option<EdgeTypeId>) -> Result<u64>;

    /// Finds the elements with the indexed values of each row of `keys` (one column for
    /// each key of the index), by the order's equality (1 = 1.0). Null and absent find nothing. An
    /// index that is not among the catalog's ready ones finds nothing either.
    fn seek(&self, index: IndexId, keys: &[&Column], matches: &mut SeekMatches) -> Result<()>;

    /// Finds the elements of each row's range, rows ascending, in the order of the index's keys and
    /// then of ids within a row (`descending`: that order reversed). Prefixes equal by the order's
    /// equality. A bound holds only values that compare with it: numbers with numbers, never NaN.
    /// Null and absent, in a prefix or as a bound, find nothing. `Unsupported` for an index of
    /// another kind, or more keys than it has.
    fn seek_ranges(
        &self,
        index: IndexId,
        ranges: &KeyRanges<'_>,
        matches: &mut SeekMatches,
    ) -> Result<()>;

    /// Finds the elements that an index of made keys has for each question, rows ascending, ids ascending within a
    /// row: all that a question is true of, and perhaps others. A row with `limit` of them, the most there may be, has
    /// perhaps more. The one who asks judges them by their values. `Unsupported` for an index of another kind.
    fn candidates(
        &self,
        index: IndexId,
        questions: &[KeyQuestion],
        limit: usize,
        matches: &mut SeekMatches,
    ) -> Result<()>;

    /// Finds the elements with the vectors of an index that are nearest to those of a query, up to its limit a row:
    /// exactly, unless the query lets a graph of neighbours be asked. A backend without one compares all. `Unsupported`
    /// for an index of another kind.
    fn nearest(
        &self,
        index: IndexId,
        query: &NearestQuery<'_>,
        matches: &mut NearestMatches,
    ) -> Result<()>;

    /// Walks the entries of an index of made keys in ranges of keys, and says whether they are those of this snapshot.
    /// Nothing for an index that is not among the catalog's ready ones; `Unsupported` for one of another kind.
    fn postings(
        &self,
        index: IndexId,
        ranges: &[ByteRange],
        visit: PostingsSink<'_>,
    ) -> Result<Exactness>;

    /// How many entries an index of made keys has in each range, read without the entries. Elements that this transaction
    /// changed may count twice, and commits behind the snapshot may count.
    fn count_entries(&self, index: IndexId, ranges: &[ByteRange]) -> Result<Vec<u64>>;

    /// What each of these indexes takes now, and how far its build is if one is under way. Zeros for one that is not
    /// there.
    fn index_usage(&self, indexes: &[IndexId]) -> Result<Vec<IndexUsage>>;

    /// Counts of the texts of a property of an index of scored words (`field`: which of its keys). They may be those of a
    /// moment at which the index had a thirty-second more or fewer texts.
    fn text_statistics(&self, index: IndexId, field: usize) -> Result<TextStatistics>;

    /// Walks the lists of a frontier (`types: None` is all types, by number; types asked for do
    /// not repeat; frontier rows may). `Both` walks out lists then in lists, so a loop is seen
    /// twice. Empty lists have no run.
    fn expand(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        sink: &mut dyn RunSink,
    ) -> Result<()>;

    /// Appends the degree of each vertex of the frontier; under `Both` a loop counts twice.
    fn degrees(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        degrees: &mut Vec<u64>,
    ) -> Result<()>;

    /// Which of the elements exist.
    fn exist(&self, elements: Elements<'_>) -> Result<Bits>;

    /// The labels of each vertex, ascending by number; none for one that does not exist.
    fn labels(&self, vertices: &[VertexId]) -> Result<Vec<Labels>>;

    /// Which of the vertices have a label.
    fn have_label(&self, vertices: &[VertexId], label: LabelId) -> Result<Bits> {
        Ok(self.labels(vertices)?.iter().map(|labels| labels.contains(&label)).collect())
    }

    /// Type, source and target of each edge.
    fn ends(&self, edges: &[EdgeId]) -> Result<Ends>;

    /// One column for each key, with an entry for each element; absent where it has none.
    fn gather(&self, elements: Elements<'_>, keys: &[KeyId]) -> Result<Vec<Column>>;

    /// All properties of each element, by key number; an external id is none.
    fn fields(&self, elements: Elements<'_>) -> Result<Vec<Arc<[Field]>>>;
}
