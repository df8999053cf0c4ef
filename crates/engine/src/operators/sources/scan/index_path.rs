//! How an index replaces a scan: the conditions on properties in the filters right behind it are
//! answered by an index for all rows at once.
//!
//! An index gives *candidates*, not answers. The filters stay where they are and test each candidate in
//! the language's mode, so an index must only include everything that they would keep. Each run looks
//! up the index again: a prepared plan outlives schema changes.

use std::sync::Arc;

use millrace_model::compare::CompareMode;
use millrace_model::property_values::has_multi_valued;
use millrace_model::schema::Owner;
use millrace_model::{Batch, Column, KeyId, Result};
use millrace_store::index_keys::any_multi_valued;

use super::made_path::{AskedTest, MadeIndex, values_of};
use super::made_test::{MadeTest, TestKind};
use super::members::Members;
use super::ranged_key::{Ends, RangedKey};
use crate::context::Resolved;
use crate::expressions::Exprs;
use crate::limits::{
    BATCH_ROWS_MIN, INDEX_PATH_BATCH_IDS_MAX, INDEX_PATH_IDS_MAX, INDEX_PATH_IDS_MIN,
    INDEX_PATH_SHARE,
};
use crate::operators::sources::seek::{Asked, Found, SeekOwner, Usable, index_name};
use crate::run::Run;

/// The keys that filters compare. Values are numbers of the path's expressions.
#[derive(Debug)]
pub(crate) struct Keys {
    pub(crate) equal: Vec<(Resolved<KeyId>, usize)>,
    /// A key with values in a list.
    pub(crate) member: Option<(Resolved<KeyId>, usize)>,
    pub(crate) ranged: Vec<RangedKey>,
    /// Tests that an index of made keys may narrow.
    pub(crate) tests: Vec<MadeTest>,
}

/// The keys and values by which an index may replace a scan.
#[derive(Debug)]
pub(crate) struct IndexPath {
    owner: SeekOwner,
    keys: Keys,
    values: Exprs,
    /// Numbers of the values that may fail.
    fallible: Vec<usize>,
    /// Whether the consumer may stop before the end.
    may_stop: bool,
    /// How much the scan would list; counted when first asked in a run.
    count: Option<u64>,
    /// Paths that together find all elements, asked where no index serves the keys.
    alternatives: Vec<IndexPath>,
}

/// The elements that an index found.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) found: Found,
    /// The rows it does not answer, ascending: it found too much, or does not hold their values.
    pub(super) open: Vec<u32>,
    /// The name of the index, in a profiled run.
    pub(super) index: String,
}

/// The keys that the catalog knows, as an index is asked for them.
#[derive(Default)]
struct Known<'a> {
    asked: Asked,
    /// The value of each equal key; of a member, its list.
    values: Vec<usize>,
    /// The place of the member among the equal keys.
    member: Option<usize>,
    ranged: Vec<&'a RangedKey>,
}

impl IndexPath {
    pub(crate) fn new(
        owner: SeekOwner,
        keys: Keys,
        (values, fallible): (Exprs, Vec<usize>),
        may_stop: bool,
    ) -> IndexPath {
        let (count, alternatives) = (None, Vec::new());
        IndexPath { owner, keys, values, fallible, may_stop, count, alternatives }
    }

    /// The same with paths that together find all elements.
    pub(crate) fn or(self, alternatives: Vec<IndexPath>) -> IndexPath {
        IndexPath { alternatives, ..self }
    }

    pub(super) fn begin(&mut self) {
        self.count = None;
        self.alternatives.iter_mut().for_each(IndexPath::begin);
    }

