//! Functions of texts over columns of texts: what one makes is a column again, so no value of a text or list is made between
//! them.
//!
//! The functions themselves are the plan's. What is found here is where texts are in a column: a part that is looked for in
//! all of them is looked for in their bytes at once, and the parts of a split text are not put into a list where only one
//! of them, or their number, is wanted.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use memchr::memmem::Finder;
use millrace_model::{Bits, Column, ColumnValues, Result, Strings, Value, query_limits};
use millrace_plan::{Arithmetic, Function};

use super::evaluate::{Node, Rows};
use super::operand::Operand;

/// Bytes of a text that a column of texts holds.
const TEXT_BYTES_MAX: usize = 1 << 12;

/// The result of a function, if there is a loop for its operands.
pub(super) fn call(
    function: Function,
    operands: &[Operand],
    len: usize,
) -> Result<Option<Operand>> {
    let Some((first, rest)) = operands.split_first() else { return Ok(None) };
    if function == Function::Operate(Arithmetic::Add)
        && let [second] = rest
    {
        return Ok(joined(first, second, len));
    }
    let Some((column, texts)) = texts_of(first) else { return Ok(None) };
    if function == Function::Size {
        step(texts)?;
        let counts = texts.iter().map(|text| text.chars().count() as i64);
        return Ok(Some(beside(ColumnValues::I64(counts.collect()), column)));
    }
    if !function.makes_text() && !function.tests_text() {
        return Ok(None);
    }
    let Some(rest) = constants(rest) else { return Ok(None) };
    step(texts)?;
    if function.tests_text() {
        let [Value::String(part)] = &rest[..] else { return Ok(None) };
        let truths = match function {
            Function::Contains => containing(texts, part.as_bytes()),
            Function::StartsWith => {
                rows(texts).map(|own| own.starts_with(part.as_bytes())).collect()
            }
            _ => rows(texts).map(|own| own.ends_with(part.as_bytes())).collect(),
        };
        return Ok(Some(beside(ColumnValues::Bool(truths), column)));
    }
    let replaced = Replaced::of(function, &rest);
    let mut made = Strings::with_capacity(len, texts.byte_size());
    for row in 0..len {
        let written = made.push_written(TEXT_BYTES_MAX, |to| match &replaced {
            _ if is_missing(column, row) => Ok(()),
            Some(replaced) => {
                replaced.write(texts.get(row), to);
                Ok(())
            }
            None => function.write_text(texts.get(row), &rest, to),
        })?;
        if written.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(beside(ColumnValues::String(made), column)))
}

/// A text that stands in the place of another, which is looked for in many.
struct Replaced<'v> {
    old: Finder<'v>,
    new: &'v str,
}

impl Replaced<'_> {
    fn of(function: Function, rest: &[Value]) -> Option<Replaced<'_>> {
        match (function, rest) {
            (Function::Replace, [Value::String(old), Value::String(new)])
                if !old.is_empty() && new.len() <= old.len() =>
            {
                Some(Replaced { old: Finder::new(old.as_bytes()), new })
            }
            _ => None,
        }
    }

    fn write(&self, own: &str, to: &mut String) {
        let mut end = 0;
        for at in self.old.find_iter(own.as_bytes()) {
            to.push_str(&own[end..at]);
            to.push_str(self.new);
            end = at + self.old.needle().len();
        }
        to.push_str(&own[end..]);
    }
}

