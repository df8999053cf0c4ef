//! `apoc.meta.schema`, a map of labels and types, and `apoc.meta.stats`, counts of the graph.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Catalog, Column, Owner, Result, Value};
use millrace_plan::{Name, Signature, ValueType};

use super::survey::{Kind, Survey, Wanted, integer, list};
use super::table::{Declared, Links, edge_type, label, links, type_of};
use crate::context::{Arguments, Context, Procedure, Yielded};

/// `apoc.meta.schema`.
pub(super) struct Schema;

/// `apoc.meta.stats`.
pub(super) struct Stats;

fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}

/// A map by names.
fn by_name(pairs: impl IntoIterator<Item = (Name, Value)>) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::String(name), value)).collect())
}

fn properties(kind: &Kind, owner: Option<Owner>, catalog: &Catalog, of_node: bool) -> Value {
    by_name(kind.properties.iter().map(|(key, property)| {
        let (declared, kind) = (Declared::of(catalog, owner, key), Value::from(type_of(property)));
        let existence = Value::Bool(declared.is_required);
        let array = Value::Bool(type_of(property) == "LIST");
        let value = match of_node {
            true => map([
                ("existence", existence),
                ("type", kind),
                ("unique", Value::Bool(declared.is_unique)),
                ("indexed", Value::Bool(declared.is_indexed)),
            ]),
            false => map([("existence", existence), ("type", kind), ("array", array)]),
        };
        (key.clone(), value)
    }))
}

impl Procedure for Schema {
    fn signature(&self) -> Signature {
        let description = "A map of labels and types: their counts, properties and relationships, of the whole graph.";
        Signature::reading("apoc.meta.schema", description)
            .optional("config", ValueType::Map)
            .yields("value", ValueType::Map)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let (catalog, survey) = (context.catalog(), Survey::of_all(context)?);
        let (labels, types) = (survey.by_label(), survey.by_type());
        let directions = [("out", links(&survey, true)), ("in", links(&survey, false))];
        let all = (0..len).map(|row| {
            let wanted = Wanted::of(&Arguments { columns, row }.value(0))?;
            let of_type = |name: &Name, direction: &str, links: &Links| {
                let owner = edge_type(&catalog, name);
                let kind = types.get(name).cloned().unwrap_or_default();
                let others: Vec<Name> = links.others.iter().cloned().collect();
                map([
                    ("count", integer(links.count)),
                    ("direction", Value::from(direction)),
                    ("labels", list(&others)),
                    ("properties", properties(&kind, owner, &catalog, false)),
                ])
            };
            let mut entries: Vec<(Name, Value)> = Vec::new();
            for (name, (kind, others)) in labels.iter().filter(|(name, _)| wanted.has_label(name)) {
                let owner = label(&catalog, name);
                // A type in both directions is shown as it leads out.
                let mut relationships: BTreeMap<Name, Value> = BTreeMap::new();
                for (direction, links) in directions.iter().rev() {
                    let own = links.iter().filter(|((own, _), _)| own == name);
                    let own = own.filter(|((_, key), _)| wanted.has_type(key));
                    let own =
                        own.map(|((_, key), links)| (key.clone(), of_type(key, direction, links)));
                    relationships.extend(own);
                }
                let entry = map([
                    ("type", Value::from("node")),
                    ("count", integer(kind.count)),
                    ("labels", list(others)),
                    ("properties", properties(kind, owner, &catalog, true)),
                    ("relationships", by_name(relationships)),
                ]);
                entries.push((name.clone(), entry));
            }
            for (name, kind) in types.iter().filter(|(name, _)| wanted.has_type(name)) {
                let owner = edge_type(&catalog, name);
                let entry = map([
                    ("type", Value::from("relationship")),
                    ("count", integer(kind.count)),
                    ("properties", properties(kind, owner, &catalog, false)),
                ]);
                entries.push((name.clone(), entry));
            }
            Ok(vec![vec![by_name(entries)]])
        });
        Yielded::of_rows(1, all)
    }
}

/// How many relationships there are by pattern, such as `(:A)-[:R]->()`.
fn by_pattern(survey: &Survey, types: &BTreeMap<Name, Kind>) -> BTreeMap<Name, Value> {
    let mut patterns: BTreeMap<Name, Value> = BTreeMap::new();
    let mut note = |pattern: String, count| patterns.insert(pattern.into(), integer(count));
    for (name, kind) in types {
        note(format!("()-[:{name}]->()"), kind.count);
    }
    for ((label, name), links) in links(survey, true) {
        note(format!("(:{label})-[:{name}]->()"), links.count);
    }
    for ((label, name), links) in links(survey, false) {
        note(format!("()-[:{name}]->(:{label})"), links.count);
    }
    patterns
}

impl Procedure for Stats {
    fn signature(&self) -> Signature {
        Signature::reading(
            "apoc.meta.stats",
            "Counts of nodes and relationships, by label and type.",
        )
        .yields("labelCount", ValueType::Integer)
        .yields("relTypeCount", ValueType::Integer)
        .yields("propertyKeyCount", ValueType::Integer)
        .yields("nodeCount", ValueType::Integer)
        .yields("relCount", ValueType::Integer)
        .yields("labels", ValueType::Map)
        .yields("relTypes", ValueType::Map)
        .yields("relTypesCount", ValueType::Map)
        .yields("stats", ValueType::Map)
    }

    fn call(&self, _: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let (catalog, graph) = (context.catalog(), context.graph());
        // The ends of relationships have to be read; the other counts the graph has.
        let survey = Survey::of_ends(context)?;
        let types = survey.by_type();
        let mut labels: BTreeMap<Name, Value> = BTreeMap::new();
        for name in catalog.labels.iter() {
            let count = graph.count_vertices(catalog.label(name))?;
            if 0 < count {
                labels.insert(name.clone(), integer(count));
            }
        }
        let counts = [labels.len(), types.len(), catalog.keys.iter().count()];
        let [label_count, type_count, key_count] = counts.map(|count| integer(count as u64));
        let (nodes, relationships) =
            (integer(graph.count_vertices(None)?), integer(graph.count_edges(None)?));
        let patterns = by_name(by_pattern(&survey, &types));
        let of_types =
            by_name(types.iter().map(|(name, kind)| (name.clone(), integer(kind.count))));
        let labels = by_name(labels);
        let stats = map([
            ("labelCount", label_count.clone()),
            ("relTypeCount", type_count.clone()),
            ("propertyKeyCount", key_count.clone()),
            ("nodeCount", nodes.clone()),
            ("relCount", relationships.clone()),
            ("labels", labels.clone()),
            ("relTypes", patterns.clone()),
        ]);
        let row = vec![
            label_count,
            type_count,
            key_count,
            nodes,
            relationships,
            labels,
            patterns,
            of_types,
            stats,
        ];
        Yielded::of_rows(row.len(), (0..len).map(|_| Ok(vec![row.clone()])))
    }
}
