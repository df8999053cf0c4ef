//! The node that a chain of hops starts from: one that is bound, else that with the fewest candidates.

use millrace_model::Result;
use millrace_plan::op::{self, ScanSource};
use millrace_plan::{ColumnId, Name};

use super::Matching;
use super::parts::edge_types;
use crate::expressions::value_of;
use crate::translate::Translator;
use crate::tree::{
    Binary, Expr, ExprKind, LabelExpr, NodePattern, PathPart, PathPattern, RelationshipPattern,
    Variable,
};

/// About how many vertices a node without a label has where counts are unknown: only the order matters.
const ALL: u64 = u64::MAX;
const LABELLED: u64 = 1 << 40;
const KEYED: u64 = 1 << 20;
/// So many entries a list is thought to have.
const MEMBERS: u64 = 8;
/// Vertices at the far end of paths, up to which one search to each of them is the least work.
const FAR_ENDS_MAX: u64 = 4;

impl Translator<'_> {
    /// Finds the relationships with known ids, unless a node has one.
    pub(super) fn find_by_ids(
        &mut self,
        pattern: &PathPattern,
        matching: &mut Matching,
    ) -> Result<()> {
        if self.has_known_node(pattern, matching) {
            return Ok(());
        }
        for part in &pattern.parts {
            if let Some((own, test)) = self.known_relationship(part, matching) {
                let (types, _) = edge_types(own.types.as_ref());
                let to = self.new_column(&own.variable);
                let source = ScanSource::Edges(types);
                self.find_by_id((source, to), &own.variable, test, matching)?;
            }
        }
        Ok(())
    }

    /// Whether a pattern is found by the id of an element.
    pub(super) fn has_known_id(&self, pattern: &PathPattern, matching: &Matching) -> bool {
        let is_known = |part| self.known_relationship(part, matching).is_some();
        self.has_known_node(pattern, matching) || pattern.parts.iter().any(is_known)
    }

    fn has_known_node(&self, pattern: &PathPattern, matching: &Matching) -> bool {
        pattern.parts.iter().any(|part| match part {
            // Not one of a small graph: the plan is used again when it has grown.
            PathPart::Node(node) => {
                self.bound_column(&node.variable).is_some()
                    || id_test(&node.variable, matching).is_some()
            }
            PathPart::Relationship(_) | PathPart::Quantified(_) => false,
        })
    }

    /// A relationship with a known id, and the number of the condition that says so.
    fn known_relationship<'p>(
        &self,
        part: &'p PathPart,
        matching: &Matching,
    ) -> Option<(&'p RelationshipPattern, usize)> {
        match part {
            PathPart::Relationship(own)
                if own.length.is_none() && self.bound_column(&own.variable).is_none() =>
            {
                id_test(&own.variable, matching).map(|test| (own, test))
            }
            PathPart::Node(_) | PathPart::Relationship(_) | PathPart::Quantified(_) => None,
        }
    }

    /// Scans for the elements with known ids, so that the scan becomes a look-up. The ids are calculated in front of it:
    /// what may fail, as `row.id` of a row that is no map, is not asked of each element.
    pub(super) fn find_by_id(
        &mut self,
        (source, to): (ScanSource, ColumnId),
        variable: &Variable,
        test: usize,
        matching: &mut Matching,
    ) -> Result<()> {
        let known = self.known.len();
        if let Some(ids) = ids_of(&matching.conjuncts[test], variable)
            && !matches!(
                ids.kind,
                ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Parameter(_)
            )
        {
            let ids = ids.clone();
            let value = value_of(self, &ids)?;
            let column = self.plan.project("ids", value);
            self.known.push((ids, column));
        }
        self.plan.push(op::Scan { source, to });
        self.found(variable, to, matching);
        let done = self.test_now(test, matching);
        self.known.truncate(known);
        done
    }

    /// Finds the node at the far end of paths before the paths, if an id or an index says that it is one of few: their
    /// search then goes towards it and not through the whole graph. Says whether it did, and tested the node.
    pub(super) fn bind_far_end(
        &mut self,
        node: &NodePattern,
        path: &op::PathPattern,
        matching: &mut Matching,
    ) -> Result<bool> {
        let is_long = path.max.is_none_or(|max| 1 < max.saturating_mul(path.steps.len() as u64));
        let is_bound = self.bound_column(&node.variable).is_some();
        let is_wanted = is_long && !is_bound && self.is_one_of_few(node, matching);
        if is_wanted {
            self.first_node(node, matching)?;
        }
        Ok(is_wanted)
    }

    /// Finds the node behind the first relationship of a chain before the relationship, if an id or an index says that it
    /// is one of few: of the two nodes the one with fewer relationships is gone through then. Says whether it did, and
    /// tested the node.
    pub(super) fn bind_other_end(
        &mut self,
        node: &NodePattern,
        from: ColumnId,
        matching: &mut Matching,
    ) -> Result<bool> {
        let is_first = matching.start == Some(from);
        let is_bound = self.bound_column(&node.variable).is_some();
        let is_wanted = is_first && !is_bound && self.is_one_of_few(node, matching);
        if is_wanted {
            self.first_node(node, matching)?;
        }
        Ok(is_wanted)
    }

    /// Whether a node is one of few however large the graph grows: a small label may be a large one when the plan is used
    /// again.
    fn is_one_of_few(&self, node: &NodePattern, matching: &Matching) -> bool {
        if id_test(&node.variable, matching).is_some() {
            return true;
        }
        let (keys, labels) = (equalities(node, matching), known_labels(node.labels.as_ref()));
        labels.iter().any(|label| {
            let few = |(key, _): &(Name, &Expr)| {
                let indexed = self.hints.vertices_by_key(Some(label), key, KEYED);
                indexed.is_some_and(|found| found <= FAR_ENDS_MAX)
            };
            keys.iter().any(few)
        })
    }

    /// The place of the part to start from, which is a node.
    pub(super) fn start_of(&self, pattern: &PathPattern, matching: &Matching) -> usize {
        let nodes = pattern.parts.iter().enumerate().filter_map(|(place, part)| match part {
            PathPart::Node(node) => Some((place, self.candidates(node, matching))),
            PathPart::Relationship(_) | PathPart::Quantified(_) => None,
        });
        nodes.min_by_key(|(_, candidates)| *candidates).map_or(0, |(place, _)| place)
    }

    /// About how many vertices a pattern starts from.
    pub(super) fn candidates_of_start(&self, pattern: &PathPattern, matching: &Matching) -> u64 {
        let nodes = pattern.parts.iter().filter_map(|part| match part {
            PathPart::Node(node) => Some(self.candidates(node, matching)),
            PathPart::Relationship(_) | PathPart::Quantified(_) => None,
        });
        nodes.min().unwrap_or(ALL)
    }

    /// About how many vertices a node may be.
    fn candidates(&self, node: &NodePattern, matching: &Matching) -> u64 {
        if self.bound_column(&node.variable).is_some() {
            return 0;
        }
        if id_test(&node.variable, matching).is_some() {
            return 1;
        }
        let keys = equalities(node, matching);
        let names = known_labels(node.labels.as_ref());
        let of_label = |label: &Name| {
            let all = self.hints.vertices_with(Some(label));
            let by_key =
                |key: &Name| self.hints.vertices_by_key(Some(label), key, all.unwrap_or(KEYED));
            let by_keys = keys.iter().filter_map(|(key, _)| by_key(key));
            let by_lists = memberships(node, matching).filter_map(by_key);
            let by_lists = by_lists.map(|each| each.saturating_mul(MEMBERS));
            by_keys.chain(by_lists).chain(all).min()
        };
        let counted = names.iter().filter_map(of_label).min();
        counted.unwrap_or(match (names.is_empty(), keys.is_empty()) {
            (false, false) => KEYED,
            (false, true) => LABELLED,
            (true, _) => self.hints.vertices_with(None).unwrap_or(ALL),
        })
    }
}

