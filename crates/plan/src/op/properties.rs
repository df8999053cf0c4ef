//! The owners of keys, and the properties that an operator gives to elements.

use crate::base::{ElementKind, Name};
use crate::expr::Expr;
use crate::printer::{Printer, join};

/// The owner of an index or a declaration, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OwnerName {
    /// Vertices with a label.
    Label(Name),
    /// Edges of a type.
    EdgeType(Name),
    /// Every vertex.
    AllVertices,
}

impl OwnerName {
    /// Of which kind the elements are that have the keys.
    pub fn kind(&self) -> ElementKind {
        match self {
            OwnerName::Label(_) | OwnerName::AllVertices => ElementKind::Vertex,
            OwnerName::EdgeType(_) => ElementKind::Edge,
        }
    }

    pub(super) fn print(&self) -> String {
        match self {
            OwnerName::Label(label) => label.to_string(),
            OwnerName::EdgeType(edge_type) => format!("-{edge_type}-"),
            OwnerName::AllVertices => "*".to_owned(),
        }
    }
}

/// Properties given to a new or changed element.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Properties {
    /// Keys known in the plan. An absent entry gives no property.
    pub keyed: Vec<(Name, Expr)>,
    /// A map with keys known only from data.
    pub map: Option<Expr>,
}

impl Properties {
    /// The expressions of its values.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.keyed.iter().map(|(_, expr)| expr).chain(&self.map)
    }

    pub(super) fn print(&self, printer: &Printer<'_>) -> String {
        let keyed = self.keyed.iter();
        let keyed = keyed.map(|(key, expr)| format!("{key}: {}", printer.expr(expr)));
        let map = self.map.iter().map(|expr| format!("...{}", printer.expr(expr)));
        format!("{{{}}}", join(keyed.chain(map)))
    }
}
