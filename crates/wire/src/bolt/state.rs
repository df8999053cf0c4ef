//! The server's state machine: takes a request, says what the server must do, and learns how that went.
//!
//! ```text
//!   CONNECTED ──HELLO──> AUTHENTICATION ──LOGON──> READY ──RUN──> STREAMING ──last record──> READY
//!                          (5.1 on)                  └──BEGIN──> TX_READY <──> TX_STREAMING
//!   a failure: FAILED, every request is ignored until RESET; in the login, or out of turn: DEFUNCT
//!   RESET has arrived: INTERRUPTED, every request in front of it is ignored
//! ```
//!
//! Requests are done one after the other. A RESET is known as soon as it arrives ([`Machine::interrupt`]) and done in
//! its turn.

use millrace_model::Error;

use super::errors::{self, Failure};
use super::options::{Amount, TransactionOptions};
use super::request::{Auth, Hello, Request, Route, Run};
use super::version::Version;

/// A state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Waits for HELLO.
    Connected,
    /// Waits for LOGON.
    Authentication,
    /// Waits for a query or a transaction.
    Ready,
    /// A result outside of a transaction has records left.
    Streaming,
    /// A transaction is open, and no result of it.
    TxReady,
    /// A transaction and at least one result of it are open.
    TxStreaming,
    /// Something failed; RESET clears it.
    Failed,
    /// A RESET has arrived and not come to its turn.
    Interrupted,
    /// Nothing more is done; the connection is closed.
    Defunct,
}

/// What the server must do about a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Greet the client; before 5.1 log it in, too.
    Hello(Hello),
    /// Log it in.
    LogIn(Auth),
    /// Log it out.
    LogOut,
    /// Only answer.
    Note,
    /// Answer with addresses.
    Route(Route),
    /// Run a query, as a transaction of its own or, with a number for its result, in the open transaction.
    Run(Run, Option<i64>),
    /// Send records of a result.
    Pull {
        /// The number of the result; 0 outside of a transaction.
        query: i64,
        /// How many; `None`: all.
        records: Option<u64>,
    },
    /// Pass over records of a result.
    Discard {
        /// The number of the result; 0 outside of a transaction.
        query: i64,
        /// How many; `None`: all.
        records: Option<u64>,
    },
    /// Begin a transaction.
    Begin(TransactionOptions),
    /// Commit it.
    Commit,
    /// Roll it back.
    Rollback,
    /// Roll back, forget results, answer.
    Reset,
    /// Answer IGNORED.
    Ignore,
    /// Answer with this failure.
    Refuse(Failure),
    /// Close the connection without an answer.
    Close,
}

/// A request under way, as far as its end changes the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnderWay {
    Hello,
    LogIn,
    LogOut,
    Note,
    Run(Option<i64>),
    Records(i64),
    Begin,
    End,
    Reset,
}

/// The state of a connection.
#[derive(Debug)]
pub struct Machine {
    version: Version,
    state: State,
    under_way: Option<UnderWay>,
    /// RESETs that have arrived and not come to their turn.
    interrupts: u32,
    /// Open results of the transaction, the newest last.
    open: Vec<i64>,
    next_query: i64,
}

impl Machine {
    /// That of a connection after its handshake.
    pub fn new(version: Version) -> Machine {
        Machine {
            version,
            state: State::Connected,
            under_way: None,
            interrupts: 0,
            open: Vec::new(),
            next_query: 0,
        }
    }

    /// Its state.
    pub fn state(&self) -> State {
        match self.interrupts {
            0 => self.state,
            _ => State::Interrupted,
        }
    }

    /// Whether the connection is to be closed once its answers have left.
    pub fn is_defunct(&self) -> bool {
        self.state == State::Defunct
    }

    /// A RESET has arrived behind requests that are not done.
    pub fn interrupt(&mut self) {
        self.interrupts = self.interrupts.saturating_add(1);
    }

    /// What to do about the next request. After anything but [`Action::Ignore`], [`Action::Refuse`] and
    /// [`Action::Close`] the machine wants to know how it went.
    pub fn take(&mut self, request: Request) -> Action {
        match (self.state(), request) {
            (State::Defunct, _) => Action::Close,
            (_, Request::Goodbye) => {
                self.state = State::Defunct;
                Action::Close
            }
            (_, Request::Reset) => self.reset(),
            (State::Interrupted | State::Failed, _) => Action::Ignore,
            (State::Connected, Request::Hello(hello)) => {
                self.begin(UnderWay::Hello, Action::Hello(hello))
            }
            (State::Authentication, Request::Logon(auth)) => {
                self.begin(UnderWay::LogIn, Action::LogIn(auth))
            }
            (State::Ready, Request::Logoff) => self.begin(UnderWay::LogOut, Action::LogOut),
            (State::Ready, Request::Telemetry) => self.begin(UnderWay::Note, Action::Note),
            (State::Ready, Request::Route(route)) => {
                self.begin(UnderWay::Note, Action::Route(route))
            }
            (State::Ready, Request::Run(run)) => {
                self.begin(UnderWay::Run(None), Action::Run(run, None))
            }
            (State::Ready, Request::Begin(options)) => {
                self.begin(UnderWay::Begin, Action::Begin(options))
            }
            (
                State::TxStreaming,
                request @ (Request::Run(_) | Request::Commit | Request::Rollback),
            ) if !self.version.has_amounts() => {
                // One result at a time, which ends before anything else begins.
                self.unawaited(request.name())
            }
            (State::TxReady | State::TxStreaming, Request::Run(run)) => {
                let query = Some(self.next_query);
                self.begin(UnderWay::Run(query), Action::Run(run, query))
            }
            (State::TxReady | State::TxStreaming, Request::Commit) => {
                self.begin(UnderWay::End, Action::Commit)
            }
            (State::TxReady | State::TxStreaming, Request::Rollback) => {
                self.begin(UnderWay::End, Action::Rollback)
            }
            (State::Streaming | State::TxStreaming, Request::Pull(amount)) => {
                self.records(amount, |query, records| Action::Pull { query, records })
            }
            (State::Streaming | State::TxStreaming, Request::Discard(amount)) => {
                self.records(amount, |query, records| Action::Discard { query, records })
            }
            (
                State::Connected
                | State::Authentication
                | State::Ready
                | State::Streaming
                | State::TxReady
                | State::TxStreaming,
                request,
            ) => self.unawaited(request.name()),
        }
    }

