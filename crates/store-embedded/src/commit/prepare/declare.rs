//! Changes of the catalog: index numbers, and the existing data judged by what is declared anew.
//!
//! Whoever prepares a change of the catalog holds back all other writers of the graph, and sees
//! everything they wrote. So a new index is built from one position and is whole when it appears.

use std::borrow::Cow;
use std::collections::HashSet;

use millrace_model::schema::{IndexDeclaration, PropertyDeclaration};
use millrace_model::{
    Catalog, CatalogChange, EdgeId, EdgeTypeId, KeyId, Owner, Result, Value, VertexId,
};
use millrace_store::key_hash::hash_values;
use millrace_store::{EdgeRows, Elements, ScanCursor};

use super::rules::{Fresh, check_property};
use super::touched::Touched;
use crate::commit::limits::SCAN_ROWS;
use crate::view::GraphView;

/// A catalog change with its numbers, and what it makes of the catalog.
pub(super) struct Declared<'a> {
    pub(super) changes: Vec<CatalogChange>,
    /// The catalog before, if nothing changes it.
    pub(super) after: Cow<'a, Catalog>,
    pub(super) owners: Vec<Owner>,
}

impl<'a> Declared<'a> {
    /// Numbers the indexes of `changes` by `new_index`.
    pub(super) fn of(
        before: &'a Catalog,
        changes: &[CatalogChange],
        mut new_index: impl FnMut() -> millrace_model::IndexId,
    ) -> Declared<'a> {
        let mut declared = Vec::with_capacity(changes.len());
        let mut owners = Vec::new();
        if changes.is_empty() {
            return Declared { changes: declared, after: Cow::Borrowed(before), owners };
        }
        let mut after = before.clone();
        if !changes.iter().all(CatalogChange::is_note) {
            after.version += 1;
        }
        for change in changes {
            owners.extend(changed_owner(&after, change));
            let change = match change {
                CatalogChange::DeclareIndex(index) => {
                    let index = IndexDeclaration { id: new_index(), ..index.clone() };
                    CatalogChange::DeclareIndex(index)
                }
                other => other.clone(),
            };
            after.apply(&change);
            declared.push(change);
        }
        Declared { changes: declared, after: Cow::Owned(after), owners }
    }
}

/// What a new index finds in elements that the batch does not touch.
pub(super) fn existing_entries(
    view: &GraphView<'_>,
    index: &IndexDeclaration,
    touched: &Touched,
) -> Result<Vec<Fresh>> {
    let mut fresh = Vec::new();
    for_untouched(view, index.owner, &index.keys, touched, &mut |id, values| {
        let values: Option<Vec<Value>> = values.into_iter().collect();
        if let Some(values) = values
            && let Some(hash) = hash_values(&values)
        {
            fresh.push(Fresh { id, hash, values });
        }
        Ok(())
    })?;
    Ok(fresh)
}

/// Requires elements that the batch does not touch to be as a new declaration says.
pub(super) fn check_existing(
    view: &GraphView<'_>,
    catalog: &Catalog,
    declared: &PropertyDeclaration,
    touched: &Touched,
) -> Result<()> {
    for_untouched(view, declared.owner, &[declared.key], touched, &mut |_, mut values| {
        check_property(catalog, declared, values.pop().flatten())
    })
}

type See<'a> = &'a mut dyn FnMut(u64, Vec<Option<Value>>) -> Result<()>;

/// Shows every element of an owner that the batch does not touch, with its values.
fn for_untouched(
    view: &GraphView<'_>,
    owner: Owner,
    keys: &[KeyId],
    touched: &Touched,
    see: See<'_>,
) -> Result<()> {
    let skipped: HashSet<u64> = touched.ids.iter().copied().collect();
    match owner {
        Owner::EdgeType(edge_type) => see_edges(view, edge_type, keys, &skipped, see),
        Owner::Label(_) | Owner::AllVertices => see_vertices(view, owner, keys, &skipped, see),
    }
}

fn see_vertices(
    view: &GraphView<'_>,
    owner: Owner,
    keys: &[KeyId],
    skipped: &HashSet<u64>,
    see: See<'_>,
) -> Result<()> {
    let label = match owner {
        Owner::Label(label) => Some(label),
        Owner::AllVertices | Owner::EdgeType(_) => None,
    };
    let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::<VertexId>::new());
    let partitions = &view.graph.partitions;
    while !cursor.finished {
        vertices.clear();
        partitions.scan_vertices(view.at, label, &mut cursor, SCAN_ROWS, &mut vertices)?;
        let columns = partitions.gather(view.at, Elements::Vertices(&vertices), keys)?;
        for (row, vertex) in vertices.iter().enumerate() {
            if !skipped.contains(&vertex.0) {
                see(vertex.0, columns.iter().map(|column| column.get(row)).collect())?;
            }
        }
    }
    Ok(())
}

fn see_edges(
    view: &GraphView<'_>,
    edge_type: EdgeTypeId,
    keys: &[KeyId],
    skipped: &HashSet<u64>,
    see: See<'_>,
) -> Result<()> {
    let (mut cursor, types) = (ScanCursor::default(), [edge_type]);
    let partitions = &view.graph.partitions;
    while !cursor.finished {
        let mut rows = EdgeRows::default();
        partitions.scan_edges(view.at, &types, &mut cursor, SCAN_ROWS, &mut rows)?;
        let edges: &[EdgeId] = &rows.edges;
        let columns = partitions.gather(view.at, Elements::Edges(edges), keys)?;
        for (row, edge) in edges.iter().enumerate() {
            if !skipped.contains(&edge.0) {
                see(edge.0, columns.iter().map(|column| column.get(row)).collect())?;
            }
        }
    }
    Ok(())
}

fn changed_owner(catalog: &Catalog, change: &CatalogChange) -> Option<Owner> {
    match change {
        CatalogChange::DeclareOwner(owner)
        | CatalogChange::DropOwner(owner)
        | CatalogChange::DropProperty(owner, _) => Some(*owner),
        CatalogChange::DeclareProperty(property) => Some(property.owner),
        CatalogChange::DeclareIndex(index) => Some(index.owner),
        CatalogChange::DropIndex(id) => {
            catalog.indexes.iter().find(|index| index.id == *id).map(|index| index.owner)
        }
        CatalogChange::DeclareSet(edge_type) | CatalogChange::DropSet(edge_type) => {
            Some(Owner::EdgeType(*edge_type))
        }
        CatalogChange::DemandSerializable(_) => None,
        CatalogChange::SetNote(..) => None,
    }
}