    /// The elements that an index has for each row; `None` if no index serves.
    pub(super) fn find(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Option<Answer>> {
        let Some(owner) = self.owner.resolve(run) else { return Ok(None) };
        if !self.is_sound(batch, run)? {
            return Ok(None);
        }
        let known = self.known(run);
        let Some(usable) = Usable::choose(owner, &known.asked, run) else {
            return match self.by_made_keys(owner, batch, run)? {
                Some(answer) => Ok(Some(answer)),
                None => self.by_alternatives(batch, run),
            };
        };
        let member = known.member.filter(|place| usable.equal.contains(place));
        let members = match member {
            Some(place) => {
                let lists = self.values.evaluate_at(known.values[place], batch, run)?;
                Some(Members::of(&lists.into_column(batch.len), batch.len))
            }
            None => None,
        };
        // A row for each entry of its list, where an index is asked for these.
        let each = members.as_ref().map(|members| batch.take(&members.rows));
        let batch = each.as_ref().unwrap_or(batch);
        let column = |value: usize| {
            let values = self.values.evaluate_at(value, batch, run)?;
            Ok(values.into_column(batch.len))
        };
        let equal = known.values.iter().enumerate().map(|(place, &value)| match &members {
            Some(members) if member == Some(place) => Ok(members.entries.clone()),
            _ => column(value),
        });
        let equal: Vec<Arc<Column>> = equal.collect::<Result<_>>()?;
        let ends = match usable.ranged {
            Some(place) => known.ranged[place].ends(column)?,
            None => Ends::default(),
        };
        let bounds = ends.bounds(run.compare);
        let equal: Vec<&Column> = equal.iter().map(|column| &**column).collect();
        let sought = usable.equal.iter().map(|&place| equal[place]);
        let mut open = asking_for_null(sought.clone(), &ends, batch.len, run.compare);
        let unlike = ends.rows_of_unlike_keys(batch.len, run.compare);
        rows_of_multi_valued(sought.chain(ends.columns()), batch.len, &mut open);
        // Of equal values there are few, and a count would be read by a serializable transaction.
        let limit = match usable.ranged {
            Some(_) => self.limit(owner, batch.len, run)?,
            None => usize::MAX,
        };
        let mut found = usable.ask(&equal, bounds, (batch.len, limit), run)?;
        leave_out(&mut found, &unlike, &mut open);
        cut(&mut found, limit, &mut open);
        usable.keep_label(owner, &mut found, run)?;
        open.sort_unstable();
        open.dedup();
        if let Some(members) = members {
            (found, open) = members.by_row(found, &open);
        }
        let index = if run.profiled { usable.name(run) } else { String::new() };
        Ok(Some(Answer { found, open, index }))
    }

    /// The candidates that an index of made keys has; `None` if there is none for a text that is asked for.
    fn by_made_keys(
        &mut self,
        owner: Owner,
        batch: &Batch,
        run: &Run<'_>,
    ) -> Result<Option<Answer>> {
        let tests = self.keys.tests.iter();
        let known: Vec<(KeyId, &MadeTest)> =
            tests.filter_map(|test| Some((test.key.key(run.context)?, test))).collect();
        let kinds: Vec<(KeyId, TestKind)> =
            known.iter().map(|(key, test)| (*key, test.kind)).collect();
        let Some(made) = MadeIndex::choose(owner, &kinds, run) else { return Ok(None) };
        let columns = known.iter().map(|(_, test)| self.columns(&test.values, batch, run));
        let columns: Vec<Vec<Arc<Column>>> = columns.collect::<Result<_>>()?;
        let asked = kinds.iter().zip(&columns).map(|((_, kind), columns)| AskedTest {
            kind: *kind,
            values: columns.iter().map(|column| &**column).collect(),
        });
        let asked: Vec<AskedTest<'_>> = asked.collect();
        let limit = self.limit(owner, batch.len, run)?;
        let (mut found, mut open) = made.ask(&asked, (batch.len, limit), run)?;
        cut(&mut found, limit, &mut open);
        open.sort_unstable();
        open.dedup();
        let index = if run.profiled { index_name(made.id(), run) } else { String::new() };
        Ok(Some(Answer { found, open, index }))
    }

    /// Whether no value fails, and no test by its values; else a scan says what is wrong, where there is something to
    /// test.
    fn is_sound(&self, batch: &Batch, run: &Run<'_>) -> Result<bool> {
        if self.columns(&self.fallible, batch, run).is_err() {
            run.context.check()?;
            return Ok(false);
        }
        for test in self.keys.tests.iter().filter(|test| test.kind.may_fail()) {
            let columns = self.columns(&test.values, batch, run)?;
            let columns: Vec<&Column> = columns.iter().map(|column| &**column).collect();
            let is_sound = |row| test.kind.check(&values_of(&columns, row)).is_ok();
            if !(0..batch.len).all(is_sound) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Values of the path, a column for each.
    fn columns(&self, values: &[usize], batch: &Batch, run: &Run<'_>) -> Result<Vec<Arc<Column>>> {
        let column = |value: &usize| {
            let values = self.values.evaluate_at(*value, batch, run)?;
            Ok(values.into_column(batch.len))
        };
        values.iter().map(column).collect()
    }

    /// What each alternative finds, once; `None` if no index serves one of them.
    fn by_alternatives(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Option<Answer>> {
        let (mut found, mut open, mut indexes) = (Vec::new(), Vec::new(), Vec::new());
        for path in &mut self.alternatives {
            let Some(answer) = path.find(batch, run)? else { return Ok(None) };
            let (rows, ids) = answer.found;
            found.extend(rows.into_iter().zip(ids));
            open.extend(answer.open);
            indexes.push(answer.index);
        }
        if indexes.is_empty() {
            return Ok(None);
        }
        found.sort_unstable();
        found.dedup();
        open.sort_unstable();
        open.dedup();
        let mut found: Found = found.into_iter().unzip();
        leave_out(&mut found, &open, &mut Vec::new());
        Ok(Some(Answer { found, open, index: indexes.join(", ") }))
    }

    fn known(&self, run: &Run<'_>) -> Known<'_> {
        let mut known = Known::default();
        for (key, value) in &self.keys.equal {
            if let Some(key) = key.key(run.context) {
                known.asked.equal.push(key);
                known.values.push(*value);
            }
        }
        if let Some((key, list)) = &self.keys.member
            && let Some(key) = key.key(run.context)
            && !known.asked.equal.contains(&key)
        {
            known.member = Some(known.values.len());
            known.asked.equal.push(key);
            known.values.push(*list);
        }
        // Where null is the least value it is below every bound, and no index holds it.
        let null_is_below = run.compare == CompareMode::NullIsValue;
        for ranged in &self.keys.ranged {
            let drops_null = ranged.lower.is_some() || ranged.prefix.is_some() || ranged.never_null;
            if let Some(key) = ranged.key.key(run.context)
                && (drops_null || !null_is_below)
            {
                known.asked.ranged.push((key, ranged.bound_count()));
                known.ranged.push(ranged);
            }
        }
        known
    }

    /// How many elements of a row's range are taken from an index before the row is scanned for.
    /// Where the consumer may stop early, a scan may end after few rows: the geometric mean of its first
    /// batch and its full length loses least against either.
    fn limit(&mut self, owner: Owner, rows: usize, run: &Run<'_>) -> Result<usize> {
        let count = match self.count {
            Some(count) => count,
            None => *self.count.insert(count_of(owner, run)?),
        };
        let worth = if self.may_stop {
            (count.saturating_mul(BATCH_ROWS_MIN as u64)).isqrt()
        } else {
            count / INDEX_PATH_SHARE
        };
        let of_one = worth.clamp(INDEX_PATH_IDS_MIN, INDEX_PATH_IDS_MAX) as usize;
        let share = if rows == 1 { of_one } else { INDEX_PATH_BATCH_IDS_MAX / rows.max(1) };
        Ok(of_one.min(share).max(1))
    }
}

/// The rows that ask for null in a mode where something equals it, or is above it.
fn asking_for_null<'a>(
    equal: impl Iterator<Item = &'a Column>,
    ends: &'a Ends,
    rows: usize,
    mode: CompareMode,
) -> Vec<u32> {
    let mut columns: Vec<&Column> = Vec::new();
    if mode != CompareMode::NullIsUnknown {
        columns.extend(equal);
    }
    if mode == CompareMode::NullIsValue && !ends.of_prefix {
        columns.extend(ends.lower.iter().chain(&ends.upper).map(|(column, _)| &**column));
    }
    let asks = |row: &u32| columns.iter().any(|column| column.is_null(*row as usize));
    (0..rows as u32).filter(asks).collect()
}

/// Adds the rows that seek a multi-valued property: the index has no entry for it as a whole.
fn rows_of_multi_valued<'a>(
    columns: impl Iterator<Item = &'a Column>,
    rows: usize,
    open: &mut Vec<u32>,
) {
    let columns: Vec<&Column> = columns.filter(|column| has_multi_valued(column)).collect();
    if columns.is_empty() {
        return;
    }
    open.extend((0..rows as u32).filter(|row| any_multi_valued(&columns, *row as usize)));
    open.sort_unstable();
    open.dedup();
}

/// Takes the rows out that have more than `limit`, and says that they are open.
fn cut(found: &mut Found, limit: usize, open: &mut Vec<u32>) {
    let chunks = found.0.chunk_by(|left, right| left == right);
    let over: Vec<u32> = chunks.filter(|of_row| limit < of_row.len()).map(|of| of[0]).collect();
    leave_out(found, &over, open);
}

/// Takes some rows out, ascending, and says that they are open.
pub(super) fn leave_out((rows, ids): &mut Found, over: &[u32], open: &mut Vec<u32>) {
    if over.is_empty() {
        return;
    }
    let mut kept = rows.iter().map(|row| over.binary_search(row).is_err());
    ids.retain(|_| kept.next().unwrap_or(false));
    rows.retain(|row| over.binary_search(row).is_err());
    open.extend(over);
}

pub(in crate::operators::sources) fn count_of(owner: Owner, run: &Run<'_>) -> Result<u64> {
    let graph = run.context.graph();
    match owner {
        Owner::Label(label) => graph.count_vertices(Some(label)),
        Owner::EdgeType(edge_type) => graph.count_edges(Some(edge_type)),
        Owner::AllVertices => graph.count_vertices(None),
        Owner::AllEdges => graph.count_edges(None),
    }
}
