//! The thread that writes lines to standard error, and the queue before it.

use std::io::{Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;
use std::{io, thread};

use serde_json::Value;
use tracing::Level;

use super::line::{Fields, Format};

/// Lines that wait for standard error to take them; one more is dropped.
const LINES_MAX: usize = 4_096;

/// How long the end of the program waits for standard error.
const FLUSH_MAX: Duration = Duration::from_secs(2);

enum Message {
    Line(String),
    /// Answered when all before it is written.
    Flush(SyncSender<()>),
}

/// Gives lines to the thread.
#[derive(Clone)]
pub(super) struct Writer {
    queue: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
}

impl Writer {
    /// Starts the thread; it ends with the program.
    pub(super) fn start(format: Format) -> io::Result<Writer> {
        let (queue, waiting) = sync_channel(LINES_MAX);
        let dropped = Arc::new(AtomicU64::new(0));
        let of_thread = Arc::clone(&dropped);
        let named = thread::Builder::new().name("millrace-stderr".to_owned());
        named.spawn(move || write(&waiting, &of_thread, format))?;
        Ok(Writer { queue, dropped })
    }

    /// Queues a line. Never waits.
    pub(super) fn write(&self, line: String) {
        if self.queue.try_send(Message::Line(line)).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until every line before it is written, a moment at most.
    pub(super) fn flush(&self) {
        let (done, is_done) = sync_channel(1);
        if self.queue.try_send(Message::Flush(done)).is_ok() {
            // A reader that is stuck misses the last lines.
            let _late = is_done.recv_timeout(FLUSH_MAX);
        }
    }
}

fn write(waiting: &Receiver<Message>, dropped: &AtomicU64, format: Format) {
    for message in waiting {
        match message {
            // Where standard error is closed there is no log.
            Message::Line(line) => drop(stderr().write_all(line.as_bytes())),
            Message::Flush(done) => drop(done.send(())),
        }
        let lost = dropped.swap(0, Ordering::Relaxed);
        if 0 < lost {
            // Not by `tracing`: this thread is behind it.
            let fields = Fields::one("lines", Value::from(lost));
            let line = format.line(&Level::WARN, "lines-dropped", &fields);
            drop(stderr().write_all(line.as_bytes()));
        }
    }
}
