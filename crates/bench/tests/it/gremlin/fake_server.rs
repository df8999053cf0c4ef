//! A Gremlin server with behaviour set by a test: it answers, refuses, holds answers back, hangs up.

use std::collections::{BTreeMap, HashSet};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use millrace_bench::gremlin::Arguments;
use millrace_wire::gremlin::{
    AnswerForm, Batches, Datum, Frame, Operation, Request, Response, read_frame,
};
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// The server's reaction to a request.
#[derive(Clone, Copy)]
pub(super) enum Reply {
    /// Nothing to say: 204.
    Done,
    /// A result in a first frame, and another in the last.
    TwoFrames,
    /// An error with this code.
    Refuse(u16),
    /// Nothing, until so many are held; then all of them are done.
    HoldUntil(u64),
    /// The connection ends.
    HangUp,
}

/// The reaction to the request of a number, counted over all connections.
pub(super) type Behaviour = dyn Fn(u64) -> Reply + Send + Sync;

/// A server on a port of its own, until the process ends.
pub(super) struct FakeServer {
    pub(super) url: String,
    seen: Arc<Mutex<Seen>>,
}

/// The server's counts.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) requests: u64,
    pub(super) outstanding: u64,
    pub(super) outstanding_max: u64,
    pub(super) refused: BTreeMap<u16, u64>,
    pub(super) scripts: HashSet<String>,
    pub(super) binding_counts: HashSet<usize>,
    pub(super) ids: HashSet<[u8; 16]>,
    pub(super) aliases: HashSet<String>,
    held: Vec<(Arc<Answers>, AnswerForm, Request)>,
}

/// The writing half of a connection.
struct Answers {
    socket: Mutex<WebSocket<TcpStream>>,
    stream: TcpStream,
}

impl FakeServer {
    pub(super) fn start(behaviour: impl Fn(u64) -> Reply + Send + Sync + 'static) -> FakeServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("ws://{}/gremlin", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let (all, behaviour) =
            (Arc::clone(&seen), Arc::<Behaviour>::from(Box::new(behaviour) as Box<Behaviour>));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, behaviour) = (Arc::clone(&all), Arc::clone(&behaviour));
                let stream = stream.unwrap();
                thread::spawn(move || serve(stream, &seen, &*behaviour));
            }
        });
        FakeServer { url, seen }
    }

    /// Arguments of a short run against it without a warm-up.
    pub(super) fn arguments(&self) -> Arguments {
        Arguments {
            url: self.url.clone(),
            connections: Some(2),
            seconds: Some(0.5),
            warm_up: Some(0.0),
            seed: 7,
            ..Arguments::default()
        }
    }

    pub(super) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap()
    }
}

fn serve(stream: TcpStream, seen: &Mutex<Seen>, behaviour: &Behaviour) {
    stream.set_nodelay(true).unwrap();
    let writing = stream.try_clone().unwrap();
    let socket = WebSocket::from_raw_socket(writing, Role::Server, None);
    let answers =
        Arc::new(Answers { socket: Mutex::new(socket), stream: stream.try_clone().unwrap() });
    let Ok(mut reading) = tungstenite::accept(stream) else { return };
    while let Ok(message) = reading.read() {
        let Message::Binary(bytes) = message else { continue };
        let (form, request) = read_frame(Frame::Binary(&bytes));
        let request = request.unwrap();
        let mut seen = seen.lock().unwrap();
        let number = seen.requests;
        seen.note(&request);
        answer(&answers, form, request, behaviour(number), &mut seen);
    }
}

fn answer(
    answers: &Arc<Answers>,
    form: AnswerForm,
    request: Request,
    reply: Reply,
    seen: &mut Seen,
) {
    let one = || Datum::Value(1_i64.into());
    match reply {
        Reply::Done => {
            seen.outstanding -= 1;
            answers.write(form, &Batches::new(request.id, 64, false).finish());
        }
        Reply::TwoFrames => {
            seen.outstanding -= 1;
            let mut batches = Batches::new(request.id, 1, false);
            batches.feed(one(), 2);
            batches.by_ref().for_each(|partial| answers.write(form, &partial));
            answers.write(form, &batches.finish());
        }
        Reply::Refuse(code) => {
            seen.outstanding -= 1;
            *seen.refused.entry(code).or_default() += 1;
            let message = format!("refused with {code}");
            let refusal = Response { message, ..Batches::new(request.id, 64, false).finish() };
            answers.write(form, &Response { code, ..refusal });
        }
        Reply::HoldUntil(count) => {
            seen.held.push((Arc::clone(answers), form, request));
            if seen.held.len() as u64 == count {
                for (answers, form, request) in std::mem::take(&mut seen.held) {
                    seen.outstanding -= 1;
                    answers.write(form, &Batches::new(request.id, 64, false).finish());
                }
            }
        }
        Reply::HangUp => {
            // Requests that were read together with the first may shut it down again.
            let _gone = answers.stream.shutdown(Shutdown::Both);
        }
    }
}

impl Answers {
    fn write(&self, form: AnswerForm, response: &Response) {
        let message = Message::Binary(form.write(response).into());
        // A client that has gone meanwhile needs no answer.
        let _gone = self.socket.lock().unwrap().send(message);
    }
}

impl Seen {
    fn note(&mut self, request: &Request) {
        self.requests += 1;
        self.outstanding += 1;
        self.outstanding_max = self.outstanding_max.max(self.outstanding);
        assert!(self.ids.insert(request.id), "an id is sent twice");
        self.aliases
            .extend(request.options.aliases.iter().map(|(from, to)| format!("{from}={to}")));
        match &request.operation {
            Operation::Eval { script, bindings, .. } => {
                self.scripts.insert(script.to_string());
                self.binding_counts.insert(bindings.len());
            }
            other => panic!("{other:?}"),
        }
    }
}
