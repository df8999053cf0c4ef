//! What each request does: greetings, logins, queries, transactions.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::session::ExplicitTransaction;
use millrace_db::{Caller, Phase as TracePhase, Trace};
use millrace_model::{Error, ErrorKind, LogPosition, Result, Value};
use millrace_wire::bolt::chunks::write_chunked;
use millrace_wire::bolt::errors::TRANSACTION_TIMED_OUT;
use millrace_wire::bolt::state::{Action, State as Phase};
use millrace_wire::bolt::{
    Auth, Failure, Hello, Route, Run, TransactionOptions, read_request, write_failure,
    write_ignored, write_success,
};

use super::connection::{Connection, Message};
use super::link::{Alive, Ended};
use super::query::Job;
use super::session::Session;
use super::transaction::OpenTransaction;
use super::{login, summary};
use crate::connections::Reservation;
use crate::executor::visible;
use crate::limits::BOLT_INLINE_BYTES_MAX;
use crate::neo4j::{Target, bookmark, deadline, routing};
use crate::state::State;
use crate::under_way::SocketNumber;

/// Fields of a SUCCESS.
pub(super) type Fields = Vec<(&'static str, Value)>;

impl Connection {
    /// Does a request, and answers it.
    pub(super) async fn answer(&mut self, Message { bytes, reserved }: Message) -> Alive {
        let action = match read_request(&bytes, self.asker.form.version) {
            Ok(request) => self.machine.take(request),
            Err(error) => self.machine.unreadable(&error),
        };
        let is_small = bytes.len() <= BOLT_INLINE_BYTES_MAX;
        drop(bytes);
        if self.is_expired && !matches!(action, Action::Ignore | Action::Refuse(_) | Action::Close)
        {
            self.is_expired = false;
            if action != Action::Reset {
                let detail = "the transaction or the result waited too long for its client and was rolled back \
                              (the setting is bolt.transaction-idle-ms, or tx_timeout)";
                self.machine.failed();
                self.fail(&Failure::new(TRANSACTION_TIMED_OUT, detail));
                return Ok(());
            }
        }
        match action {
            Action::Hello(hello) => self.greet(hello).await,
            Action::LogIn(auth) => self.log_in(auth).await,
            Action::LogOut | Action::Note => self.done(Ok(Fields::new())),
            Action::Route(route) => {
                let table = self.route(&route);
                self.done(table)
            }
            Action::Run(run, query) => self.run_query(run, query, (is_small, reserved)).await,
            Action::Pull { query, records } => self.records(query, records, true).await,
            Action::Discard { query, records } => self.records(query, records, false).await,
            Action::Begin(options) => self.begin(options).await,
            Action::Commit => self.commit().await,
            Action::Rollback | Action::Reset => {
                self.cancel = None;
                self.clear();
                self.done(Ok(Fields::new()))
            }
            Action::Ignore => {
                let form = self.asker.form;
                let write = |bytes: &mut Vec<u8>| {
                    write_ignored(bytes, form);
                    Ok(())
                };
                // Two bytes have room.
                let _written = write_chunked(&mut self.out, write);
                Ok(())
            }
            Action::Refuse(failure) => {
                self.fail(&failure);
                self.clear();
                Ok(())
            }
            Action::Close => Ok(()),
        }
    }

    /// Answers the request that was done.
    pub(super) fn done(&mut self, done: Result<Fields>) -> Alive {
        self.done_with(done, false)
    }

    /// The same for a result that has records left.
    pub(super) fn done_with(&mut self, done: Result<Fields>, has_more: bool) -> Alive {
        match done {
            Ok(fields) => {
                self.machine.succeeded(has_more);
                let form = self.asker.form;
                let write = |bytes: &mut Vec<u8>| write_success(bytes, &fields, form);
                write_chunked(&mut self.out, write).map_err(|_| Ended)
            }
            Err(error) => {
                self.machine.failed();
                self.clear();
                self.fail(&Failure::of(&error));
                Ok(())
            }
        }
    }

    pub(super) fn fail(&mut self, failure: &Failure) {
        let form = self.asker.form;
        // A failure is short.
        let _written = write_chunked(&mut self.out, |bytes| write_failure(bytes, failure, form));
    }

    async fn greet(&mut self, hello: Hello) -> Alive {
        let version = self.asker.form.version;
        let patches = !version.is_always_utc() && hello.wants_utc;
        self.routing_address = hello.routing_address;
        self.notifications = hello.notifications;
        if !version.has_logon() && !self.check(&hello.auth).await? {
            return Ok(());
        }
        let SocketNumber(number) = self.asker.number;
        let text = |text: &str| Value::from(text);
        let hints = ["telemetry.enabled", "ssr.enabled"];
        let hints = hints.map(|hint| (text(hint), Value::Bool(false)));
        let mut fields = vec![
            ("server", text(&self.database().settings().bolt.server_agent)),
            ("connection_id", text(&format!("bolt-{number}"))),
            ("hints", Value::map(hints.into())),
        ];
        if patches {
            fields.push(("patch_bolt", Value::list(vec![text("utc")])));
        }
        let done = self.done(Ok(fields));
        // The answers behind this one have the patch.
        self.asker.form.is_utc |= patches;
        done
    }

    async fn log_in(&mut self, auth: Auth) -> Alive {
        if self.check(&auth).await? { self.done(Ok(Fields::new())) } else { Ok(()) }
    }

    /// Whether a login is right; a wrong one is answered.
    async fn check(&mut self, auth: &Auth) -> Alive<bool> {
        let (state, peer) = (Arc::clone(self.state()), self.asker.peer);
        let checked = self.wait(async move { login::check(&state, auth, peer).await }).await?;
        if let Err(failure) = checked {
            self.machine.failed();
            self.fail(&failure);
            return Ok(false);
        }
        self.link.log_in();
        let has_users = self.state().users.is_some();
        self.user = has_users.then(|| Arc::from(&*auth.principal));
        let bytes_max = self.database().settings().bolt.message_bytes_max;
        self.dechunker.limit(usize::try_from(bytes_max).unwrap_or(usize::MAX));
        Ok(true)
    }

    fn route(&self, asked: &Route) -> Result<Fields> {
        let target = Target::of(self.database(), asked.database.as_deref())?;
        let setting = &self.database().settings().bolt.advertised_address;
        let of_hello = self.routing_address.as_deref();
        let address =
            routing::address(setting, asked.address.as_deref(), of_hello, self.shared.local);
        Ok(routing::table(&address, &target.database))
    }

    async fn run_query(
        &mut self,
        run: Run,
        query: Option<i64>,
        (is_small, reserved): (bool, Option<Reservation>),
    ) -> Alive {
        let (state, asker) = (Arc::clone(self.state()), self.asker);
        let metadata = run.options.metadata.clone();
        let notifications = run.options.notifications.on(self.notifications);
        let transaction = self.session().transaction.as_ref();
        let job = match Job::admit(&state, asker, run, transaction, reserved) {
            Ok(mut job) => {
                let open = self.session().transaction.as_ref();
                let notifications = open.map_or(notifications, |open| open.notifications);
                job.records.wants_notifications = notifications.are_any();
                let own = open.map(|open| Arc::clone(&open.caller));
                job.request.limits.caller = Some(own.unwrap_or_else(|| self.caller(metadata)));
                job
            }
            Err(error) => return self.done(Err(error)),
        };
        let cancel = job.request.limits.cancel.clone();
        if self.machine.state() == Phase::Interrupted {
            cancel.cancel();
        }
        self.cancel = Some(cancel);
        let (number, done) = match query {
            None => (0, self.run_alone(job, is_small).await?),
            Some(number) => {
                let run =
                    move |state: &State, session: &mut Session| job.run_in(state, session, number);
                (number, self.work(run).await?)
            }
        };
        let session = self.session();
        let fields = done.and_then(|()| {
            let result = session.results.get(&number);
            let missing = || Error::new(ErrorKind::Bug, "a result that was made is missing");
            Ok(summary::begun(result.ok_or_else(missing)?, query))
        });
        self.done(fields)
    }

    /// Runs a query as a transaction of its own: a small one on this thread.
    async fn run_alone(&mut self, job: Job, is_small: bool) -> Alive<Result<()>> {
        let tried = match is_small {
            true => job.try_inline(self.state()),
            false => Err(Box::new(job)),
        };
        let made = match tried {
            Ok(made) => made,
            Err(job) => self.work(move |state, _| job.run(state)).await?,
        };
        Ok(made.map(|result| {
            self.session().results.insert(0, result);
        }))
    }

    /// The bookmark of a commit, or of what was visible where nothing was written.
    pub(super) fn bookmark(
        &self,
        target: &Target,
        position: Option<LogPosition>,
    ) -> Option<String> {
        let graph = target.find(self.database()).ok().flatten()?;
        let position = position.unwrap_or_else(|| graph.visible_position());
        Some(bookmark::write(&target.graph, position))
    }

    /// What procedures may know of the client.
    fn caller(&self, metadata: Vec<(Arc<str>, Value)>) -> Arc<Caller> {
        let of_hello = self.routing_address.as_deref();
        let address = routing::address("", None, of_hello, self.shared.local);
        let metadata = metadata.into_iter().map(|(name, value)| (Value::String(name), value));
        let metadata = Value::map(metadata.collect());
        Arc::new(Caller::new(self.user.clone(), Some(address.into()), metadata))
    }

    async fn begin(&mut self, options: TransactionOptions) -> Alive {
        let begun = self.transaction(options).await?;
        let begun = begun.map(|transaction| {
            self.session().transaction = Some(transaction);
            Fields::new()
        });
        self.done(begun)
    }

    async fn transaction(&mut self, options: TransactionOptions) -> Alive<Result<OpenTransaction>> {
        let database = self.database();
        let opened = Target::of(database, options.database.as_deref()).and_then(|target| {
            let waiting = bookmark::not_visible(database, &options.bookmarks)?;
            let deadline = options.timeout_ms.and_then(|millis| deadline(database, millis));
            Ok((target, waiting, deadline))
        });
        let (target, waiting, until) = match opened {
            Ok(opened) => opened,
            Err(error) => return Ok(Err(error)),
        };
        if !waiting.is_empty() {
            let most = until.or_else(|| deadline(self.database(), u64::MAX));
            let waited = self.work(move |_, _| bookmark::wait(&waiting, most)).await?;
            if let Err(error) = waited {
                return Ok(Err(error));
            }
        }
        let is_read_only = options.is_read_only;
        let inner = ExplicitTransaction::begin(is_read_only);
        let notifications = options.notifications.on(self.notifications);
        let (target, caller) = (Arc::new(target), self.caller(options.metadata));
        Ok(Ok(OpenTransaction {
            inner,
            target,
            caller,
            notifications,
            is_read_only,
            deadline: until,
        }))
    }

    async fn commit(&mut self) -> Alive {
        let committing = |state: &State, session: &mut Session| {
            session.results.clear();
            let missing = || Error::new(ErrorKind::Bug, "a transaction that is open is missing");
            let open = session.transaction.take().ok_or_else(missing)?;
            let settings = state.database.settings();
            let trace = Trace::of_commit(settings, state.bolt_language, &open.target.graph);
            let ticket = trace.time(TracePhase::Commit, || open.inner.commit());
            let ticket = ticket.inspect_err(|error| trace.end(Err(error.kind)))?;
            Ok((ticket, open.target, trace))
        };
        let (ticket, target, trace) = match self.work(committing).await? {
            Ok(committed) => committed,
            Err(error) => return self.done(Err(error)),
        };
        let position = ticket.as_ref().map(|ticket| ticket.position);
        let (state, committed) = (Arc::clone(self.state()), Instant::now());
        let waiting = async move { visible(&state.database, ticket).await };
        let waited = self.wait(waiting).await?;
        trace.add(TracePhase::Sync, committed.elapsed());
        trace.end(waited.as_ref().map(drop).map_err(|error| error.kind));
        let done = waited.map(|()| {
            let bookmark = self.bookmark(&target, position);
            let fields = bookmark.map(|text| ("bookmark", Value::from(text.as_str())));
            let has_database = self.asker.form.version.has_amounts();
            let database = has_database.then(|| ("db", Value::String(target.database.clone())));
            fields.into_iter().chain(database).collect()
        });
        self.done(done)
    }
}
