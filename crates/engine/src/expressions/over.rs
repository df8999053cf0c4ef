//! An expression over the entries of lists: the entries of all lists of a batch are one batch.
//!
//! ```text
//!   row  list         rows   item
//!   0    [a, b]   ->  0      a      the columns of the row that are read, repeated by index,
//!   1    []           0      b      then the inner expressions once, then back by row
//!   2    [c]          2      c
//! ```
//!
//! MaybeList go in pieces of a bounded number, so a long list holds no more memory than a batch. A fold
//! goes in rounds instead: in round i, the i-th entry of each list that is long enough.

use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::{Batch, Column, ColumnValues, Error, ErrorKind, Result, Strings, Value};
use millrace_plan::{Function, Quantifier, TruthCounts, Unknown};

use super::choose;
use super::compile::bug;
use super::evaluate::{Node, Rows};
use super::logic::{Truths, selected};
use super::made::{is_wide, operand_bytes};
use super::operand::Operand;
use super::texts::Parts;
use crate::limits;
use crate::rows::shallow_bytes;
use crate::run::Charge;

/// A compiled expression over the entries of a list.
#[derive(Debug)]
pub(super) struct Over {
    pub(super) list: Node,
    pub(super) makes: Makes,
    pub(super) scope: Scope,
}

#[derive(Debug)]
pub(super) enum Makes {
    List { keep: Option<Node>, value: Option<Node> },
    Truth { quantifier: Quantifier, unknown: Unknown, holds: Node },
    Fold { start: Node, next: Node },
}

/// What the inner expressions see of the row.
#[derive(Debug)]
pub(super) struct Scope {
    /// The slot of the entry, behind those of the row; an accumulator has the next one.
    pub(super) item: usize,
    /// The slots of the row that they read.
    pub(super) read: Vec<usize>,
    /// The gathers of these that they read.
    pub(super) gathers: Vec<usize>,
}

type MaybeList = Option<Arc<[Value]>>;

/// The lists of rows.
enum Lists {
    Values(Vec<MaybeList>),
    /// Parts of texts, which are in no list.
    Parts(Parts, usize),
}

impl Lists {
    /// Whether a row has one.
    fn has(&self, row: usize) -> bool {
        match self {
            Lists::Values(lists) => lists[row].is_some(),
            Lists::Parts(parts, _) => parts.has(row),
        }
    }
}

impl Over {
    pub(super) fn evaluate(&self, rows: &Rows<'_>) -> Result<Operand> {
        if let (Some(split), Makes::List { .. } | Makes::Truth { .. }) =
            (self.list.as_split(), &self.makes)
        {
            let operands = [split[0].evaluate(rows)?, split[1].evaluate(rows)?];
            let lists = match Parts::of(&operands)? {
                Some((_, parts)) => Lists::Parts(parts, rows.len()),
                None => {
                    let list = choose::call_with(Function::Split, &operands, rows)?;
                    Lists::Values(entries(&list, rows.len())?)
                }
            };
            return self.over_lists(&lists, rows);
        }
        let list = self.list.evaluate(rows)?;
        if matches!(list, Operand::Constant(_)) && 1 < rows.len() && self.reads_no_row() {
            // One value for all rows.
            let lists = Lists::Values(entries(&list, 1)?);
            let one = rows.narrow(&[0], |row| self.over_lists(&lists, row))?;
            return Ok(Operand::Constant(one.value(0)));
        }
        self.over_lists(&Lists::Values(entries(&list, rows.len())?), rows)
    }

    fn reads_no_row(&self) -> bool {
        let starts_alike = match &self.makes {
            Makes::Fold { start, .. } => start.is_constant(),
            Makes::List { .. } | Makes::Truth { .. } => true,
        };
        starts_alike && self.scope.read.is_empty()
    }

