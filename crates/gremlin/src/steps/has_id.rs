//! `hasId(ids)`: keeps elements with one of some ids.

use millrace_bytecode::Argument;
use millrace_model::{Result, Token, Value};
use millrace_plan::{Expr, Function};

use crate::steps::{Fact, MANY, Parameters, Step};
use crate::translate::{Call, Traversal, elements};

pub(super) const STEP: Step = Step::new("hasId", translate)
    .arguments(1, MANY)
    .parameters(Parameters::All)
    .facts(&[Fact::ComparesIds, Fact::TestsElement]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let id = elements::token(at, Token::Id);
    let holds = match call.arguments() {
        [test @ Argument::Predicate(_)] => traversal.passes(call.instruction, id, test)?,
        ids => {
            let list = Expr::List(wanted(traversal, call, ids)?);
            let list = Expr::call(Function::Ids, vec![list]);
            Expr::InList { item: Box::new(id), list: Box::new(list) }
        }
    };
    traversal.plan.filter(holds).look_up();
    Ok(())
}

/// The ids of the arguments, as expressions; an element stands for its own id.
fn wanted(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    arguments: &[Argument],
) -> Result<Vec<Expr>> {
    let mut ids = Vec::new();
    for argument in arguments {
        match argument {
            Argument::List(inner) | Argument::Set(inner) => {
                ids.extend(wanted(traversal, call, inner)?);
            }
            Argument::Binding(_, inner) if is_element(inner) => {
                let element = traversal.value(call.instruction, argument)?;
                ids.push(Expr::Id(Box::new(element)));
            }
            _ => ids.extend(traversal.values(call.instruction, std::slice::from_ref(argument))?),
        }
    }
    Ok(ids)
}

fn is_element(argument: &Argument) -> bool {
    matches!(argument, Argument::Value(Value::Vertex(_) | Value::Edge(_)))
}
