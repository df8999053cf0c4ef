//! Reads from one node's name in one plan: the node itself, or its surroundings, with all properties to be shown.
//!
//! A key may be looked for in two places, in order, and the second counts only where the first finds no
//! node; then a separate plan finds the node first.

use millrace_model::{Batch, Direction, Result, Value, VertexId};
use millrace_plan::{
    ApplyKind, ColumnId, ElementKind, Expr, Fold, Loops, Name, OwnerName, Parameter, Plan,
    PlanBuilder, Runner, op,
};

use super::name::{NodeName, resolve};
use super::run::{column_of, rows, run};
use crate::plans::{self, KeySource};

/// Relationships of a node: a direction, and types (`None`: all).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Which way.
    pub direction: Direction,
    /// Of these types.
    pub types: Option<Vec<String>>,
}

/// Where a plan starts.
enum Start {
    /// At the vertex of its parameter rows.
    Vertex(VertexId),
    /// At the node that has a key.
    Key { source: KeySource, type_name: String, key: String },
}

impl Start {
    /// `None` if no node has the name.
    fn of(runner: &mut dyn Runner, node: &NodeName) -> Result<Option<Start>> {
        if let NodeName::Key { type_name, key } = node
            && let [source] = plans::key_sources(&runner.catalog(), type_name).as_slice()
        {
            let (source, type_name, key) = (source.clone(), type_name.clone(), key.clone());
            return Ok(Some(Start::Key { source, type_name, key }));
        }
        Ok(resolve(runner, node)?.map(Start::Vertex))
    }

    fn push(&self, plan: &mut PlanBuilder) -> ColumnId {
        let Start::Key { source, type_name, .. } = self else {
            let rows = plan.parameter("rows");
            let [node] = plan.rows(rows, ["v"]);
            return node;
        };
        let value = Expr::Parameter(plan.parameter("key"));
        let to = plan.column("v");
        let (owner, keys) = (source.owner.clone(), vec![source.property.clone()]);
        plan.push(op::Seek { owner, keys, values: vec![value], range: None, to });
        if source.owner == OwnerName::AllVertices {
            let label = Name::from(type_name.as_str());
            plan.filter(Expr::HasLabel { vertex: Box::new(Expr::Column(to)), label });
        }
        to
    }

    fn run(&self, runner: &mut dyn Runner, plan: &Plan) -> Result<Batch> {
        let parameters = match self {
            Start::Vertex(vertex) => rows(vec![column_of(ElementKind::Vertex, &[vertex.0])]),
            Start::Key { key, .. } => [Parameter::Value(Value::from(key.as_str()))],
        };
        run(runner, plan, &parameters)
    }
}

/// The vertices or edges around a node, as [`plans::show`] gives them.
pub(super) fn around(
    runner: &mut dyn Runner,
    (node, way): (&NodeName, &Way),
    element: ElementKind,
) -> Result<Batch> {
    let Some(start) = Start::of(runner, node)? else { return Ok(Batch::default()) };
    let mut plan = plans::builder();
    let from = start.push(&mut plan);
    let found = plan.column("n");
    let (edge, to) = match element {
        ElementKind::Vertex => (None, Some(found)),
        ElementKind::Edge => (Some(found), None),
    };
    let types = names(way);
    plan.push(op::Expand { from, types, direction: way.direction, edge, to, loops: Loops::Twice });
    let output = plans::show(&mut plan, element, found);
    start.run(runner, &plan.finish(output))
}

/// The node of a type and key, as [`plans::show`] gives it; no row if there is none.
pub(super) fn node(runner: &mut dyn Runner, name: &NodeName) -> Result<Batch> {
    let Some(start) = Start::of(runner, name)? else { return Ok(Batch::default()) };
    let mut plan = plans::builder();
    let found = match &start {
        Start::Key { .. } => start.push(&mut plan),
        Start::Vertex(_) => {
            let named = start.push(&mut plan);
            plan.ids(ElementKind::Vertex, Expr::Column(named), "x")
        }
    };
    let output = plans::show(&mut plan, ElementKind::Vertex, found);
    start.run(runner, &plan.finish(output))
}

/// How many relationships a node has, in one row; no row if there is no such node.
pub(super) fn degree(runner: &mut dyn Runner, node: &NodeName, way: &Way) -> Result<Batch> {
    let Some(start) = Start::of(runner, node)? else { return Ok(Batch::default()) };
    let mut plan = plans::builder();
    let from = start.push(&mut plan);
    let [to, other] = ["degree", "n"].map(|name| plan.column(name));
    plan.apply(ApplyKind::Value { fold: Fold::Count, to }, |sub| {
        let (direction, loops, types) = (way.direction, Loops::Twice, names(way));
        sub.push(op::Expand { from, types, direction, edge: None, to: Some(other), loops });
    });
    start.run(runner, &plan.finish(vec![to]))
}

fn names(way: &Way) -> Option<Vec<Name>> {
    let names = |types: &Vec<String>| types.iter().map(|name| name.as_str().into()).collect();
    way.types.as_ref().map(names)
}
