//! Ids that clients choose, over the wire: as they are chosen, so they come back.

use millrace_model::{Direction, Token, Value};
use millrace_server::wire::gremlin::bytecode::{Argument, Bytecode, Instruction};
use millrace_server::wire::gremlin::graphson::Version;
use millrace_server::wire::gremlin::{Datum, Format, Operation};

use super::socket::Socket;
use super::start;

fn step(name: &str, arguments: Vec<Argument>) -> Instruction {
    Instruction { name: name.into(), arguments, position: None }
}

fn text(text: &str) -> Argument {
    Argument::Value(Value::from(text))
}

fn run(socket: &mut Socket, steps: Vec<Instruction>) -> Vec<Datum> {
    let names: Vec<String> = steps.iter().map(|step| step.name.to_string()).collect();
    let bytecode = Bytecode { sources: Vec::new(), steps };
    let id = socket.send(Operation::Bytecode { bytecode, session: None });
    let (code, data) = socket.answers(id);
    assert!(matches!(code, 200 | 204), "{names:?} in {:?}: {code}", socket.format);
    data
}

/// The results without the bulks that they may come with.
fn only(mut data: Vec<Datum>) -> Datum {
    assert_eq!(data.len(), 1, "{data:?}");
    match data.remove(0) {
        Datum::Traverser(traverser) => traverser.value,
        other => other,
    }
}

#[test]
fn texts_and_ids_of_edges_come_back_as_they_were_chosen() {
    let server = start();
    // The maps of GraphSON 2 have no keys but texts.
    let formats = [Format::GraphBinary, Format::GraphSon(Version::V3)];
    for (round, format) in formats.into_iter().enumerate() {
        let mut socket = Socket::open(server.gremlin);
        socket.format = format;
        let [ada, bob, like] =
            ["ada", "bob", "like"].map(|name| Value::from(&*format!("{name}-{round}")));
        let edge = Value::I64(50 + round as i64);
        let own = |id: &Value| {
            vec![Argument::Value(Value::Token(Token::Id)), Argument::Value(id.clone())]
        };
        for id in [&ada, &bob] {
            run(&mut socket, vec![step("addV", vec![text("P")]), step("property", own(id))]);
        }
        // A vertex as an argument is sent by its id, and an end in a map by a vertex or an id.
        let vertex = |id: &Value| vec![Argument::Vertex(id.clone())];
        let joined = run(
            &mut socket,
            vec![
                step("V", vertex(&ada)),
                step("addE", vec![text("knows")]),
                step("to", vertex(&bob)),
                step("property", own(&edge)),
            ],
        );
        let Datum::Edge(own) = only(joined) else { panic!("an edge comes back") };
        assert_eq!((&own.id, &own.source.0, &own.target.0), (&edge, &ada, &bob), "{format:?}");
        let end = |direction, id: &Value| (Value::Token(Token::End(direction)), id.clone());
        let map = Value::map(vec![
            (Value::Token(Token::Id), like.clone()),
            (Value::Token(Token::Label), Value::from("likes")),
            end(Direction::Out, &bob),
            end(Direction::In, &ada),
        ]);
        let merged = run(&mut socket, vec![step("mergeE", vec![Argument::Value(map)])]);
        let Datum::Edge(own) = only(merged) else { panic!("an edge comes back") };
        assert_eq!((&own.id, &own.source.0), (&like, &bob), "{format:?}");
        let found = run(
            &mut socket,
            vec![step("E", vec![Argument::Edge(like.clone())]), step("inV", vec![])],
        );
        let Datum::Vertex(own) = only(found) else { panic!("a vertex comes back") };
        assert_eq!(own.id, ada, "{format:?}");
        let by_id = [step("V", vec![Argument::Value(ada.clone())]), step("id", vec![])];
        assert_eq!(only(run(&mut socket, by_id.into())), Datum::Value(ada.clone()), "{format:?}");
        let by_ids = [step("V", vec![]), step("hasId", vec![Argument::Value(bob.clone())])];
        let Datum::Vertex(own) = only(run(&mut socket, by_ids.into())) else { panic!("bob") };
        assert_eq!(own.id, bob, "{format:?}");
    }
}
