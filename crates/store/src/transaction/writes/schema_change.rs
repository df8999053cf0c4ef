//! Changes of the catalog: existing data must obey, and a new index is filled at once.
//!
//! An index defined here has a provisional id, and until the commit *all* its entries are in the
//! write set, the snapshot's elements included. If there are too many, the index finds nothing
//! before the store has built it.

use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, PropertyDefinition};
use millrace_model::{
    CatalogChange, Column, EdgeTypeId, Error, ErrorKind, IndexId, KeyId, Owner, Result, VertexId,
    query_limits,
};

use crate::base::limits::CHECKED_IN_TRANSACTION_MAX;
use crate::constraint;
use crate::reads::ordered_keys::check_sizes;
use crate::reads::pairs::repeated_pair;
use crate::reads::{EdgeRows, Elements, ScanCursor};
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;
use crate::transaction::state::own_index::OwnIndex;
use crate::transaction::state::write_set::WriteSet;
use crate::transaction::view::View;
use crate::transaction::writes::index_change::{Rows, check_unique};

/// Ids from here on are provisional.
const PROVISIONAL: u32 = 1 << 31;

const ROWS_MAX: usize = 2_048;

pub(in crate::transaction) fn change_schema(
    set: &mut WriteSet,
    transaction: &Transaction,
    changes: &[CatalogChange],
) -> Result<Vec<IndexId>> {
    set.catch_up();
    let mut made = Vec::new();
    for change in changes {
        match change {
            CatalogChange::CreateIndex(index) => {
                let count = set.catalog_changes.len();
                let id = IndexId(PROVISIONAL + count as u32);
                let index = IndexDefinition { id, ..index.clone() };
                check_new(set, &index)?;
                made.push(id);
                let define = CatalogChange::CreateIndex(index.clone());
                if is_small(View { snapshot: &*transaction.snapshot, set }, index.owner)? {
                    fill_index(set, &*transaction.snapshot, &index)?;
                    note(set, &define, define.clone());
                } else {
                    note(set, &CatalogChange::BuildIndex(index), define);
                }
            }
            CatalogChange::CreateProperty(defined) => {
                let view = View { snapshot: &*transaction.snapshot, set };
                if is_small(view, defined.owner)? {
                    check_existing(view, defined)?;
                }
                note(set, change, change.clone());
            }
            CatalogChange::DropIndex(id) => drop_index(set, *id),
            CatalogChange::CreateSet(edge_type) => {
                check_set(View { snapshot: &*transaction.snapshot, set }, *edge_type)?;
                note(set, change, change.clone());
            }
            CatalogChange::BuildIndex(_)
            | CatalogChange::EnforceIndex(_)
            | CatalogChange::FinishIndex(_)
            | CatalogChange::CheckProperty(_)
            | CatalogChange::AbandonProperty(..) => {
                let detail = "a store alone makes the steps of a schema change";
                return Err(Error::new(ErrorKind::Bug, detail));
            }
            CatalogChange::CreateOwner(_)
            | CatalogChange::DropSet(_)
            | CatalogChange::DemandSerializable(_)
            | CatalogChange::DropOwner(_)
            | CatalogChange::DropProperty(..)
            | CatalogChange::SetNote(..) => note(set, change, change.clone()),
        }
        let WriteSet { indexes, catalog, .. } = set;
        indexes.retain(|id, _| catalog.indexes.get(id).is_some());
    }
    Ok(made)
}

/// Whether the id was given here and ends with the transaction.
pub(in crate::transaction) fn is_provisional(id: IndexId) -> bool {
    PROVISIONAL <= id.0
}

/// Commits `lasting` in the end, which until then counts here as `now`.
fn note(set: &mut WriteSet, now: &CatalogChange, lasting: CatalogChange) {
    let catalog = Arc::make_mut(&mut set.catalog);
    catalog.apply(now);
    if !now.is_note() {
        catalog.version = set.catalog_version + 1;
    }
    set.catalog_changes.push(lasting);
}

/// Whether an owner has so few elements that a definition can be validated here. Otherwise that is
/// the store's work at commit, and the index is not for use until then.
fn is_small(view: View<'_>, owner: Owner) -> Result<bool> {
    let count = match owner {
        Owner::Label(label) => view.count_vertices(Some(label))?,
        Owner::AllVertices => view.count_vertices(None)?,
        Owner::EdgeType(edge_type) => view.count_edges(Some(edge_type))?,
        Owner::AllEdges => view.count_edges(None)?,
    };
    Ok(count <= CHECKED_IN_TRANSACTION_MAX)
}

