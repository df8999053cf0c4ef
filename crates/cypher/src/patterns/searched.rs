//! What `WHERE` demands of every relationship, or of every node, of a shortest path: asked during the search, so that
//! the shortest path that fulfils it is found.

use millrace_model::Result;
use millrace_plan::Expr;
use millrace_plan::op::{self, PathTest};

use super::Matching;
use crate::translate::Translator;
use crate::tree::{
    self, Comprehension, ExprKind, PathPattern, QuantifierKind, RelationshipPattern, Variable,
    needs_operators,
};

/// The elements of a path that a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elements {
    Nodes,
    Relationships,
}

/// A condition that each of the elements fulfils, or none of them.
struct Everywhere<'t> {
    elements: Elements,
    variable: &'t Variable,
    test: &'t tree::Expr,
    is_none: bool,
}

impl Translator<'_> {
    /// The search asks what WHERE demands of all elements of its paths.
    pub(super) fn search_where(
        &mut self,
        pattern: &PathPattern,
        own: &RelationshipPattern,
        path: &mut op::PathPattern,
        matching: &Matching,
    ) -> Result<()> {
        let everywhere = |test| of_all(test, pattern, own);
        for condition in matching.conjuncts.iter().filter_map(everywhere) {
            let is_later = |symbol| matching.pending.contains(&symbol);
            if needs_operators(condition.test) || condition.test.reads(&is_later) {
                continue;
            }
            for step in &mut path.steps {
                let test = step.test.get_or_insert_with(|| {
                    let [edge, vertex] = ["edge", "vertex"].map(|name| self.plan.column(name));
                    PathTest { edge, vertex, holds: Expr::And(Vec::new()) }
                });
                let column = match condition.elements {
                    Elements::Nodes => test.vertex,
                    Elements::Relationships => test.edge,
                };
                let holds = self.holds_of(&condition, column)?;
                let before = std::mem::replace(&mut test.holds, Expr::And(Vec::new()));
                test.holds = Expr::And(vec![before, holds]);
            }
            if condition.elements == Elements::Nodes {
                let holds = self.holds_of(&condition, path.from)?;
                self.plan.filter(holds);
            }
        }
        Ok(())
    }

    fn holds_of(
        &mut self,
        condition: &Everywhere<'_>,
        column: millrace_plan::ColumnId,
    ) -> Result<Expr> {
        let before = self.columns.clone();
        self.bind(condition.variable, column);
        self.inside += 1;
        let holds = self.expr(condition.test);
        self.inside -= 1;
        self.columns = before;
        Ok(if condition.is_none { holds?.negate() } else { holds? })
    }
}

/// `all(r IN relationships(p) WHERE …)` and its kin.
fn of_all<'t>(
    test: &'t tree::Expr,
    pattern: &PathPattern,
    own: &RelationshipPattern,
) -> Option<Everywhere<'t>> {
    let ExprKind::Quantified(kind, comprehension) = &test.kind else { return None };
    let Comprehension { variable, list, test: Some(test), .. } = &**comprehension else {
        return None;
    };
    let is_none = match kind {
        QuantifierKind::All => false,
        QuantifierKind::None => true,
        QuantifierKind::Any | QuantifierKind::Single => return None,
    };
    let elements = match &list.kind {
        ExprKind::Variable(list) if list.symbol.is_some() && list.symbol == own.variable.symbol => {
            Elements::Relationships
        }
        ExprKind::Call(call) => {
            let path = pattern.variable.as_ref()?;
            let [tree::Expr { kind: ExprKind::Variable(of), .. }] = call.arguments.as_slice()
            else {
                return None;
            };
            let is_path = of.symbol.is_some() && of.symbol == path.symbol;
            let is = |name: &str| is_path && call.name.eq_ignore_ascii_case(name);
            match (is("relationships"), is("nodes")) {
                (true, _) => Elements::Relationships,
                (false, true) => Elements::Nodes,
                (false, false) => return None,
            }
        }
        _ => return None,
    };
    Some(Everywhere { elements, variable, test, is_none })
}
