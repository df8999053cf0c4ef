//! Bolt over TCP, or in a WebSocket on the same port: what Neo4j's drivers speak.
//!
//! ```text
//!   socket ──link──> messages (inbox) ──machine──> Action ─┬─ small query ──> inline ───────────┐
//!                       │                                  └─ any other ────> pool: Session ────┤
//!                       └─ RESET: cancels what runs                                             │
//!   socket <──link── bytes <── records, as many as PULL wants <── OpenResult (held, no thread) <┘
//! ```
//!
//! Requests of a connection are done one after the other; while one runs, the next are read, so that a RESET is seen.
//! A result that waits for PULL is a value in the [`session::Session`], and a session goes to the thread that works
//! for it and comes back.

mod actions;
mod connection;
mod link;
mod login;
mod pull;
mod query;
mod records;
mod result;
mod session;
mod summary;
mod transaction;
mod websocket;

use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::connections::accept;
use crate::listeners::listener::{Listener, Serving};
use crate::state::State;

/// Bolt over TCP.
pub(super) struct Bolt;

/// The listener of Bolt.
pub(super) static BOLT: Bolt = Bolt;

/// A client of Bolt can read nothing before the handshake: a connection beyond the maximum is only closed.
const REFUSAL: &[u8] = b"";

impl Listener for Bolt {
    fn name(&self) -> &'static str {
        "bolt"
    }

    fn default_address(&self) -> &'static str {
        "127.0.0.1:7687"
    }

    fn about(&self) -> &'static str {
        "Bolt, the protocol of Neo4j's drivers"
    }

    fn announcement(&self, address: SocketAddr) -> String {
        format!("listening for Bolt on bolt://{address}")
    }

    fn serve(&self, socket: TcpListener, serving: Serving) -> BoxFuture<'static, ()> {
        let Serving { state, stopped, dql: _ } = serving;
        let local = socket.local_addr().ok();
        let shared = Shared { state: Arc::clone(&state), stopped: stopped.clone(), local };
        let serve_each = move |accepted| {
            tokio::spawn(connection::serve(shared.clone(), accepted));
        };
        let connections = Arc::clone(&state.connections);
        Box::pin(accept(socket, connections, stopped, REFUSAL, serve_each))
    }
}

/// State shared by all connections.
#[derive(Clone)]
struct Shared {
    state: Arc<State>,
    stopped: watch::Receiver<bool>,
    /// The address of the listener.
    local: Option<SocketAddr>,
}
