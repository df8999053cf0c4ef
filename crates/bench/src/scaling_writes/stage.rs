//! The processes that an experiment needs: a database, a queue and its consumer; and apps, one for each run.

use std::cell::{Cell, RefCell};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use millrace_model::{Error, ErrorKind, Result};

use super::app::App;
use super::arguments::Settings;
use super::database::{Client, DEFAULT_GRAPH, Database, Found};
use super::limits::{LOOK_EVERY, QUEUE_DRAINED_MAX, QUEUE_QUIET_AFTER, QUIET_AFTER};
use super::node::Node;
use super::processes::{Processes, process_of};
use super::queue::{Broker, Consumer, Queue, message};
use super::variant::Variant;
use crate::data::Scratch;
use crate::experiments::{Serve, Served};
use crate::jobs::Worker;

/// The name of the port of RabbitMQ.
const AMQP_PORT: u16 = 5672;

/// What stays while variants come and go.
pub(super) struct Stage<'a> {
    settings: &'a Settings,
    pub(super) database: Database,
    queue: Option<Queue>,
    pub(super) processes: Processes,
    /// Runs of this experiment have a prefix that no other has.
    mark: u64,
    runs: Cell<u64>,
    broker: Option<Broker>,
    consumer: RefCell<Option<Worker>>,
    _served: Option<Served>,
    _folder: Option<Scratch>,
}

/// An app that runs; killed when dropped.
pub(super) struct RunningApp {
    pub(super) address: SocketAddr,
    pub(super) worker: Worker,
    /// The mark of its nodes.
    pub(super) run: String,
}

