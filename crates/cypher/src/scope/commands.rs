//! Names in commands: no variable is in scope, but for the columns that a `SHOW` yields.
//!
//! A `SHOW` without a `YIELD` yields its default columns, and its `WHERE` is that of the `YIELD`.

use millrace_model::TextPosition;
use millrace_plan::nearest;

use super::bindings::Bindings;
use super::faults::undefined;
use super::queries::projections::Role;
use super::resolver::Resolver;
use super::shown::ShownColumn;
use super::surroundings::{Columns, Within};
use crate::tree::{Command, Expr, Show, Variable, Yield, YieldItem};

impl Resolver<'_> {
    /// Resolves a command; the columns of its result.
    pub(super) fn command(&mut self, command: &mut Command) -> Columns {
        let expr: Option<&mut Expr> = match command {
            Command::CreateIndex(own) => own.options.as_mut(),
            Command::CreateDatabase(own) => own.options.as_mut(),
            Command::AlterDatabase(own) => Some(&mut own.value),
            Command::TerminateTransactions(_, ids) => Some(ids),
            Command::Show(show) => return self.show(show),
            Command::CreateConstraint(_)
            | Command::DropIndex(_)
            | Command::DropConstraint(_)
            | Command::DropIndexOn(_)
            | Command::DropConstraintOn(_)
            | Command::DropDatabase(_)
            | Command::Refused(..) => None,
        };
        if let Some(expr) = expr {
            self.plain_value(expr, &Bindings::default());
        }
        Columns::new()
    }

    fn show(&mut self, show: &mut Show) -> Columns {
        if let Some(of) = &mut show.of {
            self.plain_value(of, &Bindings::default());
        }
        let known = show.what.columns();
        let test = show.test.take();
        let yields = show.yields.get_or_insert_with(|| Yield {
            all: false,
            items: yield_items(show.at, known.iter().filter(|column| column.is_default)),
            test,
        });
        if std::mem::take(&mut yields.all) {
            yields.items = yield_items(show.at, known);
        }
        let (mut scope, mut columns) = (Bindings::default(), Columns::new());
        for item in &mut yields.items {
            let column = known.iter().find(|column| *column.name == *item.column);
            if column.is_none() {
                let near = nearest(&item.column, known.iter().map(|column| column.name));
                self.refuse(undefined(item.at, &item.column, near));
            }
            let kind = column.map(|column| column.kind.as_type()).unwrap_or_default();
            self.bind_new(&mut item.variable, kind, &mut scope);
            columns.extend(item.variable.symbol.map(|own| (item.variable.name.clone(), own)));
        }
        let role = || Role::Return { within: Within::Statement, union: None };
        // Pages keep the order of the columns, where `*` has that of names.
        if let Some(paged) = &mut show.paged {
            self.projection(paged, &mut scope, role());
        }
        if let Some(test) = &mut yields.test {
            self.test(test, &scope);
        }
        match &mut show.returns {
            Some(returns) => self.projection(returns, &mut scope, role()),
            None => columns,
        }
    }
}

fn yield_items<'c>(
    at: TextPosition,
    columns: impl IntoIterator<Item = &'c ShownColumn>,
) -> Vec<YieldItem> {
    let item = |column: &ShownColumn| YieldItem {
        at,
        column: column.name.into(),
        variable: Variable { at, name: column.name.into(), symbol: None },
    };
    columns.into_iter().map(item).collect()
}
