//! Checks of a plan before any of it runs. Each operator checks itself; columns are checked where they are
//! placed.

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_plan::op::{Effect, bad_plan, unsupported};
use millrace_plan::{Call, ColumnId, LetId, Name, Op, Pipeline, Plan};

use crate::context::Procedures;
use crate::limits;

/// Checks everything but columns.
pub(super) fn check(plan: &Plan, procedures: &Procedures) -> Result<()> {
    for (number, binding) in plan.lets.iter().enumerate() {
        check_pipeline(plan, &binding.pipeline, procedures, 0)?;
        let later = |id: &&LetId| number <= id.0 as usize;
        if let Some(id) = binding.pipeline.lets_read().iter().find(later) {
            let name = &binding.name;
            return Err(bad_plan(format!(
                "Let {name} refers to Let {}, which does not run before it",
                id.0
            )));
        }
    }
    check_pipeline(plan, &plan.root, procedures, 0)
}

/// Refuses a plan that is too large for the rules, of which some take time with the square of its operators.
pub(super) fn check_size(pipeline: &Pipeline) -> Result<()> {
    if limits::OPERATORS_UNRULED_MAX < pipeline.ops.len() {
        return Err(too_long(limits::OPERATORS_UNRULED_MAX));
    }
    pipeline.ops.iter().flat_map(|op| op.subplans()).try_for_each(check_size)
}

fn too_long(most: usize) -> Error {
    let detail = format!("the plan has more than {most} operators in a row");
    let error = Error::new(ErrorKind::LimitReached, detail).in_phase(Phase::Compile);
    error.with_help("send several shorter queries")
}

fn check_pipeline(
    plan: &Plan,
    pipeline: &Pipeline,
    procedures: &Procedures,
    depth: usize,
) -> Result<()> {
    if limits::SUBPLAN_DEPTH_MAX < depth {
        let depth = limits::SUBPLAN_DEPTH_MAX;
        return Err(bad_plan(format!("subplans nest deeper than {depth} levels")));
    }
    let mut in_a_row = 0;
    for op in &pipeline.ops {
        in_a_row = if op.effect() == Some(Effect::Writes) { 0 } else { in_a_row + 1 };
        if limits::OPERATORS_IN_A_ROW_MAX < in_a_row {
            return Err(too_long(limits::OPERATORS_IN_A_ROW_MAX));
        }
        op.check(plan)?;
        if let Op::Call(call) = op {
            check_call(call, procedures)?;
        }
        op.subplans()
            .iter()
            .try_for_each(|sub| check_pipeline(plan, sub, procedures, depth + 1))?;
    }
    Ok(())
}

fn check_call(call: &Call, procedures: &Procedures) -> Result<()> {
    let name = &call.procedure;
    let Some((signature, _)) = procedures.named(name) else {
        let known: Vec<_> = procedures.signatures().iter().map(|known| &*known.name).collect();
        let help = format!("there are {}", known.join(", "));
        return Err(unsupported(&format!("the procedure {name}"), &help));
    };
    let (least, most) = (signature.arguments_min(), signature.arguments.len());
    let found = call.arguments.len();
    if !(least..=most).contains(&found) {
        let detail = format!("{name} takes {least} to {most} arguments and got {found}");
        return Err(bad_plan(detail));
    }
    if signature.writes != call.writes {
        return Err(bad_plan(format!(
            "the plan does not say that {name} writes, or wrongly says so"
        )));
    }
    let unknown = |(column, _): &&(Name, ColumnId)| signature.column(column).is_none();
    match call.yields.iter().find(unknown) {
        Some((column, _)) => Err(bad_plan(format!("{name} yields no {column}"))),
        None => Ok(()),
    }
}
