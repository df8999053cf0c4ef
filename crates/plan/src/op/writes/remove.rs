//! Properties that are gone.

use super::WriteRules;
use crate::base::{ColumnId, ElementKind, Name};
use crate::op::ElementColumns;
use crate::op::facts::{Effect, Facts, Reads, Writes};
use crate::printer::Printer;

/// Removes properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Remove {
    /// The element; null is passed over.
    pub element: ColumnId,
    /// Which; `None`: all.
    pub keys: Option<Vec<Name>>,
    /// The rules of the language.
    pub rules: WriteRules,
}

impl Facts for Remove {
    fn print(&self, printer: &Printer<'_>) -> String {
        let keys = self.keys.as_deref().map_or("*".to_owned(), |keys| keys.join(", "));
        format!("Remove {} {keys}", printer.column(self.element))
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.element]
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    fn may_rename_vertices(&self, elements: &ElementColumns) -> bool {
        elements.get(&self.element) != Some(&ElementKind::Edge)
    }

    /// The element must still exist.
    fn reads(&self, reads: &mut Reads) {
        reads.records = true;
    }

    fn writes(&self, writes: &mut Writes) {
        match &self.keys {
            Some(keys) => writes.keys.names.extend(keys.iter().cloned()),
            None => writes.keys.all = true,
        }
    }
}
