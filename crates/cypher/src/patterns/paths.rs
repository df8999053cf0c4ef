//! The value of a path, of the columns of its parts.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr};

use crate::expressions::path_of;
use crate::translate::{Translator, unsupported};
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
    /// A list of edges that was bound before: which vertices lie between is not known.
    Edges,
}

impl Translator<'_> {
    /// A column with the path of these parts, in the order of the text.
    pub(super) fn path_of(
        &mut self,
        variable: &Variable,
        objects: Vec<PathObject>,
    ) -> Result<ColumnId> {
        let part = |object| match object {
            PathObject::Element(column) => Ok((Expr::Column(column), false)),
            PathObject::Part { path, reversed } => Ok((Expr::Column(path), reversed)),
            PathObject::Edges => {
                let help = "use the variable of the path where the list was matched";
                let what = "the path of a list of relationships that was bound before";
                Err(unsupported(variable.at, what, help))
            }
        };
        let parts = objects.into_iter().map(part).collect::<Result<_>>()?;
        Ok(self.plan.project(variable.name.trim_start(), path_of(parts)))
    }
}
