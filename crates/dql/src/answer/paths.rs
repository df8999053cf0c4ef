//! Shortest paths: each an object in an object, from the first node to the last.

use millrace_model::{Batch, Result, Value};

use super::json::Text;
use super::layout::PathsLayout;
use super::level::Level;
use crate::values::{write_json, write_string, write_uid};

/// The column of the uids, that of the numbers of predicates, and that of the cost.
const COLUMNS: [usize; 3] = [0, 1, 2];

/// Paths as a list; false if there are none.
pub(super) fn write_paths(rows: &Batch, layout: &PathsLayout, text: &mut Text<'_>) -> Result<bool> {
    let level = Level::of_bag(rows, layout.bag)?;
    text.json.push('[');
    let mut is_first = true;
    for row in level.all() {
        text.json.push_str(if is_first { "" } else { "," });
        is_first = false;
        write_path(&level, layout, row, text)?;
        text.check()?;
    }
    text.json.push(']');
    Ok(!is_first)
}

fn write_path(level: &Level, layout: &PathsLayout, row: usize, text: &mut Text<'_>) -> Result<()> {
    let list = |column: usize| -> Result<Vec<Value>> {
        Ok(match level.value(column, row)? {
            Some(Value::List(values)) => values.to_vec(),
            _ => Vec::new(),
        })
    };
    let [uids, steps] = [list(COLUMNS[0])?, list(COLUMNS[1])?];
    let cost = level.value(COLUMNS[2], row)?.unwrap_or_default();
    let mut facets = Vec::new();
    for (_, facet) in &layout.steps {
        facets.push(match facet {
            Some((name, column)) => Some((name, list(*column)?)),
            None => None,
        });
    }
    let step_of = |place: usize| match steps.get(place) {
        Some(Value::I64(number)) => usize::try_from(*number).unwrap_or_default(),
        _ => 0,
    };
    let mut facet_texts = Vec::new();
    for place in 0..uids.len() {
        text.json.push('{');
        if place + 1 < uids.len() {
            let name = layout.steps.get(step_of(place)).map_or("", |(name, _)| name);
            write_string(name, &mut text.json);
            text.json.push(':');
        }
        // What stands behind the nodes below, of the edge that leads here.
        let mut own = String::new();
        if let Some(before) = place.checked_sub(1)
            && let Some(Some((name, values))) = facets.get(step_of(before))
            && let Some(value) = values.get(before).filter(|value| !value.is_null())
        {
            own.push(',');
            write_string(name, &mut own);
            own.push(':');
            write_json(value, &mut own);
        }
        facet_texts.push(own);
    }
    for place in (0..uids.len()).rev() {
        text.json.push_str(if place + 1 < uids.len() { ",\"uid\":" } else { "\"uid\":" });
        match &uids[place] {
            Value::I64(uid) => write_uid(*uid, &mut text.json),
            other => write_json(other, &mut text.json),
        }
        text.json.push_str(&facet_texts[place]);
        if place == 0 {
            text.json.push_str(",\"_weight_\":");
            write_json(&cost, &mut text.json);
        }
        text.json.push('}');
    }
    Ok(())
}
