//! An ordered map whose versions share what is equal in them: a copy costs one pointer, and a change of a copy costs
//! the nodes from the root to the entry. So a catalog with 10,000 indexes has versions that differ by one of them.
//!
//! A B-tree with entries in its leaves. A node belongs to one version while that is the only one to hold it, and is
//! copied when another one does (`Arc::make_mut`). Removing merges nothing but drops empty nodes: the tree stays as
//! high as it was, and a map that empties and fills again is fresh.

use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

/// Entries of a node at most.
const WIDTH: usize = 32;

/// An ordered map with cheap copies.
#[derive(Clone)]
pub struct SharedMap<K, V> {
    root: Arc<Node<K, V>>,
    len: usize,
}

#[derive(Clone)]
enum Node<K, V> {
    Leaf(Vec<(K, V)>),
    /// The least key of each child when it was made or later, so a bound from below.
    Inner(Vec<(K, Arc<Node<K, V>>)>),
}

/// What a node became when a key was added.
enum Added<K, V> {
    Fits(Option<V>),
    /// It was split, and this is what is behind it.
    Split(K, Arc<Node<K, V>>),
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: std::borrow::Borrow<Q>,
    {
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let at = entries.binary_search_by(|(own, _)| own.borrow().cmp(key)).ok()?;
                    return Some(&entries[at].1);
                }
                Node::Inner(children) => {
                    let behind = children.partition_point(|(least, _)| least.borrow() <= key);
                    node = &children[behind.saturating_sub(1)].1;
                }
            }
        }
    }

    /// Whether a key is there.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: std::borrow::Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Sets the value of a key; the one before, if there was one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let before = match Arc::make_mut(&mut self.root).add(key, value) {
            Added::Fits(before) => before,
            Added::Split(least, behind) => {
                let before = std::mem::take(&mut self.root);
                let first = before.least().cloned().unwrap_or_else(|| least.clone());
                self.root = Arc::new(Node::Inner(vec![(first, before), (least, behind)]));
                None
            }
        };
        self.len += usize::from(before.is_none());
        before
    }

    /// Removes a key; its value, if it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.get(key)?;
        let removed = Arc::make_mut(&mut self.root).take(key);
        self.len -= usize::from(removed.is_some());
        while let Node::Inner(children) = &*self.root
            && let [(_, only)] = children.as_slice()
        {
            self.root = Arc::clone(only);
        }
        if self.len == 0 {
            self.root = Arc::default();
        }
        removed
    }

    /// All entries, by key.
    pub fn iter(&self) -> Entries<'_, K, V> {
        self.range(..)
    }

    /// All keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    /// All values, by key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// The entries of some keys, by key.
    pub fn range(&self, range: impl RangeBounds<K>) -> Entries<'_, K, V> {
        let end = range.end_bound().cloned();
        let mut entries = Entries { nodes: Vec::new(), end };
        entries.seek(&self.root, range.start_bound());
        entries
    }
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> SharedMap<K, V> {
        SharedMap { root: Arc::default(), len: 0 }
    }
}

impl<K, V> Default for Node<K, V> {
    fn default() -> Node<K, V> {
        Node::Leaf(Vec::new())
    }
}

impl<K: Ord + Clone, V: Clone> Node<K, V> {
    fn least(&self) -> Option<&K> {
        match self {
            Node::Leaf(entries) => entries.first().map(|(key, _)| key),
            Node::Inner(children) => children.first().map(|(key, _)| key),
        }
    }

    fn add(&mut self, key: K, value: V) -> Added<K, V> {
        match self {
            Node::Leaf(entries) => match entries.binary_search_by(|(own, _)| own.cmp(&key)) {
                Ok(at) => Added::Fits(Some(std::mem::replace(&mut entries[at].1, value))),
                Err(at) => match put(entries, at, (key, value)) {
                    None => Added::Fits(None),
                    Some(behind) => Added::Split(behind[0].0.clone(), Arc::new(Node::Leaf(behind))),
                },
            },
            Node::Inner(children) => {
                let at = children.partition_point(|(least, _)| *least <= key).saturating_sub(1);
                let (least, child) = &mut children[at];
                if key < *least {
                    *least = key.clone();
                }
                match Arc::make_mut(child).add(key, value) {
                    Added::Split(least, node) => match put(children, at + 1, (least, node)) {
                        None => Added::Fits(None),
                        Some(behind) => {
                            Added::Split(behind[0].0.clone(), Arc::new(Node::Inner(behind)))
                        }
                    },
                    fits => fits,
                }
            }
        }
    }

    fn take<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
    {
        match self {
            Node::Leaf(entries) => {
                let at = entries.binary_search_by(|(own, _)| own.borrow().cmp(key)).ok()?;
                Some(entries.remove(at).1)
            }
            Node::Inner(children) => {
                let behind = children.partition_point(|(least, _)| least.borrow() <= key);
                let at = behind.saturating_sub(1);
                let child = Arc::make_mut(&mut children[at].1);
                let removed = child.take(key);
                if child.is_bare() {
                    children.remove(at);
                }
                removed
            }
        }
    }

    fn is_bare(&self) -> bool {
        match self {
            Node::Leaf(entries) => entries.is_empty(),
            Node::Inner(children) => children.is_empty(),
        }
    }
}

