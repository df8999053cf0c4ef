//! Finding elements by the values of some keys, for all rows at once.

use millrace_model::schema::{IndexKind, Owner};
use millrace_model::{Column, EdgeId, IndexId, KeyId, LabelId, Result, VertexId};
use millrace_plan::{Name, OwnerName};
use millrace_store::key_hash::hash_row;
use millrace_store::{EdgeRows, Elements, ScanCursor, SeekMatches};
use rustc_hash::FxHashMap;

use crate::limits;
use crate::names::{EdgeTypes, Resolved};
use crate::rows::row_equals;
use crate::run::Run;

/// Whose elements are found.
#[derive(Debug)]
pub(crate) enum SeekOwner {
    Label(Resolved<LabelId>),
    EdgeType(EdgeTypes),
    AllVertices,
}

impl SeekOwner {
    pub(crate) fn new(owner: &OwnerName) -> SeekOwner {
        match owner {
            OwnerName::Label(label) => SeekOwner::Label(Resolved::new(label)),
            OwnerName::EdgeType(name) => {
                SeekOwner::EdgeType(EdgeTypes::new(Some(std::slice::from_ref(name))))
            }
            OwnerName::AllVertices => SeekOwner::AllVertices,
        }
    }
}

/// Finds elements of an owner by keys.
#[derive(Debug)]
pub(crate) struct Finder {
    owner: SeekOwner,
    keys: Vec<Resolved<KeyId>>,
}

/// Rows of the values and elements found, rows ascending, ids ascending in a row.
type Found = (Vec<u32>, Vec<u64>);

/// How an index serves: its number, the place of each of its keys among those asked for, and
/// whether its elements must still be looked at for their label.
struct Usable {
    index: IndexId,
    places: Vec<usize>,
    of_all_vertices: bool,
}

impl Finder {
    pub(crate) fn new(owner: SeekOwner, keys: &[Name]) -> Finder {
        Finder { owner, keys: keys.iter().map(Resolved::new).collect() }
    }

    pub(crate) fn finds_edges(&self) -> bool {
        matches!(self.owner, SeekOwner::EdgeType(_))
    }

    /// The elements for each row of `values`, one column for each key.
    pub(crate) fn find(&mut self, values: &[&Column], len: usize, run: &Run<'_>) -> Result<Found> {
        let owner = match &mut self.owner {
            SeekOwner::Label(label) => label.label(run.context).map(Owner::Label),
            SeekOwner::EdgeType(types) => {
                let types = types.resolve(run.context);
                types.and_then(|types| types.first()).map(|kind| Owner::EdgeType(*kind))
            }
            SeekOwner::AllVertices => Some(Owner::AllVertices),
        };
        let keys: Option<Vec<KeyId>> = self.keys.iter().map(|key| key.key(run.context)).collect();
        let (Some(owner), Some(keys)) = (owner, keys) else { return Ok(Found::default()) };
        match usable_index(owner, &keys, run) {
            Some(usable) => seek_index(&usable, owner, &keys, values, run),
            None => scan_for(owner, &keys, values, len, run),
        }
    }
}

/// The index that leaves the least to compare: over the most keys, a unique one first.
fn usable_index(owner: Owner, keys: &[KeyId], run: &Run<'_>) -> Option<Usable> {
    run.context.look(|catalog| {
        let usable = catalog.indexes.iter().filter_map(|index| {
            let of_all_vertices =
                index.owner == Owner::AllVertices && matches!(owner, Owner::Label(_));
            if index.owner != owner && !of_all_vertices {
                return None;
            }
            let place = |key: &KeyId| keys.iter().position(|asked| asked == key);
            let places = index.keys.iter().map(place).collect::<Option<Vec<_>>>()?;
            let rank = (places.len(), index.kind == IndexKind::Unique, !of_all_vertices);
            Some((rank, Usable { index: index.id, places, of_all_vertices }))
        });
        usable.max_by_key(|(rank, _)| *rank).map(|(_, usable)| usable)
    })
}

