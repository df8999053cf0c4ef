//! Which bases a graph is over, and how it follows when checkpoints put others in their place.
//!
//! Entries that a new base has as the old one had them keep their nodes, which only move; others come as new nodes, and
//! nodes of entries that are gone stay as ways to others, until they are many.

use std::ops::Range;

use millrace_store::nearest::Best;
use millrace_terms::vectors::{VectorQuery, VectorSpace};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{CoveredBase, Filtered, KeyLocation, NeighbourGraph, Node};
use crate::persistent::image::Pinned;
use crate::persistent::segment::{RangeBase, StoredNeighbours};

/// A graph over the bases of an index.
#[derive(Debug)]
pub(in crate::index) struct Cover {
    graph: NeighbourGraph,
    /// The numbers of the bases by their addresses.
    numbers: FxHashMap<usize, u32>,
}

/// One in so many nodes may be of entries that are gone; with more the graph is made anew.
pub(super) const DEAD_PART: usize = 4;

/// Entries that a search inserts itself when it reads a stored graph.
const FOLLOWED_BY_SEARCH: usize = 256;

impl Cover {
    /// A graph over bases, from that over others if there is one; `None` if it is not wanted any more, or if the bases have
    /// nothing for it.
    pub(in crate::index) fn over(
        bases: &[CoveredBase],
        space: VectorSpace,
        before: Option<&Cover>,
        is_wanted: &dyn Fn() -> bool,
    ) -> Option<Cover> {
        let key_bytes = match (space.dimensions, before) {
            (Some(dimensions), _) => usize::from(dimensions) * size_of::<f32>(),
            (None, _) => bases.iter().find_map(first_length)?,
        };
        let followed = before.filter(|cover| cover.graph.key_bytes == key_bytes);
        let mut graph = match followed {
            Some(cover) => NeighbourGraph { linked: 0, ..cover.graph.clone() },
            None => NeighbourGraph::new(space, key_bytes),
        };
        let new = graph.go_over(bases);
        if graph.len() / DEAD_PART < graph.dead && followed.is_some() {
            return Cover::over(bases, space, None, is_wanted);
        }
        if !graph.insert(&new, is_wanted) {
            return None;
        }
        Some(Cover::of(graph))
    }

    fn of(graph: NeighbourGraph) -> Cover {
        let numbered = (0..).zip(&graph.bases);
        let numbers = numbered.filter_map(|(number, own)| {
            let own = own.as_ref().filter(|own| own.is_whole)?;
            Some((own.base.address(), number))
        });
        Cover { numbers: numbers.collect(), graph }
    }

    /// The same over bases of which few entries have no node; `None` if they are more.
    fn followed_by_search(&self, bases: &[CoveredBase]) -> Option<Cover> {
        let mut graph = NeighbourGraph { linked: 0, ..self.graph.clone() };
        let new = graph.go_over(bases);
        (new.len() <= FOLLOWED_BY_SEARCH && graph.insert(&new, &|| true)).then(|| Cover::of(graph))
    }

    /// As a file has it; `None` where a base is in none.
    pub(in crate::index) fn to_stored(&self) -> Option<StoredNeighbours> {
        self.graph.to_stored()
    }

    /// A graph that was stored, over the bases that are there now; `None` if too little of it is left.
    pub(in crate::index) fn of_stored(
        stored: &StoredNeighbours,
        space: VectorSpace,
        bases: &[CoveredBase],
    ) -> Option<Cover> {
        let cover = Cover::of(NeighbourGraph::of_stored(stored, space, bases)?);
        if bases.iter().all(|own| cover.number_of(&own.base).is_some()) {
            return Some(cover);
        }
        Some(cover.followed_by_search(bases).unwrap_or(cover))
    }

    /// How many nodes were linked to make it, and not taken over.
    pub(in crate::index) fn linked(&self) -> u64 {
        self.graph.linked
    }

    /// The number of a base, if the graph is over it.
    pub(in crate::index) fn number_of(&self, base: &Pinned<RangeBase>) -> Option<u32> {
        self.numbers.get(&base.address()).copied()
    }

    /// The nearest elements that count; see [`NeighbourGraph::search`].
    pub(in crate::index) fn search(
        &self,
        query: &VectorQuery,
        (limit, breadth): (usize, usize),
        counts: Filtered<'_>,
    ) -> Option<Best> {
        self.graph.search(query, (limit, breadth), counts)
    }