/// An index that was defined here as well leaves no trace.
fn drop_index(set: &mut WriteSet, id: IndexId) {
    if !is_provisional(id) {
        let change = CatalogChange::DropIndex(id);
        return note(set, &change, change.clone());
    }
    Arc::make_mut(&mut set.catalog).apply(&CatalogChange::DropIndex(id));
    let defined = |change: &CatalogChange| match change {
        CatalogChange::CreateIndex(index) => index.id == id,
        _ => false,
    };
    // Its place keeps counting, so that no provisional id comes twice.
    if let Some(change) = set.catalog_changes.iter_mut().find(|change| defined(change)) {
        *change = CatalogChange::DropIndex(id);
    }
}

fn check_new(set: &WriteSet, index: &IndexDefinition) -> Result<()> {
    let same = |known: &IndexDefinition| {
        (&known.keys, known.kind, &known.method) == (&index.keys, index.kind, &index.method)
    };
    if set.catalog.maintained_of(index.owner).any(same) {
        let owner = constraint::owner_name(&set.catalog, index.owner);
        let detail = format!("{owner} has that index already");
        return Err(Error::new(ErrorKind::AlreadyExists, detail));
    }
    Ok(())
}

fn fill_index(set: &mut WriteSet, snapshot: &dyn Snapshot, index: &IndexDefinition) -> Result<()> {
    set.indexes.insert(index.id, OwnIndex::new(index.clone(), true));
    let filled = fill(set, snapshot, index);
    if filled.is_err() {
        set.indexes.remove(&index.id);
    }
    filled
}

fn fill(set: &mut WriteSet, snapshot: &dyn Snapshot, index: &IndexDefinition) -> Result<()> {
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        let view = View { snapshot, set };
        let (ids, columns) = next_batch(view, index.owner, &index.keys, &mut cursor)?;
        query_limits::step(ids.len() as u64)?;
        let keys: Vec<&Column> = columns.iter().collect();
        let rows = Rows { ids: &ids, count: ids.len(), is_stored: true };
        check_unique(set, snapshot, index.id, &keys, rows)?;
        check_sizes(index, &keys, ids.len())
            .map_err(|(row, error)| constraint::of_stored(&set.catalog, index, ids[row], error))?;
        set.insert_entries(index.id, &keys, ids.iter().copied());
    }
    Ok(())
}

fn check_existing(view: View<'_>, defined: &PropertyDefinition) -> Result<()> {
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        let (ids, columns) = next_batch(view, defined.owner, &[defined.key], &mut cursor)?;
        for (row, id) in ids.into_iter().enumerate() {
            match columns[0].get(row) {
                Some(value) if !value.is_null() => {
                    constraint::check_form(&view.set.catalog, defined, &value, id)?;
                }
                _ if defined.required => {
                    return Err(constraint::missing(&view.set.catalog, defined, id));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Edges that are there must be a set already.
fn check_set(view: View<'_>, edge_type: EdgeTypeId) -> Result<()> {
    let (mut cursor, mut rows) = (ScanCursor::default(), EdgeRows::default());
    while !cursor.finished {
        view.scan_edges(Some(&[edge_type]), &mut cursor, ROWS_MAX, &mut rows)?;
    }
    match repeated_pair(rows.sources.into_iter().zip(rows.targets).collect()) {
        None => Ok(()),
        Some(pair) => Err(constraint::second_edge(&view.set.catalog, edge_type, pair)),
    }
}

/// The next elements of an owner, with some of their properties.
fn next_batch(
    view: View<'_>,
    owner: Owner,
    keys: &[KeyId],
    cursor: &mut ScanCursor,
) -> Result<(Vec<u64>, Vec<Column>)> {
    let label = match owner {
        Owner::EdgeType(edge_type) => {
            return next_edges(view, Some(&[edge_type]), keys, cursor);
        }
        Owner::AllEdges => return next_edges(view, None, keys, cursor),
        Owner::Label(label) => Some(label),
        Owner::AllVertices => None,
    };
    let mut vertices: Vec<VertexId> = Vec::new();
    view.scan_vertices(label, cursor, ROWS_MAX, &mut vertices)?;
    let columns = view.gather(Elements::Vertices(&vertices), keys)?;
    Ok((vertices.into_iter().map(|vertex| vertex.0).collect(), columns))
}

fn next_edges(
    view: View<'_>,
    types: Option<&[EdgeTypeId]>,
    keys: &[KeyId],
    cursor: &mut ScanCursor,
) -> Result<(Vec<u64>, Vec<Column>)> {
    let mut rows = EdgeRows::default();
    view.scan_edges(types, cursor, ROWS_MAX, &mut rows)?;
    let columns = view.gather(Elements::Edges(&rows.edges), keys)?;
    Ok((rows.edges.into_iter().map(|edge| edge.0).collect(), columns))
}
