//! Elements by the values of their keys.

use millrace_model::Result;

use crate::base::{ColumnId, Name, PlanNames};
use crate::expr::Expr;
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::plan_errors::bad_plan;
use crate::op::{KnownKinds, MadeKinds, OwnerName};
use crate::printer::{Printer, join};

/// Each row, once for every element with keys that equal the values and a last key in the range,
/// by id. Uses an index where there is one, else a scan. In every mode null, as a key,
/// value or bound, finds nothing, and a bound holds only values that compare with it: numbers with
/// numbers, never NaN.
#[derive(Clone, Debug, PartialEq)]
pub struct Seek {
    /// The owner of the keys.
    pub owner: OwnerName,
    /// The keys that equal a value.
    pub keys: Vec<Name>,
    /// A value for each key.
    pub values: Vec<Expr>,
    /// The range of one more key.
    pub range: Option<SeekRange>,
    /// The new column.
    pub to: ColumnId,
}

/// One side of a range of keys.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekBound {
    /// The value that the key is compared with.
    pub value: Expr,
    /// Whether the value itself is in the range.
    pub inclusive: bool,
}

/// A range of one key; without a bound every value is in it, whatever its type.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekRange {
    /// The key.
    pub key: Name,
    /// Where it begins.
    pub lower: Option<SeekBound>,
    /// Where it ends.
    pub upper: Option<SeekBound>,
}

impl SeekRange {
    /// The bounds there are, the lower first.
    pub fn bounds(&self) -> impl Iterator<Item = &SeekBound> {
        self.lower.iter().chain(&self.upper)
    }

    fn print(&self, printer: &Printer<'_>) -> String {
        let sign = |bound: &SeekBound| if bound.inclusive { "<=" } else { "<" };
        let lower = self.lower.as_ref();
        let lower = lower.map(|bound| format!("{} {} ", printer.expr(&bound.value), sign(bound)));
        let upper = self.upper.as_ref();
        let upper = upper.map(|bound| format!(" {} {}", sign(bound), printer.expr(&bound.value)));
        if lower.is_none() && upper.is_none() {
            return format!("has {}", self.key);
        }
        format!("{}{}{}", lower.unwrap_or_default(), self.key, upper.unwrap_or_default())
    }
}

impl Facts for Seek {
    fn print(&self, printer: &Printer<'_>) -> String {
        let pairs = self.keys.iter().zip(&self.values);
        let pairs = pairs.map(|(key, value)| format!("{key} = {}", printer.expr(value)));
        let asked = join(pairs.chain(self.range.iter().map(|range| range.print(printer))));
        format!("Seek {} by {}({asked})", printer.column(self.to), self.owner.print())
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        let (keys, values) = (self.keys.len(), self.values.len());
        if keys != values {
            return Err(bad_plan(format!("a Seek has {keys} keys and {values} values")));
        }
        Ok(())
    }

    fn exprs(&self) -> Vec<&Expr> {
        let bounds = self.range.iter().flat_map(SeekRange::bounds).map(|bound| &bound.value);
        self.values.iter().chain(bounds).collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        kinds_of(self.owner.kind(), &[self.to])
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.to])
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }

    fn reads(&self, reads: &mut Reads) {
        reads.add_owner(&self.owner);
        let ranged = self.range.iter().map(|range| &range.key);
        reads.keys.names.extend(self.keys.iter().chain(ranged).cloned());
    }
}