fn seek_index(
    usable: &Usable,
    owner: Owner,
    keys: &[KeyId],
    values: &[&Column],
    run: &Run<'_>,
) -> Result<Found> {
    let graph = run.context.graph();
    let sought: Vec<&Column> = usable.places.iter().map(|&place| values[place]).collect();
    let mut matches = SeekMatches::default();
    graph.seek(usable.index, &sought, &mut matches)?;
    let SeekMatches { mut rows, mut ids } = matches;
    if let (true, Owner::Label(label)) = (usable.of_all_vertices, owner) {
        let vertices: Vec<VertexId> = ids.iter().map(|&id| VertexId(id)).collect();
        let labels = graph.labels(&vertices)?;
        retain(&mut rows, &mut ids, |place, _| labels[place].contains(&label));
    }
    let others: Vec<usize> =
        (0..keys.len()).filter(|place| !usable.places.contains(place)).collect();
    if !others.is_empty() && !rows.is_empty() {
        let other_keys: Vec<KeyId> = others.iter().map(|&place| keys[place]).collect();
        let held = gather(owner, &ids, &other_keys, run)?;
        let held: Vec<&Column> = held.iter().collect();
        let wanted: Vec<&Column> = others.iter().map(|&place| values[place]).collect();
        retain(&mut rows, &mut ids, |place, row| {
            hash_row(&held, place).is_some()
                && hash_row(&wanted, row as usize).is_some()
                && row_equals(&held, place, &wanted, row as usize)
        });
    }
    Ok((rows, ids))
}

fn retain(rows: &mut Vec<u32>, ids: &mut Vec<u64>, keep: impl Fn(usize, u32) -> bool) {
    let kept: Vec<usize> = (0..rows.len()).filter(|&place| keep(place, rows[place])).collect();
    *ids = kept.iter().map(|&place| ids[place]).collect();
    *rows = kept.iter().map(|&place| rows[place]).collect();
}

fn gather(owner: Owner, ids: &[u64], keys: &[KeyId], run: &Run<'_>) -> Result<Vec<Column>> {
    let graph = run.context.graph();
    match owner {
        Owner::EdgeType(_) => {
            let edges: Vec<EdgeId> = ids.iter().map(|&id| EdgeId(id)).collect();
            graph.gather(Elements::Edges(&edges), keys)
        }
        Owner::Label(_) | Owner::AllVertices => {
            let vertices: Vec<VertexId> = ids.iter().map(|&id| VertexId(id)).collect();
            graph.gather(Elements::Vertices(&vertices), keys)
        }
    }
}

/// One scan for all rows: what is scanned is looked up in a map of the values sought.
fn scan_for(
    owner: Owner,
    keys: &[KeyId],
    values: &[&Column],
    len: usize,
    run: &Run<'_>,
) -> Result<Found> {
    let mut sought: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for row in 0..len {
        if let Some(hash) = hash_row(values, row) {
            sought.entry(hash).or_default().push(row as u32);
        }
    }
    if sought.is_empty() {
        return Ok(Found::default());
    }
    let mut pairs: Vec<(u32, u64)> = Vec::new();
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        run.context.check_pull()?;
        let ids = scan(owner, &mut cursor, run)?;
        let held = gather(owner, &ids, keys, run)?;
        let held: Vec<&Column> = held.iter().collect();
        for (place, &id) in ids.iter().enumerate() {
            let rows = hash_row(&held, place).and_then(|hash| sought.get(&hash));
            for &row in rows.into_iter().flatten() {
                if row_equals(&held, place, values, row as usize) {
                    pairs.push((row, id));
                }
            }
        }
    }
    pairs.sort_unstable();
    Ok(pairs.into_iter().unzip())
}

fn scan(owner: Owner, cursor: &mut ScanCursor, run: &Run<'_>) -> Result<Vec<u64>> {
    let graph = run.context.graph();
    let rows_max = limits::BATCH_ROWS_MAX;
    let mut vertices = Vec::new();
    match owner {
        Owner::EdgeType(kind) => {
            let mut edges = EdgeRows::default();
            graph.scan_edges(Some(&[kind]), cursor, rows_max, &mut edges)?;
            return Ok(edges.edges.into_iter().map(|edge| edge.0).collect());
        }
        Owner::Label(label) => {
            graph.scan_vertices(Some(label), cursor, rows_max, &mut vertices)?;
        }
        Owner::AllVertices => graph.scan_vertices(None, cursor, rows_max, &mut vertices)?,
    }
    Ok(vertices.into_iter().map(|vertex| vertex.0).collect())
}
