//! The way of frames to a socket: any thread may send, one task writes.
//!
//! Frames that leave before their request has ended take a permit. Where a client reads slowly there is none
//! left, and its request pauses: as a value, without a thread. Last frames never wait, since the commit notifier's thread sends them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::SinkExt;
use futures_util::stream::SplitSink;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::AnswerForm;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot};

use crate::connections::{Charge, Unsent};
use crate::limits::{ANSWER_BYTES_AHEAD_MAX, FRAMES_AHEAD_MAX};

/// The estimated memory of a frame besides its bytes.
const FRAME_BYTES: usize = 128;

/// A frame on its way.
///
/// Its bytes are counted until it has left.
pub(super) struct Outgoing {
    /// `None`: a flush of frames that are written but unsent, such as a pong.
    message: Option<Message>,
    /// The callback when all before it has been sent.
    left: Option<oneshot::Sender<()>>,
    _permit: Option<OwnedSemaphorePermit>,
    _counted: Counted,
}

/// Bytes that wait for the socket.
#[derive(Default)]
struct Backlog {
    bytes: AtomicUsize,
    less: Notify,
}

/// A frame's part of them, while it waits.
struct Counted {
    backlog: Arc<Backlog>,
    bytes: usize,
    /// The same of the memory of the process.
    _charge: Option<Charge>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.backlog.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.backlog.less.notify_one();
    }
}

/// Sends to one socket.
#[derive(Clone)]
pub(super) struct Sender {
    queue: UnboundedSender<Outgoing>,
    ahead: Arc<Semaphore>,
    backlog: Arc<Backlog>,
    goodbye: Arc<OnceLock<CloseFrame>>,
    unsent: Unsent,
    runtime: Handle,
}

/// Knows whether requests of a connection are under way.
pub(super) struct Idleness(Weak<Semaphore>);

impl Idleness {
    /// Whether none is: only the connection and the writer are left that could send.
    pub(super) fn is_idle(&self) -> bool {
        self.0.strong_count() <= 2
    }
}

/// A sender, and the receiver of its writing task.
pub(super) fn channel(unsent: Unsent) -> (Sender, UnboundedReceiver<Outgoing>) {
    let (queue, frames) = unbounded_channel();
    let ahead = Arc::new(Semaphore::new(FRAMES_AHEAD_MAX));
    let (backlog, goodbye) = (Arc::default(), Arc::default());
    (Sender { queue, ahead, backlog, goodbye, unsent, runtime: Handle::current() }, frames)
}

impl Sender {
    /// Sends a small frame, such as an error; a client that is gone misses it.
    pub(super) fn send(&self, form: AnswerForm, bytes: Vec<u8>) {
        // Without room it leaves all the same: it is small, and there are no more of them than requests.
        let charge = self.unsent.charge(bytes.len() + FRAME_BYTES).ok();
        self.enqueue(Some(message(form, bytes)), charge, None, None);
    }

    /// Sends the last frame of an answer, or says that there is no memory for it.
    pub(super) fn send_results(&self, form: AnswerForm, bytes: Vec<u8>) -> Result<()> {
        let charge = self.unsent.charge(bytes.len() + FRAME_BYTES)?;
        self.enqueue(Some(message(form, bytes)), Some(charge), None, None);
        Ok(())
    }

    /// Whether it is still listened to; if not, the client is gone.
    fn enqueue(
        &self,
        message: Option<Message>,
        charge: Option<Charge>,
        permit: Option<OwnedSemaphorePermit>,
        left: Option<oneshot::Sender<()>>,
    ) -> bool {
        let content = match &message {
            Some(Message::Text(text)) => text.len(),
            Some(Message::Binary(bytes)) => bytes.len(),
            _ => 0,
        };
        let (backlog, bytes) = (Arc::clone(&self.backlog), content + FRAME_BYTES);
        backlog.bytes.fetch_add(bytes, Ordering::Relaxed);
        let counted = Counted { backlog, bytes, _charge: charge };
        let outgoing = Outgoing { message, left, _permit: permit, _counted: counted };
        self.queue.send(outgoing).is_ok()
    }

    /// Flushes unsent frames. The receiver ends when they have left, or the socket is gone.
    pub(super) fn flush(&self) -> oneshot::Receiver<()> {
        let (left, is_left) = oneshot::channel();
        self.enqueue(None, None, None, Some(left));
        is_left
    }

    /// A handle that knows whether requests are under way.
    pub(super) fn idleness(&self) -> Idleness {
        Idleness(Arc::downgrade(&self.ahead))
    }

    /// Until the socket has taken so much that more may be asked: the server stops reading from a client
    /// that asks and does not read.
    pub(super) async fn room(&self) {
        while ANSWER_BYTES_AHEAD_MAX < self.backlog.bytes.load(Ordering::Relaxed) {
            self.backlog.less.notified().await;
        }
    }

    /// Sets the reason in the last frame, where it is not a normal closure.
    pub(super) fn say_goodbye(&self, why: CloseFrame) {
        // The first reason is the reason.
        let _known = self.goodbye.set(why);
    }

