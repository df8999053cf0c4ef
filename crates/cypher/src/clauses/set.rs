//! `SET`: properties and labels.

use millrace_model::TextPosition;

use crate::tree::{Expr, LabelExpr, Name, Variable};

/// `SET items`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Set {
    pub(crate) at: TextPosition,
    pub(crate) items: Vec<SetItem>,
}

/// An item of `SET`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SetItem {
    /// `element.key = value`.
    Property(Expr, Name, Expr),
    /// `element[key] = value`.
    DynamicProperty(Expr, Expr, Expr),
    /// `variable = map`: all properties are replaced.
    Replace(Variable, Expr),
    /// `variable += map`: those of the map are set.
    Add(Variable, Expr),
    /// `variable:A:B`, `variable IS A`.
    Labels(Variable, LabelExpr),
}
