//! `mergeE(map)`: the edges that are as a map says, or one made so.

use millrace_model::bytecode::Argument;
use millrace_model::{Direction, Result, Value};
use millrace_plan::{
    Comparison, Expr, Fold, Loops, Name, Op, Properties, ScanSource, Template, UnionPick,
};

use super::merging::{End, Wanted, check_options, in_turn, option, vertex};
use crate::steps::Step;
use crate::translate::{At, Call, Kind, Traversal};

pub(super) const STEP: Step = Step { name: "mergeE", modulators: &["option"], translate };

/// The type of edges that are made without one.
const DEFAULT_TYPE: &str = "edge";

/// The ends that are wanted, as columns; null where there is no such vertex.
#[derive(Clone, Copy)]
struct Ends {
    source: Option<At>,
    target: Option<At>,
}

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    check_options(call, &["onCreate", "onMatch", "outV", "inV"])?;
    let nothing = Argument::Value(Value::Null);
    let wanted = match call.arguments() {
        [] => return Err(call.refused("with a map that only the run knows is not supported")),
        [map] => Wanted::read(traversal, call, map)?,
        _ => return Err(call.wrong("takes one map")),
    };
    if wanted.id.is_some() {
        return Err(call.refused("with an id of one's own is not supported"));
    }
    let created = option(call, "onCreate")?.unwrap_or(&nothing);
    let created = Wanted::read(traversal, call, created)?;
    let all = wanted.with_created(call, created)?;
    let looked_for = Ends::of(traversal, call, &wanted)?;
    let made = Ends::of(traversal, call, &all)?;
    let to = At::new(traversal.plan.column("edge"), Kind::Edge);
    let find = |sub: &mut Traversal<'_>| find(sub, to, &wanted, looked_for);
    in_turn(traversal, call, to, find, |sub| create(sub, to, &all, made))?;
    traversal.moved(to.column, Kind::Edge);
    Ok(())
}

impl Ends {
    fn of(traversal: &mut Traversal<'_>, call: &Call<'_>, wanted: &Wanted) -> Result<Ends> {
        let source = end(traversal, call, wanted.source.as_ref(), "outV")?;
        let target = end(traversal, call, wanted.target.as_ref(), "inV")?;
        Ok(Ends { source, target })
    }
}

fn end(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    end: Option<&End>,
    name: &str,
) -> Result<Option<At>> {
    match (end, option(call, name)?) {
        (Some(End::Vertex(id)), _) => vertex(traversal, id.clone()).map(Some),
        (Some(End::Option), None) => {
            let detail = format!("does not specify option({name}) for the end it names");
            Err(call.wrong(detail))
        }
        (None, None) => Ok(None),
        (_, Some(Argument::Bytecode(inner))) => match traversal.state.at {
            Some(at) => traversal.first_of(at, inner).map(Some),
            None => traversal.first_from_nowhere(inner).map(Some),
        },
        (_, Some(map)) => {
            let wanted = Wanted::read(traversal, call, map)?;
            let found = At::new(traversal.plan.column(name), Kind::Vertex);
            let state = traversal.state.clone();
            let sub = traversal.sub_from(state, |sub| {
                super::merge_v::find(sub, found, &wanted);
                Ok(())
            })?;
            let to = traversal.plan.column("end");
            let fold = Fold::First(Expr::Column(found.column));
            let kind = millrace_plan::ApplyKind::Value { fold, to };
            traversal.plan.push(Op::Apply { sub: sub.pipeline, kind });
            Ok(Some(At::new(to, Kind::Vertex)))
        }
    }
}

/// The edges that are as wanted.
fn find(traversal: &mut Traversal<'_>, to: At, wanted: &Wanted, ends: Ends) {
    let types = wanted.label.clone().map(|label| vec![label]);
    let mut hop = |from: At, direction, other: Option<At>| {
        let reached = traversal.plan.column("reached");
        let (edge, loops) = (Some(to.column), Loops::Twice);
        let (from, types) = (from.column, types.clone());
        traversal.plan.push(Op::Expand { from, types, direction, edge, to: Some(reached), loops });
        if let Some(other) = other {
            let [reached, other] = [reached, other.column].map(Expr::Column);
            traversal.plan.filter(Expr::compare(Comparison::Equal, reached, other));
        }
    };
    match (ends.source, ends.target) {
        (Some(source), target) => hop(source, Direction::Out, target),
        (None, Some(target)) => hop(target, Direction::In, None),
        (None, None) => {
            let source = ScanSource::Edges(types);
            traversal.plan.push(Op::Scan { source, to: to.column });
        }
    }
    wanted.keep(traversal, to);
}

/// Makes an edge; an error where an end is not known.
fn create(traversal: &mut Traversal<'_>, to: At, all: &Wanted, ends: Ends) -> Result<()> {
    let mut missing = Vec::new();
    for (end, which) in [(ends.source, "Out"), (ends.target, "In")] {
        let is_missing = match end {
            None => Expr::literal(true),
            Some(at) => Expr::IsNull(Box::new(Expr::Column(at.column))),
        };
        let message = match end {
            None => format!("{which} Vertex not specified in mergeE"),
            Some(_) => format!("{which} Vertex id could not be resolved from mergeE"),
        };
        missing.push((is_missing, message));
    }
    let nowhere = traversal.plan.project("nowhere", Expr::Literal(Value::Null));
    let column = |end: Option<At>| end.map_or(nowhere, |at| at.column);
    let (source, target) = (column(ends.source), column(ends.target));
    let state = traversal.state.clone();
    let mut branches = Vec::new();
    let mut picks = Vec::new();
    for (is_missing, message) in missing {
        let sub = traversal.sub_from(state.clone(), |sub| {
            sub.plan.push(Op::Fail { message: Expr::literal(&*message) });
            sub.plan.push(Op::Project { columns: vec![(to.column, Expr::Literal(Value::Null))] });
            Ok(())
        })?;
        branches.push(sub.pipeline);
        picks.push(is_missing);
    }
    let made = traversal.sub_from(state, |sub| {
        let default: Name = DEFAULT_TYPE.into();
        let edge_type = all.label.clone().unwrap_or(default);
        let properties = Properties { keyed: all.properties.clone(), map: None };
        let template = Template::Edge { edge_type, source, target, properties };
        sub.plan.push(Op::Create { template, id: None, to: to.column });
        Ok(())
    })?;
    branches.push(made.pipeline);
    picks.push(Expr::literal(true));
    traversal.plan.push(Op::Union { branches, pick: UnionPick::First(picks) });
    Ok(())
}
