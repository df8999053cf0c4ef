//! The printer: columns, parameters, `Let`s and folds with the names of their plan.

use crate::base::{ColumnId, LetId, Name, ParameterId, PlanNames};
use crate::expr::{Fold, Missing};

/// Prints parts of operators with the names of their plan.
pub struct Printer<'a> {
    names: &'a dyn PlanNames,
}

impl<'a> Printer<'a> {
    /// A printer with the names of a plan.
    pub(crate) fn new(names: &'a dyn PlanNames) -> Printer<'a> {
        Printer { names }
    }
}

impl Printer<'_> {
    /// A column behind a word, where there is one.
    pub(crate) fn optional(&self, word: &str, column: Option<ColumnId>) -> String {
        column.map_or(String::new(), |column| format!("{word}{}", self.column(column)))
    }

    /// The column of an edge before its direction, where there is one.
    pub(crate) fn edge(&self, edge: Option<ColumnId>) -> String {
        edge.map_or(String::new(), |edge| format!("{}:", self.column(edge)))
    }

    /// A column, or the place of one that is not read.
    pub(crate) fn wanted(&self, column: Option<ColumnId>) -> String {
        column.map_or("()".to_owned(), |column| self.column(column))
    }

    /// A `Let` by its title and number.
    pub(crate) fn let_name(&self, id: LetId) -> String {
        let binding = self.names.binding(id);
        format!("{}#{}", binding.map_or("?", |(name, _)| name), id.0)
    }

    /// How many columns a `Let` keeps.
    pub(crate) fn let_width(&self, id: LetId) -> usize {
        self.names.binding(id).map_or(0, |(_, columns)| columns.len())
    }

    pub(crate) fn column(&self, column: ColumnId) -> String {
        let name = self.names.column(column).map_or("?", |name| name);
        // Two columns may have one name; the number then distinguishes them.
        let alone = self.names.columns_named(name) == 1;
        if alone { name.to_owned() } else { format!("{name}#{}", column.0) }
    }

    pub(crate) fn columns(&self, columns: &[ColumnId]) -> String {
        join(columns.iter().map(|column| self.column(*column)))
    }

    pub(crate) fn parameter(&self, number: u32) -> String {
        format!("${}", self.names.parameter(ParameterId(number)).map_or("?", |name| name))
    }

    pub(crate) fn fold(&self, fold: &Fold) -> String {
        let (name, expr) = match fold {
            Fold::Count => ("count", None),
            Fold::Exists => ("exists", None),
            Fold::CountDistinct(expr) => ("count distinct", Some(expr)),
            Fold::Sum(expr) => ("sum", Some(expr)),
            Fold::Min(expr) => ("min", Some(expr)),
            Fold::Max(expr) => ("max", Some(expr)),
            Fold::Mean(expr) => ("mean", Some(expr)),
            Fold::Collect(expr) => ("collect", Some(expr)),
            Fold::CountValues(expr) => ("count", Some(expr)),
            Fold::StDev(expr) => ("stdev", Some(expr)),
            Fold::StDevP(expr) => ("stdevp", Some(expr)),
            Fold::PercentileCont(expr) => ("percentile cont", Some(expr)),
            Fold::PercentileDisc(expr) => ("percentile disc", Some(expr)),
            Fold::CollectValues(expr) => ("collect values", Some(expr)),
            Fold::First(expr) => ("first", Some(expr)),
            Fold::Distinct(fold) => return format!("distinct {}", self.fold(fold)),
            Fold::IfSeen { fold, missing } => {
                let otherwise = match missing {
                    Missing::NoRow => "no row",
                    Missing::Absent => "absent",
                };
                return format!("{} or {otherwise}", self.fold(fold));
            }
        };
        expr.map_or(name.to_owned(), |expr| format!("{name}({})", self.expr(expr)))
    }
}

pub(crate) fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

pub(crate) fn edge_types(types: &Option<Vec<Name>>) -> String {
    types.as_deref().map_or("*".to_owned(), |types| types.join("|"))
}
