//! A server: binds, serves until a signal stops it, drains, closes the database.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_db::Database;
use millrace_model::{Error, ErrorKind};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle};

use super::addresses::{Place, StartError, bind, places};
use crate::dql::Dql;
use crate::limits::{CANCEL_GRACE, SOCKET_THREADS_MIN, WORKER_STACK_BYTES};
use crate::listeners::Serving;
use crate::state::State;
use crate::users::Users;

/// The language of queries over Bolt.
const BOLT_LANGUAGE: &str = "cypher";

/// A listener that listens.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The listener's name.
    pub listener: &'static str,
    /// Where it listens.
    pub address: SocketAddr,
    /// A line that announces it.
    pub announcement: String,
}

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    state: Arc<State>,
    listening: Vec<Listening>,
    stop: watch::Sender<bool>,
    serving: Vec<JoinHandle<()>>,
}

impl Server {
    /// Listens where the database's settings say.
    pub fn start(database: Arc<Database>) -> Result<Server, StartError> {
        Server::start_speaking(database, BOLT_LANGUAGE)
    }

    /// The same with another language of queries over Bolt.
    pub fn start_speaking(
        database: Arc<Database>,
        bolt_language: &'static str,
    ) -> Result<Server, StartError> {
        Ok(Server::begin(database, bolt_language, |_| Ok(()))?.0)
    }

    /// Listens; from before the first request on, SIGTERM and SIGINT stop this server, instead of ending the process.
    pub fn start_obeying_signals(database: Arc<Database>) -> Result<(Server, Signals), StartError> {
        Server::begin(database, BOLT_LANGUAGE, Signals::obeyed)
    }

    /// Listens, once `first` is done.
    fn begin<T>(
        database: Arc<Database>,
        bolt_language: &'static str,
        first: impl FnOnce(&Runtime) -> Result<T, StartError>,
    ) -> Result<(Server, T), StartError> {
        let places = places(&database.settings().listen)?;
        let users = Users::of(&database.settings().users).map_err(StartError::Setting)?;
        let state = State::new(database, bolt_language, users)?;
        let bound: Vec<_> = places
            .iter()
            .map(|&place| Ok((place, bind(place)?)))
            .collect::<Result<_, StartError>>()?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let runtime = Builder::new_multi_thread()
            .worker_threads(processors.max(SOCKET_THREADS_MIN))
            .thread_stack_size(WORKER_STACK_BYTES)
            .thread_name("millrace-socket")
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let first = first(&runtime)?;
        let (stop, stopped) = watch::channel(false);
        let state = Arc::new(state);
        let dql = Arc::new(Dql::new(&state));
        let (mut listening, mut serving) = (Vec::new(), Vec::new());
        for (Place { listener, .. }, socket) in bound {
            let address = socket.local_addr().map_err(|error| failed(&error))?;
            let announcement = listener.announcement(address);
            listening.push(Listening { listener: listener.name(), address, announcement });
            let socket = {
                let _inside = runtime.enter();
                tokio::net::TcpListener::from_std(socket).map_err(|error| failed(&error))?
            };
            let own = Serving {
                state: Arc::clone(&state),
                dql: Arc::clone(&dql),
                stopped: stopped.clone(),
            };
            serving.push(runtime.spawn(listener.serve(socket, own)));
        }
        for Listening { listener: protocol, address, .. } in &listening {
            tracing::info!(name: "listening", protocol, %address);
        }
        Ok((Server { runtime, state, listening, stop, serving }, first))
    }

    /// The listeners that are on.
    pub fn listening(&self) -> &[Listening] {
        &self.listening
    }

    /// Where a listener listens, by its name.
    pub fn address(&self, listener: &str) -> Option<SocketAddr> {
        let own = self.listening.iter().find(|own| own.listener == listener);
        own.map(|own| own.address)
    }

    /// Accepts no more requests, waits for those under way, cancels those that take too long, closes the
    /// database.
    pub fn stop(self) {
        let Server { runtime, state, stop, serving, .. } = self;
        let began = Instant::now();
        let requests = state.under_way.count() as u64;
        tracing::info!(name: "stopping", requests);
        state.begin_to_stop();
        stop.send_replace(true);
        let aborts: Vec<_> = serving.iter().map(JoinHandle::abort_handle).collect();
        let drain = Duration::from_millis(state.database.settings().http.drain_ms);
        runtime.block_on(async {
            let mut ending = std::pin::pin!(end_of(serving, &state));
            if tokio::time::timeout(drain, &mut ending).await.is_ok() {
                return;
            }
            state.under_way.cancel_all();
            if tokio::time::timeout(CANCEL_GRACE, &mut ending).await.is_err() {
                tracing::warn!(name: "connections-cut", "connections are still open");
                aborts.iter().for_each(AbortHandle::abort);
            }
        });
        // A connection that idles has no request to lose.
        runtime.shutdown_timeout(CANCEL_GRACE);
        state.database.close();
        let took_ms = began.elapsed().as_millis() as u64;
        tracing::info!(name: "stopped", took_ms);
    }

    /// Serves until a signal arrives, then stops.
    pub fn run(self, signals: Signals) {
        self.wait(signals);
        self.stop();
    }

    /// Serves until a signal arrives.
    pub fn wait(&self, mut signals: Signals) {
        // A task that is gone can send nothing any more: as if a signal had arrived.
        let _gone = self.runtime.block_on(signals.stopped.wait_for(|stopped| *stopped));
    }
}

/// Whether a signal that stops the process has arrived.
pub struct Signals {
    stopped: watch::Receiver<bool>,
}

impl Signals {
    fn obeyed(runtime: &Runtime) -> Result<Signals, StartError> {
        let _inside = runtime.enter();
        let listen = |kind| signal(kind).map_err(|error| failed(&error));
        let mut terminate = listen(SignalKind::terminate())?;
        let mut interrupt = listen(SignalKind::interrupt())?;
        let (sender, stopped) = watch::channel(false);
        runtime.spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            sender.send_replace(true);
        });
        Ok(Signals { stopped })
    }

    /// Whether one has arrived.
    pub fn has_arrived(&self) -> bool {
        *self.stopped.borrow()
    }
}

/// When the listeners and all connections have ended.
async fn end_of(serving: Vec<JoinHandle<()>>, state: &State) {
    for listener in serving {
        // One that was aborted has ended, too.
        let _ended = listener.await;
    }
    state.connections.ended().await;
}

fn failed(error: &std::io::Error) -> StartError {
    Error::new(ErrorKind::Io, format!("the server did not start: {error}")).into()
}
