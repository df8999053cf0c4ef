//! Sets of columns, and which of them an expression reads. The columns that an operator reads and makes are
//! among its [facts](crate::op::Facts).

use std::collections::BTreeSet;

use crate::expr::Expr;
use crate::plan::ColumnId;

/// A set of columns.
pub type ColumnSet = BTreeSet<ColumnId>;

impl Expr {
    /// Calls `visit` for this expression and all inside it.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Adds the columns of its row that it reads; what it binds itself is none of them.
    pub fn read_columns(&self, columns: &mut ColumnSet) {
        if let Expr::Over(over) = self {
            return over.read_columns(columns);
        }
        if let Expr::Column(column) = self {
            columns.insert(*column);
        }
        self.children().into_iter().for_each(|child| child.read_columns(columns));
    }
}

/// Drops columns that are not live; whether there were any.
pub(crate) fn keep_live<T>(made: &mut Vec<(ColumnId, T)>, live: &ColumnSet) -> bool {
    let before = made.len();
    made.retain(|(column, _)| live.contains(column));
    made.len() != before
}
