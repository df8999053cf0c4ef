//! The catalog of a graph as plain values, and changes of it as one transaction.

use std::collections::BTreeMap;

use millrace_model::compare::CompareMode;
use millrace_model::schema::{IndexDefinition, IndexKind, Names};
use millrace_model::{
    Catalog, EdgeTypeId, ErrorKind, IndexId, KeyId, LabelId, Owner, Result, Value,
};
use millrace_plan::{Definition, PlanBuilder, op};
use millrace_store::IndexUsage;

use super::handle::Graph;
use crate::limits::INDEXES_MADE_TOGETHER;
use crate::request::RequestLimits;
use crate::settings::DeclaredIndex;

impl Graph {
    /// Labels, edge types and property keys with their definitions.
    pub fn schema(&self) -> Result<Value> {
        let snapshot = self.store().snapshot()?;
        let catalog = snapshot.catalog();
        let ids: Vec<IndexId> = catalog.maintained_indexes().map(|index| index.id).collect();
        let usage = snapshot.index_usage(&ids)?;
        Ok(show(&catalog, &usage.into_iter().map(|own| (own.index, own)).collect()))
    }

    /// Changes the catalog: all of it or nothing, visible when it returns. Stored data must satisfy it.
    pub fn change_schema(&self, changes: &[Definition], limits: &RequestLimits) -> Result<()> {
        self.write(limits, |runner| {
            for definition in changes {
                let mut plan = PlanBuilder::new(CompareMode::Plain);
                plan.push(op::Define { definition: definition.clone() });
                runner.run_once(&plan.finish(Vec::new()), &[])?;
            }
            Ok(())
        })
    }

    /// Makes the indexes that are not there, several by one scan. An error names its index; those before it are there.
    pub fn make_indexes(&self, indexes: &[DeclaredIndex], limits: &RequestLimits) -> Result<()> {
        for indexes in indexes.chunks(INDEXES_MADE_TOGETHER) {
            let all: Vec<Definition> = indexes.iter().map(DeclaredIndex::definition).collect();
            if 1 < all.len() && self.change_schema(&all, limits).is_ok() {
                continue;
            }
            // One may be there already, be against the data, or have no room beside the others.
            for (index, definition) in indexes.iter().zip(all) {
                match self.change_schema(&[definition], limits) {
                    Err(error) if error.kind == ErrorKind::AlreadyExists => {}
                    made => made.map_err(|error| index.named(error))?,
                }
            }
        }
        Ok(())
    }
}

/// A catalog as plain values. Names of the graph are listed from their first use on.
fn show(catalog: &Catalog, usage: &BTreeMap<IndexId, IndexUsage>) -> Value {
    let labels = owners(catalog, &catalog.labels, |number| Owner::Label(LabelId(number)));
    let edge_types =
        owners(catalog, &catalog.edge_types, |number| Owner::EdgeType(EdgeTypeId(number)));
    let keys = catalog.keys.iter().cloned().map(Value::String).collect();
    let indexes = || {
        let ready = catalog.indexes.iter().map(|index| (index, "ready"));
        ready.chain(catalog.building.iter().map(|build| (&build.index, "building")))
    };
    let shown = |is_unique: bool| {
        let of_kind = indexes().filter(|(index, _)| index.is_unique() == is_unique);
        Value::list(
            of_kind
                .filter_map(|(index, state)| {
                    let usage = usage.get(&index.id).copied().unwrap_or_default();
                    show_index(catalog, index, (state, usage))
                })
                .collect(),
        )
    };
    object(vec![
        ("labels", labels),
        ("edge_types", edge_types),
        ("property_keys", Value::list(keys)),
        ("indexes", shown(false)),
        ("constraints", shown(true)),
        ("isolation", Value::from(if catalog.serializable { "serializable" } else { "snapshot" })),
    ])
}

/// Each name with whether it is defined, and its defined properties.
fn owners(catalog: &Catalog, names: &Names, owner: impl Fn(u32) -> Owner) -> Value {
    let shown = (0u32..).zip(names.iter()).map(|(number, name)| {
        let owner = owner(number);
        let defined = catalog.properties.of_owner(owner);
        let properties = defined.filter_map(|property| {
            Some(object(vec![
                ("key", key(catalog, property.key)?),
                ("type", Value::from(property.kind.to_string().as_str())),
                ("required", Value::Bool(property.required)),
            ]))
        });
        object(vec![
            ("name", Value::String(name.clone())),
            ("defined", Value::Bool(catalog.owners.contains(&owner))),
            ("properties", Value::list(properties.collect())),
        ])
    });
    Value::list(shown.collect())
}

/// An index over labels or edge types; that of all edges is the store's own.
fn show_index(
    catalog: &Catalog,
    index: &IndexDefinition,
    (state, usage): (&str, IndexUsage),
) -> Option<Value> {
    let owner = match index.owner {
        Owner::Label(label) => ("label", Value::String(catalog.labels.name(label.0)?.clone())),
        Owner::EdgeType(edge_type) => {
            ("edge_type", Value::String(catalog.edge_types.name(edge_type.0)?.clone()))
        }
        Owner::AllVertices => ("label", Value::Null),
        Owner::AllEdges => return None,
    };
    let keys = index.keys.iter().map(|own| key(catalog, *own)).collect::<Option<_>>()?;
    let kind = match index.kind {
        IndexKind::Unique => "unique",
        IndexKind::Exact => "exact",
        IndexKind::Range => "range",
        IndexKind::Made => "made",
    };
    let mut shown = vec![
        owner,
        ("keys", Value::list(keys)),
        ("kind", Value::from(kind)),
        ("state", Value::from(state)),
        ("percent", Value::F64(if state == "ready" { 100.0 } else { usage.percent() })),
        ("entries", Value::I64(usage.entries as i64)),
        ("bytes", Value::I64(usage.bytes as i64)),
    ];
    if let Some(method) = &index.method {
        shown.push(("method", Value::String(method.0.clone())));
    }
    Some(object(shown))
}

fn key(catalog: &Catalog, key: KeyId) -> Option<Value> {
    catalog.keys.name(key.0).cloned().map(Value::String)
}

fn object(pairs: Vec<(&str, Value)>) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}