impl Stage<'_> {
    /// Starts what is not there.
    pub(super) fn set(settings: &Settings) -> Result<Stage<'_>> {
        let mark = RandomState::new().build_hasher().finish();
        let login = settings.login.as_ref().map(|(user, password)| (&**user, &**password));
        let mut processes = Processes::default();
        processes.add("bench", Some(std::process::id()));
        let queue = settings.amqp.as_ref().map(|url| Queue {
            url: url.clone(),
            name: settings.queue.clone().unwrap_or_else(|| format!("scaling-writes-{mark:016x}")),
            confirms: settings.confirms,
        });
        // The queue has to be there before a database consumes it.
        let broker = queue.as_ref().map(Broker::connect).transpose()?;
        if let (Some(broker), Some(queue)) = (&broker, &queue) {
            processes.add("broker", process_of(&queue.url, AMQP_PORT));
            if settings.queue.is_none() {
                broker.make_queue()?;
            }
        }
        let (mut folder, mut served, mut consumer) = (None, None, None);
        let database = match settings.database {
            Some(address) => {
                processes.add("database", process_of(&address.to_string(), address.port()));
                Database::probe(address, &settings.graph, login, settings.interface)?
            }
            None => {
                let scratch = folder.insert(Scratch::empty(&settings.data, "scaling-writes")?);
                let serve = Serve {
                    folder: scratch.path().to_owned(),
                    checkpoints: true,
                    memory_max: None,
                    queues: queue.as_ref().map(Queue::settings).unwrap_or_default(),
                };
                let started = served.insert(Served::of(&settings.program, &serve)?);
                processes.add("database", Some(started.process_id()));
                Database::probe(started.neo4j_http(), DEFAULT_GRAPH, None, settings.interface)?
            }
        };
        if let (Some(queue), Some(_), None) = (&queue, settings.database, &settings.queue) {
            let job = Consumer { database: database.clone(), queue: queue.clone() };
            let mut worker = Worker::start(&settings.program, &job)?;
            let _consumes: SocketAddr = worker.answer()?;
            processes.add("consumer", Some(worker.id()));
            consumer = Some(worker);
        }
        Ok(Stage {
            settings,
            database,
            queue,
            processes,
            mark,
            runs: Cell::new(0),
            broker,
            consumer: RefCell::new(consumer),
            _served: served,
            _folder: folder,
        })
    }

    /// Starts an app for a run of its own.
    pub(super) fn start_app(&self, variant: Variant) -> Result<RunningApp> {
        self.runs.set(self.runs.get() + 1);
        let run = format!("{:016x}-{}", self.mark, self.runs.get());
        let app = App {
            database: self.database.clone(),
            queue: self.queue.clone().filter(|_| variant.is_evented()),
            run: run.clone(),
            variant,
        };
        let mut worker = Worker::start(&self.settings.program, &app)?;
        let address = worker.answer()?;
        Ok(RunningApp { address, worker, run })
    }

    /// A client of the database.
    pub(super) fn client(&self) -> Client {
        self.database.client()
    }

    /// Waits until so many requests have their nodes, or no more come; says how many and when the last was there.
    pub(super) fn wait_for(
        &self,
        (run, variant): (&str, Variant),
        expected: u64,
    ) -> Result<(Found, Instant)> {
        let patience = if variant.is_evented() { QUEUE_QUIET_AFTER } else { QUIET_AFTER };
        let mut client = self.client();
        let mut found = Found::default();
        let mut last = Instant::now();
        loop {
            let asked = Instant::now();
            let now = client.count(run)?;
            if now != found {
                (found, last) = (now, asked);
            }
            self.check_consumer()?;
            if expected <= found.distinct || patience <= last.elapsed() {
                return Ok((found, last));
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// The numbers of the nodes of a killed app, once no more can come.
    pub(super) fn numbers_after_crash(&self, run: &str, variant: Variant) -> Result<Vec<u64>> {
        let mut client = self.client();
        if variant.is_evented() {
            self.drain(&mut client)?;
        }
        // A request of the app may still be under way in the database, or its last message on its way to the broker.
        let mut found = client.count(run)?;
        let mut last = Instant::now();
        while last.elapsed() < QUIET_AFTER {
            thread::sleep(LOOK_EVERY);
            let now = client.count(run)?;
            if now != found {
                (found, last) = (now, Instant::now());
            }
        }
        client.numbers(run)
    }

    /// Waits until the queue is empty: a last message has arrived, and with it all before it.
    fn drain(&self, client: &mut Client) -> Result<()> {
        let Some(broker) = &self.broker else { return Ok(()) };
        self.runs.set(self.runs.get() + 1);
        let run = format!("{:016x}-{}", self.mark, self.runs.get());
        let message = message::encode(&[Node { run: run.clone(), number: 0 }])?;
        broker.publisher()?.publish(&message, &run)?;
        let until = Instant::now() + QUEUE_DRAINED_MAX;
        while client.count(&run)?.nodes == 0 {
            self.check_consumer()?;
            if until < Instant::now() {
                let detail = format!(
                    "the last message of the queue has not arrived within {} s",
                    QUEUE_DRAINED_MAX.as_secs()
                );
                return Err(Error::new(ErrorKind::Unavailable, detail)
                    .with_help("does the database, or the consumer, still take from the queue?"));
            }
            thread::sleep(LOOK_EVERY);
        }
        client.delete(&run)
    }

    /// Names and values for the report.
    pub(super) fn conditions(&self) -> Vec<(&'static str, String)> {
        let settings = self.settings;
        let own = "Millrace, started for this, durability sync".to_owned();
        let other = || {
            let version = self.database.version().map(|version| format!(", Neo4j {version}"));
            format!("http://{}{}", self.database.address, version.unwrap_or_default())
        };
        let database = if settings.database.is_none() { own } else { other() };
        let seconds = |span: Duration| format!("{} s", span.as_secs_f64());
        let mut conditions = vec![
            ("database", database),
            ("written by", self.database.interface.shown().to_owned()),
            ("users", format!("{}, {} requests each", settings.users, settings.requests)),
        ];
        if 0 < settings.many_users {
            let requests = settings.requests_of_many();
            conditions
                .push(("many users", format!("{}, {requests} requests each", settings.many_users)));
        }
        if let Some(queue) = &self.queue {
            let confirms = if queue.confirms { "confirmed by the broker" } else { "not confirmed" };
            conditions.push(("messages", format!("persistent, {confirms}")));
            let consumer = match &*self.consumer.borrow() {
                Some(_) => {
                    "the article's: a batch of up to 1,000 messages or 50 ms, then one acknowledgement"
                }
                None => "the database itself",
            };
            conditions.push(("consumer", consumer.to_owned()));
        }
        if !settings.step.is_zero() {
            let step = seconds(settings.step);
            let bound = settings.p99_max_ms;
            conditions
                .push(("open model", format!("rates for {step} each, p99 at most {bound} ms")));
        }
        conditions.push(("crashes", settings.crashes.to_string()));
        conditions.push(("seed", settings.seed.to_string()));
        conditions
    }

    /// Fails with the consumer's error if it has ended.
    fn check_consumer(&self) -> Result<()> {
        self.consumer.borrow_mut().as_mut().map_or(Ok(()), Worker::check)
    }

    /// Ends the consumer, and removes the queue and all nodes that are left.
    pub(super) fn strike(self) -> Result<()> {
        drop(self.consumer.take());
        self.client().delete(&format!("{:016x}", self.mark))?;
        match (&self.broker, &self.settings.queue) {
            (Some(broker), None) => broker.delete_queue(),
            (Some(_), Some(_)) | (None, _) => Ok(()),
        }
    }
}