/// A function of the parts of a split text, if there is a loop for it: one part, or how many there are. Else the operands.
pub(super) fn of_parts(
    function: Function,
    arguments: &[Node],
    rows: &Rows<'_>,
) -> Result<Option<Operand>> {
    let number = match (function, arguments) {
        (Function::Size, [_]) => None,
        (Function::At, [_, Node::Constant(Value::I64(number))]) => Some(*number),
        _ => return Ok(None),
    };
    let Some(split) = arguments[0].as_split() else { return Ok(None) };
    let operands = [split[0].evaluate(rows)?, split[1].evaluate(rows)?];
    let Some((column, parts)) = Parts::of(&operands)? else {
        let list = super::choose::call_with(Function::Split, &operands, rows)?;
        let mut operands = vec![list];
        operands.extend(number.map(|number| Operand::Constant(Value::I64(number))));
        return super::choose::call_with(function, &operands, rows).map(Some);
    };
    let Some(number) = number else {
        let counts = (0..rows.len()).map(|row| parts.count(row) as i64);
        return Ok(Some(beside(ColumnValues::I64(counts.collect()), &column)));
    };
    let mut made = Strings::with_capacity(rows.len(), 0);
    let mut nulls = missing(&column);
    for row in 0..rows.len() {
        let part = match number {
            0.. => parts.part(row, number as usize),
            // From the end.
            _ => {
                let place = number.checked_add(parts.count(row) as i64);
                let place = place.and_then(|place| usize::try_from(place).ok());
                place.and_then(|place| parts.part(row, place))
            }
        };
        made.push(part.unwrap_or_default());
        if part.is_none() {
            nulls.get_or_insert_default().insert(row);
        }
    }
    if let Some(nulls) = &mut nulls {
        nulls.grow(rows.len());
    }
    Ok(Some(Operand::of(Column { values: ColumnValues::String(made), nulls, absents: None })))
}

/// Texts of a column that are split by one separator.
pub(super) struct Parts {
    column: Arc<Column>,
    separator: Separator,
}

enum Separator {
    /// Each character is a part.
    Nothing,
    Byte(u8),
    Text(Box<Finder<'static>>),
}

impl Parts {
    /// The parts of texts and a separator; `None` where these are other values.
    pub(super) fn of(operands: &[Operand; 2]) -> Result<Option<(Arc<Column>, Parts)>> {
        let [Operand::Column(column), Operand::Constant(Value::String(separator))] = operands
        else {
            return Ok(None);
        };
        let ColumnValues::String(texts) = &column.values else { return Ok(None) };
        step(texts)?;
        let separator = match separator.as_bytes() {
            [] => Separator::Nothing,
            [byte] => Separator::Byte(*byte),
            bytes => Separator::Text(Box::new(Finder::new(bytes).into_owned())),
        };
        Ok(Some((column.clone(), Parts { column: column.clone(), separator })))
    }

    fn texts(&self) -> &Strings {
        match &self.column.values {
            ColumnValues::String(texts) => texts,
            _ => unreachable!("made of texts only"),
        }
    }

    /// Whether a row has a text.
    pub(super) fn has(&self, row: usize) -> bool {
        !is_missing(&self.column, row)
    }

    /// Gives `see` the parts of a row's text, in order, until it breaks.
    pub(super) fn each<'t>(
        &'t self,
        row: usize,
        mut see: impl FnMut(&'t str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let text = self.texts().get(row);
        if text.is_empty() {
            return see(text);
        }
        let mut start = 0;
        match &self.separator {
            Separator::Nothing => {
                for (at, letter) in text.char_indices() {
                    see(&text[at..at + letter.len_utf8()])?;
                }
                return ControlFlow::Continue(());
            }
            Separator::Byte(byte) => {
                for at in memchr::memchr_iter(*byte, text.as_bytes()) {
                    see(&text[start..at])?;
                    start = at + 1;
                }
            }
            Separator::Text(finder) => {
                for at in finder.find_iter(text.as_bytes()) {
                    see(&text[start..at])?;
                    start = at + finder.needle().len();
                }
            }
        }
        see(&text[start..])
    }

    fn count(&self, row: usize) -> usize {
        let text = self.texts().get(row);
        match &self.separator {
            _ if text.is_empty() => 1,
            Separator::Nothing => text.chars().count(),
            Separator::Byte(byte) => memchr::memchr_iter(*byte, text.as_bytes()).count() + 1,
            Separator::Text(finder) => finder.find_iter(text.as_bytes()).count() + 1,
        }
    }

