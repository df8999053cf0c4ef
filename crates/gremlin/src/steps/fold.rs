//! `fold()`: all objects as one list; `fold(seed, operator)`: put to a first value, one after the other.

use millrace_model::Result;
use millrace_plan::{Expr, Function};

use crate::steps::{Fact, Step};
use crate::translate::{Call, Kind, Traversal, reduction};

pub(super) const STEP: Step = Step::new("fold", translate).facts(&[Fact::Waits, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let list = traversal.collect_list(Expr::Column(at.column));
    match call.arguments() {
        [] => traversal.reduced(list, Kind::List),
        [seed, operator] => {
            let seed = match seed {
                // An empty map is read as a map of arguments.
                millrace_bytecode::Argument::Map(pairs) if pairs.is_empty() => {
                    Expr::Literal(millrace_model::Value::map(Vec::new()))
                }
                seed => traversal.value(call.instruction, seed)?,
            };
            let function = Function::Reduce(reduction(call.instruction, operator)?);
            let folded = Expr::call(function, vec![seed, Expr::Column(list)]);
            let column = traversal.project("folded", folded);
            traversal.reduced(column, Kind::Any);
        }
        _ => return Err(call.wrong("takes no argument, or a first value and an operator")),
    }
    Ok(())
}
