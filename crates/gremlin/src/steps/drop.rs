//! `drop()`: deletes elements.

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Function, Op, Properties};

use super::properties::{is_property, parts};

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "drop", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    let at = traversal.at(call)?;
    if is_property(at) {
        let parts = parts(traversal, call)?;
        // Null is no property.
        let gone = Expr::List(vec![Expr::Column(parts.key), Expr::Literal(Value::Null)]);
        let map = Expr::call(Function::MapOfPairs, vec![Expr::List(vec![gone])]);
        let properties = Properties { keyed: Vec::new(), map: Some(map) };
        let element = parts.owner.column;
        traversal.plan.push(Op::Set { element, properties, replace: false });
        traversal.plan.push(Op::Range { from: 0, to: Some(0) });
        return Ok(());
    }
    traversal.plan.push(Op::Delete { element: Expr::Column(at.column), detach: true });
    traversal.plan.push(Op::Range { from: 0, to: Some(0) });
    Ok(())
}
