//! Transactions of several queries: their beginning and their end. The queries in them are those of `query`.

use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use millrace_db::session::ExplicitTransaction;
use millrace_model::{Result, Value};
use millrace_wire::http::Response;

use crate::connections::Peer;
use crate::executor::{guarded, visible};
use crate::listeners::open_transactions::{self, OpenTransactions, Owner, user_of};
use crate::state::State;
use crate::under_way::SocketNumber;

/// An open transaction.
pub(super) struct Open {
    pub(super) inner: ExplicitTransaction,
    /// Its number among connections that have transactions.
    pub(super) number: SocketNumber,
}

/// All open transactions.
pub(super) type Table = Arc<OpenTransactions<Open>>;

/// A transaction that a request has.
pub(super) type Taken = open_transactions::Taken<Open>;

/// The client of a transaction on a graph.
pub(super) fn owner(headers: &HeaderMap, graph: &str) -> Owner {
    Owner { user: user_of(headers), database: graph.to_owned() }
}

/// How long one may wait for its next request.
pub(super) fn idle(state: &State) -> Duration {
    Duration::from_millis(state.database.settings().bolt.transaction_idle_ms)
}

/// Begins one.
pub(super) fn begin(
    state: &Arc<State>,
    table: &Table,
    headers: &HeaderMap,
    graph: &str,
) -> Result<Response> {
    // One that is not there is named now.
    state.database.query_graph(graph, true)?;
    let (inner, number) = (ExplicitTransaction::begin(false), state.under_way.new_socket());
    let taken = table.begin(owner(headers, graph), Open { inner, number })?;
    let (id, idle) = (taken.id, idle(state));
    taken.put_back(idle);
    let idle_ms = u64::try_from(idle.as_millis()).unwrap_or(u64::MAX);
    Ok(Response::value(201, &numbers(&[("transaction", id), ("idle_ms", idle_ms)])))
}

/// Commits one; what it wrote is visible then.
pub(super) async fn commit(
    state: &Arc<State>,
    table: &Table,
    (headers, peer): (&HeaderMap, Peer),
    (graph, id): (&str, u64),
) -> Result<Response> {
    let mut taken = table.take(id, &owner(headers, graph))?;
    if let Some(open) = taken.transaction.take() {
        let committing = move || guarded(|| open.inner.commit());
        let ticket = state.executor.answer(peer.client, committing).await??;
        visible(&state.database, ticket).await?;
    }
    Ok(Response::value(200, &numbers(&[("committed", id)])))
}

/// Rolls one back.
pub(super) fn roll_back(
    table: &Table,
    headers: &HeaderMap,
    (graph, id): (&str, u64),
) -> Result<Response> {
    drop(table.take(id, &owner(headers, graph))?);
    Ok(Response::value(200, &numbers(&[("rolled_back", id)])))
}

fn numbers(pairs: &[(&str, u64)]) -> Value {
    let number = |number: u64| Value::I64(i64::try_from(number).unwrap_or(i64::MAX));
    Value::map(pairs.iter().map(|(name, own)| (Value::from(*name), number(*own))).collect())
}
