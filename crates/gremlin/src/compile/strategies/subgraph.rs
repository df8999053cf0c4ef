//! `SubgraphStrategy`: a filter behind each step that leads to elements.

use millrace_bytecode::{Argument, Bytecode, Instruction, Predicate, Strategy};
use millrace_model::{Result, Value};

use crate::compile::strategies::{added, refused, with_inner, wrong};
use crate::steps::{self, Fact, Leads};

/// The conditions that elements must pass.
pub(super) struct Subgraph {
    vertices: Option<Bytecode>,
    edges: Option<Bytecode>,
    properties: Option<Bytecode>,
}

impl Subgraph {
    /// Reads the settings of a strategy; those that are not supported are errors.
    pub(super) fn of(source: &Instruction, strategy: &Strategy) -> Result<Subgraph> {
        let mut subgraph = Subgraph { vertices: None, edges: None, properties: None };
        let mut checks_ends = true;
        for (name, setting) in &strategy.configuration {
            match (&**name, setting) {
                ("vertices", Argument::Bytecode(inner)) => subgraph.vertices = Some(inner.clone()),
                ("edges", Argument::Bytecode(inner)) => subgraph.edges = Some(inner.clone()),
                ("checkAdjacentVertices", Argument::Value(Value::Bool(checks))) => {
                    checks_ends = *checks;
                }
                ("vertexProperties", Argument::Bytecode(inner)) => {
                    subgraph.properties = Some(inner.clone());
                }
                (name, _) => {
                    return Err(wrong(
                        source,
                        format!("has SubgraphStrategy with {name} as it cannot be"),
                    ));
                }
            }
        }
        if checks_ends && let Some(vertices) = subgraph.vertices.clone() {
            subgraph.edges = Some(edge_condition(source, subgraph.edges.as_ref(), &vertices));
        }
        Ok(subgraph)
    }

    /// Vertices and edges that pass one condition, whatever an edge's ends do.
    pub(super) fn both(condition: Bytecode) -> Subgraph {
        Subgraph { vertices: Some(condition.clone()), edges: Some(condition), properties: None }
    }

    /// The traversal, restricted to elements that pass.
    pub(super) fn rewrite(&self, bytecode: &Bytecode) -> Result<Bytecode> {
        let mut steps = Vec::with_capacity(bytecode.steps.len() * 2);
        for step in &bytecode.steps {
            let step = with_inner(step, &mut |inner| self.rewrite(inner))?;
            self.add(step, &mut steps)?;
        }
        Ok(Bytecode { sources: bytecode.sources.clone(), steps })
    }

    fn add(&self, step: Instruction, steps: &mut Vec<Instruction>) -> Result<()> {
        let is = |fact| steps::is(&step, fact);
        match &self.properties {
            Some(condition) if is(Fact::GivesProperties) || is(Fact::GivesValues) => {
                add_properties(step, condition, steps);
            }
            Some(_) if is(Fact::MapsProperties) => {
                let detail = "under SubgraphStrategy with vertexProperties is not supported";
                return Err(refused(&step, detail));
            }
            _ => self.add_elements(step, steps),
        }
        Ok(())
    }

    fn add_elements(&self, step: Instruction, steps: &mut Vec<Instruction>) {
        let keep = |condition: &Option<Bytecode>, beside: &Instruction| {
            let condition = condition.clone().map(|inner| vec![Argument::Bytecode(inner)]);
            condition.map(|arguments| added(beside, "filter", arguments))
        };
        match (steps::named(&step.name).and_then(|own| own.leads), &self.edges) {
            (Some(Leads::Vertices), _) | (Some(Leads::Neighbours { .. }), None) => {
                let kept = keep(&self.vertices, &step);
                steps.push(step);
                steps.extend(kept);
            }
            (Some(Leads::Edges | Leads::IncidentEdges), _) => {
                let kept = keep(&self.edges, &step);
                steps.push(step);
                steps.extend(kept);
            }
            (Some(Leads::Neighbours { edges, ends }), Some(_)) => {
                let edge = Instruction { name: edges.into(), ..step };
                let vertex = added(&edge, ends, Vec::new());
                let kept = (keep(&self.edges, &edge), keep(&self.vertices, &edge));
                steps.push(edge);
                steps.extend(kept.0);
                steps.push(vertex);
                steps.extend(kept.1);
            }
            (None, _) => steps.push(step),
        }
    }
}

/// Properties of vertices that pass a condition, and any others.
fn add_properties(step: Instruction, condition: &Bytecode, steps: &mut Vec<Instruction>) {
    let of_vertex = Predicate::new("typeOf", vec![Argument::Type("VertexProperty".into())]);
    let is_of_vertex = added(&step, "is", vec![Argument::Predicate(of_vertex)]);
    let is_of_vertex = Bytecode { sources: Vec::new(), steps: vec![is_of_vertex] };
    let other = added(&step, "not", vec![Argument::Bytecode(is_of_vertex)]);
    let other = Bytecode { sources: Vec::new(), steps: vec![other] };
    let either = vec![Argument::Bytecode(other), Argument::Bytecode(condition.clone())];
    let kept = added(&step, "or", either);
    let value = steps::is(&step, Fact::GivesValues).then(|| added(&step, "value", Vec::new()));
    steps.push(Instruction { name: "properties".into(), ..step });
    steps.push(kept);
    steps.extend(value);
}

/// The condition of an edge: its own, and that of vertices at both its ends.
fn edge_condition(source: &Instruction, edges: Option<&Bytecode>, vertices: &Bytecode) -> Bytecode {
    let end = |name: &str| {
        let condition = vec![Argument::Bytecode(vertices.clone())];
        let steps = vec![added(source, name, Vec::new()), added(source, "filter", condition)];
        Argument::Bytecode(Bytecode { sources: Vec::new(), steps })
    };
    let own = edges.map(|edges| Argument::Bytecode(edges.clone()));
    let all = own.into_iter().chain([end("inV"), end("outV")]).collect();
    Bytecode { sources: Vec::new(), steps: vec![added(source, "and", all)] }
}
