//! `db.schema.nodeTypeProperties`, `db.schema.relTypeProperties`, and `apoc.meta.…` of the same names, which also count.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Column, Result, Value};
use millrace_plan::{Name, Signature, ValueType};

use super::survey::{Kind, Survey, Wanted, integer, list};
use crate::context::{Arguments, Context, Procedure, Yielded};

/// The properties of nodes, by their labels.
pub(super) struct OfNodes {
    /// Whether it counts, as APOC's does.
    pub(super) counts: bool,
}

/// The properties of relationships, by their types; those that count, by the labels of their ends too.
pub(super) struct OfRelationships {
    /// Whether it counts, as APOC's does.
    pub(super) counts: bool,
}

/// A row for each property, behind some values; one without a property where there is none.
fn rows(kind: &Kind, front: &[Value], counts: bool) -> Vec<Vec<Value>> {
    let row = |name: Value, types: Value, count: u64| {
        let is_mandatory = 0 < count && count == kind.count;
        let own = [name, types, Value::Bool(is_mandatory)];
        let counted = counts.then(|| [integer(count), integer(kind.count)]);
        front.iter().cloned().chain(own).chain(counted.into_iter().flatten()).collect()
    };
    if kind.properties.is_empty() {
        return vec![row(Value::Null, Value::Null, 0)];
    }
    let rows = kind.properties.iter().map(|(name, property)| {
        let mut types = property.types.clone();
        types.sort_unstable();
        let types = Value::list(types.into_iter().map(Value::from).collect());
        row(Value::String(name.clone()), types, property.count)
    });
    rows.collect()
}

/// The columns behind those of the element, and the settings of one that counts.
fn with_columns(signature: Signature, counts: bool) -> Signature {
    let signature = signature
        .yields("propertyName", ValueType::Text)
        .yields("propertyTypes", ValueType::List)
        .yields("mandatory", ValueType::Boolean);
    if !counts {
        return signature;
    }
    signature
        .yields("propertyObservations", ValueType::Integer)
        .yields("totalObservations", ValueType::Integer)
        .optional("config", ValueType::Map)
}

impl Procedure for OfNodes {
    fn signature(&self) -> Signature {
        let (name, description) = match self.counts {
            false => (
                "db.schema.nodeTypeProperties",
                "The properties of nodes with the same labels, and whether all have them.",
            ),
            true => (
                "apoc.meta.nodeTypeProperties",
                "The properties of nodes with the same labels, and how many have them.",
            ),
        };
        let signature = Signature::reading(name, description)
            .yields("nodeType", ValueType::Text)
            .yields("nodeLabels", ValueType::List);
        with_columns(signature, self.counts)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let survey = Survey::of_nodes(context)?;
        let all = (0..len).map(|row| {
            let wanted = Wanted::of(&Arguments { columns, row }.value(0))?;
            let nodes = survey.nodes.iter().filter(|(labels, _)| {
                labels.is_empty() || labels.iter().any(|label| wanted.has_label(label))
            });
            let rows = nodes.flat_map(|(labels, kind)| {
                let written: String = labels.iter().map(|label| format!(":`{label}`")).collect();
                rows(kind, &[Value::from(written.as_str()), list(labels)], self.counts)
            });
            Ok(rows.collect())
        });
        Yielded::of_rows(self.signature().columns.len(), all)
    }
}

impl Procedure for OfRelationships {
    fn signature(&self) -> Signature {
        let (name, description) = match self.counts {
            false => (
                "db.schema.relTypeProperties",
                "The properties of relationships of a type, and whether all have them.",
            ),
            true => (
                "apoc.meta.relTypeProperties",
                "The properties of relationships of a type between labels, and how many have them.",
            ),
        };
        let mut signature =
            Signature::reading(name, description).yields("relType", ValueType::Text);
        if self.counts {
            signature = signature
                .yields("sourceNodeLabels", ValueType::List)
                .yields("targetNodeLabels", ValueType::List);
        }
        with_columns(signature, self.counts)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let survey = Survey::of_relationships(context)?;
        let types: BTreeMap<Name, Kind> = survey.by_type();
        let all = (0..len).map(|row| {
            let wanted = Wanted::of(&Arguments { columns, row }.value(0))?;
            let written = |name: &Name| Value::from(format!(":`{name}`").as_str());
            if !self.counts {
                let of_type = |(name, kind): (&Name, &Kind)| rows(kind, &[written(name)], false);
                return Ok(types.iter().flat_map(of_type).collect());
            }
            let meant = survey.relationships.iter().filter(|own| wanted.has_type(&own.edge_type));
            let rows = meant.flat_map(|own| {
                let front = [written(&own.edge_type), list(&own.sources), list(&own.targets)];
                rows(&own.kind, &front, true)
            });
            Ok(rows.collect())
        });
        Yielded::of_rows(self.signature().columns.len(), all)
    }
}
