//! A key with values that filters bound, and the bounds that an index is asked for: of a range, and of the texts with a
//! prefix.

use std::sync::Arc;

use millrace_model::compare::CompareMode;
use millrace_model::temporal::{DateTime, Time};
use millrace_model::{Column, ColumnValues, KeyId, Result, Value};
use millrace_plan::Name;
use millrace_store::RangeBound;

use crate::context::Resolved;
use crate::operators::sources::seek::Bounds;

/// A key with values that the filters bound. Values are numbers of the path's expressions.
#[derive(Debug)]
pub(crate) struct RangedKey {
    pub(crate) key: Resolved<KeyId>,
    /// The value, and whether it is in the range.
    pub(crate) lower: Option<(usize, bool)>,
    pub(crate) upper: Option<(usize, bool)>,
    /// A prefix of texts; then the bounds are left to the filters.
    pub(crate) prefix: Option<usize>,
    /// Whether the filters drop rows with null there.
    pub(crate) never_null: bool,
}

/// The bounds of the key that an index has the range of, a value for each row.
#[derive(Debug, Default)]
pub(in crate::operators::sources) struct Ends {
    /// Whether they are the bounds of a prefix of texts; null has no prefix.
    pub(super) of_prefix: bool,
    pub(in crate::operators::sources) lower: Option<(Arc<Column>, bool)>,
    pub(in crate::operators::sources) upper: Option<(Arc<Column>, bool)>,
}

impl RangedKey {
    pub(crate) fn new(key: &Name) -> RangedKey {
        let (lower, upper, prefix) = (None, None, None);
        RangedKey { key: Resolved::new(key), lower, upper, prefix, never_null: false }
    }

    /// How many sides of it are bound.
    pub(crate) fn bound_count(&self) -> usize {
        match self.prefix {
            Some(_) => 2,
            None => usize::from(self.lower.is_some()) + usize::from(self.upper.is_some()),
        }
    }

    pub(in crate::operators::sources) fn ends(
        &self,
        column: impl Fn(usize) -> Result<Arc<Column>>,
    ) -> Result<Ends> {
        if let Some(prefix) = self.prefix {
            return Ok(beginning_with(&*column(prefix)?));
        }
        let side = |bound: Option<(usize, bool)>| match bound {
            Some((value, inclusive)) => Ok(Some((column(value)?, inclusive))),
            None => Ok(None),
        };
        Ok(Ends { of_prefix: false, lower: side(self.lower)?, upper: side(self.upper)? })
    }
}

impl Ends {
    pub(in crate::operators::sources) fn columns(&self) -> impl Iterator<Item = &Column> {
        self.lower.iter().chain(&self.upper).map(|(column, _)| &**column)
    }

    /// Bounds that timestamps of the same instant in other zones are within: in a mode with null as unknown these are
    /// not equal, and their keys are.
    pub(in crate::operators::sources) fn bounds(&self, mode: CompareMode) -> Bounds<'_> {
        fn bound(side: &Option<(Arc<Column>, bool)>, mode: CompareMode) -> Option<RangeBound<'_>> {
            let (values, inclusive) = side.as_ref()?;
            let widens = mode == CompareMode::NullIsUnknown;
            let inclusive = *inclusive || widens && any_holds(values, is_zoned_timestamp);
            Some(RangeBound { values, inclusive })
        }
        Bounds { lower: bound(&self.lower, mode), upper: bound(&self.upper, mode) }
    }

    /// The rows with a bound that the mode compares otherwise than keys are ordered: times with an offset, by the
    /// instant. Durations and points compare with nothing there, so any candidates of them will do.
    pub(in crate::operators::sources) fn rows_of_unlike_keys(
        &self,
        rows: usize,
        mode: CompareMode,
    ) -> Vec<u32> {
        if mode != CompareMode::NullIsUnknown {
            return Vec::new();
        }
        let columns: Vec<&Column> =
            self.columns().filter(|column| any_holds(column, is_zoned_time)).collect();
        let is_unlike = |column: &&Column, row: u32| {
            column.get(row as usize).is_some_and(|value| holds(&value, is_zoned_time))
        };
        let unlike = |row: &u32| columns.iter().any(|column| is_unlike(column, *row));
        (0..rows as u32).filter(unlike).collect()
    }
}

/// The range of the texts that begin with those of a column; a value that is no text is no prefix.
/// Where a row's range has no end among texts, no row has one: the filters see to it.
fn beginning_with(prefixes: &Column) -> Ends {
    let texts = (0..prefixes.len()).map(|row| prefixes.get(row).filter(|v| v.as_str().is_some()));
    let texts: Vec<Option<Value>> = texts.collect();
    let ends: Option<Vec<Value>> = texts
        .iter()
        .map(|text| match text.as_ref().and_then(Value::as_str) {
            Some(text) => behind_all_that_begin_with(text).map(|end| Value::from(end.as_str())),
            None => Some(Value::Null),
        })
        .collect();
    let lower = Column::from_values(texts.into_iter().map(Option::unwrap_or_default));
    let upper = ends.map(|ends| (Arc::new(Column::from_values(ends)), false));
    Ends { of_prefix: true, lower: Some((Arc::new(lower), true)), upper }
}

/// The least text above all that begin so; texts are ordered by their bytes, as their characters.
fn behind_all_that_begin_with(prefix: &str) -> Option<String> {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        // The numbers between are no characters.
        let next =
            if last == '\u{D7FF}' { Some('\u{E000}') } else { char::from_u32(last as u32 + 1) };
        if let Some(next) = next {
            text.push(next);
            return Some(text);
        }
    }
    None
}

/// Whether an entry of a column is such a value or holds one. Columns of plain types have none.
fn any_holds(column: &Column, is_such: fn(&Value) -> bool) -> bool {
    match &column.values {
        ColumnValues::Value(values) => values.iter().any(|value| holds(value, is_such)),
        ColumnValues::Vertex(_)
        | ColumnValues::Edge(_)
        | ColumnValues::Bool(_)
        | ColumnValues::I64(_)
        | ColumnValues::F64(_)
        | ColumnValues::String(_)
        | ColumnValues::Path(_)
        | ColumnValues::Bag(_)
        | ColumnValues::Fields(_) => false,
    }
}

fn holds(value: &Value, is_such: fn(&Value) -> bool) -> bool {
    match value {
        Value::List(values) => values.iter().any(|value| holds(value, is_such)),
        other => is_such(other),
    }
}

fn is_zoned_time(value: &Value) -> bool {
    matches!(value, Value::Time(Time { offset_seconds: Some(_), .. }))
}

fn is_zoned_timestamp(value: &Value) -> bool {
    match value {
        Value::DateTime(timestamp) => timestamp.offset_seconds != DateTime::LOCAL,
        other => matches!(other, Value::ZonedDateTime(_)),
    }
}

#[cfg(test)]
mod tests {
    use super::behind_all_that_begin_with;

    #[test]
    fn the_text_behind_a_beginning_is_the_next_one_that_does_not_begin_so() {
        let behind = |prefix: &str| behind_all_that_begin_with(prefix);
        assert_eq!(behind("ab").as_deref(), Some("ac"));
        assert_eq!(behind("a\u{10FFFF}").as_deref(), Some("b"));
        assert_eq!(behind("\u{D7FF}").as_deref(), Some("\u{E000}"));
        assert_eq!(behind("\u{10FFFF}"), None);
        assert_eq!(behind(""), None);
    }
}
