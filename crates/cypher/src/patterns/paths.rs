//! The value of a path, of the columns of its parts.

use millrace_plan::{ColumnId, Expr};

use crate::primitives::path_of;
use crate::translate::Translator;
use crate::tree::Variable;

/// A part of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathObject {
    /// A node or a relationship.
    Element(ColumnId),
    /// The path that a relationship of variable length is, with its ends.
    Part {
        /// The path.
        path: ColumnId,
        /// Whether it was walked from its end.
        reversed: bool,
    },
}

impl Translator<'_> {
    /// A column with the path of these parts, in the order of the text.
    pub(super) fn path_of(&mut self, variable: &Variable, objects: Vec<PathObject>) -> ColumnId {
        let part = |object| match object {
            PathObject::Element(column) => (Expr::Column(column), false),
            PathObject::Part { path, reversed } => (Expr::Column(path), reversed),
        };
        let parts = objects.into_iter().map(part).collect();
        self.plan.project(variable.name.trim_start(), path_of(parts))
    }
}
