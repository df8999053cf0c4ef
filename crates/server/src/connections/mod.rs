//! Connections: their number, the time limits of their clients, and the memory of their bodies and unread
//! answers.
//!
//! ```text
//!   accept ── permit ──> Stream (counts bytes) ──> hyper ──> gate ──> router ──> listeners
//!      │                    │                        │
//!     503 when full      Activity <── watch ─────────┘ closes overdue connections
//! ```
//!
//! A connection holds its permit until its socket is closed, also after it became a WebSocket. There are
//! never so many that the store finds no file descriptor.
//!
//! Whatever a request means is above: a connection passes it through the gate for browsers to the routes of its
//! listener.

mod accept;
mod activity;
mod bodies;
mod descriptors;
mod gunzip;
mod least_rate;
mod left_body;
mod peer;
mod serve;
mod stream;
mod unsent;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use millrace_db::Database;
use millrace_model::{MemoryBudget, Result};
use tokio::sync::{Semaphore, watch};

pub(crate) use accept::{accept, listen};
pub(crate) use activity::{Activity, Refused};
use bodies::BodyBudget;
pub(crate) use bodies::{Held, Reservation, Unread, whole};
pub(crate) use gunzip::unpacked;
pub(crate) use peer::{Connected, Peer, peer_of};
pub(crate) use serve::{Accepted, Version};
pub(crate) use stream::Stream;
pub(crate) use unsent::{Charge, Unsent};

use crate::limits::TICK_MAX;

/// Why a connection was closed by the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overdue {
    /// The head of a request took too long.
    Head,
    /// No request came, or nothing of an answer was taken.
    Idle,
    /// A body or a message was too slow.
    Slow,
    /// The client did not log in.
    Login,
    /// Its client's unread answers were the most in memory when there was no more of it.
    Memory,
}

impl Overdue {
    const ALL: [Overdue; 5] =
        [Overdue::Head, Overdue::Idle, Overdue::Slow, Overdue::Login, Overdue::Memory];

    fn word(self) -> &'static str {
        match self {
            Overdue::Head => "head",
            Overdue::Idle => "idle",
            Overdue::Slow => "slow",
            Overdue::Login => "login",
            Overdue::Memory => "memory",
        }
    }
}

/// Time limits of clients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) head: Duration,
    pub(crate) idle: Duration,
    pub(crate) socket_idle: Duration,
    pub(crate) login: Duration,
    pub(crate) closing: Duration,
    pub(crate) rate: Rate,
}

/// The least rate of bytes that arrive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) window: Duration,
    /// Bytes that a window has to bring.
    pub(crate) window_bytes: u64,
}

impl Times {
    /// How often a connection is looked at.
    fn tick(&self) -> Duration {
        let shortest = self.head.min(self.idle).min(self.socket_idle).min(self.login);
        (shortest.min(self.rate.window) / 4).clamp(Duration::from_millis(5), TICK_MAX)
    }

    pub(crate) fn ticks(&self) -> tokio::time::Interval {
        let mut ticks = tokio::time::interval(self.tick());
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        ticks
    }
}

/// State shared by all connections.
pub(crate) struct Connections {
    pub(crate) times: Times,
    pub(crate) bodies: BodyBudget,
    memory: MemoryBudget,
    /// Bytes of answers that clients have not taken.
    unsent: Arc<AtomicU64>,
    permits: Arc<Semaphore>,
    max: usize,
    refused: AtomicU64,
    closed: [AtomicU64; Overdue::ALL.len()],
    /// Held by each connection.
    alive: watch::Sender<()>,
}

impl Connections {
    pub(crate) fn new(database: &Database) -> Result<Connections> {
        let own = &database.settings().connections;
        let max = descriptors::connections_max(own.max)?;
        let millis = Duration::from_millis;
        let window_bytes = own.body_rate_min.saturating_mul(own.body_window_ms).div_ceil(1_000);
        let rate = Rate { window: millis(own.body_window_ms), window_bytes };
        let times = Times {
            head: millis(own.head_ms),
            idle: millis(own.idle_ms),
            socket_idle: millis(own.socket_idle_ms),
            login: millis(own.login_ms),
            closing: millis(own.closing_ms),
            rate,
        };
        Ok(Connections {
            times,
            bodies: BodyBudget::new(
                bodies::bytes_max(own.bodies_bytes_max, database.memory()),
                database.memory().clone(),
            ),
            memory: database.memory().clone(),
            unsent: Arc::default(),
            permits: Arc::new(Semaphore::new(max)),
            max,
            refused: AtomicU64::new(0),
            closed: Default::default(),
            alive: watch::Sender::new(()),
        })
    }

    /// A receiver that a connection keeps until it has ended.
    pub(crate) fn connect(&self) -> watch::Receiver<()> {
        self.alive.subscribe()
    }

    /// When no connection is left.
    pub(crate) async fn ended(&self) {
        self.alive.closed().await;
    }

    /// The byte count of a new connection's answers that its client has not taken.
    fn answers(&self) -> Unsent {
        Unsent::new(&self.memory, &self.unsent)
    }

    /// Bytes of answers that clients have not taken, those of small ones aside.
    pub(crate) fn unsent(&self) -> u64 {
        self.unsent.load(Ordering::Relaxed)
    }

    /// Counts a connection that the server closes.
    pub(crate) fn close(&self, why: Overdue) {
        self.closed[why as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Open connections.
    pub(crate) fn open(&self) -> usize {
        self.max - self.permits.available_permits()
    }

    /// Connections that were refused because there were too many.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Closed connections, by reason.
    pub(crate) fn closed(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let counts = self.closed.iter().map(|count| count.load(Ordering::Relaxed));
        Overdue::ALL.into_iter().map(Overdue::word).zip(counts)
    }
}
