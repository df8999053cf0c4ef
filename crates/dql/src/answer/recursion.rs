//! `@recurse`: nodes in nodes, each with its values, as far as edges were followed; or, with `@normalize`, one object for
//! each way.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Batch, ColumnValues, EdgeId, Result, Value, VertexId};

use super::flat::{self, FlatObject};
use super::json::{Text, misplaced};
use super::layout::{Facets, Field, FieldKind, LevelLayout, RecursionLayout, RowLayout};
use super::level::Level;
use super::node::{Above, LevelRows, write_name};

/// The columns of a row of what is reached: the step, the node, the edge, and what is reached from there.
const STEP: usize = 0;
const NODE: usize = 1;
const EDGE: usize = 2;
const BELOW: usize = 3;

/// The columns of a root.
const ROOT: usize = 0;
const ROOT_BELOW: usize = 1;

/// What nodes are written by.
pub(super) struct Recursion<'a> {
    pub(super) layout: &'a RecursionLayout,
    pub(super) values: LevelRows<'a>,
    pub(super) row_of: HashMap<VertexId, usize>,
    /// The fields of the last nodes, without facets.
    last_fields: Vec<Field>,
    /// For each step the facets of its edges, and the row of each.
    edges: Vec<Option<(LevelRows<'a>, HashMap<EdgeId, usize>)>>,
}

/// A node, and what is reached from it.
pub(super) type Reached = (VertexId, Below);

/// The rows of a nested bag.
type Below = Option<(Arc<Batch>, Range<usize>)>;

/// Nodes as a list.
pub(super) fn write_recursion(
    rows: &Batch,
    layout: &RecursionLayout,
    text: &mut Text<'_>,
) -> Result<bool> {
    read(rows, layout, |own, roots| {
        text.json.push('[');
        let mut written = 0;
        for (node, below) in roots {
            text.check()?;
            if layout.node.is_flat {
                for object in own.flat((node, below), "")? {
                    text.json.push_str(if written == 0 { "" } else { "," });
                    object.write(text);
                    written += 1;
                }
                continue;
            }
            let start = text.json.len();
            text.json.push_str(if written == 0 { "" } else { "," });
            match own.write_node((node, below), 0, text)? {
                true => {
                    text.json.push('}');
                    written += 1;
                }
                false => text.json.truncate(start),
            }
        }
        text.json.push(']');
        text.check()
    })?;
    Ok(true)
}

