//! GraphSON 3 as TinkerPop's `writeGraph` has it: a vertex a line, with its edges on both sides, since
//! TinkerPop's own reader takes them from `inE`.

mod value;

use super::output::Output;
use super::scan::{Edges, ExportedId, Vertices, for_each_vertices, key, name};
use super::{ExportSummary, Watch, check_line, refused};
use crate::limits::SEEK_ROWS;
use millrace_model::column::Field;
use millrace_model::{Catalog, Direction, Result, Value};
use millrace_store::{EdgeRows, Run, Snapshot};
use std::ops::{ControlFlow, Range};
use value::{push_text, push_value};

pub(super) fn write(
    snapshot: &dyn Snapshot,
    mut output: Output<'_>,
    watch: &mut Watch<'_>,
) -> Result<ExportSummary> {
    let mut lines = Lines {
        snapshot,
        catalog: snapshot.catalog(),
        text: String::new(),
        properties: 0,
        edges: 0,
    };
    let mut summary = ExportSummary::default();
    let mut edges = 0;
    for_each_vertices(snapshot, watch, "writing", |vertices| {
        let mut degrees = Vec::new();
        snapshot.degrees(&vertices.slots, None, Direction::Both, &mut degrees)?;
        for range in cut(&degrees) {
            lines.add(vertices, range)?;
            output.write(&lines.text)?;
            lines.text.clear();
        }
        summary.vertices += vertices.slots.len() as u64;
        Ok(())
    })?;
    edges += lines.edges;
    summary.edges = edges;
    output.finish()?;
    Ok(summary)
}

/// Ranges of vertices that have some thousand edges together, or one vertex that has more.
pub(super) fn cut(degrees: &[u64]) -> Vec<Range<usize>> {
    let (mut ranges, mut first, mut edges) = (Vec::new(), 0, 0);
    for (row, degree) in degrees.iter().enumerate() {
        if SEEK_ROWS as u64 <= edges && first < row {
            ranges.push(first..row);
            (first, edges) = (row, 0);
        }
        edges += degree;
    }
    ranges.push(first..degrees.len());
    ranges
}

/// Vertices as lines.
struct Lines<'a> {
    snapshot: &'a dyn Snapshot,
    catalog: std::sync::Arc<Catalog>,
    text: String,
    /// The number of the last property of a vertex; they have ids in TinkerPop.
    properties: u64,
    edges: u64,
}

