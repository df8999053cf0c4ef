//! `asString()`: values as text.

use millrace_model::Result;
use millrace_plan::functions::Wanted;
use millrace_plan::{End, Expr, Function, op};

use super::texts::{each, require};
use crate::steps::Step;
use crate::translate::{At, Call, Kind, Traversal, elements, scope};

pub(super) const STEP: Step = Step::new("asString", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (_, rest) = scope(call.arguments());
    if !rest.is_empty() {
        return Err(call.wrong("takes a scope or no argument"));
    }
    let at = traversal.at(call)?;
    let known = match at.kind {
        Kind::Edge => Some(edge(traversal, at)),
        Kind::Property => Some(property(traversal, at)),
        _ => None,
    };
    if let Some(text) = known {
        traversal.moved_to("asString", text, Kind::Scalar);
        return Ok(());
    }
    each(traversal, call, &|value| {
        let value = require(Wanted::Anything, value, Some("Can't parse null as String."), "");
        Expr::call(Function::Display, vec![value])
    })
}

/// `e[7][1-knows->2]`: only where it is known to be an edge are its ends at hand.
fn edge(traversal: &mut Traversal<'_>, at: At) -> Expr {
    let ends = [End::Source, End::Target].map(|end| {
        let to = traversal.plan.column("end");
        traversal.plan.push(op::Endpoints { edge: at.column, end, to });
        id(to)
    });
    let [source, target] = ends;
    let own = Box::new(Expr::Column(at.column));
    let parts = vec![
        Expr::literal("e["),
        id(at.column),
        Expr::literal("]["),
        source,
        Expr::literal("-"),
        Expr::EdgeType(own),
        Expr::literal("->"),
        target,
        Expr::literal("]"),
    ];
    Expr::call(Function::Concat, parts)
}

/// `vp[name->marko]`, of an edge `p[weight->0.5]`.
fn property(traversal: &Traversal<'_>, at: At) -> Expr {
    let of_vertex = elements::is_of_type(&Expr::Column(at.column), "vertex property");
    let start = Expr::Case {
        branches: vec![(of_vertex, Expr::literal("vp["))],
        otherwise: Some(Box::new(Expr::literal("p["))),
    };
    let value = Expr::call(Function::Display, vec![traversal.value_of(at)]);
    let parts = vec![start, traversal.key_of(at), Expr::literal("->"), value, Expr::literal("]")];
    Expr::call(Function::Concat, parts)
}

fn id(column: millrace_plan::ColumnId) -> Expr {
    Expr::call(Function::Display, vec![Expr::Id(Box::new(Expr::Column(column)))])
}
