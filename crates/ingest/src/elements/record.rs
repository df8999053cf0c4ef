//! Records that the readers of elements emit: a vertex with the edges at it, or an edge by itself.

use crate::error::BadRow;
use millrace_model::{ExternalId, Value};
use std::sync::Arc;

/// The records of one piece of a file.
#[derive(Default)]
pub(crate) struct Records {
    pub(crate) vertices: Vec<VertexRecord>,
    /// Edges that stand by themselves.
    pub(crate) edges: Vec<EdgeRecord>,
    /// Elements of rows, in which they may repeat.
    pub(crate) repeated: Repeated,
    /// Records that can't be loaded, wholly or in part.
    pub(crate) bad: Vec<BadRow>,
}

/// Elements of rows of a query.
#[derive(Default)]
pub(crate) struct Repeated {
    pub(crate) vertices: Vec<VertexRecord>,
    pub(crate) edges: Vec<EdgeRecord>,
    /// Vertices as edges describe their ends: they count where no row has the vertex.
    pub(crate) ends: Vec<VertexRecord>,
}

/// One vertex.
#[derive(Default)]
pub(crate) struct VertexRecord {
    /// The line it begins on; from 1.
    pub(crate) line: u64,
    pub(crate) id: Id,
    pub(crate) labels: Vec<String>,
    pub(crate) properties: Vec<(String, Value)>,
    /// Edges to others, as `outE` has them.
    pub(crate) edges: Vec<OwnEdge>,
    /// Edges from others, as `inE` has them; most stand in `outE` of the other vertex too.
    pub(crate) incoming: Vec<OwnEdge>,
}

/// An edge in the record of one of its ends.
pub(crate) struct OwnEdge {
    pub(crate) edge_type: String,
    /// The id to keep, if it can be one.
    pub(crate) id: Option<ExternalId>,
    /// The vertex at its other end.
    pub(crate) other: Id,
    pub(crate) properties: Vec<(String, Value)>,
}

/// An edge that stands by itself.
pub(crate) struct EdgeRecord {
    /// The line it begins on; from 1.
    pub(crate) line: u64,
    pub(crate) source: Id,
    /// Its type, id, target and properties.
    pub(crate) edge: OwnEdge,
}

/// The name of a vertex in a file. Equal ids have equal names, whatever their width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Id {
    pub(crate) name: String,
    /// The external id, if a vertex can have it.
    pub(crate) external: Option<ExternalId>,
}

impl Id {
    /// Of a number.
    pub(crate) fn of_number(number: i64) -> Id {
        let external = u64::try_from(number).ok().filter(|number| *number != 0);
        Id { name: number.to_string(), external: external.map(ExternalId::Number) }
    }

    /// Of a text, which may say a number.
    pub(crate) fn of_text(text: &str) -> Id {
        let id = ExternalId::of_text(&Arc::from(text));
        let name = match &id {
            ExternalId::Number(number) => number.to_string(),
            ExternalId::Text(text) => format!("\"{text}"),
        };
        Id { name, external: Some(id) }
    }

    /// The text of a name that is an external id.
    pub(super) fn external_text(name: &str) -> Option<&str> {
        name.strip_prefix('"')
    }

    /// As a person reads it.
    pub(super) fn text(name: &str) -> &str {
        name.strip_prefix('"').unwrap_or(name)
    }
}
