//! One WebSocket: frames in, requests out, until either side ends it.
//!
//! What a reader would get wrong: a client that closes or vanishes cancels what it asked for and rolls its
//! sessions back; a server that stops reads no more, but lets what is under way end.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::Response as HttpResponse;
use futures_util::StreamExt;
use futures_util::stream::SplitStream;
use millrace_db::CancelFlag;
use millrace_db::gremlin::{SessionMode, Work};
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::{
    AnswerForm, Frame, Operation, Refusal, Request, RequestId, Response, auth, read_frame, status,
};

use super::Listener;
use super::run::{Job, language, translate};
use super::sender::{self, Sender};
use super::sessions::Sessions;
use crate::limits::REQUESTS_BEFORE_LOGIN_MAX;
use crate::metrics::Answered;
use crate::state::State;
use crate::users;

/// Takes a connection that asks to become a WebSocket.
pub(super) fn accept(listener: Listener, upgrade: WebSocketUpgrade) -> HttpResponse<Body> {
    let bytes_max = listener.state.database.settings().gremlin.message_bytes_max;
    let bytes_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let upgrade = upgrade.max_message_size(bytes_max).max_frame_size(bytes_max);
    upgrade.on_upgrade(move |socket| serve(listener, socket))
}

async fn serve(listener: Listener, socket: WebSocket) {
    let Listener { state, mut stopped } = listener;
    let _alive = state.connect();
    let (sink, stream) = socket.split();
    let (sender, frames) = sender::channel();
    let writing = tokio::spawn(sender::write(sink, frames, sender.clone()));
    let mut connection = Connection {
        sessions: Sessions::new(Arc::clone(&state)),
        is_known: state.users.is_none(),
        waiting: Vec::new(),
        cancel: CancelFlag::default(),
        state,
        sender,
    };
    tokio::select! {
        () = connection.read(stream) => {
            // Nobody is there who could be answered.
            connection.cancel.cancel();
            connection.sender.close();
        }
        // A sender that is gone means stop, too.
        _ = stopped.wait_for(|is_stopped| *is_stopped) => {}
    }
    // The last answer lets go of the last sender, and the writer ends.
    drop(connection);
    let _ended = writing.await;
}

/// A request, and how it is answered.
type Asked = (Request, AnswerForm);

struct Connection {
    state: Arc<State>,
    sender: Sender,
    sessions: Sessions,
    /// Whether the client need not, or did, say who it is.
    is_known: bool,
    /// Requests that came before that.
    waiting: Vec<Asked>,
    cancel: CancelFlag,
}

impl Connection {
    async fn read(&mut self, mut stream: SplitStream<WebSocket>) {
        while let Some(Ok(message)) = stream.next().await {
            match message {
                Message::Binary(bytes) => self.frame(Frame::Binary(&bytes)),
                Message::Text(text) => self.frame(Frame::Text(text.as_str())),
                // Answered below us.
                Message::Ping(_) | Message::Pong(_) => {}
                Message::Close(_) => return,
            }
        }
    }

    fn frame(&mut self, frame: Frame<'_>) {
        let (form, request) = read_frame(frame);
        match request {
            Err(refusal) => self.refuse(form, &refusal),
            Ok(Request {
                id, operation: Operation::Authenticate { mechanism, response }, ..
            }) => {
                self.log_in((id, form), mechanism.as_deref(), &response);
            }
            Ok(request) if self.is_known => self.start(request, form),
            Ok(request) => self.ask_who(request, form),
        }
    }

    fn refuse(&self, form: AnswerForm, refusal: &Refusal) {
        self.sender.send(form, form.write(&refusal.response()));
    }

    fn fail(&self, (id, form): (RequestId, AnswerForm), code: u16, error: Error) {
        self.refuse(form, &Refusal { id: Some(id), code, error });
    }

    /// Keeps a request until it is known who asks; the first is answered by the question.
    fn ask_who(&mut self, request: Request, form: AnswerForm) {
        if REQUESTS_BEFORE_LOGIN_MAX <= self.waiting.len() {
            let error = Error::new(ErrorKind::Forbidden, "say who you are first");
            return self.fail((request.id, form), status::UNAUTHORIZED, error);
        }
        if self.waiting.is_empty() {
            self.sender.send(form, form.write(&Response::challenge(request.id)));
        }
        self.waiting.push((request, form));
    }

    fn log_in(
        &mut self,
        (id, form): (RequestId, AnswerForm),
        mechanism: Option<&str>,
        proof: &[u8],
    ) {
        if let Err(error) = self.check(mechanism, proof) {
            self.waiting.clear();
            return self.fail((id, form), status::UNAUTHORIZED, error);
        }
        self.is_known = true;
        if self.waiting.is_empty() {
            let done = Response::of_code(Some(id), status::NO_CONTENT);
            return self.sender.send(form, form.write(&done));
        }
        for (request, form) in std::mem::take(&mut self.waiting) {
            self.start(request, form);
        }
    }

    fn check(&self, mechanism: Option<&str>, proof: &[u8]) -> Result<()> {
        if !matches!(mechanism, None | Some("" | "PLAIN")) {
            let detail = "there is no such way to say who you are";
            return Err(Error::new(ErrorKind::Unsupported, detail).with_help("use PLAIN"));
        }
        users::check(&self.state, &auth::plain(proof)?)
    }

    fn start(&mut self, request: Request, form: AnswerForm) {
        let Request { id, operation, options } = request;
        let (work, session) = match operation {
            Operation::Eval { script, language: of, bindings, session } => {
                (Work::Script { text: script, language: language(of), bindings }, session)
            }
            Operation::Bytecode { bytecode, session } => (Work::Traversal(bytecode), session),
            Operation::Close { session, .. } => return self.end_session((id, form), &session),
            Operation::Authenticate { .. } => return,
        };
        let answered = Answered::begin(match work {
            Work::Script { .. } => "gremlin-script",
            Work::Traversal(_) => "gremlin-bytecode",
        });
        let cancel = self.cancel.clone();
        let (request, shape) = translate(&self.state, work, options, (id, form), cancel);
        let admitted = match self.state.admit_one_of_many(&request.limits) {
            Ok(admitted) => admitted,
            Err(error) => return self.fail((id, form), status::TOO_MANY_REQUESTS, error),
        };
        let job = Job { request, shape, sender: self.sender.clone(), admitted, answered };
        let Some(session) = session else {
            let state = Arc::clone(&self.state);
            return self.state.workers.run(Box::new(move || job.run(&state)));
        };
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
