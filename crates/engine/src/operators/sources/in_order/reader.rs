//! The elements of an index in order, in batches that grow.
//!
//! An index orders values as keys of bytes. In modes that sort by the same order all its values are in place; Cypher
//! has an order of its own, which is the same within most types, so there all values must be of one such type. Each
//! batch is asked for from the beginning, four times as many: a store needs no place to go on from, and all together
//! cost a third more than the last.

use std::sync::Arc;

use millrace_model::compare::{self, CompareMode};
use millrace_model::property_values::has_multi_valued;
use millrace_model::schema::{IndexKind, Owner};
use millrace_model::temporal::DateTime;
use millrace_model::{Batch, Catalog, Column, IndexId, KeyId, Result, Value, VertexId};
use millrace_plan::Nulls;
use millrace_store::{KeyRanges, SeekMatches};

use crate::context::Resolved;
use crate::expressions::Exprs;
use crate::limits::{
    INDEX_PATH_IDS_MAX, INDEX_PATH_IDS_MIN, INDEX_PATH_SHARE, ORDERED_IDS_MIN, SEEK_IDS_AT_ONCE,
};
use crate::operators::sources::scan::index_path::count_of;
use crate::operators::sources::scan::ranged_key::{Ends, RangedKey};
use crate::operators::sources::seek::{Asked, SeekOwner, Usable, gather, index_name};
use crate::run::{Charge, Run};

/// The order that is asked for. Values are numbers of its expressions.
pub(super) struct OrderQuestion {
    pub(super) owner: SeekOwner,
    pub(super) key: Resolved<KeyId>,
    pub(super) descending: bool,
    /// Where elements without the key belong, if they count.
    pub(super) nulls: Option<Nulls>,
    /// What decides between equal keys.
    pub(super) ties: TieOrder,
    /// Whether that order does not matter.
    pub(super) is_free: bool,
    /// Keys of the sort in front of it, each of which equals one value.
    pub(super) fixed: Vec<Resolved<KeyId>>,
    /// Keys that equal a value.
    pub(super) equal: Vec<(Resolved<KeyId>, usize)>,
    /// How many of them, from the first on, no filter tests again.
    pub(super) sought: usize,
    pub(super) bounds: KeyBounds,
    pub(super) values: Exprs,
    /// How many elements are read at most before the source is better without an order.
    pub(super) budget: Option<usize>,
}

/// The bounds of the key.
pub(super) struct KeyBounds {
    pub(super) range: RangedKey,
    /// Values of which the least is a lower bound, if there are any.
    pub(super) lower_of: Vec<usize>,
    /// Values of which the greatest is an upper bound.
    pub(super) upper_of: Vec<usize>,
}

/// An index that has the order.
struct Chosen {
    index: IndexId,
    /// The values that its first keys equal.
    prefix: Vec<usize>,
    /// Whether its elements must be looked at for their label.
    of_all_vertices: bool,
    /// Whether every element of the owner has the key.
    is_required: bool,
    /// Whether other keys that equal a value are left to the filters.
    leaves_equal: bool,
}

/// The elements of an index, in order.
pub(super) struct Reader {
    owner: Owner,
    key: KeyId,
    index: IndexId,
    of_all_vertices: bool,
    prefix: Vec<Arc<Column>>,
    ends: Ends,
    descending: bool,
    /// Whether elements with equal keys are given together, by id.
    in_groups: bool,
    /// Whether elements without the key come behind those with it.
    nulls_follow: bool,
    limit: usize,
    budget: usize,
    /// How many were asked for, and how many of these were emitted.
    read: usize,
    emitted: usize,
    is_at_end: bool,
}

/// What a reader has next.
pub(super) enum Step {
    /// Elements; all others are behind them.
    Found(Vec<u64>),
    /// No more.
    End,
    /// The source is better without an order.
    GiveUp,
}

impl OrderQuestion {
    /// Whether the elements are edges.
    pub(super) fn finds_edges(&self) -> bool {
        matches!(self.owner, SeekOwner::EdgeType(_))
    }

