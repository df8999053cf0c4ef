//! The neighbours of a node by type and key over HTTP, beside the rate of the health route.

use std::cell::RefCell;

use millrace_db::ingest::generate::Likes;
use millrace_model::{Error, ErrorKind, Result};

use super::graph::{GRAPH_NAME, cached, size};
use crate::clients::http::{Connection, get};
use crate::experiments::measurement::Conditions;
use crate::experiments::rounds::rounds;
use crate::experiments::served::Served;
use crate::measure;
use crate::report::{Row, Unit};
use millrace_model::random::SplitMix64;

/// Connections, each with one request under way.
const CONNECTIONS: usize = 64;

/// Requests of a connection in one run.
const ROUNDS: usize = 100;

/// Neighbours of a node.
const DEGREE: u32 = 5;

/// Different requests: more than a cache of answers would hold.
const REQUESTS: usize = 4_096;

const SEED: u64 = 9_001;

pub(in crate::experiments) fn point(conditions: &Conditions) -> Result<Row> {
    let likes = point_size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &likes)?)?;
    let points = RefCell::new(Points::open(&served, &likes)?);
    let health = [get("/health")];
    let medians = measure::side_by_side(
        conditions.seconds,
        || points.borrow_mut().run(),
        || points.borrow_mut().ask(&health, |_| true),
    )?;
    let rate = Points::rate;
    Ok(Row::new(rate(medians.value), Unit::PerSecond).beside(rate(medians.reference)))
}

/// The graph of the row.
pub(in crate::experiments) fn point_size(conditions: &Conditions) -> Likes {
    Likes { likes_a_person: DEGREE, ..size(conditions) }
}

/// The folder of that graph.
pub(in crate::experiments) fn point_folder(conditions: &Conditions) -> Result<std::path::PathBuf> {
    cached(&conditions.data, &point_size(conditions))
}

/// People to be asked for, drawn again for each request.
pub(in crate::experiments) fn random_people(likes: &Likes) -> Vec<u64> {
    let mut random = SplitMix64::new(SEED);
    (0..REQUESTS).map(|_| random.below(u64::from(likes.people)) + 1).collect()
}

/// The row's connections and requests, which are the reference of other rows.
pub(in crate::experiments) struct Points {
    connections: Vec<Connection>,
    requests: Vec<Vec<u8>>,
}

impl Points {
    /// Connects.
    pub(in crate::experiments) fn open(served: &Served, likes: &Likes) -> Result<Points> {
        let opened: Result<Vec<Connection>> = (0..CONNECTIONS).map(|_| served.connect()).collect();
        let request = |person| {
            get(&format!("/db/{GRAPH_NAME}/node/Person/person{person}/neighbors/out/LIKES"))
        };
        let requests = random_people(likes).into_iter().map(request).collect();
        Ok(Points { connections: opened?, requests })
    }

    /// One run.
    pub(in crate::experiments) fn run(&mut self) -> Result<()> {
        let Points { connections, requests } = self;
        ask(connections, requests, has_neighbours)
    }

    fn ask(&mut self, requests: &[Vec<u8>], is_right: fn(&[u8]) -> bool) -> Result<()> {
        ask(&mut self.connections, requests, is_right)
    }

    /// Requests in a second, of the seconds of a run.
    pub(in crate::experiments) fn rate(seconds: f64) -> f64 {
        (CONNECTIONS * ROUNDS) as f64 / seconds
    }
}

/// Whether an answer names as many nodes as a person has neighbours.
fn has_neighbours(answer: &[u8]) -> bool {
    let key = b"\"key\"";
    answer.windows(key.len()).filter(|bytes| bytes == key).count() == DEGREE as usize
}

/// Keeps a request under way on each connection for so many rounds.
fn ask(
    connections: &mut [Connection],
    requests: &[Vec<u8>],
    is_right: fn(&[u8]) -> bool,
) -> Result<()> {
    let mut next = requests.iter().cycle();
    rounds(
        connections,
        ROUNDS,
        |connection| connection.send(next.next().map_or(&[][..], |request| request)),
        |connection| {
            connection.receive(|answer| {
                if is_right(answer) {
                    return Ok(());
                }
                let answer = String::from_utf8_lossy(answer);
                Err(Error::new(ErrorKind::Bug, format!("these are not neighbours: {answer}")))
            })
        },
    )
}
