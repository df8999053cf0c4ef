//! Hints for plans, from a snapshot: numbers that the store keeps, without a scan; and degrees, from a sample.
//!
//! Only names that a text mentions are looked at, so hints of a graph with 10,000 labels and types cost what those of
//! a small one cost. Samples outlive snapshots and catalog versions: one is taken again when the rounded count of its
//! label or type is another, and a label or type that is new takes nothing from the others.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use millrace_model::schema::IndexDefinition;
use millrace_model::{Catalog, Direction, EdgeTypeId, LabelId, Owner, Result, VertexId};
use millrace_plan::hints::rounded;
use millrace_plan::{DegreeHint, Hints, IndexHint, Mentioned, Name, OwnerName};
use millrace_store::{ScanCursor, Snapshot};
use parking_lot::Mutex;

use crate::limits::{PAIRS_OF_TEXT_MAX, SAMPLED_PAIRS_MAX, SAMPLING_TIME_MAX};

/// Stretches of ids that a sample takes vertices from.
const STRETCHES: u64 = 8;
/// Vertices of a stretch.
const STRETCH_VERTICES: usize = 8;
/// How often a stretch is looked at.
const STRETCH_TRIES: usize = 4;
/// Of fewer vertices nothing is said of each.
const JUDGED_MIN: usize = 16;

/// The counts of a graph, and the indexes, of the names that a text mentions; without degrees.
pub fn hints(snapshot: &dyn Snapshot, mentioned: &Mentioned) -> Result<Hints> {
    let mut hints = Hints::default();
    if !mentioned.patterns {
        return Ok(hints);
    }
    let catalog = snapshot.catalog();
    hints.vertices = Some(rounded(snapshot.count_vertices(None)?));
    if mentioned.untyped_hops {
        hints.edges = Some(rounded(snapshot.count_edges(None)?));
    }
    let mut owners = Vec::new();
    for name in &mentioned.names {
        if let Some(label) = catalog.label(name) {
            let count = snapshot.count_vertices(Some(label))?;
            hints.labels.insert(name.clone(), rounded(count));
            owners.push(Owner::Label(label));
        }
        if let Some(edge_type) = catalog.edge_type(name) {
            let count = snapshot.count_edges(Some(edge_type))?;
            hints.edge_types.insert(name.clone(), rounded(count));
            owners.push(Owner::EdgeType(edge_type));
        }
    }
    owners.push(Owner::AllVertices);
    for owner in owners {
        let indexes = catalog.maintained_of(owner);
        let known: Vec<IndexHint> =
            indexes.filter_map(|index| of_index(index, &catalog, &hints)).collect();
        hints.indexes.extend(known);
    }
    Ok(hints)
}

/// Degrees by samples, of a graph: of the pairs of a label and a type that texts mentioned.
#[derive(Debug, Default)]
pub struct Samples(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By label, with its rounded count when they were taken.
    labels: BTreeMap<Name, (u64, OfLabel)>,
    count: usize,
    taken: u64,
}

/// Degrees by type (`None`: all), each with the rounded number of its edges when it was taken.
type OfLabel = BTreeMap<Option<Name>, (u64, DegreeHint)>;

impl Samples {
    /// The hints of a text, with the degrees of its labels and types. Sampling ends after a while, and the next text
    /// goes on with it.
    pub fn hints(
        &self,
        snapshot: &dyn Snapshot,
        mentioned: &Mentioned,
        time_max: Duration,
    ) -> Result<Hints> {
        let mut hints = hints(snapshot, mentioned)?;
        if !mentioned.hops {
            return Ok(hints);
        }
        let until = Instant::now() + SAMPLING_TIME_MAX.min(time_max);
        let all = hints.edges.map(|count| (None, count));
        let types = hints.edge_types.iter().map(|(name, count)| (Some(name.clone()), *count));
        let types: Vec<(Option<Name>, u64)> = types.chain(all).take(PAIRS_OF_TEXT_MAX).collect();
        let labels_max = PAIRS_OF_TEXT_MAX / types.len().max(1);
        for (label, count) in hints.labels.iter().take(labels_max) {
            let mut vertices = None;
            for (edge_type, edges) in &types {
                let pair = Pair { label, count: *count, edge_type, edges: *edges };
                let hint = match self.known(&pair) {
                    Some(hint) => hint,
                    None if until <= Instant::now() => continue,
                    None => self.take(&pair, &mut vertices, snapshot)?,
                };
                if let Some(name) = edge_type {
                    let of_label = hints.degrees.entry(label.clone()).or_default();
                    of_label.insert(name.clone(), hint);
                } else {
                    hints.all_degrees.insert(label.clone(), hint);
                }
            }
        }
        Ok(hints)
    }