    fn part(&self, row: usize, number: usize) -> Option<&str> {
        let (mut left, mut found) = (number, None);
        if !self.has(row) {
            return None;
        }
        let _: ControlFlow<()> = self.each(row, |part| {
            if left == 0 {
                found = Some(part);
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        found
    }
}

/// Whether each text contains a part: found in the bytes of all, a find across two texts is none.
fn containing(texts: &Strings, part: &[u8]) -> Vec<bool> {
    let mut truths = vec![part.is_empty(); texts.len()];
    if part.is_empty() {
        return truths;
    }
    let (bytes, ends) = texts.bytes_and_ends();
    let finder = Finder::new(part);
    let (mut at, mut row) = (0, 0);
    while let Some(found) = finder.find(&bytes[at..]) {
        let start = at + found;
        row += ends[row..].iter().take_while(|end| **end as usize <= start).count();
        let end = ends[row] as usize;
        at = match start + part.len() <= end {
            true => {
                truths[row] = true;
                end
            }
            false => start + 1,
        };
    }
    truths
}

/// The text of each row, or one for all.
enum Joined<'o> {
    Column(&'o Strings),
    Constant(&'o str),
}

impl<'o> Joined<'o> {
    fn of(operand: &'o Operand) -> Option<Joined<'o>> {
        match operand {
            Operand::Column(_) => texts_of(operand).map(|(_, texts)| Joined::Column(texts)),
            Operand::Constant(value) => value.as_str().map(Joined::Constant),
        }
    }

    fn text(&self, row: usize) -> &str {
        match self {
            Joined::Column(texts) => texts.get(row),
            Joined::Constant(text) => text,
        }
    }
}

/// Texts joined pair by pair.
fn joined(left: &Operand, right: &Operand, len: usize) -> Option<Operand> {
    let both = [Joined::of(left)?, Joined::of(right)?];
    let mut made = Strings::with_capacity(len, 0);
    for row in 0..len {
        let written: std::result::Result<_, Infallible> = made.push_written(TEXT_BYTES_MAX, |to| {
            both.iter().for_each(|own| to.push_str(own.text(row)));
            Ok(())
        });
        match written {
            Ok(written) => written?,
            Err(never) => match never {},
        }
    }
    let mut nulls: Option<Bits> = None;
    for (column, _) in [left, right].into_iter().filter_map(texts_of) {
        for row in missing(column).iter().flat_map(Bits::ones) {
            nulls.get_or_insert_with(|| Bits::unset(len)).insert(row);
        }
    }
    Some(Operand::of(Column { values: ColumnValues::String(made), nulls, absents: None }))
}

/// The column of an operand, if it is one of texts.
fn texts_of(operand: &Operand) -> Option<(&Arc<Column>, &Strings)> {
    let Operand::Column(column) = operand else { return None };
    match &column.values {
        ColumnValues::String(texts) => Some((column, texts)),
        _ => None,
    }
}

/// Constants, none of them null.
fn constants(operands: &[Operand]) -> Option<Vec<Value>> {
    let constant = |operand: &Operand| match operand {
        Operand::Constant(value) if !value.is_null() => Some(value.clone()),
        Operand::Constant(_) | Operand::Column(_) => None,
    };
    operands.iter().map(constant).collect()
}

/// Values that are null where a column has none.
fn beside(values: ColumnValues, column: &Column) -> Operand {
    Operand::of(Column { values, nulls: missing(column), absents: None })
}

fn missing(column: &Column) -> Option<Bits> {
    let mut all = column.nulls.clone();
    for row in column.absents.iter().flat_map(Bits::ones) {
        all.get_or_insert_with(|| Bits::unset(column.len())).insert(row);
    }
    all
}

fn is_missing(column: &Column, row: usize) -> bool {
    column.is_null(row) || column.is_absent(row)
}

fn rows(texts: &Strings) -> impl Iterator<Item = &[u8]> {
    (0..texts.len()).map(|row| texts.bytes_of(row))
}

/// Looks at the limits of the query, as for each text alone.
fn step(texts: &Strings) -> Result<()> {
    query_limits::step((texts.len() + texts.byte_size() / query_limits::UNIT_BYTES as usize) as u64)
}
