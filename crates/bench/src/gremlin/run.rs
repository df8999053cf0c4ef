//! One run: connections, their threads, and the end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use millrace_model::Result;
use millrace_wire::gremlin::{Options, Request, status};

use super::client::{Hangup, Receiver, Sender, open};
use super::limits;
use super::server_time::ServerTime;
use super::settings::{Model, Settings};
use super::slots::Slots;
use super::under_way::{UnderWay, id_of, run_mark};
use crate::load::{End, Outcome, Schedule, Tally};
use crate::process::Meter;
use millrace_model::random::SplitMix64;

/// State shared by all threads of a run.
struct Run<'a> {
    settings: &'a Settings,
    tally: Tally,
    /// When the first request is due.
    start: Instant,
    mark: u32,
    /// Set when no more answers are waited for.
    is_over: AtomicBool,
}

/// A connection, as its two threads see it.
struct Connection {
    number: usize,
    under_way: UnderWay,
    /// In the closed model.
    slots: Option<Slots>,
}

/// Runs.
pub(super) fn run(settings: &Settings, model: &Model) -> Result<Outcome> {
    let opened: Vec<(Sender, Receiver, Hangup)> = (0..settings.connections)
        .map(|_| open(&settings.address, settings.format))
        .collect::<Result<_>>()?;
    let slots = |model: &Model| match model {
        Model::Closed { in_flight } => Some(Slots::new(*in_flight)),
        Model::Open(_) => None,
    };
    let connections: Vec<Connection> = (0..settings.connections)
        .map(|number| Connection { number, under_way: UnderWay::default(), slots: slots(model) })
        .collect();
    let server_before = settings.server_pid.map(ServerTime::of).transpose()?;
    let meter = Meter::start();
    let start = Instant::now();
    let tally = Tally::new(start + settings.warm_up, Some(settings.measured), settings.connections);
    let run = Run { settings, tally, start, mark: run_mark(), is_over: AtomicBool::new(false) };
    thread::scope(|scope| {
        let mut hangups = Vec::new();
        for (connection, (sender, receiver, hangup)) in connections.iter().zip(opened) {
            let run = &run;
            scope.spawn(move || run.receive(connection, receiver));
            scope.spawn(move || {
                run.send_all(connection, sender, model);
                run.tally.sender_ended();
            });
            hangups.push(hangup);
        }
        let end = start + settings.warm_up + settings.measured;
        run.tally.wait_idle_until(end + limits::DRAIN_MAX);
        // Also frees a sender when its connection takes nothing.
        run.is_over.store(true, Ordering::Relaxed);
        hangups.iter().for_each(Hangup::hang_up);
    });
    let cpu = meter.processor_seconds();
    // A server that ended meanwhile reports nothing; the measurements stay.
    let server_after = settings.server_pid.and_then(|pid| ServerTime::of(pid).ok());
    let mut outcome = run.tally.outcome(cpu);
    let sent = outcome.requests + outcome.warm_up_requests;
    let both = server_after.zip(server_before);
    outcome.server_time = both.map(|(after, before)| after.since(&before, sent));
    Ok(outcome)
}

