//! One connection: messages in, actions done one after the other, answers out.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_db::{CancelFlag, Database};
use millrace_model::{Error, Result};
use millrace_wire::bolt::chunks::Dechunker;
use millrace_wire::bolt::packstream::Form;
use millrace_wire::bolt::state::{Action, Machine};
use millrace_wire::bolt::{Request, WantedNotifications};

use super::Shared;
use super::link::{Alive, Ended, Event, Link};
use super::query::Asker;
use super::session::Session;
use crate::connections::{Accepted, Reservation};
use crate::executor::guarded;
use crate::limits::{
    BOLT_BYTES_WAITING_MAX, BOLT_MESSAGES_WAITING_MAX, CHUNK_BYTES, INLINE_IN_A_ROW_MAX,
    LOGIN_MESSAGE_BYTES_MAX,
};
use crate::state::State;

/// Serves a connection until either side ends it.
pub(super) async fn serve(shared: Shared, accepted: Accepted) {
    let state = Arc::clone(&shared.state);
    let _alive = state.connections.connect();
    let (stream, peer, activity) = accepted.open(&state.connections);
    activity.become_socket(&state.connections, LOGIN_MESSAGE_BYTES_MAX as u64);
    let mut link = Link::new(&shared, stream, activity);
    let Ok((version, rest)) = link.shake_hands().await else { return };
    let number = state.under_way.new_socket();
    let form = Form::of(version);
    let mut connection = Connection {
        asker: Asker { peer, number, form },
        user: None,
        machine: Machine::new(version),
        dechunker: Dechunker::new(LOGIN_MESSAGE_BYTES_MAX),
        inbox: VecDeque::new(),
        inbox_bytes: 0,
        broken: None,
        out: Vec::new(),
        session: Some(Box::default()),
        cancel: None,
        routing_address: None,
        notifications: WantedNotifications::default(),
        is_expired: false,
        in_a_row: 0,
        link,
        shared,
    };
    connection.sort(&rest);
    if connection.run().await.is_ok() {
        connection.link.close().await;
    }
    connection.interrupt();
    state.under_way.cancel_socket(number);
}

/// A message that waits for its turn.
pub(super) struct Message {
    pub(super) bytes: Vec<u8>,
    pub(super) reserved: Option<Reservation>,
}

pub(super) struct Connection {
    pub(super) shared: Shared,
    pub(super) link: Link,
    pub(super) asker: Asker,
    /// The name that logged in, where a login is needed.
    pub(super) user: Option<Arc<str>>,
    pub(super) machine: Machine,
    pub(super) dechunker: Dechunker,
    inbox: VecDeque<Message>,
    inbox_bytes: usize,
    /// Why the bytes behind the inbox are no messages.
    broken: Option<Error>,
    /// Bytes of answers.
    pub(super) out: Vec<u8>,
    /// Away while the pool works for it.
    pub(super) session: Option<Box<Session>>,
    /// Of the query that runs.
    pub(super) cancel: Option<CancelFlag>,
    /// The address that the client used, where it asks for routes.
    pub(super) routing_address: Option<Arc<str>>,
    /// Which notifications it wants.
    pub(super) notifications: WantedNotifications,
    /// Whether its transaction waited too long, which the next request is answered by.
    pub(super) is_expired: bool,
    /// Messages since the last pause.
    in_a_row: u32,
}

impl Connection {
    pub(super) fn state(&self) -> &Arc<State> {
        &self.shared.state
    }

    pub(super) fn database(&self) -> &Database {
        &self.shared.state.database
    }

    /// Until the connection has ended well.
    async fn run(&mut self) -> Alive {
        loop {
            while let Some(message) = self.next_message() {
                self.answer(message).await?;
                self.link.last = Instant::now();
                if self.machine.is_defunct() {
                    return self.flush().await;
                }
                self.pause().await?;
            }
            if let Some(error) = self.broken.take() {
                if let Action::Refuse(failure) = self.machine.unreadable(&error) {
                    self.fail(&failure);
                }
                return self.flush().await;
            }
            self.flush().await?;
            if self.link.is_stopping() || self.link.is_closed() {
                return Ok(());
            }
            if !self.inbox.is_empty() || self.broken.is_some() {
                // It came while the answer left: no event follows for it.
                continue;
            }
            let event = self.link.event(true, false).await?;
            self.handle(event);
            if event == Event::Tick {
                self.expire();
            }
        }
    }

