//! A graph with a few names, and short ways to write and read it.
//!
//! [`walk`] checks the contract of runs on everything it reads, so every case does.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use millrace_model::{
    Column, Direction, EdgeId, EdgeTypeId, Error, ErrorKind, KeyId, LabelId, LogPosition, Result,
    Value, VertexId,
};

use super::{HANDLES, Harness};
use crate::backend::{NameKind, Store};
use crate::changes::{Isolation, Labels};
use crate::reads::run::Run;
use crate::reads::{EdgeRows, ScanCursor, Scanned, SeekMatches};
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

pub(super) struct Fixture {
    graph: &'static str,
    /// The graph through the first handle: what is leased, spilled and loaded there is committed
    /// there.
    pub(super) store: Arc<dyn Store>,
    /// The graph through each handle; transactions and snapshots begin on one after the other.
    stores: Vec<Arc<dyn Store>>,
    next: AtomicUsize,
    pub(super) person: LabelId,
    pub(super) item: LabelId,
    pub(super) knows: EdgeTypeId,
    pub(super) likes: EdgeTypeId,
    pub(super) name: KeyId,
    pub(super) age: KeyId,
}

/// A run, copied: row, type, direction, (neighbour, edge) pairs.
pub(super) type Walked = (usize, EdgeTypeId, Direction, Vec<(VertexId, EdgeId)>);

const GRAPH: &str = "graph";

impl Fixture {
    pub(super) fn new(harness: &dyn Harness) -> Result<Fixture> {
        Fixture::named(harness, GRAPH)
    }

    /// A graph beside others.
    pub(super) fn named(harness: &dyn Harness, graph: &'static str) -> Result<Fixture> {
        harness.backend().create_graph(graph)?;
        Fixture::of_handles(harness, graph)
    }

    fn of_handles(harness: &dyn Harness, graph: &'static str) -> Result<Fixture> {
        let stores = (0..HANDLES).map(|number| harness.handle(number).graph(graph));
        Fixture::of_graph(graph, stores.collect::<Result<_>>()?)
    }

    pub(super) fn of(store: Arc<dyn Store>) -> Result<Fixture> {
        Fixture::of_graph(GRAPH, vec![store])
    }

    fn of_graph(graph: &'static str, stores: Vec<Arc<dyn Store>>) -> Result<Fixture> {
        let store = Arc::clone(&stores[0]);
        let names = [
            (NameKind::Label, "Person"),
            (NameKind::Label, "Item"),
            (NameKind::EdgeType, "KNOWS"),
            (NameKind::EdgeType, "LIKES"),
            (NameKind::Key, "name"),
            (NameKind::Key, "age"),
        ];
        let numbers = store.intern(&names)?;
        Ok(Fixture {
            graph,
            store,
            stores,
            next: AtomicUsize::new(0),
            person: LabelId(numbers[0]),
            item: LabelId(numbers[1]),
            knows: EdgeTypeId(numbers[2]),
            likes: EdgeTypeId(numbers[3]),
            name: KeyId(numbers[4]),
            age: KeyId(numbers[5]),
        })
    }

    /// The same graph after the backend was closed and opened.
    pub(super) fn reopen(self, harness: &mut dyn Harness) -> Result<Fixture> {
        let graph = self.graph;
        drop(self);
        harness.reopen();
        Fixture::of_handles(harness, graph)
    }

    /// The graph through the next handle.
    fn next_store(&self) -> Arc<dyn Store> {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        Arc::clone(&self.stores[next % self.stores.len()])
    }

    pub(super) fn begin(&self) -> Result<Transaction> {
        Transaction::begin(self.next_store(), Isolation::Snapshot)
    }

    pub(super) fn serializable(&self) -> Result<Transaction> {
        Transaction::begin(self.next_store(), Isolation::Serializable)
    }

    pub(super) fn begin_at(&self, level: Isolation) -> Result<Transaction> {
        Transaction::begin(self.next_store(), level)
    }

    pub(super) fn snapshot(&self) -> Result<Arc<dyn Snapshot>> {
        self.next_store().snapshot()
    }

    pub(super) fn people(&self) -> Labels {
        Arc::from([self.person])
    }

    /// Commits people, each with a name `p0`, `p1`, ….
    pub(super) fn add_people(&self, count: usize) -> Result<Vec<VertexId>> {
        let transaction = self.begin()?;
        let names = Column::from_values((0..count).map(|at| Value::from(&*format!("p{at}"))));
        let people = transaction.create_vertices(&self.people(), count, &[(self.name, &names)])?;
        commit(transaction)?;
        Ok(people)
    }