    /// A reader of the index that has the order, for the one row of a batch.
    pub(super) fn open(
        &mut self,
        row: &Batch,
        wanted: u64,
        run: &Run<'_>,
    ) -> Result<Option<Reader>> {
        let Some(owner) = self.owner.resolve(run) else { return Ok(None) };
        let Some(key) = self.key.key(run.context) else { return Ok(None) };
        let equal: Vec<Option<KeyId>> =
            self.equal.iter().map(|(key, _)| key.key(run.context)).collect();
        let fixed: Vec<Option<KeyId>> = self.fixed.iter().map(|key| key.key(run.context)).collect();
        let chosen = run.context.look(|catalog| {
            let is_one = |key: &Option<KeyId>| key.is_some_and(|key| !catalog.is_irregular(key));
            fixed.iter().all(is_one).then(|| self.choose(catalog, owner, key, &equal)).flatten()
        });
        let Some(chosen) = chosen else { return Ok(None) };
        let nulls = self.nulls.filter(|_| !chosen.is_required);
        if nulls == Some(Nulls::First) {
            return Ok(None);
        }
        let column = |value: usize| {
            let values = self.values.evaluate_at(value, row, run)?;
            Ok(values.into_column(row.len))
        };
        let prefix = chosen.prefix.iter().map(|value| column(*value));
        let prefix: Vec<Arc<Column>> = prefix.collect::<Result<_>>()?;
        let Some(ends) = self.bounds.ends(column, run.compare)? else { return Ok(None) };
        if prefix.iter().map(|column| &**column).chain(ends.columns()).any(is_no_key) {
            return Ok(None);
        }
        let mut reader = Reader {
            owner,
            key,
            index: chosen.index,
            of_all_vertices: chosen.of_all_vertices,
            prefix,
            ends,
            descending: self.descending,
            in_groups: false,
            nulls_follow: nulls.is_some(),
            limit: usize::try_from(wanted).unwrap_or(usize::MAX).saturating_add(1),
            budget: INDEX_PATH_IDS_MIN as usize,
            read: 0,
            emitted: 0,
            is_at_end: false,
        };
        reader.limit = reader.limit.max(ORDERED_IDS_MIN);
        let Some(ties) = reader.ties(run)? else { return Ok(None) };
        // An index has equal keys by element, and all of it the other way round where it is read so.
        let in_turn = match self.ties {
            TieOrder::OfSource => self.is_free || !self.descending,
            TieOrder::OfElements { descending } => descending == self.descending,
            TieOrder::Other => false,
        };
        reader.in_groups = ties == Ties::ByMore || !in_turn;
        self.budget = self.is_found_otherwise(owner, &chosen, &equal, run).then_some(reader.budget);
        if reader.budget < reader.limit && !reader.widen(self, run)? {
            return Ok(None);
        }
        Ok(Some(reader))
    }

    fn choose(
        &self,
        catalog: &Catalog,
        owner: Owner,
        key: KeyId,
        equal: &[Option<KeyId>],
    ) -> Option<Chosen> {
        let of_all = matches!(owner, Owner::Label(_)).then_some(Owner::AllVertices);
        let owners = [owner].into_iter().chain(of_all);
        let indexes = owners.flat_map(|owner| catalog.indexes.of_owner(owner));
        let serving = indexes.filter_map(|index| {
            let (last, first) = index.keys.split_last()?;
            let place = |key: &KeyId| equal.iter().position(|own| *own == Some(*key));
            let prefix: Vec<usize> = first.iter().map(place).collect::<Option<_>>()?;
            let has = |own: &Option<KeyId>| own.is_some_and(|own| first.contains(&own));
            let serves = index.kind == IndexKind::Range
                && *last == key
                && equal[..self.sought].iter().all(has)
                && !index.keys.iter().any(|key| catalog.is_irregular(*key));
            let required = catalog.property(owner, key).is_some_and(|own| own.required);
            serves.then(|| Chosen {
                index: index.id,
                leaves_equal: equal.iter().any(|own| !has(own)),
                prefix: prefix.into_iter().map(|place| self.equal[place].1).collect(),
                of_all_vertices: index.owner != owner,
                is_required: required,
            })
        });
        serving.max_by_key(|own| (own.prefix.len(), !own.of_all_vertices))
    }

    /// Whether another index finds what the filters keep, so that reading on costs more than it may give.
    fn is_found_otherwise(
        &self,
        owner: Owner,
        chosen: &Chosen,
        equal: &[Option<KeyId>],
        run: &Run<'_>,
    ) -> bool {
        let equal = equal.iter().copied().flatten().collect();
        let asked = Asked { equal, ranged: Vec::new() };
        chosen.leaves_equal && Usable::choose(owner, &asked, run).is_some()
    }

    /// How many elements are read at most. The count is asked for late: a serializable transaction would read it.
    fn budget(&mut self, owner: Owner, run: &Run<'_>) -> Result<usize> {
        if let Some(budget) = self.budget {
            return Ok(budget);
        }
        let share = count_of(owner, run)? / INDEX_PATH_SHARE;
        Ok(*self.budget.insert(share.clamp(INDEX_PATH_IDS_MIN, INDEX_PATH_IDS_MAX) as usize))
    }
}

