//! An expression over the entries of a list: comprehension, quantifier, fold.
//!
//! The entry, and the accumulator of a fold, are columns that exist only in the inner expressions: no
//! operator makes them, and what the whole expression reads does not contain them. Inner expressions read
//! the columns of the row too. All entries are looked at, in order, whatever earlier ones decided; so an
//! error of any entry is an error of the row.

use crate::base::{ColumnId, ColumnSet};
use crate::expr::Expr;

/// An expression evaluated for each entry of a list or set. Of null, and of an absent list, it is null; of
/// anything else that is no list, an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    /// The list.
    pub list: Expr,
    /// The column that holds the entry, in the inner expressions only.
    pub item: ColumnId,
    /// What becomes of the entries.
    pub makes: Makes,
}

/// What becomes of the entries of a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Makes {
    /// A list of values of the entries that pass a test, in order; absent values are left out.
    List {
        /// The test; unknown is false. `None`: all pass.
        keep: Option<Expr>,
        /// The value; `None`: the entry itself.
        value: Option<Expr>,
    },
    /// Whether a condition holds for as many entries as wanted.
    Truth {
        /// For how many.
        quantifier: Quantifier,
        /// Where it is unknown for some entry.
        unknown: Unknown,
        /// The condition.
        holds: Expr,
    },
    /// The last value of an accumulator.
    Fold {
        /// The column that holds the accumulator, in `next` only; an absent value is null there.
        accumulator: ColumnId,
        /// Its value before the first entry.
        start: Expr,
        /// Its value after an entry.
        next: Expr,
    },
}

/// For how many entries of a list a condition must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// All, so also for an empty list.
    All,
    /// One or more.
    Any,
    /// None, so also for an empty list.
    None,
    /// Exactly one.
    Single,
}

/// What a condition that is unknown for an entry counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// Unknown: so is the result, unless the other entries decide it (Cypher).
    Stays,
    /// False.
    IsFalse,
}

/// For how many entries a condition held, did not hold, and was unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TruthCounts {
    /// It held.
    pub holds: usize,
    /// It did not.
    pub fails: usize,
    /// It was unknown.
    pub unknown: usize,
}

impl TruthCounts {
    /// Counts one more entry.
    pub fn add(&mut self, truth: Option<bool>, unknown: Unknown) {
        match (truth, unknown) {
            (Some(true), _) => self.holds += 1,
            (Some(false), _) | (None, Unknown::IsFalse) => self.fails += 1,
            (None, Unknown::Stays) => self.unknown += 1,
        }
    }
}

impl Quantifier {
    /// Whether it is satisfied; `None` where the unknown entries decide.
    pub fn of(self, truths: TruthCounts) -> Option<bool> {
        let TruthCounts { holds, fails, unknown } = truths;
        match self {
            Quantifier::All if 0 < fails => Some(false),
            Quantifier::Any if 0 < holds => Some(true),
            Quantifier::None if 0 < holds => Some(false),
            Quantifier::Single if 1 < holds => Some(false),
            _ if 0 < unknown => None,
            Quantifier::All | Quantifier::None => Some(true),
            Quantifier::Any => Some(false),
            Quantifier::Single => Some(holds == 1),
        }
    }
}

impl Over {
    /// The expressions over the row: the list, and the first value of an accumulator.
    pub fn outer(&self) -> impl Iterator<Item = &Expr> {
        let start = if let Makes::Fold { start, .. } = &self.makes { Some(start) } else { None };
        [&self.list].into_iter().chain(start)
    }

    /// The expressions over an entry.
    pub fn inner(&self) -> impl Iterator<Item = &Expr> {
        let [first, second] = match &self.makes {
            Makes::List { keep, value } => [keep.as_ref(), value.as_ref()],
            Makes::Truth { holds, .. } => [Some(holds), None],
            Makes::Fold { next, .. } => [Some(next), None],
        };
        first.into_iter().chain(second)
    }

