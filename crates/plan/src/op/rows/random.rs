//! Random numbers: from the query's generator, one for each single row, in the order of the rows.
//!
//! Random numbers are an effect. A random operator is never dead or stopped early, and no filter or
//! limit moves across it, so a query with a seed always gives the same rows, whatever the rules
//! change.

use crate::base::{ColumnId, ColumnSet};
use crate::expr::Expr;
use crate::op::Demand;
use crate::op::facts::{Effect, Facts};
use crate::printer::Printer;

/// An operator that takes random numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Random {
    /// Its random stream: no other operator of the plan has the same number.
    pub stream: u32,
    /// The use of the numbers.
    pub kind: RandomKind,
}

/// The use of random numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum RandomKind {
    /// Which rows of a scope are kept, each as likely as any other, in their order.
    Sample {
        /// How many; all of a scope that has no more.
        count: u64,
    },
    /// Of each row, whether it is kept.
    Coin {
        /// How likely that is, from 0 to 1; null keeps none.
        probability: Expr,
    },
    /// A number from 0 to below 1; each row has its own.
    Number {
        /// The new column.
        to: ColumnId,
    },
}

impl Random {
    /// The expression it evaluates.
    pub fn expr(&self) -> Option<&Expr> {
        match &self.kind {
            RandomKind::Coin { probability } => Some(probability),
            RandomKind::Sample { .. } | RandomKind::Number { .. } => None,
        }
    }

    /// The column it adds.
    pub fn made(&self) -> Option<ColumnId> {
        match self.kind {
            RandomKind::Number { to } => Some(to),
            RandomKind::Sample { .. } | RandomKind::Coin { .. } => None,
        }
    }
}

impl Facts for Random {
    fn print(&self, printer: &Printer<'_>) -> String {
        let stream = self.stream;
        match &self.kind {
            RandomKind::Sample { count } => format!("Sample {count} (stream {stream})"),
            RandomKind::Coin { probability } => {
                format!("Coin {} (stream {stream})", printer.expr(probability))
            }
            RandomKind::Number { to } => {
                format!("Random {} (stream {stream})", printer.column(*to))
            }
        }
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.expr().into_iter().collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.made().into_iter().collect()
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Random)
    }
}
