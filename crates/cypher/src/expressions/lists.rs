//! Values where a list is wanted: any value but null that is no list is the only entry of one.
//!
//! A parameter is not taken so: Neo4j knows its type before it runs the query, and refuses it.

use millrace_model::Result;
use millrace_plan::Expr;

use super::value_of;
use crate::primitives::as_list;
use crate::scope::type_of;
use crate::translate::Translator;
use crate::tree::{self, ExprKind};
use crate::types::Type;

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
