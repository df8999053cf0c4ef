//! The map of the statement cache: four kinds of keys, one bound in bytes, counters. Its bytes are a part of the memory budget;
//! where that has no room, the cache gives all of its own back.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{MemoryBudget, Reservation};
use millrace_plan::language::Normalized;
use parking_lot::Mutex;
use quick_cache::sync::Cache as Map;
use quick_cache::{Equivalent, Weighter};

use super::Entry;
use crate::limits::{
    STATEMENT_CACHE_BYTES_MAX, STATEMENT_CACHE_BYTES_MIN, STATEMENT_CACHE_ENTRIES_EXPECTED,
    STATEMENT_CACHE_MEMORY_SHARE, STATEMENT_CACHE_STEP_BYTES, STATEMENT_ENTRY_BYTES,
    STATEMENT_PLAN_FACTOR, STATEMENT_TEXT_FACTOR,
};
use crate::monitoring::Metric;

/// The key of an entry. Names of languages keep texts of two languages apart.
pub(super) enum Key {
    Text(&'static str, Arc<str>),
    Normalized(&'static str, Arc<str>),
    Statement(StatementKey),
    /// The fingerprint of a plan.
    Plan(u64),
}

/// A statement without its values.
pub(super) struct StatementKey(pub(super) Arc<dyn Normalized>);

/// A key that is borrowed.
pub(super) enum Lookup<'a> {
    Text(&'static str, &'a str),
    Normalized(&'static str, &'a str),
    Statement(&'a dyn Normalized),
    Plan(u64),
}

/// The kinds of keys, as metrics name them.
const KINDS: [&str; 4] = ["text", "normalized_query", "prepared_statement", "plan"];

impl Key {
    fn lookup(&self) -> Lookup<'_> {
        match self {
            Key::Text(language, text) => Lookup::Text(language, text),
            Key::Normalized(language, text) => Lookup::Normalized(language, text),
            Key::Statement(statement) => Lookup::Statement(&*statement.0),
            Key::Plan(fingerprint) => Lookup::Plan(*fingerprint),
        }
    }
}

impl Lookup<'_> {
    fn kind(&self) -> usize {
        match self {
            Lookup::Text(..) => 0,
            Lookup::Normalized(..) => 1,
            Lookup::Statement(_) => 2,
            Lookup::Plan(_) => 3,
        }
    }
}

impl Hash for Lookup<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        match self {
            Lookup::Text(language, text) | Lookup::Normalized(language, text) => {
                language.hash(state);
                text.hash(state);
            }
            Lookup::Statement(statement) => statement.hash(state),
            Lookup::Plan(fingerprint) => fingerprint.hash(state),
        }
    }
}

impl PartialEq for Lookup<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Lookup::Text(own, text), Lookup::Text(other, other_text))
            | (Lookup::Normalized(own, text), Lookup::Normalized(other, other_text)) => {
                own == other && text == other_text
            }
            (Lookup::Statement(own), Lookup::Statement(other)) => own.equals(*other),
            (Lookup::Plan(own), Lookup::Plan(other)) => own == other,
            (
                Lookup::Text(..) | Lookup::Normalized(..) | Lookup::Statement(_) | Lookup::Plan(_),
                _,
            ) => false,
        }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.lookup().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.lookup() == other.lookup()
    }
}

impl Eq for Key {}

impl Equivalent<Key> for Lookup<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self == key.lookup()
    }
}

/// Estimates the bytes of an entry. A parsed text takes a multiple of its length, and a plan with its operators one of its size.
#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Entry> for Bytes {
    fn weight(&self, key: &Key, entry: &Entry) -> u64 {
        let of_key = match key {
            Key::Text(_, text) | Key::Normalized(_, text) => {
                STATEMENT_ENTRY_BYTES + STATEMENT_TEXT_FACTOR * text.len() as u64
            }
            Key::Statement(statement) => statement.0.byte_size() as u64,
            Key::Plan(_) => 0,
        };
        let of_entry = match entry {
            Entry::Script(_) | Entry::NotNormalized => 0,
            Entry::Prepared(prepared) => of_plan(prepared.plan_bytes()),
            Entry::Plans(alike) => of_plan(alike.plan_bytes()),
        };
        of_key + of_entry
    }
}

fn of_plan(bytes: usize) -> u64 {
    STATEMENT_ENTRY_BYTES.max(STATEMENT_PLAN_FACTOR * bytes as u64)
}

/// A bounded map that evicts entries not used lately.
pub(super) struct Cache {
    map: Map<Key, Entry, Bytes>,
    hits: [AtomicU64; KINDS.len()],
    misses: [AtomicU64; KINDS.len()],
    memory: MemoryBudget,
    /// What it has of the budget, in steps.
    reserved: Mutex<Option<Reservation>>,
}

impl Cache {
    /// An empty one, with its part of a budget.
    pub(super) fn new(memory: &MemoryBudget) -> Cache {
        let part = memory.bytes_max() / STATEMENT_CACHE_MEMORY_SHARE;
        let bytes_max = part.clamp(STATEMENT_CACHE_BYTES_MIN, STATEMENT_CACHE_BYTES_MAX);
        Cache {
            map: Map::with_weighter(STATEMENT_CACHE_ENTRIES_EXPECTED, bytes_max, Bytes),
            hits: Default::default(),
            misses: Default::default(),
            memory: memory.clone(),
            reserved: Mutex::default(),
        }
    }