    /// Bytes of the vectors that a search compares with.
    pub(in crate::index) fn key_bytes(&self) -> usize {
        self.graph.key_bytes
    }

    /// Bytes in memory beside the bases.
    pub(in crate::index) fn byte_size(&self) -> usize {
        self.graph.byte_size()
    }

    /// How many nodes there are.
    pub(in crate::index) fn len(&self) -> usize {
        self.graph.len()
    }
}

/// Bytes of the first key of a base.
fn first_length(own: &CoveredBase) -> Option<usize> {
    own.base.first_key().map(|key| key.len())
}

/// An entry that has no node yet.
struct NewEntry {
    id: u64,
    /// The first byte of its vector in the base, or its vector.
    at: Result<u32, Vec<u8>>,
}

impl NeighbourGraph {
    /// Moves nodes to the bases; gives the entries that have none, and marks the nodes that have no entry.
    fn go_over(&mut self, bases: &[CoveredBase]) -> Vec<(KeyLocation, u64)> {
        let now: FxHashSet<usize> = bases.iter().map(|own| own.base.address()).collect();
        let stays = |own: &CoveredBase| own.is_whole && now.contains(&own.base.address());
        let known = self.bases.iter().flatten().filter(|own| stays(own));
        let known: FxHashSet<usize> = known.map(|own| own.base.address()).collect();
        let goes = |own: &Option<CoveredBase>| own.as_ref().is_some_and(|own| !stays(own));
        let going: Vec<bool> = self.bases.iter().map(goes).collect();
        // The nodes whose base goes, by element; few elements have two.
        let mut moving: FxHashMap<u64, Vec<Node>> = FxHashMap::default();
        for (node, location) in (0..).zip(&self.locations) {
            if !location.is_dead && going[location.base as usize] {
                moving.entry(self.ids[node as usize]).or_default().push(node);
            }
        }
        let mut new = Vec::new();
        for own in bases.iter().filter(|own| !known.contains(&own.base.address())) {
            self.go_over_one(own, &mut moving, &mut new);
        }
        for node in moving.into_values().flatten() {
            self.locations[node as usize].is_dead = true;
            self.dead += 1;
        }
        // What leads to others needs its vector.
        for node in 0..self.len() as Node {
            let location = self.locations[node as usize];
            let is_left = going.get(location.base as usize) == Some(&true);
            if location.is_dead && !location.is_copied && is_left {
                let key = self.key(node).to_vec();
                let from = self.add_copy(&key);
                self.locations[node as usize] = KeyLocation { from, is_copied: true, ..location };
            }
        }
        for (base, _) in self.bases.iter_mut().zip(&going).filter(|(_, goes)| **goes) {
            *base = None;
        }
        new
    }

    fn go_over_one(
        &mut self,
        own: &CoveredBase,
        moving: &mut FxHashMap<u64, Vec<Node>>,
        new: &mut Vec<(KeyLocation, u64)>,
    ) {
        let number = self.bases.len() as u32;
        let (mut entries, mut moved) = (Vec::new(), Vec::new());
        own.base.each_located(|key: &[u8], range: Option<Range<usize>>, id| {
            if key.len() != self.key_bytes {
                return;
            }
            let node = moving.get_mut(&id).and_then(|nodes| {
                let at = nodes.iter().position(|node| self.key(*node) == key)?;
                Some(nodes.swap_remove(at))
            });
            // A base that is not split yet may be larger than a location says.
            let from = range.and_then(|range| u32::try_from(range.start).ok());
            let at = from.ok_or_else(|| key.to_vec());
            match node {
                Some(node) => moved.push((node, at)),
                None => entries.push(NewEntry { id, at }),
            }
        });
        self.bases.push(Some(CoveredBase { is_whole: true, ..own.clone() }));
        for (node, at) in moved {
            let location = self.location(number, at);
            self.locations[node as usize] = location;
        }
        for NewEntry { id, at } in entries {
            new.push((self.location(number, at), id));
        }
    }

    pub(super) fn location(&mut self, base: u32, at: Result<u32, Vec<u8>>) -> KeyLocation {
        let (from, is_copied) = match at {
            Ok(from) => (from, false),
            Err(key) => (self.add_copy(&key), true),
        };
        KeyLocation { base, from, is_copied, is_dead: false }
    }

    fn add_copy(&mut self, key: &[u8]) -> u32 {
        let number = self.copied.len() / self.key_bytes;
        self.copied.extend_from_slice(key);
        number as u32
    }
}
