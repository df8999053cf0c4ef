//! One reading of a graph: how many elements there are of each combination of labels, and of each type between two such
//! combinations, and which properties they have.
//!
//! Elements are read in pieces, their labels and properties in bulk; what is kept is as large as the schema.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Catalog, EdgeTypeId, Error, ErrorKind, KeyId, Result, Value, VertexId};
use millrace_plan::Name;
use millrace_store::{EdgeRows, Elements, Labels, ScanCursor};
use rustc_hash::FxHashMap;

use crate::context::Context;

const ROWS_MAX: usize = 2_048;

/// What a reading found.
#[derive(Default)]
pub(super) struct Survey {
    /// The nodes with the same labels, by these.
    pub(super) nodes: Vec<(Vec<Name>, Kind)>,
    /// The relationships of a type between nodes with the same labels, by type.
    pub(super) relationships: Vec<Between>,
}

/// Relationships of a type from nodes with some labels to nodes with some labels.
pub(super) struct Between {
    pub(super) edge_type: Name,
    pub(super) sources: Vec<Name>,
    pub(super) targets: Vec<Name>,
    pub(super) kind: Kind,
    /// Whether a node has several of them.
    pub(super) are_several: bool,
}

/// Elements that are alike.
#[derive(Clone, Default)]
pub(super) struct Kind {
    pub(super) count: u64,
    pub(super) properties: BTreeMap<Name, Property>,
}

/// A property of such elements.
#[derive(Clone, Default)]
pub(super) struct Property {
    /// How many have it.
    pub(super) count: u64,
    /// The types of its values, in the order in which they were found.
    pub(super) types: Vec<&'static str>,
}

/// The same while it is counted.
#[derive(Default)]
struct Counted {
    count: u64,
    properties: FxHashMap<KeyId, Property>,
    /// The source of the last one, and whether one has been a source twice.
    last_source: Option<VertexId>,
    are_several: bool,
}

/// The type and the labels of both ends.
type EndLabels = (EdgeTypeId, Labels, Labels);

impl Survey {
    /// Reads all nodes.
    pub(super) fn of_nodes(context: &Context) -> Result<Survey> {
        let catalog = context.catalog();
        let mut counted: FxHashMap<Labels, Counted> = FxHashMap::default();
        let mut cursor = ScanCursor::default();
        while !cursor.finished {
            context.check()?;
            let mut vertices: Vec<VertexId> = Vec::new();
            context.graph().scan_vertices(None, &mut cursor, ROWS_MAX, &mut vertices)?;
            let labels = context.graph().labels(&vertices)?;
            let fields = context.graph().fields(Elements::Vertices(&vertices))?;
            for (labels, fields) in labels.into_iter().zip(&fields) {
                counted.entry(labels).or_default().add(fields);
            }
        }
        let mut nodes: Vec<(Vec<Name>, Kind)> = counted
            .into_iter()
            .map(|(labels, counted)| (names(&labels, &catalog), counted.named(&catalog)))
            .collect();
        nodes.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(Survey { nodes, relationships: Vec::new() })
    }

    /// Reads all relationships with their properties.
    pub(super) fn of_relationships(context: &Context) -> Result<Survey> {
        Survey::of_edges(context, true)
    }

    /// Reads the types and the ends of all relationships.
    pub(super) fn of_ends(context: &Context) -> Result<Survey> {
        Survey::of_edges(context, false)
    }

