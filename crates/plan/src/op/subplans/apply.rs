//! A subplan for each row.

use crate::base::{ColumnId, ColumnSet};
use crate::expr::{Expr, Fold};
use crate::op::facts::{DependsOn, Distinct, Facts, and_made};
use crate::op::{Demand, KnownKinds, MadeKinds, Pipeline};
use crate::printer::Printer;

/// Runs a subplan once for the whole batch of outer rows; each is a scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Apply {
    /// The subplan; starts from the outer rows.
    pub sub: Pipeline,
    /// The result of its rows.
    pub kind: ApplyKind,
}

/// The result of an `Apply` for its subplan's rows.
#[derive(Clone, Debug, PartialEq)]
pub enum ApplyKind {
    /// Outer row × its rows.
    Flat,
    /// As flat; an outer row without rows stays, the subplan's columns null.
    Optional,
    /// The outer row with one value.
    Value {
        /// The fold of the rows.
        fold: Fold,
        /// Where it goes.
        to: ColumnId,
    },
    /// Outer rows that have a row.
    Exists,
    /// Outer rows that have none.
    Absent,
    /// The outer row with a bag of the given columns.
    Bag {
        /// The subplan's columns that the bag holds.
        columns: Vec<ColumnId>,
        /// Where it goes.
        to: ColumnId,
    },
    /// The subplan runs to its end; the outer row passes once.
    Effect,
}

impl ApplyKind {
    fn print(&self, printer: &Printer<'_>) -> String {
        match self {
            ApplyKind::Flat => "flat".to_owned(),
            ApplyKind::Optional => "optional".to_owned(),
            ApplyKind::Value { fold, to } => {
                format!("value {} = {}", printer.column(*to), printer.fold(fold))
            }
            ApplyKind::Exists => "exists".to_owned(),
            ApplyKind::Absent => "absent".to_owned(),
            ApplyKind::Bag { columns, to } => {
                format!("bag {} of ({})", printer.column(*to), printer.columns(columns))
            }
            ApplyKind::Effect => "effect".to_owned(),
        }
    }

    /// Whether it gives the columns of its subplan's rows.
    fn gives_rows(&self) -> bool {
        matches!(self, ApplyKind::Flat | ApplyKind::Optional)
    }

    /// The one column that it adds.
    fn value(&self) -> Option<ColumnId> {
        match self {
            ApplyKind::Value { to, .. } | ApplyKind::Bag { to, .. } => Some(*to),
            ApplyKind::Flat
            | ApplyKind::Optional
            | ApplyKind::Exists
            | ApplyKind::Absent
            | ApplyKind::Effect => None,
        }
    }

    /// The fold of its subplan's rows.
    fn fold(&self) -> Option<&Fold> {
        if let ApplyKind::Value { fold, .. } = self { Some(fold) } else { None }
    }

    /// Whether an outer row may be gone behind it.
    fn drops(&self) -> bool {
        match self {
            ApplyKind::Value { fold, .. } => fold.drops_rows(),
            ApplyKind::Flat | ApplyKind::Exists | ApplyKind::Absent => true,
            ApplyKind::Optional | ApplyKind::Bag { .. } | ApplyKind::Effect => false,
        }
    }
}

impl Facts for Apply {
    fn print(&self, printer: &Printer<'_>) -> String {
        let outer: Vec<ColumnId> = self.sub.outer_columns().into_iter().collect();
        format!("Apply {} over ({})", self.kind.print(printer), printer.columns(&outer))
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.kind.fold().and_then(Fold::expr).into_iter().collect()
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        if let ApplyKind::Bag { columns, .. } = &self.kind { columns.clone() } else { Vec::new() }
    }

    /// Its fold reads the subplan's columns.
    fn read_of_input(&self) -> ColumnSet {
        ColumnSet::new()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        if self.kind.gives_rows() {
            return self.sub.made_columns();
        }
        self.kind.value().into_iter().collect()
    }

    fn new_columns(&self) -> Vec<ColumnId> {
        if self.kind.gives_rows() {
            return self.sub.new_columns();
        }
        self.kind.value().into_iter().collect()
    }

    fn is_needed(&self, live: &ColumnSet) -> bool {
        let is_read = self.kind.value().is_none_or(|to| live.contains(&to));
        is_read || self.kind.drops() || self.sub.has_effect()
    }

    /// The columns of its subplan's rows are those that they were made as.
    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        self.kind.value().into_iter().map(|column| (column, None)).collect()
    }

    fn subplans(&self) -> &[Pipeline] {
        std::slice::from_ref(&self.sub)
    }

    fn subplans_mut(&mut self) -> &mut [Pipeline] {
        std::slice::from_mut(&mut self.sub)
    }

    fn live_at_end_of_subplan(&self, _number: usize, after: &ColumnSet) -> ColumnSet {
        if self.kind.gives_rows() {
            let made = self.sub.new_columns().into_iter();
            return made.filter(|column| after.contains(column)).collect();
        }
        self.read_by_itself()
    }

    fn order_needed(&self, after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        // Effects happen in the order of the outer rows.
        if self.sub.has_effect() { Demand::Full } else { after }
    }

    fn order_of_subplans(&self, after: Demand) -> Demand {
        match &self.kind {
            ApplyKind::Flat | ApplyKind::Optional => after,
            ApplyKind::Value { fold, .. } if fold.is_commutative() => Demand::Free,
            ApplyKind::Value { .. } | ApplyKind::Bag { .. } => Demand::Full,
            ApplyKind::Exists | ApplyKind::Absent | ApplyKind::Effect => Demand::Free,
        }
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        if !self.kind.gives_rows() {
            return before;
        }
        let inside = self.sub.distinct_at_end(Some(ColumnSet::new()))?;
        and_made(before, &inside.into_iter().collect::<Vec<_>>())
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: self.kind.drops() }
    }

    /// Its subplan has each row for a scope of its own.
    fn goes_in_pieces(&self) -> bool {
        !self.sub.has_effect()
    }

    fn gains_by_weights(&self) -> bool {
        !self.sub.has_effect()
    }
}
