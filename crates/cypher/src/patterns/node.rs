//! Nodes of a chain.

use millrace_model::Result;
use millrace_plan::op::{self, OwnerName, ScanSource};
use millrace_plan::{ColumnId, Name};

use super::Matching;
use super::conditions::conditions_of;
use super::start::{equalities, id_test, known_labels};
use crate::expressions::value_of;
use crate::scope::type_of;
use crate::translate::Translator;
use crate::tree::{Expr, ExprKind, LabelExpr, NodePattern};
use crate::types::Type;

impl Translator<'_> {
    /// The first node of a chain: where it is bound its column, else each vertex that it may be.
    pub(super) fn first_node(
        &mut self,
        node: &NodePattern,
        matching: &mut Matching,
    ) -> Result<ColumnId> {
        if let Some(column) = self.bound_column(&node.variable) {
            self.test(conditions_of(node), matching)?;
            return Ok(column);
        }
        let to = self.new_column(&node.variable);
        let label = self.rarest_label(node);
        if let Some(test) = id_test(&node.variable, matching) {
            let mut own = node.clone();
            if let Some(label) = &label {
                own.labels = node.labels.as_ref().and_then(|labels| without(labels, label));
            }
            let rest = conditions_of(&own);
            let source = ScanSource::Vertices(label);
            self.find_by_id((source, to), &node.variable, test, matching)?;
            self.test(rest, matching)?;
            return Ok(to);
        }
        let rest = self.left_to_test(node, label.as_ref());
        let keyed: Vec<(Name, Expr)> = equalities(node, matching)
            .into_iter()
            .map(|(key, value)| (key, value.clone()))
            .collect();
        // Without a label a constant value is left to the scan, which may end early. One of each row is sought for
        // all rows together: a scan for each would read the graph as often as there are rows.
        let is_of_row =
            |(_, value): &(Name, Expr)| value.reads(&|symbol| self.columns.contains_key(&symbol));
        if !keyed.is_empty() && (label.is_some() || keyed.iter().any(is_of_row)) {
            let (mut keys, mut values) = (Vec::new(), Vec::new());
            for (key, value) in keyed {
                keys.push(key);
                values.push(value_of(self, &value)?);
            }
            let owner = label.map_or(OwnerName::AllVertices, OwnerName::Label);
            self.plan.push(op::Seek { owner, keys, values, range: None, to });
        } else {
            self.plan.push(op::Scan { source: ScanSource::Vertices(label), to });
        }
        self.found(&node.variable, to, matching);
        self.test(rest, matching)?;
        Ok(to)
    }

    /// The conditions of a node that are left behind a scan or a seek by this label. A seek decides equality to a text,
    /// an integer or a boolean as `=` does; to other values `=` may say no, or that it is unknown.
    fn left_to_test(&self, node: &NodePattern, label: Option<&Name>) -> Vec<Expr> {
        let Some(label) = label else { return conditions_of(node) };
        let mut rest = node.clone();
        rest.labels = node.labels.as_ref().and_then(|labels| without(labels, label));
        if let Some(Expr { kind: ExprKind::Map(pairs), .. }) = &mut rest.properties {
            pairs.retain(|(_, value)| {
                let kind = type_of(value, self.symbols);
                let is_sought = matches!(value.kind, ExprKind::Literal(_))
                    && matches!(kind, Type::String | Type::Integer | Type::Boolean);
                !is_sought
            });
        }
        conditions_of(&rest)
    }

    /// Of the labels that a node has for certain the one with the fewest vertices.
    fn rarest_label(&self, node: &NodePattern) -> Option<Name> {
        let labels = known_labels(node.labels.as_ref());
        let count = |label: &Name| self.hints.vertices_with(Some(label)).unwrap_or(u64::MAX);
        labels.into_iter().min_by_key(count)
    }
}

/// Labels but for one that is there for certain; `None`: there are no others.
fn without(labels: &LabelExpr, label: &Name) -> Option<LabelExpr> {
    match labels {
        LabelExpr::Name(_, name) if name == label => None,
        LabelExpr::And(parts) => {
            let mut rest: Vec<LabelExpr> =
                parts.iter().filter_map(|part| without(part, label)).collect();
            match rest.len() {
                0 | 1 => rest.pop(),
                _ => Some(LabelExpr::And(rest)),
            }
        }
        LabelExpr::Name(..)
        | LabelExpr::Dynamic(_)
        | LabelExpr::DynamicAny(_)
        | LabelExpr::Any(_)
        | LabelExpr::Not(_)
        | LabelExpr::Or(_) => Some(labels.clone()),
    }
}