    /// Commits edges of one type.
    pub(super) fn add_edges(
        &self,
        edge_type: EdgeTypeId,
        ends: &[(VertexId, VertexId)],
    ) -> Result<Vec<EdgeId>> {
        let transaction = self.begin()?;
        let (sources, targets): (Vec<_>, Vec<_>) = ends.iter().copied().unzip();
        let edges = transaction.create_edges(edge_type, &sources, &targets, &[])?;
        commit(transaction)?;
        Ok(edges)
    }

    pub(super) fn set_age(
        &self,
        transaction: &Transaction,
        vertex: VertexId,
        age: i64,
    ) -> Result<()> {
        let values = Column::from_values([Value::I64(age)]);
        transaction.set_vertex_properties(self.age, &[vertex], &values)
    }

    pub(super) fn age(&self, snapshot: &dyn Snapshot, vertex: VertexId) -> Result<Option<Value>> {
        let vertices = [vertex];
        let elements = crate::reads::Elements::Vertices(&vertices);
        Ok(snapshot.gather(elements, &[self.age])?[0].get(0))
    }
}

/// Commits and waits until it is visible.
pub(super) fn commit(transaction: Transaction) -> Result<LogPosition> {
    transaction.commit()?.wait()
}

/// Commits one set of writes.
pub(super) fn write(
    fixture: &Fixture,
    body: impl FnOnce(&Transaction) -> Result<()>,
) -> Result<LogPosition> {
    let transaction = fixture.begin()?;
    body(&transaction)?;
    commit(transaction)
}

/// Commits, and says whether another was first; any other error is passed on.
pub(super) fn conflicts(transaction: Transaction) -> Result<bool> {
    match commit(transaction) {
        Ok(_) => Ok(false),
        Err(error) if error.kind == ErrorKind::Conflict => Ok(true),
        Err(error) => Err(error),
    }
}

/// The error of something that must fail.
pub(super) fn refused<T>(outcome: Result<T>, kind: ErrorKind) -> Error {
    match outcome {
        Ok(_) => panic!("this must fail with {kind:?}"),
        Err(error) => {
            assert_eq!(error.kind, kind, "{error}");
            error
        }
    }
}

/// Expands a frontier and checks order, sorting and degrees of what comes.
pub(super) fn walk(
    snapshot: &dyn Snapshot,
    frontier: &[VertexId],
    types: Option<&[EdgeTypeId]>,
    direction: Direction,
) -> Result<Vec<Walked>> {
    let mut walked: Vec<Walked> = Vec::new();
    let mut sorted = Vec::new();
    snapshot.expand(frontier, types, direction, &mut |row: usize, run: Run<'_>| {
        let pairs = (0..run.len()).map(|at| (run.neighbours.get(at), run.edge(at))).collect();
        walked.push((row, run.edge_type, run.direction, pairs));
        sorted.push(run.sorted);
        ControlFlow::Continue(())
    })?;
    let place = |edge_type: EdgeTypeId| match types {
        None => edge_type.0 as usize,
        Some(types) => types.iter().position(|kind| *kind == edge_type).expect("a type asked for"),
    };
    let places = walked.iter().map(|(row, kind, half, _)| (*row, *half, place(*kind)));
    assert!(places.is_sorted(), "runs come by row, direction, type: {walked:?}");
    for ((_, _, _, pairs), sorted) in walked.iter().zip(sorted) {
        assert!(!pairs.is_empty(), "an empty list has no run");
        assert!(!sorted || pairs.is_sorted_by_key(|pair| pair.0), "a sorted run ascends");
    }
    check_degrees(snapshot, frontier, types, direction, &walked)?;
    Ok(walked)
}

fn check_degrees(
    snapshot: &dyn Snapshot,
    frontier: &[VertexId],
    types: Option<&[EdgeTypeId]>,
    direction: Direction,
    walked: &[Walked],
) -> Result<()> {
    let mut lengths = vec![0; frontier.len()];
    walked.iter().for_each(|(row, _, _, pairs)| lengths[*row] += pairs.len() as u64);
    let mut degrees = vec![77];
    snapshot.degrees(frontier, types, direction, &mut degrees)?;
    assert_eq!(degrees[0], 77, "degrees are appended");
    assert_eq!(degrees[1..], lengths, "degrees are the lengths of the lists");
    Ok(())
}

/// The neighbours of one vertex, ascending.
pub(super) fn neighbours(
    snapshot: &dyn Snapshot,
    vertex: VertexId,
    types: Option<&[EdgeTypeId]>,
    direction: Direction,
) -> Result<Vec<VertexId>> {
    let runs = walk(snapshot, &[vertex], types, direction)?;
    let mut found: Vec<_> =
        runs.into_iter().flat_map(|(_, _, _, pairs)| pairs).map(|(vertex, _)| vertex).collect();
    found.sort_unstable();
    Ok(found)
}

