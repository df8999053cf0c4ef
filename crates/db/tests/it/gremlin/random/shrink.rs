//! Makes a case smaller while it still fails: fewer steps, vertices, edges, properties.

use super::graph::Graph;
use super::text::{Argument, Script, Step, ends};

/// A graph and a traversal.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) graph: Graph,
    pub(super) script: Script,
}

/// The smallest case found for which `fails` holds, going greedily.
pub(super) fn shrink(mut case: Case, fails: impl Fn(&Case) -> bool) -> Case {
    while let Some(smaller) = candidates(&case).into_iter().find(|smaller| fails(smaller)) {
        case = smaller;
    }
    case
}

fn candidates(case: &Case) -> Vec<Case> {
    let with_script = |script| Case { script, ..case.clone() };
    let with_graph = |graph| Case { graph, ..case.clone() };
    let Case { graph, script } = case;
    let steps = smaller_steps(&script.steps).into_iter().filter(|steps| ends(steps));
    let mut cases: Vec<Case> =
        steps.map(|steps| with_script(Script { steps, ..script.clone() })).collect();
    for gone in 0..script.sources.len() {
        let mut smaller = script.clone();
        smaller.sources.remove(gone);
        cases.push(with_script(smaller));
    }
    cases.extend((0..graph.vertices.len()).map(|gone| with_graph(graph.without_vertex(gone))));
    for gone in 0..graph.edges.len() {
        let mut smaller = graph.clone();
        smaller.edges.remove(gone);
        cases.push(with_graph(smaller));
    }
    if !graph.indexes.is_empty() {
        cases.push(with_graph(Graph { indexes: Vec::new(), ..graph.clone() }));
    }
    for (place, vertex) in graph.vertices.iter().enumerate() {
        for gone in 0..vertex.properties.len() {
            let mut smaller = graph.clone();
            smaller.vertices[place].properties.remove(gone);
            cases.push(with_graph(smaller));
        }
    }
    for (place, edge) in graph.edges.iter().enumerate() {
        for gone in 0..edge.properties.len() {
            let mut smaller = graph.clone();
            smaller.edges[place].properties.remove(gone);
            cases.push(with_graph(smaller));
        }
    }
    cases
}

fn smaller_steps(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let with = |instead: Vec<Step>| {
            let mut smaller = steps.to_vec();
            smaller.splice(place..=place, instead);
            smaller
        };
        all.push(with(Vec::new()));
        for (number, argument) in step.arguments.iter().enumerate() {
            if 1 < step.arguments.len() {
                let mut fewer = step.clone();
                fewer.arguments.remove(number);
                all.push(with(vec![fewer]));
            }
            let Argument::Inner(inner) = argument else { continue };
            all.push(with(inner.clone()));
            for smaller in smaller_steps(inner) {
                let mut step = step.clone();
                step.arguments[number] = Argument::Inner(smaller);
                all.push(with(vec![step]));
            }
        }
    }
    all
}
