//! A broker of lists: what is not acknowledged is delivered again, and connections break where a seed says so.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use millrace_queue::broker::BasicProperties;
use millrace_queue::deliveries::{DeadLetter, Inbox, Link, Lost, Outbox, Received, Source};
use millrace_queue::messages::Message;
use millrace_testkit::Rng;
use std::sync::Mutex;

/// One operation in so many fails; 0: none.
#[derive(Clone, Copy, Default)]
pub(crate) struct Faults(pub(crate) u64);

pub(crate) struct FakeBroker {
    state: Arc<Mutex<State>>,
    prefetch: usize,
}

pub(crate) struct State {
    pub(crate) ready: VecDeque<Message>,
    /// Consumer, its connection, message.
    unacknowledged: Vec<(usize, u64, Message)>,
    pub(crate) dead: Vec<DeadLetter>,
    pub(crate) is_down: bool,
    faults: Faults,
    rng: Rng,
    next_tag: u64,
    next_connection: u64,
}

/// The state and the connection of an end.
#[derive(Clone)]
struct Connected {
    state: Arc<Mutex<State>>,
    link: Link,
    consumer: usize,
    connection: Arc<AtomicU64>,
    number: u64,
    prefetch: usize,
}

impl FakeBroker {
    pub(crate) fn new(seed: u64, faults: Faults, prefetch: usize) -> FakeBroker {
        let state = State {
            ready: VecDeque::new(),
            unacknowledged: Vec::new(),
            dead: Vec::new(),
            is_down: false,
            faults,
            rng: Rng::new(seed),
            next_tag: 1,
            next_connection: 1,
        };
        FakeBroker { state: Arc::new(Mutex::new(state)), prefetch }
    }

    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock().unwrap())
    }

    pub(crate) fn publish(&self, messages: impl IntoIterator<Item = Message>) {
        self.with(|state| state.ready.extend(messages));
    }

    /// Whether every message was acknowledged.
    pub(crate) fn is_empty(&self) -> bool {
        self.with(|state| state.ready.is_empty() && state.unacknowledged.is_empty())
    }

    /// The source of a queue.
    pub(crate) fn source(&self, link: &Link) -> Arc<dyn Source> {
        let (state, prefetch) = (Arc::clone(&self.state), self.prefetch);
        Arc::new(FakeSource { state, link: link.clone(), prefetch })
    }
}

struct FakeSource {
    state: Arc<Mutex<State>>,
    link: Link,
    prefetch: usize,
}

impl Source for FakeSource {
    fn connect(&self, consumer: usize) -> Result<millrace_queue::deliveries::Connected, Lost> {
        let mut state = self.state.lock().unwrap();
        state.check()?;
        state.give_back(consumer);
        let number = state.next_connection;
        state.next_connection += 1;
        let connected = Connected {
            state: Arc::clone(&self.state),
            link: self.link.clone(),
            consumer,
            connection: Arc::new(AtomicU64::new(number)),
            number,
            prefetch: self.prefetch,
        };
        Ok((Box::new(connected.clone()), Box::new(connected)))
    }
}

impl State {
    /// Whether the next operation fails.
    fn fails(&mut self) -> bool {
        self.faults.0 != 0 && self.rng.below(self.faults.0) == 0
    }

    fn check(&mut self) -> Result<(), Lost> {
        match self.is_down || self.fails() {
            true => Err(Lost("cut".to_owned())),
            false => Ok(()),
        }
    }

    /// What a consumer has not acknowledged is ready again, in front and in its order.
    fn give_back(&mut self, consumer: usize) {
        let all = std::mem::take(&mut self.unacknowledged);
        let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(of, ..)| *of == consumer);
        self.unacknowledged = others;
        for (_, _, mut message) in own.into_iter().rev() {
            message.is_redelivered = true;
            self.ready.push_front(message);
        }
    }
}

impl Connected {
    /// The state, if this connection still is one.
    fn open(&self, state: &mut State) -> Result<(), Lost> {
        if self.connection.load(Ordering::Relaxed) != self.number {
            return Err(Lost("closed".to_owned()));
        }
        state.check().inspect_err(|_| self.end(state))
    }

    fn end(&self, state: &mut State) {
        if self.connection.swap(0, Ordering::Relaxed) == self.number {
            state.give_back(self.consumer);
        }
    }
}

impl Inbox for Connected {
    fn receive(
        &mut self,
        into: &mut Vec<Message>,
        most: usize,
        until: Option<Instant>,
    ) -> Result<Received, Lost> {
        loop {
            {
                let mut state = self.state.lock().unwrap();
                if self.link.stop.is_set() {
                    return Ok(Received::Last);
                }
                self.open(&mut state)?;
                let own = state.unacknowledged.iter().filter(|one| one.0 == self.consumer).count();
                let room = most.min(self.prefetch - own).min(state.ready.len());
                if 0 < room {
                    for _ in 0..1 + state.rng.below(room as u64) {
                        let mut message = state.ready.pop_front().unwrap();
                        message.tag = state.next_tag;
                        state.next_tag += 1;
                        state.unacknowledged.push((self.consumer, self.number, message.clone()));
                        into.push(message);
                    }
                    return Ok(Received::More);
                }
            }
            if until.is_some_and(|until| until <= Instant::now()) {
                return Ok(Received::More);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Outbox for Connected {
    fn acknowledge(&self, tag: u64) -> Result<(), Lost> {
        let mut state = self.state.lock().unwrap();
        self.open(&mut state)?;
        state.unacknowledged.retain(|(of, connection, message)| {
            (*of, *connection) != (self.consumer, self.number) || tag < message.tag
        });
        // Taken, but the consumer does not learn of it.
        self.open(&mut state)
    }

    fn bury(&self, dead: Vec<DeadLetter>, _: &mut dyn FnMut(&str)) -> Result<(), Lost> {
        let mut state = self.state.lock().unwrap();
        self.open(&mut state)?;
        state.dead.extend(dead);
        Ok(())
    }

    fn flush(&self) -> Result<(), Lost> {
        let mut state = self.state.lock().unwrap();
        self.open(&mut state)
    }

    fn close(&self) {
        let mut state = self.state.lock().unwrap();
        self.end(&mut state);
    }
}

/// A message of MessagePack `{n: number}` with a message id.
pub(crate) fn person(number: i64) -> Message {
    let mut body = Vec::new();
    write_person(&mut body, number);
    with_id(&number.to_string(), body)
}

pub(crate) fn write_person(body: &mut Vec<u8>, number: i64) {
    body.extend([0x81, 0xa1, b'n', 0xd3]);
    body.extend(number.to_be_bytes());
}

pub(crate) fn with_id(id: &str, body: Vec<u8>) -> Message {
    let properties = BasicProperties::default().with_message_id(id.into());
    Message { properties, body, routing_key: "people".to_owned(), ..Message::default() }
}
