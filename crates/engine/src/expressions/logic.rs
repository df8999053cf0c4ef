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
        for (row, truth) in (0u32..).zip(&bits[..len]) {
            rows[count] = row;
            count += usize::from(*truth);
        }
        rows.truncate(count);
        return Ok(rows);
    }
    Ok((0..len as u32).filter(|&row| truths.get(row as usize) == Some(true)).collect())
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

/// `And` (`decides` false) or `Or` (`decides` true): the first operand with the deciding truth
/// settles a row; later operands are not asked for it.
pub(super) fn all_or_any(parts: &[Node], rows: &Rows<'_>, decides: bool) -> Result<Operand> {
    let mut truths = vec![Some(!decides); rows.len()];
    for part in parts {
        let open: Vec<u32> =
            (0..rows.len() as u32).filter(|&row| truths[row as usize] != Some(decides)).collect();
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
    Ok(Operand::truths(truths.into_iter()))
}

fn combine(truth: &mut Option<bool>, part: Option<bool>, decides: bool) {
    if part == Some(decides) {
        *truth = Some(decides);
    } else if part.is_none() {
        *truth = None;
    }
}

pub(super) fn not(operand: &Operand, len: usize) -> Result<Operand> {
    let truths = Truths::of(operand)?;
    Ok(Operand::truths((0..len).map(|row| truths.get(row).map(|truth| !truth))))
}

/// Whether entries are absent or, with `or_null`, null.
pub(super) fn is_missing(operand: &Operand, len: usize, or_null: bool) -> Operand {
    match operand {
        Operand::Constant(value) => Operand::Constant(Value::Bool(or_null && value.is_null())),
        Operand::Column(column) => {
            let missing = |row| column.is_absent(row) || or_null && column.is_null(row);
            Operand::of(Column::of(ColumnValues::Bool((0..len).map(missing).collect())))
        }
    }
}
