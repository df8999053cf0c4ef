//! A queue of the bench's own, filled before each run, and its two consumers.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use millrace_db::Database;
use millrace_model::{Error, ErrorKind, Result};
use millrace_queue::broker::{Broker, Publisher};
use millrace_queue::deliveries::{Connected, Link, Lost, Source};
use millrace_queue::settings::{Form, QueueKind};
use millrace_queue::{Queue, QueueSettings};

use crate::data::Scratch;
use crate::experiments::measurement::{Conditions, settings};
use crate::measure;

/// The graph of the queue.
pub(super) const GRAPH: &str = "graph";

/// Messages of an acknowledgement, and of a transaction.
const BATCH: usize = 1_000;

/// Runs of each consumer, in turn.
const RUNS: usize = 5;

/// How often the bench looks whether a run is over.
const LOOK: Duration = Duration::from_micros(500);

/// How long a queue takes to stop, at most.
const STOP_MAX: Duration = Duration::from_secs(10);

/// A message with its id.
pub(super) type Message = (Option<String>, Vec<u8>);

pub(super) struct Consumed {
    pub(super) publisher: Publisher,
    pub(super) database: Arc<Database>,
    pub(super) settings: QueueSettings,
    _folder: Scratch,
}

impl Consumed {
    pub(super) fn new(conditions: &Conditions, name: &str, statement: &str) -> Result<Consumed> {
        let folder = Scratch::empty(&conditions.data, name)?;
        let database = Arc::new(Database::open(folder.path(), settings())?);
        let url = conditions.amqp.clone().unwrap_or_default();
        let publisher = Publisher::connect(&url).map_err(lost)?;
        let settings = QueueSettings {
            url,
            queue: format!("millrace-bench-{name}"),
            graph: GRAPH.to_owned(),
            form: Some(Form::Statement),
            statement: statement.to_owned(),
            batch_messages: BATCH,
            ..QueueSettings::new("bench")
        };
        publisher.delete(&settings.queue).map_err(lost)?;
        publisher.ensure(&settings.queue, QueueKind::Durable).map_err(lost)?;
        Ok(Consumed { publisher, database, settings, _folder: folder })
    }

    pub(super) fn publish(&self, messages: impl Iterator<Item = Message>) -> Result<()> {
        self.publisher.publish(&self.settings.queue, messages).map_err(lost)
    }

    /// Consumes by settings.
    pub(super) fn start(&self, settings: &QueueSettings) -> Result<Queue> {
        // A broker without a runtime of its own is an error of the start.
        let broker = |settings: &QueueSettings, link: &Link| Broker::alone(settings, link.clone());
        let mut failed = None;
        let queue =
            Queue::start(&self.database, settings.clone(), |settings, link| {
                match broker(settings, link) {
                    Ok(broker) => Arc::new(broker) as Arc<dyn Source>,
                    Err(error) => {
                        failed = Some(error);
                        Arc::new(Nowhere)
                    }
                }
            })?;
        match failed {
            None => Ok(queue),
            Some(error) => {
                queue.stop(STOP_MAX);
                Err(error)
            }
        }
    }

    /// Seconds until the database has settled so many messages.
    pub(super) fn millrace(&self, settings: &QueueSettings, count: u64) -> Result<f64> {
        let began = Instant::now();
        let queue = self.start(settings)?;
        let seconds = loop {
            let counts = queue.counts();
            if count <= counts.committed + counts.repeated {
                break began.elapsed().as_secs_f64();
            }
            if let Some(problem) = queue.problem() {
                queue.stop(STOP_MAX);
                return Err(Error::new(ErrorKind::Bug, problem));
            }
            thread::sleep(LOOK);
        };
        queue.stop(STOP_MAX);
        Ok(seconds)
    }

    /// Seconds until a consumer that does nothing has acknowledged so many messages.
    pub(super) fn idle(&self, count: usize) -> Result<f64> {
        let broker = Broker::alone(&self.settings, Link::default())?;
        let began = Instant::now();
        let (mut inbox, outbox) = broker.connect(0).map_err(lost)?;
        let mut messages = Vec::new();
        let (mut seen, mut acknowledged) = (0, 0);
        while acknowledged < count {
            messages.clear();
            inbox.receive(&mut messages, BATCH, None).map_err(lost)?;
            seen += messages.len();
            let Some(last) = messages.last() else { continue };
            if acknowledged + BATCH <= seen || seen == count {
                outbox.acknowledge(last.tag).map_err(lost)?;
                acknowledged = seen;
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        outbox.close();
        Ok(seconds)
    }

    /// The number of nodes.
    pub(super) fn nodes(&self) -> Result<u64> {
        Ok(self.database.graph_size(GRAPH)?.vertices)
    }

    /// Fails unless there are so many nodes.
    pub(super) fn expect(&self, nodes: u64) -> Result<()> {
        match self.nodes()? {
            found if found == nodes => Ok(()),
            found => {
                let detail = format!("{nodes} nodes were sent, and {found} are there");
                Err(Error::new(ErrorKind::Bug, detail))
            }
        }
    }

    /// The queue goes, and the database closes.
    pub(super) fn end(self) -> Result<()> {
        self.publisher.delete(&self.settings.queue).map_err(lost)?;
        self.publisher.close();
        self.database.close();
        Ok(())
    }
}

/// Medians of two consumers in turn; each fills the queue before its time begins.
pub(super) fn alternately(
    mut run: impl FnMut(usize) -> Result<f64>,
    mut reference: impl FnMut(usize) -> Result<f64>,
) -> Result<(f64, f64)> {
    let (mut values, mut references) = (Vec::new(), Vec::new());
    for number in 0..RUNS {
        values.push(run(number)?);
        references.push(reference(number)?);
    }
    Ok((measure::median(values), measure::median(references)))
}

/// A source of nothing.
struct Nowhere;

impl Source for Nowhere {
    fn connect(&self, _: usize) -> std::result::Result<Connected, Lost> {
        Err(Lost("there is no runtime for it".to_owned()))
    }
}

pub(super) fn lost(lost: Lost) -> Error {
    let error = Error::new(ErrorKind::Unavailable, lost.0);
    error.with_help("`cargo xtask components rabbitmq` starts a broker")
}
