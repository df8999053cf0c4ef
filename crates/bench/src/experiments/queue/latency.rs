//! From publication to visibility at a load that leaves the queue empty most of the time.

use std::thread;
use std::time::{Duration, Instant};

use millrace_model::Result;
use millrace_queue::settings::Format;

use super::consumed::{Consumed, GRAPH};
use crate::experiments::measurement::Conditions;
use crate::measure;
use crate::report::{Row, Unit};

/// A node for each message.
const STATEMENT: &str = "UNWIND $messages AS m CREATE (:Person {id: m.id})";

/// Messages in a second.
const RATE: u64 = 100;

/// How long they are sent.
const SECONDS: f64 = 10.0;

/// Commits of a lone writer, for the reference.
const COMMITS: usize = 200;

/// How often the bench looks what is visible.
const LOOK: Duration = Duration::from_micros(500);

/// The median in milliseconds; the reference is what a batch waits, and ten commits of a lone writer.
pub(super) fn latency(conditions: &Conditions) -> Result<Row> {
    let mut consumed = Consumed::new(conditions, "queue.latency", STATEMENT)?;
    consumed.settings.format = Format::Json;
    consumed.database.ensure_graph(GRAPH)?;
    let queue = consumed.start(&consumed.settings)?;
    let count = (conditions.seconds.unwrap_or(SECONDS) * RATE as f64) as u64;
    let first = Instant::now();
    let due = |number: u64| first + Duration::from_secs_f64(number as f64 / RATE as f64);
    let mut seconds = thread::scope(|scope| {
        let publisher = scope.spawn(|| {
            (0..count).try_for_each(|number| {
                thread::sleep(due(number).saturating_duration_since(Instant::now()));
                let body = format!("{{\"id\":{number}}}").into_bytes();
                consumed.publish(std::iter::once((Some(number.to_string()), body)))
            })
        });
        let (mut seen, mut seconds) = (0, Vec::new());
        while seen < count && !(publisher.is_finished() && queue.is_halted()) {
            let visible = consumed.nodes()?;
            let now = Instant::now();
            // With one consumer they are visible in the order in which they were sent.
            seconds.extend((seen..visible).map(|number| (now - due(number)).as_secs_f64()));
            seen = visible;
            thread::sleep(LOOK);
        }
        publisher.join().unwrap_or(Ok(()))?;
        Ok::<Vec<f64>, millrace_model::Error>(seconds)
    })?;
    queue.stop(Duration::from_secs(10));
    consumed.expect(count)?;
    let graph = consumed.database.graph(GRAPH)?;
    let limits = consumed.database.request_limits();
    let mut alone = Vec::new();
    for number in 0..COMMITS {
        let one = |transaction: &mut millrace_db::session::ComposedTransaction<'_>| {
            transaction.set_notes(&[("bench".into(), Some(number.to_string().into()))])
        };
        let began = Instant::now();
        let ((), ticket) = consumed.database.compose(&graph, &limits, one)?;
        if let Some(ticket) = ticket {
            ticket.wait()?;
        }
        alone.push(began.elapsed().as_secs_f64());
    }
    let commit_ms = measure::median(alone) * 1e3;
    let reference = consumed.settings.batch_ms as f64 + 10.0 * commit_ms;
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| seconds[((seconds.len() - 1) as f64 * share) as usize] * 1e3;
    let row = Row::new(at(0.5), Unit::Milliseconds).beside(reference);
    let row = row.with("p99", at(0.99), Unit::Milliseconds);
    let row = row.with("lone_commit", commit_ms, Unit::Milliseconds);
    consumed.end()?;
    Ok(row)
}
