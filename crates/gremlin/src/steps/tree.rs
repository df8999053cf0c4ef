//! `tree()`: the ways of all traversers as a tree; with a name, beside the traversal.

use millrace_model::Result;
use millrace_plan::{Expr, Function, SideFold, op};

use super::path::{objects_by, part};
use crate::steps::{Fact, Step};
use crate::translate::{By, Call, Kind, SideEffectKind, Traversal};

pub(super) const STEP: Step =
    Step::new("tree", translate).modulators(&["by"]).facts(&[Fact::NeedsPath]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let path = part(traversal, call)?;
    let bys = By::all(&call.modulators)?;
    let way = match bys.as_slice() {
        [] => Expr::call(Function::Objects, vec![path]),
        bys => {
            let path = traversal.project("path", path);
            Expr::Column(objects_by(traversal, path, bys)?)
        }
    };
    match call.names()?.as_slice() {
        [] => {
            let ways = traversal.collect_list(way);
            let tree = Expr::call(Function::TreeOf, vec![Expr::Column(ways)]);
            let tree = traversal.project("tree", tree);
            traversal.reduced(tree, Kind::Scalar);
        }
        [name] => {
            let fold = SideFold::List;
            traversal.plan.push(op::SideEffect { name: name.clone(), value: way, fold });
            traversal.shared.side_effects.insert(name.clone(), SideEffectKind::Tree);
        }
        _ => return Err(call.wrong("takes one name")),
    }
    Ok(())
}
