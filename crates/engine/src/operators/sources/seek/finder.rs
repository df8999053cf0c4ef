//! Finding elements by the values of some keys and a range of one more, for all rows at once.

use std::cell::RefCell;

use millrace_model::compare::{self, CompareMode};
use millrace_model::property_values::each_value;
use millrace_model::schema::Owner;
use millrace_model::{
    Column, EdgeId, IndexId, KeyId, LabelId, Result, Value, VertexId, query_limits,
};
use millrace_plan::{Name, OwnerName, SeekBound, SeekRange};
use millrace_store::index_keys::each_key;
use millrace_store::key_hash::hash_row;
use millrace_store::{EdgeRows, Elements, RangeBound, ScanCursor};
use rustc_hash::FxHashMap;

use super::access::Access;
use super::candidates::charge_found;
use super::usable::{Asked, Bounds, Found, Usable};
use crate::context::{EdgeTypes, Resolved};
use crate::limits;
use crate::rows::row_equals;
use crate::run::{Charge, Run};

/// The owner of the elements that are found.
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

    /// The owner as the catalog numbers it; `None` if it knows no such name.
    pub(crate) fn resolve(&mut self, run: &Run<'_>) -> Option<Owner> {
        match self {
            SeekOwner::Label(label) => label.label(run.context).map(Owner::Label),
            SeekOwner::EdgeType(types) => {
                let types = types.resolve(run.context);
                types.and_then(|types| types.first()).map(|kind| Owner::EdgeType(*kind))
            }
            SeekOwner::AllVertices => Some(Owner::AllVertices),
        }
    }
}

/// Finds elements of an owner by keys.
#[derive(Debug)]
pub(crate) struct Finder {
    owner: SeekOwner,
    keys: Vec<Resolved<KeyId>>,
    range: Option<FinderRange>,
    /// The index that found the fewest candidates when several were asked.
    preferred: Option<IndexId>,
    /// Whether the last look at the graph cost more than the rows that it was for.
    is_costly: bool,
    charge: Charge,
    /// The access that a profiled run made.
    pub(crate) access: RefCell<Access>,
}

/// The range of one key: whether a bound, where there is one, is in it.
#[derive(Debug)]
struct FinderRange {
    key: Resolved<KeyId>,
    lower: Option<bool>,
    upper: Option<bool>,
}

/// The seek of a batch, with keys as numbers of the catalog.
pub(super) struct Question<'a> {
    pub(super) owner: Owner,
    pub(super) keys: Vec<KeyId>,
    pub(super) values: &'a [&'a Column],
    pub(super) range: Option<(KeyId, Bounds<'a>)>,
    pub(super) rows: usize,
}

impl Finder {
    pub(crate) fn new(owner: SeekOwner, keys: &[Name]) -> Finder {
        let keys = keys.iter().map(Resolved::new).collect();
        let (preferred, charge, access) = Default::default();
        Finder { owner, keys, range: None, preferred, is_costly: false, charge, access }
    }

    /// Begins a run.
    pub(crate) fn begin(&mut self, run: &Run<'_>) {
        self.is_costly = false;
        self.release(run);
    }

    /// Releases what was counted for the elements found last.
    pub(crate) fn release(&mut self, run: &Run<'_>) {
        self.charge.release(run);
    }

    pub(crate) fn with_range(mut self, range: Option<&SeekRange>) -> Finder {
        let inclusive = |bound: &SeekBound| bound.inclusive;
        self.range = range.map(|range| FinderRange {
            key: Resolved::new(&range.key),
            lower: range.lower.as_ref().map(inclusive),
            upper: range.upper.as_ref().map(inclusive),
        });
        self
    }

    pub(crate) fn finds_edges(&self) -> bool {
        matches!(self.owner, SeekOwner::EdgeType(_))
    }

    /// Whether a look at the graph is better for many rows at once: no index serves, so that it is a
    /// scan, or the last one gave many more candidates than there were rows.
    pub(crate) fn wants_many_rows(&mut self, run: &Run<'_>) -> bool {
        if self.is_costly {
            return true;
        }
        let keys: Option<Vec<KeyId>> = self.keys.iter().map(|key| key.key(run.context)).collect();
        let range = self.range.as_ref().map(|range| {
            let bounds = usize::from(range.lower.is_some()) + usize::from(range.upper.is_some());
            range.key.key(run.context).map(|key| (key, bounds))
        });
        let ranged: Option<Vec<_>> = range.into_iter().collect();
        // Where a name is not known, nothing is found, and nothing is looked at.
        let (Some(owner), Some(equal), Some(ranged)) = (self.owner.resolve(run), keys, ranged)
        else {
            return false;
        };
        Usable::all(owner, &Asked { equal, ranged }, true, run).is_empty()
    }

