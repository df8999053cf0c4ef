//! Validation of a batch, outside of every lock: the elements that it names must exist and the
//! defined rules must hold. It also derives the index entries, and the keys that no other
//! transaction may have changed.
//!
//! ```text
//!   WriteBatch ─┬─ created     which ids are new
//!               ├─ existence   ends, owners, nothing left hanging
//!               ├─ modified    before and after, for the keys that definitions name
//!               ├─ rules       required, types, unique; index entries
//!               ├─ external_id_values   no two elements are shown under one id
//!               └─ marks       the footprint
//!                        └──> Prepared: index delta and footprint
//! ```
//!
//! The batch is judged by the state visible *now*, not at its snapshot. Whatever was written in
//! between and matters carries a mark newer than that snapshot, so the batch loses at the
//! sequencer; whatever does not matter may as well be seen.

pub(crate) mod created;
mod existence;
pub(crate) mod external_id_values;
pub(crate) mod marks;
pub(crate) mod modified;
mod parts;
pub(crate) mod rules;
mod sets;

use std::sync::Arc;

use millrace_model::schema::IndexDefinition;
use millrace_model::{
    Catalog, Error, ErrorKind, LogPosition, Owner, Phase, Result, Value, WriteConflict,
};
use millrace_store::{Changes, Isolation, WriteBatch, constraint};

use super::conflict::{ConflictTable, Footprint, Mark};
use super::physical::{OrderedEntry, Physical, ordered_entry};
use crate::commit::PresentView;
use crate::graph::Graph;
use crate::index::IndexEntry;
use created::Created;
use marks::{Form, Marks};
use modified::Modified;
pub(crate) use parts::Parts;

/// A batch that may be sequenced.
pub(crate) struct Prepared {
    pub(crate) index_delta: IndexDelta,
    pub(crate) footprint: Footprint,
}

/// The index entries that a batch adds and removes.
#[derive(Default)]
pub(crate) struct IndexDelta {
    pub(crate) index_added: Vec<IndexEntry>,
    pub(crate) index_removed: Vec<IndexEntry>,
    pub(crate) ordered_added: Vec<OrderedEntry>,
    pub(crate) ordered_removed: Vec<OrderedEntry>,
}

impl IndexDelta {
    /// An element gets an entry in an index.
    fn add_entry(&mut self, index: &IndexDefinition, id: u64, values: &[Value], hash: u64) {
        match ordered_entry(index, id, values) {
            Some(entry) => self.ordered_added.push(entry),
            None => self.index_added.push(IndexEntry { index: index.id, hash, id }),
        }
    }

    /// An element loses its entry in an index.
    fn remove_entry(&mut self, index: &IndexDefinition, id: u64, values: &[Value], hash: u64) {
        match ordered_entry(index, id, values) {
            Some(entry) => self.ordered_removed.push(entry),
            None => self.index_removed.push(IndexEntry { index: index.id, hash, id }),
        }
    }

    /// Changes with their index entries.
    pub(crate) fn of(self, changes: Changes) -> Physical {
        let IndexDelta { index_added, index_removed, ordered_added, ordered_removed } = self;
        Physical {
            changes,
            index_added,
            index_removed,
            ordered_added,
            ordered_removed,
            origin: None,
        }
    }
}

/// Judges a batch by the current state. Of two reasons to refuse it a write conflict counts,
/// because it may be the cause of the other. Parts that were spilled are given away one by one when
/// they are judged, for a commit that may still be refused: they are read once, if nothing is
/// defined. `defined`: the owners that a schema change names; its own steps before this commit are
/// no conflict.
pub(crate) fn prepare(
    view: &PresentView<'_>,
    table: &ConflictTable,
    batch: &WriteBatch,
    defined: &[Owner],
    give: &mut dyn FnMut(Changes) -> Result<()>,
) -> Result<Prepared> {
    let mut marks = Marks::new(table, view.graph.id).of_schema_change(defined);
    let judged = judge(view, batch, &mut marks, give);
    let mut footprint = marks.finish();
    footprint.ticket = batch.ticket;
    match judged {
        Ok(index_delta) => Ok(Prepared { index_delta, footprint }),
        Err(error) => Err(table.confirm(&footprint, batch.snapshot.0).err().unwrap_or(error)),
    }
}

