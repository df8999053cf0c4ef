//! A pattern with a node before and behind each repeated part, as a chain of hops needs it.
//!
//! What the outer nodes of a part that occurs at least once demand, the nodes beside the part demand too, so that the
//! search can begin with few candidates. The part itself tests it again.

use std::borrow::Cow;

use millrace_model::Result;

use crate::functions::needs_operators;
use crate::translate::unsupported;
use crate::tree::{
    Expr, ExprKind, LabelExpr, NodePattern, PathPart, PathPattern, QuantifiedPath, Symbol, Variable,
};

/// The pattern with nodes between all other parts and at its ends.
pub(super) fn alternating(pattern: &PathPattern) -> Result<Cow<'_, PathPattern>> {
    if !pattern.parts.iter().any(|part| matches!(part, PathPart::Quantified(_))) {
        return Ok(Cow::Borrowed(pattern));
    }
    let mut parts: Vec<PathPart> = Vec::new();
    // The repeated part before the next node.
    let mut before: Option<&QuantifiedPath> = None;
    for (place, part) in pattern.parts.iter().enumerate() {
        match part {
            PathPart::Node(node) => {
                let mut node = node.clone();
                if let Some(own) = before.take() {
                    demand(&mut node, own, outer_node(own, false));
                }
                parts.push(PathPart::Node(node));
            }
            PathPart::Relationship(_) => parts.push(part.clone()),
            PathPart::Quantified(own) if own.length.is_none() => {
                let help = "leave the parentheses out, or write {1} after them";
                let what = "a part in parentheses without a quantifier beside other parts";
                return Err(unsupported(own.at, what, help));
            }
            PathPart::Quantified(own) => {
                match parts.last_mut() {
                    Some(PathPart::Node(node)) => demand(node, own, outer_node(own, true)),
                    Some(PathPart::Relationship(_) | PathPart::Quantified(_)) | None => {
                        parts.push(PathPart::Node(implied(own, true)));
                    }
                }
                parts.push(part.clone());
                match pattern.parts.get(place + 1) {
                    Some(PathPart::Node(_)) => before = Some(own),
                    Some(PathPart::Relationship(_) | PathPart::Quantified(_)) | None => {
                        parts.push(PathPart::Node(implied(own, false)));
                    }
                }
            }
        }
    }
    Ok(Cow::Owned(PathPattern { parts, ..pattern.clone() }))
}

/// The first or the last node of a repeated part.
fn outer_node(own: &QuantifiedPath, first: bool) -> Option<&NodePattern> {
    let parts = &own.pattern.parts;
    match if first { parts.first() } else { parts.last() } {
        Some(PathPart::Node(node)) => Some(node),
        Some(PathPart::Relationship(_) | PathPart::Quantified(_)) | None => None,
    }
}

/// A node where a repeated part has none beside it. It takes the variable of the part's node, which nothing else
/// reads outside of the part.
fn implied(own: &QuantifiedPath, first: bool) -> NodePattern {
    let at = own.at;
    let inner = outer_node(own, first);
    let occurs_once = |node: &&NodePattern| {
        let variables = own.pattern.variables();
        variables.iter().filter(|other| other.symbol == node.variable.symbol).count() == 1
    };
    let variable = match inner.filter(occurs_once) {
        Some(node) => node.variable.clone(),
        None => Variable { at, name: " node".into(), symbol: None },
    };
    let mut node = NodePattern { at, variable, labels: None, properties: None, test: None };
    demand(&mut node, own, inner);
    node
}

/// The node demands what the node of a part demands that occurs at least once.
fn demand(node: &mut NodePattern, own: &QuantifiedPath, inner: Option<&NodePattern>) {
    let Some(inner) = inner.filter(|_| occurs(own) && node.variable.symbol.is_some()) else {
        return;
    };
    if let Some(labels) = inner.labels.as_ref().filter(|labels| is_static(labels)) {
        node.labels = Some(match node.labels.take() {
            Some(known) => LabelExpr::And(vec![known, labels.clone()]),
            None => labels.clone(),
        });
    }
    let Some(Expr { at, kind: ExprKind::Map(pairs) }) = &inner.properties else { return };
    let inside: Vec<Symbol> =
        own.pattern.variables().iter().filter_map(|variable| variable.symbol).collect();
    let is_known =
        |value: &Expr| !needs_operators(value) && !value.reads(&|symbol| inside.contains(&symbol));
    let known = pairs.iter().filter(|(_, value)| is_known(value)).cloned();
    match &mut node.properties {
        None => node.properties = Some(Expr::new(*at, ExprKind::Map(known.collect()))),
        Some(Expr { kind: ExprKind::Map(pairs), .. }) => pairs.extend(known),
        // A parameter is refused before.
        Some(_) => {}
    }
}

fn occurs(own: &QuantifiedPath) -> bool {
    own.length.is_some_and(|length| length.min > 0)
}

fn is_static(labels: &LabelExpr) -> bool {
    let mut is_static = true;
    labels.each_expr(&mut |_| is_static = false);
    is_static
}
