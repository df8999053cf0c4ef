//! A batch in its order: what can be applied is committed, in one transaction if it can be; a message that makes it fail is
//! found by halving, and is dead.
//!
//! Acknowledged is only what is visible, or confirmed as a dead letter. An error of the situation (a write conflict that
//! went on for too long, a full disk, a graph that is not there yet) makes the batch wait, and nothing is dead.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use millrace_db::{CancelFlag, Database, Graph, RequestLimits};
use millrace_model::{Error, ErrorKind};

use super::backoff::Backoff;
use crate::deliveries::{DeadLetter, Lost, Outbox, Stop, was_dead};
use crate::forms::{Applied, Content, Order};
use crate::keys::{Admitted, CHANGED_ELSEWHERE, Keys, Series};
use crate::limits::ATTEMPTS_OF_ONE_MAX;
use crate::messages::{Decoded, Decoder, Key};
use crate::monitoring::{Outcome, QueueMetrics, Status, reason};
use crate::settings::{KeyFrom, QueueSettings};

/// A queue, as its consumers share it.
pub(crate) struct Shared {
    pub(crate) database: Arc<Database>,
    pub(crate) settings: QueueSettings,
    pub(crate) decoder: Decoder,
    pub(crate) keys: Keys,
    pub(crate) status: Status,
    pub(crate) metrics: QueueMetrics,
    pub(crate) stop: Arc<Stop>,
    pub(crate) cancel: CancelFlag,
}

/// Why a consumer does not go on with its connection.
#[derive(Debug)]
pub(crate) enum End {
    /// The queue is to stop.
    Stopped,
    /// The connection is lost.
    Lost(String),
    /// A bad message, and there is no way for dead letters.
    Halted(String),
}

impl From<Lost> for End {
    fn from(lost: Lost) -> End {
        End::Lost(lost.0)
    }
}

/// What an error says of a batch.
enum Fate {
    /// It is an error of the messages.
    Theirs,
    /// It may be theirs: a deadline, a bound of memory.
    Bounds,
    /// It is an error of the situation.
    Situation,
}

fn fate(kind: ErrorKind) -> Fate {
    match kind {
        ErrorKind::BadQuery
        | ErrorKind::BadInput
        | ErrorKind::Failed
        | ErrorKind::Unsupported
        | ErrorKind::Constraint
        | ErrorKind::NotFound
        | ErrorKind::AlreadyExists
        | ErrorKind::Forbidden
        | ErrorKind::Bug => Fate::Theirs,
        ErrorKind::LimitReached | ErrorKind::DeadlineExceeded => Fate::Bounds,
        ErrorKind::Conflict
        | ErrorKind::Cancelled
        | ErrorKind::ReadOnly
        | ErrorKind::OutcomeUnknown
        | ErrorKind::Unavailable
        | ErrorKind::Corrupt
        | ErrorKind::Io => Fate::Situation,
    }
}

/// Why an attempt failed, and at which of its messages, if that is known.
struct Failed {
    error: Error,
    at: Option<usize>,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed { error, at: None }
    }
}

/// Applies the batches of one consumer.
pub(crate) struct Applier<'q> {
    queue: &'q Shared,
    consumer: usize,
    series: Series,
    graph: Option<Arc<Graph>>,
    backoff: Backoff,
}

