//! The statement caches: bounded maps from a text or a traversal to what was made of it.
//!
//! Two generations: an entry in use is in the young one; once that is full it becomes the old one, and
//! the old one goes. A stream of entries that are used once evicts nothing that is used between two
//! fillings of the young generation.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::Result;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

/// A bounded cache.
pub(super) struct Cache<K, V> {
    generations: Mutex<Generations<K, V>>,
    hits: AtomicU64,
    misses: AtomicU64,
    most: Size,
}

/// How much there is, or may be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) entries: usize,
    pub(super) bytes: usize,
}

struct Generations<K, V> {
    young: FxHashMap<K, (Arc<V>, usize)>,
    young_bytes: usize,
    old: FxHashMap<K, (Arc<V>, usize)>,
}

impl<K: Hash + Eq, V> Cache<K, V> {
    /// An empty cache; each of its two generations holds up to `most`.
    pub(super) fn new(most: Size) -> Cache<K, V> {
        let (young, old) = (FxHashMap::default(), FxHashMap::default());
        let generations = Mutex::new(Generations { young, young_bytes: 0, old });
        Cache { generations, hits: AtomicU64::new(0), misses: AtomicU64::new(0), most }
    }

    /// The cached entry of a key.
    pub(super) fn find<Q>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let found = self.generations.lock().find(key, self.most);
        let counter = if found.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Adds an entry, unless it is larger than a generation.
    pub(super) fn insert(&self, key: K, made: Arc<V>, bytes: usize) {
        if bytes <= self.most.bytes {
            self.generations.lock().insert(key, (made, bytes), self.most);
        }
    }

    /// The cached entry of a key, made now if there is none.
    pub(super) fn get(
        &self,
        key: K,
        bytes: usize,
        make: impl FnOnce(&K) -> Result<V>,
    ) -> Result<Arc<V>> {
        if let Some(found) = self.find(&key) {
            return Ok(found);
        }
        let made = Arc::new(make(&key)?);
        self.insert(key, Arc::clone(&made), bytes);
        Ok(made)
    }

    /// Hits, misses and entries.
    pub(super) fn counts(&self) -> [u64; 3] {
        let generations = self.generations.lock();
        let cached = (generations.young.len() + generations.old.len()) as u64;
        [self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed), cached]
    }
}

impl<K: Hash + Eq, V> Generations<K, V> {
    fn find<Q>(&mut self, key: &Q, most: Size) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if let Some((found, _)) = self.young.get(key) {
            return Some(Arc::clone(found));
        }
        let (key, entry) = self.old.remove_entry(key)?;
        let found = Arc::clone(&entry.0);
        self.insert(key, entry, most);
        Some(found)
    }

    fn insert(&mut self, key: K, entry: (Arc<V>, usize), most: Size) {
        let bytes = entry.1;
        if most.entries <= self.young.len() || most.bytes < self.young_bytes + bytes {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += bytes;
        self.young.insert(key, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(entries: usize, bytes: usize) -> Cache<u32, u32> {
        Cache::new(Size { entries, bytes })
    }

    #[test]
    fn an_entry_in_use_stays_while_others_pass() {
        let cache = cache(4, 1_000);
        for other in 1..100 {
            assert_eq!(cache.get(0, 1, |_| Ok(7)).as_deref(), Ok(&7));
            cache.get(other, 1, |own| Ok(*own)).expect("it is made");
        }
        assert_eq!(cache.counts()[..2], [98, 100], "made once each, found ever since");
        assert!(cache.counts()[2] <= 8);
        assert!(cache.find(&1).is_none(), "asked for once, long ago");
    }

    #[test]
    fn entries_count_by_their_bytes_and_too_large_ones_are_not_cached() {
        let cache = cache(1_000, 10);
        for key in 0..20 {
            cache.insert(key, Arc::new(key), 5);
        }
        assert_eq!(cache.counts()[2], 4, "two of five bytes in each generation");
        cache.insert(99, Arc::new(99), 11);
        assert!(cache.find(&99).is_none());
    }
}
