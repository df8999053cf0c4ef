//! `db.schema.nodeTypeProperties` and `db.schema.relTypeProperties`: which properties elements have, as a scan of the
//! graph finds them.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Catalog, Column, LabelId, Result, Value, VertexId};
use millrace_plan::{Name, Signature, ValueType};
use millrace_store::{EdgeRows, Elements, ScanCursor};

use super::{Procedure, Yielded};
use crate::context::Context;

const ROWS_MAX: usize = 2_048;

/// The properties of nodes, by their labels.
pub(super) struct OfNodes;

/// The properties of relationships, by their types.
pub(super) struct OfRelationships;

/// Elements with the same labels, or of the same type.
#[derive(Default)]
struct Kind {
    count: u64,
    properties: BTreeMap<Name, Property>,
}

#[derive(Default)]
struct Property {
    count: u64,
    types: Vec<&'static str>,
}

impl Kind {
    fn add(&mut self, fields: &[Field], catalog: &Catalog) {
        self.count += 1;
        for field in fields {
            let Some(name) = field.name(catalog) else { continue };
            let property = self.properties.entry(Name::from(name.key)).or_default();
            property.count += 1;
            let found = type_name(&field.value);
            if !property.types.contains(&found) {
                property.types.push(found);
            }
        }
    }

    /// A row for each property, behind some values; one without a property where there is none.
    fn rows(&self, front: &[Value]) -> Vec<Vec<Value>> {
        let row = |name: Value, types: Value, mandatory: bool| {
            let own = [name, types, Value::Bool(mandatory)];
            front.iter().cloned().chain(own).collect()
        };
        if self.properties.is_empty() {
            return vec![row(Value::Null, Value::Null, false)];
        }
        let rows = self.properties.iter().map(|(name, property)| {
            let mut types = property.types.clone();
            types.sort_unstable();
            let types = Value::list(types.into_iter().map(Value::from).collect());
            row(Value::String(name.clone()), types, property.count == self.count)
        });
        rows.collect()
    }
}

impl Procedure for OfNodes {
    fn signature(&self) -> Signature {
        let description =
            "The properties of nodes with the same labels, and whether all have them.";
        Signature::reading("db.schema.nodeTypeProperties", description)
            .yields("nodeType", ValueType::Text)
            .yields("nodeLabels", ValueType::List)
            .yields("propertyName", ValueType::Text)
            .yields("propertyTypes", ValueType::List)
            .yields("mandatory", ValueType::Boolean)
    }

    fn call(&self, _: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let catalog = context.catalog();
        let mut kinds: BTreeMap<Vec<Name>, Kind> = BTreeMap::new();
        let mut cursor = ScanCursor::default();
        while !cursor.finished {
            context.check()?;
            let mut vertices: Vec<VertexId> = Vec::new();
            context.graph().scan_vertices(None, &mut cursor, ROWS_MAX, &mut vertices)?;
            let labels = context.graph().labels(&vertices)?;
            let fields = context.graph().fields(Elements::Vertices(&vertices))?;
            for (labels, fields) in labels.iter().zip(&fields) {
                let name = |label: &LabelId| catalog.labels.name(label.0).cloned();
                let mut names: Vec<Name> = labels.iter().filter_map(name).collect();
                names.sort();
                kinds.entry(names).or_default().add(fields, &catalog);
            }
        }
        let rows: Vec<Vec<Value>> = kinds
            .iter()
            .flat_map(|(labels, kind)| {
                let written: String = labels.iter().map(|label| format!(":`{label}`")).collect();
                let labels = labels.iter().cloned().map(Value::String).collect();
                kind.rows(&[Value::from(written.as_str()), Value::list(labels)])
            })
            .collect();
        Yielded::of_rows(5, (0..len).map(|_| Ok(rows.clone())))
    }
}

impl Procedure for OfRelationships {
    fn signature(&self) -> Signature {
        let description = "The properties of relationships of a type, and whether all have them.";
        Signature::reading("db.schema.relTypeProperties", description)
            .yields("relType", ValueType::Text)
            .yields("propertyName", ValueType::Text)
            .yields("propertyTypes", ValueType::List)
            .yields("mandatory", ValueType::Boolean)
    }

    fn call(&self, _: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let catalog = context.catalog();
        let mut kinds: BTreeMap<Name, Kind> = BTreeMap::new();
        let mut cursor = ScanCursor::default();
        while !cursor.finished {
            context.check()?;
            let mut edges = EdgeRows::default();
            context.graph().scan_edges(None, &mut cursor, ROWS_MAX, &mut edges)?;
            let fields = context.graph().fields(Elements::Edges(&edges.edges))?;
            for (edge_type, fields) in edges.types.iter().zip(&fields) {
                let Some(name) = catalog.edge_types.name(edge_type.0) else { continue };
                kinds.entry(name.clone()).or_default().add(fields, &catalog);
            }
        }
        let rows: Vec<Vec<Value>> = kinds
            .iter()
            .flat_map(|(name, kind)| kind.rows(&[Value::from(format!(":`{name}`").as_str())]))
            .collect();
        Yielded::of_rows(4, (0..len).map(|_| Ok(rows.clone())))
    }
}

/// The type of a value, as these procedures of Neo4j call it; that of a list is the type of its first entry.
fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "Boolean",
        Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) => "Long",
        Value::F32(_) | Value::F64(_) => "Double",
        Value::String(_) => "String",
        Value::List(entries) => match entries.first().map(type_name) {
            Some("Boolean") => "BooleanArray",
            Some("Long") => "LongArray",
            Some("Double") => "DoubleArray",
            Some("String") | None => "StringArray",
            Some(_) => "Array",
        },
        Value::Date(_) => "Date",
        Value::Time(_) => "Time",
        Value::DateTime(_) | Value::ZonedDateTime(_) => "DateTime",
        Value::Duration(_) => "Duration",
        Value::Point(_) => "Point",
        Value::Bytes(_) => "ByteArray",
        other => other.type_name(),
    }
}
