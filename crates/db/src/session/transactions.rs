//! The transactions of one request or of one session: one for each graph that it has touched.

use std::sync::Arc;

use millrace_model::Result;
use millrace_store::{ConflictTicketId, Ticket};

use crate::graph::Graph;
use crate::request::RequestLimits;
use crate::transaction::Execution;

/// Transactions under way.
#[derive(Default)]
pub(super) struct Transactions {
    open: Vec<(Arc<Graph>, Execution)>,
    ticket: Option<ConflictTicketId>,
    is_read_only: bool,
}

impl Transactions {
    /// None yet; those that begin have this ticket.
    pub(super) fn with_ticket(ticket: Option<ConflictTicketId>) -> Transactions {
        Transactions { ticket, ..Transactions::default() }
    }

    /// None yet; those that begin read a snapshot and refuse to write.
    pub(super) fn reading() -> Transactions {
        Transactions { is_read_only: true, ..Transactions::default() }
    }

    /// The one on a graph, begun if there is none, under the limits of the request that asks.
    pub(super) fn on(
        &mut self,
        graph: &Arc<Graph>,
        limits: &RequestLimits,
    ) -> Result<&mut Execution> {
        let place = match self.open.iter().position(|(own, _)| Arc::ptr_eq(own, graph)) {
            Some(place) => {
                self.open[place].1.limit(limits)?;
                place
            }
            None => {
                let execution = match self.is_read_only {
                    true => Execution::reading(graph.parts(), limits)?,
                    false => Execution::begin(graph.parts(), limits, self.ticket)?,
                };
                self.open.push((Arc::clone(graph), execution));
                self.open.len() - 1
            }
        };
        Ok(&mut self.open[place].1)
    }

    /// Applies the limits of another request to all of them.
    pub(super) fn limit(&mut self, limits: &RequestLimits) -> Result<()> {
        self.open.iter_mut().try_for_each(|(_, execution)| execution.limit(limits))
    }

    /// Whether nothing was written.
    pub(super) fn is_clean(&self) -> bool {
        self.open.iter().all(|(_, execution)| execution.is_clean())
    }

    /// The name of a graph other than this one that was written to, if there is one.
    pub(super) fn written_besides(&self, graph: &Arc<Graph>) -> Option<&str> {
        let is_other = |own: &Arc<Graph>| !Arc::ptr_eq(own, graph);
        let mut written = self.open.iter().filter(|(own, done)| is_other(own) && !done.is_clean());
        written.next().map(|(own, _)| own.name())
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Commits all of them, or the one on a graph; the ticket of the last that wrote. Those before it are
    /// visible by then.
    pub(super) fn commit(&mut self, only: Option<&Arc<Graph>>) -> Result<Option<Ticket>> {
        let mut last: Option<Ticket> = None;
        for (_, execution) in self.take(only) {
            // The next commit may fail, and its error is answered after this one is visible.
            if let Some(before) = last.take() {
                before.wait()?;
            }
            last = execution.commit()?;
        }
        Ok(last)
    }

    /// Rolls all of them back, or the one on a graph.
    pub(super) fn roll_back(&mut self, only: Option<&Arc<Graph>>) {
        drop(self.take(only));
    }

    fn take(&mut self, only: Option<&Arc<Graph>>) -> Vec<(Arc<Graph>, Execution)> {
        let wanted = |own: &Arc<Graph>| only.is_none_or(|only| Arc::ptr_eq(own, only));
        let (taken, left) =
            std::mem::take(&mut self.open).into_iter().partition(|(own, _)| wanted(own));
        self.open = left;
        taken
    }
}
