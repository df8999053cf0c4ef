//! What a run gave, in a form in which two runs can be compared.
//!
//! Weights are expanded. Elements made by the run are named by what they are, not by their ids:
//! which id a new element gets is nobody's business, unless it was chosen.

use std::fmt;

use millrace_engine::Context;
use millrace_model::{Batch, Column, EdgeId, Entries, ErrorKind, Result, Value, VertexId};
use millrace_plan::Plan;
use millrace_store::{EdgeRows, Elements, ScanCursor, Snapshot};

use super::writes::NEAR;

/// What stands before an id that the plan chose.
const CHOSEN: &str = "chosen ";

/// Whether a line tells of a vertex whose id the plan chose.
pub(super) fn shows_chosen(line: &str) -> bool {
    line.contains(CHOSEN)
}

/// What a run gave.
#[derive(Clone, PartialEq)]
pub(crate) enum Outcome {
    Rows { rows: Vec<String>, graph: Vec<String> },
    Error { kind: ErrorKind, detail: String },
}

impl Outcome {
    /// Whether the oracle gave up: then there is nothing to compare with.
    pub(super) fn is_too_large(&self) -> bool {
        matches!(self, Outcome::Error { kind: ErrorKind::LimitReached, .. })
    }

    /// Of a run in a context over a graph that had these elements before.
    pub(crate) fn of(
        result: Result<Batch>,
        plan: &Plan,
        context: &Context,
        before: &Before,
    ) -> Outcome {
        let batch = match result {
            Ok(batch) => batch,
            Err(error) => return Outcome::Error { kind: error.kind, detail: error.detail },
        };
        if !plan.merging && batch.weights.is_some() {
            let detail = "a plan with merging off gave rows with weights".to_owned();
            return Outcome::Error { kind: ErrorKind::Bug, detail };
        }
        let view = View { graph: context.graph(), before, ordered: plan.ordered };
        let rows = view.rows(&batch, 0..batch.len);
        let graph = if plan.root.has_effect() { view.dump() } else { Vec::new() };
        Outcome::Rows { rows, graph }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Error { kind, detail } => writeln!(f, "  {kind:?}: {detail}"),
            Outcome::Rows { rows, graph } => {
                rows.iter().try_for_each(|row| writeln!(f, "  {row}"))?;
                if !graph.is_empty() {
                    writeln!(f, "  and the graph")?;
                }
                graph.iter().try_for_each(|line| writeln!(f, "    {line}"))
            }
        }
    }
}

/// The elements there were before a run.
pub(crate) struct Before {
    vertices: Vec<VertexId>,
    edges: Vec<EdgeId>,
}

impl Before {
    pub(crate) fn of(graph: &dyn Snapshot) -> Before {
        Before { vertices: all_vertices(graph), edges: all_edges(graph).edges }
    }
}

struct View<'a> {
    graph: &'a dyn Snapshot,
    before: &'a Before,
    ordered: bool,
}