/// Labels that a node has for certain.
pub(super) fn known_labels(labels: Option<&LabelExpr>) -> Vec<Name> {
    match labels {
        Some(LabelExpr::Name(_, name)) => vec![name.clone()],
        Some(LabelExpr::And(parts)) => {
            parts.iter().flat_map(|part| known_labels(Some(part))).collect()
        }
        Some(
            LabelExpr::Dynamic(_)
            | LabelExpr::DynamicAny(_)
            | LabelExpr::Any(_)
            | LabelExpr::Not(_)
            | LabelExpr::Or(_),
        )
        | None => Vec::new(),
    }
}

/// Properties of a node that equal a value which is known before the node is.
pub(super) fn equalities<'e>(
    node: &'e NodePattern,
    matching: &'e Matching,
) -> Vec<(Name, &'e Expr)> {
    let mut found: Vec<(Name, &Expr)> = Vec::new();
    let is_known = |value: &Expr| !value.reads(&|symbol| matching.pending.contains(&symbol));
    if let Some(Expr { kind: ExprKind::Map(pairs), .. }) = &node.properties {
        let known = pairs.iter().filter(|(_, value)| is_known(value));
        found.extend(known.map(|(key, value)| (key.clone(), value)));
    }
    for test in &matching.conjuncts {
        let ExprKind::Binary(Binary::Equal, left, right) = &test.kind else { continue };
        for (own, value) in [(left, right), (right, left)] {
            if let ExprKind::Property(of, key) = &own.kind
                && is_node(of, node)
                && is_known(value)
                && found.iter().all(|(known, _)| known != key)
            {
                found.push((key.clone(), value));
            }
        }
    }
    found
}

