//! Rows made into one list or map, and a list's entries made into rows for a step that works on each
//! object by itself; and the state of traversers as lists, where a step must have all of them at once.

use millrace_model::{Result, Value};
use millrace_plan::functions::{IndexMode, Outside};
use millrace_plan::{ApplyKind, ColumnId, Expr, Fold, Function, op};

use super::kind::{At, Kind};
use super::state::{State, Sub};
use super::traversal::Traversal;

impl Traversal<'_> {
    /// One map of all rows of the scope; a later pair of a key stands in place of an earlier one.
    pub(crate) fn collect_map(&mut self, key: ColumnId, value: Expr) -> ColumnId {
        let pair = Expr::List(vec![Expr::Column(key), value]);
        let pairs = self.plan.aggregate(&[], "pairs", Fold::Collect(pair));
        self.plan.project("map", Expr::call(Function::MapOfPairs, vec![Expr::Column(pairs)]))
    }

    /// One list of all rows of the scope.
    pub(crate) fn collect_list(&mut self, value: Expr) -> ColumnId {
        self.plan.aggregate(&[], "list", Fold::Collect(value))
    }

    /// One value for each object, made of the entries of this object alone: `build` adds operators and returns the
    /// fold of their rows. A map's entries are its pairs.
    pub(crate) fn for_entries(
        &mut self,
        of: At,
        build: impl FnOnce(&mut Traversal<'_>, At) -> Result<Fold>,
    ) -> Result<ColumnId> {
        let mut fold = None;
        let state = State { at: Some(of), ..self.state.clone() };
        let Sub { pipeline, .. } = self.sub_from(state, |inner| {
            let entries = inner.entries(of);
            fold = Some(build(inner, entries)?);
            Ok(())
        })?;
        let to = self.plan.column("local");
        let fold = fold.unwrap_or(Fold::Exists);
        self.plan.push(op::Apply { sub: pipeline, kind: ApplyKind::Value { fold, to } });
        Ok(to)
    }

    /// The state of traversers, as columns.
    pub(crate) fn carried(&self) -> Vec<ColumnId> {
        self.state.clone().columns().into_iter().map(|column| *column).collect()
    }

    /// The same as one list for each row.
    pub(crate) fn carried_list(&self) -> Expr {
        let entries = self.carried().into_iter().map(|column| {
            // An absent value must keep its place in the list.
            let own = Expr::Column(column);
            let absent = Expr::IsAbsent(Box::new(own.clone()));
            let branches = vec![(absent, Expr::Literal(Value::Null))];
            Expr::Case { branches, otherwise: Some(Box::new(own)) }
        });
        Expr::List(entries.collect())
    }

    /// Rows again from a list of such lists: each list becomes the state of one row.
    pub(crate) fn carry_again(&mut self, lists: Expr) {
        let row = self.plan.column("row");
        self.plan.push(op::Unwind { list: lists, to: row, position: None });
        let mode = IndexMode { first: 0, from_end: false, outside: Outside::Missing };
        let mut state = self.state.clone();
        for (place, column) in (0_i64..).zip(state.columns()) {
            let entry = vec![Expr::Column(row), Expr::literal(place)];
            *column = self.plan.project("carried", Expr::call(Function::ElementAt(mode), entry));
        }
        state.other = None;
        state.property = None;
        self.state = state;
    }

    /// Each entry of the rows' collections; an object that is no collection is its own entry.
    pub(crate) fn entries(&mut self, of: At) -> At {
        let to = self.plan.column("entry");
        let list = Expr::call(Function::Unfold, vec![Expr::Column(of.column)]);
        self.plan.push(op::Unwind { list, to, position: None });
        let kind = if of.kind == Kind::Map { Kind::Entry } else { Kind::Any };
        At::new(to, kind)
    }
}
