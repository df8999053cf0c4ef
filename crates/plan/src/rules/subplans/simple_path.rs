//! `are_distinct(objects(p))` is `is_simple(p)`: of objects that are compared as they are, no list
//! is made.
//!
//! Proof: both ask whether a value is twice among the objects of `p`, by identity; both are null of
//! null and an error of a value that is no path. Objects compared by something else (a property, the
//! result of a subplan) are collected into a list, and stay one.

use crate::expr::Expr;
use crate::functions::Function;
use crate::op::{self, Op, Pipeline};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "simple_path",
    phase: Phase::Filters,
    why: "whether a path is simple is seen by walking its steps; a list of its objects costs a copy",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_plan(plan, |pipeline, _| rewrite(pipeline))
}

fn rewrite(pipeline: &mut Pipeline) -> bool {
    let mut changed = false;
    for op in &mut pipeline.ops {
        if let Op::Filter(op::Filter { predicate }) = op {
            changed |= simplify(predicate);
        } else if let Op::Project(op::Project { columns }) = op {
            changed |= columns.iter_mut().fold(false, |any, (_, expr)| simplify(expr) | any);
        }
    }
    changed
}

fn simplify(expr: &mut Expr) -> bool {
    let children = expr.children_mut().into_iter();
    let mut changed = children.fold(false, |any, child| simplify(child) | any);
    if let Expr::Call { function: function @ Function::AreDistinct, arguments } = expr
        && let [Expr::Call { function: Function::Objects, arguments: path }] =
            arguments.as_mut_slice()
    {
        *arguments = std::mem::take(path);
        *function = Function::IsSimple;
        changed = true;
    }
    changed
}
