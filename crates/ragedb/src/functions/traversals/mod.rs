//! `Traversal`: steps put behind one another, one plan at their end.
//!
//! The table's functions are the methods too: `Traversal.out(t, "LIKES")` is `t:out("LIKES")`. A step
//! gives a new traversal and leaves its own as it is, so a beginning may be used twice. Only the
//! functions of [`ENDS`] run anything.

mod ends;
mod starts;
mod steps;

use millrace_plan::Plan;
use mlua::{MetaMethod, MultiValue, UserData, UserDataMethods};

pub(super) use ends::ENDS;
pub(super) use starts::STARTS;
pub(super) use steps::STEPS;

use crate::arguments::Arguments;
use crate::limits::TRAVERSAL_STEPS_MAX;
use crate::session::Session;
use crate::traversal::{self, Bound, End, Output, Step, Steps, Traversal};

impl UserData for Traversal {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        for function in STEPS.functions.iter().chain(ENDS.functions) {
            let (name, call) = (function.name, function.call);
            let method = name.split_once('.').map_or(name, |(_, method)| method);
            methods.add_function(method, move |lua, values: MultiValue| {
                call(lua, Arguments::new(name, values))
            });
        }
        methods.add_meta_method(MetaMethod::ToString, |lua, traversal, ()| {
            let steps = &traversal.steps;
            if steps.is_of_a_round() {
                return Ok("a round's traversal".to_owned());
            }
            let end = rows(steps);
            Ok(plan(&mut *Session::of(lua)?, steps, &end).to_string())
        });
    }
}

/// The traversal that a step or an end is called on.
fn receiver(arguments: &mut Arguments) -> mlua::Result<Steps> {
    Ok(arguments.receiver::<Traversal>("a Traversal")?.steps.clone())
}

/// The end that gives all of a traversal's rows.
fn rows(steps: &Steps) -> End {
    match steps.output() {
        Output::Vertices { .. } => End::Ids,
        Output::CountedVertices | Output::CountedValues => End::Counts,
    }
}

fn bound(session: &mut Session, steps: &Steps, end: &End) -> Bound {
    traversal::traversal(&session.catalog(), steps, end)
}

fn plan(session: &mut Session, steps: &Steps, end: &End) -> Plan {
    bound(session, steps, end).plan
}

/// A traversal one step longer, if it may be so long.
fn longer(function: &str, steps: &Steps, step: Step) -> mlua::Result<Steps> {
    let longer = steps.with(step);
    if longer.size() <= TRAVERSAL_STEPS_MAX {
        return Ok(longer);
    }
    let most = TRAVERSAL_STEPS_MAX;
    Err(mlua::Error::runtime(format!("{function}: a traversal has at most {most} steps")))
}

fn refusal<T>(function: &str, why: &str) -> mlua::Result<T> {
    Err(mlua::Error::runtime(format!("{function}: {why}")))
}

/// Fails for a traversal of counted values: the function needs vertices.
fn must_have_vertices(function: &str, steps: &Steps) -> mlua::Result<()> {
    match steps.output() {
        Output::Vertices { .. } | Output::CountedVertices => Ok(()),
        Output::CountedValues => refusal(function, "the counts are of values, not of nodes"),
    }
}

/// Fails for a counted traversal: the function cannot follow `groupCount`.
fn must_not_be_counted(function: &str, steps: &Steps) -> mlua::Result<()> {
    match steps.output() {
        Output::Vertices { .. } => Ok(()),
        Output::CountedVertices | Output::CountedValues => {
            refusal(function, "comes before groupCount, not after it")
        }
    }
}
