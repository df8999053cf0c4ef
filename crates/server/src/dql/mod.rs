//! What the listeners of Dgraph's protocols share: requests in DQL, and transactions that go on over requests.
//!
//! ```text
//!   query ── number, snapshot ──> run ──> Done     the snapshot is remembered in `reads`, under the number
//!   mutate ─┬─ commitNow ───────> run, retried ──> Done
//!           └─ else ── `open`, begun over the snapshot of its reads ──> run in it ──> Done ... commit
//! ```
//!
//! A number that is not known, or not any more, is aborted: no client writes under a snapshot that it did not read.
//!
//! No socket and no message of HTTP enters: those are the listeners'. What a text means is for its language.

mod alters;
mod answer;
mod background;
mod login;
mod mutations;
mod namespaces;
mod numbers;
mod open;
mod queries;
mod reads;
mod run;
mod status;
mod transactions;
mod written;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use millrace_db::RequestLimits;
use millrace_wire::dql::{Latency, TxnContext};
use tokio::sync::watch;

pub(crate) use answer::Answer;
pub(crate) use login::{Denied, DeniedKind};
pub(crate) use mutations::{Data, Mutate};
pub(crate) use namespaces::User;
pub(crate) use queries::Query;

use crate::connections::Peer;
use crate::limits::DQL_SWEEP;
use crate::state::State;
use background::Building;
use numbers::Numbers;
use open::Open;
use reads::Reads;

/// What all requests of both protocols share.
pub(crate) struct Dql {
    pub(crate) state: Arc<State>,
    /// The name of the graph of namespace 0.
    graph: Arc<str>,
    numbers: Arc<Numbers>,
    reads: Reads,
    open: Open,
    building: Arc<Building>,
    is_swept: AtomicBool,
}

/// The client of a request, and what the request may take.
#[derive(Clone)]
pub(crate) struct Asker {
    pub(crate) peer: Peer,
    /// The user that has logged in.
    pub(crate) user: User,
    /// The kind of the request, as metrics and the list of requests have it.
    pub(crate) kind: &'static str,
    pub(crate) limits: RequestLimits,
}

/// A request that was done.
pub(crate) struct Done {
    pub(crate) answer: Answer,
    pub(crate) txn: TxnContext,
    pub(crate) latency: Latency,
}

/// The parts of a request's time.
struct Clock {
    began: Instant,
    latency: Latency,
}

impl Clock {
    fn new(began: Instant) -> Clock {
        Clock { began, latency: Latency::default() }
    }

    /// Notes what some work took, as a part that it names.
    fn note(&mut self, part: fn(&mut Latency) -> &mut u64, since: Instant) {
        *part(&mut self.latency) += nanos(since.elapsed());
    }

    fn end(self) -> Latency {
        Latency { total_ns: nanos(self.began.elapsed()), ..self.latency }
    }
}

/// Nanoseconds, as answers have them.
pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Dql {
    pub(crate) fn new(state: &Arc<State>) -> Dql {
        Dql {
            state: Arc::clone(state),
            graph: Arc::from(state.database.settings().dql.graph.as_str()),
            numbers: Arc::default(),
            reads: Reads::within(state.database.memory()),
            open: Open::within(state.database.memory()),
            building: Arc::default(),
            is_swept: AtomicBool::new(false),
        }
    }

    /// Aborts what waits too long for its client, until the server stops; once for both protocols.
    pub(crate) fn begin_to_sweep(self: &Arc<Dql>, mut stopped: watch::Receiver<bool>) {
        if self.is_swept.swap(true, Ordering::Relaxed) {
            return;
        }
        let own = Arc::downgrade(self);
        let idle = Duration::from_millis(self.state.database.settings().dql.transaction_idle_ms);
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(DQL_SWEEP.min(idle));
            loop {
                tokio::select! {
                    _ = stopped.wait_for(|is_stopped| *is_stopped) => return,
                    _ = ticks.tick() => {}
                }
                let Some(own) = own.upgrade() else { return };
                own.open.expire(idle);
                own.reads.expire(idle);
            }
        });
    }
}
