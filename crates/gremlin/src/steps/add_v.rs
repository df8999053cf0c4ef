//! `addV(label)`: makes a vertex.

use millrace_model::Result;
use millrace_plan::{Op, Template};

use super::given::{Given, given};
use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal, elements, name, name_of};

pub(super) const STEP: Step = Step { name: "addV", modulators: &["property"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 1)?;
    if call.traversal().is_some() {
        return Err(call.refused("with a label that only the run knows is not supported"));
    }
    let label = match call.arguments().first() {
        None => name_of(elements::DEFAULT_LABEL),
        Some(label) => name(call.instruction, label)?,
    };
    let Given { id, label: own, properties } = given(traversal, call, Kind::Vertex)?;
    let label = own.unwrap_or(label);
    let to = traversal.plan.column("vertex");
    let template = Template::Vertex { labels: vec![label], properties };
    traversal.plan.push(Op::Create { template, id, to });
    traversal.moved(to, Kind::Vertex);
    Ok(())
}