    /// The elements for each row of `values`: a column for each key, then one for each bound of the
    /// range, the lower first.
    pub(crate) fn find(&mut self, values: &[&Column], rows: usize, run: &Run<'_>) -> Result<Found> {
        let keys: Option<Vec<KeyId>> = self.keys.iter().map(|key| key.key(run.context)).collect();
        let (Some(owner), Some(keys)) = (self.owner.resolve(run), keys) else {
            return Ok(Found::default());
        };
        let (values, bounds) = values.split_at(keys.len());
        let range = match &self.range {
            None => None,
            Some(range) => match range.key.key(run.context) {
                None => return Ok(Found::default()),
                Some(key) => Some((key, range.bounds(bounds))),
            },
        };
        let question = Question { owner, keys, values, range, rows };
        self.charge.release(run);
        match question.choose(self.preferred, run)? {
            Some((usable, is_chosen)) => {
                self.preferred = is_chosen.then_some(usable.index).or(self.preferred);
                self.access.get_mut().index(run, || usable.name(run));
                let (found, looked_at) = question.seek(&usable, &mut self.charge, run)?;
                self.is_costly |= rows.saturating_mul(limits::SEEK_CANDIDATES_PER_ROW) < looked_at;
                Ok(found)
            }
            None => {
                self.access.get_mut().scan(run);
                question.scan(&mut self.charge, run)
            }
        }
    }
}

impl FinderRange {
    fn bounds<'a>(&self, columns: &[&'a Column]) -> Bounds<'a> {
        let mut columns = columns.iter();
        let mut bound = |inclusive: Option<bool>| {
            let inclusive = inclusive?;
            columns.next().map(|values| RangeBound { values, inclusive })
        };
        Bounds { lower: bound(self.lower), upper: bound(self.upper) }
    }
}

impl Question<'_> {
    fn asked(&self) -> Asked {
        let count = |bounds: &Bounds<'_>| {
            usize::from(bounds.lower.is_some()) + usize::from(bounds.upper.is_some())
        };
        let ranged = self.range.iter().map(|(key, bounds)| (*key, count(bounds))).collect();
        Asked { equal: self.keys.clone(), ranged }
    }

    /// The index to ask, and whether it was chosen among several by what these find for a few rows.
    fn choose(&self, preferred: Option<IndexId>, run: &Run<'_>) -> Result<Option<(Usable, bool)>> {
        let asked = self.asked();
        let mut usable = Usable::all(self.owner, &asked, 1 < self.rows, run);
        let Some(best) = usable.first() else { return Ok(None) };
        if usable.len() == 1 || best.is_unique || best.serves_all(&asked) {
            return Ok(usable.into_iter().next().map(|own| (own, false)));
        }
        usable.truncate(limits::SEEK_INDEXES_COMPARED_MAX);
        usable.sort_by_key(|own| Some(own.index) != preferred);
        let mut fewest: Option<(usize, Usable)> = None;
        let rows = self.sample();
        for own in usable {
            let count = self.count(&own, &rows, run)?;
            if count <= rows.len() * limits::SEEK_CANDIDATES_PER_ROW {
                return Ok(Some((own, true)));
            }
            if fewest.as_ref().is_none_or(|(fewest, _)| count < *fewest) {
                fewest = Some((count, own));
            }
        }
        Ok(fewest.map(|(_, own)| (own, true)))
    }

    /// A few rows, from all parts of the batch.
    fn sample(&self) -> Vec<u32> {
        let step = self.rows.div_ceil(limits::SEEK_SAMPLE_ROWS).max(1);
        (0..self.rows as u32).step_by(step).collect()
    }

    /// One scan for all rows: each element is looked up in a map of the values sought, and then
    /// compared with the bounds of each row that sought these.
    fn scan(&self, charge: &mut Charge, run: &Run<'_>) -> Result<Found> {
        let mut sought: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for row in 0..self.rows {
            if let Some(hash) = hash_row(self.values, row) {
                sought.entry(hash).or_default().push(row as u32);
            }
        }
        if sought.is_empty() {
            return Ok(Found::default());
        }
        let ranged = self.range.iter().map(|(key, _)| *key);
        let keys: Vec<KeyId> = self.keys.iter().copied().chain(ranged).collect();
        charge.grow((sought.len() * size_of::<(u64, Vec<u32>)>() + self.rows * 8) as u64, run)?;
        let mut found = Found::default();
        let mut charged = 0;
        let mut cursor = ScanCursor::default();
        while !cursor.finished {
            run.context.check_pull()?;
            let ids = scan(self.owner, &mut cursor, run)?;
            let held = gather(self.owner, &ids, &keys, run)?;
            let held: Vec<&Column> = held.iter().collect();
            let (equal, ranged) = held.split_at(self.keys.len());
            for (place, &id) in ids.iter().enumerate() {
                let own = ranged.first().and_then(|column| column.get(place));
                let mut compared = 0;
                each_key(equal, place, |equal, place| {
                    let rows = hash_row(equal, place).and_then(|hash| sought.get(&hash));
                    for &row in rows.into_iter().flatten() {
                        compared += 1;
                        if row_equals(equal, place, self.values, row as usize)
                            && self.range.is_none_or(|(_, bounds)| bounds.contain(row, own.clone()))
                        {
                            found.0.push(row);
                            found.1.push(id);
                        }
                    }
                });
                query_limits::step(compared)?;
                charge_found(&found, &mut charged, charge, run)?;
            }
        }
        let mut pairs: Vec<(u32, u64)> = found.0.into_iter().zip(found.1).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs.into_iter().unzip())
    }
}