impl View<'_> {
    fn rows(&self, batch: &Batch, range: std::ops::Range<usize>) -> Vec<String> {
        let mut rows = Vec::new();
        for row in range {
            let entries = batch.columns.iter().map(|column| self.entry(column, row));
            let text = entries.collect::<Vec<_>>().join(", ");
            (0..batch.weight(row)).for_each(|_| rows.push(text.clone()));
        }
        if !self.ordered {
            rows.sort();
        }
        rows
    }

    fn entry(&self, column: &Column, row: usize) -> String {
        if column.is_absent(row) {
            return "absent".to_owned();
        }
        if column.is_null(row) {
            return "null".to_owned();
        }
        match &column.entries {
            Entries::Bag(bags) => {
                let (offset, len) = bags.views[row];
                let range = offset as usize..(offset + len) as usize;
                format!("bag[{}]", self.rows(&bags.rows, range).join("; "))
            }
            Entries::Fields(fields) => {
                let fields = fields[row].iter();
                let fields = fields.map(|field| (self.key(field.key), self.value(&field.value)));
                let mut fields: Vec<_> = fields.collect();
                fields.sort();
                format!("fields{fields:?}")
            }
            entries => self.value(&entries.value(row)),
        }
    }

    fn key(&self, key: millrace_model::KeyId) -> String {
        self.graph.catalog().keys.name(key.0).map_or("?".to_owned(), ToString::to_string)
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Vertex(vertex) => self.vertex(*vertex),
            Value::Edge(edge) => self.edge(*edge),
            Value::List(values) => {
                let values: Vec<_> = values.iter().map(|value| self.value(value)).collect();
                format!("[{}]", values.join(", "))
            }
            Value::Path(path) => {
                let steps = path.objects.iter().zip(&path.tags);
                let steps: Vec<_> =
                    steps.map(|(object, tags)| format!("{}{tags:?}", self.value(object))).collect();
                format!("path({})", steps.join(" "))
            }
            other => format!("{other:?}"),
        }
    }

    fn fields(&self, elements: Elements<'_>) -> String {
        let fields = self.graph.fields(elements).expect("fields can be read");
        let fields = fields[0].iter();
        let mut fields: Vec<_> =
            fields.map(|field| format!("{}: {:?}", self.key(field.key), field.value)).collect();
        fields.sort();
        format!("{{{}}}", fields.join(", "))
    }

    fn labels(&self, vertex: VertexId) -> String {
        let labels = self.graph.labels(&[vertex]).expect("labels can be read");
        let catalog = self.graph.catalog();
        let names = labels[0].iter().filter_map(|label| catalog.labels.name(label.0));
        let mut names: Vec<String> = names.map(ToString::to_string).collect();
        names.sort();
        names.join(":")
    }

    fn vertex(&self, vertex: VertexId) -> String {
        if self.before.vertices.contains(&vertex) {
            return format!("{vertex:?}");
        }
        let alive = self.graph.exist(Elements::Vertices(&[vertex])).expect("can be asked");
        if !alive.get(0) {
            return "a vertex that is gone".to_owned();
        }
        let fields = self.fields(Elements::Vertices(&[vertex]));
        let shown = self.graph.outer_ids(&[vertex]).expect("can be shown");
        let shown = shown.map_or(vertex.0, |shown| shown[0]);
        let id = if shown < NEAR as u64 { String::new() } else { format!("{CHOSEN}{shown} ") };
        format!("new {id}(:{} {fields})", self.labels(vertex))
    }

    fn edge(&self, edge: EdgeId) -> String {
        if self.before.edges.contains(&edge) {
            return format!("{edge:?}");
        }
        let ends = self.graph.ends(&[edge]).expect("ends can be read");
        if !ends.exist.get(0) {
            return "an edge that is gone".to_owned();
        }
        let (source, target) = (self.vertex(ends.sources[0]), self.vertex(ends.targets[0]));
        let catalog = self.graph.catalog();
        let name = catalog.edge_types.name(ends.types[0].0).expect("a known type");
        let fields = self.fields(Elements::Edges(&[edge]));
        format!("new {source}-[:{name} {fields}]->{target}")
    }

    /// All elements with all they have, sorted.
    fn dump(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for vertex in all_vertices(self.graph) {
            let fields = self.fields(Elements::Vertices(&[vertex]));
            lines.push(format!("{} :{} {fields}", self.vertex(vertex), self.labels(vertex)));
        }
        for edge in all_edges(self.graph).edges {
            let fields = self.fields(Elements::Edges(&[edge]));
            lines.push(format!("{} {fields}", self.edge(edge)));
        }
        lines.sort();
        lines
    }
}

fn all_vertices(graph: &dyn Snapshot) -> Vec<VertexId> {
    let (mut vertices, mut cursor) = (Vec::new(), ScanCursor::default());
    while !cursor.finished {
        graph.scan_vertices(None, &mut cursor, 100, &mut vertices).expect("can be scanned");
    }
    vertices
}

fn all_edges(graph: &dyn Snapshot) -> EdgeRows {
    let (mut edges, mut cursor) = (EdgeRows::default(), ScanCursor::default());
    while !cursor.finished {
        graph.scan_edges(None, &mut cursor, 100, &mut edges).expect("can be scanned");
    }
    edges
}
