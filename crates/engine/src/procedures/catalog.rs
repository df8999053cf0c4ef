//! Procedures that list the graph's catalog: labels, types, indexes.

use std::sync::Arc;

use millrace_model::{Catalog, Column, EdgeTypeId, LabelId, Result, Value};
use millrace_plan::{Signature, ValueType};

use crate::context::{Context, Procedure, Yielded};

/// `db.labels`: the labels that vertices have, by name.
pub(super) const LABELS: Names = Names {
    name: "db.labels",
    description: "The labels that nodes have, by name.",
    column: "label",
    names: |catalog| catalog.labels.iter().cloned().collect(),
    is_used: |number, context| Ok(0 < context.graph().count_vertices(Some(LabelId(number)))?),
};

/// `db.relationshipTypes`: the types that edges have, by name.
pub(super) const RELATIONSHIP_TYPES: Names = Names {
    name: "db.relationshipTypes",
    description: "The types that relationships have, by name.",
    column: "relationshipType",
    names: |catalog| catalog.edge_types.iter().cloned().collect(),
    is_used: |number, context| Ok(0 < context.graph().count_edges(Some(EdgeTypeId(number)))?),
};

/// `db.propertyKeys`: the keys of properties there are, by name.
pub(super) const PROPERTY_KEYS: Names = Names {
    name: "db.propertyKeys",
    description: "The keys of properties there are, by name.",
    column: "propertyKey",
    names: |catalog| catalog.keys.iter().cloned().collect(),
    is_used: |_, _| Ok(true),
};

/// `db.index.fulltext.awaitEventuallyConsistentIndexRefresh`: nothing to wait for. A commit is what a full-text index is
/// made of, so it is never behind.
pub(super) const AWAIT_REFRESH: OfIndexes = OfIndexes {
    name: "db.index.fulltext.awaitEventuallyConsistentIndexRefresh",
    description: "Nothing to wait for: a full-text index has what is committed.",
};

/// `db.resampleOutdatedIndexes`: nothing to do.
pub(super) const RESAMPLE_INDEXES: OfIndexes = OfIndexes {
    name: "db.resampleOutdatedIndexes",
    description: "Nothing to do: an index is sampled when a query is planned.",
};

/// A list of names.
pub(super) struct Names {
    name: &'static str,
    description: &'static str,
    column: &'static str,
    /// By number.
    names: fn(&Catalog) -> Vec<Arc<str>>,
    /// Whether the name of a number is listed: those of labels and types stay when their last element goes.
    is_used: fn(u32, &Context) -> Result<bool>,
}

/// A procedure on all indexes that has nothing to do.
pub(super) struct OfIndexes {
    name: &'static str,
    description: &'static str,
}

impl Procedure for Names {
    fn signature(&self) -> Signature {
        Signature::reading(self.name, self.description).yields(self.column, ValueType::Text)
    }

    fn call(&self, _arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let mut names = Vec::new();
        for (number, name) in (0..).zip((self.names)(&context.catalog())) {
            if (self.is_used)(number, context)? {
                names.push(name);
            }
        }
        names.sort();
        let rows = (0..len as u32).flat_map(|row| std::iter::repeat_n(row, names.len())).collect();
        let each = (0..len).flat_map(|_| names.iter().cloned().map(Value::String));
        Ok(Yielded { rows, columns: vec![Column::from_values(each)] })
    }
}

impl Procedure for OfIndexes {
    fn signature(&self) -> Signature {
        Signature::reading(self.name, self.description)
    }

    fn call(&self, _arguments: &[Arc<Column>], len: usize, _context: &Context) -> Result<Yielded> {
        Ok(Yielded { rows: (0..len as u32).collect(), columns: Vec::new() })
    }
}
