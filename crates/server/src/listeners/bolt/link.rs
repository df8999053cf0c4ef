//! The socket of a connection: bytes in and out, its time limits, and the end of the server.
//!
//! Whatever a connection waits for, it waits for here, so that bytes are read and time limits hold meanwhile.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_wire::bolt::Version;
use millrace_wire::bolt::handshake::{Handshake, Progress};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::sync::watch;
use tokio::time::{Interval, timeout};

use super::Shared;
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
        &self.buffer[..count]
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
            Event::Bytes(_) => {}
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

    /// Shakes hands; the version, and the bytes behind.
    pub(super) async fn shake_hands(&mut self) -> Result<(Version, Vec<u8>), Ended> {
        let mut handshake = Handshake::default();
        loop {
            let Event::Bytes(count) = self.event(true, false).await? else {
                if self.is_stopping {
                    return Err(Ended);
                }
                continue;
            };
            let progress = handshake.push(&self.buffer[..count]).map_err(|_| Ended)?;
            // A small message is taken off the account of the ones that arrive.
            drop(self.activity.take_message());
            match progress {
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
                Progress::WebSocket => return Err(Ended),
            }
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
        let closing = self.state.connections.times.closing;
        let both = async {
            // Unread bytes from the client would make its system discard the last answer.
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
