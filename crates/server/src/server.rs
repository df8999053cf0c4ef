//! A server: binds, serves until it is told to stop, drains, closes the database.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use millrace_db::Database;
use millrace_model::{Error, ErrorKind};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::limits::{BLOCKING_THREADS_MAX, CANCEL_GRACE, SOCKET_THREADS};
use crate::listen::{StartError, address, bind};
use crate::listeners::http_graph;
use crate::state::State;

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    state: Arc<State>,
    address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Server {
    /// Listens where the database's settings say.
    pub fn start(database: Arc<Database>) -> Result<Server, StartError> {
        let listener = bind(address(&database.settings().listen)?)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(SOCKET_THREADS)
            .max_blocking_threads(BLOCKING_THREADS_MAX)
            .thread_name("millrace-socket")
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let address = listener.local_addr().map_err(|error| failed(&error))?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(|error| failed(&error))?
        };
        let state = Arc::new(State::new(database));
        let (stop, mut stopped) = watch::channel(false);
        let router = http_graph::router(Arc::clone(&state));
        let serving = runtime.spawn(async move {
            let stopping = async move {
                // A sender that is gone means stop, too.
                let _gone = stopped.wait_for(|is_stopped| *is_stopped).await;
            };
            axum::serve(listener, router).with_graceful_shutdown(stopping).await
        });
        Ok(Server { runtime, state, address, stop, serving })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more requests, waits for those under way, cancels what takes too long, closes the
    /// database.
    pub fn stop(self) {
        let Server { runtime, state, stop, mut serving, .. } = self;
        state.begin_to_stop();
        stop.send_replace(true);
        let drain = Duration::from_millis(state.database.settings().http.drain_ms);
        runtime.block_on(async {
            if tokio::time::timeout(drain, &mut serving).await.is_ok() {
                return;
            }
            state.cancel_all();
            if tokio::time::timeout(CANCEL_GRACE, &mut serving).await.is_err() {
                eprintln!("millrace: connections are still open; closing them");
                serving.abort();
            }
        });
        // A connection that idles has no request to lose.
        runtime.shutdown_timeout(CANCEL_GRACE);
        state.database.close();
    }

    /// From now on SIGTERM and SIGINT tell this server to stop, instead of ending the process.
    pub fn obey_signals(&self) -> Result<Signals, StartError> {
        let _inside = self.runtime.enter();
        let listen = |kind| signal(kind).map_err(|error| failed(&error));
        let mut terminate = listen(SignalKind::terminate())?;
        let mut interrupt = listen(SignalKind::interrupt())?;
        let (told, is_told) = watch::channel(false);
        self.runtime.spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            told.send_replace(true);
        });
        Ok(Signals { is_told })
    }

    /// Serves until a signal tells it to stop, then stops.
    pub fn run(self, mut signals: Signals) {
        // A task that is gone cannot tell any more: stop, too.
        let _gone = self.runtime.block_on(signals.is_told.wait_for(|is_told| *is_told));
        self.stop();
    }
}

/// Whether a signal told the process to stop.
pub struct Signals {
    is_told: watch::Receiver<bool>,
}

impl Signals {
    /// Whether it did already.
    pub fn is_told(&self) -> bool {
        *self.is_told.borrow()
    }
}

fn failed(error: &std::io::Error) -> StartError {
    Error::new(ErrorKind::Io, format!("the server did not start: {error}")).into()
}
