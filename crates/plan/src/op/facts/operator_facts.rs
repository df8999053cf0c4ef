//! Facts that every operator has, for rules, analyses, the printer and the engine.
//!
//! A default is the answer of most operators, and where there is a safe one (no rule moves a filter across,
//! no batch is cut) it is that. An operator's file has only the facts that differ.

use millrace_model::Result;

use crate::base::{ColumnId, ColumnSet, ElementKind, PlanNames};
use crate::expr::Expr;
use crate::op::facts::{Reads, Writes};
use crate::op::{Demand, ElementColumns, KnownKinds, MadeKinds, Pipeline, SortKey};
use crate::printer::Printer;

/// The effect of an operator besides its rows. One that has an effect is never dead, never stopped early,
/// and nothing moves across it (docs/design/algebra.md, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Takes random numbers of the query.
    Random,
    /// Adds to a named collection of the query.
    Collects,
    /// Changes the graph or state outside the plan, or ends the query.
    Writes,
}

/// The rows of a scope on which the result of one of them depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependsOn<'o> {
    /// It alone.
    Row {
        /// Whether it may give no row.
        drops: bool,
    },
    /// All of them, but only for its place.
    Order,
    /// Those that equal it on some columns.
    Group {
        /// The columns.
        keys: &'o [ColumnId],
        /// Whether they may give no row.
        drops: bool,
    },
    /// All of them.
    Scope,
}

/// Columns on which the rows of a scope are distinct; `None` if there may be no such columns.
pub type Distinct = Option<ColumnSet>;

/// The facts of an operator.
pub trait Facts {
    /// Its line of text, without its subplans.
    fn print(&self, printer: &Printer<'_>) -> String;

    /// Checks it before the plan runs. Errors are of the compile phase.
    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        Ok(())
    }

    /// The expressions it evaluates itself (not those of its subplans).
    fn exprs(&self) -> Vec<&Expr> {
        Vec::new()
    }

    /// Columns it reads by name rather than in an expression.
    fn columns_by_name(&self) -> Vec<ColumnId> {
        Vec::new()
    }

    /// The columns it reads without its subplans.
    fn read_by_itself(&self) -> ColumnSet {
        let mut columns: ColumnSet = self.columns_by_name().into_iter().collect();
        self.exprs().into_iter().for_each(|expr| expr.read_columns(&mut columns));
        columns
    }

    /// Those of them that it reads of its own rows, not of its subplans' rows.
    fn read_of_input(&self) -> ColumnSet {
        self.read_by_itself()
    }

    /// The columns it adds; where it drops the others, all that are left.
    fn made_columns(&self) -> Vec<ColumnId> {
        Vec::new()
    }

    /// The columns that are new with it: those it makes, but for those it only keeps.
    fn new_columns(&self) -> Vec<ColumnId> {
        self.made_columns()
    }

    /// Whether only the columns it makes are left.
    fn drops_other_columns(&self) -> bool {
        false
    }

    /// The columns of its rows that are read behind it, as it passes them on.
    fn live_through(&self, after: &ColumnSet) -> ColumnSet {
        if self.drops_other_columns() {
            return ColumnSet::new();
        }
        let made = self.made_columns();
        after.iter().filter(|column| !made.contains(column)).copied().collect()
    }

