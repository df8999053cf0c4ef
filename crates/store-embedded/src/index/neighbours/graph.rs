//! The graph, and its searches.

use std::collections::BinaryHeap;

use millrace_model::random::mix;
use millrace_store::nearest::{Best, Near};
use millrace_terms::vectors::{GraphDegrees, VectorQuery, VectorSpace};
use rustc_hash::FxHashMap;

use crate::base::fetch::fetch;
use crate::persistent::image::Pinned;
use crate::persistent::segment::{BaseFile, NEIGHBOUR_LAYERS_MAX, RangeBase};

/// A node of the graph.
pub(super) type Node = u32;

/// Where an entry is, and the bytes of its vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyLocation {
    /// The base that has the entry, or had it last.
    pub(super) base: u32,
    /// The first byte of the vector in the base; of a copy its number.
    pub(super) from: u32,
    /// Whether the bytes are a copy of the graph's own: no base has them any more, or none in one piece.
    pub(super) is_copied: bool,
    /// Whether the entry is gone, and the node only leads to others.
    pub(super) is_dead: bool,
}

/// A base of an index, in memory.
#[derive(Clone, Debug)]
pub(in crate::index) struct CoveredBase {
    pub(in crate::index) base: Pinned<RangeBase>,
    /// Where it is stored, if it is.
    pub(in crate::index) file: Option<BaseFile>,
    /// Whether each of its vectors has a node.
    pub(in crate::index) is_whole: bool,
}

/// Nodes with their vectors, linked.
#[derive(Clone, Debug)]
pub(super) struct NeighbourGraph {
    pub(super) space: VectorSpace,
    /// Bytes of each vector.
    pub(super) key_bytes: usize,
    /// `None` once no node is in it.
    pub(super) bases: Vec<Option<CoveredBase>>,
    pub(super) copied: Vec<u8>,
    pub(super) locations: Vec<KeyLocation>,
    /// The element of each node.
    pub(super) ids: Vec<u64>,
    /// How many are dead.
    pub(super) dead: usize,
    /// Links on the lowest layer: for each node room for so many.
    pub(super) links: Vec<Node>,
    pub(super) counts: Vec<u16>,
    /// Links on the layers above, of the few nodes that are there: one list for each layer.
    pub(super) above: FxHashMap<Node, Vec<Vec<Node>>>,
    /// Where searches begin, and the layers above the lowest that it has.
    pub(super) entry: Option<(Node, usize)>,
    /// How many nodes were linked and not taken over.
    pub(super) linked: u64,
}

/// Nodes of a base that a search finds, and that count.
pub(in crate::index) type Filtered<'a> = &'a dyn Fn(u32, u64) -> bool;

/// What a search has seen.
struct Seen(Vec<u64>);

impl Seen {
    fn of(nodes: usize) -> Seen {
        Seen(vec![0; nodes.div_ceil(64)])
    }

    fn insert(&mut self, node: Node) -> bool {
        let (word, bit) = (node as usize / 64, 1 << (node % 64));
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }
}

/// Nodes to be looked at next: the nearest first.
#[derive(PartialEq, Eq)]
struct Open(Near);

