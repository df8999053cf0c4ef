//! Rows and graphs as texts, so that two runs can be compared.
//!
//! Weights are expanded. Elements made by a run are named by their content, not by their ids: the id of
//! a new element is unspecified, unless it was chosen. No engine and no store enters here: it takes rows and
//! views.

use std::ops::Range;

use millrace_model::{Batch, Column, ColumnValues, EdgeId, KeyId, Tree, Value, VertexId};
use millrace_store::{EdgeRows, Elements, ScanCursor, Snapshot};

/// Chosen ids from here on are slots that no lease comes to, so that an id that the store gives,
/// which is unspecified, decides nothing.
pub const CHOSEN_ID_MIN: u64 = 500_000;

/// The prefix of an id that a run chose.
const CHOSEN: &str = "chosen ";

/// Whether a line names a vertex with an external id.
pub fn has_external_id(line: &str) -> bool {
    line.contains(CHOSEN)
}

/// The elements there were before a run.
pub struct Before {
    vertices: Vec<VertexId>,
    edges: Vec<EdgeId>,
}

impl Before {
    /// Those of a graph as it is.
    pub fn of(graph: &dyn Snapshot) -> Before {
        Before { vertices: all_vertices(graph), edges: all_edges(graph).edges }
    }
}

/// A graph after a run, and its elements before it.
pub struct Named<'a> {
    /// The graph, with the writes of the run.
    pub graph: &'a dyn Snapshot,
    /// The elements before the run.
    pub before: &'a Before,
    /// Whether the order of rows is part of the result.
    pub ordered: bool,
}

impl Named<'_> {
    /// Each row as a line, in order of their texts where rows have none.
    pub fn rows(&self, batch: &Batch, range: Range<usize>) -> Vec<String> {
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
        match &column.values {
            ColumnValues::Bag(bags) => {
                let (offset, len) = bags.views[row];
                let range = offset as usize..(offset + len) as usize;
                format!("bag[{}]", self.rows(&bags.rows, range).join("; "))
            }
            ColumnValues::Fields(fields) => {
                let fields = fields[row].iter();
                let fields = fields.map(|field| (self.key(field.key), self.value(&field.value)));
                let mut fields: Vec<_> = fields.collect();
                fields.sort();
                format!("fields{fields:?}")
            }
            entries => self.value(&entries.value(row)),
        }
    }

    fn key(&self, key: KeyId) -> String {
        self.graph.catalog().keys.name(key.0).map_or("?".to_owned(), ToString::to_string)
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Vertex(vertex) => self.vertex(*vertex),
            Value::Edge(edge) => self.edge(*edge),
            Value::List(values) => format!("[{}]", self.values(values)),
            Value::Set(values) => format!("set[{}]", self.values(values)),
            Value::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, of)| (self.value(key), self.value(of)));
                let pairs: Vec<_> = pairs.map(|(key, of)| format!("{key}: {of}")).collect();
                format!("map[{}]", pairs.join(", "))
            }
            Value::MapEntry(entry) => {
                format!("entry[{}: {}]", self.value(&entry.0), self.value(&entry.1))
            }
            Value::Path(path) => {
                let (objects, tags) = (path.objects(), path.tags());
                let steps = objects.iter().zip(tags.iter());
                let steps: Vec<_> =
                    steps.map(|(object, tags)| format!("{}{tags:?}", self.value(object))).collect();
                format!("path({})", steps.join(" "))
            }
            Value::VertexProperty(own) => {
                format!("{}.{}#{}", self.vertex(own.owner), own.key, own.ordinal)
            }
            Value::Property(own) => {
                format!("{}.{}={}", self.value(&own.owner), own.key, self.value(&own.value))
            }
            Value::Tree(tree) => self.tree(tree),
            Value::Subgraph(part) => {
                let vertices = part.vertices().iter().map(|vertex| self.vertex(*vertex));
                let edges = part.edges().iter().map(|edge| self.edge(*edge));
                let mut all: Vec<_> = vertices.chain(edges).collect();
                all.sort();
                format!("graph({})", all.join(" "))
            }
            other => format!("{other:?}"),
        }
    }

    fn values(&self, values: &[Value]) -> String {
        values.iter().map(|value| self.value(value)).collect::<Vec<_>>().join(", ")
    }

    fn tree(&self, tree: &Tree) -> String {
        let branch = |(value, inner): &(Value, Tree)| self.value(value) + &self.tree(inner);
        let branches: Vec<_> = tree.branches.iter().map(branch).collect();
        format!("tree{{{}}}", branches.join(" "))
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
        let shown = self.graph.external_ids(&[vertex]).expect("can be shown");
        let shown = shown.map_or(vertex.0, |shown| shown[0]);
        let id = if shown < CHOSEN_ID_MIN { String::new() } else { format!("{CHOSEN}{shown} ") };
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
    pub fn dump(&self) -> Vec<String> {
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
