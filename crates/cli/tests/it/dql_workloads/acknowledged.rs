//! What clients were answered that it is done: readers find it from then on, over kills too.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;

/// The writes of all clients of a workload that were acknowledged.
#[derive(Default)]
pub(super) struct Acknowledged<T>(Mutex<BTreeSet<T>>);

impl<T: Ord + Clone + Debug> Acknowledged<T> {
    /// Whether it is the first acknowledgement of this write.
    pub(super) fn insert(&self, own: T) -> bool {
        self.0.lock().expect("no client panicked").insert(own)
    }

    pub(super) fn len(&self) -> usize {
        self.0.lock().expect("no client panicked").len()
    }

    /// All of them; to be asked before the question that has to find them.
    pub(super) fn so_far(&self) -> BTreeSet<T> {
        self.0.lock().expect("no client panicked").clone()
    }

    /// The last of them in their order.
    pub(super) fn last(&self, most: usize) -> Vec<T> {
        let all = self.0.lock().expect("no client panicked");
        all.iter().rev().take(most).cloned().collect()
    }
}

/// Panics with those that are not found.
pub(super) fn none_is_lost<'a, T: Debug + 'a>(
    acknowledged: impl IntoIterator<Item = &'a T>,
    is_found: impl Fn(&T) -> bool,
    when: &str,
) {
    let lost: Vec<&T> = acknowledged.into_iter().filter(|own| !is_found(own)).collect();
    assert!(lost.is_empty(), "{when}: acknowledged and lost: {lost:?}");
}
