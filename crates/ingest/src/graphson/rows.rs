//! Rows of a query as APOC's `apoc.export.json.query` writes them: columns with nodes, relationships, paths, and
//! lists and maps of these. Other values are left out, and counted by their columns.
//!
//! ```text
//!   {"n":{"type":"node","id":"0",…},"r":{"type":"relationship",…},"age":42}
//!   {"p":{"length":1,"rels":[{…}],"nodes":[{…},{…}]}}
//! ```

use super::apoc::{ends, is_element, node, relationship};
use crate::elements::{Records, Repeated};
use crate::error::excerpt;
use crate::limits::COLUMNS_NAMED_MAX;
use crate::text::json::Json;
use std::collections::BTreeMap;

/// Values that are no elements.
#[derive(Default)]
pub(super) struct LeftOut {
    /// Rows with such values, by the column.
    columns: BTreeMap<String, u64>,
    /// Those of further columns.
    others: u64,
}

impl LeftOut {
    pub(super) fn add(&mut self, more: LeftOut) {
        self.others += more.others;
        for (column, count) in more.columns {
            self.count(&column, count);
        }
    }

    fn count(&mut self, column: &str, count: u64) {
        if let Some(known) = self.columns.get_mut(column) {
            *known += count;
        } else if self.columns.len() < COLUMNS_NAMED_MAX {
            self.columns.insert(column.to_owned(), count);
        } else {
            self.others += count;
        }
    }

    /// For the summary, if there are some.
    pub(super) fn note(&self) -> Option<String> {
        let named =
            self.columns.iter().map(|(column, count)| format!("'{}' ({count})", excerpt(column)));
        let mut named: Vec<String> = named.collect();
        if self.others != 0 {
            named.push(format!("others ({})", self.others));
        }
        let values: u64 = self.columns.values().sum::<u64>() + self.others;
        (values != 0).then(|| {
            format!(
                "{values} values of rows are no nodes, relationships or paths, and were left out: of {}",
                named.join(", ")
            )
        })
    }
}

/// The elements of a row; `None` if it has none, nor a list for nodes.
pub(super) fn read(json: &Json, left_out: &mut LeftOut) -> Option<Result<Records, String>> {
    let columns = json.as_object()?;
    let has_nodes = json.get("nodes").is_some_and(|nodes| nodes.as_array().is_some());
    if !has_nodes && !columns.iter().any(|(_, value)| has_element(value)) {
        return None;
    }
    let mut repeated = Repeated::default();
    for (column, value) in columns {
        match add(value, &mut repeated) {
            Ok(false) => {}
            Ok(true) => left_out.count(column, 1),
            Err(detail) => return Some(Err(format!("{column}: {detail}"))),
        }
    }
    Some(Ok(Records { repeated, ..Records::default() }))
}

fn has_element(json: &Json) -> bool {
    match json {
        Json::Array(values) => values.iter().any(has_element),
        Json::Object(members) => {
            is_element(json) || members.iter().any(|(_, value)| has_element(value))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
    }
}

/// Adds the elements of a value; whether it has anything else.
fn add(json: &Json, repeated: &mut Repeated) -> Result<bool, String> {
    let each = |values: &mut dyn Iterator<Item = &Json>, repeated: &mut Repeated| {
        let mut has_more = false;
        for value in values {
            has_more |= add(value, repeated)?;
        }
        Ok(has_more)
    };
    match json {
        Json::Null => Ok(false),
        Json::Bool(_) | Json::Number(_) | Json::String(_) => Ok(true),
        Json::Array(values) => each(&mut values.iter(), repeated),
        Json::Object(_) if json.get("type").and_then(Json::as_str) == Some("node") => {
            repeated.vertices.push(node(json)?);
            Ok(false)
        }
        Json::Object(_) if is_element(json) => {
            repeated.ends.extend(ends(json)?);
            repeated.edges.push(relationship(json)?);
            Ok(false)
        }
        Json::Object(members) => {
            let is_path = json.get("rels").is_some() && json.get("nodes").is_some();
            let mut values = members.iter().filter(|(name, _)| !(is_path && name == "length"));
            each(&mut values.by_ref().map(|(_, value)| value), repeated)
        }
    }
}
