//! Every index finds the elements with the value and no others; an ordered one also those in a
//! range.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::schema::IndexKind;
use millrace_model::{Column, IndexId};
use millrace_store::{SeekMatches, Snapshot};
use millrace_terms::KeyQuestion;

use super::{Judged, Wrong, ranges, require_same};
use crate::simulator::for_store::column;
use crate::simulator::model::Model;
use crate::simulator::schema::{INDEXES, Names, Values};

/// A value that no action gives.
const NOBODYS: i64 = 25;

pub(super) fn judge(snapshot: &dyn Snapshot, names: Names, model: &Model) -> Judged {
    let catalog = snapshot.catalog();
    for index in &model.indexes {
        let defined = names
            .defined(&catalog, *index)
            .ok_or_else(|| Wrong::Different(format!("index {index} is not defined")))?;
        if defined.kind == IndexKind::Made {
            judge_made_keys(snapshot, defined.id, &model.made_keys(*index, names), *index)?;
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
