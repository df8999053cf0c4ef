//! `CALL` of procedures: arguments and columns as the signature has them.
//!
//! A call that is the whole statement may leave out the parentheses, and takes its arguments from parameters of their
//! names; without a `YIELD` it yields all columns, which are those of the result.

use millrace_model::TextPosition;
use millrace_plan::{Signature, ValueType, nearest};

use crate::apoc;
use crate::scope::bindings::Bindings;
use crate::scope::faults::{composition, fault, syntax, wrong_type};
use crate::scope::resolver::Resolver;
use crate::scope::surroundings::{Columns, Surroundings, Within};
use crate::tree::{Call, Expr, ExprKind, Variable, Yield, YieldItem};
use crate::types::Type;

impl Resolver<'_> {
    /// Resolves a call of a procedure; the columns of the result, if the call is the whole statement.
    pub(in crate::scope) fn call(
        &mut self,
        call: &mut Call,
        scope: &mut Bindings,
        around: Surroundings<'_>,
    ) -> Columns {
        let is_standalone = around.is_alone && around.within == Within::Statement;
        let arguments = call.arguments.iter_mut().flatten();
        let types: Vec<Type> =
            arguments.map(|argument| self.plain_value(argument, scope)).collect();
        let signatures = self.signatures;
        let Some(signature) = signatures.named(&call.name) else {
            self.unknown_procedure(call);
            self.yields(call, None, scope);
            return Columns::new();
        };
        self.note_procedure(call.at, signature);
        match is_standalone && call.arguments.is_none() {
            true => call.arguments = Some(implicit_arguments(call.at, signature)),
            false => self.check_arguments(call, &types, signature),
        }
        if is_standalone && call.yields.is_none() && !signature.columns.is_empty() {
            call.yields = Some(Yield { all: true, items: Vec::new(), test: None });
        }
        if let Some(yields) = call.yields.as_mut().filter(|yields| yields.all) {
            if !is_standalone {
                let detail = "YIELD * can only be used in a standalone procedure call";
                let help = format!("write YIELD {}", column_names(signature));
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
        if let Some(instead) = apoc::remedy(&call.name) {
            self.refuse(error.with_help(format!("use {instead}")));
            return;
        }
        let near = nearest(&call.name, self.signatures.iter().map(|own| &*own.name));
        self.refuse(match near {
            Some(near) => error.with_help(format!("the nearest name is `{near}`")),
            None => error,
        });
    }

    fn check_arguments(&mut self, call: &Call, types: &[Type], signature: &Signature) {
        let (least, most) = (signature.arguments_min(), signature.arguments.len());
        let Some(arguments) = &call.arguments else {
            if most > 0 {
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
        for ((argument, kind), wanted) in arguments.iter().zip(types).zip(&signature.arguments) {
            // An integer will do for a float.
            let wanted = match wanted.value_type {
                ValueType::Float => Type::Number,
                value_type => type_of_values(value_type),
            };
            if !kind.overlaps(&wanted) {
                self.refuse(wrong_type(argument.at, &wanted.to_string(), &kind.to_string()));
            }
        }
    }

    fn yields(&mut self, call: &mut Call, signature: Option<&Signature>, scope: &mut Bindings) {
        let Some(yields) = &mut call.yields else { return };
        for item in &mut yields.items {
            let kind = match signature {
                Some(signature) => self.column_type(item, signature),
                None => Type::Any,
            };
            self.bind_new(&mut item.variable, kind, scope);
        }
        if let Some(test) = &mut yields.test {
            self.test(test, scope);
        }
    }

    fn column_type(&mut self, item: &YieldItem, signature: &Signature) -> Type {
        let column = signature.columns.iter().find(|column| column.name == item.column);
        if let Some(column) = column {
            return type_of_values(column.value_type);
        }
        let detail = format!("Unknown procedure output: `{}`", item.column);
        let help = format!("`{}` yields {}", signature.name, column_names(signature));
        self.refuse(fault("UndefinedVariable", item.at, detail).with_help(help));
        Type::Any
    }
}

/// The arguments of a call without parentheses: parameters of their names.
fn implicit_arguments(at: TextPosition, signature: &Signature) -> Vec<Expr> {
    let required = signature.arguments.iter().filter(|argument| !argument.is_optional);
    required.map(|argument| Expr::new(at, ExprKind::Parameter(argument.name.clone()))).collect()
}

fn all_columns(at: TextPosition, signature: &Signature) -> Vec<YieldItem> {
    let names = signature.columns.iter().map(|column| &column.name);
    let item = |name: &crate::tree::Name| YieldItem {
        at,
        column: name.clone(),
        variable: Variable { at, name: name.clone(), symbol: None },
    };
    names.map(item).collect()
}

fn column_names(signature: &Signature) -> String {
    let names: Vec<&str> = signature.columns.iter().map(|column| &*column.name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn type_of_values(value_type: ValueType) -> Type {
    match value_type {
        ValueType::Any => Type::Any,
        ValueType::Boolean => Type::Boolean,
        ValueType::Integer => Type::Integer,
        ValueType::Float => Type::Float,
        ValueType::Number => Type::Number,
        ValueType::Text => Type::String,
        ValueType::List => Type::list(Type::Any),
        ValueType::Map => Type::Map,
        ValueType::Vertex => Type::Node,
        ValueType::Edge => Type::Relationship,
        ValueType::Path => Type::Path,
    }
}
