//! Nodes as objects, each with its fields and the nodes below it.

use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Batch, ColumnValues, Result, Value, VertexId, query_limits};

use super::json::Text;
use super::layout::{Facets, Field, FieldKind, LevelLayout, NodeLayout, RowLayout};
use super::level::Level;
use crate::schema::Kind;
use crate::values::{converted, in_order, write_json, write_string, write_uid};

/// A level with the levels below it.
pub(super) struct LevelRows<'a> {
    pub(super) layout: &'a LevelLayout,
    pub(super) level: Level,
    /// One for each field of nodes, in the order of the fields.
    pub(super) below: Vec<LevelRows<'a>>,
}

/// The nodes above one, where a node has no fields below itself.
pub(super) type Above = Vec<VertexId>;

impl<'a> LevelRows<'a> {
    pub(super) fn of(row: &Batch, layout: &'a LevelLayout) -> Result<LevelRows<'a>> {
        let mut below = Vec::new();
        if let RowLayout::Nodes(node) = &layout.rows {
            for field in &node.fields {
                if let FieldKind::Level { level, .. } = &field.kind {
                    below.push(LevelRows::of(row, level)?);
                }
            }
        }
        Ok(LevelRows { layout, level: Level::of(row, layout)?, below })
    }

    /// All its rows as a list; false if they are groups, and there are none.
    pub(super) fn write_all(&self, text: &mut Text<'_>) -> Result<bool> {
        let rows = self.level.all();
        text.json.push('[');
        let is_there = match &self.layout.rows {
            RowLayout::Groups(groups) => self.write_groups(groups, rows, text)?,
            RowLayout::Nodes(node) => {
                let count = rows.len();
                let written = self.write_counts(node, (0, count), text);
                self.write_nodes(node, (rows, written), &Facets::None, &mut Above::new(), text)?;
                true
            }
        };
        text.json.push(']');
        text.check()?;
        Ok(is_there)
    }

    /// The number of nodes, in an object for each name it has; how many objects there are now.
    fn write_counts(
        &self,
        node: &NodeLayout,
        (before, count): (usize, usize),
        text: &mut Text<'_>,
    ) -> usize {
        for (number, name) in node.counts.iter().enumerate() {
            text.json.push_str(if before + number == 0 { "{" } else { ",{" });
            write_string(name, &mut text.json);
            text.json.push_str(&format!(":{count}}}"));
        }
        node.counts.len()
    }

    /// Nodes as objects behind those that are written; those without fields are left out. How many were written.
    fn write_nodes(
        &self,
        node: &NodeLayout,
        (rows, before): (Range<usize>, usize),
        facets: &Facets,
        above: &mut Above,
        text: &mut Text<'_>,
    ) -> Result<usize> {
        let mut written = 0;
        for row in rows {
            text.check()?;
            if node.is_flat {
                for object in self.flat(node, row, facets, above)? {
                    text.json.push_str(if before + written == 0 { "" } else { "," });
                    object.write(text);
                    written += 1;
                }
                continue;
            }
            let start = text.json.len();
            text.json.push_str(if before + written == 0 { "" } else { "," });
            match self.write_node(node, row, facets, above, text)? {
                true => written += 1,
                false => text.json.truncate(start),
            }
        }
        Ok(written)
    }

    /// A node as an object; false where it has no field, and then what was written is to be dropped.
    fn write_node(
        &self,
        node: &NodeLayout,
        row: usize,
        facets: &Facets,
        above: &mut Above,
        text: &mut Text<'_>,
    ) -> Result<bool> {
        if node.ignores_reflex {
            let own = self.level.vertices(node.column)?[row];
            if above.contains(&own) {
                return Ok(false);
            }
            above.push(own);
        }
        text.json.push('{');
        let mut below = self.below.iter();
        let mut has_fields = false;
        let mut last: Option<&Field> = None;
        for field in &node.fields {
            let level = if let FieldKind::Level { .. } = field.kind { below.next() } else { None };
            let start = text.json.len();
            text.json.push_str(if has_fields { "," } else { "" });
            let begin = text.json.len();
            if !self.write_field(node, (field, level), row, above, text)? {
                text.json.truncate(start);
                continue;
            }
            has_fields = true;
            if last.is_some_and(|last| last.name == field.name) && level.is_some() {
                join_lists(text, start, begin + field.name.len() + 3);
            }
            last = Some(field);
        }
        if has_fields
            && let Some(uid) = node.uid
            && !node.names_uid()
        {
            text.json.push_str(",\"uid\":");
            self.write_uid(uid, row, text)?;
        }
        if has_fields {
            self.write_facets(facets, row, text)?;
        }
        text.json.push('}');
        if node.ignores_reflex {
            above.pop();
        }
        Ok(has_fields)
    }

    /// A field with its name; false where the node has none.
    pub(super) fn write_field(
        &self,
        node: &NodeLayout,
        (field, below): (&Field, Option<&LevelRows<'_>>),
        row: usize,
        above: &mut Above,
        text: &mut Text<'_>,
    ) -> Result<bool> {
        match &field.kind {
            FieldKind::Level { is_single, facets, .. } => {
                let Some(below) = below else { return Ok(false) };
                let parent = self.level.vertices(node.column)?[row];
                let rows = below.level.of_parent(parent);
                below.write_below(field, rows, (*is_single, facets), above, text)
            }
            FieldKind::Value { column, is_list, kind, facets: Facets::None } => {
                let column = self.level.column(*column)?;
                // The usual field: a text that is written as it is.
                if let (ColumnValues::String(texts), false, true) =
                    (&column.values, is_list, kind.is_text())
                {
                    if column.is_absent(row) || column.is_null(row) {
                        return Ok(false);
                    }
                    write_name(&field.name, text);
                    write_string(texts.get(row), &mut text.json);
                    return Ok(true);
                }
                let value = column.get(row).filter(|value| !value.is_null());
                Ok(value.is_some_and(|value| {
                    write_values(&field.name, &value, (*is_list, *kind), text)
                }))
            }
            FieldKind::Value { column, is_list, kind, facets } => {
                let Some(value) = self.level.value(*column, row)? else { return Ok(false) };
                let start = text.json.len();
                let has_facets = self.write_value_facets(&field.name, &value, facets, row, text)?;
                text.json.push_str(if has_facets { "," } else { "" });
                if write_values(&field.name, &value, (*is_list, *kind), text) {
                    return Ok(true);
                }
                text.json.truncate(start);
                Ok(false)
            }
            FieldKind::Uid(column) => {
                write_name(&field.name, text);
                self.write_uid(*column, row, text)?;
                Ok(true)
            }
            FieldKind::Plain(column) => {
                let Some(value) = self.level.value(*column, row)? else { return Ok(false) };
                // The root of a number below 0 is no value, and there is no word for it in JSON.
                if matches!(value, Value::F64(number) if !number.is_finite()) {
                    return Ok(false);
                }
                write_name(&field.name, text);
                write_json(&value, &mut text.json);
                Ok(true)
            }
            FieldKind::Password { column, password } => {
                let hash = self.level.value(*column, row)?;
                let is_it = match &hash {
                    Some(Value::String(hash)) => {
                        query_limits::begin_long_work()?;
                        bcrypt::verify(&**password, hash).unwrap_or(false)
                    }
                    _ => false,
                };
                write_name(&field.name, text);
                text.json.push_str(if is_it { "true" } else { "false" });
                Ok(true)
            }
        }
    }

    /// The nodes below one node; false if there are none with fields.
    fn write_below(
        &self,
        field: &Field,
        rows: Range<usize>,
        (is_single, facets): (bool, &Facets),
        above: &mut Above,
        text: &mut Text<'_>,
    ) -> Result<bool> {
        write_name(&field.name, text);
        let node = match &self.layout.rows {
            RowLayout::Groups(groups) => {
                text.json.push('[');
                let is_written = self.write_groups(groups, rows, text)?;
                text.json.push(']');
                return Ok(is_written);
            }
            RowLayout::Nodes(node) => node,
        };
        let is_single = is_single && !node.is_flat && node.counts.is_empty();
        text.json.push_str(if is_single { "" } else { "[" });
        let count = rows.len();
        let rows = if is_single { rows.start..rows.end.min(rows.start + 1) } else { rows };
        let mut written = self.write_nodes(node, (rows, 0), facets, above, text)?;
        if count != 0 {
            written += self.write_counts(node, (written, count), text);
        }
        text.json.push_str(if is_single { "" } else { "]" });
        text.check()?;
        Ok(written != 0)
    }

    fn write_uid(&self, column: usize, row: usize, text: &mut Text<'_>) -> Result<()> {
        match self.level.column(column)?.get(row) {
            Some(Value::I64(uid)) => write_uid(uid, &mut text.json),
            Some(other) => write_json(&other, &mut text.json),
            None => text.json.push_str("null"),
        }
        Ok(())
    }
}

/// Makes one list of two that stand one behind the other under one name: the second begins at `begin`.
fn join_lists(text: &mut Text<'_>, start: usize, begin: usize) {
    let is_list = |at: usize| text.json.as_bytes().get(at) == Some(&b'[');
    if start == 0 || text.json.as_bytes().get(start - 1) != Some(&b']') || !is_list(begin) {
        return;
    }
    let second = text.json.split_off(begin + 1);
    text.json.truncate(start - 1);
    text.json.push(',');
    text.json.push_str(&second);
}

/// A name and a colon.
pub(super) fn write_name(name: &Arc<str>, text: &mut Text<'_>) {
    write_string(name, &mut text.json);
    text.json.push(':');
}

/// Values of a predicate; false if none of them can be read as its type.
fn write_values(
    name: &Arc<str>,
    value: &Value,
    (is_list, kind): (bool, Kind),
    text: &mut Text<'_>,
) -> bool {
    let values: Vec<Value> =
        in_order(value).into_iter().filter_map(|(_, value)| converted(value, kind)).collect();
    // A vector without numbers is there, and has none to show.
    if matches!(&values[..], [Value::Vector(numbers)] if numbers.is_empty()) {
        return false;
    }
    let Some(first) = values.first() else { return false };
    write_name(name, text);
    if !is_list {
        write_json(first, &mut text.json);
        return true;
    }
    text.json.push('[');
    for (number, value) in values.iter().enumerate() {
        text.json.push_str(if number == 0 { "" } else { "," });
        write_json(value, &mut text.json);
    }
    text.json.push(']');
    true
}
