//! The app's users: closed, as in the article (a request, its answer, a pause), or open (requests have a time at which
//! they are due, whatever was answered).

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result};

use super::variant::Variant;
use crate::clients::http::{Connection, Response, post_json};
use crate::load::{End, Outcome, Schedule, Tally};
use crate::machine::joined;

/// The longest pause of a closed user.
const PAUSE_MAX_US: u64 = 1_000;

/// The requests that users sent.
pub(super) struct Sent {
    pub(super) outcome: Outcome,
    /// The numbers that were answered without an error.
    pub(super) answered: Vec<u64>,
    /// When the first was due.
    pub(super) began: Instant,
}

/// The app as its users see it.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) app: SocketAddr,
    pub(super) variant: Variant,
}

/// Users who send so many requests each, one after the other, with random pauses of up to 1 ms. A user whose
/// connection ends, ends.
pub(super) fn closed(target: Target, users: usize, requests: u64, seed: u64) -> Sent {
    closed_with(target, users, (requests, seed), None)
}

/// The same users, with requests without end; each says when it has its first answer.
pub(super) fn closed_until_gone(
    target: Target,
    users: usize,
    seed: u64,
    first_answers: Sender<()>,
) -> Sent {
    closed_with(target, users, (u64::MAX, seed), Some(first_answers))
}

fn closed_with(
    target: Target,
    users: usize,
    (requests, seed): (u64, u64),
    first_answers: Option<Sender<()>>,
) -> Sent {
    let began = Instant::now();
    let tally = Tally::new(began, None, users);
    let mut seeds = SplitMix64::new(seed);
    let seeds: Vec<u64> = (0..users).map(|_| seeds.next_u64()).collect();
    let numbers = AtomicU64::new(1);
    let (tally_of_all, numbers) = (&tally, &numbers);
    let answered = thread::scope(|scope| {
        let users: Vec<_> = seeds
            .into_iter()
            .map(|seed| {
                let mut first_answer = first_answers.clone();
                scope.spawn(move || {
                    let mut user = User::new(target, tally_of_all);
                    let mut random = SplitMix64::new(seed);
                    for _ in 0..requests {
                        let number = numbers.fetch_add(1, Ordering::Relaxed);
                        if !user.send(number, Instant::now()) {
                            break;
                        }
                        if !user.answered.is_empty() {
                            // The receiver may have heard enough.
                            let _heard = first_answer.take().map(|first| first.send(()));
                        }
                        thread::sleep(Duration::from_micros(random.below(PAUSE_MAX_US + 1)));
                    }
                    user.answered
                })
            })
            .collect();
        // Once no user has it, the receiver hears that there will be no answer.
        drop(first_answers);
        users.into_iter().flat_map(joined).collect()
    });
    Sent { outcome: tally.outcome(None), answered, began }
}

/// Requests that are due when a schedule says, over so many connections. If all of them wait for answers, a request
/// is sent late, and its latency still counts from when it was due.
pub(super) fn open(target: Target, schedule: &Schedule, users: usize, span: Duration) -> Sent {
    let began = Instant::now();
    let tally = Tally::new(began, Some(span), users);
    let numbers = AtomicU64::new(0);
    let (tally_of_all, numbers) = (&tally, &numbers);
    let answered = thread::scope(|scope| {
        let users: Vec<_> = (0..users)
            .map(|_| {
                scope.spawn(move || {
                    let mut user = User::new(target, tally_of_all);
                    loop {
                        let number = numbers.fetch_add(1, Ordering::Relaxed);
                        let Some(due) = schedule.due(number) else { break };
                        let due = began + due;
                        thread::sleep(due.saturating_duration_since(Instant::now()));
                        if !user.send(number + 1, due) {
                            break;
                        }
                    }
                    user.answered
                })
            })
            .collect();
        users.into_iter().flat_map(joined).collect()
    });
    Sent { outcome: tally.outcome(None), answered, began }
}

/// Asks the app to write what it has accumulated.
pub(super) fn flush(app: SocketAddr) -> Result<()> {
    let answer = Connection::open(app)?.exchange(&post_json("/flush", "{}"))?;
    match answer.is_success() {
        true => Ok(()),
        false => {
            let detail = format!("the app can't write what has accumulated: {}", answer.text());
            Err(Error::new(ErrorKind::Unavailable, detail))
        }
    }
}

/// One user with a connection.
struct User<'a> {
    target: Target,
    tally: &'a Tally,
    connection: Option<Connection>,
    answered: Vec<u64>,
}

impl User<'_> {
    fn new(target: Target, tally: &Tally) -> User<'_> {
        User { target, tally, connection: None, answered: Vec::new() }
    }

    /// Sends a request and waits for its answer; false if the app is gone.
    fn send(&mut self, number: u64, due: Instant) -> bool {
        self.tally.began(due, Instant::now());
        let answer = self.exchange(number);
        let now = Instant::now();
        match &answer {
            Ok(answer) if answer.is_success() => {
                self.answered.push(number);
                self.tally.ended(due, now, &End::Answered);
            }
            Ok(answer) => {
                let code = answer.status.to_string();
                self.tally.ended(due, now, &End::Failed(&code, &answer.text()));
            }
            Err(error) => self.tally.ended(due, now, &End::Failed("closed", &error.detail)),
        }
        answer.is_ok()
    }

    fn exchange(&mut self, number: u64) -> Result<Response> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(Connection::open(self.target.app)?),
        };
        let body = format!("{{\"number\":{number}}}");
        connection.exchange(&post_json(self.target.variant.path(), &body))
    }
}
