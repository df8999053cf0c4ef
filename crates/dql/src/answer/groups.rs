//! `@groupby`: groups in an object of their own, by size and then by their keys.

use std::cmp::Ordering;
use std::ops::Range;

use millrace_model::{Result, Value};

use super::json::Text;
use super::layout::GroupLayout;
use super::node::{LevelRows, write_name};
use crate::schema::Kind;
use crate::values::{compare, converted, write_json, write_uid};

/// Whether groups are in the order of keys of a type.
fn is_sorted(kind: Kind) -> bool {
    match kind {
        Kind::Default
        | Kind::String
        | Kind::Int
        | Kind::Float
        | Kind::DateTime
        | Kind::Uid
        | Kind::BigFloat => true,
        Kind::Bool | Kind::Geo | Kind::Password | Kind::Vector => false,
    }
}

/// A group, with the results of its folds that are there.
struct Group {
    size: i64,
    keys: Vec<Value>,
    folds: Vec<Value>,
    row: usize,
}

impl Group {
    /// The order of groups: by size, by how many results they have, by the keys that are in an order, by their results.
    fn compare(&self, other: &Group, sorts: &[bool]) -> Ordering {
        let by = |one: &[Value], other: &[Value]| {
            let mut pairs = one.iter().zip(other).map(|(one, other)| compare(one, other));
            pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        let sorted = |own: &[Value]| {
            let ordered = own.iter().zip(sorts).filter(|(_, sorts)| **sorts);
            ordered.map(|(key, _)| key.clone()).collect::<Vec<Value>>()
        };
        let sizes = self.size.cmp(&other.size);
        let sizes = sizes.then_with(|| self.folds.len().cmp(&other.folds.len()));
        let keys = || by(&sorted(&self.keys), &sorted(&other.keys));
        let folds = || by(&self.folds, &other.folds);
        sizes.then_with(keys).then_with(folds).then_with(|| by(&self.keys, &other.keys))
    }
}

impl LevelRows<'_> {
    /// Groups; false if there are none.
    pub(super) fn write_groups(
        &self,
        layout: &GroupLayout,
        rows: Range<usize>,
        text: &mut Text<'_>,
    ) -> Result<bool> {
        let mut groups: Vec<Group> = Vec::new();
        for row in rows {
            let size = match self.level.value(layout.size, row)? {
                Some(Value::I64(size)) => size,
                _ => 0,
            };
            let keys: Result<Vec<Option<Value>>> =
                layout.keys.iter().map(|(_, column, _)| self.level.value(*column, row)).collect();
            let keys: Option<Vec<Value>> = keys?.into_iter().collect();
            // A node without one of the keys is in no group.
            let Some(keys) = keys else { continue };
            let mut folds = Vec::new();
            for (_, column) in &layout.folds {
                folds.extend(self.level.value(*column, row)?);
            }
            groups.push(Group { size, keys, folds, row });
        }
        if groups.is_empty() {
            return Ok(false);
        }
        let sorts: Vec<bool> = layout.keys.iter().map(|(_, _, kind)| is_sorted(*kind)).collect();
        groups.sort_by(|one, other| one.compare(other, &sorts));
        text.json.push_str("{\"@groupby\":[");
        for (number, Group { keys, row, .. }) in groups.iter().enumerate() {
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
            text.check()?;
        }
        text.json.push_str("]}");
        text.check()?;
        Ok(true)
    }
}
