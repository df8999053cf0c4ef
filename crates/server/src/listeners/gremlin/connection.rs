//! One WebSocket: frames in, requests out, until either side ends it.
//!
//! A client that closes or vanishes cancels its requests and rolls its sessions back; a server that
//! stops reads no more, but lets running requests end.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::Response as HttpResponse;
use futures_util::StreamExt;
use futures_util::stream::SplitStream;
use millrace_db::session::SessionMode;
use millrace_model::Error;
use millrace_wire::gremlin::{
    self as wire, AnswerForm, Asked, Conversation, Frame, LogIn, Next, Refusal, RequestId,
    Response, status,
};

use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::Shared;
use super::run::{Job, described, translate};
use super::sender::{self, Sender};
use super::sessions::Sessions;
use crate::connections::{Activity, Overdue, Peer, Refused, Reservation};
use crate::limits::{INLINE_IN_A_ROW_MAX, LOGIN_MESSAGE_BYTES_MAX, SOCKET_READ_BYTES};
use crate::monitoring::Answered;
use crate::state::State;
use crate::under_way::{Description, SocketNumber};

/// Takes a connection that asks to become a WebSocket.
pub(super) fn accept(
    shared: Shared,
    upgrade: WebSocketUpgrade,
    (peer, activity): (Peer, Arc<Activity>),
) -> HttpResponse<Body> {
    let bytes_max = shared.state.database.settings().gremlin.message_bytes_max;
    let bytes_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let upgrade = upgrade.max_message_size(bytes_max).max_frame_size(bytes_max);
    let upgrade = upgrade.read_buffer_size(SOCKET_READ_BYTES);
    upgrade.on_upgrade(move |socket| serve(shared, socket, peer, activity))
}

async fn serve(shared: Shared, socket: WebSocket, peer: Peer, activity: Arc<Activity>) {
    let Shared { state, mut stopped } = shared;
    let must_log_in = state.users.is_some();
    // A buffer may hold the beginning of the message behind one that is as long as it may be.
    let longest = LOGIN_MESSAGE_BYTES_MAX + SOCKET_READ_BYTES;
    let longest = if must_log_in { longest as u64 } else { u64::MAX };
    activity.become_socket(&state.connections, longest);
    let _alive = state.connections.connect();
    let (sink, mut stream) = socket.split();
    let (sender, frames) = sender::channel(activity.unsent.clone());
    let mut writing = tokio::spawn(sender::write(sink, frames, sender.clone()));
    let (logged_in, is_logged_in) = watch::channel(!must_log_in);
    let watched = (Arc::clone(&activity), sender.clone());
    let mut connection = Connection {
        sessions: Sessions::new(Arc::clone(&state)),
        conversation: Conversation::new(must_log_in),
        activity,
        logged_in,
        in_a_row: 0,
        flushing: None,
        number: state.under_way.new_socket(),
        bytes_max: state.database.settings().gremlin.message_bytes_max,
        state: Arc::clone(&state),
        sender,
        peer,
    };
    let ending = tokio::select! {
        ending = connection.read(&mut stream) => ending,
        why = overdue(&state, watched, is_logged_in) => {
            state.connections.close(why);
            connection.sender.say_goodbye(farewell(&state, why));
            Ending::Ours
        }
        // A sender that is gone means stop, too.
        _ = stopped.wait_for(|is_stopped| *is_stopped) => Ending::Drain,
    };
    if !matches!(ending, Ending::Drain) {
        // No answer is read any more.
        state.under_way.cancel_socket(connection.number);
        connection.sender.close();
    }
    // The last answer lets go of the last sender, and the writer ends.
    drop(connection);
    let closing = state.connections.times.closing;
    match ending {
        Ending::Drain => drop(writing.await),
        Ending::Theirs => {
            if timeout(closing, &mut writing).await.is_err() {
                writing.abort();
            }
        }
        Ending::Ours => {
            // Unread bytes from the client would make its system discard the close frame.
            let both = async {
                let _ended = (&mut writing).await;
                while let Some(Ok(_)) = stream.next().await {}
            };
            if timeout(closing, both).await.is_err() {
                writing.abort();
            }
        }
    }
}

