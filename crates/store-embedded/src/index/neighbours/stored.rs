//! A graph as its file has it, and back: over the bases that are there now, of which some are others than were linked.
//!
//! A node of a base that is another now is looked for in the new ones by its element and a hash of its vector. One that is
//! not found is left out with its links; the others lead on.

use millrace_terms::vectors::VectorSpace;
use rustc_hash::FxHashMap;

use super::cover::DEAD_PART;
use super::graph::{CoveredBase, KeyLocation, NeighbourGraph, Node};
use crate::base::bytes::checksum;
use crate::persistent::segment::{BaseFile, LOCATION_COPIED, LOCATION_DEAD, StoredNeighbours};

impl NeighbourGraph {
    /// As a file has it; `None` where a base is in none, or there is no node.
    pub(super) fn to_stored(&self) -> Option<StoredNeighbours> {
        let (mut bases, mut numbers) = (Vec::new(), Vec::with_capacity(self.bases.len()));
        for own in &self.bases {
            numbers.push(bases.len() as u32);
            let Some(own) = own else { continue };
            bases.push(own.file.filter(|_| own.is_whole)?);
        }
        if bases.is_empty() || LOCATION_DEAD as usize <= bases.len() || self.len() == 0 {
            return None;
        }
        let number = |location: &KeyLocation| {
            // The base of a node that only leads to others may be gone.
            let base = if location.is_dead { 0 } else { numbers[location.base as usize] };
            let copied = if location.is_copied { LOCATION_COPIED } else { 0 };
            base | copied | if location.is_dead { LOCATION_DEAD } else { 0 }
        };
        let nodes = 0..self.len() as Node;
        let links = nodes.clone().flat_map(|node| self.linked(node, 0).iter().copied()).collect();
        let mut above: Vec<(&Node, &Vec<Vec<Node>>)> = self.above.iter().collect();
        above.sort_unstable();
        let lists = |(node, lists): (&Node, &Vec<Vec<Node>>)| {
            let mut numbers = vec![*node, lists.len() as u32];
            for list in lists {
                numbers.push(list.len() as u32);
                numbers.extend(list);
            }
            numbers
        };
        Some(StoredNeighbours {
            space: self.space.to_string(),
            key_bytes: u32::try_from(self.key_bytes).ok()?,
            bases,
            ids: self.ids.clone(),
            locations: self.locations.iter().map(number).collect(),
            firsts: self.locations.iter().map(|location| location.from).collect(),
            hashes: nodes.map(|node| checksum(self.key(node))).collect(),
            counts: self.counts.clone(),
            links,
            above: above.into_iter().flat_map(lists).collect(),
            copied: u32::try_from(self.copied.len()).ok().map(|_| self.copied.clone())?,
            entry: self.entry.map(|(node, layers)| (node, layers as u32)),
        })
    }

    /// A graph of a file over the bases that are there now; `None` if it is of another space, or if too little of it is
    /// left.
    pub(super) fn of_stored(
        stored: &StoredNeighbours,
        space: VectorSpace,
        bases: &[CoveredBase],
    ) -> Option<NeighbourGraph> {
        let key_bytes = stored.key_bytes as usize;
        let mut graph = NeighbourGraph::new(space, key_bytes);
        let is_of_length =
            space.dimensions.is_none_or(|own| usize::from(own) * size_of::<f32>() == key_bytes);
        let links_max = graph.links_max(0);
        let fit = stored.counts.iter().all(|count| usize::from(*count) <= links_max);
        if space.to_string() != stored.space || !is_of_length || !fit {
            return None;
        }
        let known: FxHashMap<BaseFile, u32> =
            (0..).zip(bases).filter_map(|(number, own)| Some((own.file?, number))).collect();
        let numbers: Vec<Option<u32>> =
            stored.bases.iter().map(|file| known.get(file).copied()).collect();
        let is_linked =
            |own: &CoveredBase| own.file.is_some_and(|file| stored.bases.contains(&file));
        let own_base =
            |own: &CoveredBase| Some(CoveredBase { is_whole: is_linked(own), ..own.clone() });
        graph.bases = bases.iter().map(own_base).collect();
        graph.copied.clone_from(&stored.copied);
        let (mut locations, mut lost) = (Vec::with_capacity(stored.ids.len()), Lost::default());
        for node in 0..stored.ids.len() {
            let location = graph.stored_location(stored, node, &numbers);
            if location.is_none() {
                lost.add(stored, node);
            }
            locations.push(location);
        }
        lost.find(&mut graph, &mut locations);
        let gone = locations.iter().filter(|location| location.is_none()).count();
        let dead = locations.iter().flatten().filter(|location| location.is_dead).count();
        if locations.len() / DEAD_PART < gone + dead {
            return None;
        }
        graph.dead = dead;
        graph.take_nodes(stored, &locations);
        graph.take_above(stored, &locations)?;
        Some(graph)
    }

