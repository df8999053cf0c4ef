//! What the writes of a context changed, counted as Neo4j 5 counts it: see [`WriteCounts`].
//!
//! Operators count what they give the transaction. What only the store can know, such as which of the deleted
//! elements were there, is the difference of its own numbers. Nothing is read to count, but for properties that
//! are removed: those that were not there do not count.

use millrace_model::{Catalog, Column, KeyId, Owner, Result};
use millrace_plan::WriteCounts;
use millrace_store::{Elements, Transaction};
use rustc_hash::FxHashMap;
use std::hash::Hash;

use super::statement::Context;

/// Entries that are there.
pub(crate) fn present_entries(column: &Column) -> u64 {
    let absent = (0..column.len()).filter(|&row| column.is_absent(row)).count();
    (column.len() - absent) as u64
}

/// Properties that writing a column of values to owners sets or removes; an absent entry removes. `weight` says
/// how many equal rows an entry stands for.
pub(crate) fn properties_set<Id: Copy + Eq + Hash>(
    (owners, values): (&[Id], &Column),
    weight: impl Fn(usize) -> u64,
    held: impl FnOnce() -> Result<Column>,
) -> Result<u64> {
    let all = 0..owners.len();
    if values.absents.is_none() {
        return Ok(all.map(weight).fold(0, u64::saturating_add));
    }
    let held = held()?;
    let mut has: FxHashMap<Id, bool> = FxHashMap::default();
    let mut count = 0u64;
    for place in all {
        let has = has.entry(owners[place]).or_insert_with(|| !held.is_absent(place));
        let set = !values.is_absent(place);
        count = count.saturating_add(if set { weight(place) } else { u64::from(*has) });
        *has = set;
    }
    Ok(count)
}

impl Context {
    /// What was changed in it so far.
    pub fn write_counts(&self) -> WriteCounts {
        self.written.get()
    }

    /// Counts changes.
    pub(crate) fn count_writes(&self, counts: WriteCounts) {
        let mut written = self.written.get();
        written += counts;
        self.written.set(written);
    }

    /// Makes edges, and counts those that were not there: a set of edges has each only once.
    pub(crate) fn counting_new_edges<T>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T>,
    ) -> Result<T> {
        let transaction = self.transaction()?;
        let before = transaction.net_counts();
        let done = work(transaction)?;
        let made = transaction.net_counts().1 - before.1;
        let edges_created = u64::try_from(made).unwrap_or(0);
        self.count_writes(WriteCounts { edges_created, ..WriteCounts::default() });
        Ok(done)
    }

    /// Deletes, and counts what was there.
    pub(crate) fn counting_deleted<T>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T>,
    ) -> Result<T> {
        let transaction = self.transaction()?;
        let before = transaction.net_counts();
        let done = work(transaction)?;
        let after = transaction.net_counts();
        let fewer = |before: i64, after: i64| u64::try_from(before - after).unwrap_or(0);
        self.count_writes(WriteCounts {
            vertices_deleted: fewer(before.0, after.0),
            edges_deleted: fewer(before.1, after.1),
            ..WriteCounts::default()
        });
        Ok(done)
    }

    /// The value of a key for each of some elements; absent where it is not there.
    pub(crate) fn value_before(&self, elements: Elements<'_>, key: KeyId) -> Result<Column> {
        Ok(self.graph().gather(elements, &[key])?.into_iter().next().unwrap_or_default())
    }
}

/// What a change of the schema of an owner added and removed.
pub(crate) fn schema_counts([before, after]: [&Catalog; 2], owner: Option<Owner>) -> WriteCounts {
    let Some(owner) = owner else { return WriteCounts::default() };
    let numbers = |catalog: &Catalog| {
        let unique = catalog.indexes.of_owner(owner).filter(|index| index.is_unique()).count();
        let constraints = unique + catalog.properties.of_owner(owner).count();
        ((catalog.indexes.of_owner(owner).count() - unique) as u64, constraints as u64)
    };
    let ((indexes, constraints), (now_indexes, now_constraints)) =
        (numbers(before), numbers(after));
    WriteCounts {
        indexes_added: now_indexes.saturating_sub(indexes),
        indexes_removed: indexes.saturating_sub(now_indexes),
        constraints_added: now_constraints.saturating_sub(constraints),
        constraints_removed: constraints.saturating_sub(now_constraints),
        ..WriteCounts::default()
    }
}
