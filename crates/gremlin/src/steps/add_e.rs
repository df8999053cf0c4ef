//! `addE(type)`: makes an edge.

use millrace_model::bytecode::Argument;
use millrace_model::{Result, Value};
use millrace_plan::{ColumnId, ElementKind, Expr, Op, Template};

use super::given::{Given, given};
use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal, name, wrong};

pub(super) const STEP: Step =
    Step { name: "addE", modulators: &["property", "from", "to"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(1, 1)?;
    if call.traversal().is_some() {
        return Err(call.refused("with a label that only the run knows is not supported"));
    }
    let edge_type = name(call.instruction, &call.arguments()[0])?;
    let source = end(traversal, call, "from")?;
    let target = end(traversal, call, "to")?;
    let Given { id, label, properties } = given(traversal, call, Kind::Edge)?;
    let edge_type = label.unwrap_or(edge_type);
    if id.is_some() {
        return Err(call.refused("with an id of one's own is not supported"));
    }
    let to = traversal.plan.column("edge");
    let template = Template::Edge { edge_type, source, target, properties };
    traversal.plan.push(Op::Create { template, id: None, to });
    traversal.moved(to, Kind::Edge);
    Ok(())
}

fn end(traversal: &mut Traversal<'_>, call: &Call<'_>, which: &'static str) -> Result<ColumnId> {
    let Some(modulator) = call.modulated(which).last() else {
        return traversal.at(call).map(|at| at.column);
    };
    match modulator.arguments.as_slice() {
        [Argument::Value(Value::String(name))] => {
            super::select::tag(traversal, call, name).map(|at| at.column)
        }
        [Argument::Bytecode(inner)] => {
            let found = match traversal.state.at {
                Some(at) => traversal.first_of(at, inner)?,
                None => traversal.first_from_nowhere(inner)?,
            };
            Ok(found.column)
        }
        [vertex] => {
            let ids = traversal.value(modulator, vertex)?;
            Ok(traversal.plan.ids(ElementKind::Vertex, Expr::List(vec![ids]), which))
        }
        _ => Err(wrong(modulator, "takes a tag, a traversal or a vertex")),
    }
}
