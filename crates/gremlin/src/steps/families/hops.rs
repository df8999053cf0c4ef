//! Shared by the steps along edges.

use millrace_model::{Direction, Result};
use millrace_plan::{End, Expr, Loops, Name, op};

use crate::translate::{Call, Kind, Traversal};

/// Where a hop ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::steps) enum Reached {
    /// At the vertex behind the edge.
    Vertex,
    /// At the edge.
    Edge,
}

/// Goes along the edges of a vertex.
pub(in crate::steps) fn hop(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    direction: Direction,
    reached: Reached,
) -> Result<()> {
    hop_along(traversal, call, call.names()?, direction, reached)
}

/// The same along edges of some types; of all if there are none.
pub(in crate::steps) fn hop_along(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    types: Vec<Name>,
    direction: Direction,
    reached: Reached,
) -> Result<()> {
    let from = traversal.at(call)?.column;
    let types = Some(types).filter(|names| !names.is_empty());
    let to = traversal.plan.column("v");
    let edge = (reached == Reached::Edge).then(|| traversal.plan.column("e"));
    let loops = Loops::Twice;
    traversal.plan.push(op::Expand { from, types, direction, edge, to: Some(to), loops });
    match edge {
        None => traversal.moved(to, Kind::Vertex),
        Some(edge) => {
            traversal.moved(edge, Kind::Edge);
            traversal.state.other = Some(to);
        }
    }
    Ok(())
}

/// Goes to one end of an edge.
pub(in crate::steps) fn end_of(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    end: End,
) -> Result<()> {
    let edge = traversal.at(call)?.column;
    let to = traversal.plan.column("v");
    traversal.plan.push(op::Endpoints { edge, end, to });
    traversal.moved(to, Kind::Vertex);
    Ok(())
}

/// Goes to both ends of an edge.
pub(in crate::steps) fn both_ends(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let edge = traversal.at(call)?.column;
    let ends = [End::Source, End::Target].map(|end| {
        let to = traversal.plan.column("end");
        traversal.plan.push(op::Endpoints { edge, end, to });
        Expr::Column(to)
    });
    let to = traversal.plan.column("v");
    let list = Expr::List(ends.to_vec());
    traversal.plan.push(op::Unwind { list, to, position: None });
    traversal.moved(to, Kind::Vertex);
    Ok(())
}
