//! The order in which a source gives its rows, and the first operator behind it that has a use for that.
//!
//! Between the two are only operators that make a row of a row, or drop it. The consumer says how many rows it wants
//! and takes rows until it has them; the source decides in each run whether an index serves. A source that gave up
//! begins anew without an order, and the consumer forgets the rows before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use millrace_model::Batch;

/// The state that a source and its consumer share, on one thread.
#[derive(Debug, Default)]
pub(crate) struct RowOrder {
    wanted: AtomicU64,
    /// Whether all rows to come are behind the rows given, in the consumer's order.
    in_order: AtomicBool,
    restarts: AtomicU64,
}

impl RowOrder {
    /// How many rows the consumer wants, by weight.
    pub(crate) fn wanted(&self) -> u64 {
        self.wanted.load(Relaxed)
    }

    /// Says whether rows to come are behind those given, the next batch included.
    pub(crate) fn keep(&self, in_order: bool) {
        self.in_order.store(in_order, Relaxed);
    }

    /// Says that all rows come anew, in no order.
    pub(crate) fn restart(&self) {
        self.keep(false);
        self.restarts.fetch_add(1, Relaxed);
    }
}

/// The rows that a consumer took.
pub(crate) struct FirstRows<'a> {
    order: Option<&'a RowOrder>,
    restarts: u64,
    weight: u128,
}

impl<'a> FirstRows<'a> {
    /// Asks for so many rows, before the first batch is.
    pub(crate) fn ask(order: Option<&'a Arc<RowOrder>>, wanted: u64) -> FirstRows<'a> {
        let order = order.map(|order| &**order);
        if let Some(order) = order {
            order.wanted.store(wanted, Relaxed);
            order.keep(false);
        }
        FirstRows { order, restarts: order.map_or(0, |own| own.restarts.load(Relaxed)), weight: 0 }
    }

    /// Takes a batch; whether the rows before it do not count.
    pub(crate) fn take(&mut self, batch: &Batch) -> bool {
        let Some(order) = self.order else { return false };
        let restarts = order.restarts.load(Relaxed);
        let is_anew = std::mem::replace(&mut self.restarts, restarts) != restarts;
        if is_anew {
            self.weight = 0;
        }
        self.weight += match &batch.weights {
            Some(weights) => weights.iter().map(|weight| u128::from(*weight)).sum(),
            None => batch.len as u128,
        };
        is_anew
    }

    /// Whether no row to come is among those wanted.
    pub(crate) fn are_enough(&self) -> bool {
        self.order.is_some_and(|order| {
            order.in_order.load(Relaxed) && u128::from(order.wanted()) <= self.weight
        })
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::Column;

    use super::*;

    fn rows(count: usize) -> Batch {
        Batch::of(vec![Column::from_values((0..count as i64).map(Into::into))])
    }

    #[test]
    fn rows_are_enough_only_in_order_and_count_anew_after_a_restart() {
        let order = Arc::new(RowOrder::default());
        let mut first = FirstRows::ask(Some(&order), 3);
        assert!(!first.take(&rows(5)) && !first.are_enough(), "in no order");
        order.keep(true);
        assert!(first.are_enough());
        order.restart();
        assert!(first.take(&rows(2)), "those before do not count");
        order.keep(true);
        assert!(!first.are_enough());
        assert!(!first.take(&rows(1)) && first.are_enough());
        assert!(!FirstRows::ask(None, 0).are_enough(), "nothing has an order");
    }
}