impl KeyBounds {
    /// The bounds for a row; `None` where they are not those of an index.
    fn ends(
        &self,
        column: impl Fn(usize) -> Result<Arc<Column>>,
        mode: CompareMode,
    ) -> Result<Option<Ends>> {
        let mut ends = self.range.ends(&column)?;
        if !ends.rows_of_unlike_keys(1, mode).is_empty() {
            return Ok(None);
        }
        if ends.lower.is_none() {
            ends.lower = outermost(&self.lower_of, &column, true)?;
        }
        if ends.upper.is_none() {
            ends.upper = outermost(&self.upper_of, &column, false)?;
        }
        Ok(Some(ends))
    }
}

/// The least or the greatest of some values, as a bound that it is within; none where they do not compare.
fn outermost(
    values: &[usize],
    column: &impl Fn(usize) -> Result<Arc<Column>>,
    least: bool,
) -> Result<Option<(Arc<Column>, bool)>> {
    let mut found: Option<Arc<Column>> = None;
    for value in values {
        let next = column(*value)?;
        let Some(own) = next.get(0).filter(has_order) else { return Ok(None) };
        let Some(known) = found.as_ref().and_then(|found| found.get(0)) else {
            found = Some(next);
            continue;
        };
        let Some(order) = compare::compare(&own, &known, CompareMode::Plain) else {
            return Ok(None);
        };
        if if least { order.is_lt() } else { order.is_gt() } {
            found = Some(next);
        }
    }
    Ok(found.map(|found| (found, true)))
}

/// Whether a key or bound finds nothing, or not as an index has it.
fn is_no_key(column: &Column) -> bool {
    column.is_null(0) || column.is_absent(0) || has_multi_valued(column)
}

/// What decides between elements with equal keys in the order of a consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TieOrder {
    /// Nothing but the order of the source.
    OfSource,
    /// The elements themselves.
    OfElements { descending: bool },
    /// Something else.
    Other,
}

/// How equal keys relate in the order of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ties {
    /// They are equal there, too.
    Equal,
    /// More decides, as the zones of two timestamps of one instant.
    ByMore,
}

impl Reader {
    /// The index by its owner and keys.
    pub(super) fn name(&self, run: &Run<'_>) -> String {
        index_name(self.index, run)
    }

    /// How the mode orders equal keys; `None` where it has another order than the index.
    fn ties(&self, run: &Run<'_>) -> Result<Option<Ties>> {
        if run.compare != CompareMode::NullIsUnknown {
            return Ok(Some(Ties::Equal));
        }
        if let Some((bound, _)) = self.ends.lower.as_ref().or(self.ends.upper.as_ref()) {
            return Ok(bound.get(0).as_ref().and_then(ties_of));
        }
        // All values are of one type if the first and the last are.
        let mut ids = self.seek(1, false, run)?;
        ids.extend(self.seek(1, true, run)?);
        if ids.is_empty() {
            return Ok(Some(Ties::Equal));
        }
        let values = &gather(self.owner, &ids, &[self.key], run)?[0];
        let types = [0, 1].map(|row| values.get(row).as_ref().and_then(kind_of));
        Ok(match types {
            [Some(first), Some(last)] if first == last => values.get(0).as_ref().and_then(ties_of),
            _ => None,
        })
    }

    /// The first elements of the range.
    fn seek(&self, limit: usize, descending: bool, run: &Run<'_>) -> Result<Vec<u64>> {
        let prefix: Vec<&Column> = self.prefix.iter().map(|column| &**column).collect();
        let bounds = self.ends.bounds(run.compare);
        let (lower, upper) = (bounds.lower, bounds.upper);
        let ranges = KeyRanges { rows: 1, prefix: &prefix, lower, upper, descending, limit };
        let mut matches = SeekMatches::default();
        run.context.graph().seek_ranges(self.index, &ranges, &mut matches)?;
        Ok(matches.ids)
    }