impl Lines<'_> {
    fn add(&mut self, vertices: &Vertices, range: Range<usize>) -> Result<()> {
        let frontier = &vertices.slots[range.clone()];
        let mut sides = Vec::with_capacity(2);
        for direction in [Direction::Out, Direction::In] {
            let (mut rows, mut ends) = (EdgeRows::default(), vec![0; frontier.len()]);
            let mut sink = |row: usize, run: Run<'_>| {
                for place in 0..run.len() {
                    let (own, other) = (frontier[row], run.neighbours.get(place));
                    let (source, target) = match direction {
                        Direction::In => (other, own),
                        Direction::Out | Direction::Both => (own, other),
                    };
                    rows.push(run.edge(place), run.edge_type, source, target);
                }
                ends[row] = rows.edges.len();
                ControlFlow::Continue(())
            };
            self.snapshot.expand(frontier, None, direction, &mut sink)?;
            sides.push((direction, Edges::of(self.snapshot, rows)?, ends));
        }
        let mut firsts = [0, 0];
        for row in range.clone() {
            let begins = self.text.len();
            self.vertex(vertices, row)?;
            for ((direction, edges, ends), first) in sides.iter().zip(&mut firsts) {
                // A vertex without edges has no run that would say where its edges end.
                let end = ends[row - range.start].max(*first);
                self.edges(*direction, edges, *first..end)?;
                *first = end;
            }
            self.text.push_str("}\n");
            let bytes = self.text.len() - begins;
            check_line(bytes, || format!("the vertex {} with its edges", vertices.id(row)))?;
        }
        self.edges += sides[0].1.len() as u64;
        Ok(())
    }

    fn vertex(&mut self, vertices: &Vertices, row: usize) -> Result<()> {
        let id = vertices.id(row);
        self.text.push_str("{\"id\":");
        push_id(&id, &mut self.text);
        match &vertices.labels[row][..] {
            [] => {}
            [label] => {
                self.text.push_str(",\"label\":");
                push_text(name(&self.catalog.labels, label.0)?, &mut self.text);
            }
            several => {
                let names = several.iter().map(|label| name(&self.catalog.labels, label.0));
                let names = names.collect::<Result<Vec<_>>>()?.join(", ");
                let detail =
                    format!("the vertex {id} has several labels ({names}), and GraphSON one");
                return Err(refused(detail).with_help("export as GraphML or CSV"));
            }
        }
        let fields = &vertices.fields[row];
        if fields.is_empty() {
            return Ok(());
        }
        self.text.push_str(",\"properties\":{");
        for (place, field) in fields.iter().enumerate() {
            if place != 0 {
                self.text.push(',');
            }
            self.vertex_property(&id, field)?;
        }
        self.text.push('}');
        Ok(())
    }

    fn vertex_property(&mut self, id: &ExportedId, field: &Field) -> Result<()> {
        let key = key(&self.catalog, field)?;
        let owner = || format!("the vertex {id}");
        push_text(key, &mut self.text);
        self.text.push_str(":[");
        let plain = [(&field.value, None)];
        let several: Vec<(&Value, Option<_>)> = match &field.value {
            Value::PropertyValues(property) => {
                let values = property.values().iter();
                values.map(|own| (&own.value, Some(&own.meta))).collect()
            }
            _ => plain.to_vec(),
        };
        for (place, (value, meta)) in several.into_iter().enumerate() {
            self.properties += 1;
            let comma = if place == 0 { "" } else { "," };
            let number = self.properties;
            let head =
                format!("{comma}{{\"id\":{{\"@type\":\"g:Int64\",\"@value\":{number}}},\"value\":");
            self.text.push_str(&head);
            push_value(value, (&owner, key), &mut self.text)?;
            let meta = meta.filter(|meta| !meta.is_empty());
            for (place, (name, value)) in meta.into_iter().flatten().enumerate() {
                self.text.push_str(if place == 0 { ",\"properties\":{" } else { "," });
                push_text(name, &mut self.text);
                self.text.push(':');
                push_value(value, (&owner, key), &mut self.text)?;
            }
            self.text.push_str(if meta.is_some() { "}}" } else { "}" });
        }
        self.text.push(']');
        Ok(())
    }

    fn edges(&mut self, direction: Direction, edges: &Edges, rows: Range<usize>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let (member, other) = match direction {
            Direction::In => ("inE", "outV"),
            Direction::Out | Direction::Both => ("outE", "inV"),
        };
        self.text.push_str(&format!(",\"{member}\":{{"));
        let mut last = None;
        for row in rows {
            let edge_type = edges.rows.types[row];
            match last {
                Some(known) if known == edge_type => self.text.push(','),
                Some(_) => self.text.push_str("],"),
                None => {}
            }
            if last != Some(edge_type) {
                push_text(name(&self.catalog.edge_types, edge_type.0)?, &mut self.text);
                self.text.push_str(":[");
            }
            last = Some(edge_type);
            let end = match direction {
                Direction::In => edges.source(row),
                Direction::Out | Direction::Both => edges.target(row),
            };
            self.edge(edges, row, (other, &end))?;
        }
        self.text.push_str("]}");
        Ok(())
    }

    fn edge(&mut self, edges: &Edges, row: usize, other: (&str, &ExportedId)) -> Result<()> {
        let id = edges.id(row);
        self.text.push_str("{\"id\":");
        push_id(&id, &mut self.text);
        self.text.push_str(&format!(",\"{}\":", other.0));
        push_id(other.1, &mut self.text);
        let owner = || format!("the edge {id}");
        for (place, field) in edges.fields[row].iter().enumerate() {
            let key = key(&self.catalog, field)?;
            self.text.push_str(if place == 0 { ",\"properties\":{" } else { "," });
            push_text(key, &mut self.text);
            self.text.push(':');
            push_value(&field.value, (&owner, key), &mut self.text)?;
        }
        self.text.push_str(if edges.fields[row].is_empty() { "}" } else { "}}" });
        Ok(())
    }
}

fn push_id(id: &ExportedId, text: &mut String) {
    match id {
        ExportedId::Number(number) => {
            text.push_str(&format!("{{\"@type\":\"g:Int64\",\"@value\":{number}}}"));
        }
        ExportedId::Text(id) => push_text(id, text),
    }
}
