//! Names in commands: no variable is in scope, but for the columns of a `SHOW` that are yielded.

use super::Type;
use super::projections::Role;
use super::queries::{Columns, Within};
use super::resolver::Resolver;
use super::symbols::Bindings;
use crate::commands::{Command, Show};
use crate::tree::Expr;

impl Resolver<'_> {
    /// Resolves a command; the columns of its result, as far as the text names them.
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
        let mut scope = Bindings::default();
        let mut columns = Columns::new();
        if let Some(yields) = &mut show.yields {
            for item in &mut yields.items {
                self.bind_new(&mut item.variable, Type::Any, &mut scope);
                columns.extend(item.variable.symbol.map(|own| (item.variable.name.clone(), own)));
            }
            if let Some(test) = &mut yields.test {
                self.test(test, &scope);
            }
        }
        let role = || Role::Return { within: Within::Statement, union: None };
        if let Some(paged) = &mut show.paged {
            columns = self.projection(paged, &mut scope, role());
        }
        if let Some(returns) = &mut show.returns {
            columns = self.projection(returns, &mut scope, role());
        }
        columns
    }
}
