//! States of folds from several threads, put together: those of rows behind others are absorbed by these.

use std::cmp::Ordering;

use millrace_model::{Result, Value, compare};

use super::states::{FoldState, keep};
use crate::run::Run;

impl FoldState {
    /// Whether states of it can be put together. What was seen of values is known by number, and numbers differ from thread
    /// to thread, so folds of distinct values have none.
    pub(crate) fn has_parts(&self) -> bool {
        match self {
            FoldState::Count(_)
            | FoldState::CountValues(_)
            | FoldState::Sum(_)
            | FoldState::Mean(_)
            | FoldState::Min(_)
            | FoldState::Max(_)
            | FoldState::Collect(_)
            | FoldState::CollectValues(_)
            | FoldState::First(_)
            | FoldState::StDev { .. }
            | FoldState::Percentile { .. }
            | FoldState::Exists(_) => true,
            FoldState::IfSeen { fold, .. } => fold.has_parts(),
            FoldState::CountDistinct { .. } | FoldState::Distinct(_) => false,
        }
    }

    /// Takes the states of rows behind those so far; `groups` has the group of each of theirs. Gives the bytes now used
    /// beyond the states.
    pub(crate) fn absorb(
        &mut self,
        other: FoldState,
        groups: &[u32],
        run: &Run<'_>,
    ) -> Result<u64> {
        let place = |at: usize| groups[at] as usize;
        let mut held = 0;
        match (self, other) {
            (FoldState::Count(own), FoldState::Count(other))
            | (FoldState::CountValues(own), FoldState::CountValues(other)) => {
                (0..groups.len()).for_each(|at| own.add_all(place(at), other.count(at)));
            }
            (FoldState::Sum(own), FoldState::Sum(other))
            | (FoldState::Mean(own), FoldState::Mean(other)) => {
                for (at, sum) in other.into_iter().enumerate() {
                    let own = &mut own[place(at)];
                    let before = own.heap_bytes();
                    own.absorb(sum)?;
                    held += own.heap_bytes() - before;
                }
            }
            (FoldState::Min(own), FoldState::Min(other)) => {
                held += keep_best(own, other, groups, (Ordering::Less, run));
            }
            (FoldState::Max(own), FoldState::Max(other)) => {
                held += keep_best(own, other, groups, (Ordering::Greater, run));
            }
            (FoldState::Collect(own), FoldState::Collect(other))
            | (FoldState::CollectValues(own), FoldState::CollectValues(other)) => {
                for (at, mut list) in other.of_groups.into_iter().enumerate() {
                    held += (list.capacity() * size_of::<Value>()) as u64 + heap_bytes(&list);
                    let own = &mut own.of_groups[place(at)];
                    match own.is_empty() {
                        true => *own = list,
                        false => own.append(&mut list),
                    }
                }
            }
            (FoldState::First(own), FoldState::First(other)) => {
                for (at, first) in other.into_iter().enumerate() {
                    let own = &mut own[place(at)];
                    if own.is_none() {
                        held += first.iter().flatten().map(Value::heap_size).sum::<usize>() as u64;
                        *own = first;
                    }
                }
            }
            (FoldState::StDev { samples: own, .. }, FoldState::StDev { samples: other, .. })
            | (
                FoldState::Percentile { samples: own, .. },
                FoldState::Percentile { samples: other, .. },
            ) => {
                for (at, sample) in other.into_iter().enumerate() {
                    held += own[place(at)].absorb(sample)?;
                }
            }
            (FoldState::Exists(own), FoldState::Exists(other)) => {
                for (at, truth) in other.into_iter().enumerate() {
                    own[place(at)] |= truth;
                }
            }
            (
                FoldState::IfSeen { fold, seen, .. },
                FoldState::IfSeen { fold: other, seen: other_seen, .. },
            ) => {
                for at in other_seen.ones() {
                    seen.insert(place(at));
                }
                held += fold.absorb(*other, groups, run)?;
            }
            _ => debug_assert!(false, "states of one fold are put together"),
        }
        Ok(held)
    }
}

fn keep_best(
    own: &mut [Option<Value>],
    other: Vec<Option<Value>>,
    groups: &[u32],
    (wanted, run): (Ordering, &Run<'_>),
) -> u64 {
    let by = (compare::total_of(run.compare), wanted);
    let pairs = other.into_iter().zip(groups);
    pairs.map(|(value, group)| keep(&mut own[*group as usize], value, by)).sum()
}

fn heap_bytes(values: &[Value]) -> u64 {
    values.iter().map(Value::heap_size).sum::<usize>() as u64
}