    fn begin(&mut self, under_way: UnderWay, action: Action) -> Action {
        self.under_way = Some(under_way);
        action
    }

    fn reset(&mut self) -> Action {
        if matches!(self.state, State::Connected | State::Authentication) {
            return self.unawaited("RESET");
        }
        self.interrupts = self.interrupts.saturating_sub(1);
        match self.interrupts {
            0 => self.begin(UnderWay::Reset, Action::Reset),
            _ => Action::Ignore,
        }
    }

    fn records(&mut self, amount: Amount, action: fn(i64, Option<u64>) -> Action) -> Action {
        let query = match self.state {
            State::TxStreaming => match amount.query {
                Some(query) => self.open.iter().find(|own| **own == query),
                None => self.open.last(),
            },
            _ => Some(&0).filter(|own| amount.query.is_none_or(|query| query == **own)),
        };
        match query {
            Some(query) => {
                let query = *query;
                self.begin(UnderWay::Records(query), action(query, amount.records))
            }
            None => {
                self.state = State::Failed;
                let query = amount.query.unwrap_or(-1);
                let detail = format!("no result with the number {query} is open");
                Action::Refuse(Failure::new(errors::REQUEST_INVALID, detail))
            }
        }
    }

    fn unawaited(&mut self, name: &str) -> Action {
        let detail = format!("{name} cannot be handled in the state {}", self.state.name());
        self.state = State::Defunct;
        Action::Refuse(Failure::new(errors::REQUEST_INVALID, detail))
    }

    /// What to do about bytes that are no request.
    pub fn unreadable(&mut self, error: &Error) -> Action {
        match self.state() {
            State::Failed | State::Interrupted => return Action::Ignore,
            State::Connected | State::Authentication | State::Defunct => {
                self.state = State::Defunct;
            }
            State::Ready | State::Streaming | State::TxReady | State::TxStreaming => {
                self.state = State::Failed;
            }
        }
        Action::Refuse(Failure::new(errors::REQUEST_INVALID_FORMAT, error.to_string()))
    }

    /// The request under way is done; `has_more` says that its result has records left.
    pub fn succeeded(&mut self, has_more: bool) {
        let Some(under_way) = self.under_way.take() else { return };
        self.state = match under_way {
            UnderWay::Hello if self.version.has_logon() => State::Authentication,
            UnderWay::Hello | UnderWay::LogIn | UnderWay::Note => State::Ready,
            UnderWay::LogOut => State::Authentication,
            UnderWay::Run(None) => State::Streaming,
            UnderWay::Run(Some(query)) => {
                self.open.push(query);
                self.next_query = query + 1;
                State::TxStreaming
            }
            UnderWay::Records(_) if has_more => return,
            UnderWay::Records(query) => {
                self.open.retain(|own| *own != query);
                match (self.state, self.open.is_empty()) {
                    (State::TxStreaming, true) => State::TxReady,
                    (State::TxStreaming, false) => State::TxStreaming,
                    _ => State::Ready,
                }
            }
            UnderWay::Begin => State::TxReady,
            UnderWay::End | UnderWay::Reset => State::Ready,
        };
        if matches!(under_way, UnderWay::Begin | UnderWay::End | UnderWay::Reset) {
            self.open.clear();
            self.next_query = 0;
        }
    }

    /// The request under way failed.
    pub fn failed(&mut self) {
        self.state = match self.under_way.take() {
            Some(UnderWay::Hello | UnderWay::LogIn | UnderWay::Reset) => State::Defunct,
            Some(
                UnderWay::LogOut
                | UnderWay::Note
                | UnderWay::Run(_)
                | UnderWay::Records(_)
                | UnderWay::Begin
                | UnderWay::End,
            )
            | None => State::Failed,
        };
    }
}

impl State {
    /// Its name, as documents of the protocol have it.
    pub fn name(self) -> &'static str {
        match self {
            State::Connected => "CONNECTED",
            State::Authentication => "AUTHENTICATION",
            State::Ready => "READY",
            State::Streaming => "STREAMING",
            State::TxReady => "TX_READY",
            State::TxStreaming => "TX_STREAMING",
            State::Failed => "FAILED",
            State::Interrupted => "INTERRUPTED",
            State::Defunct => "DEFUNCT",
        }
    }
}
