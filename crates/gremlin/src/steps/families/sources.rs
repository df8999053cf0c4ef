//! Shared by `V` and `E`.

use millrace_model::Result;
use millrace_plan::{ElementKind, Expr, Function, LookupMode, ScanSource, op};

use crate::translate::{Call, Kind, Traversal};

/// All elements, or those of some ids.
pub(in crate::steps) fn elements(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    element: ElementKind,
) -> Result<()> {
    let kind = match element {
        ElementKind::Vertex => Kind::Vertex,
        ElementKind::Edge => Kind::Edge,
    };
    let to = traversal.plan.column(if kind == Kind::Vertex { "v" } else { "e" });
    if call.arguments().is_empty() {
        let source = match element {
            ElementKind::Vertex => ScanSource::Vertices(None),
            ElementKind::Edge => ScanSource::Edges(None),
        };
        traversal.plan.push(op::Scan { source, to });
    } else {
        let ids = Expr::List(traversal.values(call.instruction, call.arguments())?);
        let ids = Expr::call(Function::Ids, vec![ids]);
        traversal.plan.push(op::LookupById { element, ids, mode: LookupMode::Checked, to });
    }
    traversal.moved(to, kind);
    Ok(())
}
