//! `REMOVE`: properties and labels.

use millrace_model::TextPosition;

use crate::tree::{Expr, LabelExpr, Name, Variable};

/// `REMOVE items`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remove {
    pub(crate) at: TextPosition,
    pub(crate) items: Vec<RemoveItem>,
}

/// An item of `REMOVE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RemoveItem {
    /// `element.key`.
    Property(Expr, Name),
    /// `element[key]`.
    DynamicProperty(Expr, Expr),
    /// `variable:A:B`.
    Labels(Variable, LabelExpr),
}
