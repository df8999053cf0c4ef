//! `addV(label)`: makes a vertex.

use millrace_model::Result;
use millrace_plan::{Label, Template, op};

use super::property_arguments::{NewElement, new_element};
use crate::steps::{Fact, Step};
use crate::translate::{Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step::new("addV", translate)
    .arguments(0, 1)
    .modulators(&["property", "with"])
    .facts(&[Fact::NamesLabels, Fact::Writes, Fact::Creates]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let label = match call.arguments().first() {
        None => elements::DEFAULT_LABEL.into(),
        Some(label) => super::property_arguments::label(traversal, call, label)?,
    };
    let NewElement { id, label: own, properties } = new_element(traversal, call, Kind::Vertex)?;
    let label = own.map_or(label, Label::Known);
    let to = traversal.plan.column("vertex");
    let template = Template::Vertex { labels: vec![label], properties };
    traversal.plan.push(op::Create { template, id, to });
    traversal.moved(to, Kind::Vertex);
    Ok(())
}
