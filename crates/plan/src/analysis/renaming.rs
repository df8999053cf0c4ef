//! Which plans may end a vertex, or change the data by which a vertex is found.
//!
//! A cache of look-up results is dropped when such a plan runs. When in doubt, a plan may.

use super::elements::element_columns;
use crate::plan::Plan;

/// Whether running the plan may make a known vertex disappear, or be found by other values.
/// Making new elements does neither.
pub fn may_rename_vertices(plan: &Plan) -> bool {
    let elements = element_columns(plan);
    let mut may = false;
    for pipeline in plan.pipelines() {
        pipeline.visit_ops(&mut |op| may |= op.may_rename_vertices(&elements));
    }
    may
}

#[cfg(test)]
mod tests {
    use millrace_model::compare::CompareMode;

    use super::*;
    use crate::base::ElementKind;
    use crate::builder::PlanBuilder;
    use crate::expr::Expr;
    use crate::op::{self, Definition, OwnerName, Properties, Template};

    fn deleting(kind: ElementKind) -> Plan {
        let mut plan = PlanBuilder::new(CompareMode::Plain);
        let id = plan.parameter("id");
        let element = plan.ids(kind, Expr::Parameter(id), "x");
        plan.push(op::Delete { element: Expr::Column(element), detach: true });
        plan.finish(Vec::new())
    }

    #[test]
    fn vertices_are_renamed_by_what_changes_vertices_or_the_catalog() {
        assert!(may_rename_vertices(&deleting(ElementKind::Vertex)));
        assert!(!may_rename_vertices(&deleting(ElementKind::Edge)));
        let mut plan = PlanBuilder::new(CompareMode::Plain);
        let to = plan.column("v");
        let template = Template::Vertex { labels: Vec::new(), properties: Properties::default() };
        plan.push(op::Create { template, id: None, to });
        assert!(!may_rename_vertices(&plan.finish(Vec::new())));
        let mut plan = PlanBuilder::new(CompareMode::Plain);
        let definition = Definition::DropOwner(OwnerName::Label("A".into()));
        plan.push(op::Define { definition });
        assert!(may_rename_vertices(&plan.finish(Vec::new())));
    }
}
