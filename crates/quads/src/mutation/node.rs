//! The node that an object is about, by its member `uid`, or a new one.

use super::fault::JsonFault;
use crate::error::excerpt;
use crate::nquads::{Node, NodeKind, parse_call};
use crate::text::json::Json;

/// The member that names an object's node.
pub(super) const UID: &str = "uid";

/// Names for the nodes of objects without a uid. One serves all mutations of a request, so that no two are the same.
#[derive(Clone, Debug)]
pub struct BlankNames {
    seed: u64,
    last: u64,
}

impl BlankNames {
    /// Names with a number of their own, by which they differ from those that a client chose.
    pub fn new(seed: u64) -> Self {
        Self { seed, last: 0 }
    }

    pub(super) fn next_node<'a>(&mut self) -> Node<'a> {
        self.last += 1;
        let name = format!("dg.{}.{}", self.seed, self.last).into();
        Node { kind: NodeKind::Blank, name }
    }
}

/// The node that a value of `uid` names. None for the forms of "no uid": null, an empty text, 0.
pub(super) fn named_node(uid: &Json) -> Result<Option<Node<'_>>, JsonFault> {
    let node = match uid {
        Json::Null => return Ok(None),
        Json::String(text) => match text.as_str() {
            "" | "0" | "0x0" => return Ok(None),
            text => node_of_text(text),
        },
        Json::Number(digits) if **digits == *"0" => return Ok(None),
        Json::Number(digits) => Some(Node { kind: NodeKind::Iri, name: (**digits).into() }),
        Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    };
    let is_node = |node: &Node<'_>| node.kind != NodeKind::Iri || node.uid().is_some();
    match node.filter(is_node) {
        Some(node) => Ok(Some(node)),
        None => {
            let found = excerpt(&uid.to_string());
            let detail = format!(
                "expected a uid, \"0x1f\", \"31\", \"_:name\" or \"uid(v)\", found {found}"
            );
            Err(JsonFault::new(detail).in_member(UID))
        }
    }
}

fn node_of_text(text: &str) -> Option<Node<'_>> {
    if let Some(name) = text.strip_prefix("_:") {
        return (!name.is_empty()).then(|| Node { kind: NodeKind::Blank, name: name.into() });
    }
    Some(match parse_call(text, UID) {
        Some(variable) => Node { kind: NodeKind::Variable, name: variable.into() },
        None => Node { kind: NodeKind::Iri, name: text.into() },
    })
}
