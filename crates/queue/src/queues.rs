//! The queues of a server: started behind its listeners, stopped before its database closes.
//!
//! It starts and stops; what happens in between is below.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use millrace_db::services::Service;
use millrace_db::{CancelFlag, Database, Metric};
use millrace_model::{Error, ErrorKind, Result};
use tokio::runtime::Runtime;

use crate::broker::{Broker, runtime};
use crate::consumer::{self, Shared};
use crate::deliveries::{Link, Source};
use crate::keys::Keys;
use crate::limits::CONSUMER_STACK_BYTES;
use crate::messages::Decoder;
use crate::monitoring::{Outcome, QueueMetrics, Status};
use crate::settings::{QueueSettings, of_settings};

/// How often a stopping queue looks whether its consumers have ended.
const STOP_INTERVAL: Duration = Duration::from_millis(5);

/// How many messages had which outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Applied, with a key or where there are none.
    pub committed: u64,
    /// Applied without a key although messages should have one.
    pub unkeyed: u64,
    /// Applied before.
    pub repeated: u64,
    /// Published as dead letters.
    pub dead: u64,
}

/// A queue that is consumed.
pub struct Queue {
    state: Arc<QueueState>,
    consumers: Vec<JoinHandle<()>>,
}

/// The queue as health and metrics see it.
struct QueueState(Shared);

impl Service for QueueState {
    fn name(&self) -> String {
        format!("queue.{}", self.0.settings.name)
    }

    fn problem(&self) -> Option<String> {
        self.0.status.problem()
    }

    fn metrics(&self) -> Vec<Metric> {
        let is_waiting = self.problem().is_some();
        self.0.metrics.metrics(&self.0.settings.name, is_waiting)
    }
}

impl Queue {
    /// Consumes a queue from a source: a broker, or a test's own.
    pub fn start(
        database: &Arc<Database>,
        settings: QueueSettings,
        source: impl FnOnce(&QueueSettings, &Link) -> Arc<dyn Source>,
    ) -> Result<Queue> {
        let link = Link::default();
        let source = source(&settings, &link);
        let shared = Shared {
            database: Arc::clone(database),
            decoder: Decoder::new(&settings)?,
            keys: Keys::new(&settings),
            status: Status::new(&settings.name, settings.consumers),
            metrics: QueueMetrics::new(link.ready),
            stop: link.stop,
            cancel: CancelFlag::default(),
            settings,
        };
        let state = Arc::new(QueueState(shared));
        let start = |number: usize| {
            let (state, source) = (Arc::clone(&state), Arc::clone(&source));
            let named = thread::Builder::new()
                .name(format!("millrace-queue-{number}"))
                .stack_size(CONSUMER_STACK_BYTES);
            named.spawn(move || consumer::run(&state.0, &*source, number)).map_err(|error| {
                let detail = format!("a thread of a queue cannot start: {error}");
                Error::new(ErrorKind::Unavailable, detail)
            })
        };
        let consumers = (0..state.0.settings.consumers).map(start).collect::<Result<_>>()?;
        Ok(Queue { state, consumers })
    }

    /// The queue for health and metrics.
    pub fn service(&self) -> Arc<dyn Service> {
        Arc::clone(&self.state) as Arc<dyn Service>
    }

    /// What is wrong with it, if it waits or has stopped.
    pub fn problem(&self) -> Option<String> {
        self.state.problem()
    }

    /// Whether it has stopped by itself.
    pub fn is_halted(&self) -> bool {
        self.state.0.status.is_halted()
    }

    /// What became of its messages so far.
    pub fn counts(&self) -> Counts {
        let of = |outcome| self.state.0.metrics.outcome(outcome);
        Counts {
            committed: of(Outcome::Committed),
            unkeyed: of(Outcome::Unkeyed),
            repeated: of(Outcome::Repeated),
            dead: of(Outcome::Dead),
        }
    }

    fn set_stop(&self) {
        self.state.0.stop.set();
    }

    /// Takes no more messages, commits and acknowledges those of the batch at hand, closes. What takes longer than this is
    /// cancelled, and comes again.
    pub fn stop(self, within: Duration) {
        self.set_stop();
        let until = Instant::now() + within;
        while !self.consumers.iter().all(JoinHandle::is_finished) {
            if until <= Instant::now() {
                self.state.0.cancel.cancel();
            }
            thread::sleep(STOP_INTERVAL);
        }
        for consumer in self.consumers {
            // One that panicked has ended, too, and the log says so.
            let _ended = consumer.join();
        }
    }
}

/// The queues of the settings.
pub struct Queues {
    queues: Vec<Queue>,
    runtime: Option<Arc<Runtime>>,
}

impl Queues {
    /// Starts them; a broker that is not there is waited for.
    pub fn start(database: &Arc<Database>) -> Result<Queues> {
        let settings = of_settings(database.settings())?;
        if settings.is_empty() {
            return Ok(Queues { queues: Vec::new(), runtime: None });
        }
        if database.is_read_only() {
            let detail =
                "queues write to their graphs, and the data folder is open to be read only";
            let help = "leave the queues out of the settings, or serve without --read-only";
            return Err(Error::new(ErrorKind::BadInput, detail).with_help(help));
        }
        let runtime = runtime()?;
        let mut queues = Vec::new();
        for settings in settings {
            let runtime = Arc::clone(&runtime);
            let queue = Queue::start(database, settings, |settings, link| {
                Arc::new(Broker::new(settings, runtime, link.clone()))
            })?;
            database.add_service(queue.service());
            queues.push(queue);
        }
        Ok(Queues { queues, runtime: Some(runtime) })
    }

    /// Stops all of them, within this time as far as they can.
    pub fn stop(self, within: Duration) {
        // All at once, not one after the other.
        self.queues.iter().for_each(Queue::set_stop);
        for queue in self.queues {
            queue.stop(within);
        }
        if let Some(runtime) = self.runtime.and_then(Arc::into_inner) {
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }
}
