//! One WebSocket: frames in, requests out, until either side ends it.
//!
//! What a reader would get wrong: a client that closes or vanishes cancels what it asked for and rolls its
//! sessions back; a server that stops reads no more, but lets what is under way end.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::Response as HttpResponse;
use futures_util::StreamExt;
use futures_util::stream::SplitStream;
use millrace_db::gremlin::{SessionMode, Work};
use millrace_db::{CancelFlag, Client};
use millrace_model::Error;
use millrace_wire::gremlin::{
    self as wire, AnswerForm, Asked, Conversation, Frame, Next, Refusal, RequestId, Response,
    status,
};

use super::Listener;
use super::run::{Job, language, translate};
use super::sender::{self, Sender};
use super::sessions::Sessions;
use crate::metrics::Answered;
use crate::state::State;
use crate::users;

/// Takes a connection that asks to become a WebSocket.
pub(super) fn accept(
    listener: Listener,
    upgrade: WebSocketUpgrade,
    client: Client,
) -> HttpResponse<Body> {
    let bytes_max = listener.state.database.settings().gremlin.message_bytes_max;
    let bytes_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let upgrade = upgrade.max_message_size(bytes_max).max_frame_size(bytes_max);
    upgrade.on_upgrade(move |socket| serve(listener, socket, client))
}

async fn serve(listener: Listener, socket: WebSocket, client: Client) {
    let Listener { state, mut stopped } = listener;
    let _alive = state.connect();
    let (sink, stream) = socket.split();
    let (sender, frames) = sender::channel();
    let writing = tokio::spawn(sender::write(sink, frames, sender.clone()));
    let mut connection = Connection {
        sessions: Sessions::new(Arc::clone(&state)),
        conversation: Conversation::new(state.users.is_some()),
        cancel: CancelFlag::default(),
        bytes_max: state.database.settings().gremlin.message_bytes_max,
        state,
        sender,
        client,
    };
    tokio::select! {
        () = connection.read(stream) => {
            // Nobody listens any more.
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

struct Connection {
    state: Arc<State>,
    sender: Sender,
    sessions: Sessions,
    conversation: Conversation,
    cancel: CancelFlag,
    bytes_max: u64,
    client: Client,
}

/// Why a connection ends whose client sent what no message can be made of; `None`: it is gone.
fn goodbye(error: axum::Error, bytes_max: u64) -> Option<CloseFrame> {
    let inner = error.into_inner().downcast::<tungstenite::Error>();
    let (code, reason) = match inner.as_deref() {
        Ok(tungstenite::Error::Capacity(_)) => {
            let what = format!("longer than gremlin.message-bytes-max, {bytes_max} bytes");
            (close_code::SIZE, what)
        }
        Ok(tungstenite::Error::Utf8(_)) => (close_code::INVALID, "a text is no UTF-8".to_owned()),
        Ok(tungstenite::Error::Protocol(error)) => (close_code::PROTOCOL, error.to_string()),
        _ => return None,
    };
    Some(CloseFrame { code, reason: reason.into() })
}

impl Connection {
    async fn read(&mut self, mut stream: SplitStream<WebSocket>) {
        loop {
            self.sender.room().await;
            let message = match stream.next().await {
                Some(Ok(message)) => message,
                Some(Err(error)) => {
                    let why = goodbye(error, self.bytes_max);
                    return why.into_iter().for_each(|why| self.sender.say_goodbye(why));
                }
                None => return,
            };
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
        let state = Arc::clone(&self.state);
        for next in self.conversation.frame(frame, |who| users::check(&state, who)) {
            match next {
                Next::Answer(form, bytes) => self.sender.send(form, bytes),
                Next::Run(work, form) => self.start(*work, form),
                Next::EndSession { id, form, session } => self.end_session((id, form), &session),
            }
        }
    }

    fn fail(&self, (id, form): (RequestId, AnswerForm), code: u16, error: Error) {
        let refusal = Refusal { id: Some(id), code, error };
        self.sender.send(form, form.write(&refusal.response()));
    }

    fn start(&mut self, work: wire::Work, form: AnswerForm) {
        let wire::Work { id, asked, session, options } = work;
        let work = match asked {
            Asked::Script { text, language: of, bindings } => {
                Work::Script { text, language: language(of), bindings }
            }
            Asked::Traversal(bytecode) => Work::Traversal(bytecode),
        };
        let answered = Answered::begin(match work {
            Work::Script { .. } => "gremlin-script",
            Work::Traversal(_) => "gremlin-bytecode",
        });
        let cancel = self.cancel.clone();
        let (mut request, shape) = translate(&self.state, work, options, (id, form), cancel);
        request.limits.client = self.client;
        let admitted = match self.state.admit_one_of_many(&request.limits) {
            Ok(admitted) => admitted,
            Err(error) => return self.fail((id, form), status::TOO_MANY_REQUESTS, error),
        };
        let job = Job { request, shape, sender: self.sender.clone(), admitted, answered };
        let Some(session) = session else {
            let state = Arc::clone(&self.state);
            return self.state.workers.run(self.client, Box::new(move || job.run(&state)));
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
