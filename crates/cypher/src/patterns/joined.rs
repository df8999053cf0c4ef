//! Patterns that hang together with what is bound by equal values only: found once, and joined by a hash.
//!
//! A pattern that shares no variable with the rows would be found again for each of them. Where a condition says
//! that a value of it equals a value of the row, it becomes the right side of a `Join` on keys that are identical
//! where the values are equal; the condition is tested behind it as it is written. A pattern that begins with a node
//! or a relationship which is sought by a value of the row needs none: the seek looks up all rows together.

use std::collections::BTreeSet;

use millrace_model::Result;
use millrace_plan::op::{self, JoinKind};
use millrace_plan::{Expr as PlanExpr, Function};

use super::Matching;
use super::start::equalities;
use crate::expressions::value_of;
use crate::functions::needs_operators;
use crate::translate::Translator;
use crate::tree::{Binary, Expr, ExprKind, PathPart, PathPattern, Symbol};

/// An equality between a value of the row and a value of a pattern.
pub(super) struct JoinKey {
    row: Expr,
    pattern: Expr,
}

impl Translator<'_> {
    /// The equalities by which a pattern is better joined than found for each row; none where it is not.
    pub(super) fn join_keys(&self, pattern: &PathPattern, matching: &Matching) -> Vec<JoinKey> {
        let own: BTreeSet<Symbol> =
            pattern.variables().iter().filter_map(|variable| variable.symbol).collect();
        let is_bound = |symbol| self.columns.contains_key(&symbol);
        if self.columns.is_empty() || own.iter().any(|symbol| is_bound(*symbol)) {
            return Vec::new();
        }
        if reads_outside(pattern, &own) || self.is_sought_by_row(pattern, matching) {
            return Vec::new();
        }
        let is_other = |symbol| !own.contains(&symbol) && matching.pending.contains(&symbol);
        let is_of_row =
            |expr: &Expr| expr.reads(&is_bound) && !expr.reads(&|symbol| !is_bound(symbol));
        let is_of_pattern = |expr: &Expr| {
            expr.reads(&|symbol| own.contains(&symbol))
                && !expr.reads(&|symbol| is_bound(symbol) || is_other(symbol))
        };
        let mut keys = Vec::new();
        for test in &matching.conjuncts {
            if let ExprKind::Binary(Binary::Equal, left, right) = &test.kind {
                for (row, value) in [(left, right), (right, left)] {
                    if is_of_row(row) && is_of_pattern(value) && !needs_operators(test) {
                        let (row, pattern) = ((**row).clone(), (**value).clone());
                        keys.push(JoinKey { row, pattern });
                    }
                }
            } else if test.reads(&is_bound) && test.reads(&|symbol| own.contains(&symbol)) {
                // It may spare the tests behind it an error.
                break;
            }
        }
        keys
    }

    /// Whether a pattern begins with a node or a relationship that is found by a value of the row.
    fn is_sought_by_row(&self, pattern: &PathPattern, matching: &Matching) -> bool {
        if self.has_known_id(pattern, matching) {
            return true;
        }
        let PathPart::Node(node) = &pattern.parts[self.start_of(pattern, matching)] else {
            return true;
        };
        let is_bound = |symbol| self.columns.contains_key(&symbol);
        equalities(node, matching).iter().any(|(_, value)| value.reads(&is_bound))
    }

    /// Finds a pattern once for all rows, and joins it to them.
    pub(super) fn join_pattern(
        &mut self,
        pattern: &PathPattern,
        keys: &[JoinKey],
        matching: &mut Matching,
    ) -> Result<()> {
        // Nothing of the row is known in the pattern's pipeline.
        let row = std::mem::take(&mut self.columns);
        let known = std::mem::take(&mut self.known);
        let edges = std::mem::take(&mut matching.edges);
        let hidden: Vec<Symbol> =
            row.keys().filter(|symbol| !matching.pending.contains(symbol)).copied().collect();
        matching.pending.extend(&hidden);
        self.plan.begin_pipeline();
        let found = self.found_alone(pattern, keys, matching);
        let right = self.plan.end_pipeline();
        let right_keys = found?;
        matching.pending.retain(|symbol| !hidden.contains(symbol));
        self.known = known;
        let own = std::mem::replace(&mut self.columns, row);
        let mut on = Vec::new();
        for (key, right_key) in keys.iter().zip(right_keys) {
            let value = value_of(self, &key.row)?;
            on.push((self.plan.project("key", comparable(value)), right_key));
        }
        self.plan.push(op::Join { right, kind: JoinKind::Inner, on });
        self.columns.extend(own);
        for (edge, types) in std::mem::replace(&mut matching.edges, edges) {
            self.must_differ(edge, types, matching);
        }
        Ok(())
    }

    /// Finds a pattern with the conditions on it alone; the columns of its keys.
    fn found_alone(
        &mut self,
        pattern: &PathPattern,
        keys: &[JoinKey],
        matching: &mut Matching,
    ) -> Result<Vec<millrace_plan::ColumnId>> {
        self.chain(pattern, matching)?;
        self.test_known(matching)?;
        let is_own = |translator: &Self, test: &Expr| {
            test.reads(&|symbol| translator.columns.contains_key(&symbol)) && !needs_operators(test)
        };
        for part in 0..matching.conjuncts.len() {
            let test = &matching.conjuncts[part];
            if !matching.tested.contains(&part)
                && is_own(self, test)
                && !test.reads(&|symbol| matching.pending.contains(&symbol))
            {
                self.test_now(part, matching)?;
            }
        }
        let mut columns = Vec::new();
        for key in keys {
            let value = value_of(self, &key.pattern)?;
            columns.push(self.plan.project("key", comparable(value)));
        }
        Ok(columns)
    }
}

/// A key that is identical for all values that `=` calls equal.
fn comparable(value: PlanExpr) -> PlanExpr {
    PlanExpr::call(Function::EquivalenceKey, vec![value])
}

/// Whether a pattern has what is not found by itself: expressions over other variables, repeated parts.
fn reads_outside(pattern: &PathPattern, own: &BTreeSet<Symbol>) -> bool {
    let reads = |expr: &Expr| needs_operators(expr) || expr.reads(&|symbol| !own.contains(&symbol));
    pattern.parts.iter().any(|part| {
        let (labels, properties, test) = match part {
            PathPart::Node(node) => (&node.labels, &node.properties, &node.test),
            PathPart::Relationship(edge) if edge.length.is_none() => {
                (&edge.types, &edge.properties, &edge.test)
            }
            PathPart::Relationship(_) | PathPart::Quantified(_) => return true,
        };
        let mut is_outside = properties.iter().chain(test).any(reads);
        if let Some(labels) = labels {
            labels.each_expr(&mut |expr| is_outside |= reads(expr));
        }
        is_outside
    })
}
