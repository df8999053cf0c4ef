//! Pipelines, and the subplans inside operators: the columns and `Let`s that they make, read and refer to.
//!
//! The facts are those of the single operators; here they are only added up.

use std::collections::BTreeSet;

use crate::base::{ColumnId, ColumnSet, LetId, Name};
use crate::expr::{Expr, SetName};
use crate::op::{self, Effect, Op};

/// Operators, one behind the other.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pipeline {
    /// First to last.
    pub ops: Vec<Op>,
}

impl Pipeline {
    /// The columns its rows have gained at its end.
    pub fn made_columns(&self) -> Vec<ColumnId> {
        let mut made = Vec::new();
        for op in &self.ops {
            if op.drops_other_columns() {
                made.clear();
            }
            made.extend(op.made_columns());
        }
        made
    }

    /// The columns that its operators made, whether or not they are left at its end.
    pub fn new_columns(&self) -> Vec<ColumnId> {
        self.ops.iter().flat_map(|op| op.new_columns()).collect()
    }

    /// The columns it reads and does not make: those of the outer rows.
    pub fn outer_columns(&self) -> ColumnSet {
        let mut made = ColumnSet::new();
        let mut outer = ColumnSet::new();
        for op in &self.ops {
            outer.extend(op.read_columns().difference(&made));
            made.extend(op.made_columns());
        }
        outer
    }

    /// Whether no operator in it has an effect but random numbers, and none is between rounds: then
    /// rows may take them scope by scope, as if each ran alone.
    pub fn only_random(&self) -> bool {
        let mut only = true;
        self.visit_ops(&mut |op| {
            let other = op.effect().is_some_and(|effect| effect != Effect::Random);
            only &= !(other || op.repeat().is_some() && op.has_effect());
        });
        only
    }

    /// Whether no operator in it, at any depth, has an effect but random numbers.
    pub fn effects_are_random(&self) -> bool {
        self.ops.iter().all(|op| op.effects_are_random())
    }

    /// Whether an operator in it has an effect.
    pub fn has_effect(&self) -> bool {
        self.ops.iter().any(|op| op.has_effect())
    }

    /// Whether some of its rows give the same results alone as among others, in the same order.
    pub fn goes_in_pieces(&self) -> bool {
        self.ops.iter().all(|op| op.goes_in_pieces())
    }

    /// Whether an operator in it, at any depth, may change the graph or state outside the plan.
    pub fn writes(&self) -> bool {
        let mut writes = false;
        self.visit_ops(&mut |op| writes |= op.effect() == Some(Effect::Writes));
        writes
    }

    /// The subplans of `Let`s it refers to, by operators or set tests, its own subplans included.
    pub fn lets_read(&self) -> BTreeSet<LetId> {
        let mut lets = self.lets_read_as_values();
        self.visit_ops(&mut |op| {
            if let Op::LetRef(op::LetRef { name, .. }) = op {
                lets.insert(*name);
            }
        });
        lets
    }

    /// Those of which its expressions read the first column: by set tests, or as one value.
    pub(crate) fn lets_read_as_values(&self) -> BTreeSet<LetId> {
        let mut lets = BTreeSet::new();
        self.visit_ops(&mut |op| {
            for expr in op.exprs() {
                expr.walk(&mut |expr| {
                    if let Expr::InSet { set: SetName::Let(id), .. } | Expr::Let { name: id, .. } =
                        expr
                    {
                        lets.insert(*id);
                    }
                });
            }
        });
        lets
    }

    /// Whether it adds to a side effect of that name.
    pub fn collects(&self, wanted: &str) -> bool {
        let mut collects = false;
        self.visit_ops(&mut |op| {
            collects |=
                matches!(op, Op::SideEffect(op::SideEffect { name, .. }) if **name == *wanted);
        });
        collects
    }

    /// The side effects it reads.
    pub fn side_effects_read(&self) -> BTreeSet<Name> {
        let mut names = BTreeSet::new();
        self.visit_ops(&mut |op| {
            names.extend(op.looked_up().cloned());
            for expr in op.exprs() {
                expr.walk(&mut |expr| {
                    if let Expr::InSet { set: SetName::SideEffect(name), .. } = expr {
                        names.insert(name.clone());
                    }
                });
            }
        });
        names
    }

    /// Calls `visit` for each operator, those of subplans included.
    pub fn visit_ops(&self, visit: &mut impl FnMut(&Op)) {
        for op in &self.ops {
            visit(op);
            for sub in op.subplans() {
                sub.visit_ops(visit);
            }
        }
    }
}
