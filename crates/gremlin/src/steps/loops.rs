//! `loops()`: how often the traverser went round.

use millrace_model::Result;
use millrace_plan::{Expr, Function};

use crate::steps::{Fact, Step};
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("loops", translate).facts(&[Fact::AsksTraverser]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let names = call.names()?;
    let mut loops = traversal.state.loops.iter().rev();
    let found = match names.first() {
        None => loops.next(),
        Some(name) => loops.find(|(own, _)| own.as_ref() == Some(name)),
    };
    let Some((_, column)) = found else {
        return Err(call.wrong("is not inside a repeat() of that name"));
    };
    let rounds = Expr::call(Function::ToInt, vec![Expr::Column(*column)]);
    traversal.moved_to("loops", rounds, Kind::Scalar);
    Ok(())
}
