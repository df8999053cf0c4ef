//! Open model: transactions begin when they are due, whether or not earlier ones are acknowledged, and
//! each is timed from the moment it was *due*. So every transaction that a stall delays shows the stall.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use millrace_db::store::Ticket;
use millrace_model::Result;

use super::ends::Ends;
use crate::experiments::graph::OpenGraph;
use crate::machine::joined;
use crate::measure::Histogram;
use crate::report::{Figure, Unit};

/// Commits are counted by slices of the time, so that those of some slices can be left out.
const SLICE: Duration = Duration::from_millis(250);

/// The commits that were sent, and their latencies.
#[derive(Default)]
pub(super) struct Sent {
    /// From due to acknowledged.
    pub(super) latencies: Histogram,
    /// The same, of the commits due in each [`SLICE`].
    pub(super) slices: Vec<Histogram>,
    /// How late the sender itself was.
    pub(super) behind: Histogram,
    /// Time inside each call of commit; waiting for the acknowledgement is not part of it.
    pub(super) calls: Histogram,
    /// Transactions committed.
    pub(super) count: u64,
}

/// Commits one edge `rate` times a second until `done` is set, which the caller does from another
/// thread; and sets `done` itself if it fails.
pub(super) fn send(graph: &OpenGraph, ends: Ends, rate: f64, done: &AtomicBool) -> Result<Sent> {
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let waiting = scope.spawn(move || wait_for_all(&receiver));
        let sent = send_until(graph, ends, rate, done, &sender);
        drop(sender);
        let slices = joined(waiting);
        let both = sent.and_then(|sent| slices.map(|slices| (sent, slices)));
        if both.is_err() {
            done.store(true, Ordering::Relaxed);
        }
        let ((count, behind, calls), slices) = both?;
        let mut latencies = Histogram::default();
        slices.iter().for_each(|slice| latencies.add(slice));
        Ok(Sent { latencies, slices, behind, calls, count })
    })
}

fn send_until(
    graph: &OpenGraph,
    mut ends: Ends,
    rate: f64,
    done: &AtomicBool,
    sender: &Sender<(Instant, Ticket)>,
) -> Result<(u64, Histogram, Histogram)> {
    let (began, mut count) = (Instant::now(), 0_u64);
    let (mut behind, mut calls) = (Histogram::default(), Histogram::default());
    while !done.load(Ordering::Relaxed) {
        let due = began + Duration::from_secs_f64(count as f64 / rate);
        let now = Instant::now();
        if now < due {
            thread::sleep(due - now);
            continue;
        }
        behind.record(now - due);
        let (source, target) = ends.sample();
        let ticket = graph.commit(vec![source], vec![target], Vec::new())?;
        calls.record(now.elapsed());
        count += 1;
        if sender.send((due, ticket)).is_err() {
            // The receiver has failed and says why.
            break;
        }
    }
    Ok((count, behind, calls))
}

/// Waits for all tickets. Latencies of the commits due in each slice; the first slice begins with the first commit.
fn wait_for_all(receiver: &Receiver<(Instant, Ticket)>) -> Result<Vec<Histogram>> {
    let (mut slices, mut began) = (Vec::<Histogram>::new(), None);
    for (due, ticket) in receiver {
        ticket.wait()?;
        let took = due.elapsed();
        let slice = slice_of(due - *began.get_or_insert(due));
        if slices.len() <= slice {
            slices.resize_with(slice + 1, Histogram::default);
        }
        slices[slice].record(took);
    }
    Ok(slices)
}

/// The slice that a moment so long after the beginning is in.
pub(super) fn slice_of(since: Duration) -> usize {
    (since.as_nanos() / SLICE.as_nanos()) as usize
}

/// A percentile in milliseconds.
pub(super) fn milliseconds(latencies: &Histogram, percent: f64) -> f64 {
    latencies.percentile(percent).as_secs_f64() * 1e3
}

impl Sent {
    /// The distribution, for the report.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let of = |name: &str, of: &Histogram, percent: f64| {
            Figure::new(name, milliseconds(of, percent), Unit::Milliseconds)
        };
        let exact = |name: &str, duration: Duration| {
            Figure::new(name, duration.as_secs_f64() * 1e3, Unit::Milliseconds)
        };
        vec![
            of("p50", &self.latencies, 50.0),
            of("p99", &self.latencies, 99.0),
            exact("max", self.latencies.max()),
            of("sender_behind_p99.9", &self.behind, 99.9),
            exact("sender_behind_max", self.behind.max()),
            of("call_p99.9", &self.calls, 99.9),
            exact("call_max", self.calls.max()),
            Figure::new("commits", self.count as f64, Unit::Count),
        ]
    }
}
