//! Hints for plans, from a snapshot: numbers that the store keeps, without a scan; and degrees, from a sample.

use std::collections::BTreeMap;

use millrace_model::schema::IndexDefinition;
use millrace_model::{Catalog, Direction, EdgeTypeId, Error, LabelId, Owner, Result, VertexId};
use millrace_plan::hints::rounded;
use millrace_plan::{DegreeHint, Hints, IndexHint, Name, OwnerName};
use millrace_store::{ScanCursor, Snapshot};

/// Stretches of ids that a sample takes vertices from.
const STRETCHES: u64 = 8;
/// Vertices of a stretch.
const STRETCH_VERTICES: usize = 8;
/// How often a stretch is looked at.
const STRETCH_TRIES: usize = 4;
/// Of fewer vertices nothing is said of each.
const JUDGED_MIN: usize = 16;
/// More labels times types are not sampled.
const PAIRS_MAX: usize = 4_096;

/// What is known of a graph.
pub fn hints(snapshot: &dyn Snapshot) -> Result<Hints> {
    let catalog = snapshot.catalog();
    let mut hints =
        Hints { vertices: Some(rounded(snapshot.count_vertices(None)?)), ..Hints::default() };
    for (number, name) in (0..).zip(catalog.labels.iter()) {
        let count = rounded(snapshot.count_vertices(Some(LabelId(number)))?);
        hints.labels.insert(name.clone(), count);
    }
    for (number, name) in (0..).zip(catalog.edge_types.iter()) {
        let count = rounded(snapshot.count_edges(Some(EdgeTypeId(number)))?);
        hints.edge_types.insert(name.clone(), count);
    }
    let indexes =
        catalog.maintained_indexes().filter_map(|index| of_index(index, &catalog, &hints));
    hints.indexes = indexes.collect();
    Ok(hints)
}

/// The same with degrees by label and type, from a few vertices of each label. With many labels and types there are
/// none: a sample would cost more than a plan gains.
pub fn with_degrees(mut hints: Hints, snapshot: &dyn Snapshot) -> Result<Hints> {
    let catalog = snapshot.catalog();
    if PAIRS_MAX < hints.labels.len() * hints.edge_types.len() {
        return Ok(hints);
    }
    for (number, name) in (0..).zip(catalog.labels.iter()) {
        let vertices = sample(LabelId(number), snapshot)?;
        let mut by_type = BTreeMap::new();
        let mut degrees = Vec::new();
        let mut sampled = |kind: u32, direction| {
            degrees.clear();
            snapshot.degrees(&vertices, Some(&[EdgeTypeId(kind)]), direction, &mut degrees)?;
            let sum: u64 = degrees.iter().sum();
            let sixteenths = sum.saturating_mul(16) / degrees.len().max(1) as u64;
            let is_one = JUDGED_MIN <= degrees.len() && degrees.iter().all(|&degree| degree == 1);
            Ok::<(u64, bool), Error>((rounded(sixteenths), is_one))
        };
        for (kind, name) in (0..).zip(catalog.edge_types.iter()) {
            let (out, one_out) = sampled(kind, Direction::Out)?;
            let (into, one_into) = sampled(kind, Direction::In)?;
            by_type.insert(name.clone(), DegreeHint { out, into, one_out, one_into });
        }
        hints.degrees.extend((!vertices.is_empty()).then(|| (name.clone(), by_type)));
    }
    Ok(hints)
}

/// A few vertices of a label, from several stretches of ids.
fn sample(label: LabelId, snapshot: &dyn Snapshot) -> Result<Vec<VertexId>> {
    let bound = snapshot.id_space().bound;
    let mut vertices = Vec::new();
    for stretch in 0..STRETCHES {
        let next = bound / STRETCHES * stretch;
        let mut cursor = ScanCursor { next, ..ScanCursor::default() };
        let before = vertices.len();
        // A store may look at a stretch without finding anything.
        for _ in 0..STRETCH_TRIES {
            let missing = STRETCH_VERTICES - (vertices.len() - before).min(STRETCH_VERTICES);
            if cursor.finished || missing == 0 {
                break;
            }
            snapshot.scan_vertices(Some(label), &mut cursor, missing, &mut vertices)?;
        }
        vertices.truncate(before + STRETCH_VERTICES);
    }
    vertices.sort_unstable();
    vertices.dedup();
    Ok(vertices)
}

/// An index of properties; those of external ids have no key with a name.
fn of_index(index: &IndexDefinition, catalog: &Catalog, hints: &Hints) -> Option<IndexHint> {
    let owner = match index.owner {
        Owner::Label(label) => OwnerName::Label(catalog.labels.name(label.0)?.clone()),
        Owner::EdgeType(number) => OwnerName::EdgeType(catalog.edge_types.name(number.0)?.clone()),
        Owner::AllVertices => OwnerName::AllVertices,
        Owner::AllEdges => return None,
    };
    let keys = index.keys.iter().map(|key| catalog.keys.name(key.0).cloned());
    let keys: Vec<Name> = keys.collect::<Option<_>>()?;
    let entries = match &owner {
        OwnerName::Label(label) => hints.labels.get(label).copied(),
        OwnerName::EdgeType(name) => hints.edge_types.get(name).copied(),
        OwnerName::AllVertices => hints.vertices,
    };
    let distinct = entries.filter(|_| index.is_unique());
    Some(IndexHint { owner, keys, entries, distinct })
}
