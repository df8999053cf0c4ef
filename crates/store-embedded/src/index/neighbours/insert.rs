//! New nodes. Their neighbours are searched in the graph as it is, many nodes at once; then they are linked, one after the
//! other. So a graph is the same whatever the number of threads.

use std::thread;

use millrace_store::nearest::Near;

use super::graph::{KeyLocation, NeighbourGraph, Node};
use crate::base::limits::NEAREST_THREADS_MAX;

/// Nodes whose neighbours are searched together. They do not find each other, so they are few beside all.
const TOGETHER_MAX: usize = 256;

/// The neighbours of a new node on each of its layers, the lowest first.
type Neighbours = Vec<Vec<Node>>;

impl NeighbourGraph {
    /// Adds nodes; `is_wanted` is asked now and then, and ends it.
    pub(super) fn insert(
        &mut self,
        nodes: &[(KeyLocation, u64)],
        is_wanted: &dyn Fn() -> bool,
    ) -> bool {
        self.locations.reserve_exact(nodes.len());
        self.ids.reserve_exact(nodes.len());
        self.counts.reserve_exact(nodes.len());
        self.links.reserve_exact(nodes.len() * self.links_max(0));
        let mut rest = nodes;
        while !rest.is_empty() {
            if !is_wanted() {
                return false;
            }
            // The first ones come alone: what is not linked cannot be found.
            let together = (self.len() / 16).clamp(1, TOGETHER_MAX).min(rest.len());
            let (first_ones, others) = rest.split_at(together);
            let first = self.len() as Node;
            for (location, id) in first_ones {
                self.push(*location, *id);
            }
            let new: Vec<Node> = (first..self.len() as Node).collect();
            for (node, neighbours) in new.iter().zip(self.neighbours_of(&new)) {
                self.link(*node, neighbours);
            }
            self.linked += new.len() as u64;
            rest = others;
        }
        true
    }

    fn push(&mut self, location: KeyLocation, id: u64) {
        self.locations.push(location);
        self.ids.push(id);
        self.counts.push(0);
        self.links.resize(self.links.len() + self.links_max(0), 0);
    }

    fn neighbours_of(&self, nodes: &[Node]) -> Vec<Neighbours> {
        let cores = thread::available_parallelism().map_or(1, usize::from).min(NEAREST_THREADS_MAX);
        let each = nodes.len().div_ceil(cores).max(8);
        if nodes.len() <= each {
            return nodes.iter().map(|node| self.neighbours(*node)).collect();
        }
        thread::scope(|scope| {
            let parts: Vec<_> = nodes
                .chunks(each)
                .map(|part| {
                    scope.spawn(|| {
                        part.iter().map(|node| self.neighbours(*node)).collect::<Vec<_>>()
                    })
                })
                .collect();
            let joined = parts
                .into_iter()
                .map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            joined.flatten().collect()
        })
    }

    /// The neighbours of a node that is not linked yet.
    fn neighbours(&self, node: Node) -> Neighbours {
        let layers = self.layers_of(node);
        let mut found = vec![Vec::new(); layers + 1];
        let Some((_, top)) = self.entry else { return found };
        let query = self.space.query_of_key(self.key(node));
        let Some(start) = self.descend(&query, layers) else { return found };
        let mut from = vec![start];
        let width = usize::from(self.space.degrees.candidates);
        for layer in (0..=layers.min(top)).rev() {
            let near = self.search_layer(&query, &from, (layer, width));
            found[layer] = self.selected(&near, usize::from(self.space.degrees.links));
            from = near;
        }
        found
    }

    /// Of the near ones those that are nearer to the node than to one that was selected before: they lead in different
    /// directions. So of many equal vectors one is selected, and the node stays linked with others. A few more follow where
    /// there is room.
    fn selected(&self, near: &[Near], count: usize) -> Vec<Node> {
        let mut selected: Vec<Node> = Vec::with_capacity(count);
        let mut others: Vec<Node> = Vec::new();
        for own in near {
            if selected.len() == count {
                break;
            }
            let node = own.id as Node;
            let key = self.key(node);
            let is_nearer =
                |other: &Node| own.nearness <= self.space.between(key, self.key(*other));
            match selected.iter().any(is_nearer) {
                true => others.push(node),
                false => selected.push(node),
            }
        }
        let room = count - selected.len();
        selected.extend(others.into_iter().take(room.min(count / 4)));
        selected
    }

    /// Links a node with its neighbours, both ways.
    fn link(&mut self, node: Node, neighbours: Neighbours) {
        let layers = neighbours.len() - 1;
        if 0 < layers {
            self.above.insert(node, vec![Vec::new(); layers]);
        }
        for (layer, neighbours) in neighbours.into_iter().enumerate() {
            for &other in &neighbours {
                self.link_back(other, node, layer);
            }
            self.set_links(node, layer, &neighbours);
        }
        if self.entry.is_none_or(|(_, top)| top < layers) {
            self.entry = Some((node, layers));
        }
    }

    /// One more link; a list that has no room is selected anew, and has some then.
    fn link_back(&mut self, node: Node, to: Node, layer: usize) {
        let max = self.links_max(layer);
        let mut links = self.linked(node, layer).to_vec();
        links.push(to);
        if max < links.len() {
            let key = self.key(node);
            let mut near: Vec<Near> = links
                .iter()
                .map(|other| Near {
                    nearness: self.space.between(key, self.key(*other)),
                    id: u64::from(*other),
                })
                .collect();
            near.sort_unstable();
            links = self.selected(&near, max - max / 4);
        }
        self.set_links(node, layer, &links);
    }

    fn set_links(&mut self, node: Node, layer: usize, links: &[Node]) {
        if layer == 0 {
            let from = node as usize * self.links_max(0);
            self.links[from..from + links.len()].copy_from_slice(links);
            self.counts[node as usize] = links.len() as u16;
        } else if let Some(list) =
            self.above.get_mut(&node).and_then(|lists| lists.get_mut(layer - 1))
        {
            list.clear();
            list.extend_from_slice(links);
        }
    }
}
