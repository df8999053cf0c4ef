//! The acknowledged content of one writer: its vertices with their ages, and its edges.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use millrace_model::{Column, Direction, EdgeId, EdgeTypeId, Result, Value, VertexId};
use millrace_store::{EdgeRows, Elements, Run, ScanCursor, Snapshot};

use super::names::Names;

/// Type, source and target of an edge.
pub(super) type Ends = (EdgeTypeId, VertexId, VertexId);

const ROWS: usize = 1_000;

#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// The age of each vertex.
    pub(super) vertices: BTreeMap<VertexId, i64>,
    /// Edges with known ids.
    pub(super) edges: BTreeMap<EdgeId, Ends>,
    /// Edges that a bulk load made, with ids that are not known.
    pub(super) loaded: Vec<Ends>,
}

impl Ledger {
    /// Panics unless the snapshot has exactly this of the writer's vertices.
    pub(super) fn compare(&self, snapshot: &dyn Snapshot, names: Names, hubs: &BTreeSet<VertexId>) {
        let vertices: Vec<VertexId> = self.vertices.keys().copied().collect();
        let elements = Elements::Vertices(&vertices);
        let exist = snapshot.exist(elements).expect("it can be read");
        assert_eq!(exist.count(), vertices.len(), "acknowledged vertices are gone");
        let ages = snapshot.gather(elements, &[names.age]).expect("it can be read").remove(0);
        let expected: Vec<i64> = self.vertices.values().copied().collect();
        assert_eq!(ints(&ages, vertices.len()), expected, "ages differ");
        let there = |ends: &Ends| ends.0 != names.likes || hubs.contains(&ends.2);
        let known = self.edges.values().chain(&self.loaded);
        let mut expected: Vec<Ends> = known.filter(|ends| there(ends)).copied().collect();
        expected.sort_unstable();
        let mut found = out_edges(snapshot, &vertices).expect("it can be read");
        found.sort_unstable();
        assert!(expected == found, "edges differ: {} and {}", expected.len(), found.len());
        self.compare_ids(snapshot, &there);
    }

    fn compare_ids(&self, snapshot: &dyn Snapshot, there: &dyn Fn(&Ends) -> bool) {
        let known: Vec<(EdgeId, Ends)> =
            self.edges.iter().filter(|(_, ends)| there(ends)).map(|(id, e)| (*id, *e)).collect();
        let ids: Vec<EdgeId> = known.iter().map(|(id, _)| *id).collect();
        let ends = snapshot.ends(&ids).expect("it can be read");
        for (row, (id, expected)) in known.iter().enumerate() {
            let found = (ends.types[row], ends.sources[row], ends.targets[row]);
            assert!(ends.exist.get(row) && found == *expected, "edge {id} is {found:?}");
        }
    }
}

/// The integers of a column; -1 where it has none.
pub(super) fn ints(column: &Column, rows: usize) -> Vec<i64> {
    (0..rows)
        .map(|row| column.get(row).and_then(|value: Value| value.as_int()).unwrap_or(-1))
        .collect()
}

/// All edges of these sources.
pub(super) fn out_edges(snapshot: &dyn Snapshot, sources: &[VertexId]) -> Result<Vec<Ends>> {
    let found = walk(snapshot, sources, Direction::Out)?;
    Ok(found.into_iter().map(|(_, ends)| ends).collect())
}

/// Panics unless both directions, the scan of edges, ends and degrees all say the same.
pub(super) fn check_directions(snapshot: &dyn Snapshot) -> Result<()> {
    let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, ROWS, &mut vertices)?;
    }
    let mut out = walk(snapshot, &vertices, Direction::Out)?;
    let mut incoming = walk(snapshot, &vertices, Direction::In)?;
    let (mut cursor, mut rows) = (ScanCursor::default(), EdgeRows::default());
    while !cursor.finished {
        snapshot.scan_edges(None, &mut cursor, ROWS, &mut rows)?;
    }
    let ends = rows.types.iter().zip(&rows.sources).zip(&rows.targets);
    let ends = ends.map(|((edge_type, source), target)| (*edge_type, *source, *target));
    let mut scanned: Vec<(EdgeId, Ends)> = rows.edges.iter().copied().zip(ends).collect();
    [&mut out, &mut incoming, &mut scanned].into_iter().for_each(|edges| edges.sort_unstable());
    assert!(out == incoming, "the two directions differ");
    assert!(out == scanned, "lists and the scan of edges differ");
    let mut degrees = Vec::new();
    snapshot.degrees(&vertices, None, Direction::Both, &mut degrees)?;
    assert_eq!(degrees.iter().sum::<u64>(), 2 * out.len() as u64, "degrees and lists differ");
    assert_eq!(snapshot.count_edges(None)?, out.len() as u64, "counts and lists differ");
    Ok(())
}

fn walk(
    snapshot: &dyn Snapshot,
    vertices: &[VertexId],
    direction: Direction,
) -> Result<Vec<(EdgeId, Ends)>> {
    let mut found = Vec::new();
    snapshot.expand(vertices, None, direction, &mut |row: usize, run: Run<'_>| {
        found.extend((0..run.len()).map(|at| {
            let (own, other) = (vertices[row], run.neighbours.get(at));
            let (source, target) =
                if run.direction == Direction::Out { (own, other) } else { (other, own) };
            (run.edge(at), (run.edge_type, source, target))
        }));
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
