//! Every index finds the elements with the value and no others; an ordered one also those in a
//! range.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::schema::IndexKind;
use millrace_model::{Column, IndexId};
use millrace_store::key_range::ByteRange;
use millrace_store::nearest::{Best, Near, NearestMatches, NearestQuery};
use millrace_store::postings::Exactness;
use millrace_store::{SeekMatches, Snapshot};
use millrace_terms::vectors::{VectorQuery, VectorSpace};
use millrace_terms::{KeyExtractor, KeyQuestion};

use super::{Judged, Wrong, ranges, require_same};
use crate::simulator::for_store::column;
use crate::simulator::model::Model;
use crate::simulator::schema::{INDEXES, Names, VECTORS, Values, vector};

/// A value that no action gives.
const NOBODYS: i64 = 25;

pub(super) fn judge(snapshot: &dyn Snapshot, names: Names, model: &Model) -> Judged {
    let catalog = snapshot.catalog();
    for index in &model.indexes {
        let defined = names
            .defined(&catalog, *index)
            .ok_or_else(|| Wrong::Different(format!("index {index} is not defined")))?;
        if defined.kind == IndexKind::Made {
            let holders = model.made_keys(*index, names);
            judge_made_keys(snapshot, defined.id, &holders, *index)?;
            let method = INDEXES[*index].method;
            match method.parse::<KeyExtractor>().map_err(Wrong::Unreadable)? {
                KeyExtractor::Vectors(space) => {
                    judge_nearest(snapshot, (defined.id, space), &holders, *index)?;
                }
                KeyExtractor::ScoredWords(_) => {
                    judge_counts(snapshot, defined.id, &holders, *index)?;
                }
                _ => {}
            }
            continue;
        }
        let mut by_values: BTreeMap<Values, Vec<u64>> = BTreeMap::new();
        by_values.insert(vec![NOBODYS; INDEXES[*index].keys.len()], Vec::new());
        for (id, values) in model.entries(*index) {
            by_values.entry(values).or_default().push(id);
        }
        let keys = INDEXES[*index].keys.iter().enumerate();
        let keys: Vec<Column> = keys
            .map(|(place, key)| column(*key, by_values.keys().map(|values| Some(values[place]))))
            .collect();
        let mut matches = SeekMatches::default();
        snapshot.seek(defined.id, &keys.iter().collect::<Vec<_>>(), &mut matches)?;
        let found: Vec<(u32, u64)> = matches.rows.into_iter().zip(matches.ids).collect();
        let rows = (0..).zip(by_values.values());
        let expected: Vec<(u32, u64)> =
            rows.flat_map(|(row, ids)| ids.iter().map(move |id| (row, *id))).collect();
        let message = format!("index {index}, by {:?}", by_values.keys());
        require_same(&message, &found, &expected)?;
        if defined.kind == IndexKind::Range {
            ranges::judge(snapshot, defined.id, *index, model)?;
        }
    }
    Ok(())
}

/// Each key finds all elements that have it; others may be among them, which whoever asks sorts out.
fn judge_made_keys(
    snapshot: &dyn Snapshot,
    id: IndexId,
    holders: &BTreeMap<Vec<u8>, Vec<u64>>,
    index: usize,
) -> Judged {
    let questions: Vec<KeyQuestion> = holders.keys().cloned().map(KeyQuestion::Key).collect();
    let mut matches = SeekMatches::default();
    snapshot.candidates(id, &questions, usize::MAX, &mut matches)?;
    let found: BTreeSet<(u32, u64)> = matches.rows.into_iter().zip(matches.ids).collect();
    let pairs = (0..).zip(holders.values());
    let expected: BTreeSet<(u32, u64)> =
        pairs.flat_map(|(row, ids)| ids.iter().map(move |id| (row, *id))).collect();
    let missed: Vec<&(u32, u64)> = expected.difference(&found).collect();
    require_same(&format!("index {index}: missed by made keys"), &missed, &Vec::new())
}

/// The nearest to each vector are those of a comparison with all of them.
fn judge_nearest(
    snapshot: &dyn Snapshot,
    (id, space): (IndexId, VectorSpace),
    holders: &BTreeMap<Vec<u8>, Vec<u64>>,
    index: usize,
) -> Judged {
    let asked: Vec<VectorQuery> =
        VECTORS.step_by(2).map(|number| space.query(&vector(number))).collect::<Result<_, _>>()?;
    for (limit, is_exact) in [(2, true), (usize::MAX >> 8, true), (4, false)] {
        let query = NearestQuery {
            vectors: &asked,
            limit,
            within: None,
            without: None,
            breadth: 0,
            is_exact,
        };
        let mut matches = NearestMatches::default();
        snapshot.nearest(id, &query, &mut matches)?;
        let mut expected = NearestMatches::default();
        for (row, vector) in (0..).zip(&asked) {
            let mut best = Best::new(limit);
            for (key, ids) in holders {
                let nearness = vector.nearness(key).unwrap_or(f32::NEG_INFINITY);
                ids.iter().for_each(|id| best.push(Near { nearness, id: *id }));
            }
            best.into_sorted().into_iter().for_each(|near| expected.push(row, near));
        }
        require_same(&format!("index {index}: the nearest {limit}"), &matches, &expected)?;
    }
    Ok(())
}

/// Where entries are said to be exact they are those of the model; where not, no element is missing.
fn judge_counts(
    snapshot: &dyn Snapshot,
    id: IndexId,
    holders: &BTreeMap<Vec<u8>, Vec<u64>>,
    index: usize,
) -> Judged {
    let all = ByteRange { start: Vec::new(), end: None };
    let mut found: BTreeMap<Vec<u8>, BTreeSet<u64>> = BTreeMap::new();
    let exactness = snapshot.postings(id, &[all], &mut |_, key: &[u8], ids: &[u64]| {
        found.entry(key.to_vec()).or_default().extend(ids);
        Ok(())
    })?;
    let expected: BTreeMap<Vec<u8>, BTreeSet<u64>> =
        holders.iter().map(|(key, ids)| (key.clone(), ids.iter().copied().collect())).collect();
    if exactness == Exactness::Exact {
        return require_same(&format!("index {index}: entries"), &found, &expected);
    }
    let is_there = |(key, ids): (&Vec<u8>, &BTreeSet<u64>)| {
        found.get(key).is_some_and(|own| ids.is_subset(own))
    };
    let missed: Vec<_> = expected.iter().filter(|own| !is_there(*own)).collect();
    require_same(&format!("index {index}: missing entries"), &missed, &Vec::new())
}
