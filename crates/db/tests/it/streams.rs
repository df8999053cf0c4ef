//! Results that leave piece by piece, and hold no thread in between.

use std::thread;

use millrace_db::session::{ResultStream, Started};
use millrace_db::{CancelFlag, Database, RequestLimits, Results, Settings};
use millrace_model::{DetachedElements, ErrorKind, Profile, Result, Value};

use crate::{ask, gremlin_request, limits};

const VERTICES: usize = 5_000;

#[derive(Default)]
struct Taken {
    values: Vec<Value>,
    streams: bool,
}

impl Results for Taken {
    fn begin(&mut self, streams: bool) {
        self.values.clear();
        self.streams = streams;
    }

    fn take(&mut self, values: &[Value], weights: &[u64], _: &DetachedElements) -> Result<()> {
        for (value, weight) in values.iter().zip(weights) {
            self.values.extend((0..*weight).map(|_| value.clone()));
        }
        Ok(())
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        panic!("no profile is asked for: {profile:?}")
    }
}

fn database() -> Database {
    let database = Database::in_memory(Settings::default()).expect("in memory");
    let graph = database.create_graph("graph").expect("is new");
    ask(&graph, &format!("for i = 1, {VERTICES} do NodeAdd('P', 'n' .. i) end\n1"));
    database
}

fn start(database: &Database, text: &str, limits: RequestLimits, taken: &mut Taken) -> Started {
    database.start(&gremlin_request(text, limits), taken).expect("it begins")
}

fn streaming(started: Started) -> Box<ResultStream> {
    match started {
        Started::Streaming(stream) => stream,
        Started::Done(_) => panic!("it has run to its end"),
    }
}

#[test]
fn pieces_may_be_made_by_one_thread_after_another() {
    let database = database();
    let mut taken = Taken::default();
    let started = start(&database, "g.V().as('a').out().count(); g.V().id()", limits(), &mut taken);
    let (mut stream, mut pieces) = (streaming(started), 0);
    assert!(taken.streams);
    loop {
        let before = taken.values.len();
        let is_more = thread::scope(|scope| {
            let next = scope.spawn(|| stream.next(&database, &mut taken).expect("it reads"));
            next.join().expect("it does not panic")
        });
        if !is_more {
            break;
        }
        assert!(before < taken.values.len(), "a piece has results");
        pieces += 1;
    }
    assert!(1 < pieces, "{pieces}");
    assert_eq!(taken.values.len(), VERTICES);
    assert_eq!(database.memory().used(), 0);
    assert!(!stream.next(&database, &mut taken).expect("at its end"));
}

#[test]
fn a_stream_reads_its_snapshot_and_frees_its_resources_when_it_is_dropped() {
    let database = database();
    let mut taken = Taken::default();
    let text = "g.V().as('a').V().as('b').select('a', 'b')";
    let mut stream = streaming(start(&database, text, limits(), &mut taken));
    assert!(stream.next(&database, &mut taken).expect("it reads"));
    let ran = database.run(&gremlin_request("g.V().drop()", limits()), &mut Taken::default());
    ran.expect("it writes").expect("with a commit").wait().expect("that is visible");
    assert!(stream.next(&database, &mut taken).expect("it still reads"));
    drop(stream);
    assert_eq!(database.memory().used(), 0);
    let mut counted = Taken::default();
    database.run(&gremlin_request("g.V().count()", limits()), &mut counted).expect("it reads");
    assert_eq!(counted.values, [Value::I64(0)]);
}

#[test]
fn a_cancelled_stream_ends_with_the_reason() {
    let database = database();
    let mut taken = Taken::default();
    let cancel = CancelFlag::default();
    let limits = RequestLimits { cancel: cancel.clone(), ..limits() };
    let mut stream = streaming(start(&database, "g.V().as('a').V().id()", limits, &mut taken));
    assert!(stream.next(&database, &mut taken).expect("it reads"));
    cancel.cancel();
    let error = stream.next(&database, &mut taken).expect_err("it was cancelled");
    assert_eq!(error.kind, ErrorKind::Cancelled);
    assert!(!stream.next(&database, &mut taken).expect("at its end"));
    assert_eq!(database.memory().used(), 0);
}

#[test]
fn writes_and_assignments_run_to_their_end() {
    let database = database();
    for text in ["g.addV('P')", "x = g.V().id()", "g.V().limit(1).property('a', 1)", "g.V().next()"]
    {
        let started = start(&database, text, limits(), &mut Taken::default());
        assert!(matches!(started, Started::Done(_)), "{text}");
    }
}

#[test]
fn what_a_stream_holds_stays_counted_between_its_pieces() {
    let database = database();
    let mut taken = Taken::default();
    let text = "g.V().as('a').V().as('b').select('a', 'b').by(id).dedup()";
    let bytes_max = 16 << 20;
    let limits = RequestLimits { bytes_max, ..limits() };
    let mut stream = streaming(start(&database, text, limits, &mut taken));
    let (mut most, mut pieces) = (0, 0);
    let error = loop {
        match stream.next(&database, &mut taken) {
            Ok(more) => assert!(more, "25 million pairs fit no 16 MB: {most}"),
            Err(error) => break error,
        }
        most = most.max(database.memory().used());
        pieces += 1;
        taken.values.clear();
    };
    assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
    assert!(bytes_max / 2 < most && 1 < pieces, "{most} in {pieces} pieces");
    assert_eq!(database.memory().used(), 0);
}
