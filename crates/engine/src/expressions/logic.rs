//! Three-valued logic: true, false, and unknown for null and absent.

use std::sync::Arc;

use millrace_model::{Column, ColumnValues, Error, ErrorKind, Result, Value};

use super::evaluate::{Node, Rows};
use super::operand::Operand;

/// The rows of a batch for which a predicate is true; unknown is false.
pub(crate) fn selected(predicate: &Operand, len: usize) -> Result<Vec<u32>> {
    let truths = Truths::of(predicate)?;
    if let Truths::Column(bits, column) = truths
        && column.nulls.is_none()
        && column.absents.is_none()
    {
        // Each row is written, and the next one over it if it is not selected: nothing is to be foretold.
        let (mut rows, mut count) = (vec![0; len], 0);
        for (first, some) in (0u32..).step_by(COMPARED_ROWS).zip(bits[..len].chunks(COMPARED_ROWS))
        {
            if !some.iter().fold(false, |any, truth| any | truth) {
                continue;
            }
            for (row, truth) in (first..).zip(some) {
                rows[count] = row;
                count += usize::from(*truth);
            }
        }
        rows.truncate(count);
        return Ok(rows);
    }
    Ok((0..len as u32).filter(|&row| truths.get(row as usize) == Some(true)).collect())
}

/// Truths that are compared together.
const COMPARED_ROWS: usize = 16;

/// How many rows of a batch [`selected`] would give.
pub(crate) fn count_selected(predicate: &Operand, len: usize) -> Result<usize> {
    let truths = Truths::of(predicate)?;
    if let Truths::Column(bits, column) = truths
        && column.nulls.is_none()
        && column.absents.is_none()
    {
        let counted = bits[..len].chunks(usize::from(u8::MAX));
        // In bytes, many of which are added at once.
        let count = |some: &[bool]| some.iter().fold(0u8, |count, truth| count + u8::from(*truth));
        return Ok(counted.map(|some| usize::from(count(some))).sum());
    }
    Ok((0..len).filter(|&row| truths.get(row) == Some(true)).count())
}

/// An operand as truths, its type checked once.
pub(super) enum Truths<'a> {
    Column(&'a [bool], &'a Column),
    Mixed(&'a Arc<Column>),
    Constant(Option<bool>),
}

impl<'a> Truths<'a> {
    pub(super) fn of(operand: &'a Operand) -> Result<Truths<'a>> {
        match operand {
            Operand::Constant(Value::Null) => Ok(Truths::Constant(None)),
            Operand::Constant(Value::Bool(truth)) => Ok(Truths::Constant(Some(*truth))),
            Operand::Constant(other) => Err(no_boolean(other)),
            Operand::Column(column) => match &column.values {
                ColumnValues::Bool(bits) => Ok(Truths::Column(bits, column)),
                _ => {
                    let wrong = |index: &usize| {
                        !matches!(column.get(*index), None | Some(Value::Null | Value::Bool(_)))
                    };
                    match (0..column.len()).find(wrong) {
                        Some(index) => Err(no_boolean(&column.get(index).unwrap_or_default())),
                        None => Ok(Truths::Mixed(column)),
                    }
                }
            },
        }
    }

    #[inline]
    pub(super) fn get(&self, row: usize) -> Option<bool> {
        match self {
            Truths::Column(bits, column) => {
                (!column.is_null(row) && !column.is_absent(row)).then(|| bits[row])
            }
            Truths::Mixed(column) => match column.get(row) {
                Some(Value::Bool(truth)) => Some(truth),
                _ => None,
            },
            Truths::Constant(truth) => *truth,
        }
    }
}

fn no_boolean(value: &Value) -> Error {
    let kind = value.type_name();
    Error::new(ErrorKind::BadQuery, format!("a condition expects a boolean but got a {kind}"))
}

/// A truth in a byte.
const FALSE: u8 = 0;
const TRUE: u8 = 1;
const UNKNOWN: u8 = 2;

/// `And` (`decides` false) or `Or` (`decides` true): the first operand with the deciding truth
/// settles a row; later operands are not asked for it.
pub(super) fn all_or_any(parts: &[Node], rows: &Rows<'_>, decides: bool) -> Result<Operand> {
    let mut truths = vec![u8::from(!decides); rows.len()];
    for part in parts {
        if !part.can_fail(rows) && part.is_truth() {
            let operand = part.evaluate(rows)?;
            combine_all(&mut truths, &Truths::of(&operand)?, decides);
            continue;
        }
        let is_open = |row: &u32| truths[*row as usize] != u8::from(decides);
        let open: Vec<u32> = (0..rows.len() as u32).filter(is_open).collect();
        if open.is_empty() {
            break;
        }
        if open.len() == rows.len() || !part.can_fail(rows) {
            let operand = part.evaluate(rows)?;
            let operand = Truths::of(&operand)?;
            for &row in &open {
                combine(&mut truths[row as usize], operand.get(row as usize), decides);
            }
        } else {
            let operand = rows.narrow(&open, |rows| part.evaluate(rows))?;
            let operand = Truths::of(&operand)?;
            for (index, &row) in open.iter().enumerate() {
                combine(&mut truths[row as usize], operand.get(index), decides);
            }
        }
    }
    let unknown = truths.contains(&UNKNOWN);
    let nulls = unknown.then(|| truths.iter().map(|truth| *truth == UNKNOWN).collect());
    let values = ColumnValues::Bool(truths.into_iter().map(|truth| truth == TRUE).collect());
    Ok(Operand::of(Column { values, nulls, absents: None }))
}

/// All truths of a part at once: a loop without a branch where none is unknown.
fn combine_all(truths: &mut [u8], part: &Truths<'_>, decides: bool) {
    match part {
        Truths::Column(bits, column) if column.nulls.is_none() && column.absents.is_none() => {
            for (truth, bit) in truths.iter_mut().zip(*bits) {
                let mask = 0u8.wrapping_sub(u8::from(*bit));
                *truth = if decides { (*truth & !mask) | (TRUE & mask) } else { *truth & mask };
            }
        }
        part => {
            for (row, truth) in truths.iter_mut().enumerate() {
                combine(truth, part.get(row), decides);
            }
        }
    }
}

#[inline]
fn combine(truth: &mut u8, part: Option<bool>, decides: bool) {
    if part == Some(decides) || *truth == u8::from(decides) {
        *truth = if decides { TRUE } else { FALSE };
    } else if part.is_none() {
        *truth = UNKNOWN;
    }
}

pub(super) fn not(operand: &Operand, len: usize) -> Result<Operand> {
    let truths = Truths::of(operand)?;
    if let Truths::Column(bits, column) = truths
        && column.nulls.is_none()
        && column.absents.is_none()
    {
        let values = ColumnValues::Bool(bits.iter().map(|bit| !bit).collect());
        return Ok(Operand::of(Column::of(values)));
    }
    Ok(Operand::truths((0..len).map(|row| truths.get(row).map(|truth| !truth))))
}

/// Whether entries are absent or, with `or_null`, null.
pub(super) fn is_missing(operand: &Operand, len: usize, or_null: bool) -> Operand {
    match operand {
        Operand::Constant(value) => Operand::Constant(Value::Bool(or_null && value.is_null())),
        Operand::Column(column)
            if column.absents.is_none() && (!or_null || column.nulls.is_none()) =>
        {
            Operand::of(Column::of(ColumnValues::Bool(vec![false; len])))
        }
        Operand::Column(column) => {
            let missing = |row| column.is_absent(row) || or_null && column.is_null(row);
            Operand::of(Column::of(ColumnValues::Bool((0..len).map(missing).collect())))
        }
    }
}
