//! The memory of values that an expression makes for a batch, while it makes them.
//!
//! What each part of an expression gives is counted until the whole is evaluated, less what it was made of and no
//! longer holds. A batch with large values is evaluated in parts, and one with very many rows in slices.

use std::cell::Cell;

use millrace_model::{Batch, Column, CountedOnce, Error, ErrorKind, Result, Value};

use super::operand::Operand;
use crate::limits::{
    EVALUATED_ROWS_MAX, MADE_BYTES_MAX, MADE_BYTES_UNCOUNTED, ROOM_BYTES_UNASKED_MAX,
};
use crate::rows::{append, own_bytes, slices};
use crate::run::Run;

/// The name of the error of a batch that is to be evaluated in parts; no caller of an operator sees it.
const WIDE: &str = "RowsOfLargeValues";

/// Bytes that are counted until this is dropped.
pub(super) struct Made<'a> {
    run: &'a Run<'a>,
    bytes: Cell<u64>,
    /// Whether fewer rows could be evaluated at once.
    is_divisible: bool,
}

impl<'a> Made<'a> {
    pub(super) fn new(rows: usize, run: &'a Run<'a>) -> Made<'a> {
        Made { run, bytes: Cell::new(0), is_divisible: 1 < rows }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Counts so many bytes in all.
    pub(super) fn set(&self, bytes: u64) -> Result<()> {
        let (before, counted) = (counted(self.bytes.get()), counted(bytes));
        if counted <= before {
            self.run.context.guard().release(before - counted);
        } else {
            if self.is_divisible && MADE_BYTES_MAX < bytes {
                let error = Error::new(ErrorKind::LimitReached, "the values of a batch are large");
                return Err(error.with_name(WIDE));
            }
            self.run.charge(counted - before)?;
        }
        self.bytes.set(bytes);
        Ok(())
    }

    pub(super) fn grow(&self, bytes: u64) -> Result<()> {
        self.set(self.bytes.get() + bytes)
    }
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        self.run.context.guard().release(counted(self.bytes.get()));
    }
}

/// Values that are made one after the other: they are counted before they are many more.
pub(super) struct MadeValues<'a> {
    made: &'a Made<'a>,
    counted: CountedOnce,
    uncounted_bytes: u64,
}

impl<'a> MadeValues<'a> {
    pub(super) fn new(made: &'a Made<'a>) -> MadeValues<'a> {
        MadeValues { made, counted: CountedOnce::own_only(), uncounted_bytes: 0 }
    }

    pub(super) fn add(&mut self, value: &Value) -> Result<()> {
        self.uncounted_bytes += self.counted.byte_size(value) as u64;
        if ROOM_BYTES_UNASKED_MAX <= self.uncounted_bytes {
            self.made.grow(std::mem::take(&mut self.uncounted_bytes))?;
        }
        Ok(())
    }
}

/// The bytes that count: few do not.
fn counted(bytes: u64) -> u64 {
    if bytes < MADE_BYTES_UNCOUNTED { 0 } else { bytes }
}

/// Bytes of what some operands alone hold, if they are not few.
pub(crate) fn operands_bytes<'o>(operands: impl IntoIterator<Item = &'o Operand>) -> u64 {
    counted(operands.into_iter().map(operand_bytes).sum())
}

/// Bytes of what an operand alone holds.
pub(super) fn operand_bytes(operand: &Operand) -> u64 {
    match operand {
        Operand::Column(column) => own_bytes(column),
        Operand::Constant(value) => CountedOnce::own_only().heap_size(value) as u64,
    }
}

/// Whether the rows are to be evaluated in parts.
pub(crate) fn is_wide(error: &Error) -> bool {
    error.name == Some(WIDE)
}

/// The parts of a batch with values that are too large together.
const PARTS: usize = 16;

/// The operands of a batch, those of its parts one behind the other where it has very many rows, or where their values
/// are too large together.
pub(super) fn in_parts(
    batch: &Batch,
    run: &Run<'_>,
    evaluate: &mut dyn FnMut(&Batch) -> Result<Vec<Operand>>,
) -> Result<Vec<Operand>> {
    let is_long = EVALUATED_ROWS_MAX < batch.len;
    if !is_long {
        match evaluate(batch) {
            Err(error) if is_wide(&error) => {}
            done => return done,
        }
    }
    let rows_max = if is_long { EVALUATED_ROWS_MAX } else { batch.len.div_ceil(PARTS) };
    let mut parts: Vec<Joined> = Vec::new();
    let held = Made::new(1, run);
    for rows in slices(batch.len, rows_max) {
        let operands = in_parts(&batch.take(&rows), run, evaluate)?;
        // A column that grows has room for as much again.
        held.grow(2 * operands.iter().map(operand_bytes).sum::<u64>())?;
        parts.resize_with(operands.len(), Joined::default);
        parts.iter_mut().zip(operands).for_each(|(own, operand)| own.push(operand, rows.len()));
    }
    Ok(parts.into_iter().map(Joined::finish).collect())
}

/// Operands one behind the other.
#[derive(Default)]
struct Joined {
    /// The value of all rows so far, if it is one.
    same: Option<Value>,
    column: Column,
    rows: usize,
}

impl Joined {
    fn push(&mut self, operand: Operand, rows: usize) {
        if let Operand::Constant(value) = &operand
            && (self.rows == 0 || self.same.as_ref() == Some(value))
        {
            (self.same, self.rows) = (Some(value.clone()), self.rows + rows);
            return;
        }
        if let Some(same) = self.same.take() {
            append(&mut self.column, &Operand::Constant(same).into_column(self.rows));
        }
        append(&mut self.column, &operand.into_column(rows));
        self.rows += rows;
    }

    fn finish(self) -> Operand {
        self.same.map_or_else(|| Operand::of(self.column), Operand::Constant)
    }
}