/// All vertices of a label, read in small steps.
pub(super) fn scan(
    snapshot: &dyn Snapshot,
    label: Option<LabelId>,
    rows_max: usize,
) -> Result<Vec<VertexId>> {
    let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        let before = vertices.len();
        snapshot.scan_vertices(label, &mut cursor, rows_max, &mut vertices)?;
        assert!(vertices.len() <= before + rows_max, "a scan keeps to rows_max");
    }
    assert!(vertices.is_sorted_by(|left, right| left < right), "ids ascend");
    for elements in [1, 3, 1_000] {
        let pieces = snapshot.scan_pieces(Scanned::Vertices(label), elements)?;
        let mut found = Vec::new();
        for cursor in &mut pieces.clone() {
            while !cursor.finished {
                snapshot.scan_vertices(label, cursor, rows_max, &mut found)?;
            }
        }
        assert!(pieces.is_empty() || found == vertices, "pieces are the scan: {pieces:?}");
    }
    Ok(vertices)
}

/// All edges of types, read in small steps.
pub(super) fn scan_edges(
    snapshot: &dyn Snapshot,
    types: Option<&[EdgeTypeId]>,
    rows_max: usize,
) -> Result<EdgeRows> {
    let (mut cursor, mut edges) = (ScanCursor::default(), EdgeRows::default());
    while !cursor.finished {
        let before = edges.edges.len();
        snapshot.scan_edges(types, &mut cursor, rows_max, &mut edges)?;
        assert!(before < edges.edges.len() || cursor.finished, "a scan goes on");
    }
    for elements in [1, 3, 1_000] {
        let pieces = snapshot.scan_pieces(Scanned::Edges(types), elements)?;
        let mut found = Vec::new();
        for cursor in &mut pieces.clone() {
            while !cursor.finished {
                snapshot.scan_edge_ids(types, cursor, rows_max, &mut found)?;
            }
        }
        assert!(pieces.is_empty() || found == edges.edges, "pieces are the scan: {pieces:?}");
    }
    let (mut cursor, mut ids) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        snapshot.scan_edge_ids(types, &mut cursor, rows_max, &mut ids)?;
    }
    assert_eq!(ids, edges.edges, "edges alone are those of the rows");
    if let Some(types) = types {
        check_vertices_with_edges(snapshot, types, &edges, rows_max)?;
    }
    Ok(edges)
}

fn check_vertices_with_edges(
    snapshot: &dyn Snapshot,
    types: &[EdgeTypeId],
    edges: &EdgeRows,
    rows_max: usize,
) -> Result<()> {
    let all = scan(snapshot, None, rows_max)?;
    for direction in [Direction::Out, Direction::In, Direction::Both] {
        let sources = edges.sources.iter().filter(|_| direction != Direction::In);
        let targets = edges.targets.iter().filter(|_| direction != Direction::Out);
        let with_edges: BTreeSet<VertexId> = sources.chain(targets).copied().collect();
        let whole = [ScanCursor::default()].to_vec();
        for mut pieces in [whole, snapshot.scan_pieces(Scanned::Vertices(None), 3)?] {
            if pieces.is_empty() {
                continue;
            }
            let mut found = Vec::new();
            for cursor in &mut pieces {
                while !cursor.finished {
                    let before = found.len();
                    snapshot
                        .scan_vertices_with_edges(types, direction, cursor, rows_max, &mut found)?;
                    assert!(found.len() <= before + rows_max, "a scan keeps to rows_max");
                }
            }
            assert!(found.is_sorted_by(|left, right| left < right), "ids ascend");
            let found: BTreeSet<VertexId> = found.into_iter().collect();
            assert!(found.is_superset(&with_edges), "{direction:?}: all with edges are there");
            assert!(found.iter().all(|vertex| all.binary_search(vertex).is_ok()), "{direction:?}");
        }
    }
    Ok(())
}

/// What a seek for one value of each key finds.
pub(super) fn seek(
    snapshot: &dyn Snapshot,
    index: millrace_model::IndexId,
    values: &[Value],
) -> Result<Vec<u64>> {
    let columns: Vec<_> = values.iter().map(|v| Column::from_values([v.clone()])).collect();
    let keys: Vec<&Column> = columns.iter().collect();
    let mut matches = SeekMatches::default();
    snapshot.seek(index, &keys, &mut matches)?;
    assert!(matches.rows.iter().all(|row| *row == 0) && matches.ids.is_sorted());
    Ok(matches.ids)
}

/// One text for each value, as a column.
pub(super) fn texts(values: &[&str]) -> Column {
    Column::from_values(values.iter().map(|text| Value::from(*text)))
}

/// One integer for each value, as a column.
pub(super) fn ints(values: &[i64]) -> Column {
    Column::from_values(values.iter().map(|int| Value::I64(*int)))
}
