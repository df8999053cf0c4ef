//! What can be wrong with a plan before any of it runs; columns are checked where they are placed.

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_plan::op::RowsSource;
use millrace_plan::{
    Call, ColumnId, Intersect, Languages, LetId, Name, Op, PathMode, PathPattern, Pipeline, Plan,
    RecursiveExpand, UnionPick,
};

use crate::limits;
use crate::procedures;

/// An error in a plan.
pub(super) fn bad_plan(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile)
}

/// Checks everything but columns.
pub(super) fn check(plan: &Plan) -> Result<()> {
    for (number, binding) in plan.lets.iter().enumerate() {
        check_pipeline(plan, &binding.pipeline, 0)?;
        let later = |id: &&LetId| number <= id.0 as usize;
        if let Some(id) = binding.pipeline.lets_read().iter().find(later) {
            let name = &binding.name;
            return Err(bad_plan(format!(
                "Let {name} refers to Let {}, which does not run before it",
                id.0
            )));
        }
    }
    check_pipeline(plan, &plan.root, 0)
}

fn check_pipeline(plan: &Plan, pipeline: &Pipeline, depth: usize) -> Result<()> {
    if limits::SUBPLAN_DEPTH_MAX < depth {
        let depth = limits::SUBPLAN_DEPTH_MAX;
        return Err(bad_plan(format!("subplans nest deeper than {depth} levels")));
    }
    for op in &pipeline.ops {
        check_op(plan, op)?;
        op.subplans().iter().try_for_each(|sub| check_pipeline(plan, sub, depth + 1))?;
    }
    Ok(())
}

fn check_op(plan: &Plan, op: &Op) -> Result<()> {
    match op {
        Op::Seek { keys, values, .. } if keys.len() != values.len() => {
            let (keys, values) = (keys.len(), values.len());
            Err(bad_plan(format!("a Seek has {keys} keys and {values} values")))
        }
        Op::Rows { source, to } => check_rows(plan, source, to.len()),
        Op::LetRef { name, .. } if plan.lets.len() <= name.0 as usize => {
            Err(bad_plan(format!("the plan has no Let {}", name.0)))
        }
        Op::Union { branches, pick: UnionPick::First(conditions) } => {
            check_branches(branches.len(), conditions.len())
        }
        Op::Range { from, to: Some(to) } if to < from => {
            Err(bad_plan(format!("a Range ends at {to} and starts at {from}")))
        }
        Op::PathExpand { path, .. } => check_path(path),
        Op::Fields { languages: Some(Languages::First(languages)), .. } if languages.is_empty() => {
            Err(bad_plan("fields are wanted in the first of no languages"))
        }
        Op::Join { right, .. } if right.has_effect() => {
            Err(has_effect("a Join with a subplan", "before the Join"))
        }
        Op::Call(call) => check_call(call),
        Op::RecursiveExpand(recurse) => check_recurse(recurse),
        Op::Intersect(intersect) => check_arms(intersect),
        Op::Group { sub, .. } if !sub.only_random() => {
            Err(has_effect("a Group with a subplan", "behind the Group"))
        }
        Op::Scan { .. }
        | Op::Seek { .. }
        | Op::LookupById { .. }
        | Op::LetRef { .. }
        | Op::Expand { .. }
        | Op::ExpandInto { .. }
        | Op::TrailEndpoints { .. }
        | Op::PathStep { .. }
        | Op::Endpoints { .. }
        | Op::Fields { .. }
        | Op::Filter { .. }
        | Op::Project { .. }
        | Op::Unwind { .. }
        | Op::UnwindValues { .. }
        | Op::Aggregate { .. }
        | Op::Lookup(_)
        | Op::Random(_)
        | Op::Fold { .. }
        | Op::Dedup { .. }
        | Op::Sort { .. }
        | Op::TopK { .. }
        | Op::Range { .. }
        | Op::Tail { .. }
        | Op::Join { .. }
        | Op::Group { .. }
        | Op::Repeat(_)
        | Op::Fail { .. }
        | Op::Barrier { .. }
        | Op::Union { .. }
        | Op::Apply { .. }
        | Op::SideEffect { .. }
        | Op::Create { .. }
        | Op::Merge { .. }
        | Op::Set { .. }
        | Op::Remove { .. }
        | Op::Delete { .. }
        | Op::Define { .. } => Ok(()),
    }
}

