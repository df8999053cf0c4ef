//! Elements by their ids.
//!
//! An id names the element that has it as its external id; an element in place of an id names itself,
//! whatever its external id is.

use crate::base::{ColumnId, ElementKind};
use crate::expr::Expr;
use crate::functions::Function;
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::Printer;

/// Each row, once for every element of the ids (one, or a list; elements, integers or texts).
#[derive(Clone, Debug, PartialEq)]
pub struct LookupById {
    /// Vertices or edges.
    pub element: ElementKind,
    /// The ids.
    pub ids: Expr,
    /// The elements that ids name, and the treatment of ids that name none.
    pub mode: LookupMode,
    /// The new column.
    pub to: ColumnId,
}

/// The elements that the ids of a `LookupById` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupMode {
    /// Their elements, in the order of the ids. An integer passes whether it names an element or not.
    Unchecked,
    /// The same; ids that name no element are left out.
    Checked,
    /// The elements that a scan would list with an id that equals one of them: each once, by their places.
    /// Elements are no ids here, and numbers of any type are equal if their values are.
    Scanned {
        /// The form of the id that is compared.
        form: IdForm,
        /// Whether ids are asked to be a list. Where they are none, all elements are listed: what tests them fails.
        in_list: bool,
    },
}

/// A form in which an id is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdForm {
    /// As it is: an integer or a text.
    Id,
    /// As `NumberOfId` gives it.
    Number,
    /// As `ElementId` gives it.
    Text,
}

impl IdForm {
    /// All.
    pub const ALL: [IdForm; 3] = [IdForm::Id, IdForm::Number, IdForm::Text];

    /// The expression of it for an element.
    pub fn of(self, element: Expr) -> Expr {
        let id = Expr::Id(Box::new(element.clone()));
        match self {
            IdForm::Id => id,
            IdForm::Number => Expr::call(Function::NumberOfId, vec![id, element]),
            IdForm::Text => Expr::call(Function::ElementId, vec![id, element]),
        }
    }
}

impl Facts for LookupById {
    fn print(&self, printer: &Printer<'_>) -> String {
        let mode = match self.mode {
            LookupMode::Checked => "",
            LookupMode::Unchecked => " unchecked",
            LookupMode::Scanned { form: IdForm::Id, .. } => " as scanned",
            LookupMode::Scanned { form: IdForm::Number, .. } => " by number, as scanned",
            LookupMode::Scanned { form: IdForm::Text, .. } => " by text, as scanned",
        };
        let kind = match self.element {
            ElementKind::Vertex => "vertex",
            ElementKind::Edge => "edge",
        };
        format!("LookupById {} {kind} {}{mode}", printer.column(self.to), printer.expr(&self.ids))
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.ids]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        kinds_of(self.element, &[self.to])
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.to])
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }

    fn reads(&self, reads: &mut Reads) {
        // Which vertex an id names may depend on those that are made.
        match self.element {
            ElementKind::Vertex => reads.vertices = true,
            ElementKind::Edge => reads.edges = self.mode != LookupMode::Unchecked,
        }
    }
}
