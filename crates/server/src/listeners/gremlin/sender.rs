//! The way of frames to a socket: everybody may send, one task writes.
//!
//! What a reader would get wrong: frames that leave before their request has ended take a permit, and wait
//! for one where the client reads slowly; last frames never wait, since the thread that tells of commits
//! sends them.

use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::SinkExt;
use futures_util::stream::SplitSink;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::AnswerForm;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::FRAMES_AHEAD_MAX;

/// A frame on its way.
pub(super) struct Outgoing {
    message: Message,
    _permit: Option<OwnedSemaphorePermit>,
}

/// Sends to one socket.
#[derive(Clone)]
pub(super) struct Sender {
    queue: UnboundedSender<Outgoing>,
    ahead: Arc<Semaphore>,
    runtime: Handle,
}

/// A sender, and what the writing task takes.
pub(super) fn channel() -> (Sender, UnboundedReceiver<Outgoing>) {
    let (queue, frames) = unbounded_channel();
    let ahead = Arc::new(Semaphore::new(FRAMES_AHEAD_MAX));
    (Sender { queue, ahead, runtime: Handle::current() }, frames)
}

impl Sender {
    /// Sends the last frame of an answer; a client that is gone misses it.
    pub(super) fn send(&self, form: AnswerForm, bytes: Vec<u8>) {
        let message = message(form, bytes);
        let _gone = self.queue.send(Outgoing { message, _permit: None });
    }

    /// Sends a frame before the last, once the socket has taken enough of those before it. Blocks.
    pub(super) fn send_ahead(&self, form: AnswerForm, bytes: Vec<u8>) -> Result<()> {
        let gone = || Error::new(ErrorKind::Cancelled, "the client went away");
        let permit = match Arc::clone(&self.ahead).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self
                .runtime
                .block_on(Arc::clone(&self.ahead).acquire_owned())
                .map_err(|_| gone())?,
        };
        let outgoing = Outgoing { message: message(form, bytes), _permit: Some(permit) };
        self.queue.send(outgoing).map_err(|_| gone())
    }

    /// From now on nobody waits for a socket that is gone.
    pub(super) fn close(&self) {
        self.ahead.close();
    }
}

fn message(form: AnswerForm, bytes: Vec<u8>) -> Message {
    match (form.is_text, String::from_utf8(bytes)) {
        (true, Ok(text)) => Message::Text(text.into()),
        (false, Ok(text)) => Message::Binary(text.into_bytes().into()),
        (_, Err(error)) => Message::Binary(error.into_bytes().into()),
    }
}

/// Writes frames until nobody sends any more, several at once where they come faster than the socket
/// takes them; then says goodbye.
pub(super) async fn write(
    mut socket: SplitSink<WebSocket, Message>,
    mut frames: UnboundedReceiver<Outgoing>,
    sender: Sender,
) {
    // Its own sender would keep the queue open.
    let ahead = Arc::clone(&sender.ahead);
    drop(sender);
    if write_all(&mut socket, &mut frames).await.is_ok() {
        let code = close_code::NORMAL;
        let goodbye = Message::Close(Some(CloseFrame { code, reason: "".into() }));
        // Who is gone needs none.
        let _gone = socket.send(goodbye).await;
    }
    // Who said goodbye first gets an answer, which has not left yet; without it clients call it an accident.
    let _gone = socket.close().await;
    ahead.close();
}

async fn write_all(
    socket: &mut SplitSink<WebSocket, Message>,
    frames: &mut UnboundedReceiver<Outgoing>,
) -> std::result::Result<(), axum::Error> {
    while let Some(outgoing) = frames.recv().await {
        socket.feed(outgoing.message).await?;
        while let Ok(outgoing) = frames.try_recv() {
            socket.feed(outgoing.message).await?;
        }
        socket.flush().await?;
    }
    Ok(())
}