impl Ord for Open {
    fn cmp(&self, other: &Open) -> std::cmp::Ordering {
        other.0.cmp(&self.0)
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl NeighbourGraph {
    pub(super) fn new(space: VectorSpace, key_bytes: usize) -> NeighbourGraph {
        NeighbourGraph {
            space,
            key_bytes,
            bases: Vec::new(),
            copied: Vec::new(),
            locations: Vec::new(),
            ids: Vec::new(),
            dead: 0,
            links: Vec::new(),
            counts: Vec::new(),
            above: FxHashMap::default(),
            entry: None,
            linked: 0,
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Links of a node on a layer at most.
    pub(super) fn links_max(&self, layer: usize) -> usize {
        let GraphDegrees { links, .. } = self.space.degrees;
        usize::from(links) * if layer == 0 { 2 } else { 1 }
    }

    /// The layers above the lowest that a node is on: each has a `links`th of the nodes of the one below.
    pub(super) fn layers_of(&self, node: Node) -> usize {
        let links = f64::from(self.space.degrees.links.max(2));
        let fraction = ((mix(u64::from(node)) >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
        ((-fraction.ln() / links.ln()) as usize).min(NEIGHBOUR_LAYERS_MAX)
    }

    /// The bytes of a vector.
    #[inline]
    pub(super) fn key(&self, node: Node) -> &[u8] {
        let KeyLocation { base, from, is_copied, .. } = self.locations[node as usize];
        if is_copied {
            let from = from as usize * self.key_bytes;
            return &self.copied[from..from + self.key_bytes];
        }
        let bytes = self.bases[base as usize].as_ref().map_or(&[][..], |own| own.base.raw());
        &bytes[from as usize..from as usize + self.key_bytes]
    }

    pub(super) fn linked(&self, node: Node, layer: usize) -> &[Node] {
        if layer == 0 {
            let from = node as usize * self.links_max(0);
            return &self.links[from..from + usize::from(self.counts[node as usize])];
        }
        let lists = self.above.get(&node);
        lists.and_then(|lists| lists.get(layer - 1)).map_or(&[], Vec::as_slice)
    }

    /// Lets a vector come into the cache.
    fn fetch_key(&self, node: Node) {
        self.key(node).iter().step_by(LINE_BYTES).for_each(fetch);
    }

    /// Calls back with the nodes that a search has not seen, each with its nearness. A vector is a few pages long and lies
    /// anywhere, so the next one is fetched meanwhile.
    fn each_near(
        &self,
        query: &VectorQuery,
        nodes: &[Node],
        (seen, unseen): (&mut Seen, &mut Vec<Node>),
        mut visit: impl FnMut(Near),
    ) {
        unseen.clear();
        unseen.extend(nodes.iter().copied().filter(|node| seen.insert(*node)));
        unseen.first().into_iter().for_each(|node| self.fetch_key(*node));
        for (at, node) in unseen.iter().enumerate() {
            unseen.get(at + 1).into_iter().for_each(|next| self.fetch_key(*next));
            visit(self.near(query, *node));
        }
    }

    fn near(&self, query: &VectorQuery, node: Node) -> Near {
        let nearness = query.nearness(self.key(node)).unwrap_or(f32::NEG_INFINITY);
        Near { nearness, id: u64::from(node) }
    }

    /// The nearest nodes of a layer, the nearest first; `ids` are nodes here.
    pub(super) fn search_layer(
        &self,
        query: &VectorQuery,
        from: &[Near],
        (layer, width): (usize, usize),
    ) -> Vec<Near> {
        let (mut seen, mut unseen) = (Seen::of(self.len()), Vec::new());
        let mut best = Best::new(width);
        let mut open = BinaryHeap::new();
        for near in from {
            seen.insert(near.id as Node);
            best.push(*near);
            open.push(Open(*near));
        }
        while let Some(Open(near)) = open.pop() {
            if best.farthest().is_some_and(|farthest| farthest < near) {
                break;
            }
            let linked = self.linked(near.id as Node, layer);
            self.each_near(query, linked, (&mut seen, &mut unseen), |near| {
                if best.farthest().is_none_or(|farthest| near < farthest) {
                    best.push(near);
                    open.push(Open(near));
                }
            });
        }
        best.into_sorted()
    }

    /// A node near a vector on a layer, coming from the top.
    pub(super) fn descend(&self, query: &VectorQuery, layer: usize) -> Option<Near> {
        let (entry, layers) = self.entry?;
        let mut nearest = self.near(query, entry);
        for layer in (layer + 1..=layers).rev() {
            loop {
                let linked = self.linked(nearest.id as Node, layer).iter();
                let nearer = linked.map(|node| self.near(query, *node)).min();
                match nearer.filter(|near| *near < nearest) {
                    Some(near) => nearest = near,
                    None => break,
                }
            }
        }
        Some(nearest)
    }

    /// The nearest elements that count, up to so many, of so many near ones that are weighed at least; `None` if they are so
    /// rare that a search would look at a good part of all.
    pub(super) fn search(
        &self,
        query: &VectorQuery,
        (limit, breadth): (usize, usize),
        counts: Filtered<'_>,
    ) -> Option<Best> {
        let mut found = Best::new(limit);
        let Some(start) = self.descend(query, 0) else { return Some(found) };
        let width = WIDTH_MIN.max(limit.saturating_mul(2)).max(breadth);
        let (mut seen, mut unseen) = (Seen::of(self.len()), Vec::new());
        // Of all that are near, and of those that count.
        let mut best = Best::new(width);
        let mut open = BinaryHeap::new();
        let mut looked_at = 0;
        seen.insert(start.id as Node);
        open.push(Open(start));
        self.take(start, counts, (&mut best, &mut found));
        while let Some(Open(near)) = open.pop() {
            if best.farthest().is_some_and(|farthest| farthest < near) {
                break;
            }
            let linked = self.linked(near.id as Node, 0);
            self.each_near(query, linked, (&mut seen, &mut unseen), |near| {
                looked_at += 1;
                if best.farthest().is_none_or(|farthest| near < farthest) {
                    open.push(Open(near));
                    self.take(near, counts, (&mut best, &mut found));
                }
            });
            let is_much = self.len() / LOOKED_AT_PART < looked_at && LOOKED_AT_MIN < looked_at;
            if is_much && !best.is_full() {
                return None;
            }
        }
        Some(found)
    }

    /// Takes a node among the best if it counts: so a search goes on until enough of them are found.
    fn take(&self, near: Near, counts: Filtered<'_>, (best, found): (&mut Best, &mut Best)) {
        let node = near.id as usize;
        let id = self.ids[node];
        let KeyLocation { base, is_dead, .. } = self.locations[node];
        if !is_dead && counts(base, id) {
            best.push(near);
            found.push(Near { nearness: near.nearness, id });
        }
    }

    /// Bytes in memory beside the bases.
    pub(super) fn byte_size(&self) -> usize {
        let above: usize =
            self.above.values().map(|own| own.len() * (24 + 4 * self.links_max(1)) + 48).sum();
        self.copied.capacity()
            + self.locations.capacity() * size_of::<KeyLocation>()
            + self.ids.capacity() * size_of::<u64>()
            + self.links.capacity() * size_of::<Node>()
            + self.counts.capacity() * size_of::<u16>()
            + above
    }
}

/// Bytes that come into the cache together.
const LINE_BYTES: usize = 64;

/// Nodes that a search keeps in view at least.
const WIDTH_MIN: usize = 64;

/// A search that has looked at one in so many nodes, and has not found enough that count, gives up: to compare all of
/// them in a row is quicker.
const LOOKED_AT_PART: usize = 8;

/// Nodes that a search looks at in any case.
const LOOKED_AT_MIN: usize = 1_024;