    /// New columns that it need not make.
    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        Vec::new()
    }

    /// Makes no column that is not live, as far as it may; says whether it changed.
    fn narrow(&mut self, live: &ColumnSet) -> bool {
        let forget = |column: &mut Option<ColumnId>| {
            column.take_if(|column| !live.contains(column)).is_some()
        };
        self.optional_columns_mut().into_iter().fold(false, |any, column| forget(column) | any)
    }

    /// Whether rows behind it, of which only these columns are read, show that it was there.
    fn is_needed(&self, _live: &ColumnSet) -> bool {
        true
    }

    /// The kind of elements in each column that it makes; a column that is left out has the kind that it had
    /// before.
    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        self.new_columns().into_iter().map(|column| (column, None)).collect()
    }

    /// The column that it makes as a path.
    fn path_column(&self) -> Option<ColumnId> {
        None
    }

    /// The subplans directly inside it.
    fn subplans(&self) -> &[Pipeline] {
        &[]
    }

    /// The same, to change them.
    fn subplans_mut(&mut self) -> &mut [Pipeline] {
        &mut []
    }

    /// Whether its subplans start from its own rows, or see them: then they read columns of these.
    fn subplans_see_rows(&self) -> bool {
        true
    }

    /// The line of text above a subplan, if there is one.
    fn subplan_title(&self, _number: usize) -> Option<String> {
        None
    }

    /// The columns read of the rows at a subplan's end, where `after` is live behind the operator.
    fn live_at_end_of_subplan(&self, _number: usize, after: &ColumnSet) -> ColumnSet {
        after.clone()
    }

    /// How much of the order of its input it needs, where `after` is demanded of its rows, `live` is read of
    /// them, and `subplans` has the demand of each subplan on the rows it starts from.
    fn order_needed(&self, after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        after
    }

    /// How much of the order of a subplan's rows it needs.
    fn order_of_subplans(&self, after: Demand) -> Demand {
        after
    }

    /// Whether the order of its rows, where one was made, is that of the rows it gets.
    fn keeps_order(&self) -> bool {
        true
    }

    /// The keys it sorts by, if it does.
    fn sort_keys(&self) -> Option<&[SortKey]> {
        None
    }

    /// The columns on which it leaves no two rows of a scope alike.
    fn distinct_columns(&self) -> Option<&[ColumnId]> {
        None
    }

    /// The columns on which its rows are distinct, where those that it gets are on `before`.
    fn distinct_after(&self, before: Distinct) -> Distinct {
        match self.distinct_columns() {
            Some(columns) => Some(columns.iter().copied().collect()),
            None => before,
        }
    }

    /// The rows on which the result of a row depends.
    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Scope
    }

    /// Whether some rows give the same results alone as among others, in the same order.
    fn goes_in_pieces(&self) -> bool {
        matches!(self.depends_on(), DependsOn::Row { .. })
    }

    /// Whether it works for each row, so that equal rows merged into one with a weight are less work.
    fn gains_by_weights(&self) -> bool {
        false
    }

    /// Its own effect, those of its subplans aside.
    fn effect(&self) -> Option<Effect> {
        None
    }

    /// Whether it may itself make a known vertex disappear, or be found by other values.
    fn may_rename_vertices(&self, _elements: &ElementColumns) -> bool {
        self.effect() == Some(Effect::Writes)
    }

    /// Adds its reads of the graph and of collections, its expressions aside.
    fn reads(&self, _reads: &mut Reads) {}

    /// Adds its writes.
    fn writes(&self, _writes: &mut Writes) {}
}

/// Conclusions from the facts.
impl dyn Facts + '_ {
    /// The columns it reads, those that its subplans read from outside included.
    pub fn read_columns(&self) -> ColumnSet {
        let mut columns = self.read_by_itself();
        if !self.subplans_see_rows() {
            return columns;
        }
        // A fold and a bag may read columns that the subplan made; these are not the outer row's.
        for made in self.subplans().iter().flat_map(Pipeline::made_columns) {
            columns.remove(&made);
        }
        columns.extend(self.subplans().iter().flat_map(Pipeline::outer_columns));
        columns
    }

    /// Whether it or a subplan changes something besides its rows.
    pub fn has_effect(&self) -> bool {
        self.effect().is_some() || self.subplans().iter().any(Pipeline::has_effect)
    }

    /// Whether all effects that it has are random numbers, its own and those of its subplans.
    pub fn effects_are_random(&self) -> bool {
        let own = self.effect().is_none_or(|effect| effect == Effect::Random);
        own && self.subplans().iter().all(Pipeline::effects_are_random)
    }

    /// Its reads, its expressions included, its subplans aside.
    pub fn all_reads(&self) -> Reads {
        let mut reads = Reads::default();
        self.exprs().into_iter().for_each(|expr| reads.add_expr(expr));
        self.reads(&mut reads);
        reads
    }

    /// Its writes, its subplans aside.
    pub fn all_writes(&self) -> Writes {
        let mut writes = Writes::default();
        self.writes(&mut writes);
        writes
    }
}

/// Rows distinct on the columns they were distinct on before, together with the new ones.
pub(in crate::op) fn and_made(before: Distinct, made: &[ColumnId]) -> Distinct {
    before.map(|mut columns| {
        columns.extend(made);
        columns
    })
}

/// New columns that hold elements of one kind or null, where they are made at all.
pub(in crate::op) fn kinds_of<'c>(
    kind: ElementKind,
    columns: impl IntoIterator<Item = &'c ColumnId>,
) -> MadeKinds {
    columns.into_iter().map(|column| (*column, Some(kind))).collect()
}
