//! The arguments of writing operators: properties, templates of elements, changes of the catalog.

use millrace_model::PropertyType;
use millrace_model::schema::IndexKind;

use crate::expr::Expr;
use crate::plan::{ColumnId, Name};

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

/// Properties given to a new or changed element.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Properties {
    /// Keys known in the plan. An absent entry gives no property.
    pub keyed: Vec<(Name, Expr)>,
    /// A map with keys known only from data.
    pub map: Option<Expr>,
}

/// A label, or the type of an edge.
#[derive(Clone, Debug, PartialEq)]
pub enum Label {
    /// Known in the plan.
    Known(Name),
    /// A text of each row; anything else is an error.
    Of(Expr),
}

impl<T: Into<Name>> From<T> for Label {
    fn from(name: T) -> Label {
        Label::Known(name.into())
    }
}

impl Label {
    /// Its name, where that is known.
    pub fn known(&self) -> Option<&Name> {
        if let Label::Known(name) = self { Some(name) } else { None }
    }

    /// The expression that gives it, where only rows know it.
    pub fn expr(&self) -> Option<&Expr> {
        if let Label::Of(expr) = self { Some(expr) } else { None }
    }
}

/// What `Create` makes for each single row.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    /// A vertex.
    Vertex {
        /// Its labels.
        labels: Vec<Label>,
        /// Its properties.
        properties: Properties,
    },
    /// An edge; a row with a null end makes none, and its column is null.
    Edge {
        /// Its type.
        edge_type: Label,
        /// Its source column.
        source: ColumnId,
        /// Its target column.
        target: ColumnId,
        /// Its properties.
        properties: Properties,
    },
}

/// A change of the catalog, by names.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// Declare a label or edge type.
    CreateOwner(OwnerName),
    /// Declare it no more; its elements must be gone.
    DropOwner(OwnerName),
    /// Declare a property.
    CreateProperty {
        /// Its owner.
        owner: OwnerName,
        /// Which.
        key: Name,
        /// What it holds.
        kind: PropertyType,
        /// Whether it must be there.
        required: bool,
    },
    /// Declare it no more.
    DropProperty {
        /// Its owner.
        owner: OwnerName,
        /// Which.
        key: Name,
    },
    /// Make an index over what is there and what comes.
    CreateIndex {
        /// The owner of the values.
        owner: OwnerName,
        /// Which keys.
        keys: Vec<Name>,
        /// How it finds.
        kind: IndexKind,
    },
    /// End an index.
    DropIndex {
        /// The owner of the values.
        owner: OwnerName,
        /// Which keys.
        keys: Vec<Name>,
        /// Of which kind; `None`: whichever there is.
        kind: Option<IndexKind>,
    },
}
