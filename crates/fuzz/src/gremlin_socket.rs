//! A connection of Gremlin's protocol: the bytes of a socket, behind its upgrade, to WebSocket
//! messages, and these to next steps.
//!
//! The server's own reader reads the messages. The first byte is no byte of the socket; it says whether
//! the server asks for a login, and whether it takes only very small messages.

use std::io::{self, Cursor, Read, Write};

use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::auth::Credentials;
use millrace_wire::gremlin::{
    Conversation, Format, Frame, Language, Next, Operation, Options, Request, Session, status,
    write_frame,
};
use millrace_wire::limits::WAITING_REQUESTS_MAX;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// Bytes of a message.
const MESSAGE_BYTES_MAX: usize = 4 << 10;
/// Bytes that the library itself may answer for each byte that is read.
const ANSWERED_SHARE: usize = 4;

const BINARY: u8 = 0x82;
const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;
const PING: u8 = 0x89;

/// Connections of every kind.
pub fn seeds() -> Vec<Vec<u8>> {
    let script = || asked(eval(None));
    let own = Session { name: "s".into(), manages_transaction: false, keeps_state: true };
    let in_session = asked(eval(Some(own)));
    let close_session = asked(Operation::Close { session: "s".into(), force: false });
    let name =
        |proof: &[u8]| asked(Operation::Authenticate { mechanism: None, response: proof.to_vec() });
    let text = br#"{"requestId":"41d2e28a-20a4-4ab0-b379-d810dede3786","op":"eval","processor":"","args":{"gremlin":"g.V()"}}"#;
    let close = [&1000_u16.to_be_bytes()[..], b"bye"].concat();
    let whole = script();
    let (first, last) = whole.split_at(9);
    let connections: [(u8, Vec<Vec<u8>>); 7] = [
        (0, vec![framed(BINARY, &script()), framed(PING, b"1"), framed(CLOSE, &close)]),
        (0, vec![framed(TEXT, text)]),
        (0, vec![framed(BINARY, &in_session), framed(BINARY, &close_session)]),
        (1, vec![framed(BINARY, &script()), framed(BINARY, &name(b"\0ann\0x"))]),
        (
            1,
            vec![framed(BINARY, &script()), framed(BINARY, &name(b"\0bob\0x")), framed(TEXT, text)],
        ),
        // In two fragments, with a ping between them.
        (0, vec![framed(BINARY & 0x0F, first), framed(PING, b""), framed(0x80, last)]),
        (2, vec![framed(BINARY, &script()), framed(BINARY, b"")]),
    ];
    connections.into_iter().map(|(kind, frames)| [vec![kind], frames.concat()].concat()).collect()
}

fn eval(session: Option<Session>) -> Operation {
    let (script, language) = ("g.V(x).count()".into(), Language::Groovy);
    Operation::Eval { script, language, bindings: Vec::new(), session }
}

fn asked(operation: Operation) -> Vec<u8> {
    let request = Request { id: [7; 16], operation, options: Options::default() };
    write_frame(&request, Format::GraphBinary).expect("a request has a form")
}

/// A frame as a client sends it, masked by nothing.
fn framed(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = match u8::try_from(payload.len()) {
        Ok(short @ 0..=125) => vec![0x80 | short],
        _ => {
            let length = u16::try_from(payload.len()).expect("seeds are short");
            [&[0x80 | 126][..], &length.to_be_bytes()].concat()
        }
    };
    [&[first][..], &length, &[0; 4], payload].concat()
}

/// Reads a connection to its end.
pub fn run(bytes: &[u8]) {
    let Some((&kind, sent)) = bytes.split_first() else { return };
    let most = if kind & 2 == 0 { MESSAGE_BYTES_MAX } else { 64 };
    let config = WebSocketConfig::default().max_message_size(Some(most)).max_frame_size(Some(most));
    let socket = Socket { sent: Cursor::new(sent), answered: 0 };
    let mut socket = WebSocket::from_raw_socket(socket, Role::Server, Some(config));
    let mut conversation = Conversation::new(kind & 1 == 1);
    // Whatever comes, a connection ends: closed, broken, or at the end of its bytes.
    while let Ok(message) = socket.read() {
        match message {
            Message::Binary(bytes) => frame(&mut conversation, Frame::Binary(&bytes)),
            Message::Text(text) => frame(&mut conversation, Frame::Text(text.as_str())),
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => {}
        }
    }
    let answered = socket.get_ref().answered;
    assert!(answered <= ANSWERED_SHARE * (sent.len() + 1), "{answered} bytes for {}", sent.len());
}

fn frame(conversation: &mut Conversation, frame: Frame<'_>) {
    let all = conversation.frame(frame);
    let all = all.into_iter().flat_map(|next| match next {
        Next::LogIn(asked) => {
            let checked = only_ann(&asked.credentials);
            let checked = checked.map_err(|error| (status::UNAUTHORIZED, error));
            conversation.checked((asked.id, asked.form), checked)
        }
        next => vec![next],
    });
    let all: Vec<Next> = all.collect();
    assert!(all.len() <= WAITING_REQUESTS_MAX, "more than may wait");
    for next in all {
        match next {
            Next::LogIn(_) => unreachable!("a checked login asks for no other"),
            Next::Answer(_, bytes) => assert!(!bytes.is_empty(), "an answer says something"),
            Next::Run(..) | Next::EndSession { .. } => {}
        }
    }
}

fn only_ann(known: &Credentials) -> Result<()> {
    match known.user.as_str() {
        "ann" => Ok(()),
        _ => Err(Error::new(ErrorKind::Forbidden, "the name or the password is wrong")),
    }
}

/// The bytes of a client, and the number of bytes that the library answered by itself.
struct Socket<'a> {
    sent: Cursor<&'a [u8]>,
    answered: usize,
}

impl Read for Socket<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.sent.read(into)
    }
}

impl Write for Socket<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.answered += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
