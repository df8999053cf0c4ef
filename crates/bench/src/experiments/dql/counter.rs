//! One number that many clients raise, each by an upsert of its own.

use millrace_model::Result;

use super::{alter, mutation, number, sound, wrong};
use crate::clients::http::{Connection, post_json};
use crate::data::Scratch;
use crate::experiments::asked::GRAPH;
use crate::experiments::measurement::Conditions;
use crate::experiments::rounds::rounds;
use crate::experiments::served::Served;
use crate::measure;
use crate::report::{Row, Unit};

/// Clients, each with one upsert under way.
const CLIENTS: usize = 64;

/// Upserts of a client in one run.
const ROUNDS: usize = 20;

const RAISE: &str = "upsert {
  query { v as var(func: eq(id, \"one\")) { c as counter n as math(c + 1) } }
  mutation { set { uid(v) <counter> val(n) . } }
}";

/// Upserts in a second, none of which may be lost; the reference is a statement of Cypher that does the same, over HTTP.
pub(super) fn counter(conditions: &Conditions) -> Result<Row> {
    let folder = Scratch::empty(&conditions.data, "dql.counter")?;
    let served = Served::start(conditions, folder.path().to_owned())?;
    alter(&served, "id: string @index(exact) .\ncounter: int .\n")?;
    let begin = mutation("{ set { _:c <id> \"one\" .\n_:c <counter> \"0\" . } }");
    sound(Connection::open(served.dql())?.ask(&begin)?.as_bytes())?;
    let path = format!("/db/{GRAPH}/tx/commit");
    let statement =
        |text: &str| post_json(&path, &format!(r#"{{"statements":[{{"statement":"{text}"}}]}}"#));
    let is_done = |answer: &[u8]| {
        let answer = String::from_utf8_lossy(answer);
        match answer.contains(r#""errors":[]"#) {
            true => Ok(()),
            false => Err(wrong(format!("no commit: {answer}"))),
        }
    };
    let mut cypher = connections(|| Connection::open(served.neo4j_http()))?;
    for text in
        ["CREATE INDEX FOR (c:Counter) ON (c.id)", "CREATE (:Counter {id: 'one', counter: 0})"]
    {
        cypher[0].send(&statement(text))?;
        cypher[0].receive(is_done)?;
    }
    let raise = statement("MATCH (c:Counter {id: 'one'}) SET c.counter = c.counter + 1");
    let (own, mut raised) = (mutation(RAISE), 0_u64);
    let mut dql = connections(|| Connection::open(served.dql()))?;
    let medians = measure::side_by_side(
        conditions.seconds,
        || {
            raised += (CLIENTS * ROUNDS) as u64;
            rounds(
                &mut dql,
                ROUNDS,
                |connection| connection.send(&own),
                |connection| connection.receive(|answer| sound(answer).map(drop)),
            )
        },
        || {
            rounds(
                &mut cypher,
                ROUNDS,
                |connection| connection.send(&raise),
                |connection| connection.receive(is_done),
            )
        },
    )?;
    let found = number(&served, "{ q(func: eq(id, \"one\")) { counter } }", "counter")?;
    if found != raised {
        return Err(wrong(format!("{raised} upserts are acknowledged, the counter is {found}")));
    }
    let rate = |seconds: f64| (CLIENTS * ROUNDS) as f64 / seconds;
    Ok(Row::new(rate(medians.value), Unit::PerSecond).beside(rate(medians.reference)))
}

fn connections(open: impl Fn() -> Result<Connection>) -> Result<Vec<Connection>> {
    (0..CLIENTS).map(|_| open()).collect()
}
