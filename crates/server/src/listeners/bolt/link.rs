//! The socket of a connection: bytes in and out, its time limits, and the end of the server.
//!
//! Whatever a connection waits for, it waits for here, so that bytes are read and time limits hold meanwhile.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_wire::bolt::Version;
use millrace_wire::bolt::frames::{Frames, write_close, write_frame};
use millrace_wire::bolt::handshake::{Handshake, Progress};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::sync::watch;
use tokio::time::{Interval, timeout};

use super::{Shared, websocket};
use crate::connections::{Activity, Overdue, Stream};
use crate::limits::BOLT_READ_BYTES;
use crate::state::State;

/// The connection has ended: its client is gone, or something was overdue.
#[derive(Debug)]
pub(super) struct Ended;

/// What a connection that has not ended gives.
pub(super) type Alive<T = ()> = Result<T, Ended>;

/// What happened on the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// So many bytes are in the buffer.
    Bytes(usize),
    /// Time passed.
    Tick,
    /// The server stops.
    Stopped,
}

/// The socket.
pub(super) struct Link {
    state: Arc<State>,
    activity: Arc<Activity>,
    reader: ReadHalf<Stream>,
    /// Away while it writes.
    writer: Option<WriteHalf<Stream>>,
    buffer: Vec<u8>,
    /// Where it is a WebSocket.
    frames: Option<Frames>,
    /// The content of its frames, and answers to its control frames.
    content: Vec<u8>,
    answers: Vec<u8>,
    ticks: Interval,
    stopped: watch::Receiver<bool>,
    is_stopping: bool,
    began: Instant,
    is_logged_in: bool,
    /// When the last request was done.
    pub(super) last: Instant,
    idle: Duration,
}

impl Link {
    pub(super) fn new(shared: &Shared, stream: Stream, activity: Arc<Activity>) -> Link {
        let state = Arc::clone(&shared.state);
        let (reader, writer) = split(stream);
        let now = Instant::now();
        Link {
            activity,
            reader,
            writer: Some(writer),
            buffer: vec![0; BOLT_READ_BYTES],
            frames: None,
            content: Vec::new(),
            answers: Vec::new(),
            ticks: state.connections.times.ticks(),
            stopped: shared.stopped.clone(),
            is_stopping: false,
            began: now,
            is_logged_in: false,
            last: now,
            idle: Duration::from_millis(state.database.settings().bolt.idle_ms),
            state,
        }
    }

    /// What its connection did last, and since when.
    pub(super) fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Bytes that were read.
    pub(super) fn received(&self, count: usize) -> &[u8] {
        match self.frames {
            Some(_) => &self.content,
            None => &self.buffer[..count],
        }
    }

    /// Whether something has to be written besides answers of Bolt.
    pub(super) fn has_answers(&self) -> bool {
        !self.answers.is_empty()
    }

    /// Whether the client has closed its WebSocket.
    pub(super) fn is_closed(&self) -> bool {
        self.frames.as_ref().is_some_and(Frames::is_closed)
    }

    /// The content of the frames in the bytes that were read.
    fn unframe(&mut self, count: usize) -> Alive {
        let Link { frames, buffer, content, answers, .. } = self;
        let Some(frames) = frames else { return Ok(()) };
        content.clear();
        frames.push(&buffer[..count], content, answers).map_err(|_| Ended)
    }

    /// The client has logged in: its messages may be as long as any.
    pub(super) fn log_in(&mut self) {
        self.is_logged_in = true;
        self.activity.allow_long_messages();
    }

    /// Whether the server stops.
    pub(super) fn is_stopping(&self) -> bool {
        self.is_stopping
    }

    /// The next event; the future may be dropped without loss.
    pub(super) async fn event(&mut self, reads: bool, is_busy: bool) -> Result<Event, Ended> {
        if reads {
            self.activity.read_on();
        }
        let event = tokio::select! {
            read = self.reader.read(&mut self.buffer), if reads => match read {
                Ok(0) | Err(_) => return Err(Ended),
                Ok(count) => Event::Bytes(count),
            },
            _ = self.ticks.tick() => Event::Tick,
            // A sender that is gone means stop, too.
            () = stopping(&mut self.stopped), if !self.is_stopping => Event::Stopped,
        };
        match event {
            Event::Bytes(count) => self.unframe(count)?,
            Event::Stopped => self.is_stopping = true,
            Event::Tick => {
                if !reads {
                    // A message that has begun is not slow while it is not read.
                    self.activity.read_on();
                }
                if let Some(why) = self.overdue(is_busy) {
                    self.state.connections.close(why);
                    return Err(Ended);
                }
            }
        }
        Ok(event)
    }

