//! Hints for plans, from a snapshot: numbers that the store keeps, without a scan.

use millrace_model::schema::IndexDefinition;
use millrace_model::{Catalog, EdgeTypeId, LabelId, Owner, Result};
use millrace_plan::hints::rounded;
use millrace_plan::{Hints, IndexHint, Name, OwnerName};
use millrace_store::Snapshot;

/// What is known of a graph.
pub fn hints(snapshot: &dyn Snapshot) -> Result<Hints> {
    let catalog = snapshot.catalog();
    let mut hints =
        Hints { vertices: Some(rounded(snapshot.count_vertices(None)?)), ..Hints::default() };
    for (number, name) in (0..).zip(catalog.labels.iter()) {
        let count = rounded(snapshot.count_vertices(Some(LabelId(number)))?);
        hints.labels.insert(name.clone(), count);
    }
    for (number, name) in (0..).zip(catalog.edge_types.iter()) {
        let count = rounded(snapshot.count_edges(Some(EdgeTypeId(number)))?);
        hints.edge_types.insert(name.clone(), count);
    }
    let indexes =
        catalog.maintained_indexes().filter_map(|index| of_index(index, &catalog, &hints));
    hints.indexes = indexes.collect();
    Ok(hints)
}

/// An index of properties; those of external ids have no key with a name.
fn of_index(index: &IndexDefinition, catalog: &Catalog, hints: &Hints) -> Option<IndexHint> {
    let owner = match index.owner {
        Owner::Label(label) => OwnerName::Label(catalog.labels.name(label.0)?.clone()),
        Owner::EdgeType(number) => OwnerName::EdgeType(catalog.edge_types.name(number.0)?.clone()),
        Owner::AllVertices => OwnerName::AllVertices,
        Owner::AllEdges => return None,
    };
    let keys = index.keys.iter().map(|key| catalog.keys.name(key.0).cloned());
    let keys: Vec<Name> = keys.collect::<Option<_>>()?;
    let entries = match &owner {
        OwnerName::Label(label) => hints.labels.get(label).copied(),
        OwnerName::EdgeType(name) => hints.edge_types.get(name).copied(),
        OwnerName::AllVertices => hints.vertices,
    };
    let distinct = entries.filter(|_| index.is_unique());
    Some(IndexHint { owner, keys, entries, distinct })
}
