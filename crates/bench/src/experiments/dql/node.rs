//! One node with two values a request, committed, from many clients at once.

use millrace_model::Result;

use super::{alter, mutation, number, sound, wrong};
use crate::clients::http::Connection;
use crate::data::Scratch;
use crate::experiments::likes::{Points, point_folder, point_size};
use crate::experiments::measurement::Conditions;
use crate::experiments::rounds::rounds;
use crate::experiments::served::Served;
use crate::measure;
use crate::report::{Row, Unit};

/// Connections, each with one request under way.
const CONNECTIONS: usize = 64;

/// Requests of a connection in one run.
const ROUNDS: usize = 100;

/// Nodes in a second; the reference is `point`.
pub(super) fn node(conditions: &Conditions) -> Result<Row> {
    let folder = Scratch::copy(&conditions.data, "dql.node", &point_folder(conditions)?)?;
    let served = Served::start(conditions, folder.path().to_owned())?;
    alter(&served, "number: int .\nhit: string .\n")?;
    let mut points = Points::open(&served, &point_size(conditions))?;
    let opened = (0..CONNECTIONS).map(|_| Connection::open(served.dql()));
    let (mut connections, mut created) = (opened.collect::<Result<Vec<_>>>()?, 0_u64);
    let mut create = || {
        rounds(
            &mut connections,
            ROUNDS,
            |connection| {
                created += 1;
                let quads = format!(
                    "{{ set {{ _:n <number> \"{created}\" .\n_:n <hit> \"hit{created}\" . }} }}"
                );
                connection.send(&mutation(&quads))
            },
            |connection| connection.receive(|answer| sound(answer).map(drop)),
        )
    };
    let medians = measure::side_by_side(conditions.seconds, &mut create, || points.run())?;
    for text in
        ["{ q(func: has(number)) { n: count(uid) } }", "{ q(func: has(hit)) { n: count(uid) } }"]
    {
        let found = number(&served, text, "n")?;
        if found != created {
            return Err(wrong(format!("{created} nodes are acknowledged, `{text}` gives {found}")));
        }
    }
    let rate = (CONNECTIONS * ROUNDS) as f64 / medians.value;
    Ok(Row::new(rate, Unit::PerSecond).beside(Points::rate(medians.reference)))
}
