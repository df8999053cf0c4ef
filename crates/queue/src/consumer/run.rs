//! A consumer: connects, collects batches on one thread while another applies the batch before, and connects again.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use millrace_wire::KnownKeys;

use super::applying::{Applier, End, Shared};
use super::backoff::Backoff;
use crate::deliveries::{Inbox, Lost, Outbox, Received, Source};
use crate::limits::BACKOFF_RESET;
use crate::messages::Decoded;

/// Consumes until the queue stops.
pub(crate) fn run(queue: &Shared, source: &dyn Source, consumer: usize) {
    let mut applier = Applier::new(queue, consumer);
    let mut backoff = Backoff::new(consumer);
    while !queue.stop.is_set() {
        let why = match source.connect(consumer) {
            Err(Lost(why)) => why,
            Ok((inbox, outbox)) => {
                queue.status.clear(consumer);
                let began = Instant::now();
                let (end, settled) = serve(queue, &mut applier, inbox, &*outbox);
                outbox.close();
                if 0 < settled || BACKOFF_RESET <= began.elapsed() {
                    backoff.reset();
                }
                match end {
                    End::Stopped => return,
                    End::Halted(why) => {
                        queue.status.halt(why);
                        return queue.stop.set();
                    }
                    End::Lost(why) => why,
                }
            }
        };
        if queue.stop.is_set() {
            return;
        }
        queue.status.set_problem(consumer, why);
        queue.stop.wait(backoff.next());
    }
}

/// Serves a connection until it ends; returns how many messages were settled, too.
fn serve(
    queue: &Shared,
    applier: &mut Applier<'_>,
    mut inbox: Box<dyn Inbox>,
    outbox: &dyn Outbox,
) -> (End, usize) {
    let (is_lost, received) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (sender, batches) = sync_channel::<Vec<Decoded>>(0);
    let mut settled = 0;
    let end = thread::scope(|scope| {
        let collector = scope.spawn(|| {
            let sender = sender;
            let end = collect(queue, &mut *inbox, &sender, &received);
            is_lost.store(matches!(end, End::Lost(_)), Ordering::Release);
            end
        });
        let mut failed = None;
        for batch in &batches {
            // It comes again; without keys it would be applied twice.
            if is_lost.load(Ordering::Acquire) {
                break;
            }
            if let Err(end) = applier.finish(&batch, outbox) {
                failed = Some(end);
                break;
            }
            settled += batch.len();
        }
        drop(batches);
        if failed.is_some() {
            outbox.close();
        }
        // A panic of the decoder is a bug, and the connection begins anew.
        let collected = collector.join().unwrap_or_else(|_| End::Lost("a bug".to_owned()));
        failed.unwrap_or(collected)
    });
    if let End::Lost(_) = end {
        let received = received.load(Ordering::Relaxed);
        queue.metrics.disconnected(received.saturating_sub(settled));
    }
    (end, settled)
}

/// Collects batches, by count or time, until the connection ends or the queue stops.
fn collect(
    queue: &Shared,
    inbox: &mut dyn Inbox,
    sender: &SyncSender<Vec<Decoded>>,
    received: &AtomicUsize,
) -> End {
    let most = queue.settings.batch_messages;
    let wait = Duration::from_millis(queue.settings.batch_ms);
    let (mut messages, mut keys) = (Vec::new(), KnownKeys::default());
    loop {
        let mut batch: Vec<Decoded> = Vec::new();
        let mut until = None;
        let is_last = loop {
            let more = match inbox.receive(&mut messages, most - batch.len(), until) {
                Ok(more) => more,
                Err(Lost(why)) => return End::Lost(why),
            };
            queue.metrics.received(messages.len());
            received.fetch_add(messages.len(), Ordering::Relaxed);
            if until.is_none() && !messages.is_empty() {
                until = Some(Instant::now() + wait);
            }
            let decode = |message| queue.decoder.decode(message, &mut keys);
            batch.extend(messages.drain(..).map(decode));
            match more {
                Received::Last => break true,
                Received::More if batch.len() == most => break false,
                Received::More if until.is_some_and(|until| until <= Instant::now()) => {
                    break false;
                }
                Received::More => {}
            }
        };
        if !batch.is_empty() && sender.send(batch).is_err() {
            return End::Stopped;
        }
        if is_last {
            return End::Stopped;
        }
    }
}
