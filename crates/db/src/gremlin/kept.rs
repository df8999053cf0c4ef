//! A cache of what the next equal request can use again: a bounded map that forgets what no request used
//! lately.
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

/// A bounded map.
pub(super) struct Kept<K, V> {
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

impl<K: Hash + Eq, V> Kept<K, V> {
    /// A map with generations of so much each.
    pub(super) fn new(most: Size) -> Kept<K, V> {
        let (young, old) = (FxHashMap::default(), FxHashMap::default());
        let generations = Mutex::new(Generations { young, young_bytes: 0, old });
        Kept { generations, hits: AtomicU64::new(0), misses: AtomicU64::new(0), most }
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

    /// Keeps what was made, unless it is too large to be kept.
    pub(super) fn keep(&self, key: K, made: Arc<V>, bytes: usize) {
        if bytes <= self.most.bytes {
            self.generations.lock().keep(key, (made, bytes), self.most);
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
        self.keep(key, Arc::clone(&made), bytes);
        Ok(made)
    }

    /// How often an entry was there, was not, and how many are cached.
    pub(super) fn counts(&self) -> [u64; 3] {
        let generations = self.generations.lock();
        let kept = (generations.young.len() + generations.old.len()) as u64;
        [self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed), kept]
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
        self.keep(key, entry, most);
        Some(found)
    }

    fn keep(&mut self, key: K, entry: (Arc<V>, usize), most: Size) {
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

    fn kept(entries: usize, bytes: usize) -> Kept<u32, u32> {
        Kept::new(Size { entries, bytes })
    }

    #[test]
    fn what_is_asked_for_stays_while_others_pass() {
        let kept = kept(4, 1_000);
        for other in 1..100 {
            assert_eq!(kept.get(0, 1, |_| Ok(7)).as_deref(), Ok(&7));
            kept.get(other, 1, |own| Ok(*own)).expect("it is made");
        }
        assert_eq!(kept.counts()[..2], [98, 100], "made once each, found ever since");
        assert!(kept.counts()[2] <= 8);
        assert!(kept.find(&1).is_none(), "asked for once, long ago");
    }

    #[test]
    fn what_is_large_counts_for_more_and_what_is_too_large_is_not_kept() {
        let kept = kept(1_000, 10);
        for key in 0..20 {
            kept.keep(key, Arc::new(key), 5);
        }
        assert_eq!(kept.counts()[2], 4, "two of five bytes in each generation");
        kept.keep(99, Arc::new(99), 11);
        assert!(kept.find(&99).is_none());
    }
}
