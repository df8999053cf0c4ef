//! The activity of a connection, and since when: the base of its time limits.
//!
//! The socket reports bytes, the service requests, a WebSocket messages; a task of the connection
//! looks whether something is overdue. While a request runs nothing is, except that the client takes no
//! byte of an answer.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::{Connections, Overdue, Rate, Reservation, Times, Unsent};
use crate::limits::BODY_STEP_BYTES;

/// The activity of a connection.
pub(crate) struct Activity {
    inner: Mutex<Inner>,
    /// Answers that the client has not taken.
    pub(crate) unsent: Unsent,
}

struct Inner {
    phase: Phase,
    /// Since when the client has read no byte of a waiting answer.
    blocked: Option<Instant>,
    /// When a byte was read or written last.
    last: Instant,
}

enum Phase {
    /// A request is waited for, since a moment; its head began at another.
    Head { since: Instant, began: Option<Instant> },
    /// A request runs.
    Request,
    /// It has streams, and so many of them run a request.
    Streams(usize),
    /// It is a WebSocket.
    Socket(Incoming),
}

/// The message that a WebSocket reads.
struct Incoming {
    /// Bytes since the last message.
    bytes: u64,
    /// Bytes beyond which it is refused.
    bytes_max: u64,
    /// Bytes of which it is measured whether they come at the least rate, and since when.
    window: (u64, Instant),
    rate: Rate,
    reservation: Reservation,
    refused: Option<Refused>,
}

/// Why a message of a WebSocket is not read any further.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refused {
    /// It is longer than it may be before the client has logged in.
    TooLong,
    /// There is no room for it.
    NoRoom,
}

/// A request that runs until this is dropped.
pub(super) struct Running(Arc<Activity>);

impl Drop for Running {
    fn drop(&mut self) {
        let mut inner = self.0.lock();
        match &mut inner.phase {
            Phase::Request => inner.phase = Phase::Head { since: Instant::now(), began: None },
            Phase::Streams(running) => {
                *running = running.saturating_sub(1);
                inner.last = Instant::now();
            }
            Phase::Head { .. } | Phase::Socket(_) => {}
        }
    }
}

