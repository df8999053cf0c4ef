//! `@groupby`: groups in an object of their own, by size and then by their keys.

use std::cmp::Ordering;
use std::ops::Range;

use millrace_model::{Result, Value};

use super::json::Text;
use super::layout::GroupLayout;
use super::node::{LevelRows, write_name};
use crate::schema::Kind;
use crate::values::{compare, converted, write_json, write_uid};

impl LevelRows<'_> {
    /// Groups; false if there are none.
    pub(super) fn write_groups(
        &self,
        layout: &GroupLayout,
        rows: Range<usize>,
        text: &mut Text,
    ) -> Result<bool> {
        let mut groups: Vec<(i64, Vec<Value>, usize)> = Vec::new();
        for row in rows {
            let size = match self.level.value(layout.size, row)? {
                Some(Value::I64(size)) => size,
                _ => 0,
            };
            let keys: Result<Vec<Option<Value>>> =
                layout.keys.iter().map(|(_, column, _)| self.level.value(*column, row)).collect();
            let keys: Option<Vec<Value>> = keys?.into_iter().collect();
            // A node without one of the keys is in no group.
            if let Some(keys) = keys {
                groups.push((size, keys, row));
            }
        }
        if groups.is_empty() {
            return Ok(false);
        }
        let by_keys = |one: &[Value], other: &[Value]| {
            let pairs = one.iter().zip(other);
            pairs.map(|(one, other)| compare(one, other)).find(|order| order.is_ne())
        };
        groups.sort_by(|one, other| {
            let keys = || by_keys(&one.1, &other.1).unwrap_or(Ordering::Equal);
            one.0.cmp(&other.0).then_with(keys)
        });
        text.json.push_str("{\"@groupby\":[");
        for (number, (_, keys, row)) in groups.iter().enumerate() {
            text.json.push_str(if number == 0 { "{" } else { ",{" });
            for (place, ((name, _, kind), key)) in layout.keys.iter().zip(keys).enumerate() {
                text.json.push_str(if place == 0 { "" } else { "," });
                write_name(name, text);
                match (kind, key) {
                    (Kind::Uid, Value::I64(uid)) => write_uid(*uid, &mut text.json),
                    (kind, key) => {
                        let shown = converted(key, *kind);
                        write_json(shown.as_ref().unwrap_or(key), &mut text.json);
                    }
                }
            }
            for (name, column) in &layout.folds {
                if let Some(value) = self.level.value(*column, *row)? {
                    text.json.push(',');
                    write_name(name, text);
                    write_json(&value, &mut text.json);
                }
            }
            text.json.push('}');
        }
        text.json.push_str("]}");
        text.check()?;
        Ok(true)
    }
}
