//! Queues of a real broker, each row beside a consumer that takes the same queue, acknowledges by the thousand and does
//! nothing else.
//!
//! ```text
//!   consumed    a queue of its own, filled before each run; Millrace in this process, and the idle consumer
//!   rates       messages in a second: one node each, a hundred, with keys and without, sent again
//!   latency     from publication to visibility, at a hundred messages in a second
//! ```

mod consumed;
mod latency;
mod rates;

use super::measurement::{Conditions, FULL, Measurement, row};
use crate::report::Row;
use crate::report::Threshold::{self, Ratio};
use millrace_model::Result;

/// The rows, in the order they are run.
pub(super) const ROWS: &[Measurement] = &[
    of_broker("queue.one", rates::one, &[(1.0, Ratio(1.0 / 0.8))]),
    of_broker("queue.hundred", rates::hundred, &[(1.0, Ratio(1.0 / 0.5))]),
    of_broker("queue.keys", rates::keys, &[(1.0, Ratio(1.0 / 0.9))]),
    of_broker("queue.again", rates::again, &[(1.0, Ratio(1.0 / 0.8))]),
    of_broker("queue.latency", latency::latency, &[(1.0, Ratio(1.0))]),
];

const fn of_broker(
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    thresholds: &'static [(f64, Threshold)],
) -> Measurement {
    Measurement { left_out, ..row(name, run, FULL, thresholds) }
}

fn left_out(conditions: &Conditions) -> Option<&'static str> {
    conditions.amqp.is_none().then_some("--amqp URL names the broker")
}
