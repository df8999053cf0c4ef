//! Closed loop: so many one-edge transactions wait for their tickets at any time.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use millrace_db::store::Ticket;
use millrace_model::Result;

use super::ends::Ends;
use crate::experiments::graph::OpenGraph;
use crate::machine::joined;

/// Transactions that wait for their tickets at any time, of all clients together.
pub(super) const IN_FLIGHT: usize = 1_024;

/// The commits of all clients.
#[derive(Default)]
pub(super) struct Flown {
    /// Acknowledged before the time was over.
    pub(super) in_time: u64,
    /// Committed and acknowledged by each client, in all.
    pub(super) committed: Vec<u64>,
    /// Seconds until the time was over.
    pub(super) seconds: f64,
}

/// Lets one client for each of `ends` commit for a while.
pub(super) fn fly(graph: &OpenGraph, ends: &[Ends], span: Duration) -> Result<Flown> {
    let share = IN_FLIGHT / ends.len();
    let outcomes: Vec<Result<Client<'_>>> = thread::scope(|scope| {
        let start = |ends: &Ends| {
            let client = Client::new(graph, ends.clone(), share);
            scope.spawn(move || client.fly(span))
        };
        let clients: Vec<_> = ends.iter().map(start).collect();
        clients.into_iter().map(joined).collect()
    });
    let mut flown = Flown::default();
    for outcome in outcomes {
        let client = outcome?;
        flown.in_time += client.in_time;
        flown.committed.push(client.acknowledged);
        flown.seconds = flown.seconds.max(client.seconds);
    }
    Ok(flown)
}

/// A thread that keeps its share of transactions in flight.
pub(super) struct Client<'a> {
    graph: &'a OpenGraph,
    ends: Ends,
    share: usize,
    tickets: VecDeque<Ticket>,
    acknowledged: u64,
    in_time: u64,
    seconds: f64,
}

impl<'a> Client<'a> {
    pub(super) fn new(graph: &'a OpenGraph, ends: Ends, share: usize) -> Client<'a> {
        let tickets = VecDeque::with_capacity(share);
        Client { graph, ends, share, tickets, acknowledged: 0, in_time: 0, seconds: 0.0 }
    }

    fn fly(mut self, span: Duration) -> Result<Client<'a>> {
        let began = Instant::now();
        while began.elapsed() < span {
            self.turn()?;
        }
        self.in_time = self.acknowledged;
        self.seconds = began.elapsed().as_secs_f64();
        if let Some(last) = self.tickets.back() {
            last.wait()?;
        }
        self.acknowledged += self.tickets.len() as u64;
        self.tickets.clear();
        Ok(self)
    }

    /// Commits until the client's share is in flight, waits for the oldest ticket, and takes all that
    /// became visible with it. Returns the number of acknowledged commits so far.
    pub(super) fn turn(&mut self) -> Result<u64> {
        while self.tickets.len() < self.share {
            let (source, target) = self.ends.sample();
            let ticket = self.graph.commit(vec![source], vec![target], Vec::new())?;
            self.tickets.push_back(ticket);
        }
        if let Some(oldest) = self.tickets.front() {
            oldest.wait()?;
            // One look answers for all that became visible together.
            let visible = oldest.watermark.visible();
            while self.tickets.front().is_some_and(|ticket| ticket.position <= visible) {
                self.tickets.pop_front();
                self.acknowledged += 1;
            }
        }
        Ok(self.acknowledged)
    }
}
