//! N-Quads as Dgraph exports them: a line for each label, each value and each edge of a node. Facets stand behind, and the
//! schema is a file of its own: its text comes with the options.
//!
//! What no line can say is refused by its name: two edges of one type between two nodes, values of types that Dgraph has
//! not, ids that are texts. A node about which there is nothing to say is in no line: a note counts them.

mod literal;

use super::graphson::cut;
use super::output::Output;
use super::scan::{
    Edges, ExportedId, Vectors, Vertices, for_each_vertices_with, key, name, no_word,
};
use super::text::value_text;
use super::{ExportSummary, Watch, refused};
use literal::{push_facet, push_iri, push_literal};
use millrace_model::column::Field;
use millrace_model::{Catalog, Direction, PropertyName, Result, Value, VertexId};
use millrace_quads::vocabulary;
use millrace_store::{EdgeRows, Run, Snapshot};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// The predicate of labels.
const TYPE: &str = "dgraph.type";

/// The end of a statement's terms: the namespace.
const NAMESPACE: &str = " <0x0>";

/// What only the schema of DQL knows of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// The schema, a statement a line, as exports of Dgraph have it.
    pub schema: String,
    /// Keys with hashes of passwords as values.
    pub passwords: BTreeSet<String>,
}

/// Writes the schema alone.
pub(super) fn write_schema(
    definition: Option<&Definition>,
    mut output: Output<'_>,
) -> Result<ExportSummary> {
    output.write(definition.map_or("", |own| &own.schema))?;
    output.finish()?;
    Ok(ExportSummary::default())
}

pub(super) fn write(
    snapshot: &dyn Snapshot,
    mut output: Output<'_>,
    definition: Option<&Definition>,
    watch: &mut Watch<'_>,
) -> Result<ExportSummary> {
    let catalog = snapshot.catalog();
    let passwords = definition.map(|own| &own.passwords);
    let mut lines =
        Lines { snapshot, catalog, passwords, text: String::new(), edges: 0, without: 0 };
    let mut summary = ExportSummary::default();
    for_each_vertices_with(snapshot, watch, "writing", Vectors::AsTheyAre, |vertices| {
        let mut degrees = Vec::new();
        snapshot.degrees(&vertices.slots, None, Direction::Out, &mut degrees)?;
        for range in cut(&degrees) {
            lines.add(vertices, range)?;
            output.write(&lines.text)?;
            lines.text.clear();
        }
        summary.vertices += vertices.slots.len() as u64;
        Ok(())
    })?;
    summary.edges = lines.edges;
    if 0 < lines.without {
        summary.notes.push(format!(
            "{} nodes have no label, no value and no edge that leads from them: no line is about them, though edges may lead to them",
            lines.without
        ));
    }
    output.finish()?;
    Ok(summary)
}

struct Lines<'a> {
    snapshot: &'a dyn Snapshot,
    catalog: Arc<Catalog>,
    passwords: Option<&'a BTreeSet<String>>,
    text: String,
    edges: u64,
    /// Nodes without a line.
    without: u64,
}

/// A field by the parts of its name.
struct Named<'a> {
    name: PropertyName<'a>,
    key: &'a str,
    value: &'a Value,
}