impl Run<'_> {
    fn send_all(&self, connection: &Connection, mut sender: Sender, model: &Model) {
        let mut requests = Requests::of(self.settings, self.mark, connection.number);
        match (model, &connection.slots) {
            (Model::Open(schedule), _) => {
                self.send_when_due(connection, schedule, &mut requests, &mut sender);
            }
            (Model::Closed { .. }, Some(slots)) => {
                let end = self.start + self.settings.warm_up + self.settings.measured;
                loop {
                    let free = slots.take_until(end);
                    let due = Instant::now();
                    if free == 0 || end <= due {
                        return;
                    }
                    if !self.send(connection, &vec![due; free], &mut requests, &mut sender) {
                        return;
                    }
                }
            }
            (Model::Closed { .. }, None) => {}
        }
    }

    /// The requests of a connection are every `connections`th of the schedule.
    fn send_when_due(
        &self,
        connection: &Connection,
        schedule: &Schedule,
        requests: &mut Requests<'_>,
        sender: &mut Sender,
    ) {
        let numbers = (connection.number as u64..).step_by(self.settings.connections);
        let mut moments = numbers.map_while(|number| schedule.due(number)).peekable();
        while let Some(first) = moments.peek() {
            let first = self.start + *first;
            thread::sleep(first.saturating_duration_since(Instant::now()));
            let now = Instant::now();
            let is_due = |moment: &Duration| self.start + *moment <= now;
            let due = std::iter::from_fn(|| moments.next_if(is_due));
            let due: Vec<Instant> = due.map(|moment| self.start + moment).collect();
            if self.is_over.load(Ordering::Relaxed) {
                // They were due, and could not even be sent.
                for due in due {
                    self.tally.began(due, now);
                    self.tally.ended(due, now, &End::Unanswered);
                }
                continue;
            }
            // A connection that is gone fails each of its requests when it is due.
            self.send(connection, &due, requests, sender);
        }
    }

    /// Sends a request for each of these moments, together; false if that can't be done.
    fn send(
        &self,
        connection: &Connection,
        due: &[Instant],
        requests: &mut Requests<'_>,
        sender: &mut Sender,
    ) -> bool {
        let now = Instant::now();
        due.iter().for_each(|due| self.tally.began(*due, now));
        let mut begun = Vec::with_capacity(due.len());
        let mut failed = None;
        for &due in due {
            let request = requests.next();
            match connection.under_way.add(request.id, due) {
                Err(why) => self.tally.ended(due, Instant::now(), &End::Failed("closed", &why)),
                Ok(()) => {
                    begun.push(request.id);
                    failed = failed.or(sender.feed(&request).err());
                }
            }
        }
        let Some(why) = failed.or_else(|| sender.flush().err()) else {
            return begun.len() == due.len();
        };
        // The receiver may have ended some in the meantime.
        for due in begun.iter().filter_map(|id| connection.under_way.take(*id)) {
            self.tally.ended(due, Instant::now(), &self.end_of_connection(&why));
        }
        false
    }

    fn receive(&self, connection: &Connection, mut receiver: Receiver) {
        let why = loop {
            let head = match receiver.next() {
                Ok(head) => head,
                Err(why) => break why,
            };
            let now = Instant::now();
            if head.code == status::PARTIAL_CONTENT {
                continue;
            }
            let Some(due) = head.id.and_then(|id| connection.under_way.take(id)) else { continue };
            match head.code {
                status::SUCCESS | status::NO_CONTENT => self.tally.ended(due, now, &End::Answered),
                code => {
                    let code = code.to_string();
                    self.tally.ended(due, now, &End::Failed(&code, &head.message));
                }
            }
            connection.slots.iter().for_each(Slots::release);
        };
        let now = Instant::now();
        for due in connection.under_way.end(&why) {
            self.tally.ended(due, now, &self.end_of_connection(&why));
            connection.slots.iter().for_each(Slots::release);
        }
    }

    /// Whether the server ended the connection or we did.
    fn end_of_connection<'a>(&self, why: &'a str) -> End<'a> {
        match self.is_over.load(Ordering::Relaxed) {
            true => End::Unanswered,
            false => End::Failed("closed", why),
        }
    }
}

/// The requests of one connection.
struct Requests<'a> {
    settings: &'a Settings,
    mark: u32,
    connection: usize,
    random: SplitMix64,
    number: u64,
    options: Options,
}

impl Requests<'_> {
    fn of(settings: &Settings, mark: u32, connection: usize) -> Requests<'_> {
        let options = Options {
            timeout_ms: settings.timeout_ms,
            aliases: settings.source.iter().map(|name| ("g".to_owned(), name.clone())).collect(),
            ..Options::default()
        };
        // The random streams of connections are far from one another.
        let mut seeds = SplitMix64::new(settings.seed);
        let seed = (0..=connection).fold(0, |_, _| seeds.next_u64());
        Requests { settings, mark, connection, random: SplitMix64::new(seed), number: 0, options }
    }

    fn next(&mut self) -> Request {
        let Requests { settings, mark, connection, .. } = *self;
        let number = self.number;
        self.number += 1;
        let all = number * settings.connections as u64 + connection as u64;
        Request {
            id: id_of(mark, connection, number),
            operation: settings.workload.operation(all, &mut self.random),
            options: self.options.clone(),
        }
    }
}