    /// The columns that exist in the inner expressions only.
    pub fn bound(&self) -> impl Iterator<Item = ColumnId> + use<> {
        let accumulator = match &self.makes {
            Makes::Fold { accumulator, .. } => Some(*accumulator),
            Makes::List { .. } | Makes::Truth { .. } => None,
        };
        [self.item].into_iter().chain(accumulator)
    }

    /// Its expressions to change them, those over the row first, and how many these are.
    pub(crate) fn all_mut(&mut self) -> (Vec<&mut Expr>, usize) {
        let list = &mut self.list;
        match &mut self.makes {
            Makes::List { keep, value } => {
                ([list].into_iter().chain(keep).chain(value).collect(), 1)
            }
            Makes::Truth { holds, .. } => (vec![list, holds], 1),
            Makes::Fold { start, next, .. } => (vec![list, start, next], 2),
        }
    }

    /// Adds the columns of the row that it reads.
    pub(crate) fn read_columns(&self, columns: &mut ColumnSet) {
        let mut inner = ColumnSet::new();
        self.inner().for_each(|expr| expr.read_columns(&mut inner));
        self.bound().for_each(|bound| {
            inner.remove(&bound);
        });
        columns.extend(inner);
        self.outer().for_each(|expr| expr.read_columns(columns));
    }

    /// Reads another expression in place of one; inside, only where that is not about the entry.
    pub(crate) fn replace(&mut self, from: &Expr, into: &Expr) {
        let mut read = ColumnSet::new();
        from.read_columns(&mut read);
        let hidden = self.bound().any(|bound| read.contains(&bound));
        let (mut exprs, outer) = self.all_mut();
        if hidden {
            exprs.truncate(outer);
        }
        exprs.into_iter().for_each(|expr| expr.replace(from, into));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantifier_is_unknown_only_where_the_unknown_entries_decide() {
        type Truth = Option<bool>;
        let cases: [(&[Truth], [Truth; 4]); 6] = [
            (&[], [Some(true), Some(false), Some(true), Some(false)]),
            (&[Some(true), None], [None, Some(true), Some(false), None]),
            (&[Some(false), None], [Some(false), None, None, None]),
            (&[Some(true), Some(false)], [Some(false), Some(true), Some(false), Some(true)]),
            (&[Some(true), None, Some(true)], [None, Some(true), Some(false), Some(false)]),
            (&[None], [None; 4]),
        ];
        let quantifiers = [Quantifier::All, Quantifier::Any, Quantifier::None, Quantifier::Single];
        for (entries, expected) in cases {
            let mut truths = TruthCounts::default();
            entries.iter().for_each(|entry| truths.add(*entry, Unknown::Stays));
            assert_eq!(
                quantifiers.map(|quantifier| quantifier.of(truths)),
                expected,
                "{entries:?}"
            );
        }
        let mut truths = TruthCounts::default();
        truths.add(None, Unknown::IsFalse);
        assert_eq!(Quantifier::None.of(truths), Some(true));
    }

    #[test]
    fn the_entry_is_no_column_of_the_row() {
        let [row, item, other] = [0, 1, 2].map(ColumnId);
        let makes = Makes::List {
            keep: Some(Expr::compare(
                crate::expr::Comparison::Less,
                Expr::Column(item),
                Expr::Column(other),
            )),
            value: None,
        };
        let mut over = Expr::over(Expr::Column(row), item, makes);
        let read = |expr: &Expr| {
            let mut columns = ColumnSet::new();
            expr.read_columns(&mut columns);
            columns
        };
        assert_eq!(read(&over), ColumnSet::from([row, other]));
        over.replace_column(item, row);
        assert_eq!(read(&over), ColumnSet::from([row, other]), "the entry has no other name");
        over.replace_column(other, row);
        assert_eq!(read(&over), ColumnSet::from([row]));
    }
}