    fn overdue(&self, is_busy: bool) -> Option<Overdue> {
        let times = &self.state.connections.times;
        if !self.is_logged_in && times.login <= self.began.elapsed() {
            return Some(Overdue::Login);
        }
        if !is_busy && self.is_logged_in && self.idle <= self.last.elapsed() {
            return Some(Overdue::Idle);
        }
        self.activity.socket_overdue(times, false)
    }

    /// The writing half with bytes to write. It comes back by [`Link::wrote`].
    pub(super) fn write(
        &mut self,
        bytes: Vec<u8>,
    ) -> impl Future<Output = (io::Result<()>, Option<WriteHalf<Stream>>, Vec<u8>)> + use<> {
        let writer = self.writer.take();
        let mut bytes = bytes;
        if self.frames.is_some() {
            let mut framed = std::mem::take(&mut self.answers);
            if !bytes.is_empty() {
                write_frame(&mut framed, &bytes);
            }
            bytes = framed;
        }
        async move {
            let Some(mut writer) = writer else {
                return (Err(io::ErrorKind::BrokenPipe.into()), None, bytes);
            };
            let written = writer.write_all(&bytes).await;
            (written, Some(writer), bytes)
        }
    }

    /// The writing half has written.
    pub(super) fn wrote(&mut self, writer: Option<WriteHalf<Stream>>) {
        self.writer = writer;
    }

    /// Waits for bytes; a server that stops waits for none.
    async fn bytes(&mut self) -> Alive<Vec<u8>> {
        loop {
            match self.event(true, false).await? {
                Event::Bytes(count) => {
                    // A small message is taken off the account of the ones that arrive.
                    drop(self.activity.take_message());
                    return Ok(self.received(count).to_vec());
                }
                Event::Tick => {}
                Event::Stopped => return Err(Ended),
            }
        }
    }

    /// Answers the request of a WebSocket, of which these bytes have arrived; the first bytes of Bolt.
    async fn become_websocket(&mut self, mut head: Vec<u8>) -> Alive<Vec<u8>> {
        let (answer, used) = loop {
            match websocket::answer(&self.state, &head) {
                Ok(Some(answered)) => break answered,
                Ok(None) => head.extend(self.bytes().await?),
                Err(error) => {
                    self.write_now(websocket::refusal(&error)).await?;
                    self.close().await;
                    return Err(Ended);
                }
            }
        };
        self.write_now(answer).await?;
        let mut frames = Frames::default();
        let mut first = Vec::new();
        frames.push(&head[used..], &mut first, &mut self.answers).map_err(|_| Ended)?;
        self.frames = Some(frames);
        Ok(first)
    }

    /// Shakes hands; the version, and the bytes behind.
    pub(super) async fn shake_hands(&mut self) -> Alive<(Version, Vec<u8>)> {
        let mut handshake = Handshake::default();
        let mut bytes = self.bytes().await?;
        loop {
            match handshake.push(&bytes).map_err(|_| Ended)? {
                Progress::More => {}
                Progress::Send(bytes) => self.write_now(bytes).await?,
                Progress::Agreed(version, bytes) => {
                    self.write_now(bytes).await?;
                    return Ok((version, handshake.into_rest()));
                }
                Progress::NoVersion(bytes) => {
                    self.write_now(bytes).await?;
                    self.close().await;
                    return Err(Ended);
                }
                Progress::WebSocket if self.frames.is_none() => {
                    let head = std::mem::take(&mut handshake).into_rest();
                    bytes = self.become_websocket(head).await?;
                    continue;
                }
                Progress::WebSocket => return Err(Ended),
            }
            bytes = self.bytes().await?;
        }
    }

    /// Writes a few bytes within the time limits.
    async fn write_now(&mut self, bytes: Vec<u8>) -> Result<(), Ended> {
        let mut writing = pin!(self.write(bytes));
        loop {
            tokio::select! {
                (written, writer, _) = &mut writing => {
                    self.wrote(writer);
                    return written.map_err(|_| Ended);
                }
                event = self.event(false, true) => { event?; }
            }
        }
    }

    /// Closes it: the client reads all that was written.
    pub(super) async fn close(&mut self) {
        let Some(mut writer) = self.writer.take() else { return };
        let mut goodbye = std::mem::take(&mut self.answers);
        if self.frames.is_some() && !self.is_closed() {
            write_close(&mut goodbye);
        }
        let closing = self.state.connections.times.closing;
        let both = async {
            // Unread bytes from the client would make its system discard the last answer.
            let _gone = writer.write_all(&goodbye).await;
            let _gone = writer.shutdown().await;
            while matches!(self.reader.read(&mut self.buffer).await, Ok(count) if count != 0) {}
        };
        let _late = timeout(closing, both).await;
    }
}

/// When the server stops.
async fn stopping(stopped: &mut watch::Receiver<bool>) {
    let _gone = stopped.wait_for(|is_stopped| *is_stopped).await;
}
