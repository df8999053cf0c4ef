//! `hasId(ids)`: keeps elements with one of some ids.

use millrace_model::bytecode::Argument;
use millrace_model::{Result, Token};
use millrace_plan::{Expr, Function};

use crate::steps::Step;
use crate::translate::{Call, Traversal, elements};

pub(super) const STEP: Step = Step { name: "hasId", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(1, usize::MAX)?;
    let at = traversal.at(call)?;
    let id = elements::token(at, Token::Id);
    let holds = match call.arguments() {
        [test @ Argument::Predicate(_)] => traversal.passes(call.instruction, id, test)?,
        ids => {
            let list = Expr::List(traversal.values(call.instruction, ids)?);
            let list = Expr::call(Function::Ids, vec![list]);
            Expr::InList { item: Box::new(id), list: Box::new(list) }
        }
    };
    traversal.plan.filter(holds).look_up();
    Ok(())
}
