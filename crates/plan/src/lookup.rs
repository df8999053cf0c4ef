//! What a `Lookup` finds under a name, and where.

use crate::op::Op;
use crate::plan::{ColumnId, Name};

/// The value that a name has for a row: the entry of the row's map; else what was collected under
/// the name, as a list in the order of adding; else the tag. Absent if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// What is looked up.
    pub name: Name,
    /// The row's map; what is no map has no entry.
    pub map: Option<ColumnId>,
    /// The column of the tag of that name.
    pub tag: Option<ColumnId>,
    /// Whether each value of what was collected comes with how often it is there, as a list of two.
    pub counted: bool,
    /// The new column.
    pub to: ColumnId,
}

impl Op {
    /// The side effect it looks up.
    pub fn looked_up(&self) -> Option<&Name> {
        if let Op::Lookup(lookup) = self { Some(&lookup.name) } else { None }
    }
}
