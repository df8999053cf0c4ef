//! Expressions over the entries of a list.
//!
//! Where the inner expression needs operators of its own (a subquery, a pattern), the list is unwound in a subplan;
//! elsewhere all lists of a batch are evaluated as one.

use millrace_model::Result;
use millrace_plan::op::{self, ApplyKind};
use millrace_plan::{Expr, Fold, Makes, Quantifier, Unknown};

use super::{list_of, value_of};
use crate::functions::needs_operators;
use crate::primitives;
use crate::translate::{Translator, unsupported};
use crate::tree::{self, Comprehension, QuantifierKind, Reduce};

impl Translator<'_> {
    pub(super) fn comprehension(&mut self, own: &Comprehension) -> Result<Expr> {
        if own.test.is_none() && own.value.is_none() {
            // `[x IN list]` is the list itself, also where that is a single value.
            return value_of(self, &own.list);
        }
        let list = list_of(self, &own.list)?;
        let inner = own.test.iter().chain(&own.value);
        if inner.clone().any(needs_operators) {
            return self.unwound(list, own);
        }
        let item = self.new_column(&own.variable);
        self.inside(&own.variable, item, |inside| {
            let keep = own.test.as_ref().map(|test| inside.expr(test)).transpose()?;
            let value = own.value.as_ref().map(|value| value_of(inside, value)).transpose()?;
            Ok(Expr::over(list, item, Makes::List { keep, value }))
        })
    }

    /// The same with a subplan for each entry.
    fn unwound(&mut self, list: Expr, own: &Comprehension) -> Result<Expr> {
        let (list_column, to) = (self.as_column("list", list), self.plan.column("made"));
        let (sub, value) = self.sub(|sub| {
            let item = sub.new_column(&own.variable);
            let list = Expr::Column(list_column);
            sub.plan.push(op::Unwind { list, to: item, position: None });
            sub.bind(&own.variable, item);
            if let Some(test) = &own.test {
                sub.filter(test)?;
            }
            match &own.value {
                Some(value) => value_of(sub, value),
                None => Ok(Expr::Column(item)),
            }
        })?;
        self.apply(sub, ApplyKind::Value { fold: Fold::Collect(value), to });
        let is_null = Expr::IsNull(Box::new(Expr::Column(list_column)));
        let branches = vec![(is_null.negate(), Expr::Column(to))];
        Ok(Expr::Case { branches, otherwise: None })
    }

    pub(super) fn quantified(&mut self, kind: QuantifierKind, own: &Comprehension) -> Result<Expr> {
        let quantifier = match kind {
            QuantifierKind::All => Quantifier::All,
            QuantifierKind::Any => Quantifier::Any,
            QuantifierKind::None => Quantifier::None,
            QuantifierKind::Single => Quantifier::Single,
        };
        let mut list = list_of(self, &own.list)?;
        let Some(test) = &own.test else {
            let help = "write `WHERE` and a condition";
            return Err(unsupported(own.variable.at, "a quantifier without a condition", help));
        };
        if needs_operators(test) {
            // The truths of all entries first, then the quantifier over them.
            let truths = Comprehension { value: Some(test.clone()), test: None, ..own.clone() };
            list = self.unwound(list, &truths)?;
            let item = self.plan.column("truth");
            let makes =
                Makes::Truth { quantifier, unknown: Unknown::Stays, holds: Expr::Column(item) };
            return Ok(Expr::over(list, item, makes));
        }
        let item = self.new_column(&own.variable);
        self.inside(&own.variable, item, |inside| {
            let holds = inside.expr(test)?;
            let makes = Makes::Truth { quantifier, unknown: Unknown::Stays, holds };
            Ok(Expr::over(list, item, makes))
        })
    }

    pub(super) fn reduce(&mut self, own: &Reduce) -> Result<Expr> {
        if needs_operators(&own.next) {
            let help = "compute the list of values with a comprehension first";
            return Err(unsupported(own.next.at, "a subquery inside reduce()", help));
        }
        let (start, list) = (value_of(self, &own.start)?, list_of(self, &own.list)?);
        let item = self.new_column(&own.variable);
        let accumulator = self.new_column(&own.accumulator);
        self.inside(&own.variable, item, |inside| {
            inside.bind(&own.accumulator, accumulator);
            let next = value_of(inside, &own.next)?;
            let makes = Makes::Fold { accumulator, start: primitives::or_null(start), next };
            Ok(Expr::over(list, item, makes))
        })
    }

    /// Translates where a variable stands for an entry.
    fn inside<T>(
        &mut self,
        variable: &tree::Variable,
        column: millrace_plan::ColumnId,
        build: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let before = self.columns.clone();
        self.bind(variable, column);
        self.inside += 1;
        let built = build(self);
        self.inside -= 1;
        self.columns = before;
        built
    }
}
