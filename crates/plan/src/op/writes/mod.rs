//! Operators that change the graph or its catalog, or end the query; and the properties and templates
//! of elements that most of them take.

pub(super) mod claim;
pub(super) mod create;
pub(super) mod define;
pub(super) mod delete;
pub(super) mod fail;
pub(super) mod merge;
pub(super) mod remove;
pub(super) mod set;
pub(super) mod set_labels;

pub use define::Definition;

use millrace_model::{Error, ErrorKind};

use crate::base::{ColumnId, ElementKind, Name};
use crate::expr::Expr;
use crate::op::Properties;
use crate::printer::Printer;

/// In which languages differ that write properties. Plans do not print it: one language writes all of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteRules {
    /// Whether an element that the statement deleted is passed over, and counted as written: else it is an error.
    pub passes_deleted: bool,
    /// Whether a property that is null counts as set, also where there is none to remove.
    pub counts_nulls: bool,
}

/// A label, or the type of an edge.
#[derive(Clone, Debug, PartialEq)]
pub enum Label {
    /// Known in the plan.
    Known(Name),
    /// A text of each row, or a list of texts, each a label; anything else is an error.
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

    fn print(&self, printer: &Printer<'_>) -> String {
        match self {
            Label::Known(name) => name.to_string(),
            Label::Of(expr) => format!("({})", printer.expr(expr)),
        }
    }
}

/// The element that `Create` makes for each single row.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    /// A vertex.
    Vertex {
        /// Its labels.
        labels: Vec<Label>,
        /// Its properties.
        properties: Properties,
    },
    /// An edge; a row with a null end makes none, and its column is null, or it is an error.
    Edge {
        /// Its type.
        edge_type: Label,
        /// Its source column.
        source: ColumnId,
        /// Its target column.
        target: ColumnId,
        /// The names that the error of a null end has, where it is one.
        must_have_ends: Option<EdgeNames>,
        /// Its properties.
        properties: Properties,
    },
}

/// The names of an edge and its ends in the text of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeNames {
    /// The edge.
    pub edge: Name,
    /// Its source.
    pub source: Name,
    /// Its target.
    pub target: Name,
}

impl EdgeNames {
    /// The error of an end that is null.
    pub fn missing(&self, is_source: bool) -> Error {
        let end = if is_source { &self.source } else { &self.target };
        let detail =
            format!("Failed to create relationship `{}`, node `{end}` is missing", self.edge);
        let error = Error::new(ErrorKind::BadQuery, detail).with_name("ArgumentError");
        error.with_help("leave out the rows without it, as by `WITH * WHERE x IS NOT NULL`")
    }
}

impl Template {
    /// Its properties.
    pub fn properties(&self) -> &Properties {
        match self {
            Template::Vertex { properties, .. } | Template::Edge { properties, .. } => properties,
        }
    }

    /// The labels or the type of the new element.
    pub fn labels(&self) -> &[Label] {
        match self {
            Template::Vertex { labels, .. } => labels,
            Template::Edge { edge_type, .. } => std::slice::from_ref(edge_type),
        }
    }

    /// The expressions of its properties, and of labels that only rows know.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.properties().exprs().chain(self.labels().iter().filter_map(Label::expr))
    }

    /// The kind of the new element.
    pub fn kind(&self) -> ElementKind {
        match self {
            Template::Vertex { .. } => ElementKind::Vertex,
            Template::Edge { .. } => ElementKind::Edge,
        }
    }

    fn ends(&self) -> Vec<ColumnId> {
        match self {
            Template::Vertex { .. } => Vec::new(),
            Template::Edge { source, target, .. } => vec![*source, *target],
        }
    }

    fn print(&self, printer: &Printer<'_>) -> String {
        match self {
            Template::Vertex { labels, properties } => {
                let labels: Vec<String> = labels.iter().map(|label| label.print(printer)).collect();
                format!("(:{} {})", labels.join(":"), properties.print(printer))
            }
            Template::Edge { edge_type, source, target, properties, must_have_ends } => format!(
                "({})-[:{} {}]->({}){}",
                printer.column(*source),
                edge_type.print(printer),
                properties.print(printer),
                printer.column(*target),
                if must_have_ends.is_some() { " with both ends" } else { "" }
            ),
        }
    }
}