    /// Sends a frame before the last. It leaves also where [`Sender::is_full`]: the caller waits then before it
    /// makes more.
    pub(super) fn send_ahead(&self, form: AnswerForm, bytes: Vec<u8>) -> Result<()> {
        let permit = Arc::clone(&self.ahead).try_acquire_owned().ok();
        let charge = self.unsent.charge(bytes.len() + FRAME_BYTES)?;
        let is_there = self.enqueue(Some(message(form, bytes)), Some(charge), permit, None);
        if is_there && !self.ahead.is_closed() { Ok(()) } else { Err(gone()) }
    }

    /// Whether the socket has as many frames before the last as it may.
    pub(super) fn is_full(&self) -> bool {
        self.ahead.available_permits() == 0
    }

    /// Runs work once the socket has taken some of them, or is gone; no thread waits for that.
    pub(super) fn once_there_is_room(&self, work: impl FnOnce() + Send + 'static) {
        let ahead = Arc::clone(&self.ahead);
        self.runtime.spawn(async move {
            let _gone = ahead.acquire().await;
            work();
        });
    }

    /// The same for a thread that may block.
    pub(super) fn wait_for_room(&self) -> Result<()> {
        if self.is_full() {
            let _gone = self.runtime.block_on(self.ahead.acquire());
        }
        if self.ahead.is_closed() { Err(gone()) } else { Ok(()) }
    }

    /// From now on no thread waits for a socket that is gone.
    pub(super) fn close(&self) {
        self.ahead.close();
    }
}

fn gone() -> Error {
    Error::new(ErrorKind::Cancelled, "the client went away")
}

fn message(form: AnswerForm, bytes: Vec<u8>) -> Message {
    match (form.is_text, String::from_utf8(bytes)) {
        (true, Ok(text)) => Message::Text(text.into()),
        (false, Ok(text)) => Message::Binary(text.into_bytes().into()),
        (_, Err(error)) => Message::Binary(error.into_bytes().into()),
    }
}

/// Writes frames until all senders are gone, several in one write where they come faster than the socket
/// takes them; then says goodbye.
pub(super) async fn write(
    mut socket: SplitSink<WebSocket, Message>,
    mut frames: UnboundedReceiver<Outgoing>,
    sender: Sender,
) {
    // Its own sender would keep the queue open.
    let (ahead, goodbye) = (Arc::clone(&sender.ahead), Arc::clone(&sender.goodbye));
    drop(sender);
    if write_all(&mut socket, &mut frames).await.is_ok() {
        let all_is_well = || CloseFrame { code: close_code::NORMAL, reason: "".into() };
        let goodbye = Message::Close(Some(goodbye.get().cloned().unwrap_or_else(all_is_well)));
        // A client that is gone needs none.
        let _gone = socket.send(goodbye).await;
    }
    // If the client said goodbye first, its answer still has to leave, or clients report an accident.
    let _gone = socket.close().await;
    ahead.close();
}

async fn write_all(
    socket: &mut SplitSink<WebSocket, Message>,
    frames: &mut UnboundedReceiver<Outgoing>,
) -> std::result::Result<(), axum::Error> {
    while let Some(mut outgoing) = frames.recv().await {
        // The waiters to call when all has left, or with an error, when nothing will.
        let mut callbacks = Vec::new();
        // The last one may be in a buffer below until it is flushed; those before it are not any more.
        let mut fed;
        loop {
            callbacks.extend(outgoing.left.take());
            if let Some(message) = outgoing.message.take() {
                socket.feed(message).await?;
            }
            fed = outgoing;
            match frames.try_recv() {
                Ok(next) => outgoing = next,
                Err(_) => break,
            }
        }
        socket.flush().await?;
        drop(fed);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use millrace_model::MemoryBudget;
    use millrace_wire::gremlin::Format;

    use super::*;

    #[test]
    fn a_client_that_does_not_drain_its_answers_is_not_read() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let _inside = runtime.enter();
        let memory = MemoryBudget::new(u64::MAX);
        let (sender, mut frames) = channel(Unsent::new(&memory, &Arc::default()));
        let form = AnswerForm { format: Format::GraphBinary, is_text: false };
        sender.send(form, vec![0; ANSWER_BYTES_AHEAD_MAX / 2]);
        assert!(sender.room().now_or_never().is_some());
        sender.send(form, vec![0; ANSWER_BYTES_AHEAD_MAX / 2]);
        assert!(sender.room().now_or_never().is_none());
        drop(frames.try_recv().unwrap());
        assert!(sender.room().now_or_never().is_some());
        for _ in 0..ANSWER_BYTES_AHEAD_MAX / FRAME_BYTES {
            sender.send(form, Vec::new());
        }
        assert!(sender.room().now_or_never().is_none(), "frames take more than their bytes");
        drop(frames);
        assert!(sender.room().now_or_never().is_some(), "a socket that is gone holds nobody up");
    }
}
