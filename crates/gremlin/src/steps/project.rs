//! `project(names)`: a map of the values of each `by`.

use millrace_model::Result;
use millrace_plan::Expr;

use crate::steps::{MANY, Step};
use crate::translate::{By, Call, Kind, Traversal};

pub(super) const STEP: Step =
    Step::new("project", translate).arguments(1, MANY).modulators(&["by"]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let bys = By::all(&call.modulators)?;
    let mut pairs = Vec::new();
    for (place, name) in call.names()?.into_iter().enumerate() {
        let by = bys.get(place % bys.len().max(1)).unwrap_or(&By::Identity);
        let found = traversal.by_column(by, at)?;
        pairs.push((name, Expr::Column(found.column)));
    }
    traversal.moved_to("projected", Expr::Map(pairs), Kind::Map);
    Ok(())
}