impl<'q> Applier<'q> {
    pub(crate) fn new(queue: &'q Shared, consumer: usize) -> Applier<'q> {
        let series = Series::new(&queue.settings, consumer);
        Applier { queue, consumer, series, graph: None, backoff: Backoff::new(consumer) }
    }

    /// Applies a batch, and acknowledges all of it.
    pub(crate) fn finish(&mut self, batch: &[Decoded], outbox: &dyn Outbox) -> Result<(), End> {
        let mut rest = batch;
        while let Some(first) = rest.first() {
            let is_bad = first.content.is_err();
            let same = rest.iter().take_while(|one| one.content.is_err() == is_bad).count();
            let (run, others) = rest.split_at(same);
            match is_bad {
                true => {
                    let dead =
                        run.iter().filter_map(|one| Some((one, one.content.as_ref().err()?)));
                    self.bury(&dead.collect::<Vec<_>>(), outbox)?;
                }
                false => self.apply(run, outbox)?,
            }
            rest = others;
        }
        Ok(())
    }

    /// Commits messages that could be read; those that make it fail are dead.
    fn apply(&mut self, run: &[Decoded], outbox: &dyn Outbox) -> Result<(), End> {
        let mut todo: Vec<Range<usize>> = std::iter::once(0..run.len()).collect();
        while let Some(range) = todo.pop() {
            let part = &run[range.clone()];
            let Some(failed) = self.commit(part)? else {
                self.acknowledge(part, outbox)?;
                continue;
            };
            if let [only] = part {
                self.bury(&[(only, &failed.error)], outbox)?;
                continue;
            }
            // One that is known is tried alone before it is dead: the others may have made it fail.
            let (start, end) = (range.start, range.end);
            let pieces = match failed.at {
                Some(at) => {
                    vec![start..start + at, start + at..start + at + 1, start + at + 1..end]
                }
                None => {
                    let middle = start + part.len() / 2;
                    vec![start..middle, middle..end]
                }
            };
            todo.extend(pieces.into_iter().rev().filter(|piece| !piece.is_empty()));
        }
        Ok(())
    }

    /// Commits messages as one transaction; an error is theirs.
    fn commit(&mut self, part: &[Decoded]) -> Result<Option<Failed>, End> {
        let (mut attempts, mut order) = (0, Order::Bulk);
        loop {
            let failed = match self.attempt(part, order) {
                Ok(()) => {
                    self.backoff.reset();
                    self.queue.status.clear(self.consumer);
                    return Ok(None);
                }
                Err(failed) => failed,
            };
            match fate(failed.error.kind) {
                Fate::Theirs
                    if part.len() == 1
                        && order == Order::Bulk
                        && self.queue.decoder.form().has_orders() =>
                {
                    order = Order::Single;
                    continue;
                }
                Fate::Theirs => return Ok(Some(failed)),
                Fate::Bounds if 1 < part.len() => return Ok(Some(failed)),
                Fate::Bounds if attempts + 1 == ATTEMPTS_OF_ONE_MAX => return Ok(Some(failed)),
                Fate::Bounds => attempts += 1,
                Fate::Situation => {}
            }
            self.queue.status.set_problem(self.consumer, failed.error.to_string());
            if self.queue.stop.wait(self.backoff.next()) {
                return Err(End::Stopped);
            }
        }
    }

    fn attempt(&mut self, part: &[Decoded], order: Order) -> Result<(), Failed> {
        let queue = self.queue;
        let graph = queue.database.ensure_graph(&queue.settings.graph)?;
        if self.graph.as_ref().is_some_and(|known| !Arc::ptr_eq(known, &graph)) {
            // Dropped and made again: the keys went with it.
            queue.keys.forget();
        }
        self.graph = Some(Arc::clone(&graph));
        queue.keys.load(&graph)?;
        queue.keys.refresh(&mut self.series);
        let keys: Vec<Option<Key>> = part.iter().map(|one| one.key).collect();
        let Some(admitted) = queue.keys.admit(&keys, &queue.stop) else {
            return Err(Error::new(ErrorKind::Cancelled, "the queue is stopping").into());
        };
        let done = self.transact(&graph, part, &admitted, order);
        queue.keys.release(&admitted.keys, done.is_ok());
        done.inspect_err(|failed| {
            if failed.error.name == Some(CHANGED_ELSEWHERE) {
                queue.keys.forget();
            }
        })?;
        self.count(part, &admitted);
        Ok(())
    }

    /// The data of the messages and their keys, as one commit that is visible.
    fn transact(
        &mut self,
        graph: &Arc<Graph>,
        part: &[Decoded],
        admitted: &Admitted,
        order: Order,
    ) -> Result<(), Failed> {
        if admitted.positions.is_empty() {
            return Ok(());
        }
        let queue = self.queue;
        let content = |at: &usize| part[*at].content.as_ref().map_err(Clone::clone);
        let contents: Vec<&Content> =
            admitted.positions.iter().map(content).collect::<Result<_, Error>>()?;
        let settings = queue.database.settings();
        let form = queue.decoder.form();
        let deadline_ms = settings.deadline_ms_of(form.language());
        let limits = RequestLimits::within(deadline_ms, settings);
        let limits = RequestLimits { cancel: queue.cancel.clone(), ..limits };
        let change = (!admitted.keys.is_empty()).then(|| self.series.change(&admitted.keys));
        let name: Arc<str> = Arc::from(graph.name());
        let (at, series) = (Cell::new(None), &self.series);
        let compose = || {
            queue.database.compose(graph, &limits, |transaction| {
                at.set(None);
                if change.is_some() {
                    series.check(transaction)?;
                }
                let mut applied = Applied { transaction, graph: &name, limits: &limits };
                form.apply(&mut applied, &contents, order).map_err(|failure| {
                    at.set(failure.at.and_then(|at| admitted.positions.get(at).copied()));
                    failure.error
                })?;
                match &change {
                    Some(change) => transaction.set_notes(&change.notes),
                    None => Ok(()),
                }
            })
        };
        // A bug in a query is an error of its message, as it is of a request of a client.
        let composed = catch_unwind(AssertUnwindSafe(compose)).unwrap_or_else(|_| {
            Err(Error::new(ErrorKind::Bug, "the query panicked; the log has the place"))
        });
        let ((), ticket) = composed.map_err(|error| Failed { error, at: at.get() })?;
        if let Some(ticket) = ticket {
            ticket.wait().inspect_err(|_| {
                // It may be there after all.
                queue.keys.forget();
            })?;
        }
        if let Some(change) = change {
            queue.keys.evict(&self.series.accept(change));
        }
        Ok(())
    }

    fn count(&self, part: &[Decoded], admitted: &Admitted) {
        let metrics = &self.queue.metrics;
        let without = admitted.positions.len() - admitted.keys.len();
        let unkeyed = if self.queue.settings.key == KeyFrom::None { 0 } else { without };
        metrics.count(Outcome::Unkeyed, unkeyed);
        metrics.count(Outcome::Committed, admitted.positions.len() - unkeyed);
        metrics.count(Outcome::Repeated, part.len() - admitted.positions.len());
        if !admitted.positions.is_empty() {
            metrics.visible(admitted.positions.iter().map(|at| &part[*at].message));
        }
    }

    /// Publishes dead letters and acknowledges their messages.
    fn bury(&mut self, dead: &[(&Decoded, &Error)], outbox: &dyn Outbox) -> Result<(), End> {
        let queue = self.queue;
        let Some((last, error)) = dead.last() else { return Ok(()) };
        let (kind, reason) = (error.kind.word(), reason(error, last.content.is_ok()));
        if !queue.settings.dead_letter.is_set() {
            let name = &queue.settings.name;
            let why = format!(
                "a message cannot be applied ({kind}: {reason}), and stays in the queue: set dead-letter of \
                 queue.{name}, or remove it"
            );
            return Err(End::Halted(why));
        }
        // One that is confirmed already, and comes again because its acknowledgement was lost.
        let is_new = |one: &Decoded| {
            !(one.message.is_redelivered && !was_dead(&one.message) && queue.keys.is_dead(one.key))
        };
        let new: Vec<_> = dead.iter().filter(|(one, _)| is_new(one)).collect();
        let letter = |(one, error): &&(&Decoded, &Error)| {
            DeadLetter::new(one.message.clone(), &queue.settings.queue, error)
        };
        if !new.is_empty() {
            let mut waits = |why: &str| queue.status.set_problem(self.consumer, why.to_owned());
            outbox.bury(new.iter().map(letter).collect(), &mut waits)?;
            queue.status.clear(self.consumer);
            queue.metrics.count(Outcome::Dead, new.len());
            queue.status.dead(new.len() as u64, kind, &reason);
        }
        let keys: Vec<Key> = dead.iter().filter_map(|(one, _)| one.key).collect();
        queue.keys.note_dead(&keys, false);
        outbox.acknowledge(last.message.tag)?;
        outbox.flush()?;
        queue.metrics.acknowledged(dead.len());
        queue.keys.note_dead(&keys, true);
        Ok(())
    }

    fn acknowledge(&self, part: &[Decoded], outbox: &dyn Outbox) -> Result<(), End> {
        if let Some(last) = part.last() {
            outbox.acknowledge(last.message.tag)?;
            self.queue.metrics.acknowledged(part.len());
        }
        Ok(())
    }
}
