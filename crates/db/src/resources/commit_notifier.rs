//! Answers commits once they are visible, so that no interpreter waits for a disk.
//!
//! One thread takes every ticket that gathered while the last sync ran, waits for the highest, and calls
//! all of them back: one wake-up for ten commits or ten thousand. Callbacks run on this thread, so they
//! may send, but must not do other work.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use millrace_model::{Error, ErrorKind, Result};
use millrace_store::Ticket;
use parking_lot::Mutex;

use crate::limits::TICKETS_WAITING_MAX;

/// The callback for a commit: whether it is visible.
pub(crate) type OnVisible = Box<dyn FnOnce(Result<()>) + Send>;

/// A commit that was accepted, and its callback.
struct Waiting {
    ticket: Ticket,
    on_visible: OnVisible,
}

/// The thread and its queue.
pub(crate) struct CommitNotifier {
    queue: Mutex<Option<SyncSender<Waiting>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl CommitNotifier {
    pub(crate) fn start() -> Result<CommitNotifier> {
        let (sender, receiver) = sync_channel(TICKETS_WAITING_MAX);
        let named = thread::Builder::new().name("millrace-acknowledge".to_owned());
        let thread = named.spawn(move || serve(&receiver)).map_err(|error| {
            Error::new(
                ErrorKind::Unavailable,
                format!("the thread of the commit notifier cannot start: {error}"),
            )
        })?;
        Ok(CommitNotifier { queue: Mutex::new(Some(sender)), thread: Mutex::new(Some(thread)) })
    }

    /// Calls back once the ticket's commit is visible. Blocks while the queue is full.
    pub(crate) fn wait(&self, ticket: Ticket, on_visible: OnVisible) {
        let Some(queue) = self.queue.lock().clone() else {
            return on_visible(ticket.wait().map(|_| ()));
        };
        if let Err(refused) = queue.send(Waiting { ticket, on_visible }) {
            let Waiting { ticket, on_visible } = refused.0;
            on_visible(ticket.wait().map(|_| ()));
        }
    }

    /// Serves the queued tickets, then ends the thread.
    pub(crate) fn close(&self) {
        drop(self.queue.lock().take());
        if let Some(thread) = self.thread.lock().take() {
            thread.join().expect("the commit notifier does not panic");
        }
    }
}

fn serve(queue: &Receiver<Waiting>) {
    while let Ok(first) = queue.recv() {
        let mut waiting = vec![first];
        waiting.extend(queue.try_iter());
        let highest = waiting.iter().map(|one| &one.ticket).max_by_key(|ticket| ticket.position);
        let all_visible = highest.is_some_and(|ticket| ticket.wait().is_ok());
        for Waiting { ticket, on_visible } in waiting {
            // After a failed sync some of them may be visible, and the state of the others is unknown.
            on_visible(if all_visible { Ok(()) } else { ticket.wait().map(|_| ()) });
        }
    }
}