/// Reads the bags of a recursion for what writes them.
pub(super) fn read(
    rows: &Batch,
    layout: &RecursionLayout,
    write: impl FnOnce(&Recursion<'_>, Vec<Reached>) -> Result<()>,
) -> Result<()> {
    let whole = LevelLayout {
        bag: layout.values,
        parent: None,
        rows: RowLayout::Nodes(layout.node.clone()),
        bound: None,
    };
    let values = LevelRows::of(rows, &whole)?;
    let nodes = values.level.vertices(layout.node.column)?;
    let row_of = values.level.all().map(|row| (nodes[row], row)).collect();
    let layouts: Vec<Option<LevelLayout>> = layout
        .steps
        .iter()
        .map(|step| {
            let (bag, _) = step.edges.as_ref()?;
            let rows = RowLayout::Nodes(Default::default());
            Some(LevelLayout { bag: *bag, parent: None, rows, bound: None })
        })
        .collect();
    let mut edges = Vec::new();
    for layout in &layouts {
        edges.push(match layout {
            Some(layout) => {
                let level = LevelRows::of(rows, layout)?;
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
    let last_fields = layout.node.fields.iter().map(without_facets).collect();
    let own = Recursion { layout, values, row_of, last_fields, edges };
    let level = Level::of_bag(rows, layout.bag)?;
    let mut roots = Vec::new();
    for row in level.all() {
        let node = level.vertices(ROOT)?[row];
        roots.push((node, bag_of(level.column(ROOT_BELOW)?, row)));
    }
    write(&own, roots)
}

fn without_facets(field: &Field) -> Field {
    let mut field = field.clone();
    if let FieldKind::Value { facets, .. } = &mut field.kind {
        *facets = Facets::None;
    }
    field
}

fn bag_of(column: &millrace_model::Column, row: usize) -> Below {
    let ColumnValues::Bag(bags) = &column.values else { return None };
    let (from, count) = *bags.views.get(row)?;
    Some((Arc::clone(&bags.rows), from as usize..from as usize + count as usize))
}

impl Recursion<'_> {
    /// A node as an object that is still open; false where it has no field.
    fn write_node(&self, (node, below): Reached, depth: u64, text: &mut Text<'_>) -> Result<bool> {
        text.check()?;
        text.json.push('{');
        let mut has_fields = false;
        let is_last = self.layout.rounds == Some(depth);
        if let Some(row) = self.row_of.get(&node) {
            for field in if is_last { &self.last_fields } else { &self.layout.node.fields } {
                let start = text.json.len();
                text.json.push_str(if has_fields { "," } else { "" });
                let part = (field, None);
                match self.values.write_field(
                    &self.layout.node,
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
        for (step, range) in steps_of(&below) {
            let Some((rows, _)) = &below else { continue };
            let start = text.json.len();
            text.json.push_str(if has_fields { "," } else { "" });
            match self.write_step(step, (rows, range), depth + 1, text)? {
                true => has_fields = true,
                false => text.json.truncate(start),
            }
        }
        Ok(has_fields)
    }

    /// `@normalize`: the objects of a node, with what is reached from it.
    fn flat(&self, (node, below): Reached, facets: &str) -> Result<Vec<FlatObject>> {
        let mut own = FlatObject::default();
        if let Some(row) = self.row_of.get(&node) {
            for field in &self.layout.node.fields {
                self.values.flat_field(&self.layout.node, field, *row, &mut own)?;
            }
        }
        let mut lists = Vec::new();
        for (step, range) in steps_of(&below) {
            let Some((rows, _)) = &below else { continue };
            let mut list = Vec::new();
            for row in range {
                let Some(reached) = reached(rows, row) else { continue };
                let mut text = Text::unbounded();
                self.write_edge(step, rows.columns[EDGE].get(row).as_ref(), &mut text)?;
                list.extend(self.flat(reached, &text.json)?);
                flat::check(list.len())?;
            }
            lists.push(list);
        }
        flat::combined(own, lists, facets)
    }

    fn write_step(
        &self,
        step: usize,
        (rows, range): (&Arc<Batch>, Range<usize>),
        depth: u64,
        text: &mut Text<'_>,
    ) -> Result<bool> {
        let Some(own) = self.layout.steps.get(step) else { return Ok(false) };
        write_name(&own.name, text);
        text.json.push_str(if own.is_single { "" } else { "[" });
        let mut written = 0;
        for row in range {
            let Some(reached) = reached(rows, row) else { continue };
            let start = text.json.len();
            text.json.push_str(if written == 0 { "" } else { "," });
            if !self.write_node(reached, depth, text)? {
                text.json.truncate(start);
                continue;
            }
            self.write_edge(step, rows.columns[EDGE].get(row).as_ref(), text)?;
            text.json.push('}');
            written += 1;
        }
        text.json.push_str(if own.is_single { "" } else { "]" });
        text.check()?;
        Ok(written != 0)
    }

    /// The facets of the edge of a step that leads to a node.
    fn write_edge(&self, step: usize, edge: Option<&Value>, text: &mut Text<'_>) -> Result<()> {
        let shown = self.layout.steps.get(step).and_then(|own| own.edges.as_ref());
        let (Some((_, facets)), Some(Some((level, ids)))) = (shown, self.edges.get(step)) else {
            return Ok(());
        };
        let Some(Value::Edge(edge)) = edge else { return Ok(()) };
        match ids.get(edge) {
            Some(row) => level.write_facets(facets, *row, text),
            None => Ok(()),
        }
    }
}

/// The steps that lead from a node, each with the rows of what it reaches.
pub(super) fn steps_of(below: &Below) -> Vec<(usize, Range<usize>)> {
    let Some((rows, range)) = below else { return Vec::new() };
    let mut steps = Vec::new();
    let mut from = range.start;
    while from < range.end {
        let step = step_of(rows, from);
        let mut to = from + 1;
        while to < range.end && step_of(rows, to) == step {
            to += 1;
        }
        steps.push((step, from..to));
        from = to;
    }
    steps
}

/// The node of a row, and what is reached from it.
pub(super) fn reached(rows: &Batch, row: usize) -> Option<Reached> {
    match rows.columns[NODE].get(row) {
        Some(Value::Vertex(node)) => Some((node, bag_of(&rows.columns[BELOW], row))),
        _ => None,
    }
}

fn step_of(rows: &Batch, row: usize) -> usize {
    match rows.columns[STEP].get(row) {
        Some(Value::I64(step)) => usize::try_from(step).unwrap_or_default(),
        _ => 0,
    }
}
