//! One connection, without its socket: frames in, next steps out.
//!
//! ```text
//!   frame ──> Conversation ─┬─> Answer       a refusal, the challenge to log in
//!                 ^         ├─> LogIn ──> the listener checks the password ──┐
//!                 │         ├─> Run          a script or a traversal         │
//!                 │         └─> EndSession                                   │
//!                 └────────────────── checked ───────────────────────────────┘
//! ```
//!
//! The listener checks passwords, which takes time, and keeps sessions; the conversation only decides
//! which requests a client may send before it has logged in.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode};
use millrace_model::{Error, ErrorKind, Result};

use super::auth::{self, Credentials};
use super::frame::{AnswerForm, Frame, read_frame};
use super::request::{Language, Operation, Options, Refusal, Request, RequestId, Session};
use super::response::Response;
use super::status;
use crate::limits::{WAITING_BYTES_MAX, WAITING_REQUESTS_MAX};

/// The next step of the listener.
#[derive(Debug)]
pub enum Next {
    /// Send these bytes.
    Answer(AnswerForm, Vec<u8>),
    /// Check a name and a password, and report the result to [`Conversation::checked`].
    LogIn(Box<LogIn>),
    /// Run a script or a traversal, and answer it.
    Run(Box<Work>, AnswerForm),
    /// End a session, and say that it has ended.
    EndSession {
        /// Which request asks for it.
        id: RequestId,
        /// How it is answered.
        form: AnswerForm,
        /// The name of the session.
        session: String,
    },
}

/// A client that wants to log in.
#[derive(Debug)]
pub struct LogIn {
    /// Which request asks for it.
    pub id: RequestId,
    /// How it is answered.
    pub form: AnswerForm,
    /// The name and the password.
    pub credentials: Credentials,
}

/// A script or a traversal that may run.
#[derive(Debug)]
pub struct Work {
    /// Which request asks for it.
    pub id: RequestId,
    /// The script or the traversal.
    pub asked: Asked,
    /// The session it belongs to.
    pub session: Option<Session>,
    /// How it is to be done.
    pub options: Options,
}

/// A script or a traversal.
#[derive(Debug)]
pub enum Asked {
    /// A script.
    Script {
        /// Its text.
        text: Arc<str>,
        /// The language it is in.
        language: Language,
        /// Its variables.
        bindings: Vec<(Arc<str>, Argument)>,
    },
    /// A traversal.
    Traversal(Bytecode),
}

/// A connection from its first frame on.
#[derive(Debug)]
pub struct Conversation {
    /// Whether the client has authenticated, or need not.
    is_known: bool,
    /// Requests that came before that.
    waiting: Vec<(Request, AnswerForm)>,
    /// Bytes of the frames that they came in.
    waiting_bytes: usize,
}

impl Conversation {
    /// One with a client that must authenticate, or need not.
    pub fn new(asks_who: bool) -> Conversation {
        Conversation { is_known: !asks_who, waiting: Vec::new(), waiting_bytes: 0 }
    }

    /// Whether the client has logged in, or need not.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The next steps for a frame, in order.
    pub fn frame(&mut self, frame: Frame<'_>) -> Vec<Next> {
        let bytes = match frame {
            Frame::Binary(bytes) => bytes.len(),
            Frame::Text(text) => text.len(),
        };
        match read_frame(frame) {
            (form, Err(refusal)) => vec![refused(form, &refusal)],
            (form, Ok(request)) => match request.operation {
                Operation::Authenticate { mechanism, response } => {
                    let id = request.id;
                    match proved(mechanism.as_deref(), &response) {
                        Ok(credentials) => {
                            vec![Next::LogIn(Box::new(LogIn { id, form, credentials }))]
                        }
                        Err(error) => self.checked((id, form), Err((status::UNAUTHORIZED, error))),
                    }
                }
                _ if self.is_known => vec![allowed(request, form)],
                _ => self.ask_who(request, form, bytes),
            },
        }
    }

    /// Holds a request until the client has authenticated; the first is answered by the challenge.
    fn ask_who(&mut self, request: Request, form: AnswerForm, bytes: usize) -> Vec<Next> {
        let is_first = self.waiting.is_empty();
        let held = self.waiting_bytes.saturating_add(bytes);
        // The first may be as long as any: it was read as a whole.
        let are_too_many = WAITING_REQUESTS_MAX <= self.waiting.len() || WAITING_BYTES_MAX < held;
        if are_too_many && !is_first {
            let error = Error::new(ErrorKind::Forbidden, "log in first");
            let id = Some(request.id);
            return vec![refused(form, &Refusal { id, code: status::UNAUTHORIZED, error })];
        }
        let question = Next::Answer(form, form.write(&Response::challenge(request.id)));
        self.waiting_bytes = held;
        self.waiting.push((request, form));
        is_first.then_some(question).into_iter().collect()
    }

    /// The next steps after a login was checked: a refusal with its code, or all requests that waited for it.
    pub fn checked(
        &mut self,
        (id, form): (RequestId, AnswerForm),
        checked: std::result::Result<(), (u16, Error)>,
    ) -> Vec<Next> {
        self.waiting_bytes = 0;
        let waiting = std::mem::take(&mut self.waiting);
        if let Err((code, error)) = checked {
            let refusal = Refusal { id: Some(id), code, error };
            return vec![refused(form, &refusal)];
        }
        self.is_known = true;
        if waiting.is_empty() {
            let done = Response::of_code(Some(id), status::NO_CONTENT);
            return vec![Next::Answer(form, form.write(&done))];
        }
        waiting.into_iter().map(|(request, form)| allowed(request, form)).collect()
    }
}