fn judge(
    view: &PresentView<'_>,
    batch: &WriteBatch,
    marks: &mut Marks<'_>,
    give: &mut dyn FnMut(Changes) -> Result<()>,
) -> Result<IndexDelta> {
    let parts = Parts::of(batch);
    if batch.isolation == Isolation::Serializable || !batch.claims.is_empty() {
        marks.add_reads(batch);
    }
    check_isolation(view, batch)?;
    let form = Form { catalog: view.catalog(), unit: batch.unit };
    let mut created = Created::default();
    let (mut relabels, mut missing) = (false, Vec::new());
    parts.take_spilled(
        |part| {
            relabels |= changes_kinds(part);
            created.add(part).map_err(created_twice)?;
            marks.add_changes(part, &created.vertices, form);
            existence::check(view, &created, part, &mut missing)
        },
        give,
    )?;
    relabels |= changes_kinds(parts.rest());
    created.add(parts.rest()).map_err(created_twice)?;
    // All marks first: a commit that lost gets that error, and not one that came of it.
    marks.add_changes(parts.rest(), &created.vertices, form);
    check_leased(view.graph, &created)?;
    existence::check(view, &created, parts.rest(), &mut missing)?;
    existence::check_created(&created, &missing)?;
    existence::check_nothing_hangs(view, parts)?;
    let mut index_delta = IndexDelta::default();
    let (catalog, has_sets) = (&view.graph.catalog, !view.catalog().sets.is_empty());
    let defines = !parts.rest().catalog.is_empty();
    if defines || relabels || has_sets || catalog.defines(false) || catalog.defines(true) {
        let after = apply_schema(view, parts.rest(), marks);
        sets::check(view, &after, parts)?;
        derive_entries(
            view,
            parts,
            &after,
            Elements::Vertices { relabels },
            (&mut index_delta, marks),
        )?;
        derive_entries(view, parts, &after, Elements::Edges, (&mut index_delta, marks))?;
    }
    Ok(index_delta)
}

/// The catalog after the batch.
fn apply_schema(view: &PresentView<'_>, changes: &Changes, marks: &mut Marks<'_>) -> Arc<Catalog> {
    let mut after = Arc::clone(view.catalog());
    for change in &changes.catalog {
        if !change.is_note() {
            marks.add_schema(after.owner_of(change), change);
        }
        Arc::make_mut(&mut after).apply(change);
    }
    after
}

/// The elements that rules are about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    Edges,
    /// `relabels`: the batch changes which definitions hold for some.
    Vertices {
        relabels: bool,
    },
}

impl Elements {
    /// Whether they matter although nothing is defined: a transaction may have read the changed
    /// elements.
    fn are_changed(self) -> bool {
        match self {
            // A commit that writes values of edges checks the definitions of all edge types.
            Elements::Edges => false,
            Elements::Vertices { relabels } => relabels,
        }
    }
}

/// Rules and indexes of vertices, or of edges.
fn derive_entries(
    view: &PresentView<'_>,
    parts: Parts<'_>,
    after: &Catalog,
    elements: Elements,
    (index_delta, marks): (&mut IndexDelta, &mut Marks<'_>),
) -> Result<()> {
    let of_edges = matches!(elements, Elements::Edges);
    let catalogs = [&**view.catalog(), after];
    if catalogs.iter().all(|own| !own.defines(of_edges)) && !elements.are_changed() {
        return Ok(());
    }
    let modified = match of_edges {
        true => Modified::edges(view.view(), parts, catalogs)?,
        false => Modified::vertices(view.view(), parts, catalogs)?,
    };
    let view = view.view();
    if !of_edges {
        marks.add_kinds(&modified);
    }
    rules::check_properties(after, &modified)?;
    let indexes = modified.owners.iter().flat_map(|owner| after.maintained_of(*owner));
    for index in indexes.filter(|index| index.keys.iter().all(|key| modified.has_key(*key))) {
        rules::derive_index_delta(view, (after, index), &modified, (index_delta, marks))?;
    }
    Ok(())
}

/// Whether a part changes which definitions hold for a vertex that was there before.
fn changes_kinds(part: &Changes) -> bool {
    !(part.labels.is_empty()
        && part.deleted_vertices.is_empty()
        && part.vertex_properties.is_empty())
}

/// The demand may be newer than the visible catalog, because its commit held back all others.
fn check_isolation(view: &PresentView<'_>, batch: &WriteBatch) -> Result<()> {
    let since = view.graph.serializable_since();
    let Some(since) = since.filter(|_| !view.catalog().serializable) else {
        return constraint::check_isolation(view.catalog(), batch, &[&batch.changes]);
    };
    let (version, serializable) = (u64::MAX, true);
    let newest = Catalog { version, serializable, ..Catalog::default() };
    let conflict =
        WriteConflict { winner: LogPosition(since), key: Mark::Catalog.key(view.graph.id) };
    constraint::check_isolation(&newest, batch, &[&batch.changes])
        .map_err(|error| error.with_write_conflict(conflict))
}

fn check_leased(graph: &Graph, created: &Created) -> Result<()> {
    let bound = graph.leases.bound();
    if bound < created.vertices.bound() || created.vertices.contains(0) {
        let detail = format!(
            "vertex {} was never leased: all leased ids are above 0 and below {bound}",
            if created.vertices.contains(0) { 0 } else { created.vertices.bound() - 1 }
        );
        return Err(Error::new(ErrorKind::BadInput, detail).in_phase(Phase::Commit));
    }
    Ok(())
}

fn created_twice(id: u64) -> Error {
    let detail = format!("element {id} is created twice in one transaction");
    Error::new(ErrorKind::Bug, detail).in_phase(Phase::Commit)
}
