//! A whole plan, and the numbers by which its parts name columns, parameters and `Let`s.

use std::sync::Arc;

use millrace_model::compare::CompareMode;

use crate::hints::Hints;
use crate::op::Op;

/// A name of the user's graph: a label, an edge type, a key.
pub type Name = Arc<str>;

/// A column of a plan; unique in the whole plan, subplans included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u32);

/// A parameter of a plan, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(pub u32);

/// A `Let` of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LetId(pub u32);

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

/// Operators, one behind the other.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pipeline {
    /// First to last.
    pub ops: Vec<Op>,
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
