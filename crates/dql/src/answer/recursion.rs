//! `@recurse`: nodes in nodes, each with its values, as far as edges were followed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Batch, ColumnValues, EdgeId, Result, Value, VertexId};

use super::json::{Text, misplaced};
use super::level::Level;
use super::node::{Above, LevelRows, write_name};
use super::shape::{Facets, LevelShape, RecursionShape, RowShape};

/// The columns of a row of what is reached: the step, the node, the edge, and what is reached from there.
const STEP: usize = 0;
const NODE: usize = 1;
const EDGE: usize = 2;
const BELOW: usize = 3;

/// The columns of a root.
const ROOT: usize = 0;
const ROOT_BELOW: usize = 1;

/// What nodes are written by.
struct Recursion<'a> {
    shape: &'a RecursionShape,
    values: LevelRows<'a>,
    row_of: HashMap<VertexId, usize>,
    /// For each step the facets of its edges, and the row of each.
    edges: Vec<Option<(LevelRows<'a>, HashMap<EdgeId, usize>)>>,
}

/// Nodes as a list.
pub(super) fn write_recursion(
    rows: &Batch,
    shape: &RecursionShape,
    text: &mut Text,
) -> Result<bool> {
    let whole = LevelShape {
        bag: shape.values,
        parent: None,
        rows: RowShape::Nodes(shape.node.clone()),
        kept: None,
    };
    let values = LevelRows::of(rows, &whole)?;
    let nodes = values.level.vertices(shape.node.column)?;
    let row_of = values.level.all().map(|row| (nodes[row], row)).collect();
    let shapes: Vec<Option<LevelShape>> = shape
        .steps
        .iter()
        .map(|step| {
            let (bag, _) = step.edges.as_ref()?;
            let rows = RowShape::Nodes(Default::default());
            Some(LevelShape { bag: *bag, parent: None, rows, kept: None })
        })
        .collect();
    let mut edges = Vec::new();
    for shape in &shapes {
        edges.push(match shape {
            Some(shape) => {
                let level = LevelRows::of(rows, shape)?;
                let ids = match level.level.all().is_empty() {
                    true => HashMap::new(),
                    false => {
                        let ids =
                            level.level.column(0)?.as_edges().ok_or_else(|| misplaced("edges"))?;
                        level.level.all().map(|row| (ids[row], row)).collect()
                    }
                };
                Some((level, ids))
            }
            None => None,
        });
    }
    let own = Recursion { shape, values, row_of, edges };
    let roots = Level::of_bag(rows, shape.bag)?;
    text.json.push('[');
    let mut written = 0;
    for row in roots.all() {
        let node = roots.vertices(ROOT)?[row];
        let start = text.json.len();
        text.json.push_str(if written == 0 { "" } else { "," });
        match own.write_node(node, bag_of(roots.column(ROOT_BELOW)?, row), text)? {
            true => {
                text.json.push('}');
                written += 1;
            }
            false => text.json.truncate(start),
        }
    }
    text.json.push(']');
    text.check()?;
    Ok(true)
}

/// The rows of a nested bag.
fn bag_of(column: &millrace_model::Column, row: usize) -> Option<(Arc<Batch>, Range<usize>)> {
    let ColumnValues::Bag(bags) = &column.values else { return None };
    let (from, count) = *bags.views.get(row)?;
    Some((Arc::clone(&bags.rows), from as usize..from as usize + count as usize))
}

impl Recursion<'_> {
    /// A node as an object that is still open; false where it has no field.
    fn write_node(
        &self,
        node: VertexId,
        below: Option<(Arc<Batch>, Range<usize>)>,
        text: &mut Text,
    ) -> Result<bool> {
        text.json.push('{');
        let mut has_fields = false;
        if let Some(row) = self.row_of.get(&node) {
            for field in &self.shape.node.fields {
                let start = text.json.len();
                text.json.push_str(if has_fields { "," } else { "" });
                let part = (field, None);
                match self.values.write_field(
                    &self.shape.node,
                    part,
                    *row,
                    &mut Above::new(),
                    text,
                )? {
                    true => has_fields = true,
                    false => text.json.truncate(start),
                }
            }
        }
        let Some((rows, range)) = below else { return Ok(has_fields) };
        let mut from = range.start;
        while from < range.end {
            let step = step_of(&rows, from);
            let mut to = from + 1;
            while to < range.end && step_of(&rows, to) == step {
                to += 1;
            }
            let start = text.json.len();
            text.json.push_str(if has_fields { "," } else { "" });
            match self.write_step(step, (&rows, from..to), text)? {
                true => has_fields = true,
                false => text.json.truncate(start),
            }
            from = to;
        }
        Ok(has_fields)
    }

    fn write_step(
        &self,
        step: usize,
        (rows, range): (&Arc<Batch>, Range<usize>),
        text: &mut Text,
    ) -> Result<bool> {
        let Some(own) = self.shape.steps.get(step) else { return Ok(false) };
        write_name(&own.name, text);
        text.json.push_str(if own.is_single { "" } else { "[" });
        let mut written = 0;
        for row in range {
            let Some(Value::Vertex(node)) = rows.columns[NODE].get(row) else { continue };
            let start = text.json.len();
            text.json.push_str(if written == 0 { "" } else { "," });
            if !self.write_node(node, bag_of(&rows.columns[BELOW], row), text)? {
                text.json.truncate(start);
                continue;
            }
            if let (Some(Some((level, ids))), Some((_, facets))) =
                (self.edges.get(step), &own.edges)
            {
                write_edge(level, ids, facets, rows.columns[EDGE].get(row).as_ref(), text)?;
            }
            text.json.push('}');
            written += 1;
        }
        text.json.push_str(if own.is_single { "" } else { "]" });
        text.check()?;
        Ok(written != 0)
    }
}

fn step_of(rows: &Batch, row: usize) -> usize {
    match rows.columns[STEP].get(row) {
        Some(Value::I64(step)) => usize::try_from(step).unwrap_or_default(),
        _ => 0,
    }
}

/// The facets of the edge that leads to a node.
fn write_edge(
    level: &LevelRows<'_>,
    ids: &HashMap<EdgeId, usize>,
    facets: &Facets,
    edge: Option<&Value>,
    text: &mut Text,
) -> Result<()> {
    let Some(Value::Edge(edge)) = edge else { return Ok(()) };
    match ids.get(edge) {
        Some(row) => level.write_facets(facets, *row, text),
        None => Ok(()),
    }
}
