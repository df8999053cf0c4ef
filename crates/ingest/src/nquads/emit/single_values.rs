//! Which values a vertex has in the end. Without a schema several are a list; with one, its predicates say whether there
//! may be several, and facets of the only one become properties beside it.

use super::super::graph::QuadGraph;
use super::order::Order;
use millrace_model::PropertyName;

/// Gives all values the ranks of their vertices, and decides which ones stay.
pub(super) fn decide_values(graph: &mut QuadGraph, order: &Order) {
    let rank = |vertex: u32| Some(order.ranks[vertex as usize]);
    if !graph.has_schema() {
        graph.values.iter_mut().for_each(|values| values.settle_lists(rank));
        return;
    }
    let count = graph.keys.len();
    let mut facet_name = String::new();
    for key in 0..count as u32 {
        let is_list = graph.is_list(graph.keys.text(key));
        let values = &mut graph.values[key as usize];
        if is_list {
            values.decide_several(rank);
            continue;
        }
        let mut facets = Vec::new();
        values.decide_one(rank, &mut facets);
        for facet in facets {
            let name = PropertyName::of(graph.keys.text(key));
            facet_name.clear();
            PropertyName { facet: Some(&facet.key), ..name }.push_to(&mut facet_name);
            let values = graph.keys.group(&mut graph.values, &facet_name);
            values.push_value(facet.owner, facet.value);
        }
    }
    // Facets have the ranks of their vertices already, and each comes once.
    graph.values[count..].iter_mut().for_each(|values| values.settle(Some));
}
