//! Finding elements by the values of some keys and a range of one more, for all rows at once.

use std::cell::RefCell;

use millrace_model::compare::{self, CompareMode};
use millrace_model::property_values::each_value;
use millrace_model::schema::Owner;
use millrace_model::{Column, EdgeId, KeyId, LabelId, Result, Value, VertexId};
use millrace_plan::{Name, OwnerName, SeekBound, SeekRange};
use millrace_store::index_keys::{each_key, entry_holds};
use millrace_store::key_hash::hash_row;
use millrace_store::{EdgeRows, Elements, RangeBound, ScanCursor};
use rustc_hash::FxHashMap;

use super::access::Access;
use super::usable::{Asked, Bounds, Found, Usable, retain};
use crate::limits;
use crate::names::{EdgeTypes, Resolved};
use crate::rows::row_equals;
use crate::run::Run;

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
struct Question<'a> {
    owner: Owner,
    keys: Vec<KeyId>,
    values: &'a [&'a Column],
    range: Option<(KeyId, Bounds<'a>)>,
    rows: usize,
}

impl Finder {
    pub(crate) fn new(owner: SeekOwner, keys: &[Name]) -> Finder {
        let keys = keys.iter().map(Resolved::new).collect();
        Finder { owner, keys, range: None, access: RefCell::default() }
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

    /// Whether no index serves what it asks for, so that `find` scans.
    pub(crate) fn must_scan(&mut self, run: &Run<'_>) -> bool {
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
        Usable::choose(owner, &Asked { equal, ranged }, run).is_none()
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
        match Usable::choose(owner, &question.asked(), run) {
            Some(usable) => {
                self.access.get_mut().index(run, || usable.name(run));
                question.seek(&usable, run)
            }
            None => {
                self.access.get_mut().scan(run);
                question.scan(run)
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

    fn seek(&self, usable: &Usable, run: &Run<'_>) -> Result<Found> {
        let bounds = self.range.map_or_else(Bounds::default, |(_, bounds)| bounds);
        let mut found = usable.ask(self.values, bounds, (self.rows, usize::MAX), run)?;
        usable.keep_label(self.owner, &mut found, run)?;
        let others = (0..self.keys.len()).filter(|place| !usable.equal.contains(place));
        let others: Vec<usize> = others.collect();
        let range = self.range.filter(|_| usable.ranged.is_none());
        if found.0.is_empty() || others.is_empty() && range.is_none() {
            return Ok(found);
        }
        let keys = others.iter().map(|&place| self.keys[place]);
        let keys: Vec<KeyId> = keys.chain(range.map(|(key, _)| key)).collect();
        let held = gather(self.owner, &found.1, &keys, run)?;
        let held: Vec<&Column> = held.iter().collect();
        let (equal, ranged) = held.split_at(others.len());
        let wanted: Vec<&Column> = others.iter().map(|&place| self.values[place]).collect();
        retain(&mut found, |place, row| {
            hash_row(equal, place).is_some()
                && hash_row(&wanted, row as usize).is_some()
                && holds(equal, place, &wanted, row as usize)
                && range.is_none_or(|(_, bounds)| bounds.contain(row, ranged[0].get(place)))
        });
        Ok(found)
    }

    /// One scan for all rows: each element is looked up in a map of the values sought, and then
    /// compared with the bounds of each row that sought these.
    fn scan(&self, run: &Run<'_>) -> Result<Found> {
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
        let mut pairs: Vec<(u32, u64)> = Vec::new();
        let mut cursor = ScanCursor::default();
        while !cursor.finished {
            run.context.check_pull()?;
            let ids = scan(self.owner, &mut cursor, run)?;
            let held = gather(self.owner, &ids, &keys, run)?;
            let held: Vec<&Column> = held.iter().collect();
            let (equal, ranged) = held.split_at(self.keys.len());
            for (place, &id) in ids.iter().enumerate() {
                let own = ranged.first().and_then(|column| column.get(place));
                each_key(equal, place, |equal, place| {
                    let rows = hash_row(equal, place).and_then(|hash| sought.get(&hash));
                    for &row in rows.into_iter().flatten() {
                        if row_equals(equal, place, self.values, row as usize)
                            && self.range.is_none_or(|(_, bounds)| bounds.contain(row, own.clone()))
                        {
                            pairs.push((row, id));
                        }
                    }
                });
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs.into_iter().unzip())
    }
}

impl Bounds<'_> {
    /// Whether a row's range holds an entry, or one of its values: null and absent are in no range.
    fn contain(&self, row: u32, own: Option<Value>) -> bool {
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

/// Whether the entries of a place hold the values of a row.
fn holds(held: &[&Column], place: usize, sought: &[&Column], row: usize) -> bool {
    held.iter().zip(sought).all(|(held, sought)| entry_holds(held, place, sought, row))
}

fn gather(owner: Owner, ids: &[u64], keys: &[KeyId], run: &Run<'_>) -> Result<Vec<Column>> {
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