    /// Where the vector of a stored node is, if it is where it was.
    fn stored_location(
        &self,
        stored: &StoredNeighbours,
        node: usize,
        numbers: &[Option<u32>],
    ) -> Option<KeyLocation> {
        let (number, from) = (stored.locations[node], stored.firsts[node]);
        let (is_copied, is_dead) = (number & LOCATION_COPIED != 0, number & LOCATION_DEAD != 0);
        if is_dead {
            let base = 0;
            return is_copied.then_some(KeyLocation { base, from, is_copied, is_dead });
        }
        let base = numbers[(number & !LOCATION_COPIED) as usize]?;
        let bytes = self.bases[base as usize].as_ref().map_or(0, |own| own.base.raw().len());
        let is_within = is_copied || from as usize + self.key_bytes <= bytes;
        is_within.then_some(KeyLocation { base, from, is_copied, is_dead })
    }

    /// Takes the nodes that have a location, and their links to others that have one.
    fn take_nodes(&mut self, stored: &StoredNeighbours, locations: &[Option<KeyLocation>]) {
        let renumbered = renumbered(locations);
        let left = locations.iter().flatten().count();
        self.locations.reserve_exact(left);
        self.ids.reserve_exact(left);
        self.counts.reserve_exact(left);
        self.links.reserve_exact(left * self.links_max(0));
        let mut links = stored.links.as_slice();
        for (node, location) in locations.iter().enumerate() {
            let (own, rest) = links.split_at(usize::from(stored.counts[node]));
            links = rest;
            let Some(location) = location else { continue };
            self.locations.push(*location);
            self.ids.push(stored.ids[node]);
            let from = self.links.len();
            self.links.extend(own.iter().filter_map(|other| renumbered[*other as usize]));
            self.counts.push((self.links.len() - from) as u16);
            self.links.resize(from + self.links_max(0), 0);
        }
    }

    /// Takes the layers above. A search begins where it began, or at another node of the highest layer that is left.
    fn take_above(
        &mut self,
        stored: &StoredNeighbours,
        locations: &[Option<KeyLocation>],
    ) -> Option<()> {
        let renumbered = renumbered(locations);
        stored.each_above(|node, mut lists| {
            let Some(node) = renumbered[node as usize] else { return };
            for list in &mut lists {
                *list = list.iter().filter_map(|other| renumbered[*other as usize]).collect();
            }
            self.above.insert(node, lists);
        })?;
        let entry = stored.entry.and_then(|(node, layers)| {
            let layers = layers as usize;
            Some((renumbered[node as usize]?, layers))
        });
        let highest = || {
            let nodes = self.above.iter().map(|(node, lists)| (lists.len(), *node));
            let (layers, node) = nodes.max().unwrap_or((0, 0));
            (0 < self.len()).then_some((node, layers))
        };
        self.entry = entry.or_else(highest);
        Some(())
    }
}

/// The new numbers of the nodes that have a location.
fn renumbered(locations: &[Option<KeyLocation>]) -> Vec<Option<Node>> {
    let mut next = 0;
    let number = |location: &Option<KeyLocation>| {
        location.map(|_| {
            next += 1;
            next - 1
        })
    };
    locations.iter().map(number).collect()
}

/// Nodes of a base that is another now, by element and hash of the vector.
#[derive(Default)]
struct Lost(FxHashMap<(u64, u32), Vec<usize>>);

impl Lost {
    fn add(&mut self, stored: &StoredNeighbours, node: usize) {
        if stored.locations[node] & LOCATION_DEAD == 0 {
            let key = (stored.ids[node], stored.hashes[node]);
            self.0.entry(key).or_default().push(node);
        }
    }

    /// Looks for them in the bases that were not linked.
    fn find(mut self, graph: &mut NeighbourGraph, locations: &mut [Option<KeyLocation>]) {
        for number in 0..graph.bases.len() as u32 {
            if self.0.is_empty() {
                return;
            }
            let own = graph.bases[number as usize].clone();
            let Some(own) = own.filter(|own| !own.is_whole) else { continue };
            let mut found = Vec::new();
            own.base.each_located(|key, range, id| {
                if key.len() != graph.key_bytes {
                    return;
                }
                let entry = (id, checksum(key));
                let Some(nodes) = self.0.get_mut(&entry) else { return };
                let from = range.and_then(|range| u32::try_from(range.start).ok());
                found.extend(nodes.pop().map(|node| (node, from.ok_or_else(|| key.to_vec()))));
                if nodes.is_empty() {
                    self.0.remove(&entry);
                }
            });
            for (node, at) in found {
                locations[node] = Some(graph.location(number, at));
            }
        }
    }
}