/// Puts an entry into a node; the entries of a new node behind it, if it was full. One that grows at its end stays
/// full: keys often ascend.
fn put<T>(entries: &mut Vec<T>, at: usize, entry: T) -> Option<Vec<T>> {
    if entries.len() < WIDTH {
        entries.insert(at, entry);
        return None;
    }
    if at == entries.len() {
        return Some(vec![entry]);
    }
    let mut behind = entries.split_off(WIDTH / 2);
    match at.checked_sub(entries.len()) {
        Some(at) => behind.insert(at, entry),
        None => entries.insert(at, entry),
    }
    Some(behind)
}

/// Entries of a map, by key.
pub struct Entries<'a, K, V> {
    /// The nodes from the root to the next entry, each with the place of what comes next in it.
    nodes: Vec<(&'a Node<K, V>, usize)>,
    end: Bound<K>,
}

impl<'a, K: Ord, V> Entries<'a, K, V> {
    fn seek(&mut self, root: &'a Node<K, V>, start: Bound<&K>) {
        let is_before = |key: &K| match start {
            Bound::Included(start) => key < start,
            Bound::Excluded(start) => key <= start,
            Bound::Unbounded => false,
        };
        let mut node = root;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let at = entries.partition_point(|(key, _)| is_before(key));
                    self.nodes.push((node, at));
                    return;
                }
                Node::Inner(children) => {
                    let behind = children.partition_point(|(least, _)| is_before(least));
                    let at = behind.saturating_sub(1);
                    self.nodes.push((node, at + 1));
                    node = &children[at].1;
                }
            }
        }
    }
}

impl<'a, K: Ord, V> Iterator for Entries<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<(&'a K, &'a V)> {
        loop {
            let (node, at) = self.nodes.last_mut()?;
            let node: &'a Node<K, V> = node;
            match node {
                Node::Leaf(entries) => {
                    if let Some((key, value)) = entries.get(*at) {
                        *at += 1;
                        let is_within = match &self.end {
                            Bound::Included(end) => key <= end,
                            Bound::Excluded(end) => key < end,
                            Bound::Unbounded => true,
                        };
                        if is_within {
                            return Some((key, value));
                        }
                        self.nodes.clear();
                        return None;
                    }
                }
                Node::Inner(children) => {
                    if let Some((_, child)) = children.get(*at) {
                        *at += 1;
                        self.nodes.push((child, 0));
                        continue;
                    }
                }
            }
            self.nodes.pop();
        }
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for SharedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> SharedMap<K, V> {
        let mut map = SharedMap::default();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<'a, K: Ord + Clone, V: Clone> IntoIterator for &'a SharedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Entries<'a, K, V>;

    fn into_iter(self) -> Entries<'a, K, V> {
        self.iter()
    }
}

impl<K: Ord + Clone, V: Clone + PartialEq> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &SharedMap<K, V>) -> bool {
        Arc::ptr_eq(&self.root, &other.root)
            || self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: Ord + Clone, V: Clone + Eq> Eq for SharedMap<K, V> {}

impl<K: Ord + Clone + fmt::Debug, V: Clone + fmt::Debug> fmt::Debug for SharedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::random::SplitMix64;

    fn height<K, V>(map: &SharedMap<K, V>) -> usize {
        let (mut node, mut height) = (&map.root, 1);
        while let Node::Inner(children) = &**node {
            (node, height) = (&children[0].1, height + 1);
        }
        height
    }

    #[test]
    fn it_agrees_with_a_map_of_the_standard_library() {
        let mut random = SplitMix64::new(7);
        let (mut map, mut expected) = (SharedMap::default(), BTreeMap::new());
        let mut versions = Vec::new();
        for step in 0..20_000u32 {
            let key = random.below(1_500) as u32;
            // It grows, shrinks to nearly nothing, and grows again.
            let removes = random.below(10) < if step / 4_000 % 2 == 0 { 3 } else { 8 };
            if removes {
                assert_eq!(map.remove(&key), expected.remove(&key));
            } else {
                assert_eq!(map.insert(key, step), expected.insert(key, step));
            }
            assert_eq!((map.len(), map.get(&key)), (expected.len(), expected.get(&key)));
            if step % 1_000 == 0 {
                versions.push((map.clone(), expected.clone()));
            }
        }
        versions.push((map, expected));
        for (map, expected) in &versions {
            assert!(map.iter().eq(expected));
            for from in [0, 1, 700, 1_499, 2_000] {
                assert!(map.range(from..from + 90).eq(expected.range(from..from + 90)));
                let from = (Bound::Excluded(from), Bound::Included(from + 9));
                assert!(map.range(from).eq(expected.range(from)));
            }
        }
    }

    #[test]
    fn ascending_keys_fill_its_nodes_and_a_change_copies_few() {
        let mut map: SharedMap<u32, ()> = (0..32_768).map(|key| (key, ())).collect();
        assert_eq!(height(&map), 3, "32 x 32 x 32");
        let before = map.clone();
        map.insert(500, ());
        let shared = |one: &Node<u32, ()>, other: &Node<u32, ()>| match (one, other) {
            (Node::Inner(one), Node::Inner(other)) => {
                one.iter().zip(other).filter(|(one, other)| Arc::ptr_eq(&one.1, &other.1)).count()
            }
            _ => 0,
        };
        assert_eq!(shared(&before.root, &map.root), 31);
        (0..32_768).for_each(|key| assert_eq!(map.remove(&key), Some(())));
        assert_eq!((height(&map), map.iter().next()), (1, None));
        assert_eq!(before.len(), 32_768);
    }
}
