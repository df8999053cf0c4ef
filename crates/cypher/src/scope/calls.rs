//! `CALL`: of procedures, and of subqueries.

use millrace_model::TextPosition;
use millrace_plan::{Signature, YieldedColumn, nearest};

use super::Type;
use super::faults::{composition, fault, syntax};
use super::queries::{Columns, Place, Start, Within};
use super::resolver::Resolver;
use super::symbols::Bindings;
use crate::clauses::{Call, CallSubquery, Imports, InTransactions, Yield, YieldItem};
use crate::tree::{Symbol, Variable};

impl Resolver<'_> {
    /// Resolves a call of a procedure. A call that is the whole statement yields all columns if it says nothing else;
    /// they are the columns of the result.
    pub(super) fn call(
        &mut self,
        call: &mut Call,
        scope: &mut Bindings,
        place: Place<'_>,
    ) -> Columns {
        let is_standalone = place.is_alone && place.within == Within::Statement;
        for argument in call.arguments.iter_mut().flatten() {
            self.plain_value(argument, scope);
        }
        let signatures = self.signatures;
        let Some(signature) = signatures.named(&call.name) else {
            self.unknown_procedure(call);
            self.yields(call, None, scope);
            return Columns::new();
        };
        self.note_procedure(call.at, signature);
        self.check_arguments(call, signature, is_standalone);
        if is_standalone && call.yields.is_none() && !signature.columns.is_empty() {
            call.yields = Some(Yield { all: true, items: Vec::new(), test: None });
        }
        if let Some(yields) = call.yields.as_mut().filter(|yields| yields.all) {
            if !is_standalone {
                let detail = "YIELD * can only be used in a standalone procedure call";
                let help = format!("write YIELD {}", names(signature));
                self.refuse(syntax(call.at, detail).with_help(help));
            }
            yields.all = false;
            yields.items = all_columns(call.at, signature);
        }
        self.yields(call, Some(signature), scope);
        let items = call.yields.iter().flat_map(|yields| &yields.items);
        let column = |item: &YieldItem| Some((item.variable.name.clone(), item.variable.symbol?));
        if is_standalone { items.filter_map(column).collect() } else { Columns::new() }
    }

    fn note_procedure(&mut self, at: TextPosition, signature: &Signature) {
        if !signature.writes {
            return;
        }
        self.writes = true;
        if self.is_expression {
            let detail =
                format!("The procedure `{}` writes, and cannot be called here", signature.name);
            self.refuse(composition(at, detail));
        }
    }

    fn unknown_procedure(&mut self, call: &Call) {
        let detail = format!("There is no procedure with the name `{}`", call.name);
        let error = fault("ProcedureNotFound", call.at, detail);
        let near = nearest(&call.name, self.signatures.iter().map(|own| &*own.name));
        self.refuse(match near {
            Some(near) => error.with_help(format!("the nearest name is `{near}`")),
            None => error,
        });
    }

    fn check_arguments(&mut self, call: &Call, signature: &Signature, is_standalone: bool) {
        let (least, most) = (signature.arguments_min(), signature.arguments.len());
        let Some(arguments) = &call.arguments else {
            if !is_standalone && most > 0 {
                let detail =
                    "Procedure call inside a query does not support passing arguments implicitly";
                let error = fault("InvalidArgumentPassingMode", call.at, detail);
                self.refuse(error.with_help(format!("write {}(…)", call.name)));
            }
            return;
        };
        if !(least..=most).contains(&arguments.len()) {
            let wanted =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            let detail = format!(
                "Procedure call does not provide the required number of arguments: got {} expected {wanted}",
                arguments.len()
            );
            self.refuse(fault("InvalidNumberOfArguments", call.at, detail));
        }
    }

    fn yields(&mut self, call: &mut Call, signature: Option<&Signature>, scope: &mut Bindings) {
        let Some(yields) = &mut call.yields else { return };
        for item in &mut yields.items {
            self.check_column(item, &call.name, signature);
            self.bind_new(&mut item.variable, Type::Any, scope);
        }
        if let Some(test) = &mut yields.test {
            self.test(test, scope);
        }
    }

    fn check_column(&mut self, item: &YieldItem, name: &str, signature: Option<&Signature>) {
        let Some(signature) = signature else { return };
        if signature.column(&item.column).is_some() {
            return;
        }
        let detail = format!("Unknown procedure output: `{}`", item.column);
        let known = names(signature);
        let help = format!("`{name}` yields {}", if known.is_empty() { "nothing" } else { &known });
        self.refuse(fault("UndefinedVariable", item.at, detail).with_help(help));
    }

    /// Resolves `CALL { … }`: without a scope clause a leading `WITH` imports, with one all clauses see its variables.
    pub(super) fn call_subquery(
        &mut self,
        call: &mut CallSubquery,
        scope: &mut Bindings,
        place: Place<'_>,
    ) {
        let start = match &mut call.imports {
            None => Start::importing(scope.clone()),
            Some(imports) => Start::at(self.imports(call.at, imports, scope)),
        };
        let hidden = std::mem::take(&mut self.hidden);
        let columns = self.query(&mut call.query, &start, Within::Call);
        self.hidden = hidden;
        self.bind_columns(call.at, &columns, scope);
        if let Some(transactions) = &mut call.in_transactions {
            self.in_transactions(transactions, scope, place);
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
        place: Place<'_>,
    ) {
        if place.within != Within::Statement {
            let detail = "CALL { … } IN TRANSACTIONS nested in a regular CALL is not supported";
            self.refuse(composition(own.at, detail));
        }
        let counts = own.concurrent.iter_mut().flatten().chain(&mut own.rows);
        for count in counts {
            self.constant_count(count, "IN TRANSACTIONS", 1);
        }
        if let Some(status) = &mut own.status {
            self.bind_new(status, Type::Map, scope);
        }
    }
}

fn all_columns(at: TextPosition, signature: &Signature) -> Vec<YieldItem> {
    let item = |YieldedColumn { name: column, .. }: &YieldedColumn| YieldItem {
        at,
        column: column.clone(),
        variable: Variable { at, name: column.clone(), symbol: None },
    };
    signature.columns.iter().map(item).collect()
}

/// The names of the columns that a procedure yields.
fn names(signature: &Signature) -> String {
    let names: Vec<&str> = signature.columns.iter().map(|column| &*column.name).collect();
    names.join(", ")
}
