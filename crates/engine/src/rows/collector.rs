//! Many batches as one, for barriers and results.
//!
//! A single batch is handed through without a copy. Weights and ordinals appear with the first
//! batch that has them.

use std::sync::Arc;

use millrace_model::Batch;

use super::append::append;

/// Batches on their way to being one.
#[derive(Default)]
pub(crate) struct Collector {
    whole: Option<Batch>,
}

impl Collector {
    pub(crate) fn starting_with(batch: Batch) -> Collector {
        Collector { whole: Some(batch) }
    }

    /// Rows so far.
    pub(crate) fn len(&self) -> usize {
        self.whole.as_ref().map_or(0, |batch| batch.len)
    }

    /// Appends a batch of the same columns.
    pub(crate) fn push(&mut self, batch: Batch) {
        match &mut self.whole {
            Some(whole) if 0 < whole.len => extend(whole, &batch),
            _ => self.whole = Some(batch),
        }
    }

    /// Appends a batch that others hold too.
    pub(crate) fn add(&mut self, batch: &Batch) {
        match &mut self.whole {
            Some(whole) if 0 < whole.len => extend(whole, batch),
            _ => self.whole = Some(batch.clone()),
        }
    }

    /// All rows; without any, an empty batch of `columns` columns.
    pub(crate) fn finish(&mut self, columns: usize) -> Batch {
        self.whole.take().unwrap_or_else(|| Batch {
            len: 0,
            columns: (0..columns).map(|_| Arc::default()).collect(),
            weights: None,
            ordinals: None,
        })
    }
}

fn extend(whole: &mut Batch, batch: &Batch) {
    let (before, added) = (whole.len, batch.len);
    for (column, other) in whole.columns.iter_mut().zip(&batch.columns) {
        append(Arc::make_mut(column), other);
    }
    extend_numbers(&mut whole.weights, batch.weights.as_ref(), before, added, 1);
    extend_numbers(&mut whole.ordinals, batch.ordinals.as_ref(), before, added, 0);
    whole.len = before + added;
}

fn extend_numbers<T: Copy>(
    numbers: &mut Option<Arc<Vec<T>>>,
    other: Option<&Arc<Vec<T>>>,
    before: usize,
    added: usize,
    default: T,
) {
    if numbers.is_none() && other.is_none() {
        return;
    }
    let numbers = numbers.get_or_insert_with(|| Arc::new(vec![default; before]));
    let numbers = Arc::make_mut(numbers);
    match other {
        Some(other) => numbers.extend_from_slice(other),
        None => numbers.resize(before + added, default),
    }
}
