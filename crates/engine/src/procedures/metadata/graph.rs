//! `apoc.meta.graph`: labels and types as a graph of their own, in two lists of maps.
//!
//! Neo4j's are nodes and relationships that exist in the result only. Here no value is an element that the graph does not
//! have, so each is the map of its properties; that of a relationship also has the labels at its ends.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Column, Result, Value};
use millrace_plan::{Name, Signature, ValueType};

use super::survey::{Survey, Wanted, integer};
use crate::context::{Arguments, Context, Procedure, Yielded};

/// One of the procedures, by name.
pub(super) struct Graph(pub(super) &'static str);

/// Types with the labels that they lead out of and into.
type Triples = BTreeMap<(Name, Name, Name), u64>;

impl Procedure for Graph {
    fn signature(&self) -> Signature {
        let description =
            "The labels, and the types between them, as maps of their names and counts.";
        Signature::reading(self.0, description)
            .optional("config", ValueType::Map)
            .yields("nodes", ValueType::List)
            .yields("relationships", ValueType::List)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let survey = Survey::of_all(context)?;
        let labels = survey.by_label();
        let mut triples = Triples::new();
        for between in &survey.relationships {
            for source in &between.sources {
                for target in &between.targets {
                    let triple = (source.clone(), between.edge_type.clone(), target.clone());
                    *triples.entry(triple).or_default() += between.kind.count;
                }
            }
        }
        let all = (0..len).map(|row| {
            let wanted = Wanted::of(&Arguments { columns, row }.value(0))?;
            let labels = labels.iter().filter(|(name, _)| wanted.has_label(name));
            let nodes = labels.map(|(name, (kind, _))| {
                map([("name", Value::String(name.clone())), ("count", integer(kind.count))])
            });
            let is_wanted = |(source, edge_type, target): &(Name, Name, Name)| {
                wanted.has_type(edge_type) && wanted.has_label(source) && wanted.has_label(target)
            };
            let types = triples.iter().filter(|(triple, _)| is_wanted(triple));
            let types = types.map(|((source, edge_type, target), count)| {
                map([
                    ("type", Value::String(edge_type.clone())),
                    ("start", Value::String(source.clone())),
                    ("end", Value::String(target.clone())),
                    ("count", integer(*count)),
                ])
            });
            Ok(vec![vec![Value::list(nodes.collect()), Value::list(types.collect())]])
        });
        Yielded::of_rows(2, all)
    }
}

fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}
