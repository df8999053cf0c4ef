//! `addE(type)`: makes an edge.

use millrace_bytecode::Argument;
use millrace_model::{Result, Value};
use millrace_plan::functions::Wanted;
use millrace_plan::{ColumnId, Expr, Label, Template, op};

use super::property_arguments::{NewElement, new_element};
use super::texts::require;
use crate::steps::{Fact, Step};
use crate::translate::{At, Call, Kind, Traversal, elements, wrong};

pub(super) const STEP: Step = Step::new("addE", translate)
    .arguments(1, 1)
    .modulators(&["property", "from", "to", "with"])
    .facts(&[Fact::NamesTypes, Fact::Writes, Fact::Creates]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let edge_type = super::property_arguments::label(traversal, call, &call.arguments()[0])?;
    let source = end(traversal, call, "from")?;
    let target = end(traversal, call, "to")?;
    let NewElement { id, label, properties } = new_element(traversal, call, Kind::Edge)?;
    let edge_type = label.map_or(edge_type, Label::Known);
    let to = traversal.plan.column("edge");
    let template = Template::Edge { edge_type, source, target, properties, must_have_ends: None };
    traversal.plan.push(op::Create { template, id, to });
    traversal.moved(to, Kind::Edge);
    Ok(())
}

/// An end of the edge: the object of the traverser, of a tag or of a traversal, or a vertex by its id.
fn end(traversal: &mut Traversal<'_>, call: &Call<'_>, which: &'static str) -> Result<ColumnId> {
    let Some(modulator) = call.modulated(which).last() else {
        let at = traversal.at(call)?;
        return must_vertex(traversal, call, which, at);
    };
    let at = match modulator.arguments.as_slice() {
        [Argument::Value(Value::String(name))] => super::select::tag(traversal, call, name)?,
        [Argument::Bytecode(inner)] => match traversal.state.at {
            Some(at) => traversal.first_of(at, inner)?,
            None => traversal.first_from_nowhere(inner)?,
        },
        [vertex] => {
            let id = traversal.value(modulator, vertex)?;
            At::new(traversal.plan.project("id", id), Kind::Any)
        }
        _ => return Err(wrong(modulator, "takes a tag, a traversal or a vertex")),
    };
    must_vertex(traversal, call, which, at)
}

/// The vertex at an end, or that an id there names; an error where there is none.
fn must_vertex(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    which: &str,
    at: At,
) -> Result<ColumnId> {
    let message = format!(
        "The value given to {}().{which}() must resolve to a Vertex or the ID of a Vertex present in \
         the graph",
        call.instruction.name
    );
    let mut own = Expr::Column(at.column);
    if at.kind != Kind::Vertex {
        let is_edge = elements::is_of_type(&own, "edge");
        let branches = vec![(is_edge, Expr::Literal(Value::Null))];
        let id = Expr::Case { branches, otherwise: Some(Box::new(own)) };
        own = Expr::Column(super::merging::vertex(traversal, id)?.column);
    }
    let vertex = require(Wanted::Vertex, own, Some(&message), &message);
    Ok(traversal.plan.project(which, vertex))
}