    /// The next elements.
    pub(super) fn next(
        &mut self,
        question: &mut OrderQuestion,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Step> {
        loop {
            if self.is_at_end {
                return Ok(if self.nulls_follow { Step::GiveUp } else { Step::End });
            }
            if self.budget < self.limit && !self.widen(question, run)? {
                return Ok(Step::GiveUp);
            }
            let mut ids = self.seek(self.limit, self.descending, run)?;
            charge.set(2 * size_of_val(ids.as_slice()) as u64, run)?;
            self.is_at_end = ids.len() < self.limit;
            self.read = self.limit;
            self.limit = self.limit.saturating_mul(4);
            ids.drain(..self.emitted.min(ids.len()));
            if self.in_groups {
                self.by_groups(&mut ids, run)?;
            }
            self.emitted += ids.len();
            if self.of_all_vertices {
                self.keep_label(&mut ids, run)?;
            }
            if !ids.is_empty() {
                return Ok(Step::Found(ids));
            }
        }
    }

    /// Makes room for as many elements as are asked for next, or for all that may be; whether there is any.
    fn widen(&mut self, question: &mut OrderQuestion, run: &Run<'_>) -> Result<bool> {
        self.budget = question.budget(self.owner, run)?;
        if (1..self.budget).contains(&self.read) {
            self.limit = self.limit.min(self.budget);
        }
        Ok(self.limit <= self.budget)
    }

    /// Keeps whole groups of elements with equal keys, each by id.
    fn by_groups(&self, ids: &mut Vec<u64>, run: &Run<'_>) -> Result<()> {
        let mut begins = vec![0];
        let mut last: Option<Value> = None;
        for (number, piece) in ids.chunks(SEEK_IDS_AT_ONCE).enumerate() {
            run.context.check_pull()?;
            let values = &gather(self.owner, piece, &[self.key], run)?[0];
            for row in 0..piece.len() {
                let value = values.get(row).unwrap_or_default();
                if last.as_ref().is_some_and(|last| compare::order(last, &value).is_ne()) {
                    begins.push(number * SEEK_IDS_AT_ONCE + row);
                }
                last = Some(value);
            }
        }
        if !self.is_at_end {
            // The last group may have more.
            ids.truncate(begins.pop().unwrap_or(0));
        }
        if self.descending {
            begins.push(ids.len());
            begins.windows(2).for_each(|group| ids[group[0]..group[1]].sort_unstable());
        }
        Ok(())
    }

    fn keep_label(&self, ids: &mut Vec<u64>, run: &Run<'_>) -> Result<()> {
        let Owner::Label(label) = self.owner else { return Ok(()) };
        let vertices: Vec<VertexId> = ids.iter().map(|id| VertexId(*id)).collect();
        let have = run.context.graph().have_label(&vertices, label)?;
        let mut place = 0..;
        ids.retain(|_| place.next().is_some_and(|place| have.get(place)));
        Ok(())
    }
}

/// A type whose values an index orders as Cypher does.
#[derive(PartialEq, Eq)]
enum Kind {
    Bool,
    Number,
    Date,
    LocalTimestamp,
    ZonedTimestamp,
    Text,
    Uuid,
    Bytes,
    Point,
    Geometry,
}

fn kind_of(value: &Value) -> Option<Kind> {
    match value {
        Value::Bool(_) => Some(Kind::Bool),
        Value::I8(_)
        | Value::I16(_)
        | Value::I32(_)
        | Value::I64(_)
        | Value::F32(_)
        | Value::F64(_)
        | Value::Decimal(_) => Some(Kind::Number),
        Value::Date(_) => Some(Kind::Date),
        Value::DateTime(own) if own.offset_seconds == DateTime::LOCAL => Some(Kind::LocalTimestamp),
        Value::DateTime(_) | Value::ZonedDateTime(_) => Some(Kind::ZonedTimestamp),
        Value::String(_) => Some(Kind::Text),
        Value::Uuid(_) => Some(Kind::Uuid),
        Value::Bytes(_) => Some(Kind::Bytes),
        Value::Point(_) => Some(Kind::Point),
        Value::Geometry(_) => Some(Kind::Geometry),
        // Times stand by their instant there, durations by their average length, lists and maps by such entries.
        Value::Null
        | Value::Time(_)
        | Value::Duration(_)
        | Value::Vertex(_)
        | Value::Edge(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::Path(_)
        | Value::Set(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::MapEntry(_)
        | Value::Tree(_)
        | Value::Token(_)
        | Value::PropertyValues(_)
        | Value::Vector(_)
        | Value::Subgraph(_) => None,
    }
}

fn has_order(value: &Value) -> bool {
    kind_of(value).is_some()
}

fn ties_of(value: &Value) -> Option<Ties> {
    let kind = kind_of(value)?;
    Some(if kind == Kind::ZonedTimestamp { Ties::ByMore } else { Ties::Equal })
}
