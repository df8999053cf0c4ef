//! What a listener is. `listeners::ALL` lists them, a line each.
//!
//! A listener serves a socket that is bound for it, in its own way: over HTTP by [`serve_http`] and a router, or
//! connection by connection.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use crate::connections::{self, Version};
use crate::dql::Dql;
use crate::state::State;

/// A protocol that clients connect by.
pub(crate) trait Listener: Sync {
    /// Its name: `--listen NAME`, and the setting `listen.NAME`.
    fn name(&self) -> &'static str;

    /// Address and port without a setting; empty: it is off.
    fn default_address(&self) -> &'static str;

    /// Address and port where a flag names it without them; empty: there is none.
    fn usual_address(&self) -> &'static str {
        self.default_address()
    }

    /// The protocol, for the reference page of settings.
    fn about(&self) -> &'static str;

    /// Whether it listens also where `--listen` names only others.
    fn is_administration(&self) -> bool {
        false
    }

    /// The line that announces its address.
    fn announcement(&self, address: SocketAddr) -> String;

    /// Serves the connections of a socket until the server stops.
    fn serve(&self, socket: tokio::net::TcpListener, serving: Serving) -> BoxFuture<'static, ()>;
}

/// The environment of a listener.
pub(crate) struct Serving {
    /// State shared by all requests.
    pub(crate) state: Arc<State>,
    /// What the listeners of Dgraph's protocols share.
    pub(crate) dql: Arc<Dql>,
    /// Becomes true when the server stops.
    pub(crate) stopped: watch::Receiver<bool>,
}

/// Serves a socket over HTTP: each connection behind the gate for browsers, within the bounds of connections.
pub(crate) fn serve_http(
    socket: tokio::net::TcpListener,
    router: Router,
    serving: Serving,
) -> BoxFuture<'static, ()> {
    serve_version(socket, (Version::One, router), serving)
}

/// The same over HTTP/2.
pub(crate) fn serve_http2(
    socket: tokio::net::TcpListener,
    router: Router,
    serving: Serving,
) -> BoxFuture<'static, ()> {
    serve_version(socket, (Version::Two, router), serving)
}

fn serve_version(
    socket: tokio::net::TcpListener,
    routes: (Version, Router),
    Serving { state, stopped, dql: _ }: Serving,
) -> BoxFuture<'static, ()> {
    let gate = (Arc::clone(&state.connections), Arc::clone(&state.browsers));
    Box::pin(connections::listen(socket, routes, gate, stopped))
}