    fn of_edges(context: &Context, with_properties: bool) -> Result<Survey> {
        let catalog = context.catalog();
        let mut counted: FxHashMap<EndLabels, Counted> = FxHashMap::default();
        let mut cursor = ScanCursor::default();
        while !cursor.finished {
            context.check()?;
            let mut edges = EdgeRows::default();
            context.graph().scan_edges(None, &mut cursor, ROWS_MAX, &mut edges)?;
            let fields = match with_properties {
                true => context.graph().fields(Elements::Edges(&edges.edges))?,
                false => vec![Arc::default(); edges.edges.len()],
            };
            let sources = context.graph().labels(&edges.sources)?;
            let targets = context.graph().labels(&edges.targets)?;
            let ends = edges.types.iter().copied().zip(sources).zip(targets);
            for ((((edge_type, from), to), fields), source) in ends.zip(&fields).zip(&edges.sources)
            {
                let own = counted.entry((edge_type, from, to)).or_default();
                own.add(fields);
                // Those of a type come by their sources.
                own.are_several |= own.last_source == Some(*source);
                own.last_source = Some(*source);
            }
        }
        let mut relationships: Vec<Between> = counted
            .into_iter()
            .filter_map(|((edge_type, from, to), counted)| {
                Some(Between {
                    edge_type: catalog.edge_types.name(edge_type.0)?.clone(),
                    sources: names(&from, &catalog),
                    targets: names(&to, &catalog),
                    are_several: counted.are_several,
                    kind: counted.named(&catalog),
                })
            })
            .collect();
        let key = |own: &Between| (own.edge_type.clone(), own.sources.clone(), own.targets.clone());
        relationships.sort_by_cached_key(key);
        Ok(Survey { nodes: Vec::new(), relationships })
    }

    /// Reads everything.
    pub(super) fn of_all(context: &Context) -> Result<Survey> {
        let relationships = Survey::of_relationships(context)?.relationships;
        Ok(Survey { relationships, ..Survey::of_nodes(context)? })
    }

    /// The nodes with each label, whatever other labels they have, and these.
    pub(super) fn by_label(&self) -> BTreeMap<Name, (Kind, Vec<Name>)> {
        let mut labels: BTreeMap<Name, (Kind, Vec<Name>)> = BTreeMap::new();
        for (names, kind) in &self.nodes {
            for name in names {
                let (own, others) = labels.entry(name.clone()).or_default();
                own.merge(kind);
                others.extend(names.iter().filter(|other| *other != name).cloned());
                sort(others);
            }
        }
        labels
    }

    /// The relationships of each type.
    pub(super) fn by_type(&self) -> BTreeMap<Name, Kind> {
        let mut types: BTreeMap<Name, Kind> = BTreeMap::new();
        for between in &self.relationships {
            types.entry(between.edge_type.clone()).or_default().merge(&between.kind);
        }
        types
    }
}

impl Counted {
    fn add(&mut self, fields: &[Field]) {
        self.count += 1;
        for field in fields {
            let property = self.properties.entry(field.key).or_default();
            property.count += 1;
            property.add(type_name(&field.value));
        }
    }

    fn named(self, catalog: &Catalog) -> Kind {
        let mut kind = Kind { count: self.count, properties: BTreeMap::new() };
        for (key, property) in self.properties {
            let Some(name) = catalog.keys.name(key.0) else { continue };
            let bare = Name::from(millrace_model::PropertyName::of(name).key);
            kind.properties.entry(bare).or_default().merge(&property);
        }
        kind
    }
}

impl Kind {
    /// Adds others.
    pub(super) fn merge(&mut self, other: &Kind) {
        self.count += other.count;
        for (name, property) in &other.properties {
            self.properties.entry(name.clone()).or_default().merge(property);
        }
    }
}

impl Property {
    fn merge(&mut self, other: &Property) {
        self.count += other.count;
        other.types.iter().for_each(|found| self.add(found));
    }

    fn add(&mut self, found: &'static str) {
        if !self.types.contains(&found) {
            self.types.push(found);
        }
    }
}

/// Which labels and types are wanted, by the map of settings that procedures of APOC take.
pub(super) struct Wanted {
    include_labels: Vec<Name>,
    exclude_labels: Vec<Name>,
    include_types: Vec<Name>,
    exclude_types: Vec<Name>,
}

