//! A server for tests: it speaks Bolt 5.4 and answers by the text of a query.
//!
//! `fail` is a failure, `close` closes the connection; any other query returns the parameter `x`.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use millrace_model::{DetachedElements, Result, Value};
use millrace_wire::bolt::chunks::{Dechunker, write_chunked};
use millrace_wire::bolt::packstream::Form;
use millrace_wire::bolt::{
    Failure, Request, Run, Version, read_request, write_failure, write_ignored, write_record,
    write_success,
};

const VERSION: Version = Version { major: 5, minor: 4 };
const HANDSHAKE_BYTES: usize = 20;
const CODE: &str = "Neo.ClientError.Statement.TypeError";

/// Serves some connections, one after another.
pub(super) fn start(connections: usize) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().take(connections) {
            serve(stream.expect("a connection"));
        }
    });
    address
}

fn serve(mut stream: TcpStream) {
    let mut proposals = [0; HANDSHAKE_BYTES];
    stream.read_exact(&mut proposals).expect("a handshake");
    stream.write_all(&[0, 0, VERSION.minor, VERSION.major]).expect("it is read");
    let mut requests = Dechunker::new(1 << 20);
    let mut state = State::default();
    let mut bytes = [0; 4096];
    loop {
        let count = stream.read(&mut bytes).expect("it is written");
        requests.push(&bytes[..count]);
        while let Some(message) = requests.next_message().expect("chunks") {
            let request = read_request(&message, VERSION).expect("a request");
            let mut answer = Vec::new();
            if !state.answer(&request, &mut answer) {
                return;
            }
            stream.write_all(&answer).expect("it is read");
        }
        if count == 0 {
            return;
        }
    }
}

#[derive(Default)]
struct State {
    has_failed: bool,
    row: Value,
}

impl State {
    /// Writes the answer; false to close the connection.
    fn answer(&mut self, request: &Request, out: &mut Vec<u8>) -> bool {
        let form = Form::of(VERSION);
        let none = DetachedElements::default();
        let failure = Failure::new(CODE, "InvalidArgumentType: a list");
        let mut reply = |write: &dyn Fn(&mut Vec<u8>) -> Result<()>| {
            write_chunked(out, |bytes| write(bytes)).expect("it can be written");
        };
        match request {
            Request::Reset => {
                self.has_failed = false;
                reply(&|bytes| write_success(bytes, &[], form));
            }
            Request::Run(Run { query, .. }) if &**query == "close" => return false,
            Request::Run(Run { query, .. }) if &**query == "fail" => {
                self.has_failed = true;
                reply(&|bytes| write_failure(bytes, &failure, form));
            }
            _ if self.has_failed => reply(&|bytes| {
                write_ignored(bytes, form);
                Ok(())
            }),
            Request::Run(Run { parameters, .. }) => {
                self.row = parameters.first().map(|(_, value)| value.clone()).unwrap_or_default();
                let names = Value::list(vec![Value::from("x")]);
                reply(&|bytes| write_success(bytes, &[("fields", names.clone())], form));
            }
            Request::Pull(_) => {
                let row = [self.row.clone()];
                reply(&|bytes| write_record(bytes, &row, &none, form));
                reply(&|bytes| write_success(bytes, &[], form));
            }
            _ => reply(&|bytes| write_success(bytes, &[], form)),
        }
        true
    }
}