    pub(super) fn find(&self, key: &Lookup<'_>) -> Option<Entry> {
        let found = self.map.get(key);
        let counters = if found.is_some() { &self.hits } else { &self.misses };
        counters[key.kind()].fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Keeps an entry, unless it is too large to be kept.
    pub(super) fn insert(&self, key: Key, entry: Entry) {
        self.map.insert(key, entry);
        self.count();
    }

    pub(super) fn clear(&self) {
        self.map.clear();
        self.count();
    }

    /// Takes its bytes from the budget, or gives some back. Without room for them it keeps nothing.
    fn count(&self) {
        let mut reserved = self.reserved.lock();
        let wanted = self.map.weight() / STATEMENT_CACHE_STEP_BYTES * STATEMENT_CACHE_STEP_BYTES;
        let counted = reserved.as_ref().map_or(0, Reservation::bytes);
        let done = match &mut *reserved {
            Some(own) if wanted <= counted => {
                own.shrink(counted - wanted);
                Ok(())
            }
            Some(own) => own.grow(wanted - counted),
            None if wanted == 0 => Ok(()),
            none => self.memory.reserve(wanted).map(|own| *none = Some(own)),
        };
        if done.is_err() {
            self.map.clear();
            *reserved = None;
        }
    }

    pub(super) fn metrics(&self) -> Vec<Metric> {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let mut metrics = Vec::new();
        for (at, kind) in KINDS.iter().enumerate() {
            let labelled =
                |metric: Metric| Metric { labels: vec![("kind", (*kind).to_owned())], ..metric };
            metrics.push(labelled(Metric::counter(
                "millrace_statement_cache_hits_total",
                "Hits of the statement cache.",
                number(&self.hits[at]),
            )));
            metrics.push(labelled(Metric::counter(
                "millrace_statement_cache_misses_total",
                "Misses of the statement cache: the text was parsed, the statement compiled.",
                number(&self.misses[at]),
            )));
        }
        metrics.push(Metric::gauge(
            "millrace_statement_cache_entries",
            "Entries of the statement cache.",
            self.map.len() as f64,
        ));
        metrics.push(Metric::gauge(
            "millrace_statement_cache_bytes",
            "Estimated size of the statement cache in bytes.",
            self.map.weight() as f64,
        ));
        metrics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cache: &Cache, text: &str) -> bool {
        cache.find(&Lookup::Text("x", text)).is_some()
    }

    #[test]
    fn an_entry_in_use_outlives_a_stream_of_entries_that_are_used_once() {
        let memory = MemoryBudget::unbounded();
        let cache = Cache::new(&memory);
        let key = |text: &str| Key::Text("x", Arc::from(text));
        cache.insert(key("hot"), Entry::NotNormalized);
        for number in 0..100_000 {
            assert!(text(&cache, "hot"), "evicted after {number}");
            cache.insert(key(&number.to_string()), Entry::NotNormalized);
        }
        let left = (0..100_000).filter(|number| text(&cache, &number.to_string())).count();
        assert!(left < 10_000, "{left} entries that were used once are left");
        assert!(cache.map.weight() <= STATEMENT_CACHE_BYTES_MAX);
        assert!(memory.used() <= STATEMENT_CACHE_BYTES_MAX);
        assert!(STATEMENT_CACHE_BYTES_MAX / 2 < memory.used(), "{}", memory.used());
        cache.clear();
        assert_eq!(memory.used(), 0);
    }

    /// A plan was counted as 8 KiB, whatever it had: 8,000 plans of a megabyte were 8 GB.
    #[test]
    fn plans_count_by_their_size_and_all_of_them_are_a_part_of_the_budget() {
        use millrace_model::compare::CompareMode;
        use millrace_plan::{Expr, PlanBuilder};

        use super::super::PreparedStatement;

        let memory = MemoryBudget::new(64 << 20);
        let cache = Cache::new(&memory);
        let large = || {
            let mut plan = PlanBuilder::new(CompareMode::Plain);
            let text = "x".repeat(64 << 10);
            let column = plan.project("x", Expr::literal(text.as_str()));
            Entry::Prepared(Arc::new(PreparedStatement::of_plan(plan.finish(vec![column]))))
        };
        for number in 0..100 {
            cache.insert(Key::Plan(number), large());
        }
        let bytes_max = memory.bytes_max() / STATEMENT_CACHE_MEMORY_SHARE;
        assert!(cache.map.len() < 20 && 1 < cache.map.len(), "{}", cache.map.len());
        assert!(memory.used() <= bytes_max && bytes_max / 4 < memory.used(), "{}", memory.used());
        cache.clear();
        let _others = memory.reserve(memory.bytes_max()).unwrap();
        for number in 0..10 {
            cache.insert(Key::Plan(number), large());
            assert!(cache.map.weight() < STATEMENT_CACHE_STEP_BYTES, "it has what it may have");
        }
        assert_eq!((memory.used(), memory.refused()), (memory.bytes_max(), 10));
    }

    #[test]
    fn a_text_that_is_too_long_is_not_kept_and_languages_are_apart() {
        let cache = Cache::new(&MemoryBudget::unbounded());
        let large = "x".repeat(STATEMENT_CACHE_BYTES_MAX as usize);
        cache.insert(Key::Text("x", Arc::from(large.as_str())), Entry::NotNormalized);
        assert!(!text(&cache, &large));
        cache.insert(Key::Text("x", Arc::from("1")), Entry::NotNormalized);
        assert!(text(&cache, "1"));
        assert!(cache.find(&Lookup::Text("y", "1")).is_none());
        assert!(cache.find(&Lookup::Normalized("x", "1")).is_none());
    }
}