/// How a connection ends.
enum Ending {
    /// The client closed or is gone.
    Theirs,
    /// The server closes.
    Ours,
    /// The server stops; requests under way are answered.
    Drain,
}

/// When something is overdue.
async fn overdue(
    state: &State,
    (activity, sender): (Arc<Activity>, Sender),
    mut is_logged_in: watch::Receiver<bool>,
) -> Overdue {
    let times = &state.connections.times;
    let began = Instant::now();
    let ahead = sender.idleness();
    drop(sender);
    let mut ticks = times.ticks();
    loop {
        ticks.tick().await;
        if !*is_logged_in.borrow_and_update() && times.login <= began.elapsed() {
            return Overdue::Login;
        }
        if let Some(why) = activity.socket_overdue(times, ahead.is_idle()) {
            return why;
        }
    }
}

/// The close frame of a connection that took too long.
fn farewell(state: &State, why: Overdue) -> CloseFrame {
    let own = &state.database.settings().connections;
    let (code, reason) = match why {
        Overdue::Login => {
            (close_code::POLICY, format!("no login within connections.login-ms, {}", own.login_ms))
        }
        Overdue::Slow => (
            close_code::POLICY,
            format!("a message came slower than connections.body-rate-min, {}", own.body_rate_min),
        ),
        Overdue::Memory => (
            close_code::AGAIN,
            "no room for its answers or its message: memory.max, connections.bodies-bytes-max"
                .to_owned(),
        ),
        Overdue::Head | Overdue::Idle => (
            close_code::AWAY,
            format!("idle for connections.socket-idle-ms, {}", own.socket_idle_ms),
        ),
    };
    CloseFrame { code, reason: reason.into() }
}

struct Connection {
    state: Arc<State>,
    sender: Sender,
    sessions: Sessions,
    conversation: Conversation,
    /// Its number in the list of requests.
    number: SocketNumber,
    bytes_max: u64,
    peer: Peer,
    activity: Arc<Activity>,
    logged_in: watch::Sender<bool>,
    /// Frames since the last pause.
    in_a_row: u32,
    /// Ends when the pong of the last ping has left.
    flushing: Option<oneshot::Receiver<()>>,
}

/// Bytes of the head of a control frame of a client.
const CONTROL_HEAD: usize = 6;

/// The close frame of a client that sent a message that is not taken.
fn not_taken(refused: Refused) -> CloseFrame {
    let (code, reason) = match refused {
        Refused::TooLong => {
            let reason =
                format!("before the login a message has at most {LOGIN_MESSAGE_BYTES_MAX} bytes");
            (close_code::SIZE, reason)
        }
        // A reason has 123 bytes.
        Refused::NoRoom => (
            close_code::AGAIN,
            "no room for the message now: connections.bodies-bytes-max, memory.max".to_owned(),
        ),
    };
    CloseFrame { code, reason: reason.into() }
}

/// Why a connection ends after bytes that make no message; `None`: the client is gone.
fn goodbye(error: axum::Error, bytes_max: u64) -> Option<CloseFrame> {
    let inner = error.into_inner().downcast::<tungstenite::Error>();
    let (code, reason) = match inner.as_deref() {
        Ok(tungstenite::Error::Capacity(_)) => {
            let what = format!("longer than gremlin.message-bytes-max, {bytes_max} bytes");
            (close_code::SIZE, what)
        }
        Ok(tungstenite::Error::Utf8(_)) => {
            (close_code::INVALID, "a text message is not UTF-8".to_owned())
        }
        Ok(tungstenite::Error::Protocol(error)) => (close_code::PROTOCOL, error.to_string()),
        _ => return None,
    };
    Some(CloseFrame { code, reason: reason.into() })
}