impl Activity {
    /// The state of a new connection: the head of its first request has begun.
    pub(super) fn new(connections: &Connections) -> Activity {
        let now = Instant::now();
        let phase = Phase::Head { since: now, began: Some(now) };
        let inner = Mutex::new(Inner { phase, blocked: None, last: now });
        Activity { inner, unsent: connections.answers() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes were read; fails if they belong to a message that is not taken.
    pub(super) fn read(&self, bytes: usize) -> io::Result<()> {
        let now = Instant::now();
        let inner = &mut *self.lock();
        inner.last = now;
        match &mut inner.phase {
            Phase::Head { began, .. } if 0 < bytes => {
                began.get_or_insert(now);
                Ok(())
            }
            Phase::Head { .. } | Phase::Request | Phase::Streams(_) => Ok(()),
            Phase::Socket(incoming) => incoming.read(bytes as u64, now),
        }
    }

    /// Bytes were written.
    pub(super) fn wrote(&self) {
        let now = Instant::now();
        let mut inner = self.lock();
        (inner.blocked, inner.last) = (None, now);
        if let Phase::Head { since, began: None } = &mut inner.phase {
            *since = now;
        }
    }

    /// The client reads no further bytes for now.
    pub(super) fn write_blocked(&self) {
        self.lock().blocked.get_or_insert_with(Instant::now);
    }

    /// A request runs.
    pub(super) fn run(self: Arc<Activity>) -> Running {
        let mut inner = self.lock();
        match &mut inner.phase {
            Phase::Streams(running) => *running += 1,
            Phase::Head { .. } | Phase::Request | Phase::Socket(_) => inner.phase = Phase::Request,
        }
        drop(inner);
        Running(self)
    }

    /// Whether no request runs, and nothing is left to be written.
    pub(super) fn is_between_requests(&self) -> bool {
        let inner = self.lock();
        matches!(inner.phase, Phase::Head { .. } | Phase::Streams(0)) && inner.blocked.is_none()
    }

    /// The limit that an HTTP connection has exceeded, if any.
    pub(super) fn overdue(&self, times: &Times) -> Option<Overdue> {
        if self.unsent.check().is_err() {
            return Some(Overdue::Memory);
        }
        let inner = self.lock();
        if let Some(blocked) = inner.blocked {
            return (times.idle <= blocked.elapsed()).then_some(Overdue::Idle);
        }
        match &inner.phase {
            Phase::Head { began: Some(began), .. } => {
                (times.head <= began.elapsed()).then_some(Overdue::Head)
            }
            Phase::Head { since, began: None } => {
                (times.idle <= since.elapsed()).then_some(Overdue::Idle)
            }
            // Its client keeps it for later requests, as that of a WebSocket does.
            Phase::Streams(0) => {
                (times.socket_idle <= inner.last.elapsed()).then_some(Overdue::Idle)
            }
            Phase::Request | Phase::Streams(_) | Phase::Socket(_) => None,
        }
    }

    /// From now on it has streams with requests of their own.
    pub(super) fn become_streams(&self) {
        self.lock().phase = Phase::Streams(0);
    }

    /// From now on it is a WebSocket, with messages within a budget and a bound.
    pub(crate) fn become_socket(&self, connections: &Connections, bytes_max: u64) {
        let (window, rate) = ((0, Instant::now()), connections.times.rate);
        let reservation = connections.bodies.reserve();
        let incoming = Incoming { bytes: 0, bytes_max, window, rate, reservation, refused: None };
        self.lock().phase = Phase::Socket(incoming);
    }

    fn with_incoming<T>(&self, work: impl FnOnce(&mut Incoming) -> T) -> Option<T> {
        match &mut self.lock().phase {
            Phase::Socket(incoming) => Some(work(incoming)),
            Phase::Head { .. } | Phase::Request | Phase::Streams(_) => None,
        }
    }

    /// The client has logged in: its messages may be as long as any.
    pub(crate) fn allow_long_messages(&self) {
        self.with_incoming(|incoming| incoming.bytes_max = u64::MAX);
    }

    /// A message was read; its share of the budget is the caller's now.
    pub(crate) fn take_message(&self) -> Option<Reservation> {
        self.with_incoming(|incoming| {
            incoming.bytes = 0;
            incoming.reservation.arrived();
            let next = incoming.reservation.budget().reserve();
            std::mem::replace(&mut incoming.reservation, next)
        })
    }

    /// A control frame of so many bytes was read; it may stand between the parts of a message.
    pub(crate) fn take_control(&self, bytes: usize) {
        self.with_incoming(|incoming| {
            incoming.bytes = incoming.bytes.saturating_sub(bytes as u64);
        });
    }

    /// The server reads again, after it did something else.
    pub(crate) fn read_on(&self) {
        self.with_incoming(|incoming| incoming.window = (0, Instant::now()));
    }

    /// Why the last message was not read.
    pub(crate) fn refused(&self) -> Option<Refused> {
        self.with_incoming(|incoming| incoming.refused).flatten()
    }

    /// The limit that a WebSocket, idle or not, has exceeded, if any.
    pub(crate) fn socket_overdue(&self, times: &Times, is_idle: bool) -> Option<Overdue> {
        if self.unsent.check().is_err() {
            return Some(Overdue::Memory);
        }
        let mut inner = self.lock();
        if let Phase::Socket(incoming) = &mut inner.phase {
            if incoming.reservation.is_lost() {
                return Some(Overdue::Memory);
            }
            let (bytes, since) = incoming.window;
            let is_slow = bytes < times.rate.window_bytes && times.rate.window <= since.elapsed();
            if 0 < incoming.bytes && is_slow {
                return Some(Overdue::Slow);
            }
        }
        let is_quiet = times.socket_idle <= inner.last.elapsed();
        (is_quiet && (is_idle || inner.blocked.is_some())).then_some(Overdue::Idle)
    }
}

impl Incoming {
    fn read(&mut self, bytes: u64, now: Instant) -> io::Result<()> {
        if self.bytes == 0 {
            self.window = (0, now);
        }
        self.bytes += bytes;
        self.window.0 += bytes;
        if self.rate.window_bytes <= self.window.0 {
            self.window = (0, now);
        }
        self.check().map_err(|refused| {
            self.refused = Some(refused);
            io::Error::other("the message was refused")
        })
    }

    fn check(&mut self) -> Result<(), Refused> {
        if self.bytes_max < self.bytes {
            return Err(Refused::TooLong);
        }
        // Small messages come and go in the buffers that a connection has anyway.
        if BODY_STEP_BYTES as u64 <= self.bytes && self.reservation.bytes() < self.bytes {
            let room = self.bytes.next_multiple_of(BODY_STEP_BYTES as u64);
            self.reservation.grow_to(room).map_err(|_| Refused::NoRoom)?;
        }
        Ok(())
    }
}