    /// How many degrees of a label and a type were taken from the graph.
    pub fn taken(&self) -> u64 {
        self.0.lock().taken
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.lock().count
    }

    fn known(&self, pair: &Pair<'_>) -> Option<DegreeHint> {
        if pair.count == 0 || pair.edges == 0 {
            return Some(DegreeHint::default());
        }
        let known = self.0.lock();
        let (count, of_label) = known.labels.get(pair.label)?;
        let (edges, hint) = of_label.get(pair.edge_type)?;
        ((*count, *edges) == (pair.count, pair.edges)).then_some(*hint)
    }

    /// Takes the degrees of a pair. The graph is read without the lock: two texts may take the same ones.
    fn take(
        &self,
        pair: &Pair<'_>,
        vertices: &mut Option<Vec<VertexId>>,
        snapshot: &dyn Snapshot,
    ) -> Result<DegreeHint> {
        let catalog = snapshot.catalog();
        let vertices = match (&mut *vertices, catalog.label(pair.label)) {
            (Some(vertices), _) => vertices,
            (None, Some(label)) => vertices.insert(sample(label, snapshot)?),
            (None, None) => return Ok(DegreeHint::default()),
        };
        let edge_type = pair.edge_type.as_ref().map(|name| catalog.edge_type(name));
        let types = edge_type.map(|number| number.into_iter().collect::<Vec<_>>());
        let hint = degrees_of(vertices, types.as_deref(), snapshot)?;
        self.keep(pair, hint);
        Ok(hint)
    }

    fn keep(&self, pair: &Pair<'_>, hint: DegreeHint) {
        let known = &mut *self.0.lock();
        known.taken += 1;
        if SAMPLED_PAIRS_MAX <= known.count {
            known.labels.clear();
            known.count = 0;
        }
        let new = || (pair.count, OfLabel::new());
        let (count, of_label) = known.labels.entry(pair.label.clone()).or_insert_with(new);
        if *count != pair.count {
            known.count -= of_label.len();
            (*count, *of_label) = new();
        }
        let before = of_label.insert(pair.edge_type.clone(), (pair.edges, hint));
        known.count += usize::from(before.is_none());
    }
}

/// A label and a type (`None`: all), each with its rounded count.
struct Pair<'a> {
    label: &'a Name,
    count: u64,
    edge_type: &'a Option<Name>,
    edges: u64,
}

fn degrees_of(
    vertices: &[VertexId],
    types: Option<&[EdgeTypeId]>,
    snapshot: &dyn Snapshot,
) -> Result<DegreeHint> {
    let mut degrees = Vec::new();
    let mut sampled = |direction| {
        degrees.clear();
        snapshot.degrees(vertices, types, direction, &mut degrees)?;
        let sum: u64 = degrees.iter().sum();
        let sixteenths = sum.saturating_mul(16) / degrees.len().max(1) as u64;
        let is_one = JUDGED_MIN <= degrees.len() && degrees.iter().all(|&degree| degree == 1);
        Ok::<(u64, bool), millrace_model::Error>((rounded(sixteenths), is_one))
    };
    let (out, one_out) = sampled(Direction::Out)?;
    let (into, one_into) = sampled(Direction::In)?;
    Ok(DegreeHint { out, into, one_out, one_into })
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
