//! The loop of a listener: it accepts connections up to the maximum, and refuses the others immediately.

use std::io::ErrorKind;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};

use axum::Router;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::Connections;
use super::serve::{Accepted, Version, serve};
use crate::browsers::Browsers;
use crate::limits::{ACCEPT_RETRY, REFUSAL_MAX, REFUSALS_MAX};
use crate::monitoring::events;

/// The answer to a connection beyond the maximum.
static REFUSAL: LazyLock<String> = LazyLock::new(|| {
    let text = "there are too many connections; try again later (the limit is connections.max)\n";
    let length = text.len();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nretry-after: 1\r\n\
         connection: close\r\ncontent-length: {length}\r\n\r\n{text}"
    )
});

/// Accepts connections of HTTP until the server stops, and serves each in a task of its own.
pub(crate) async fn listen(
    listener: TcpListener,
    (version, router): (Version, Router),
    (connections, browsers): (Arc<Connections>, Arc<Browsers>),
    stopped: watch::Receiver<bool>,
) {
    let service = TowerToHyperService::new(router);
    let (own, stop) = (Arc::clone(&connections), stopped.clone());
    let serve_each = move |accepted| {
        let gate = (Arc::clone(&own), Arc::clone(&browsers));
        tokio::spawn(serve(accepted, (version, service.clone()), gate, stop.clone()));
    };
    // A client of version 2 would not understand it.
    let refusal = if version == Version::One { REFUSAL.as_bytes() } else { b"" };
    accept(listener, connections, stopped, refusal, serve_each).await;
}

/// Accepts connections until the server stops. Those beyond the maximum get the refusal.
pub(crate) async fn accept(
    listener: TcpListener,
    connections: Arc<Connections>,
    mut stopped: watch::Receiver<bool>,
    refusal: &'static [u8],
    serve_each: impl Fn(Accepted),
) {
    let refusals = Arc::new(Semaphore::new(REFUSALS_MAX));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            // A sender that is gone means stop, too.
            _ = stopped.wait_for(|is_stopped| *is_stopped) => return,
        };
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // The client was gone already, or else the system has no room for now.
                if !matches!(
                    error.kind(),
                    ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
                ) {
                    events::accept_failed(&error);
                    sleep(ACCEPT_RETRY).await;
                }
                continue;
            }
        };
        let Ok(permit) = Arc::clone(&connections.permits).try_acquire_owned() else {
            connections.refused.fetch_add(1, Ordering::Relaxed);
            events::too_many_connections(connections.max as u64);
            if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                tokio::spawn(async move {
                    // One that reads too slowly is closed without a word.
                    let _late = timeout(REFUSAL_MAX, refuse(socket, refusal)).await;
                    drop(permit);
                });
            }
            continue;
        };
        // Else an answer waits until the client's machine acknowledges the one before: with the client's
        // next request, or 40 ms. If the connection is gone, the next read reports it.
        let _gone = socket.set_nodelay(true);
        serve_each(Accepted { socket, peer, permit });
    }
}

/// Sends the refusal, and waits until the client has closed: unread bytes would make the client's system
/// discard the refusal.
async fn refuse(mut socket: TcpStream, refusal: &[u8]) -> std::io::Result<()> {
    socket.write_all(refusal).await?;
    socket.shutdown().await?;
    let mut unread = [0; 1_024];
    while socket.read(&mut unread).await? != 0 {}
    Ok(())
}
