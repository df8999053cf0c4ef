//! Parts of a pattern as they are written: where a relationship leads, and by which types.

use millrace_model::{Direction as Way, Result};
use millrace_plan::Name;

use crate::translate::unsupported;
use crate::tree::{Direction, LabelExpr, NodePattern, PathPart, PathPattern, RelationshipPattern};

/// The node at a place.
pub(super) fn node_at(pattern: &PathPattern, place: usize) -> Result<&NodePattern> {
    match pattern.parts.get(place) {
        Some(PathPart::Node(node)) => Ok(node),
        Some(PathPart::Relationship(_) | PathPart::Quantified(_)) | None => {
            let help = "write a node before and after it, such as ()";
            Err(unsupported(pattern.at, "a path that does not begin and end with a node", help))
        }
    }
}

/// The way of a hop, seen from the node that it begins at.
pub(super) fn way(direction: Direction, forward: bool) -> Way {
    match (direction, forward) {
        (Direction::Right, true) | (Direction::Left, false) => Way::Out,
        (Direction::Left, true) | (Direction::Right, false) => Way::In,
        (Direction::Both, _) => Way::Both,
    }
}

/// The types that a hop may go by; `None`: all. What a list of types cannot say is left as a condition.
pub(super) fn edge_types(types: Option<&LabelExpr>) -> (Option<Vec<Name>>, Option<&LabelExpr>) {
    fn names(types: &LabelExpr) -> Option<Vec<Name>> {
        match types {
            LabelExpr::Name(_, name) => Some(vec![name.clone()]),
            LabelExpr::Or(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(names).collect();
                let mut names: Vec<Name> = Vec::new();
                for name in parts?.into_iter().flatten() {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                Some(names)
            }
            LabelExpr::Dynamic(_)
            | LabelExpr::DynamicAny(_)
            | LabelExpr::Any(_)
            | LabelExpr::Not(_)
            | LabelExpr::And(_) => None,
        }
    }
    match types {
        None | Some(LabelExpr::Any(_)) => (None, None),
        Some(types) => match names(types) {
            Some(names) => (Some(names), None),
            None => (None, Some(types)),
        },
    }
}

/// Whether the empty list is among those that a pattern matches.
pub(super) fn may_be_empty(own: &RelationshipPattern) -> bool {
    own.length.is_some_and(|length| length.min == 0)
}
