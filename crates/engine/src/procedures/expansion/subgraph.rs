//! `apoc.path.subgraphAll`: the nodes of a search and all relationships between them, as two lists.

use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::{Column, Direction, Result, Value, VertexId};
use millrace_plan::{Loops, Signature, ValueType};
use rustc_hash::FxHashSet;

use super::tree::begin;
use crate::context::{Arguments, Context, EdgeTypes, Procedure, Yielded};
use crate::traversal::Walk;

/// See the file.
pub(super) struct All;

impl Procedure for All {
    fn signature(&self) -> Signature {
        let description = "The nodes that a node reaches, and all relationships between these.";
        Signature::reading("apoc.path.subgraphAll", description)
            .argument("startNode", ValueType::Any)
            .argument("config", ValueType::Map)
            .yields("nodes", ValueType::List)
            .yields("relationships", ValueType::List)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let all = (0..len).map(|row| Ok(vec![subgraph(Arguments { columns, row }, context)?]));
        Yielded::of_rows(2, all)
    }
}

fn subgraph(arguments: Arguments<'_>, context: &Context) -> Result<Vec<Value>> {
    let (mut search, wanted) = begin(arguments, context)?;
    let mut wanted: Vec<u32> = wanted.into();
    while let Some(more) = search.next_level(context)? {
        wanted.extend(more);
    }
    let vertices: Vec<VertexId> =
        wanted.iter().map(|&number| search.found[number as usize].vertex).collect();
    let inside: FxHashSet<VertexId> = vertices.iter().copied().collect();
    let mut edges: Vec<Value> = Vec::new();
    let mut walk = Walk::new(EdgeTypes::new(None), Direction::Out, Loops::Once);
    if let Some(walk) = walk.resolve(context) {
        walk.expand(context.graph(), context.guard(), &vertices, |_, run| {
            for at in 0..run.len() {
                if inside.contains(&run.neighbours.get(at)) {
                    edges.push(Value::Edge(run.edge(at)));
                }
            }
            context.guard().require_room((edges.len() * size_of::<Value>()) as u64)?;
            Ok(ControlFlow::Continue(()))
        })?;
    }
    context.charge(((edges.len() + vertices.len()) * size_of::<Value>()) as i64)?;
    search.end(context)?;
    let nodes = vertices.into_iter().map(Value::Vertex).collect();
    Ok(vec![Value::list(nodes), Value::list(edges)])
}
