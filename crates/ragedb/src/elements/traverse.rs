//! One node's surroundings: degree, neighbours, relationships, paths to another node.

use millrace_model::{ColumnValues, Result, Value};
use millrace_plan::{ElementKind, Runner};

use super::around::{self, Way};
use super::name::{NodeName, resolve};
use super::run::{column_of, ids_of, int_of, rows, run};
use super::show::{Elements, show_all};
use crate::plans::{self, Walk};

/// Neighbours, and the edge to each.
#[derive(Default)]
struct Links {
    nodes: Vec<u64>,
    edges: Vec<u64>,
}

/// How many relationships a node has.
pub fn degree(runner: &mut dyn Runner, node: &NodeName, way: &Way) -> Result<i64> {
    Ok(int_of(&around::degree(runner, node, way)?))
}

/// The nodes at the other ends, whole; a node with two relationships to it comes twice.
pub fn neighbors(runner: &mut dyn Runner, node: &NodeName, way: &Way) -> Result<Elements> {
    all_around(runner, node, way, ElementKind::Vertex)
}

/// The relationships, whole.
pub fn relationships(runner: &mut dyn Runner, node: &NodeName, way: &Way) -> Result<Elements> {
    all_around(runner, node, way, ElementKind::Edge)
}

fn all_around(
    runner: &mut dyn Runner,
    node: &NodeName,
    way: &Way,
    element: ElementKind,
) -> Result<Elements> {
    let found = around::around(runner, (node, way), element)?;
    Ok(Elements::of(runner, element, found))
}

/// The relationships between two nodes, whole, as the first sees them.
pub fn connected(
    runner: &mut dyn Runner,
    node: &NodeName,
    other: &NodeName,
    way: &Way,
) -> Result<Value> {
    let Some(other) = resolve(runner, other)? else { return Ok(Value::list(Vec::new())) };
    let links = links(runner, node, way)?;
    let between = links.nodes.iter().zip(&links.edges).filter(|(node, _)| **node == other.0);
    let between: Vec<u64> = between.map(|(_, edge)| *edge).collect();
    Ok(Value::list(show_all(runner, ElementKind::Edge, &between)?))
}

fn links(runner: &mut dyn Runner, node: &NodeName, way: &Way) -> Result<Links> {
    let Some(vertex) = resolve(runner, node)? else { return Ok(Links::default()) };
    let plan = plans::walk(Walk::Links, way.direction, way.types.as_deref());
    let start = rows(vec![column_of(ElementKind::Vertex, &[vertex.0])]);
    let batch = run(runner, &plan, &start)?;
    let Some(ColumnValues::Bag(bags)) = batch.columns.first().map(|column| &column.values) else {
        return Ok(Links::default());
    };
    // One start, so the one bag is the whole child batch.
    Ok(Links { nodes: ids_of(&bags.rows, 0), edges: ids_of(&bags.rows, 1) })
}
