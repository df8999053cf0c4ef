//! The same questions after random inserts that no checkpoint merged, beside the graph without them.

use std::path::Path;

use millrace_db::RequestLimits;
use millrace_db::ingest::generate::Likes;
use millrace_model::{Result, VertexId};

use super::graph::{
    GRAPH_NAME, arrays, cached, edges, item_vertices, people, person_vertices, size,
};
use super::recommend::{check, counted, items, question};
use crate::data::Scratch;
use crate::experiments::graph::{OpenGraph, without_checkpoints};
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit;
use crate::measure;
use crate::report::{Row, Unit};
use millrace_model::random::SplitMix64;

/// Likes inserted at full size.
const INSERTS: f64 = 1e6;

/// Likes of one transaction.
const INSERT_BATCH: u64 = 1_000;

const SEED: u64 = 7_001;

pub(in crate::experiments) fn recommend_dirty(conditions: &Conditions) -> Result<Row> {
    let likes = size(conditions);
    let cached = cached(&conditions.data, &likes)?;
    let copy = Scratch::copy(&conditions.data, "likes.recommend.dirty", &cached)?;
    let inserts = (INSERTS * conditions.scale) as u64;
    let mut all = edges(&likes);
    all.extend(insert(copy.path(), &likes, inserts)?);
    let arrays = arrays(&likes, &all);
    // Changes that are only in the log, and in no segment, are in memory again, unmerged, once the folder is open.
    let served = [copy.path().to_owned(), cached].map(|path| Served::unmerged(conditions, path));
    let [dirty, clean] = served;
    let (dirty, clean) = (dirty?, clean?);
    let (mut dirty, mut clean) = (dirty.connect()?, clean.connect()?);
    let items = items(&mut dirty, &likes)?;
    for person in people(&likes) {
        let answer = counted(&dirty.ask(&question(person))?, &items)?;
        check(person, &answer, &limit::recommend_bulked(&arrays, person, 1))?;
    }
    let (mut one, mut other) = (people(&likes).cycle(), people(&likes).cycle());
    let medians = measure::side_by_side(
        conditions.seconds,
        || dirty.ask(&question(one.next().unwrap_or(0))).map(|_| ()),
        || clean.ask(&question(other.next().unwrap_or(0))).map(|_| ()),
    )?;
    let row = Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3);
    Ok(row.with("inserts", inserts as f64, Unit::Count))
}

/// Inserts random likes. Returns them as numbers of person and item.
fn insert(folder: &Path, likes: &Likes, inserts: u64) -> Result<Vec<(u32, u32)>> {
    let open = OpenGraph::open_named(folder, GRAPH_NAME, without_checkpoints())?;
    let limits = RequestLimits::within(u64::from(u32::MAX), open.database.settings());
    let (persons, items) = open.graph.read(&limits, |runner| {
        Ok((person_vertices(runner, likes)?, item_vertices(runner, likes)?))
    })?;
    let mut random = SplitMix64::new(SEED);
    let mut inserted = Vec::new();
    let mut sample = || {
        let mut one = |all: &[VertexId]| random.below(all.len() as u64) as u32;
        let (person, item) = (one(&persons), one(&items));
        inserted.push((person, item));
        (persons[person as usize], items[item as usize])
    };
    open.insert(&mut sample, inserts, INSERT_BATCH, false)?;
    open.close();
    Ok(inserted)
}
