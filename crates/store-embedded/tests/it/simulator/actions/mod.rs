//! The actions of a script: one file for each kind, and one line here.
//!
//! A new kind: a file with a constant like [`CONNECT`], its name in [`ACTIONS`], and, if it brings
//! a new sort of content, a field of `Model`, of `Change` and a part of the judge.

mod checkpoints;
mod choose;
mod connect;
mod create;
mod create_index;
mod delay;
mod delete_vertex;
mod disconnect;
mod drop_index;
mod drop_rule;
mod faults;
mod graphs;
mod intern;
mod load;
mod merge;
mod merge_edge;
mod readers;
mod relabel;
mod restart;
mod resume;
mod rot;
mod rule;
mod serializable;
mod set;
mod steps;

use millrace_testkit::Rng;

use super::life::{Life, Lived};
use super::model::{Edge, Model};
use super::schema::{POINTS, SHORT_TEXT, VECTORS};

pub(super) use create::plain;
pub(super) use restart::RESTART;

/// A kind of action.
pub(super) struct Action {
    pub(super) name: &'static str,
    /// How often, against the others.
    pub(super) weight: u64,
    /// Whether it makes something go wrong: a story is shortened by these last.
    pub(super) is_fault: bool,
    /// Whether it may be played in a life that has crashed: it begins another.
    pub(super) ends_life: bool,
    /// Cases that must have been met after enough seeds, by names in the coverage.
    pub(super) meets: &'static [&'static str],
    pub(super) play: fn(&mut Life, &mut Rng) -> Lived<()>,
}

/// A kind of action of no special sort.
const ORDINARY: Action = Action {
    name: "",
    weight: 1,
    is_fault: false,
    ends_life: false,
    meets: &[],
    play: |_, _| Ok(()),
};

/// Every kind of action.
pub(super) const ACTIONS: &[Action] = &[
    checkpoints::CHECKPOINTS,
    choose::CHOOSE,
    connect::CONNECT,
    create::CREATE,
    create_index::CREATE_INDEX,
    delay::DELAY,
    delete_vertex::DELETE_VERTEX,
    disconnect::DISCONNECT,
    drop_index::DROP_INDEX,
    drop_rule::DROP_RULE,
    faults::CRASH_IN_CHECKPOINT,
    faults::CRASH_LATER,
    faults::FAIL_SYNC,
    faults::FILL_DISK,
    faults::FREE_DISK,
    graphs::DROP_GRAPH,
    graphs::MAKE_GRAPH,
    resume::RESUME,
    intern::INTERN,
    load::BEGIN_LOAD,
    load::FINISH_LOAD,
    merge::MERGE,
    merge_edge::MERGE_EDGE,
    readers::BEGIN_READER,
    readers::END_READER,
    readers::READ,
    relabel::RELABEL,
    rule::RULE,
    RESTART,
    rot::ROT,
    serializable::SERIALIZABLE,
    set::SET,
    steps::APPLY,
    steps::CHECKPOINT,
    steps::FORGET,
    steps::IDLE,
    steps::LOG,
    steps::NEXT_FILE,
];

const AGES: u64 = 5;
/// How often an age or a weight is a text, and how often a vector or a point.
const TEXTS: f64 = 0.02;
const VECTORS_AND_POINTS: f64 = 0.06;
const NAMES: u64 = 20;

fn any_age(rng: &mut Rng) -> Option<i64> {
    if !rng.chance(0.8) {
        return None;
    }
    Some(match rng.unit() {
        own if own < TEXTS => SHORT_TEXT,
        own if own < TEXTS + VECTORS_AND_POINTS => {
            rng.range(VECTORS.start as u64..POINTS.end as u64) as i64
        }
        _ => rng.below(AGES) as i64,
    })
}

fn any_name(rng: &mut Rng) -> Option<u8> {
    rng.chance(0.5).then(|| rng.below(NAMES) as u8)
}

fn any_of<T: Copy>(rng: &mut Rng, all: &[T]) -> Option<T> {
    (!all.is_empty()).then(|| all[rng.index(all.len())])
}

/// A vertex of the graph; the first few are hubs.
fn any_vertex(rng: &mut Rng, model: &Model) -> Option<u64> {
    let all: Vec<u64> = model.vertices.keys().copied().collect();
    let hubs = all.len().min(3);
    if rng.chance(0.4) { any_of(rng, &all[..hubs]) } else { any_of(rng, &all) }
}

fn any_edge(rng: &mut Rng, model: &Model) -> Option<(u64, Edge)> {
    let all: Vec<(u64, Edge)> = model.edges.iter().map(|(id, edge)| (*id, *edge)).collect();
    any_of(rng, &all)
}

fn any_labels(rng: &mut Rng) -> [bool; 2] {
    [rng.chance(0.7), rng.chance(0.3)]
}
