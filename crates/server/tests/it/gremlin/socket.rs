//! A client of the protocol that sees each frame.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use millrace_model::Value;
use millrace_server::wire::gremlin::bytecode::Argument;
use millrace_server::wire::gremlin::{
    Answer, Datum, Format, Language, Operation, Options, Request, Session, read_answer, write_frame,
};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

/// How long a test waits for a frame before it fails.
const FRAME_MAX: Duration = Duration::from_secs(60);

/// A connection, GraphBinary unless it is said.
pub(crate) struct Socket {
    socket: WebSocket<TcpStream>,
    pub(crate) format: Format,
    pub(crate) options: Options,
    last: u32,
}

impl Socket {
    pub(crate) fn open(address: SocketAddr) -> Socket {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_read_timeout(Some(FRAME_MAX)).expect("a socket has a timeout");
        let config = WebSocketConfig::default().max_message_size(Some(1 << 30));
        let url = format!("ws://{address}/gremlin");
        let (socket, _) = tungstenite::client::client_with_config(url, stream, Some(config))
            .expect("it becomes a WebSocket");
        let options = Options::default();
        Socket { socket, format: Format::GraphBinary, options, last: 0 }
    }

    /// An id that no request of this connection has.
    pub(crate) fn id(&mut self) -> [u8; 16] {
        self.last += 1;
        let mut id = [7; 16];
        id[..4].copy_from_slice(&self.last.to_be_bytes());
        id
    }

    pub(crate) fn send(&mut self, operation: Operation) -> [u8; 16] {
        let id = self.id();
        self.send_as(id, operation);
        id
    }

    pub(crate) fn send_as(&mut self, id: [u8; 16], operation: Operation) {
        let request = Request { id, operation, options: self.options.clone() };
        let frame = write_frame(&request, self.format).expect("a request has a form");
        self.send_raw(frame);
    }

    pub(crate) fn send_raw(&mut self, frame: Vec<u8>) {
        self.socket.send(Message::Binary(frame.into())).expect("the server takes it");
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("the server takes it");
    }

    /// Sends a message so long that the server does not take all of it.
    pub(crate) fn send_and_be_cut_off(&mut self, operation: Operation) {
        let id = self.id();
        let request = Request { id, operation, options: self.options.clone() };
        let frame = write_frame(&request, self.format).expect("a request has a form");
        let _cut_off = self.socket.send(Message::Binary(frame.into()));
    }

    /// Sends bytes as they are, whatever a WebSocket says.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.socket.get_mut().write_all(bytes).expect("the server takes it");
    }

    /// The code and the reason with which the server closes.
    pub(crate) fn closed(&mut self) -> (u16, String) {
        loop {
            match self.socket.read().expect("the server says why it closes") {
                Message::Close(Some(why)) => return (why.code.into(), why.reason.to_string()),
                Message::Close(None) => panic!("it closes without a word"),
                _ => {}
            }
        }
    }

    /// The next frame; `None` once the server has closed.
    pub(crate) fn frame(&mut self) -> Option<Message> {
        loop {
            match self.socket.read() {
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(Message::Close(_)) => return None,
                Ok(message) => return Some(message),
                Err(tungstenite::Error::Io(error)) => panic!("no frame came: {error}"),
                Err(_) => return None,
            }
        }
    }

    pub(crate) fn answer(&mut self) -> Answer {
        let frame = self.frame().expect("the connection is open").into_data();
        read_answer(&frame, self.format).expect("the answer is read")
    }

    /// All frames of the answer to the last request: the last code, and the results.
    pub(crate) fn answers(&mut self, id: [u8; 16]) -> (u16, Vec<Datum>) {
        let mut all = Vec::new();
        loop {
            let answer = self.answer();
            assert_eq!(answer.id, Some(id), "{answer:?}");
            match answer.data {
                Datum::List(data) => all.extend(data),
                Datum::Value(Value::List(values)) => {
                    all.extend(values.iter().cloned().map(Datum::Value));
                }
                Datum::Value(Value::Null) => {}
                other => panic!("{other:?}"),
            }
            if answer.code != 206 {
                return (answer.code, all);
            }
        }
    }

    /// Runs a text; its results.
    pub(crate) fn eval(&mut self, script: &str) -> Vec<Datum> {
        let id = self.send(eval(script));
        let (code, data) = self.answers(id);
        assert!(matches!(code, 200 | 204), "{script}: {code}");
        data
    }

    /// Runs a text that gives one number.
    pub(crate) fn count(&mut self, script: &str) -> i64 {
        match self.eval(script).as_slice() {
            [Datum::Value(value)] => value.as_int().expect("a number"),
            other => panic!("{script}: {other:?}"),
        }
    }

    /// Runs a text that fails. Returns the code and the message.
    pub(crate) fn fail(&mut self, operation: Operation) -> (u16, String) {
        let id = self.send(operation);
        let answer = self.answer();
        assert_eq!(answer.id, Some(id));
        (answer.code, answer.message.to_string())
    }

    pub(crate) fn ping(&mut self) {
        self.socket.send(Message::Ping(vec![1, 2].into())).expect("the server takes it");
        let pong = self.socket.read().expect("it is answered");
        assert_eq!(pong, Message::Pong(vec![1, 2].into()));
    }

    /// Says goodbye, and gives the answers that come until the server does, too.
    pub(crate) fn close(mut self) -> Vec<Message> {
        self.socket.close(None).expect("the server takes it");
        let mut before = Vec::new();
        loop {
            match self.socket.read().expect("the server says goodbye, too") {
                Message::Close(_) => return before,
                message => before.push(message),
            }
        }
    }
}

pub(crate) fn eval(script: &str) -> Operation {
    eval_with(script, &[])
}

pub(crate) fn eval_with(script: &str, bindings: &[(&str, Value)]) -> Operation {
    let bindings = bindings.iter();
    Operation::Eval {
        script: script.into(),
        language: Language::Groovy,
        bindings: bindings
            .map(|(name, value)| ((*name).into(), Argument::Value(value.clone())))
            .collect(),
        session: None,
    }
}

/// The same in a session.
pub(crate) fn in_session(name: &str, operation: Operation) -> Operation {
    let own =
        Some(Session { name: name.to_owned(), manages_transaction: false, keeps_state: true });
    match operation {
        Operation::Eval { script, language, bindings, .. } => {
            Operation::Eval { script, language, bindings, session: own }
        }
        Operation::Bytecode { bytecode, .. } => Operation::Bytecode { bytecode, session: own },
        other => other,
    }
}
