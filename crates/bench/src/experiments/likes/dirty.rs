//! The same questions after random inserts that no checkpoint merged, beside the graph without them.

use millrace_db::RequestLimits;
use millrace_db::model::{Result, VertexId};
use millrace_db::plan::{PreparedPlan, Runner};

use super::graph::{
    GRAPH_NAME, arrays, edges, item_vertices, kept, numbers, people, person_vertices, size,
};
use super::questions::{ask, check, named_counts, recommend_plan};
use crate::data::Scratch;
use crate::experiments::Conditions;
use crate::experiments::graph::{OpenGraph, without_checkpoints};
use crate::limit;
use crate::measure;
use crate::random::Random;
use crate::report::{Row, Unit};

/// Likes inserted at full size.
const INSERTS: f64 = 1e6;

/// Likes of one transaction.
const INSERT_BATCH: u64 = 1_000;

const SEED: u64 = 7_001;

pub(in crate::experiments) fn recommend_dirty(conditions: &Conditions) -> Result<Row> {
    let likes = size(conditions);
    let kept = kept(&conditions.data, &likes)?;
    let copy = Scratch::copy(&conditions.data, "likes.recommend.dirty", &kept)?;
    let clean = OpenGraph::open_named(&kept, GRAPH_NAME, without_checkpoints())?;
    let dirty = OpenGraph::open_named(copy.path(), GRAPH_NAME, without_checkpoints())?;
    let limits = RequestLimits::within(u64::from(u32::MAX), clean.database.settings());
    let (persons, items) = dirty.graph.read(&limits, |runner| {
        Ok((person_vertices(runner, &likes)?, item_vertices(runner, &likes)?))
    })?;
    let mut edges = edges(&likes);
    let inserts = (INSERTS * conditions.scale) as u64;
    let mut random = Random::new(SEED);
    let mut draw = || {
        let mut one = |all: &[VertexId]| random.below(all.len() as u64) as u32;
        let (person, item) = (one(&persons), one(&items));
        edges.push((person, item));
        (persons[person as usize], items[item as usize])
    };
    dirty.insert(&mut draw, inserts, INSERT_BATCH, false)?;
    let (arrays, numbers) = (arrays(&likes, &edges), numbers(&items));
    let medians = clean.graph.read(&limits, |clean| {
        dirty.graph.read(&limits, |dirty| {
            let plans = [dirty.prepare(&recommend_plan())?, clean.prepare(&recommend_plan())?];
            for person in people(&likes) {
                let answer = named_counts(&ask(dirty, plans[0], person)?, &numbers)?;
                check(person, &answer, &limit::recommend_bulked(&arrays, person, 1))?;
            }
            let (mut one, mut other) = (people(&likes).cycle(), people(&likes).cycle());
            measure::side_by_side(
                || run(dirty, plans[0], one.next()),
                || run(clean, plans[1], other.next()),
            )
        })
    })?;
    clean.close();
    dirty.close();
    let row = Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3);
    Ok(row.with("inserts", inserts as f64, Unit::Count))
}

fn run(runner: &mut dyn Runner, plan: PreparedPlan, person: Option<u32>) -> Result<()> {
    ask(runner, plan, person.unwrap_or(0)).map(|_| ())
}
