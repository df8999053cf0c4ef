//! The neighbours of a node by type and key over HTTP, beside the rate of the health route.

use millrace_db::ingest::generate::Likes;
use millrace_model::{Error, ErrorKind, Result};

use super::graph::{GRAPH_NAME, cached, size};
use crate::experiments::Conditions;
use crate::experiments::served::Served;
use crate::http::{Connection, get};
use crate::measure;
use crate::report::{Row, Unit};
use millrace_model::random::SplitMix64;

/// Connections, each with one request under way.
const CONNECTIONS: usize = 64;

/// Requests of a connection in one run.
const TURNS: usize = 100;

/// Neighbours of a node.
const DEGREE: u32 = 5;

/// Different requests: more than a cache of answers would hold.
const REQUESTS: usize = 4_096;

const SEED: u64 = 9_001;

pub(in crate::experiments) fn point(conditions: &Conditions) -> Result<Row> {
    let likes = Likes { likes_a_person: DEGREE, ..size(conditions) };
    let served = Served::start(conditions, cached(&conditions.data, &likes)?)?;
    let opened: Result<Vec<Connection>> = (0..CONNECTIONS).map(|_| served.connect()).collect();
    let connections = std::cell::RefCell::new(opened?);
    let mut random = SplitMix64::new(SEED);
    let requests: Vec<Vec<u8>> = (0..REQUESTS)
        .map(|_| {
            let person = random.below(u64::from(likes.people)) + 1;
            get(&format!("/db/{GRAPH_NAME}/node/Person/person{person}/neighbors/out/LIKES"))
        })
        .collect();
    let health = [get("/health")];
    let medians = measure::side_by_side(
        conditions.seconds,
        || rounds(&mut connections.borrow_mut(), &requests, has_neighbours),
        || rounds(&mut connections.borrow_mut(), &health, |_| true),
    )?;
    let rate = |seconds: f64| (CONNECTIONS * TURNS) as f64 / seconds;
    Ok(Row::new(rate(medians.value), Unit::PerSecond).beside(rate(medians.reference)))
}

/// Whether an answer names as many nodes as a person has neighbours.
fn has_neighbours(answer: &[u8]) -> bool {
    let key = b"\"key\"";
    answer.windows(key.len()).filter(|bytes| bytes == key).count() == DEGREE as usize
}

/// Keeps a request under way on each connection for so many turns.
fn rounds(
    connections: &mut [Connection],
    requests: &[Vec<u8>],
    is_right: fn(&[u8]) -> bool,
) -> Result<()> {
    let mut next = requests.iter().cycle();
    let mut send = |connection: &mut Connection| {
        connection.send(next.next().map_or(&[][..], |request| request))
    };
    connections.iter_mut().try_for_each(&mut send)?;
    for turn in 1..=TURNS {
        for connection in connections.iter_mut() {
            connection.receive(|answer| {
                if is_right(answer) {
                    return Ok(());
                }
                let answer = String::from_utf8_lossy(answer);
                Err(Error::new(ErrorKind::Bug, format!("these are not neighbours: {answer}")))
            })?;
            if turn < TURNS {
                send(connection)?;
            }
        }
    }
    Ok(())
}