fn refused(form: AnswerForm, refusal: &Refusal) -> Next {
    Next::Answer(form, form.write(&refusal.response()))
}

/// The request of a client that has authenticated, or need not.
fn allowed(request: Request, form: AnswerForm) -> Next {
    let Request { id, operation, options } = request;
    let (asked, session) = match operation {
        Operation::Eval { script: text, language, bindings, session } => {
            (Asked::Script { text, language, bindings }, session)
        }
        Operation::Bytecode { bytecode, session } => (Asked::Traversal(bytecode), session),
        Operation::Close { session, force: _ } => return Next::EndSession { id, form, session },
        Operation::Authenticate { .. } => {
            let error = Error::new(
                ErrorKind::Bug,
                "an authenticated client sent a login that was not handled",
            );
            return refused(form, &Refusal { id: Some(id), code: status::SERVER_ERROR, error });
        }
    };
    Next::Run(Box::new(Work { id, asked, session, options }), form)
}

fn proved(mechanism: Option<&str>, proof: &[u8]) -> Result<Credentials> {
    if !matches!(mechanism, None | Some("" | "PLAIN")) {
        let detail = "the SASL mechanism is not supported";
        return Err(Error::new(ErrorKind::Unsupported, detail).with_help("use PLAIN"));
    }
    auth::plain(proof)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gremlin::{Format, Options, read_answer, write_frame};

    fn framed(id: u8, operation: Operation) -> Vec<u8> {
        let request = Request { id: [id; 16], operation, options: Options::default() };
        write_frame(&request, Format::GraphBinary).unwrap()
    }

    fn script(id: u8, text: &str) -> Vec<u8> {
        let language = Language::Groovy;
        let (script, bindings) = (text.into(), Vec::new());
        framed(id, Operation::Eval { script, language, bindings, session: None })
    }

    fn proof(id: u8, response: &[u8]) -> Vec<u8> {
        framed(id, Operation::Authenticate { mechanism: None, response: response.to_vec() })
    }

    fn only_ann(known: &Credentials) -> Result<()> {
        if known.user == "ann" {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Forbidden, "not ann"))
    }

    /// Each next step in a word: the code of an answer, or the id of a running request.
    fn answers(conversation: &mut Conversation, bytes: &[u8]) -> Vec<String> {
        let mut all = conversation.frame(Frame::Binary(bytes));
        if let Some(Next::LogIn(asked)) = all.pop_if(|next| matches!(next, Next::LogIn(_))) {
            let checked = only_ann(&asked.credentials);
            let checked = checked.map_err(|error| (status::UNAUTHORIZED, error));
            all = conversation.checked((asked.id, asked.form), checked);
        }
        let word = |next: &Next| match next {
            Next::Answer(form, bytes) => read_answer(bytes, form.format).unwrap().code.to_string(),
            Next::Run(work, _) => format!("run {}", work.id[0]),
            Next::LogIn(_) => "log in".to_owned(),
            Next::EndSession { session, .. } => format!("end {session}"),
        };
        all.iter().map(word).collect()
    }

    #[test]
    fn requests_wait_for_the_login_and_run_after_it() {
        let mut own = Conversation::new(true);
        assert_eq!(answers(&mut own, &script(1, "g.V()")), ["407"]);
        let close = Operation::Close { session: "s".into(), force: false };
        assert!(answers(&mut own, &framed(2, close)).is_empty());
        assert_eq!(answers(&mut own, &proof(1, b"\0ann\0x")), ["run 1", "end s"]);
        assert_eq!(answers(&mut own, &script(3, "g.V()")), ["run 3"]);
        assert_eq!(answers(&mut own, &proof(4, b"\0ann\0x")), ["204"]);
    }

    #[test]
    fn a_failed_login_drops_waiting_requests_and_may_be_retried() {
        let mut own = Conversation::new(true);
        assert_eq!(answers(&mut own, &script(1, "g.V()")), ["407"]);
        assert_eq!(answers(&mut own, &proof(1, b"\0bob\0x")), ["401"]);
        assert_eq!(answers(&mut own, &proof(1, b"nothing")), ["401"]);
        assert_eq!(answers(&mut own, &script(2, "g.V()")), ["407"]);
        assert_eq!(answers(&mut own, &proof(2, b"\0ann\0x")), ["run 2"]);
    }

    #[test]
    fn requests_before_the_login_are_bounded_in_number_and_in_bytes() {
        let mut own = Conversation::new(true);
        let long = "x".repeat(WAITING_BYTES_MAX);
        assert_eq!(answers(&mut own, &script(1, &long)), ["407"], "one may be long");
        assert_eq!(answers(&mut own, &script(2, &long)), ["401"]);
        let mut own = Conversation::new(true);
        for _ in 0..WAITING_REQUESTS_MAX {
            answers(&mut own, &script(1, ""));
        }
        assert_eq!(answers(&mut own, &script(2, "")), ["401"]);
        assert_eq!(own.waiting.len(), WAITING_REQUESTS_MAX);
        assert_eq!(answers(&mut own, &proof(1, b"\0ann\0x")).len(), WAITING_REQUESTS_MAX);
    }
}
