//! Conditions of nodes and relationships, tested as soon as all variables they read are bound.

use millrace_model::{Result, TextPosition};

use super::Matching;
use crate::translate::Translator;
use crate::tree::{Binary, Expr, ExprKind, LabelExpr, NodePattern, RelationshipPattern, Variable};

/// The conditions that all must hold.
pub(super) fn conjuncts(test: &Expr, to: &mut Vec<Expr>) {
    match &test.kind {
        ExprKind::Binary(Binary::And, left, right) => {
            conjuncts(left, to);
            conjuncts(right, to);
        }
        _ => to.push(test.clone()),
    }
}

/// `variable.key = value` for each property of a map.
fn of_properties(variable: &Variable, properties: Option<&Expr>) -> Vec<Expr> {
    let Some(Expr { kind: ExprKind::Map(pairs), .. }) = properties else { return Vec::new() };
    let equal = |(key, value): &(crate::tree::Name, Expr)| {
        let own = Expr::new(value.at, ExprKind::Variable(variable.clone()));
        let own = Expr::new(value.at, ExprKind::Property(Box::new(own), key.clone()));
        let (left, right) = (Box::new(own), Box::new(value.clone()));
        Expr::new(value.at, ExprKind::Binary(Binary::Equal, left, right))
    };
    pairs.iter().map(equal).collect()
}

/// `variable:labels`.
pub(super) fn of_labels(at: TextPosition, variable: &Variable, labels: &LabelExpr) -> Expr {
    let own = Expr::new(at, ExprKind::Variable(variable.clone()));
    Expr::new(at, ExprKind::HasLabels(Box::new(own), labels.clone()))
}

/// What a node demands.
pub(super) fn conditions_of(node: &NodePattern) -> Vec<Expr> {
    let labels = node.labels.iter().map(|labels| of_labels(node.at, &node.variable, labels));
    let properties = of_properties(&node.variable, node.properties.as_ref());
    labels.chain(properties).chain(node.test.clone()).collect()
}

/// What an edge demands besides its types.
pub(super) fn conditions_of_edge(own: &RelationshipPattern, rest: Option<&LabelExpr>) -> Vec<Expr> {
    let types = rest.map(|types| of_labels(own.at, &own.variable, types));
    let properties = of_properties(&own.variable, own.properties.as_ref());
    types.into_iter().chain(properties).chain(own.test.clone()).collect()
}

impl Translator<'_> {
    /// Tests conditions; those on variables that are pending later.
    pub(super) fn test(&mut self, conditions: Vec<Expr>, matching: &mut Matching) -> Result<()> {
        for condition in conditions {
            match condition.reads(&|symbol| matching.pending.contains(&symbol)) {
                true => matching.deferred.push(condition),
                false => self.filter(&condition)?,
            }
        }
        Ok(())
    }

    /// Tests a part of WHERE by its number: not again at the end.
    pub(super) fn test_now(&mut self, part: usize, matching: &mut Matching) -> Result<()> {
        let test = matching.conjuncts[part].clone();
        matching.tested.insert(part);
        self.filter(&test)
    }

    /// Tests what was put off and can be tested now.
    pub(super) fn test_known(&mut self, matching: &mut Matching) -> Result<()> {
        let deferred = std::mem::take(&mut matching.deferred);
        self.test(deferred, matching)
    }

    /// Tests all that was put off: a subquery may read anything, and waits for all of a MATCH.
    pub(super) fn test_rest(&mut self, matching: &mut Matching) -> Result<()> {
        let deferred = std::mem::take(&mut matching.deferred);
        deferred.iter().try_for_each(|condition| self.filter(condition))
    }

    /// The variable is bound to a column.
    pub(super) fn found(
        &mut self,
        variable: &Variable,
        column: millrace_plan::ColumnId,
        matching: &mut Matching,
    ) {
        self.bind(variable, column);
        self.is_there(variable);
        if let Some(symbol) = variable.symbol {
            matching.pending.remove(&symbol);
        }
    }
}
