//! A whole plan.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::compare::CompareMode;

use super::hints::Hints;
use crate::base::{ColumnId, LetId, Name, ParameterId, PlanNames};
use crate::expr::Expr;
use crate::op::{Op, Pipeline};

/// A whole plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The name of each column, for people; by number of [`ColumnId`].
    pub columns: Vec<Name>,
    /// The name of each parameter, by number of [`ParameterId`].
    pub parameters: Vec<Name>,
    /// Subplans that run once, before the pipelines that refer to them.
    pub lets: Vec<LetBinding>,
    /// The main pipeline.
    pub root: Pipeline,
    /// The result's columns, in order.
    pub output: Vec<ColumnId>,
    /// Whether the result's order is demanded; free, a frontier may be reordered.
    pub ordered: bool,
    /// Whether only a `Sort` or `TopK` makes an order: then rows have none before it, and what looks at their
    /// order there (`Range`, `Collect`, the last row that sets a property, …) may see any.
    pub sorted_only: bool,
    /// Whether rows that nothing later can distinguish may become one with a weight. Off, only what
    /// the plan itself says merges, and a result has single rows.
    pub merging: bool,
    /// How `=` and `<` treat null in this plan, and the order of types in which it sorts.
    pub compare: CompareMode,
    /// The seed of random numbers, if each run is to have the same.
    pub seed: Option<u64>,
    /// What was known of the graph when it was made, for rules.
    pub hints: Arc<Hints>,
    /// How many levels deep its expressions and subplans may nest, where that is more than usual: the room of the stack
    /// on which it is prepared and run ([`millrace_model::stack`]).
    pub levels: usize,
}

/// A subplan with a name, run once. A `LetRef` reads its rows; as a set or as one value it is its first column.
#[derive(Clone, Debug, PartialEq)]
pub struct LetBinding {
    /// Its name, for people.
    pub name: Name,
    /// The subplan.
    pub pipeline: Pipeline,
    /// The columns that are kept.
    pub columns: Vec<ColumnId>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            columns: Vec::new(),
            parameters: Vec::new(),
            lets: Vec::new(),
            root: Pipeline::default(),
            output: Vec::new(),
            ordered: true,
            sorted_only: false,
            merging: true,
            compare: CompareMode::Plain,
            seed: None,
            hints: Arc::default(),
            levels: 0,
        }
    }
}

impl Plan {
    /// All its pipelines, those inside others aside.
    pub fn pipelines(&self) -> impl Iterator<Item = &Pipeline> {
        self.lets.iter().map(|binding| &binding.pipeline).chain([&self.root])
    }

    /// Its bytes in memory, about: those of its operators, expressions, literals and names.
    pub fn byte_size(&self) -> usize {
        let names = self.columns.iter().chain(&self.parameters);
        let mut bytes: usize = names.map(|name| size_of::<Name>() + name.len()).sum();
        for pipeline in self.pipelines() {
            pipeline.visit_ops(&mut |op| {
                bytes += size_of::<Op>();
                for expr in op.exprs() {
                    expr.walk(&mut |part| {
                        bytes += size_of::<Expr>();
                        if let Expr::Literal(value) = part {
                            bytes += value.byte_size();
                        }
                    });
                }
            });
        }
        bytes
    }

    /// The side effects it looks up: their order shows.
    pub fn side_effects_looked_up(&self) -> BTreeSet<Name> {
        let mut names = BTreeSet::new();
        for pipeline in self.pipelines() {
            pipeline.visit_ops(&mut |op| names.extend(op.looked_up().cloned()));
        }
        names
    }

    /// Whether it adds to a side effect of that name.
    pub fn collects(&self, name: &str) -> bool {
        self.pipelines().any(|pipeline| pipeline.collects(name))
    }
}

impl PlanNames for Plan {
    fn column(&self, column: ColumnId) -> Option<&Name> {
        self.columns.get(column.0 as usize)
    }

    fn columns_named(&self, name: &str) -> usize {
        self.columns.iter().filter(|other| &***other == name).count()
    }

    fn parameter(&self, parameter: ParameterId) -> Option<&Name> {
        self.parameters.get(parameter.0 as usize)
    }

    fn binding(&self, id: LetId) -> Option<(&Name, &[ColumnId])> {
        let binding = self.lets.get(id.0 as usize)?;
        Some((&binding.name, &binding.columns))
    }
}
