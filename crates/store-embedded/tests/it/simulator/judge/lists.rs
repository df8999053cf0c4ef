//! Lists in both directions, and degrees.

use std::ops::ControlFlow;

use millrace_model::{Direction, EdgeTypeId, Error, VertexId};
use millrace_store::{Run, Snapshot};

use super::{Judged, require, require_same};
use crate::simulator::model::{Edge, Model, TYPES};
use crate::simulator::schema::Names;

/// An entry of a list: the owner, type, the other end, the edge.
type Entry = (u64, u32, u64, u64);

pub(super) fn judge(snapshot: &dyn Snapshot, names: Names, model: &Model) -> Judged {
    let vertices: Vec<VertexId> = model.vertices.keys().copied().map(VertexId).collect();
    for direction in [Direction::Out, Direction::In] {
        let expected = entries(model, names, direction);
        let found = walk(snapshot, &vertices, None, direction)?;
        require_same(&format!("{direction} lists"), &found, &expected)?;
    }
    for kind in 0..TYPES {
        let types = [names.types[kind]];
        let expected = degrees(model, |edge| edge.kind == kind);
        judge_degrees(snapshot, &vertices, Some(&types), &expected)?;
    }
    judge_degrees(snapshot, &vertices, None, &degrees(model, |_| true))
}

fn judge_degrees(
    snapshot: &dyn Snapshot,
    vertices: &[VertexId],
    types: Option<&[EdgeTypeId]>,
    expected: &[u64],
) -> Judged {
    let mut found = Vec::new();
    snapshot.degrees(vertices, types, Direction::Both, &mut found)?;
    require(found == expected, || {
        let rows = vertices.iter().zip(found.iter().zip(expected));
        let wrong: Vec<_> = rows.filter(|(_, (found, expected))| found != expected).collect();
        format!("degrees (found, expected) of {wrong:?}")
    })
}

/// The degree of every vertex, a loop counting twice.
fn degrees(model: &Model, counts: impl Fn(&Edge) -> bool) -> Vec<u64> {
    let mut degrees: std::collections::BTreeMap<u64, u64> =
        model.vertices.keys().map(|id| (*id, 0)).collect();
    for edge in model.edges.values().filter(|edge| counts(edge)) {
        for end in [edge.source, edge.target] {
            *degrees.entry(end).or_default() += 1;
        }
    }
    degrees.into_values().collect()
}

fn entries(model: &Model, names: Names, direction: Direction) -> Vec<Entry> {
    let entry = |(id, edge): (&u64, &Edge)| {
        let kind = names.types[edge.kind].0;
        match direction {
            Direction::Out => (edge.source, kind, edge.target, *id),
            Direction::In | Direction::Both => (edge.target, kind, edge.source, *id),
        }
    };
    let mut entries: Vec<Entry> = model.edges.iter().map(entry).collect();
    entries.sort_unstable();
    entries
}

fn walk(
    snapshot: &dyn Snapshot,
    vertices: &[VertexId],
    types: Option<&[EdgeTypeId]>,
    direction: Direction,
) -> Result<Vec<Entry>, Error> {
    let mut found = Vec::new();
    snapshot.expand(vertices, types, direction, &mut |row: usize, run: Run<'_>| {
        let entry =
            |at| (vertices[row].0, run.edge_type.0, run.neighbours.get(at).0, run.edge(at).0);
        let from = found.len();
        found.extend((0..run.len()).map(entry));
        let ascends = found[from..].is_sorted_by_key(|entry: &Entry| entry.2);
        assert!(ascends || !run.sorted, "a run that says it is sorted ascends");
        ControlFlow::Continue(())
    })?;
    found.sort_unstable();
    Ok(found)
}
