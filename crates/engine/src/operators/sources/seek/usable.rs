//! The choice of the index for a seek, and the seek in it.
//!
//! An element that lacks one of an index's keys, or has null there, has no entry. So an index serves
//! only a seek that asks for each of its keys.

use std::cmp::Reverse;

use millrace_model::schema::{IndexDefinition, IndexKind, Owner};
use millrace_model::{Column, IndexId, KeyId, Result, VertexId};
use millrace_store::{KeyRanges, RangeBound, SeekMatches};

use crate::run::Run;

/// Rows of the values and elements found, rows ascending, ids ascending in a row.
pub(crate) type Found = (Vec<u32>, Vec<u64>);

/// The keys that are asked for.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Those that equal a value.
    pub(crate) equal: Vec<KeyId>,
    /// Those that have a range, and how many bounds it has.
    pub(crate) ranged: Vec<(KeyId, usize)>,
}

/// The bounds of a range, a value for each row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds<'a> {
    pub(crate) lower: Option<RangeBound<'a>>,
    pub(crate) upper: Option<RangeBound<'a>>,
}

/// An index that serves.
#[derive(Debug)]
pub(crate) struct Usable {
    pub(super) index: IndexId,
    pub(super) is_unique: bool,
    /// The place of each of its keys among those that equal a value, the ranged key aside.
    pub(crate) equal: Vec<usize>,
    /// The place of its last key among those that have a range.
    pub(crate) ranged: Option<usize>,
    /// Whether its elements must still be looked at for their label.
    of_all_vertices: bool,
}

impl Usable {
    /// The index that leaves the least to compare: over the most equal keys, then with the most
    /// bounds, then a unique one.
    pub(crate) fn choose(owner: Owner, asked: &Asked, run: &Run<'_>) -> Option<Usable> {
        Usable::all(owner, asked, false, run).into_iter().next()
    }

    /// All that serve, that first which leaves the least to compare. For many rows none by a range
    /// alone where other keys must be equal: ranges overlap, and one scan costs less.
    pub(super) fn all(owner: Owner, asked: &Asked, many: bool, run: &Run<'_>) -> Vec<Usable> {
        run.context.look(|catalog| {
            let of_all = matches!(owner, Owner::Label(_)).then_some(Owner::AllVertices);
            let owners = [owner].into_iter().chain(of_all);
            let indexes = owners.flat_map(|owner| catalog.indexes.of_owner(owner));
            let usable = indexes.filter_map(|index| serve(index, owner, asked));
            let mut usable: Vec<Usable> = usable.collect();
            usable.retain(|own| !many || !own.equal.is_empty() || asked.equal.is_empty());
            usable.sort_by_key(|own| {
                let bounds = own.ranged.map_or(0, |place| asked.ranged[place].1);
                Reverse((own.equal.len(), bounds, own.is_unique, !own.of_all_vertices))
            });
            usable
        })
    }

    /// Whether nothing is left to compare.
    pub(super) fn serves_all(&self, asked: &Asked) -> bool {
        self.equal.len() == asked.equal.len() && self.ranged.is_some() != asked.ranged.is_empty()
    }

    /// The index by its owner and keys, as `A.iata`.
    pub(crate) fn name(&self, run: &Run<'_>) -> String {
        index_name(self.index, run)
    }

    /// The elements found for each row: `equal` has a column for each equal key asked for, `bounds`
    /// are those of the range it serves. For a row with a range at most `limit` + 1 elements, of any
    /// label.
    pub(crate) fn ask(
        &self,
        equal: &[&Column],
        bounds: Bounds<'_>,
        (rows, limit): (usize, usize),
        run: &Run<'_>,
    ) -> Result<Found> {
        let graph = run.context.graph();
        let prefix: Vec<&Column> = self.equal.iter().map(|&place| equal[place]).collect();
        let mut matches = SeekMatches::default();
        if self.ranged.is_none() {
            graph.seek(self.index, &prefix, &mut matches)?;
            return Ok((matches.rows, matches.ids));
        }
        let (Bounds { lower, upper }, limit) = (bounds, limit.saturating_add(1));
        let ranges = KeyRanges { rows, prefix: &prefix, lower, upper, descending: false, limit };
        graph.seek_ranges(self.index, &ranges, &mut matches)?;
        Ok(by_id(matches))
    }

    /// Drops elements without the label, if the index has entries of other labels too.
    pub(crate) fn keep_label(&self, owner: Owner, found: &mut Found, run: &Run<'_>) -> Result<()> {
        let (true, Owner::Label(label)) = (self.of_all_vertices, owner) else { return Ok(()) };
        let vertices: Vec<VertexId> = found.1.iter().map(|&id| VertexId(id)).collect();
        let have = run.context.graph().have_label(&vertices, label)?;
        retain(found, |place, _| have.get(place));
        Ok(())
    }
}

/// An index by its owner and keys, as `A.iata`.
pub(crate) fn index_name(id: IndexId, run: &Run<'_>) -> String {
    run.context.look(|catalog| {
        let Some(index) = catalog.indexes.get(&id) else {
            return String::new();
        };
        let owner = match index.owner {
            Owner::Label(label) => catalog.labels.name(label.0),
            Owner::EdgeType(kind) => catalog.edge_types.name(kind.0),
            Owner::AllVertices | Owner::AllEdges => None,
        };
        let keys = index.keys.iter().filter_map(|key| catalog.keys.name(key.0));
        let keys: Vec<&str> = keys.map(|key| &**key).collect();
        format!("{}.{}", owner.map_or("*", |owner| owner), keys.join("+"))
    })
}

/// How an index serves, if it does.
fn serve(index: &IndexDefinition, owner: Owner, asked: &Asked) -> Option<Usable> {
    let of_all_vertices = index.owner == Owner::AllVertices && matches!(owner, Owner::Label(_));
    if index.owner != owner && !of_all_vertices {
        return None;
    }
    // Made keys find candidates of another kind: `scan/made_path.rs`.
    if index.kind == IndexKind::Made {
        return None;
    }
    let place = |key: &KeyId| asked.equal.iter().position(|asked| asked == key);
    let equal: Vec<usize> = index.keys.iter().map_while(place).collect();
    let ranged = match &index.keys[equal.len()..] {
        [] => None,
        [last] if index.kind == IndexKind::Range => {
            let ranges = asked.ranged.iter().enumerate().filter(|(_, (key, _))| key == last);
            Some(ranges.max_by_key(|(_, (_, bounds))| *bounds)?.0)
        }
        _ => return None,
    };
    let is_unique = index.kind == IndexKind::Unique;
    Some(Usable { index: index.id, is_unique, equal, ranged, of_all_vertices })
}

/// In a row, an index gives the order of its keys.
fn by_id(matches: SeekMatches) -> Found {
    let SeekMatches { rows, mut ids } = matches;
    let mut first = 0;
    for of_row in rows.chunk_by(|left, right| left == right) {
        ids[first..first + of_row.len()].sort_unstable();
        first += of_row.len();
    }
    (rows, ids)
}

/// Keeps the pairs for which `keep` holds.
fn retain((rows, ids): &mut Found, keep: impl Fn(usize, u32) -> bool) {
    let kept: Vec<usize> = (0..rows.len()).filter(|&place| keep(place, rows[place])).collect();
    *ids = kept.iter().map(|&place| ids[place]).collect();
    *rows = kept.iter().map(|&place| rows[place]).collect();
}