fn has_effect(what: &str, place: &str) -> Error {
    unsupported(&format!("{what} that has an effect"), &format!("put the effect {place}"))
}

fn check_arms(intersect: &Intersect) -> Result<()> {
    match intersect.arms.as_slice() {
        [] => Err(bad_plan("an Intersect of no vertices")),
        [_, ..] => Ok(()),
    }
}

fn check_recurse(recurse: &RecursiveExpand) -> Result<()> {
    let (steps, next) = (recurse.steps.len(), recurse.next.len());
    if steps != next {
        return Err(bad_plan(format!(
            "a RecursiveExpand has {steps} steps and {next} ends of steps"
        )));
    }
    if recurse.loops && recurse.depth.is_none() {
        return Err(bad_plan(
            "a RecursiveExpand that goes edges again needs a depth, or it never ends",
        ));
    }
    if recurse.steps.iter().any(Pipeline::has_effect) {
        return Err(has_effect("a RecursiveExpand with a step", "behind the RecursiveExpand"));
    }
    Ok(())
}

fn check_call(call: &Call) -> Result<()> {
    let name = &call.procedure;
    let Some(procedure) = procedures::named(name) else {
        let known: Vec<_> = procedures::all().iter().map(|known| known.name()).collect();
        let help = format!("there are {}", known.join(", "));
        return Err(unsupported(&format!("the procedure {name}"), &help));
    };
    let (found, wanted) = (call.arguments.len(), procedure.arguments());
    if !wanted.contains(&found) {
        let (least, most) = (wanted.start(), wanted.end());
        let detail = format!("{name} takes {least} to {most} arguments and got {found}");
        return Err(bad_plan(detail));
    }
    let unknown = |(column, _): &&(Name, ColumnId)| !procedure.yields().contains(&&**column);
    match call.yields.iter().find(unknown) {
        Some((column, _)) => Err(bad_plan(format!("{name} yields no {column}"))),
        None => Ok(()),
    }
}

fn check_branches(branches: usize, conditions: usize) -> Result<()> {
    if branches == conditions {
        return Ok(());
    }
    Err(bad_plan(format!("a Union has {branches} branches and {conditions} conditions")))
}

fn check_rows(plan: &Plan, source: &RowsSource, wanted: usize) -> Result<()> {
    match source {
        RowsSource::Literal(rows) => match rows.iter().find(|row| row.len() != wanted) {
            Some(row) => {
                let found = row.len();
                Err(bad_plan(format!("a literal row has {found} of {wanted} values")))
            }
            None => Ok(()),
        },
        RowsSource::Parameter(parameter) => {
            if plan.parameters.len() <= parameter.0 as usize {
                return Err(bad_plan(format!("the plan has no parameter {}", parameter.0)));
            }
            Ok(())
        }
    }
}

fn unsupported(what: &str, help: &str) -> Error {
    Error::new(ErrorKind::Unsupported, what).with_help(help).in_phase(Phase::Compile)
}

/// There are endless walks; and the shortest way of more than one edge at least is no way that a
/// search for the shortest finds.
fn check_path(path: &PathPattern) -> Result<()> {
    match path {
        PathPattern { ways: PathMode::Walk, max: None, .. } => {
            Err(bad_plan("a walk needs a greatest length, or it never ends"))
        }
        PathPattern { radius: Some(0), .. } => {
            Err(bad_plan("a path of radius 0 could walk no edge: the radius is at least 1"))
        }
        PathPattern { min, max: Some(max), .. } if max < min => {
            Err(bad_plan(format!("a path has at least {min} edges and at most {max}")))
        }
        PathPattern { ways, min: 2.., .. } if ways.is_shortest() => Err(unsupported(
            "a shortest path of two edges or more at least",
            "ask for the cheapest trail without a weight",
        )),
        PathPattern { ways, weight: Some(_), .. } if ways.is_shortest() => Err(unsupported(
            "a shortest path by a weight",
            "ask for the cheapest trail or acyclic path",
        )),
        PathPattern { .. } => Ok(()),
    }
}
