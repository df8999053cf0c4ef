//! Distinct vertices within exactly two hops: one bitmap over all ids, one bit for each reached.

use super::adjacency::Lists;
use super::split;

const WORD_BITS: usize = u64::BITS as usize;

/// How many different vertices two hops from `start` end at (`start` itself may be one).
pub fn two_hop_distinct(lists: &Lists, start: u32, threads: usize) -> u64 {
    let first = lists.list(start);
    let parts = split(first.len(), threads, |part| {
        let mut seen = vec![0_u64; lists.len().div_ceil(WORD_BITS)];
        for middle in &first[part] {
            for end in lists.list(*middle) {
                seen[*end as usize / WORD_BITS] |= 1 << (*end as usize % WORD_BITS);
            }
        }
        seen
    });
    let words = lists.len().div_ceil(WORD_BITS);
    let reached = |word: usize| parts.iter().fold(0, |bits, part| bits | part[word]);
    (0..words).map(|word| u64::from(reached(word).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::super::{Adjacency, Rmat};
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_bitmap_agrees_with_a_set() {
        let rmat = Rmat { vertices: 100, edges: 900, seed: 3 };
        let edges: Vec<_> = rmat.edges().collect();
        let graph = Adjacency::from_edges(100, 100, &edges);
        for start in 0..100 {
            let middles = edges.iter().filter(|edge| edge.0 == start).map(|edge| edge.1);
            let ends: BTreeSet<u32> = middles
                .flat_map(|middle| edges.iter().filter(move |edge| edge.0 == middle))
                .map(|edge| edge.1)
                .collect();
            for threads in [1, 2] {
                assert_eq!(two_hop_distinct(&graph.out, start, threads), ends.len() as u64);
            }
        }
    }
}
