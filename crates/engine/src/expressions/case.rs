//! `Case`: each branch is asked only of the rows that no earlier one took, and gives values only for its own.
//!
//! A condition that cannot fail is asked of all rows at once, and a branch with one value is not evaluated for its rows. The
//! column is put together by type where all branches have one.

use millrace_model::{Bits, Column, ColumnValues, Result, Strings, Value};

use super::evaluate::{Node, Rows};
use super::logic::Truths;
use super::operand::Operand;

/// The rows that a branch took, and its values: of these rows one behind the other.
struct Taken {
    rows: Vec<u32>,
    values: Operand,
}

pub(super) fn case(
    branches: &[(Node, Node)],
    otherwise: Option<&Node>,
    rows: &Rows<'_>,
) -> Result<Operand> {
    let mut taken: Vec<Taken> = Vec::new();
    let mut open: Vec<u32> = (0..rows.len() as u32).collect();
    for (condition, value) in branches {
        if open.is_empty() {
            break;
        }
        let is_safe = condition.is_truth() && !condition.can_fail(rows);
        let is_whole = open.len() == rows.len() || is_safe;
        let holds = match is_whole {
            true => condition.evaluate(rows)?,
            false => rows.narrow(&open, |rows| condition.evaluate(rows))?,
        };
        let truths = Truths::of(&holds)?;
        let (mut own, mut rest) = (Vec::new(), Vec::new());
        for (index, row) in open.iter().enumerate() {
            let at = if is_whole { *row as usize } else { index };
            if truths.get(at) == Some(true) { own.push(*row) } else { rest.push(*row) }
        }
        if own.len() == rows.len() {
            // All rows take one branch: nothing is put together.
            return value.evaluate(rows);
        }
        take(own, value, rows, &mut taken)?;
        open = rest;
    }
    if let Some(otherwise) = otherwise {
        if open.len() == rows.len() {
            return otherwise.evaluate(rows);
        }
        take(std::mem::take(&mut open), otherwise, rows, &mut taken)?;
    }
    Ok(Operand::of(together(&taken, rows.len())))
}

fn take(own: Vec<u32>, value: &Node, rows: &Rows<'_>, taken: &mut Vec<Taken>) -> Result<()> {
    if own.is_empty() {
        return Ok(());
    }
    let values = match value {
        Node::Constant(value) => Operand::Constant(value.clone()),
        _ => rows.narrow(&own, |rows| value.evaluate(rows))?,
    };
    taken.push(Taken { rows: own, values });
    Ok(())
}

/// The values of all branches as one column; null in the rows that none took.
fn together(taken: &[Taken], len: usize) -> Column {
    /// No branch took the row.
    const NONE: u16 = u16::MAX;
    let is_few = taken.len() < usize::from(NONE);
    let typed = is_few.then(|| Kind::of(taken)).flatten();
    let Some(kind) = typed else { return mixed(taken, len) };
    let mut source = vec![(NONE, 0u32); len];
    let mut nulls: Option<Bits> = None;
    for (number, own) in (0u16..).zip(taken) {
        for (place, row) in (0u32..).zip(&own.rows) {
            source[*row as usize] = (number, place);
        }
    }
    let values: Vec<&Operand> = taken.iter().map(|own| &own.values).collect();
    let mut note = |row: usize| {
        nulls.get_or_insert_with(|| Bits::unset(len)).insert(row);
    };
    for (row, (number, place)) in source.iter().enumerate() {
        let is_there = *number != NONE
            && match values[usize::from(*number)] {
                Operand::Column(column) => !column.is_null(*place as usize),
                Operand::Constant(_) => true,
            };
        if !is_there {
            note(row);
        }
    }
    let at = |(number, place): (u16, u32)| {
        (number != NONE).then(|| (values[usize::from(number)], place as usize))
    };
    let sources = source.into_iter().map(at);
    let values = match kind {
        Kind::Bool => ColumnValues::Bool(sources.map(|at| at.is_some_and(bool_at)).collect()),
        Kind::I64 => ColumnValues::I64(sources.map(|at| at.map_or(0, int_at)).collect()),
        Kind::F64 => ColumnValues::F64(sources.map(|at| at.map_or(0.0, double_at)).collect()),
        Kind::Text => {
            let mut texts = Strings::with_capacity(len, 0);
            for source in sources {
                let text = source.map_or("", |(operand, place)| match operand {
                    Operand::Column(column) => match &column.values {
                        ColumnValues::String(texts) => texts.get(place),
                        _ => "",
                    },
                    Operand::Constant(value) => value.as_str().unwrap_or_default(),
                });
                if !texts.fits(text.len()) {
                    return mixed(taken, len);
                }
                texts.push(text);
            }
            ColumnValues::String(texts)
        }
    };
    Column { values, nulls, absents: None }
}

/// The type that all branches have.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Bool,
    I64,
    F64,
    Text,
}

/// Bytes of a text that is copied for each row; a longer one is shared.
const COPIED_TEXT_BYTES_MAX: usize = 1 << 8;

impl Kind {
    fn of(taken: &[Taken]) -> Option<Kind> {
        let mut kinds = taken.iter().map(|own| match &own.values {
            Operand::Constant(Value::Bool(_)) => Some(Kind::Bool),
            Operand::Constant(Value::I64(_)) => Some(Kind::I64),
            Operand::Constant(Value::F64(_)) => Some(Kind::F64),
            Operand::Constant(Value::String(text)) => {
                (text.len() <= COPIED_TEXT_BYTES_MAX).then_some(Kind::Text)
            }
            Operand::Constant(_) => None,
            Operand::Column(column) if column.absents.is_some() => None,
            Operand::Column(column) => match &column.values {
                ColumnValues::Bool(_) => Some(Kind::Bool),
                ColumnValues::I64(_) => Some(Kind::I64),
                ColumnValues::F64(_) => Some(Kind::F64),
                ColumnValues::String(_) => Some(Kind::Text),
                _ => None,
            },
        });
        let first = kinds.next()??;
        kinds.all(|kind| kind == Some(first)).then_some(first)
    }
}

fn bool_at((operand, place): (&Operand, usize)) -> bool {
    match operand {
        Operand::Column(column) => match &column.values {
            ColumnValues::Bool(bits) => bits[place],
            _ => false,
        },
        Operand::Constant(value) => *value == Value::Bool(true),
    }
}

fn int_at((operand, place): (&Operand, usize)) -> i64 {
    match operand {
        Operand::Column(column) => match &column.values {
            ColumnValues::I64(ints) => ints[place],
            _ => 0,
        },
        Operand::Constant(value) => value.as_int().unwrap_or_default(),
    }
}

fn double_at((operand, place): (&Operand, usize)) -> f64 {
    match operand {
        Operand::Column(column) => match &column.values {
            ColumnValues::F64(doubles) => doubles[place],
            _ => 0.0,
        },
        Operand::Constant(value) => value.as_double().unwrap_or_default(),
    }
}

fn mixed(taken: &[Taken], len: usize) -> Column {
    let mut entries: Vec<Option<Value>> = vec![Some(Value::Null); len];
    for own in taken {
        for (index, row) in own.rows.iter().enumerate() {
            entries[*row as usize] = own.values.get(index);
        }
    }
    let mut column = Column::default();
    entries.into_iter().for_each(|entry| column.push_entry(entry));
    column
}
