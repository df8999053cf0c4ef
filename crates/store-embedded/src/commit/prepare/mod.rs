//! Judging a batch, outside of every lock: is what it names there, do the declared rules hold, what
//! follows for the indexes, and what must nobody else have changed.
//!
//! ```text
//!   WriteBatch ─┬─ created     which ids are new
//!               ├─ existence   ends, owners, nothing left hanging
//!               ├─ declare     catalog changes, judged by the data there is
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
mod declare;
mod existence;
pub(crate) mod marks;
pub(crate) mod rules;
mod sets;
mod touched;

use millrace_model::{Catalog, Error, ErrorKind, IndexId, LostRace, Phase, Position, Result};
use millrace_store::constraint;
use millrace_store::{Changes, Isolation, WriteBatch};

use super::conflict::{ConflictTable, Footprint, Mark};
use super::physical::Physical;
use crate::view::{GraphView, is_of_edges};
use created::Created;
use declare::Declared;
use marks::{Form, Marks};
use touched::{Touched, declared_keys};

/// A batch that may be sequenced.
pub(crate) struct Prepared {
    /// One for each part; index entries are in the last.
    pub(crate) parts: Vec<Physical>,
    pub(crate) footprint: Footprint,
}

/// Judges the batch, whose parts are given apart, by what a view shows. Of two reasons to refuse
/// it, that another was first counts: the other one may come of that.
pub(crate) fn prepare(
    view: &GraphView<'_>,
    table: &ConflictTable,
    batch: &WriteBatch,
    parts: Vec<Changes>,
) -> Result<Prepared> {
    let mut marks = Marks::new(table, view.graph.id);
    let judged = judge(view, batch, &parts, &mut marks);
    let mut footprint = marks.finish();
    footprint.turn = batch.turn;
    match judged {
        Ok((declared, settled)) => {
            Ok(Prepared { parts: assemble(parts, declared, settled), footprint })
        }
        Err(error) => Err(table.confirm(&footprint, batch.snapshot.0).err().unwrap_or(error)),
    }
}

fn judge(
    view: &GraphView<'_>,
    batch: &WriteBatch,
    parts: &[Changes],
    marks: &mut Marks<'_>,
) -> Result<(Declared, Physical)> {
    let borrowed: Vec<&Changes> = parts.iter().collect();
    let created = Created::of(&borrowed).map_err(created_twice)?;
    if batch.isolation == Isolation::Serializable || !batch.claims.is_empty() {
        marks.add_reads(batch);
    }
    check_isolation(view, batch, &borrowed)?;
    let form = Form { catalog: &view.catalog, unit: batch.unit };
    borrowed.iter().for_each(|part| marks.add_changes(part, &created.vertices, form));
    check_leased(view, &created)?;
    borrowed.iter().try_for_each(|part| existence::check(view, &created, part))?;
    existence::check_nothing_hangs(view, &borrowed)?;
    let mut settled = Physical::default();
    let declared = declare(view, &borrowed, marks);
    sets::check(view, &declared.after, &borrowed)?;
    for of_edges in [false, true] {
        settle(view, &borrowed, &declared, of_edges, (&mut settled, marks))?;
    }
    Ok((declared, settled))
}

fn declare(view: &GraphView<'_>, parts: &[&Changes], marks: &mut Marks<'_>) -> Declared {
    let changes: Vec<_> = parts.iter().flat_map(|part| part.catalog.iter().cloned()).collect();
    let new_index = || IndexId(view.graph.new_index());
    let declared = Declared::of(&view.catalog, &changes, new_index);
    if !declared.changes.is_empty() {
        marks.take(Mark::Catalog);
        declared.owners.iter().for_each(|owner| marks.set(Mark::Declared(*owner)));
        if declared.owners.iter().any(|owner| is_of_edges(*owner)) {
            marks.set(Mark::DeclaredOfEdges);
        }
    }
    declared
}

/// Rules and indexes of vertices, or of edges.
fn settle(
    view: &GraphView<'_>,
    parts: &[&Changes],
    declared: &Declared,
    of_edges: bool,
    (physical, marks): (&mut Physical, &mut Marks<'_>),
) -> Result<()> {
    let after = &declared.after;
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
    check_declared_now(view, declared, &touched, of_edges)?;
    for index in after.indexes.iter().filter(|index| is_of_edges(index.owner) == of_edges) {
        let is_new = view.catalog.indexes.iter().all(|known| known.id != index.id);
        let found = match is_new {
            true => Some(declare::existing_entries(view, index, &touched)?),
            false => None,
        };
        rules::settle_index(view, index, &touched, found, (physical, marks))?;
    }
    Ok(())
}

/// Properties declared by this very batch hold for elements that it does not touch, too.
fn check_declared_now(
    view: &GraphView<'_>,
    declared: &Declared,
    touched: &Touched,
    of_edges: bool,
) -> Result<()> {
    let catalog: &Catalog = &declared.after;
    let is_new = |property: &&millrace_model::schema::PropertyDeclaration| {
        is_of_edges(property.owner) == of_edges
            && view.catalog.property(property.owner, property.key) != Some(property)
    };
    for property in catalog.properties.iter().filter(is_new) {
        declare::check_existing(view, catalog, property, touched)?;
    }
    Ok(())
}

/// Whether a part changes which declarations hold for a vertex that was there before.
fn changes_kinds(part: &Changes) -> bool {
    !(part.labels.is_empty()
        && part.deleted_vertices.is_empty()
        && part.vertex_properties.is_empty())
}

/// The parts with what follows from them: numbered declarations first, index entries last.
fn assemble(parts: Vec<Changes>, declared: Declared, settled: Physical) -> Vec<Physical> {
    let mut parts: Vec<Physical> = parts
        .into_iter()
        .map(|changes| {
            let changes = Changes { catalog: Vec::new(), ..changes };
            Physical { changes, ..Physical::default() }
        })
        .collect();
    parts.first_mut().expect("a batch has a part").changes.catalog = declared.changes;
    let last = parts.last_mut().expect("a batch has a part");
    (last.index_added, last.index_removed) = (settled.index_added, settled.index_removed);
    parts
}

/// The demand may be newer than what is visible, for whoever made it held back everybody else.
fn check_isolation(view: &GraphView<'_>, batch: &WriteBatch, parts: &[&Changes]) -> Result<()> {
    let since = view.graph.serializable_since();
    let Some(since) = since.filter(|_| !view.catalog.serializable) else {
        return constraint::check_isolation(&view.catalog, batch, parts);
    };
    let (version, serializable) = (u64::MAX, true);
    let newest = Catalog { version, serializable, ..Catalog::default() };
    let race = LostRace { winner: Position(since), key: Mark::Catalog.key(view.graph.id) };
    constraint::check_isolation(&newest, batch, parts).map_err(|error| error.with_lost_race(race))
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
