//! The value of a name for a row, and where it is found.

use crate::base::{ColumnId, ColumnSet, Name};
use crate::op::Op;
use crate::op::facts::{DependsOn, Facts, Reads};
use crate::printer::{Printer, join};

/// Adds the value that a name has for a row: the entry of the row's map; else the values collected
/// under the name, as a list in the order of adding; else the tag. Absent if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The name that is looked up.
    pub name: Name,
    /// The row's map; a value that is no map has no entry.
    pub map: Option<ColumnId>,
    /// The column of the tag of that name.
    pub tag: Option<ColumnId>,
    /// Whether each collected value comes with how often it is there, as a list of two.
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

impl Facts for Lookup {
    fn print(&self, printer: &Printer<'_>) -> String {
        let map = self.map.map(|map| format!("map {}", printer.column(map)));
        let tag = self.tag.map(|tag| format!("tag {}", printer.column(tag)));
        let counted = if self.counted { "counted " } else { "" };
        let places =
            map.into_iter().chain([format!("{counted}SideEffect {}", self.name)]).chain(tag);
        format!("Lookup {} = {} in {}", printer.column(self.to), self.name, join(places))
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.map.iter().chain(&self.tag).copied().collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn is_needed(&self, live: &ColumnSet) -> bool {
        live.contains(&self.to)
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: false }
    }

    fn reads(&self, reads: &mut Reads) {
        reads.side_effects.insert(self.name.clone());
    }
}
