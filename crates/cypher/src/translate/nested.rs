//! What an expression may hold that is no expression: a query, or patterns.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr};

use super::Translator;
use crate::tree::{PathPattern, Query};

/// The translation of queries and patterns inside of expressions, which is made of what stands above expressions.
///
/// Each adds its operators to the open pipeline, which is that of a subplan: it starts from the rows of now.
pub(crate) trait Nested {
    /// Runs a query; the columns of its result, none where it has no result.
    fn query(&self, translator: &mut Translator<'_>, query: &Query) -> Result<Vec<ColumnId>>;

    /// Finds patterns, each row once for every way; no relationship occurs twice.
    fn patterns(&self, translator: &mut Translator<'_>, patterns: &[PathPattern]) -> Result<()>;

    /// Finds the paths that a pattern selects; the value that is one.
    fn path(&self, translator: &mut Translator<'_>, pattern: &PathPattern) -> Result<Expr>;
}