impl Connection {
    async fn read(&mut self, stream: &mut SplitStream<WebSocket>) -> Ending {
        loop {
            self.sender.room().await;
            self.activity.read_on();
            let message = match stream.next().await {
                Some(Ok(message)) => message,
                Some(Err(error)) => {
                    let why = self.activity.refused().map(not_taken);
                    let Some(why) = why.or_else(|| goodbye(error, self.bytes_max)) else {
                        return Ending::Theirs;
                    };
                    self.sender.say_goodbye(why);
                    return Ending::Ours;
                }
                None => return Ending::Theirs,
            };
            match message {
                Message::Binary(bytes) => self.frame(Frame::Binary(&bytes)).await,
                Message::Text(text) => self.frame(Frame::Text(text.as_str())).await,
                Message::Ping(bytes) => self.ping(bytes.len()).await,
                Message::Pong(bytes) => self.activity.take_control(bytes.len() + CONTROL_HEAD),
                Message::Close(_) => return Ending::Theirs,
            }
            self.pause().await;
        }
    }

    /// The pong is made below us. While the one before has not left, nothing more is read: pongs would
    /// pile up for a client that does not take them.
    async fn ping(&mut self, bytes: usize) {
        self.activity.take_control(bytes + CONTROL_HEAD);
        if let Some(flushing) = self.flushing.take() {
            // A socket that is gone is noticed by reading from it.
            let _gone = flushing.await;
        }
        self.flushing = Some(self.sender.flush());
    }

    /// Lets answers leave, and other connections have their turn, after several frames.
    async fn pause(&mut self) {
        self.in_a_row += 1;
        if INLINE_IN_A_ROW_MAX <= self.in_a_row {
            self.in_a_row = 0;
            tokio::task::yield_now().await;
        }
    }

    /// Handles a frame. While a password is checked no other frame is read.
    async fn frame(&mut self, frame: Frame<'_>) {
        let mut held = self.activity.take_message();
        let mut all = self.conversation.frame(frame);
        if let Some(Next::LogIn(asked)) = all.pop_if(|next| matches!(next, Next::LogIn(_))) {
            let LogIn { id, form, credentials } = *asked;
            let checked = self.state.check_login(credentials, self.peer).await;
            let checked = checked.map_err(|refused| (refused.code(), refused.error));
            all = self.conversation.checked((id, form), checked);
        }
        for next in all {
            match next {
                // It comes alone, and was checked above.
                Next::LogIn(_) => {}
                Next::Answer(form, bytes) => self.sender.send(form, bytes),
                Next::Run(work, form) => self.start(*work, form, held.take()),
                Next::EndSession { id, form, session } => self.end_session((id, form), &session),
            }
        }
        if self.conversation.is_known() && !*self.logged_in.borrow() {
            self.activity.allow_long_messages();
            self.logged_in.send_replace(true);
        }
    }

    fn fail(&self, (id, form): (RequestId, AnswerForm), code: u16, error: Error) {
        let refusal = Refusal { id: Some(id), code, error };
        self.sender.send(form, form.write(&refusal.response()));
    }

    fn start(&mut self, work: wire::Work, form: AnswerForm, held: Option<Reservation>) {
        let wire::Work { id, asked, session, options } = work;
        let kind = match asked {
            Asked::Script { .. } => "gremlin-script",
            Asked::Traversal(_) => "gremlin-bytecode",
        };
        let answered = Answered::begin(kind);
        let (mut request, response_options) = translate(&self.state, asked, options, (id, form));
        request.limits.client = self.peer.client;
        let socket = Some(self.number);
        let description = Description { socket, ..described(kind, &request, self.peer) };
        let admitted = match self.state.admit(&request.limits, description) {
            Ok(admitted) => admitted,
            Err(error) => return self.fail((id, form), status::TOO_MANY_REQUESTS, error),
        };
        let job = Job {
            request,
            response_options,
            sender: self.sender.clone(),
            admitted,
            answered,
            held,
        };
        let Some(session) = session else { return job.begin(&self.state) };
        let mode = SessionMode {
            is_own_transaction: session.manages_transaction,
            keeps_variables: session.keeps_state,
        };
        if let Err(refused) = self.sessions.run(&session.name, mode, job) {
            self.fail((id, form), status::EVALUATION, refused.1);
        }
    }

    fn end_session(&mut self, (id, form): (RequestId, AnswerForm), name: &str) {
        let sender = self.sender.clone();
        self.sessions.end(name, move || {
            let done = Response::of_code(Some(id), status::NO_CONTENT);
            sender.send(form, form.write(&done));
        });
    }
}
