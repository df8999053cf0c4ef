//! The answer as JSON: an object with a member for each block.

use std::sync::Arc;

use millrace_model::{Batch, ColumnValues, Error, ErrorKind, Result};
use millrace_plan::language::{AnswerRoom, AnswerWriter};

use super::layout::{BlockKind, BlockLayout, LevelLayout};
use super::level::Level;
use super::node::LevelRows;
use super::paths::write_paths;
use super::rdf::write_rdf;
use super::recursion::write_recursion;
use crate::form::AnswerForm;
use crate::values::{write_json, write_string};

/// Writes answers of one layout.
#[derive(Clone, Debug)]
pub(crate) struct JsonAnswer {
    /// Its blocks, in the order of the query.
    pub(crate) blocks: Vec<BlockLayout>,
    /// The form of the answer.
    pub(crate) form: AnswerForm,
}

impl AnswerWriter for JsonAnswer {
    fn write(&self, rows: &Batch, room: &dyn AnswerRoom) -> Result<String> {
        if self.form == AnswerForm::Rdf {
            return write_rdf(&self.blocks, rows, room);
        }
        let mut text = Text::within(room);
        text.json.push('{');
        let mut is_first = true;
        for block in &self.blocks {
            let start = text.json.len();
            text.json.push_str(if is_first { "" } else { "," });
            write_string(&block.name, &mut text.json);
            text.json.push(':');
            let is_there = match &block.kind {
                BlockKind::Nodes(layout) => LevelRows::of(rows, layout)?.write_all(&mut text)?,
                BlockKind::Values { bag, values } => write_values(rows, *bag, values, &mut text)?,
                BlockKind::Paths(layout) => write_paths(rows, layout, &mut text)?,
                BlockKind::Recursion(layout) => write_recursion(rows, layout, &mut text)?,
                BlockKind::Whole(written) => {
                    text.json.push_str(written);
                    true
                }
            };
            // Groups and paths without one are no member.
            match is_there {
                true => is_first = false,
                false => text.json.truncate(start),
            }
        }
        text.json.push('}');
        Ok(text.json)
    }
}

/// One row of values, each in an object of its own.
fn write_values(
    rows: &Batch,
    bag: usize,
    values: &[(Arc<str>, usize)],
    text: &mut Text<'_>,
) -> Result<bool> {
    let level = Level::of_bag(rows, bag)?;
    text.json.push('[');
    for (number, (name, column)) in values.iter().enumerate() {
        let value = level.all().next().and_then(|row| level.column(*column).ok()?.get(row));
        text.json.push_str(if number == 0 { "{" } else { ",{" });
        write_string(name, &mut text.json);
        text.json.push(':');
        write_json(&value.unwrap_or_default(), &mut text.json);
        text.json.push('}');
    }
    text.json.push(']');
    Ok(true)
}

/// Bytes for which no room is asked.
const UNASKED_BYTES: u64 = 1 << 12;

/// Bytes that are asked for at least.
const ASKED_BYTES: u64 = 1 << 16;

/// So often a text that does not grow asks for its time: what has no fields is left out again.
const CHECKS_A_LOOK: u32 = 256;

/// The answer so far.
pub(super) struct Text<'r> {
    pub(super) json: String,
    room: Option<&'r dyn AnswerRoom>,
    bytes: u64,
    checks: u32,
}

impl<'r> Text<'r> {
    /// An empty one, which takes room as it grows.
    pub(super) fn within(room: &'r dyn AnswerRoom) -> Text<'r> {
        Text { json: String::new(), room: Some(room), bytes: UNASKED_BYTES, checks: 0 }
    }

    /// A part of an answer, which is checked with the whole.
    pub(super) fn unbounded() -> Text<'static> {
        Text { json: String::new(), room: None, bytes: 0, checks: 0 }
    }

    /// Takes room for what it has become.
    #[inline]
    pub(super) fn check(&mut self) -> Result<()> {
        self.checks += 1;
        let bytes = self.json.capacity() as u64;
        if bytes <= self.bytes && !self.checks.is_multiple_of(CHECKS_A_LOOK) {
            return Ok(());
        }
        let Some(room) = self.room else { return Ok(()) };
        let more = match bytes.saturating_sub(self.bytes) {
            0 => 0,
            more => more.max(ASKED_BYTES),
        };
        self.bytes += more;
        room.take(more)
    }
}

impl Level {
    /// The level of a layout, in the row of an answer.
    pub(super) fn of(row: &Batch, layout: &LevelLayout) -> Result<Level> {
        let level = Level::of_bag(row, layout.bag)?;
        match layout.parent {
            Some(parent) => level.by_parent(parent),
            None => Ok(level),
        }
    }

    /// The rows of a bag.
    pub(super) fn of_bag(row: &Batch, bag: usize) -> Result<Level> {
        let column = row.columns.get(bag).map(|column| &column.values);
        let Some(ColumnValues::Bag(bags)) = column else { return Err(misplaced("a bag")) };
        let all = match bags.views.first() {
            Some((from, count)) => *from as usize..*from as usize + *count as usize,
            None => 0..0,
        };
        Ok(Level::new(Arc::clone(&bags.rows), all))
    }
}

/// An answer is not as its layout says.
pub(super) fn misplaced(what: &str) -> Error {
    Error::new(ErrorKind::Bug, format!("an answer of DQL has no {what} where its layout says"))
}