    fn over_lists(&self, lists: &Lists, rows: &Rows<'_>) -> Result<Operand> {
        rows.gather_first(&self.scope)?;
        match &self.makes {
            Makes::List { keep, value } => self.list(lists, (keep.as_ref(), value.as_ref()), rows),
            Makes::Truth { quantifier, unknown, holds } => {
                let mut counts = vec![TruthCounts::default(); rows.len()];
                self.in_pieces(lists, rows, |piece, inner| {
                    let operand = holds.evaluate(inner)?;
                    let truths = Truths::of(&operand)?;
                    for (index, row) in piece.iter().enumerate() {
                        counts[*row as usize].add(truths.get(index), *unknown);
                    }
                    Ok(())
                })?;
                let truths = counts.into_iter().enumerate();
                let truth = |(row, counts)| lists.has(row).then(|| quantifier.of(counts)).flatten();
                Ok(Operand::truths(truths.map(truth)))
            }
            Makes::Fold { start, next } => match lists {
                Lists::Values(lists) => self.fold(lists, (start, next), rows),
                Lists::Parts(..) => Err(bug("a fold takes lists of values")),
            },
        }
    }

    fn list(
        &self,
        lists: &Lists,
        (keep, value): (Option<&Node>, Option<&Node>),
        rows: &Rows<'_>,
    ) -> Result<Operand> {
        let mut made: Vec<Vec<Value>> = vec![Vec::new(); rows.len()];
        let begun = rows.made.bytes();
        self.in_pieces(lists, rows, |piece, inner| {
            let kept = match keep {
                Some(keep) => Some(selected(&keep.evaluate(inner)?, inner.len())?),
                None => None,
            };
            let kept = kept.filter(|kept| kept.len() < inner.len());
            let values = |inner: &Rows<'_>| match value {
                Some(value) => value.evaluate(inner),
                None => Ok(Operand::Column(inner.batch.columns[self.scope.item].clone())),
            };
            let values = match &kept {
                Some(kept) => inner.narrow(kept, values)?,
                None => values(inner)?,
            };
            let count = kept.as_ref().map_or(piece.len(), Vec::len);
            let entries = (count * size_of::<Value>()) as u64;
            rows.made.grow(entries + operand_bytes(&values))?;
            for index in 0..count {
                let at = kept.as_ref().map_or(index, |kept| kept[index] as usize);
                made[piece[at] as usize].extend(values.get(index));
            }
            Ok(())
        })?;
        let made = made.into_iter().enumerate().map(|(row, made)| match lists.has(row) {
            true => Value::list(made),
            false => Value::Null,
        });
        let column = Column::from_values(made.collect::<Vec<_>>());
        rows.made.set(begun)?;
        Ok(Operand::of(column))
    }

    /// Calls `look` for pieces of all entries: the row of each, and the rows to evaluate over.
    fn in_pieces(
        &self,
        lists: &Lists,
        rows: &Rows<'_>,
        mut look: impl FnMut(&[u32], &Rows<'_>) -> Result<()>,
    ) -> Result<()> {
        let lists = match lists {
            Lists::Values(lists) => lists,
            Lists::Parts(parts, len) => return self.in_parts(parts, *len, rows, &mut look),
        };
        let entries = lists.iter().enumerate().flat_map(|(row, list)| {
            list.iter().flat_map(|list| list.iter()).map(move |entry| (row as u32, entry))
        });
        let mut entries = entries.peekable();
        while entries.peek().is_some() {
            let piece = entries.by_ref().take(limits::LIST_ENTRIES_MAX);
            let (piece, items): (Vec<u32>, Vec<Value>) =
                piece.map(|(row, entry)| (row, entry.clone())).unzip();
            self.piece(&piece, Column::from_values(items), rows, &mut look)?;
        }
        Ok(())
    }

    /// The same for parts of texts.
    fn in_parts(
        &self,
        parts: &Parts,
        len: usize,
        rows: &Rows<'_>,
        look: &mut dyn FnMut(&[u32], &Rows<'_>) -> Result<()>,
    ) -> Result<()> {
        let (mut piece, mut items) = (Vec::new(), Strings::default());
        for row in 0..len {
            if parts.has(row) {
                let _: ControlFlow<()> = parts.each(row, |part| {
                    piece.push(row as u32);
                    items.push(part);
                    ControlFlow::Continue(())
                });
            }
            if limits::LIST_ENTRIES_MAX <= piece.len() || row + 1 == len && !piece.is_empty() {
                let column = Column::of(ColumnValues::String(std::mem::take(&mut items)));
                self.piece(&piece, column, rows, look)?;
                piece.clear();
            }
        }
        Ok(())
    }

    /// Looks at a piece, or at its halves where what is made of its entries is large.
    fn piece(
        &self,
        piece: &[u32],
        items: Column,
        rows: &Rows<'_>,
        look: &mut dyn FnMut(&[u32], &Rows<'_>) -> Result<()>,
    ) -> Result<()> {
        let items = Arc::new(items);
        let done = self.over(piece, vec![items.clone()], rows, |inner| look(piece, inner));
        match done {
            Err(error) if is_wide(&error) && 1 < piece.len() => {}
            done => return done,
        }
        let middle = piece.len() / 2;
        for part in [0..middle, middle..piece.len()] {
            let own: Vec<u32> = part.clone().map(|entry| entry as u32).collect();
            self.piece(&piece[part], items.take(&own), rows, look)?;
        }
        Ok(())
    }

    fn fold(
        &self,
        lists: &[MaybeList],
        (start, next): (&Node, &Node),
        rows: &Rows<'_>,
    ) -> Result<Operand> {
        let length = |row: u32| lists[row as usize].as_ref().map_or(0, |list| list.len());
        let mut open: Vec<u32> =
            (0..rows.len() as u32).filter(|row| lists[*row as usize].is_some()).collect();
        let mut values = vec![Value::Null; rows.len()];
        if !open.is_empty() {
            let started = match open.len() == rows.len() {
                true => start.evaluate(rows)?,
                false => rows.narrow(&open, |rows| start.evaluate(rows))?,
            };
            for (index, row) in open.iter().enumerate() {
                values[*row as usize] = started.value(index);
            }
        }
        let mut charge = Charge::default();
        for round in 0.. {
            open.retain(|row| round < length(*row));
            if open.is_empty() {
                break;
            }
            let entry = |row: &u32| {
                lists[*row as usize].as_ref().map_or(Value::Null, |list| list[round].clone())
            };
            let items = Column::from_values(open.iter().map(entry).collect::<Vec<_>>());
            let before = open.iter().map(|row| std::mem::take(&mut values[*row as usize]));
            let before = Column::from_values(before.collect::<Vec<_>>());
            let before = Batch::of(vec![before]);
            // Only the values made so far are held by nothing else.
            charge.release(rows.run);
            charge.hold(&before, rows.run)?;
            let before = before.columns[0].clone();
            let bound = vec![Arc::new(items), before];
            let after = self.over(&open, bound, rows, |inner| next.evaluate(inner))?;
            for (index, row) in open.iter().enumerate() {
                values[*row as usize] = after.value(index);
            }
        }
        charge.release(rows.run);
        Ok(Operand::of(Column::from_values(values)))
    }

    /// Evaluates over entries, their memory counted meanwhile.
    fn over<T>(
        &self,
        piece: &[u32],
        bound: Vec<Arc<Column>>,
        rows: &Rows<'_>,
        look: impl FnOnce(&Rows<'_>) -> Result<T>,
    ) -> Result<T> {
        rows.run.context.check()?;
        rows.spread(piece, &self.scope, bound, |inner| {
            let mut charge = Charge::default();
            // Entries and columns are parts of what the rows hold.
            charge.grow(shallow_bytes(inner.batch), rows.run)?;
            let result = look(inner)?;
            charge.release(rows.run);
            Ok(result)
        })
    }
}

/// The entries of each row's list; `None` of what is null or absent.
fn entries(operand: &Operand, len: usize) -> Result<Vec<MaybeList>> {
    let list = |row| match operand.value(row) {
        Value::List(values) | Value::Set(values) => Ok(Some(values)),
        Value::Null => Ok(None),
        other => {
            let kind = other.type_name();
            let detail = format!("the entries of a list are wanted, and this is a {kind}");
            Err(Error::new(ErrorKind::BadQuery, detail))
        }
    };
    (0..len).map(list).collect()
}
