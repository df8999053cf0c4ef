//! The vectors of an ordered index that are nearest to others: each shard compares all of its keys.
//!
//! Shards know nothing of one another, so threads share them out. What they find is *candidates*, as with every index.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

use millrace_model::{LogPosition, Result, query_limits};
use millrace_store::nearest::{Best, NearestQuery};
use millrace_store::non_blocking;

use super::range_index::RangeIndex;
use super::range_shard::RangeShard;
use crate::base::limits::{NEAREST_BYTES_OF_A_THREAD, NEAREST_THREADS_MAX};

/// What the threads of one search share.
struct Search<'a> {
    at: LogPosition,
    query: &'a NearestQuery<'a>,
    limit: usize,
    shards: &'a [Arc<RangeShard>],
    next: AtomicUsize,
    is_over: AtomicBool,
}

impl Search<'_> {
    /// Compares the keys of shards until none is left. `is_over` is asked before each.
    fn run(&self, mut step: impl FnMut(usize) -> Result<()>) -> Result<Vec<Best>> {
        let mut best = self.query.heaps(self.limit);
        while !self.is_over.load(Ordering::Relaxed) {
            let Some(shard) = self.shards.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            let mut entries = 0;
            let compared = shard.each_candidate(self.at, &mut |key, id| {
                entries += 1;
                if self.query.counts(id) {
                    self.query.compare(key, id, &mut best);
                }
            });
            if let Err(error) = compared.map_err(Into::into).and_then(|()| step(entries)) {
                self.is_over.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(best)
    }

    /// The same on a thread beside that of the query, which alone knows its limits.
    fn run_beside(&self) -> Result<Vec<Best>> {
        self.run(|_| Ok(()))
    }
}

impl RangeIndex {
    /// The best so many entries for each vector of a query.
    pub fn nearest(
        &self,
        at: LogPosition,
        query: &NearestQuery<'_>,
        limit: usize,
    ) -> Result<Vec<Best>> {
        let shards = self.all();
        let bytes: usize = shards.iter().map(|shard| shard.byte_size()).sum();
        let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let search = Search { at, query, limit, shards: &shards, next, is_over };
        let units = 1 + query.vectors.iter().map(|own| own.key_bytes() as u64).sum::<u64>() / 256;
        let step = |entries: usize| {
            non_blocking::walk(entries)?;
            query_limits::step(entries as u64 * units)
        };
        let cores = thread::available_parallelism().map_or(1, usize::from).min(NEAREST_THREADS_MAX);
        let others = (bytes / NEAREST_BYTES_OF_A_THREAD).min(cores).saturating_sub(1);
        if others == 0 || non_blocking::is_required() {
            return search.run(step);
        }
        thread::scope(|scope| {
            let beside: Vec<_> =
                (0..others).map(|_| scope.spawn(|| search.run_beside())).collect();
            let own = search.run(step);
            let mut all = own;
            for other in beside {
                let found = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                all = all.and_then(|mut all| {
                    all.iter_mut().zip(found?).for_each(|(own, other)| own.append(other));
                    Ok(all)
                });
            }
            all
        })
    }
}
