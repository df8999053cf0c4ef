//! Random transactions, made from a graph that may be older than the newest.

use millrace_testkit::Rng;

use super::model::{Change, Edge, Model, Vertex};

const AGES: u64 = 5;

/// What a transaction does, before it has ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    Create,
    Connect,
    Set,
    Disconnect,
    Delete,
    Declare,
    Load,
}

/// One of them; deletions and declarations are rarer.
pub(super) fn intent(rng: &mut Rng) -> Intent {
    match rng.below(24) {
        0..=3 => Intent::Create,
        4..=12 => Intent::Connect,
        13..=16 => Intent::Set,
        17..=19 => Intent::Disconnect,
        20..=21 => Intent::Delete,
        22 => Intent::Declare,
        _ => Intent::Load,
    }
}

/// How many vertex ids it needs.
pub(super) fn vertices_wanted(rng: &mut Rng, intent: Intent) -> u64 {
    match intent {
        Intent::Create | Intent::Load => 1 + rng.below(4),
        Intent::Connect => rng.below(2),
        Intent::Set | Intent::Disconnect | Intent::Delete | Intent::Declare => 0,
    }
}

/// What it does to a graph; edges have no ids yet. None if there is nothing to do it to.
pub(super) fn change(rng: &mut Rng, intent: Intent, graph: &Model, ids: &[u64]) -> Option<Change> {
    let mut change = Change::default();
    for id in ids {
        let vertex = Vertex { is_person: rng.chance(0.7), age: age(rng) };
        change.vertices.push((*id, vertex));
    }
    let old: Vec<u64> = graph.vertices.keys().copied().collect();
    let all: Vec<u64> = old.iter().chain(ids).copied().collect();
    match intent {
        Intent::Create => {}
        Intent::Connect | Intent::Load => {
            if all.is_empty() {
                return None;
            }
            for _ in 0..1 + rng.below(6) {
                // The first few are hubs.
                let hubs = all.len().min(3);
                let target = if rng.chance(0.5) { rng.index(hubs) } else { rng.index(all.len()) };
                let source = all[rng.index(all.len())];
                let kind = rng.index(2);
                let edge = Edge { kind, source, target: all[target], weight: age(rng) };
                change.edges.push((None, edge));
            }
        }
        Intent::Set => {
            if old.is_empty() {
                return None;
            }
            for _ in 0..1 + rng.below(3) {
                change.ages.push((old[rng.index(old.len())], age(rng)));
            }
            if rng.chance(0.3) {
                change.labels.push((old[rng.index(old.len())], rng.chance(0.5)));
            }
            let edges: Vec<u64> = graph.edges.keys().copied().collect();
            if !edges.is_empty() && rng.chance(0.5) {
                change.weights.push((edges[rng.index(edges.len())], age(rng)));
            }
        }
        Intent::Disconnect => {
            let edges: Vec<u64> = graph.edges.keys().copied().collect();
            let id = *edges.get(rng.index(edges.len().max(1)))?;
            change.deleted_edges.push((id, graph.edges[&id].clone()));
        }
        Intent::Delete => {
            let id = *old.get(rng.index(old.len().max(1)))?;
            let incident = |edge: &Edge| edge.source == id || edge.target == id;
            let edges = graph.edges.iter().filter(|(_, edge)| incident(edge));
            change.deleted_edges = edges.map(|(id, edge)| (*id, edge.clone())).collect();
            change.deleted_vertices.push(id);
        }
        Intent::Declare => {
            if graph.indexed {
                return None;
            }
            change.declares = true;
        }
    }
    Some(change)
}

fn age(rng: &mut Rng) -> Option<i64> {
    rng.chance(0.8).then(|| rng.below(AGES) as i64)
}
