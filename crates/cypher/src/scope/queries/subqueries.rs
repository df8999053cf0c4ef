//! `CALL` of subqueries: what they import, and which columns they add to the rows.

use millrace_model::TextPosition;

use crate::scope::bindings::Bindings;
use crate::scope::faults::{already_bound, composition};
use crate::scope::resolver::Resolver;
use crate::scope::surroundings::{Columns, Start, Surroundings, Within};
use crate::tree::{CallSubquery, Imports, InTransactions, OnError, Symbol, Variable};
use crate::types::Type;

impl Resolver<'_> {
    /// Resolves `CALL { … }`: without a scope clause a leading `WITH` imports, with one all clauses see its variables.
    pub(in crate::scope) fn call_subquery(
        &mut self,
        call: &mut CallSubquery,
        scope: &mut Bindings,
        around: Surroundings<'_>,
    ) {
        let start = match &mut call.imports {
            None => Start::importing(scope.clone()),
            Some(imports) => Start::at(self.imports(call.at, imports, scope)),
        };
        let columns = self.query(&mut call.query, &start, Within::Call);
        self.bind_columns(call.at, &columns, scope);
        if let Some(transactions) = &mut call.in_transactions {
            self.in_transactions(transactions, scope, around);
        }
    }

    fn imports(&mut self, at: TextPosition, imports: &mut Imports, scope: &Bindings) -> Bindings {
        let listed = match imports {
            Imports::Listed(listed) => listed,
            Imports::All => {
                let variable = |(name, symbol): (_, Symbol)| {
                    let name = Clone::clone(name);
                    Variable { at, name, symbol: Some(symbol) }
                };
                *imports = Imports::Listed(scope.all().map(variable).collect());
                return scope.inside();
            }
        };
        for variable in &mut *listed {
            self.read(variable, scope);
        }
        let bound = listed.iter().filter_map(|own| Some((own.name.clone(), own.symbol?)));
        Bindings::with_outer(bound)
    }

    fn in_transactions(
        &mut self,
        own: &mut InTransactions,
        scope: &mut Bindings,
        around: Surroundings<'_>,
    ) {
        if around.within != Within::Statement {
            let detail = "CALL { … } IN TRANSACTIONS nested in a regular CALL is not supported";
            self.refuse(composition(own.at, detail));
        }
        let counts = own.concurrent.iter_mut().flatten().chain(&mut own.rows);
        for count in counts {
            self.constant_count(count, "IN TRANSACTIONS", 1);
        }
        if let Some(status) = &mut own.status {
            if own.on_error == OnError::Fail {
                let detail = "REPORT STATUS can only be used when specifying ON ERROR CONTINUE or \
                              ON ERROR BREAK";
                self.refuse(composition(own.at, detail));
            }
            self.bind_new(status, Type::Map, scope);
        }
    }

    /// Adds the columns of a subquery to the rows outside.
    fn bind_columns(&mut self, at: TextPosition, own: &Columns, scope: &mut Bindings) {
        for (name, symbol) in own {
            if scope.symbol(name).is_some() {
                self.refuse(already_bound(at, name));
            }
            scope.bind(name, *symbol);
        }
    }
}
