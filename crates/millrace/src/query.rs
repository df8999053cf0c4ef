//! A query that is being put together.

use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_db::languages::{Binding, gremlin};
use millrace_db::session::{Request, Started};
use millrace_db::store::Isolation;
use millrace_model::{Result, Value};

use crate::graph::Graph;
use crate::rows::{Columns, Rows, Taken};

/// A query with its variables; it runs by [`Query::rows`], [`Query::columns`] or [`Query::run`].
#[must_use = "a query does nothing before it runs"]
pub struct Query<'g> {
    graph: &'g Graph,
    request: Request,
}

impl<'g> Query<'g> {
    pub(crate) fn new(graph: &'g Graph, text: &str) -> Query<'g> {
        let request = Request::text(&gremlin::GROOVY, text, graph.name(), graph.limits());
        Query { graph, request }
    }

    /// Gives a variable of the text its value.
    pub fn bind(mut self, name: &str, value: impl Into<Value>) -> Query<'g> {
        self.request.bindings.push((Arc::from(name), Binding::Value(value.into())));
        self
    }

    /// Runs it on a snapshot; a step that writes is refused.
    pub fn read_only(mut self) -> Query<'g> {
        self.request.is_read_only = true;
        self
    }

    /// Runs it as if no other transaction ran at the same time, or fails with a conflict and runs again.
    pub fn serializable(mut self) -> Query<'g> {
        self.request.limits.isolation = Isolation::Serializable;
        self
    }

    /// Ends it after so long, with an error.
    pub fn within(mut self, time: Duration) -> Query<'g> {
        self.request.limits.deadline = Instant::now().checked_add(time);
        self
    }

    /// Runs it; the rows of a query that only reads are made as they are asked for. Its writes are durable.
    pub fn rows(self) -> Result<Rows> {
        let Query { graph, request } = self;
        let mut taken = Taken::default();
        let stream = match graph.open.0.start(&request, &mut taken)? {
            Started::Streaming(stream) => Some(stream),
            Started::Done(ticket) => {
                if let Some(ticket) = ticket {
                    ticket.wait()?;
                }
                None
            }
        };
        Ok(Rows::new(Arc::clone(&graph.open), stream, taken))
    }

    /// Runs it; all rows as columns. Rows that are maps with texts as keys, as `project` makes them, are a column
    /// for each key.
    pub fn columns(self) -> Result<Columns> {
        Columns::of(self.rows()?)
    }

    /// Runs it for its effects and drops its rows.
    pub fn run(self) -> Result<()> {
        self.rows()?.try_for_each(|row| row.map(drop))
    }
}
