//! Elements found, or else made.

use super::{Label, Template};
use crate::base::{ColumnId, ColumnSet, ElementKind};
use crate::expr::Expr;
use crate::op::facts::{Distinct, Effect, Facts, Reads, Writes, and_made, kinds_of};
use crate::op::{Demand, KnownKinds, MadeKinds, Properties};
use crate::printer::Printer;

/// Finds elements by keys or ends, or makes one: all rows at once, equal keys make one.
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    /// The element to match, and to make where there is none: labels or type, ends, `properties.keyed`.
    pub template: Template,
    /// More properties of a made element; their values may read `to`.
    pub on_create: Properties,
    /// Properties set on found elements; their values may read `to`.
    pub on_match: Properties,
    /// The new column.
    pub to: ColumnId,
    /// A new column: whether it was made.
    pub created: Option<ColumnId>,
}

impl Merge {
    fn options(&self) -> impl Iterator<Item = &Expr> {
        self.on_create.exprs().chain(self.on_match.exprs())
    }
}

impl Facts for Merge {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!(
            "Merge {} {} on create {} on match {}{}",
            printer.column(self.to),
            self.template.print(printer),
            self.on_create.print(printer),
            self.on_match.print(printer),
            printer.optional(" created as ", self.created)
        )
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.template.exprs().chain(self.options()).collect()
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.template.ends()
    }

    /// Its options also read the element it gives, which is nothing of its input.
    fn read_by_itself(&self) -> ColumnSet {
        let mut columns = ColumnSet::new();
        self.options().for_each(|expr| expr.read_columns(&mut columns));
        columns.remove(&self.to);
        self.template.exprs().for_each(|expr| expr.read_columns(&mut columns));
        columns.extend(self.columns_by_name());
        columns
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        std::iter::once(self.to).chain(self.created).collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        vec![&mut self.created]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        let mut kinds = kinds_of(self.template.kind(), &[self.to]);
        kinds.extend(self.created.map(|column| (column, None)));
        kinds
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.to])
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }

    fn reads(&self, reads: &mut Reads) {
        reads.add_elements(self.template.kind());
        reads.records |= self.template.kind() == ElementKind::Edge;
        reads.keys.add(self.template.properties());
        if let Template::Vertex { labels, .. } = &self.template {
            reads.labels.all |= labels.iter().any(|label| label.known().is_none());
            reads.labels.names.extend(labels.iter().filter_map(Label::known).cloned());
        }
    }

    fn writes(&self, writes: &mut Writes) {
        writes.add_elements(self.template.kind());
        writes.keys.add(&self.on_match);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Op;

    #[test]
    fn options_of_a_merge_read_its_element_and_its_template_does_not() {
        let [input, element] = [ColumnId(0), ColumnId(1)];
        let keyed = |column| Properties {
            keyed: vec![("k".into(), Expr::property(column, "k"))],
            map: None,
        };
        let merge = |matched| {
            Op::Merge(Merge {
                template: Template::Vertex { labels: Vec::new(), properties: keyed(matched) },
                on_create: keyed(element),
                on_match: keyed(input),
                to: element,
                created: None,
            })
        };
        assert_eq!(merge(input).read_columns(), ColumnSet::from([input]));
        assert_eq!(merge(element).read_columns(), ColumnSet::from([input, element]));
    }
}
