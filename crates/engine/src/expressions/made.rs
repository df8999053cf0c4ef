//! The memory of values that an expression makes for a batch, while it makes them.
//!
//! What each part of an expression gives is counted until the whole is evaluated, less what it was made of and no
//! longer holds. A batch whose values are large is evaluated in parts: half of its rows after the other.

use std::cell::Cell;
use std::sync::Arc;

use millrace_model::{Batch, Column, CountedOnce, Error, ErrorKind, Result, Value};

use super::operand::Operand;
use crate::limits::{MADE_BYTES_MAX, ROOM_BYTES_UNASKED_MAX};
use crate::rows::{append, own_bytes};
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
        let before = self.bytes.get();
        if bytes <= before {
            self.run.context.guard().release(before - bytes);
        } else {
            if self.is_divisible && MADE_BYTES_MAX < bytes {
                let error = Error::new(ErrorKind::LimitReached, "the values of a batch are large");
                return Err(error.with_name(WIDE));
            }
            self.run.charge(bytes - before)?;
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
        self.run.context.guard().release(self.bytes.get());
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

/// Bytes of what an operand alone holds.
pub(crate) fn operand_bytes(operand: &Operand) -> u64 {
    match operand {
        Operand::Column(column) => own_bytes(column),
        Operand::Constant(value) => CountedOnce::own_only().heap_size(value) as u64,
    }
}

/// Whether the rows are to be evaluated in parts.
pub(crate) fn is_wide(error: &Error) -> bool {
    error.name == Some(WIDE)
}

/// The operands of a batch, those of its halves one behind the other where they are too large together.
pub(super) fn in_parts(
    batch: &Batch,
    evaluate: &mut dyn FnMut(&Batch) -> Result<Vec<Operand>>,
) -> Result<Vec<Operand>> {
    match evaluate(batch) {
        Err(error) if is_wide(&error) => {}
        done => return done,
    }
    let middle = (batch.len / 2) as u32;
    let first: Vec<u32> = (0..middle).collect();
    let second: Vec<u32> = (middle..batch.len as u32).collect();
    let mut columns: Vec<Column> = Vec::new();
    for rows in [first, second] {
        let part = batch.take(&rows);
        let operands = in_parts(&part, evaluate)?;
        columns.resize_with(operands.len(), Column::default);
        for (column, operand) in columns.iter_mut().zip(operands) {
            append(column, &operand.into_column(part.len));
        }
    }
    Ok(columns.into_iter().map(|column| Operand::Column(Arc::new(column))).collect())
}
