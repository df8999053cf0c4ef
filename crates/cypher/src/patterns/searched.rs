//! What `WHERE` demands of a path: of every relationship or node, asked while paths grow; of the whole, asked of shortest
//! paths before one of them is taken.

use millrace_model::Result;
use millrace_plan::op::{self, PathAccept, PathTest};
use millrace_plan::{Expr, Function};

use super::Matching;
use crate::functions::needs_operators;
use crate::translate::{Translator, unsupported};
use crate::tree::{
    self, Comprehension, ExprKind, PathPattern, QuantifierKind, RelationshipPattern, Symbol,
    Variable,
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
    /// The search asks what WHERE demands of all elements of its paths. It is a part of what WHERE demands of the whole
    /// path, which may have other parts: what fulfils all of it is found.
    pub(super) fn search_where(
        &mut self,
        pattern: &PathPattern,
        own: Option<&Variable>,
        path: &mut op::PathPattern,
        matching: &Matching,
    ) -> Result<()> {
        let everywhere = |test| searched(test, pattern, own, matching);
        for condition in matching.conjuncts.iter().filter_map(everywhere) {
            let steps = path.steps.iter_mut();
            for alternative in steps.flat_map(|step| &mut step.alternatives) {
                let test = alternative.test.get_or_insert_with(|| {
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

    /// What WHERE demands of a shortest path as a whole: the shortest path is the one of those for which it holds.
    pub(super) fn accept_where(
        &mut self,
        pattern: &PathPattern,
        own: &RelationshipPattern,
        matching: &mut Matching,
    ) -> Result<Option<PathAccept>> {
        let variables = [pattern.variable.as_ref(), Some(&own.variable)];
        let variables: Vec<&Variable> =
            variables.into_iter().flatten().filter(|variable| variable.symbol.is_some()).collect();
        let of_path: Vec<Symbol> = variables.iter().filter_map(|own| own.symbol).collect();
        let is_later = |symbol| matching.pending.contains(&symbol) && !of_path.contains(&symbol);
        let mut parts = Vec::new();
        for (part, test) in matching.conjuncts.iter().enumerate() {
            let is_searched = searched(test, pattern, Some(&own.variable), matching).is_some();
            if is_searched || !names_one_of(test, &variables) {
                continue;
            }
            if needs_operators(test) {
                let what = "a subquery or a pattern in a condition on the path of a shortestPath";
                let help =
                    "find the paths with a relationship of variable length, ordered by length(p)";
                return Err(unsupported(test.at, what, help));
            }
            parts.extend((!test.reads(&is_later)).then_some(part));
        }
        if parts.is_empty() {
            return Ok(None);
        }
        let [whole, edges] = ["way", "walked"].map(|name| self.plan.column(name));
        let before = self.columns.clone();
        if let Some(variable) = &pattern.variable {
            self.bind(variable, whole);
        }
        self.bind(&own.variable, edges);
        self.inside += 1;
        let holds: Result<Vec<Expr>> =
            parts.iter().map(|part| self.expr(&matching.conjuncts[*part].clone())).collect();
        self.inside -= 1;
        self.columns = before;
        let mut holds = Expr::And(holds?);
        if own.length.is_none() {
            // The variable of a single relationship is no list.
            let list = Expr::Column(edges);
            holds.replace(&list, &Expr::call(Function::OneOrAll, vec![list.clone()]));
        }
        matching.tested.extend(parts);
        Ok(Some(PathAccept { whole, edges, holds }))
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

/// What a condition demands of all elements of a path, if a search can ask it.
fn searched<'t>(
    test: &'t tree::Expr,
    pattern: &PathPattern,
    own: Option<&Variable>,
    matching: &Matching,
) -> Option<Everywhere<'t>> {
    let is_later = |symbol| matching.pending.contains(&symbol);
    let condition = of_all(test, pattern, own)?;
    (!needs_operators(condition.test) && !condition.test.reads(&is_later)).then_some(condition)
}

/// Whether one of some variables stands in an expression, or in a subquery of it.
fn names_one_of(test: &tree::Expr, variables: &[&Variable]) -> bool {
    let mut names = false;
    test.each(&mut |expr| match &expr.kind {
        ExprKind::Variable(own) => {
            names |= own.symbol.is_some() && variables.iter().any(|one| one.symbol == own.symbol);
        }
        ExprKind::Subquery(_, query) => {
            let text = query.to_string();
            names |= variables.iter().any(|variable| stands_in(&variable.name, &text));
        }
        _ => {
            names |= expr.reads_itself(&|symbol| {
                variables.iter().any(|variable| variable.symbol == Some(symbol))
            });
        }
    });
    names
}

/// Whether a name stands in the text of a query as a variable does. One within a string counts too, which at worst
/// refuses the query.
fn stands_in(name: &str, text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].trim_end_matches('`');
        let is_other = |letter: char| is_part(letter) || matches!(letter, '.' | ':' | '$');
        let behind = text[at + name.len()..].chars().next();
        !before.ends_with(is_other) && !behind.is_some_and(is_part)
    })
}

/// `all(r IN relationships(p) WHERE …)` and its kin.
fn of_all<'t>(
    test: &'t tree::Expr,
    pattern: &PathPattern,
    own: Option<&Variable>,
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
        ExprKind::Variable(list)
            if list.symbol.is_some() && own.is_some_and(|own| list.symbol == own.symbol) =>
        {
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