/// Properties of a node that are in a list which is known before the node is.
fn memberships<'e>(
    node: &'e NodePattern,
    matching: &'e Matching,
) -> impl Iterator<Item = &'e Name> {
    matching.conjuncts.iter().filter_map(|test| {
        let ExprKind::Binary(Binary::In, item, list) = &test.kind else { return None };
        let ExprKind::Property(of, key) = &item.kind else { return None };
        let is_known = !list.reads(&|symbol| matching.pending.contains(&symbol));
        (is_node(of, node) && is_known).then_some(key)
    })
}

fn is_node(expr: &Expr, node: &NodePattern) -> bool {
    matches!(&expr.kind, ExprKind::Variable(variable)
        if variable.symbol.is_some() && variable.symbol == node.variable.symbol)
}

/// The number of the condition that says the id of an element, by what is known before the element is.
pub(super) fn id_test(variable: &Variable, matching: &Matching) -> Option<usize> {
    let is_known = |value: &Expr| !value.reads(&|symbol| matching.pending.contains(&symbol));
    matching.conjuncts.iter().position(|test| match &test.kind {
        ExprKind::Binary(Binary::Equal, left, right) => {
            is_id(left, variable) && is_known(right) || is_id(right, variable) && is_known(left)
        }
        ExprKind::Binary(Binary::In, item, list) => is_id(item, variable) && is_known(list),
        _ => false,
    })
}

/// What a condition says that the id of an element is, or is one of.
fn ids_of<'e>(test: &'e Expr, variable: &Variable) -> Option<&'e Expr> {
    match &test.kind {
        ExprKind::Binary(Binary::Equal, left, right) if is_id(left, variable) => Some(right),
        ExprKind::Binary(Binary::Equal, left, _) => Some(left),
        ExprKind::Binary(Binary::In, _, list) => Some(list),
        _ => None,
    }
}

fn is_id(expr: &Expr, variable: &Variable) -> bool {
    let ExprKind::Call(call) = &expr.kind else { return false };
    let is_of = |of: &Expr| matches!(&of.kind, ExprKind::Variable(own) if own.symbol.is_some() && own.symbol == variable.symbol);
    let names = ["id", "elementId"];
    names.iter().any(|name| call.name.eq_ignore_ascii_case(name))
        && call.arguments.first().is_some_and(is_of)
}
