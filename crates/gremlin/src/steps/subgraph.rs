//! `subgraph(name)`: collects edges, with their ends, as a part of the graph.

use millrace_model::Result;
use millrace_plan::{End, Expr, SideFold, op};

use crate::steps::Step;
use crate::translate::{Call, SideEffectKind, Traversal, name};

pub(super) const STEP: Step = Step::new("subgraph", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let edge = traversal.at(call)?.column;
    let [argument] = call.arguments() else { return Err(call.wrong("takes one name")) };
    let name = name(call.instruction, argument)?;
    let mut parts = vec![Expr::Column(edge)];
    for end in [End::Source, End::Target] {
        let to = traversal.plan.column("end");
        traversal.plan.push(op::Endpoints { edge, end, to });
        parts.push(Expr::Column(to));
    }
    let (value, fold) = (Expr::List(parts), SideFold::List);
    traversal.plan.push(op::SideEffect { name: name.clone(), value, fold });
    traversal.shared.side_effects.insert(name, SideEffectKind::Subgraph);
    Ok(())
}