impl Wanted {
    /// Of a map; a setting that is not known is refused. `sample` and `maxRels` change nothing: everything is read.
    pub(super) fn of(settings: &Value) -> Result<Wanted> {
        let mut wanted = Wanted {
            include_labels: Vec::new(),
            exclude_labels: Vec::new(),
            include_types: Vec::new(),
            exclude_types: Vec::new(),
        };
        let pairs = match settings {
            Value::Null => return Ok(wanted),
            Value::Map(pairs) => pairs,
            other => {
                let detail = format!("the settings are a map, not this {}", other.type_name());
                return Err(Error::new(ErrorKind::BadInput, detail));
            }
        };
        for (name, value) in pairs.iter() {
            let name = name.as_str().unwrap_or_default();
            let list = match name {
                "includeLabels" | "labels" => &mut wanted.include_labels,
                "excludeLabels" | "excludes" => &mut wanted.exclude_labels,
                "includeRels" | "rels" => &mut wanted.include_types,
                "excludeRels" => &mut wanted.exclude_types,
                "sample" | "maxRels" => continue,
                _ => {
                    let detail = format!("the setting {name} is not supported");
                    let error = Error::new(ErrorKind::Unsupported, detail);
                    let help = "includeLabels, excludeLabels, includeRels, excludeRels are";
                    return Err(error.with_help(help));
                }
            };
            let texts = match value {
                Value::List(entries) => entries.iter().map(Value::as_str).collect(),
                Value::Null => Some(Vec::new()),
                _ => None,
            };
            let texts = texts.ok_or_else(|| {
                let detail = format!("the setting {name} is a list of texts");
                Error::new(ErrorKind::BadInput, detail)
            })?;
            list.extend(texts.into_iter().map(Name::from));
        }
        Ok(wanted)
    }

    /// Whether a label is wanted.
    pub(super) fn has_label(&self, name: &Name) -> bool {
        (self.include_labels.is_empty() || self.include_labels.contains(name))
            && !self.exclude_labels.contains(name)
    }

    /// Whether a type is wanted.
    pub(super) fn has_type(&self, name: &Name) -> bool {
        (self.include_types.is_empty() || self.include_types.contains(name))
            && !self.exclude_types.contains(name)
    }
}

/// A count as a value.
pub(super) fn integer(count: u64) -> Value {
    Value::I64(i64::try_from(count).unwrap_or(i64::MAX))
}

/// A list of names as a value.
pub(super) fn list(names: &[Name]) -> Value {
    Value::list(names.iter().cloned().map(Value::String).collect())
}

/// Sorts names, each once.
pub(super) fn sort(names: &mut Vec<Name>) {
    names.sort_unstable();
    names.dedup();
}

fn names(labels: &Labels, catalog: &Catalog) -> Vec<Name> {
    let names = labels.iter().filter_map(|label| catalog.labels.name(label.0).cloned());
    let mut names: Vec<Name> = names.collect();
    names.sort_unstable();
    names
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
        Value::Vector(_) => "FloatArray",
        Value::Date(_) => "Date",
        Value::Time(_) => "Time",
        Value::DateTime(_) | Value::ZonedDateTime(_) => "DateTime",
        Value::Duration(_) => "Duration",
        Value::Point(_) => "Point",
        Value::Geometry(_) => "Geometry",
        Value::Bytes(_) => "ByteArray",
        other => other.type_name(),
    }
}

/// The same type as APOC calls it.
pub(super) fn apoc_type(name: &str) -> &str {
    match name {
        "Boolean" => "BOOLEAN",
        "Long" => "INTEGER",
        "Double" => "FLOAT",
        "String" => "STRING",
        "Date" => "DATE",
        "Time" => "TIME",
        "DateTime" => "DATE_TIME",
        "Duration" => "DURATION",
        "Point" => "POINT",
        "ByteArray" => "BYTE_ARRAY",
        list if list.ends_with("Array") => "LIST",
        _ => "ANY",
    }
}