impl<'a> Bounds<'a> {
    /// The values of its sides, the lower first.
    pub(super) fn ends(&self) -> impl Iterator<Item = &'a Column> {
        self.lower
            .iter()
            .chain(&self.upper)
            .map(|bound| bound.values)
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The same sides with other values.
    pub(super) fn over<'b>(&self, ends: &'b [Column]) -> Bounds<'b> {
        let mut ends = ends.iter();
        let mut side = |own: Option<RangeBound<'_>>| {
            let RangeBound { inclusive, .. } = own?;
            ends.next().map(|values| RangeBound { values, inclusive })
        };
        Bounds { lower: side(self.lower), upper: side(self.upper) }
    }

    /// Whether a row's range holds an entry, or one of its values: null and absent are in no range.
    pub(super) fn contain(&self, row: u32, own: Option<Value>) -> bool {
        let Some(own) = own.filter(|own| !own.is_null()) else { return false };
        each_value(&own).any(|own| self.contain_value(row, own))
    }

    fn contain_value(&self, row: u32, own: &Value) -> bool {
        let order = |bound: &RangeBound<'_>| {
            let bound = bound.values.get(row as usize)?;
            compare::compare(own, &bound, CompareMode::Plain)
        };
        let above = |bound: &RangeBound<'_>| {
            order(bound).is_some_and(|order| order.is_gt() || bound.inclusive && order.is_eq())
        };
        let below = |bound: &RangeBound<'_>| {
            order(bound).is_some_and(|order| order.is_lt() || bound.inclusive && order.is_eq())
        };
        self.lower.as_ref().is_none_or(above) && self.upper.as_ref().is_none_or(below)
    }
}

/// Properties of elements.
pub(in crate::operators::sources) fn gather(
    owner: Owner,
    ids: &[u64],
    keys: &[KeyId],
    run: &Run<'_>,
) -> Result<Vec<Column>> {
    let graph = run.context.graph();
    match owner {
        Owner::EdgeType(_) | Owner::AllEdges => {
            let edges: Vec<EdgeId> = ids.iter().map(|&id| EdgeId(id)).collect();
            graph.gather(Elements::Edges(&edges), keys)
        }
        Owner::Label(_) | Owner::AllVertices => {
            let vertices: Vec<VertexId> = ids.iter().map(|&id| VertexId(id)).collect();
            graph.gather(Elements::Vertices(&vertices), keys)
        }
    }
}

fn scan(owner: Owner, cursor: &mut ScanCursor, run: &Run<'_>) -> Result<Vec<u64>> {
    let graph = run.context.graph();
    let rows_max = run.context.guard().batch_rows(limits::BATCH_ROWS_MAX);
    let mut vertices = Vec::new();
    match owner {
        Owner::EdgeType(_) | Owner::AllEdges => {
            let kind = match owner {
                Owner::EdgeType(kind) => Some([kind]),
                Owner::AllEdges | Owner::Label(_) | Owner::AllVertices => None,
            };
            let mut edges = EdgeRows::default();
            let types = kind.as_ref().map(<[_; 1]>::as_slice);
            graph.scan_edges(types, cursor, rows_max, &mut edges)?;
            return Ok(edges.edges.into_iter().map(|edge| edge.0).collect());
        }
        Owner::Label(label) => {
            graph.scan_vertices(Some(label), cursor, rows_max, &mut vertices)?;
        }
        Owner::AllVertices => graph.scan_vertices(None, cursor, rows_max, &mut vertices)?,
    }
    Ok(vertices.into_iter().map(|vertex| vertex.0).collect())
}