    fn next_message(&mut self) -> Option<Message> {
        let message = self.inbox.pop_front()?;
        self.inbox_bytes -= message.bytes.len();
        Some(message)
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Bytes(count) => {
                let bytes = self.link.received(count).to_vec();
                self.sort(&bytes);
            }
            Event::Tick | Event::Stopped => {}
        }
    }

    /// Makes messages of bytes.
    fn sort(&mut self, bytes: &[u8]) {
        self.dechunker.push(bytes);
        while self.broken.is_none() {
            match self.dechunker.next_message() {
                Ok(Some(bytes)) => {
                    if Request::is_reset(&bytes) {
                        self.machine.interrupt();
                        self.interrupt();
                    }
                    self.inbox_bytes += bytes.len();
                    let reserved = self.link.activity().take_message();
                    self.inbox.push_back(Message { bytes, reserved });
                }
                Ok(None) => break,
                Err(error) => self.broken = Some(error),
            }
        }
    }

    /// Cancels the query that runs.
    fn interrupt(&self) {
        self.cancel.iter().for_each(CancelFlag::cancel);
    }

    /// Waits for something; meanwhile messages are read.
    pub(super) async fn wait<T>(&mut self, work: impl Future<Output = T>) -> Alive<T> {
        let mut work = pin!(work);
        loop {
            let reads = self.broken.is_none()
                && self.inbox.len() < BOLT_MESSAGES_WAITING_MAX
                && self.inbox_bytes < BOLT_BYTES_WAITING_MAX;
            tokio::select! {
                done = &mut work => return Ok(done),
                event = self.link.event(reads, true) => match event {
                    Ok(event) => self.handle(event),
                    Err(ended) => {
                        self.interrupt();
                        return Err(ended);
                    }
                },
            }
        }
    }

    /// Works for the session on the pool. A session that is lost with a panic is empty afterwards.
    pub(super) async fn work<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&State, &mut Session) -> Result<T> + Send + 'static,
    ) -> Alive<Result<T>> {
        let mut session = self.session.take().unwrap_or_default();
        let (state, client) = (Arc::clone(self.state()), self.asker.peer.client);
        let own = Arc::clone(&state);
        let working = async move {
            let job = move || {
                let done = guarded(|| work(&own, &mut session));
                (session, done)
            };
            state.executor.answer(client, job).await
        };
        Ok(match self.wait(working).await? {
            Ok((session, done)) => {
                self.session = Some(session);
                done
            }
            Err(error) => {
                self.session = Some(Box::default());
                Err(error)
            }
        })
    }

    pub(super) fn session(&mut self) -> &mut Session {
        self.session.get_or_insert_default()
    }

    /// Rolls back, and forgets all results, on the pool: what they hold may be much.
    pub(super) fn clear(&mut self) {
        if self.session().is_waiting() {
            let session = self.session.take();
            self.state().executor.run(self.asker.peer.client, move || drop(session));
        }
    }

    /// Sends the answers.
    pub(super) async fn flush(&mut self) -> Alive {
        if self.out.is_empty() && !self.link.has_answers() {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.out);
        let writing = self.link.write(bytes);
        let (written, writer, mut bytes) = self.wait(writing).await?;
        self.link.wrote(writer);
        bytes.clear();
        self.out = bytes;
        written.map_err(|_| Ended)
    }

    /// Sends answers that are long, and lets other connections have their turn after several messages.
    async fn pause(&mut self) -> Alive {
        if CHUNK_BYTES <= self.out.len() {
            self.flush().await?;
        }
        self.in_a_row += 1;
        if INLINE_IN_A_ROW_MAX <= self.in_a_row {
            self.in_a_row = 0;
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Gives up what waited too long for the client.
    fn expire(&mut self) {
        let most = self.database().settings().bolt.transaction_idle_ms;
        let is_late = Duration::from_millis(most) <= self.link.last.elapsed();
        let deadline = self.session().transaction.as_ref().and_then(|open| open.deadline);
        let is_over = deadline.is_some_and(|deadline| deadline <= Instant::now());
        if (is_late || is_over) && self.session().is_waiting() {
            self.clear();
            self.is_expired = true;
        }
    }
}
