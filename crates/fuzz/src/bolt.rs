//! A connection of Bolt: the bytes of a socket to a handshake, chunks, requests and actions.
//!
//! The first byte is no byte of the socket: its bits say which actions fail, and whether results have more records.

use millrace_wire::bolt::chunks::{Dechunker, write_chunked};
use millrace_wire::bolt::client::Half;
use millrace_wire::bolt::handshake::{Handshake, Progress};
use millrace_wire::bolt::packstream::Form;
use millrace_wire::bolt::state::{Action, Machine};
use millrace_wire::bolt::{
    Amount, Auth, Hello, Request, Route, Run, TransactionOptions, Version, read_request,
    write_request,
};

/// Bytes of a message.
const MESSAGE_BYTES_MAX: usize = 4 << 10;

/// Connections of every version, with every request.
pub fn seeds() -> Vec<Vec<u8>> {
    let hello = || Request::Hello(Hello { user_agent: "d/1".into(), ..Hello::default() });
    let run = || Request::Run(Run { query: "RETURN 1".into(), ..Run::default() });
    let pull = || Request::Pull(Amount { records: Some(5), query: None });
    let login = || [hello(), Request::Logon(Auth::basic("ann", "secret"))];
    let autocommit = vec![run(), pull(), Request::Telemetry, Request::Goodbye];
    let begin = Request::Begin(TransactionOptions::default());
    let transaction =
        vec![begin, run(), run(), pull(), Request::Discard(Amount::ALL), Request::Commit];
    let reset = vec![run(), Request::Reset, Request::Route(Route::default()), Request::Logoff];
    let mut seeds = Vec::new();
    for version in Version::SERVED {
        for requests in [&autocommit, &transaction, &reset] {
            for kind in [0, 1, 2] {
                let mut bytes = vec![kind];
                bytes.extend(Half::new(Some(version)).take_outgoing());
                let first = login()
                    .into_iter()
                    .filter(|own| version.has_logon() || matches!(own, Request::Hello(_)));
                for request in first.chain(requests.iter().cloned()) {
                    let form = Form::of(version);
                    let write = |bytes: &mut Vec<u8>| write_request(bytes, &request, form);
                    write_chunked(&mut bytes, write).expect("a request has a form");
                }
                seeds.push(bytes);
            }
        }
    }
    seeds
}

/// Reads a connection to its end.
pub fn run(bytes: &[u8]) {
    let Some((&kind, sent)) = bytes.split_first() else { return };
    let mut handshake = Handshake::default();
    let (mut progress, mut rest) = (Progress::More, sent);
    while matches!(progress, Progress::More | Progress::Send(_)) && !rest.is_empty() {
        let (first, behind) = rest.split_at(rest.len().min(7));
        rest = behind;
        match handshake.push(first) {
            Ok(next) => progress = next,
            Err(_) => return,
        }
    }
    let Progress::Agreed(version, _) = progress else { return };
    let mut machine = Machine::new(version);
    let mut chunks = Dechunker::new(MESSAGE_BYTES_MAX);
    chunks.push(&handshake.into_rest());
    chunks.push(rest);
    let mut number = 0u32;
    while let Ok(Some(message)) = chunks.next_message() {
        assert!(message.len() <= MESSAGE_BYTES_MAX, "a message within its bound");
        if Request::is_reset(&message) {
            machine.interrupt();
        }
        let action = match read_request(&message, version) {
            Ok(request) => machine.take(request),
            Err(error) => machine.unreadable(&error),
        };
        number += 1;
        let fails = kind & 1 == 1 && number.is_multiple_of(3);
        match action {
            Action::Ignore | Action::Refuse(_) => {}
            Action::Close => return assert!(machine.is_defunct(), "a closed one does nothing"),
            _ if fails => machine.failed(),
            _ => machine.succeeded(kind & 2 == 2),
        }
    }
}