impl Lines<'_> {
    fn add(&mut self, vertices: &Vertices, range: Range<usize>) -> Result<()> {
        let frontier = &vertices.slots[range.clone()];
        let (mut rows, mut ends) = (EdgeRows::default(), vec![0; frontier.len()]);
        let mut sink = |row: usize, run: Run<'_>| {
            for at in 0..run.len() {
                let target = run.neighbours.get(at);
                rows.push(run.edge(at), run.edge_type, frontier[row], target);
            }
            ends[row] = rows.edges.len();
            ControlFlow::Continue(())
        };
        self.snapshot.expand(frontier, None, Direction::Out, &mut sink)?;
        let edges = Edges::of(self.snapshot, rows)?;
        let mut first = 0;
        for row in range.clone() {
            let begins = self.text.len();
            let subject = uid(&vertices.id(row), "a node")?;
            self.labels(vertices, row, &subject)?;
            self.values(&vertices.fields[row], &subject)?;
            // A vertex without edges has no run that would say where its edges end.
            let end = ends[row - range.start].max(first);
            self.edges_of(&edges, first..end, &subject)?;
            first = end;
            self.without += u64::from(begins == self.text.len());
        }
        self.edges += edges.len() as u64;
        Ok(())
    }

    fn begin(&mut self, subject: &str, predicate: &str) {
        self.text.push_str(subject);
        self.text.push(' ');
        push_iri(predicate, &mut self.text);
        self.text.push(' ');
    }

    fn labels(&mut self, vertices: &Vertices, row: usize, subject: &str) -> Result<()> {
        let catalog = Arc::clone(&self.catalog);
        for label in vertices.labels[row].iter() {
            let label = name(&catalog.labels, label.0)?;
            if label == vocabulary::RESOURCE {
                continue;
            }
            self.begin(subject, TYPE);
            push_literal(&Value::string(label), false, &mut self.text);
            self.text.push_str(NAMESPACE);
            self.text.push_str(" .\n");
        }
        Ok(())
    }

    fn values(&mut self, fields: &[Field], subject: &str) -> Result<()> {
        let catalog = Arc::clone(&self.catalog);
        let named = fields.iter().map(|field| {
            let key = key(&catalog, field)?;
            Ok(Named { name: PropertyName::of(key), key, value: &field.value })
        });
        let named = named.collect::<Result<Vec<_>>>()?;
        for own in &named {
            if own.name.facet.is_some() && named.iter().any(|of| of.has_facet(own)) {
                continue;
            }
            let facets: Vec<(&str, &Value)> = named
                .iter()
                .filter(|facet| own.has_facet(facet))
                .filter_map(|facet| Some((facet.name.facet?, facet.value)))
                .collect();
            match own.value {
                Value::PropertyValues(several) => {
                    if let [(facet, _), ..] = facets[..] {
                        let what = format!("of several values together (its facet '{facet}')");
                        return Err(unsaid(subject, own.key, &what));
                    }
                    for one in several.values() {
                        let meta: Vec<(&str, &Value)> =
                            one.meta.iter().map(|(key, value)| (&**key, value)).collect();
                        self.value(subject, own, &one.value, &meta)?;
                    }
                }
                value => self.value(subject, own, value, &facets)?,
            }
        }
        Ok(())
    }

    fn value(
        &mut self,
        subject: &str,
        own: &Named<'_>,
        value: &Value,
        facets: &[(&str, &Value)],
    ) -> Result<()> {
        let language = own.name.language.filter(|_| matches!(value, Value::String(_)));
        // A name that only looks like one with a facet is a predicate like others.
        let predicate = match (language, own.name.facet) {
            (Some(_), None) => own.name.key,
            _ => own.key,
        };
        let language = language.filter(|_| own.name.facet.is_none());
        self.begin(subject, predicate);
        let is_password = self.passwords.is_some_and(|known| known.contains(predicate));
        match (language, value) {
            (Some(language), Value::String(text)) => {
                literal::push_quoted(text, &mut self.text);
                self.text.push('@');
                self.text.push_str(language);
            }
            _ if push_literal(value, is_password, &mut self.text) => {}
            _ => return Err(unsaid(subject, own.key, &described(value))),
        }
        self.end(subject, own.key, facets)
    }

    /// The namespace, the facets and the dot.
    fn end(&mut self, subject: &str, key: &str, facets: &[(&str, &Value)]) -> Result<()> {
        self.text.push_str(NAMESPACE);
        for (number, (facet, value)) in facets.iter().enumerate() {
            self.text.push_str(if number == 0 { " (" } else { "," });
            if !push_facet(facet, value, &mut self.text) {
                let what = format!("with the facet '{facet}', which is {}", described(value));
                return Err(unsaid(subject, key, &what));
            }
        }
        self.text.push_str(if facets.is_empty() { " .\n" } else { ") .\n" });
        Ok(())
    }

    fn edges_of(&mut self, edges: &Edges, rows: Range<usize>, subject: &str) -> Result<()> {
        let catalog = Arc::clone(&self.catalog);
        let mut seen: FxHashSet<(u32, VertexId)> = FxHashSet::default();
        for row in rows {
            let (edge_type, target) = (edges.rows.types[row], edges.rows.targets[row]);
            let predicate = name(&catalog.edge_types, edge_type.0)?;
            let object = uid(&edges.target(row), "a node")?;
            if !seen.insert((edge_type.0, target)) {
                let detail = format!(
                    "two edges '{predicate}' lead from {subject} to {object}, and N-Quads have one"
                );
                return Err(refused(detail).with_help("export as GraphML or GraphSON"));
            }
            self.begin(subject, predicate);
            self.text.push_str(&object);
            let facets = edges.fields[row].iter();
            let facets = facets.map(|field| Ok((key(&catalog, field)?, &field.value)));
            let facets = facets.collect::<Result<Vec<_>>>()?;
            self.end(subject, predicate, &facets)?;
        }
        Ok(())
    }
}

impl Named<'_> {
    /// Whether another field is a facet of this one.
    fn has_facet(&self, other: &Named<'_>) -> bool {
        let of = PropertyName { facet: None, ..other.name };
        other.name.facet.is_some() && self.name == of
    }
}

/// A node's uid as a term.
fn uid(id: &ExportedId, what: &str) -> Result<String> {
    match id {
        ExportedId::Number(number) if 0 < *number => Ok(format!("<{number:#x}>")),
        other => {
            let detail =
                format!("{what} has the id {other}, and uids of Dgraph are numbers from 1 on");
            Err(refused(detail).with_help("export as GraphML or GraphSON"))
        }
    }
}

fn described(value: &Value) -> String {
    match value {
        Value::F32(_) | Value::F64(_) => value_text(value),
        Value::DateTime(_) => "a date and time without a zone".to_owned(),
        other => format!("of the type {}", other.type_name()),
    }
}

fn unsaid(subject: &str, key: &str, what: &str) -> millrace_model::Error {
    no_word("N-Quads", subject, key, what, "export as GraphSON or CSV")
}
