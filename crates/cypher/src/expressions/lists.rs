//! Values where a list is wanted: any value but null that is no list is the only entry of one.
//!
//! A parameter is not taken so: Neo4j knows its type before it runs the query, and refuses it.

use millrace_model::Result;
use millrace_plan::functions::Wanted;
use millrace_plan::{Expr, Function};

use super::value_of;
use crate::scope::{Type, type_of};
use crate::translate::Translator;
use crate::tree::{self, ExprKind};

/// The list that an operator or a comprehension takes. A bare parameter stays as it is, and is refused if it is no list.
pub(crate) fn list_of(translator: &mut Translator<'_>, list: &tree::Expr) -> Result<Expr> {
    match list.kind {
        ExprKind::Parameter(_) => value_of(translator, list),
        _ => list_or_single(translator, list),
    }
}

/// The list that a clause takes: a parameter may be a single value, too.
pub(crate) fn list_or_single(translator: &mut Translator<'_>, list: &tree::Expr) -> Result<Expr> {
    let value = value_of(translator, list)?;
    Ok(match type_of(list, translator.symbols) {
        Type::List(_) => value,
        _ => as_list(value),
    })
}

/// The list that a part is taken of. A text is no list of characters here.
pub(crate) fn whole_list(value: Expr) -> Expr {
    if !matches!(value, Expr::Parameter(_)) {
        return as_list(value);
    }
    let of_type = Expr::literal("Type mismatch: expected List");
    let arguments = vec![value, Expr::Literal(millrace_model::Value::Null), of_type];
    Expr::call(Function::Require(Wanted::Entries), arguments)
}

fn as_list(value: Expr) -> Expr {
    Expr::call(Function::AsList, vec![value])
}
