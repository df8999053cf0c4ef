//! Judging a batch, outside of every lock: is what it names there, do the declared rules hold, what
//! follows for the indexes, and what must nobody else have changed.
//!
//! ```text
//!   WriteBatch ─┬─ created     which ids are new
//!               ├─ existence   ends, owners, nothing left hanging
//!               ├─ touched     before and after, for the keys that declarations name
//!               ├─ rules       required, types, unique; index entries
//!               └─ marks       the footprint
//!                        └──> Prepared: physical changes and a footprint
//! ```
//!
//! What a reader would get wrong: this reads at what is visible *now*, not at the batch's snapshot.
//! Whatever was written in between and matters carries a mark newer than that snapshot, so the
//! batch loses at the sequencer; whatever does not matter may as well be seen.

pub(crate) mod created;
mod existence;
pub(crate) mod marks;
pub(crate) mod rules;
pub(crate) mod touched;

use std::sync::Arc;

use millrace_model::{Catalog, Error, ErrorKind, Owner, Phase, Result};
use millrace_store::{Changes, Isolation, WriteBatch};

use super::conflict::{ConflictTable, Footprint};
use super::physical::Physical;
use super::sequencer::lost;
use crate::view::{GraphView, is_of_edges};
use created::Created;
use marks::Marks;
use touched::{Touched, declared_keys};

/// A batch that may be sequenced.
pub(crate) struct Prepared {
    /// One for each part; index entries are in the last.
    pub(crate) parts: Vec<Physical>,
    pub(crate) footprint: Footprint,
}

/// Judges the batch, whose parts are given apart, by what a view shows. Of two reasons to refuse
/// it, that another was first counts: the other one may come of that. Whoever declares names the
/// owners: its own steps before this commit are nobody else's.
pub(crate) fn prepare(
    view: &GraphView<'_>,
    table: &ConflictTable,
    batch: &WriteBatch,
    parts: Vec<Changes>,
    declared: &[Owner],
) -> Result<Prepared> {
    let mut marks = Marks::new(table, view.graph.id).of_declarer(declared);
    let judged = judge(view, batch, &parts, &mut marks);
    let footprint = marks.finish();
    match judged {
        Ok(settled) => Ok(Prepared { parts: assemble(parts, settled), footprint }),
        Err(_) if table.lost(&footprint, batch.snapshot.0) => Err(lost()),
        Err(error) => Err(error),
    }
}

fn judge(
    view: &GraphView<'_>,
    batch: &WriteBatch,
    parts: &[Changes],
    marks: &mut Marks<'_>,
) -> Result<Physical> {
    let borrowed: Vec<&Changes> = parts.iter().collect();
    let created = Created::of(&borrowed).map_err(created_twice)?;
    if batch.isolation == Isolation::Serializable || !batch.claims.is_empty() {
        marks.add_reads(batch);
    }
    borrowed.iter().for_each(|part| marks.add_changes(part, &created.vertices));
    check_leased(view, &created)?;
    borrowed.iter().try_for_each(|part| existence::check(view, &created, part))?;
    existence::check_nothing_hangs(view, &borrowed)?;
    let mut settled = Physical::default();
    let after = declare(view, &borrowed, marks);
    for of_edges in [false, true] {
        settle(view, &borrowed, &after, of_edges, (&mut settled, marks))?;
    }
    Ok(settled)
}

/// The catalog after the batch.
fn declare(view: &GraphView<'_>, parts: &[&Changes], marks: &mut Marks<'_>) -> Arc<Catalog> {
    let mut after = Arc::clone(&view.catalog);
    for change in parts.iter().flat_map(|part| &part.catalog) {
        marks.add_declared(after.owner_of(change), change);
        Arc::make_mut(&mut after).apply(change);
    }
    after
}

/// Rules and indexes of vertices, or of edges.
fn settle(
    view: &GraphView<'_>,
    parts: &[&Changes],
    after: &Catalog,
    of_edges: bool,
    (physical, marks): (&mut Physical, &mut Marks<'_>),
) -> Result<()> {
    let keys = declared_keys([&view.catalog, after], of_edges);
    let relabels = !of_edges && parts.iter().any(|part| changes_kinds(part));
    if keys.is_empty() && !relabels {
        return Ok(());
    }
    let touched = match of_edges {
        true => Touched::edges(view, parts, keys)?,
        false => Touched::vertices(view, parts, keys)?,
    };
    if !of_edges {
        marks.add_kinds(&touched);
    }
    rules::check_properties(after, &touched, of_edges)?;
    for index in after.kept_indexes().filter(|index| is_of_edges(index.owner) == of_edges) {
        rules::settle_index(view, (after, index), &touched, (physical, marks))?;
    }
    Ok(())
}

/// Whether a part changes which declarations hold for a vertex that was there before.
fn changes_kinds(part: &Changes) -> bool {
    !(part.labels.is_empty()
        && part.deleted_vertices.is_empty()
        && part.vertex_properties.is_empty())
}

/// The parts with what follows from them: declarations first, index entries last.
fn assemble(parts: Vec<Changes>, settled: Physical) -> Vec<Physical> {
    let mut catalog = Vec::new();
    let mut parts: Vec<Physical> = parts
        .into_iter()
        .map(|mut changes| {
            catalog.append(&mut changes.catalog);
            Physical { changes, ..Physical::default() }
        })
        .collect();
    parts.first_mut().expect("a batch has a part").changes.catalog = catalog;
    let last = parts.last_mut().expect("a batch has a part");
    let changes = std::mem::take(&mut last.changes);
    *last = Physical { changes, ..settled };
    parts
}

fn check_leased(view: &GraphView<'_>, created: &Created) -> Result<()> {
    let bound = view.graph.leases.bound();
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
