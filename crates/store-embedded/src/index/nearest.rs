//! The vectors of an ordered index that are nearest to others: by a graph of neighbours where there is one, else each shard
//! compares all of its keys.
//!
//! ```text
//!   exact    threads share the shards out, and compare base and delta
//!   graph    over the bases that it covers; other bases and all deltas are compared
//! ```
//!
//! What is found is *candidates*, as with every index. `vector_graph` says where a graph comes from.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use millrace_model::{LogPosition, Result, query_limits};
use millrace_store::nearest::{Best, NearestQuery};
use millrace_store::non_blocking;
use millrace_terms::vectors::{VectorQuery, VectorSpace};
use rustc_hash::FxHashSet;

use super::neighbours::Cover;
use super::range_index::RangeIndex;
use super::range_shard::RangeShard;
use crate::base::limits::{NEAREST_BYTES_OF_A_THREAD, NEAREST_THREADS_MAX, NEIGHBOURS_BYTES_MIN};

/// A checkpoint writes about as many bytes as an index has, each of which costs so many that are compared.
const CHECKPOINT_WORTH: usize = 4;

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
    /// Compares the keys of shards until none is left. `step` is called behind each.
    fn run(&self, mut step: impl FnMut(usize, usize) -> Result<()>) -> Result<Vec<Best>> {
        let mut best = self.query.heaps(self.limit);
        while !self.is_over.load(Ordering::Relaxed) {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(shard) = self.shards.get(next) else { break };
            let mut entries = 0;
            let compared = shard.each_candidate(self.at, &mut |_, _| false, &mut |key, id| {
                entries += 1;
                if self.query.counts(id) {
                    self.query.compare(key, id, &mut best);
                }
            });
            if let Err(error) = compared
                .map_err(Into::into)
                .and_then(|()| step(entries, best.iter().map(Best::byte_size).sum()))
            {
                self.is_over.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(best)
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(NEAREST_THREADS_MAX)
}

impl RangeIndex {
    /// The best so many entries for each vector of a query.
    pub fn nearest(
        self: &Arc<RangeIndex>,
        at: LogPosition,
        space: VectorSpace,
        query: &NearestQuery<'_>,
        limit: usize,
    ) -> Result<Vec<Best>> {
        let shards = self.all();
        let bytes: usize = shards.iter().map(|shard| shard.byte_size()).sum();
        if !query.is_exact && NEIGHBOURS_BYTES_MIN <= bytes && !non_blocking::is_required() {
            let changes: usize = shards.iter().map(|shard| shard.change_bytes()).sum();
            self.graph.compared.fetch_add(changes as u64, Ordering::Relaxed);
            let (found, uncovered) = match self.graph_of_vectors(space, &shards, bytes) {
                Some(made) => near_by_graph(&made.cover, at, &shards, query, limit)?,
                None => (None, bytes),
            };
            if bytes / 16 <= uncovered {
                self.make_graph(space, bytes);
            }
            if let Some(found) = found {
                return Ok(found);
            }
        }
        self.nearest_exactly(at, query, limit, (&shards, bytes))
    }

    /// Whether searches have compared so many changes that a checkpoint, which brings them into bases, costs less. Once it
    /// says so, it begins anew, and the next checkpoint merges.
    pub fn wants_checkpoint(&self) -> bool {
        let compared = self.graph.compared.load(Ordering::Relaxed);
        if compared < NEIGHBOURS_BYTES_MIN as u64 {
            return false;
        }
        let bytes: usize = self.all().iter().map(|shard| shard.byte_size()).sum();
        let is_wanted = (CHECKPOINT_WORTH * bytes) as u64 <= compared;
        if is_wanted {
            self.graph.compared.store(0, Ordering::Relaxed);
            self.graph.wants_merge.store(true, Ordering::Relaxed);
        }
        is_wanted
    }

    /// Whether a merge was wanted since this was asked last.
    pub fn take_merge_wish(&self) -> bool {
        self.graph.wants_merge.swap(false, Ordering::Relaxed)
    }

    fn nearest_exactly(
        &self,
        at: LogPosition,
        query: &NearestQuery<'_>,
        limit: usize,
        (shards, bytes): (&[Arc<RangeShard>], usize),
    ) -> Result<Vec<Best>> {
        let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let search = Search { at, query, limit, shards, next, is_over };
        let units = 1 + query.vectors.iter().map(|own| own.key_bytes() as u64).sum::<u64>() / 256;
        let threads = cores() as u64;
        let step = |entries: usize, found_bytes: usize| {
            non_blocking::walk(entries)?;
            query_limits::require_room(found_bytes as u64 * threads * 2)?;
            query_limits::step(entries as u64 * units)
        };
        let others = (bytes / NEAREST_BYTES_OF_A_THREAD).min(cores()).saturating_sub(1);
        if others == 0 || non_blocking::is_required() {
            return search.run(step);
        }
        thread::scope(|scope| {
            // The limits of the query belong to its own thread, which ends the others.
            let beside: Vec<_> =
                (0..others).map(|_| scope.spawn(|| search.run(|_, _| Ok(())))).collect();
            let mut all = search.run(step);
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

/// The nearest by a graph and, of what it does not cover, by comparison; `None` where to compare all is quicker. And the
/// bytes that it does not cover.
fn near_by_graph(
    cover: &Cover,
    at: LogPosition,
    shards: &[Arc<RangeShard>],
    query: &NearestQuery<'_>,
    limit: usize,
) -> Result<(Option<Vec<Best>>, usize)> {
    let mut uncovered = 0;
    for shard in shards {
        let is_covered = cover.number_of(&shard.base()?).is_some();
        uncovered += if is_covered { 0 } else { shard.byte_size() };
    }
    let few = cover.len() / 16;
    let is_of_few = query.within.is_some_and(|within| within.len() <= few);
    let is_of_length = |vector: &VectorQuery| vector.key_bytes() == cover.key_bytes();
    if NEIGHBOURS_BYTES_MIN < uncovered
        || few < limit.max(query.breadth)
        || is_of_few
        || !query.vectors.iter().all(is_of_length)
    {
        return Ok((None, uncovered));
    }
    let (mut current, mut ended) = (FxHashSet::default(), FxHashSet::default());
    let mut best = query.heaps(limit);
    for shard in shards {
        let mut skips = |base: &_, gone: &FxHashSet<(u64, Vec<u8>)>| {
            let Some(number) = cover.number_of(base) else { return false };
            current.insert(number);
            ended.extend(gone.iter().map(|(id, _)| *id));
            true
        };
        let mut entries = 0;
        shard.each_candidate(at, &mut skips, &mut |key, id| {
            entries += 1;
            if query.counts(id) {
                query.compare(key, id, &mut best);
            }
        })?;
        query_limits::step(1 + entries)?;
    }
    let counts =
        |base: u32, id: u64| current.contains(&base) && !ended.contains(&id) && query.counts(id);
    let search = |vector: &VectorQuery| cover.search(vector, (limit, query.breadth), &counts);
    let each = query.vectors.len().div_ceil(cores());
    let found: Vec<Option<Best>> = if query.vectors.len() < 2 {
        query.vectors.iter().map(search).collect()
    } else {
        thread::scope(|scope| {
            let parts: Vec<_> = query
                .vectors
                .chunks(each)
                .map(|part| scope.spawn(|| part.iter().map(search).collect::<Vec<_>>()))
                .collect();
            let joined = parts
                .into_iter()
                .map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            joined.flatten().collect()
        })
    };
    query_limits::step(found.len() as u64 * 1_000)?;
    for (best, found) in best.iter_mut().zip(found) {
        match found {
            Some(found) => best.append(found),
            None => return Ok((None, uncovered)),
        }
        if !best.is_full() {
            return Ok((None, uncovered));
        }
    }
    Ok((Some(best), uncovered))
}
