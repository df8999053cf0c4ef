//! Where only the length of a list of a path's edges is read, the path is asked for it, and no list is made.
//!
//! Proof: the list has an entry for each edge of the path, read in either direction, and both are null in the same rows.
//! Paths share their beginnings and know their lengths, so those of a chain of n cost n and their lists n².

use crate::base::{ColumnId, ColumnSet};
use crate::expr::{Expr, Fold};
use crate::functions::Function;
use crate::op::{self, Op, Pipeline, PipelineLiveness};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "edge_count",
    phase: Phase::Columns,
    why: "a path knows how long it is, and a list for each path of a chain costs its square",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_plan(plan, |pipeline, liveness| {
        (0..pipeline.ops.len()).any(|index| rewrite(pipeline, index, liveness))
    })
}

fn rewrite(pipeline: &mut Pipeline, index: usize, liveness: &PipelineLiveness) -> bool {
    let Op::PathExpand(op::PathExpand { edges: Some(edges), whole: Some(whole), .. }) =
        &pipeline.ops[index]
    else {
        return false;
    };
    let mut counting = Counting { whole: *whole, lists: ColumnSet::from([*edges]), counted: false };
    let mut behind = pipeline.ops[index + 1..].to_vec();
    for op in &mut behind {
        counting.rewrite(op);
    }
    let is_read = |op: &Op| {
        let Op::Project(project) = op else {
            return op.read_columns().iter().any(|column| counting.lists.contains(column));
        };
        let mut columns = project.columns.iter();
        columns.any(|(column, expr)| !counting.lists.contains(column) && counting.reads_list(expr))
    };
    let is_live = |live: &ColumnSet| counting.lists.iter().any(|list| live.contains(list));
    if !counting.counted || behind.iter().any(is_read) || liveness.after.last().is_some_and(is_live)
    {
        return false;
    }
    pipeline.ops.splice(index + 1.., behind);
    true
}

struct Counting {
    whole: ColumnId,
    /// The columns that hold the list, in either direction.
    lists: ColumnSet,
    counted: bool,
}

impl Counting {
    fn rewrite(&mut self, op: &mut Op) {
        if let Op::Filter(op::Filter { predicate }) = op {
            self.count(predicate);
        } else if let Op::Project(op::Project { columns }) = op {
            for (column, expr) in columns {
                match self.is_list(expr) {
                    true => {
                        self.lists.insert(*column);
                    }
                    false => self.count(expr),
                }
            }
        } else if let Op::Aggregate(op::Aggregate { folds, .. }) = op {
            let exprs = folds.iter_mut().filter_map(|(_, fold)| Fold::expr_mut(fold));
            exprs.for_each(|expr| self.count(expr));
        }
    }

    /// Whether it is the list itself, or that from its end.
    fn is_list(&self, expr: &Expr) -> bool {
        if let Expr::Call { function: Function::Reverse, arguments } = expr {
            return self.is_list(&arguments[0]);
        }
        matches!(expr, Expr::Column(column) if self.lists.contains(column))
    }

    fn count(&mut self, expr: &mut Expr) {
        if let Expr::Call { function, arguments } = expr
            && *function == Function::Size
            && self.is_list(&arguments[0])
        {
            *expr = Expr::call(Function::EdgeCount, vec![Expr::Column(self.whole)]);
            self.counted = true;
            return;
        }
        expr.children_mut().into_iter().for_each(|child| self.count(child));
    }

    fn reads_list(&self, expr: &Expr) -> bool {
        let mut read = ColumnSet::new();
        expr.read_columns(&mut read);
        read.iter().any(|column| self.lists.contains(column))
    }
}
