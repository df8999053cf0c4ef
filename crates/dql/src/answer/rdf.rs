//! The answer as N-Quads, in a text of JSON: level by level, each node once in a level.

use std::collections::{HashMap, HashSet};

use millrace_model::{Batch, Result, Value, VertexId};
use millrace_plan::language::AnswerRoom;

use super::json::Text;
use super::layout::{BlockKind, BlockLayout, Field, FieldKind, NodeLayout, RowLayout};
use super::node::LevelRows;
use super::recursion_rdf::write_recursion_quads;
use crate::schema::Kind;
use crate::values::{converted, in_order, write_json, write_string, write_vector};

/// The uids of a level's nodes, as they are written.
pub(super) type Uids = HashMap<VertexId, String>;

/// The nodes of blocks as N-Quads.
pub(super) fn write_rdf(
    blocks: &[BlockLayout],
    rows: &Batch,
    room: &dyn AnswerRoom,
) -> Result<String> {
    let mut text = Text::within(room);
    for block in blocks {
        match &block.kind {
            BlockKind::Nodes(layout) => {
                LevelRows::of(rows, layout)?.write_quads(&mut text)?;
            }
            BlockKind::Recursion(layout) => write_recursion_quads(rows, layout, &mut text)?,
            BlockKind::Values { .. } | BlockKind::Paths(_) | BlockKind::Whole(_) => {}
        }
    }
    room.take(text.json.len() as u64)?;
    let mut answer = String::with_capacity(text.json.len());
    write_string(&text.json, &mut answer);
    Ok(answer)
}

impl LevelRows<'_> {
    /// The quads of a level and of those below it; the uids of its nodes.
    fn write_quads(&self, text: &mut Text<'_>) -> Result<Uids> {
        let RowLayout::Nodes(node) = &self.layout.rows else { return Ok(Uids::new()) };
        let uids = self.uids(node)?;
        let mut below = self.below.iter();
        for field in &node.fields {
            if let FieldKind::Level { .. } = &field.kind {
                let Some(level) = below.next() else { continue };
                let reached = level.write_quads(text)?;
                level.write_edges(&field.name, (&uids, &reached), text)?;
                continue;
            }
            let mut seen = HashSet::new();
            for row in self.level.all() {
                let own = self.level.vertices(node.column)?[row];
                let Some(uid) = uids.get(&own).filter(|_| seen.insert(own)) else { continue };
                self.write_values_of(uid, field, row, text)?;
                text.check()?;
            }
        }
        Ok(uids)
    }

    /// The quads of a field's values.
    pub(super) fn write_values_of(
        &self,
        uid: &str,
        field: &Field,
        row: usize,
        text: &mut Text<'_>,
    ) -> Result<()> {
        for value in self.values(&field.kind, row)? {
            text.json.push_str(&format!("{uid} <{}> {value} .\n", field.name));
        }
        Ok(())
    }

    pub(super) fn uids(&self, node: &NodeLayout) -> Result<Uids> {
        let mut uids = Uids::new();
        let Some(uid) = node.uid else { return Ok(uids) };
        for row in self.level.all() {
            let own = self.level.vertices(node.column)?[row];
            if let Some(Value::I64(number)) = self.level.value(uid, row)? {
                uids.insert(own, format!("<{number:#x}>"));
            }
        }
        Ok(uids)
    }

    fn write_edges(
        &self,
        name: &str,
        (above, own): (&Uids, &Uids),
        text: &mut Text<'_>,
    ) -> Result<()> {
        let RowLayout::Nodes(node) = &self.layout.rows else { return Ok(()) };
        let Some(parent) = self.layout.parent else { return Ok(()) };
        for row in self.level.all() {
            let from = above.get(&self.level.vertices(parent)?[row]);
            let to = own.get(&self.level.vertices(node.column)?[row]);
            if let (Some(from), Some(to)) = (from, to) {
                text.json.push_str(&format!("{from} <{name}> {to} .\n"));
                text.check()?;
            }
        }
        Ok(())
    }

    /// The values of a field, each as the object of a quad.
    fn values(&self, kind: &FieldKind, row: usize) -> Result<Vec<String>> {
        let (column, kind) = match kind {
            FieldKind::Value { column, kind, .. } => (*column, *kind),
            FieldKind::Plain(column) => (*column, Kind::Default),
            FieldKind::Uid(_) | FieldKind::Password { .. } | FieldKind::Level { .. } => {
                return Ok(Vec::new());
            }
        };
        let Some(value) = self.level.value(column, row)? else { return Ok(Vec::new()) };
        let values = in_order(&value).into_iter().filter_map(|(_, value)| converted(value, kind));
        Ok(values.map(|value| object(&value)).collect())
    }
}

/// A value as the object of a quad: numbers in quotation marks.
fn object(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Vector(numbers) => write_vector(numbers, &mut text),
        other => write_json(other, &mut text),
    }
    match value {
        Value::I64(_) | Value::F64(_) | Value::F32(_) => format!("\"{text}\""),
        Value::Geometry(_) => {
            let mut quoted = String::new();
            write_string(&text, &mut quoted);
            format!("{quoted}^^<geo:geojson>")
        }
        _ => text,
    }
}
