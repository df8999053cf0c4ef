//! Requests as a client writes them are read back unchanged.

use std::sync::Arc;

use millrace_bytecode::Bytecode;
use millrace_testkit::{Rng, run_seeds};
use millrace_wire::gremlin::graphson::Version;
use millrace_wire::gremlin::{
    Format, Frame, Language, Materialize, Operation, Options, Request, Session, read_frame,
    read_request, write_frame, write_request,
};

use super::random::{argument, instructions, text};

const FORMATS: [Format; 2] = [Format::GraphBinary, Format::GraphSon(Version::V3)];

fn some<T>(rng: &mut Rng, make: impl FnOnce(&mut Rng) -> T) -> Option<T> {
    let is_there = rng.below(2) == 0;
    is_there.then(|| make(rng))
}

fn session(rng: &mut Rng) -> Session {
    let name = format!("session {}", rng.below(9));
    let [manages_transaction, keeps_state] = [(); 2].map(|()| rng.below(2) == 0);
    Session { name, manages_transaction, keeps_state }
}

fn operation(rng: &mut Rng) -> Operation {
    match rng.below(4) {
        0 => {
            let bindings = (0..rng.below(4)).map(|at| (format!("x{at}").into(), argument(rng, 2)));
            let bindings: Vec<(Arc<str>, _)> = bindings.collect();
            let language = *rng.pick(&[Language::Groovy, Language::Lang]);
            Operation::Eval { script: text(rng), language, bindings, session: some(rng, session) }
        }
        1 => {
            let bytecode = Bytecode { sources: instructions(rng, 2), steps: instructions(rng, 2) };
            Operation::Bytecode { bytecode, session: some(rng, session) }
        }
        2 => Operation::Close { session: "s".to_owned(), force: rng.below(2) == 0 },
        _ => Operation::Authenticate {
            mechanism: some(rng, |_| "PLAIN".to_owned()),
            response: (0..rng.below(9)).map(|_| rng.below(256) as u8).collect(),
        },
    }
}

fn options(rng: &mut Rng) -> Options {
    let alias = |rng: &mut Rng| vec![("g".to_owned(), format!("g{}", rng.below(9)))];
    Options {
        batch_size: some(rng, |rng| 1 + rng.index(1_000)),
        timeout_ms: some(rng, |rng| rng.below(1 << 40)),
        aliases: some(rng, alias).unwrap_or_default(),
        serializable: rng.chance(0.5),
        materialize: *rng.pick(&[Materialize::All, Materialize::Tokens]),
        user_agent: some(rng, |_| "a test".to_owned()),
    }
}

#[test]
fn a_written_request_reads_back_in_each_format() {
    run_seeds(400, |_, rng| {
        let id = [(); 16].map(|()| rng.below(256) as u8);
        let request = Request { id, operation: operation(rng), options: options(rng) };
        for format in FORMATS {
            let bytes = write_request(&request, format).expect("it has a form");
            assert_eq!(read_request(&bytes, format).as_ref(), Ok(&request), "{format:?}");
            let frame = write_frame(&request, format).expect("it has a form");
            let (form, read) = read_frame(Frame::Binary(&frame));
            assert_eq!((form.format, form.is_text), (format, false));
            assert_eq!(read.as_ref(), Ok(&request), "{format:?}");
        }
    });
}
