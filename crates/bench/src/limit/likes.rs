//! Three hops over likes: person, items, other people, their items. Parallel likes count as often
//! as they are there, as in the traversal that these arrays stand for.

use super::adjacency::{Adjacency, Lists};
use super::split;

/// How many items a recommendation names.
pub const TOP: usize = 25;

/// An item with the number of paths that reach it.
pub type Counted = (u32, u64);

/// Likes in both directions; `out` is by person, `into` is by item.
pub type Likers = Adjacency;

/// The items of others who like an item that `person` likes, without `person`'s own; by count, then id.
///
/// Bulked: each of the other people is visited once, with the number of ways to reach them.
pub fn recommend_bulked(likes: &Likers, person: u32, threads: usize) -> Vec<Counted> {
    let own = likes.out.list(person);
    let people = weigh_people(likes, own, threads);
    let counts = split(people.len(), threads, |part| {
        let mut counts = vec![0_u64; likes.into.len()];
        for (other, weight) in &people[part] {
            for item in likes.out.list(*other) {
                counts[*item as usize] += u64::from(*weight);
            }
        }
        counts
    });
    top(sum(counts), own)
}

/// The same answer with no plan at all: one addition for each path.
pub fn recommend_path_by_path(likes: &Likers, person: u32, threads: usize) -> Vec<Counted> {
    let own = likes.out.list(person);
    let counts = split(own.len(), threads, |part| {
        let mut counts = vec![0_u64; likes.into.len()];
        for item in &own[part] {
            for other in likes.into.list(*item) {
                for target in likes.out.list(*other) {
                    counts[*target as usize] += 1;
                }
            }
        }
        counts
    });
    top(sum(counts), own)
}

/// The items at the ends of all paths of three hops, their numbers added up: three loops.
pub fn visit_targets(likes: &Likers, person: u32, threads: usize) -> u64 {
    let own = likes.out.list(person);
    let parts = split(own.len(), threads, |part| {
        let mut sum = 0;
        for item in &own[part] {
            for other in likes.into.list(*item) {
                for target in likes.out.list(*other) {
                    sum += u64::from(*target);
                }
            }
        }
        sum
    });
    parts.into_iter().sum()
}

/// How many paths of three hops leave `person`. The last hop is not walked: its degree is enough.
pub fn count_paths(likes: &Likers, person: u32, threads: usize) -> u64 {
    let own = likes.out.list(person);
    let degrees = |others: &[u32], lists: &Lists| -> u64 {
        others.iter().map(|other| u64::from(lists.degree(*other))).sum()
    };
    let parts = split(own.len(), threads, |part| {
        own[part].iter().map(|item| degrees(likes.into.list(*item), &likes.out)).sum::<u64>()
    });
    parts.into_iter().sum()
}

/// The same of paths that use no like twice.
pub fn count_trails(likes: &Likers, person: u32) -> u64 {
    let own = likes.out.list(person);
    let degree = own.len() as u64;
    let likers = |item: &u32| u64::from(likes.into.degree(*item));
    let parallel = |item: &u32| own.iter().filter(|other| *other == item).count() as u64;
    // Walks, less those where the first two, the last two, or the first and last likes are one, plus twice those of one like.
    let once = degree * degree
        + own.iter().map(likers).sum::<u64>()
        + own.iter().map(parallel).sum::<u64>();
    count_paths(likes, person, 1) + 2 * degree - once
}

/// The people with a like for one of the items, each with the number of ways to reach them.
fn weigh_people(likes: &Likers, items: &[u32], threads: usize) -> Vec<(u32, u32)> {
    let parts = split(items.len(), threads, |part| {
        let mut weights = vec![0_u32; likes.out.len()];
        for item in &items[part] {
            for other in likes.into.list(*item) {
                weights[*other as usize] += 1;
            }
        }
        weights
    });
    let weights = sum(parts).into_iter().enumerate();
    weights
        .filter(|(_, weight)| *weight != 0)
        .map(|(other, weight)| (other as u32, weight))
        .collect()
}

/// Adds arrays of equal length.
fn sum<N: Copy + std::ops::AddAssign>(arrays: Vec<Vec<N>>) -> Vec<N> {
    let mut arrays = arrays.into_iter();
    let mut total = arrays.next().unwrap_or_default();
    for array in arrays {
        for (sum, number) in total.iter_mut().zip(array) {
            *sum += number;
        }
    }
    total
}

fn top(mut counts: Vec<u64>, own: &[u32]) -> Vec<Counted> {
    for item in own {
        counts[*item as usize] = 0;
    }
    let by_count = |(a, n): &Counted, (b, m): &Counted| m.cmp(n).then(a.cmp(b));
    let reached = counts.into_iter().enumerate().filter(|(_, count)| *count != 0);
    let mut items: Vec<Counted> = reached.map(|(item, count)| (item as u32, count)).collect();
    if TOP < items.len() {
        items.select_nth_unstable_by(TOP, by_count);
        items.truncate(TOP);
    }
    items.sort_unstable_by(by_count);
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The question, word for word, over the edge list itself.
    fn naive(edges: &[(u32, u32)], person: u32) -> (Vec<Counted>, [u64; 3]) {
        let own: Vec<u32> = edges.iter().filter(|e| e.0 == person).map(|e| e.1).collect();
        let mut counts = BTreeMap::<u32, u64>::new();
        let (mut paths, mut trails, mut touched) = (0, 0, 0);
        let likes = || edges.iter().enumerate();
        for (first, (_, item)) in likes().filter(|like| like.1.0 == person) {
            for (second, (other, _)) in likes().filter(|like| like.1.1 == *item) {
                for (third, (_, target)) in likes().filter(|like| like.1.0 == *other) {
                    paths += 1;
                    trails += u64::from(first != second && second != third && first != third);
                    touched += u64::from(*target);
                    *counts.entry(*target).or_default() += u64::from(!own.contains(target));
                }
            }
        }
        let mut items: Vec<Counted> = counts.into_iter().filter(|c| c.1 != 0).collect();
        items.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        items.truncate(TOP);
        (items, [paths, trails, touched])
    }

    #[test]
    fn every_form_agrees_with_nested_loops_on_small_graphs() {
        let mut state = 7_u64;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            ((state >> 33) % bound) as u32
        };
        for (people, items, count) in [(1, 1, 0), (1, 1, 3), (6, 40, 60), (12, 5, 50)] {
            let edges: Vec<_> = (0..count).map(|_| (below(people), below(items))).collect();
            let likes = Likers::from_edges(people as usize, items as usize, &edges);
            for person in 0..people as u32 {
                let (items, [paths, trails, touched]) = naive(&edges, person);
                assert_eq!(count_trails(&likes, person), trails);
                for threads in [1, 2, 3] {
                    assert_eq!(recommend_bulked(&likes, person, threads), items);
                    assert_eq!(recommend_path_by_path(&likes, person, threads), items);
                    assert_eq!(count_paths(&likes, person, threads), paths);
                    assert_eq!(visit_targets(&likes, person, threads), touched);
                }
            }
        }
    }
}
