//! `otherV()`: to the end of an edge that the traverser did not come from.

use millrace_model::Result;
use millrace_plan::{Comparison, End, Expr, Function, op};

use super::path::entry_at;
use crate::steps::{Fact, Leads, Step};
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("otherV", translate)
    .arguments(0, 0)
    .leads(Leads::Vertices)
    .facts(&[Fact::NeedsOrigin]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    match (traversal.state.other, traversal.state.path) {
        (Some(other), _) => traversal.moved(other, Kind::Vertex),
        (None, Some(path)) => {
            let [source, target] = [End::Source, End::Target].map(|end| {
                let to = traversal.plan.column("end");
                traversal.plan.push(op::Endpoints { edge: at.column, end, to });
                Expr::Column(to)
            });
            let objects = Expr::call(Function::Objects, vec![Expr::Column(path)]);
            let from_source =
                Expr::compare(Comparison::Equal, entry_at(objects, -2), source.clone());
            let other = Expr::Case {
                branches: vec![(from_source, target)],
                otherwise: Some(Box::new(source)),
            };
            traversal.moved_to("other", other, Kind::Vertex);
        }
        (None, None) => return Err(call.refused("needs an edge that the traverser came to")),
    }
    Ok(())
}
