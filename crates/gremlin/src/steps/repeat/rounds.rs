//! `repeat` with `times`, `until` and `emit`, before or behind it.
//!
//! The state of traversers gets columns of its own inside, which go from round to round. A test is a
//! column too: its result before the first round, and at the end of each.

use std::collections::BTreeSet;

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::{Result, Value};
use millrace_plan::{Carried, ColumnId, Expr, Name, Pipeline, Repeat, RoundPlace, RoundTest};

use crate::steps::{LIST, inject, is_call_of};
use crate::translate::{At, Call, Kind, State, Tag, Traversal, integer, name, set_tags, wrong};

/// The modulators of a `repeat`.
#[derive(Default)]
struct Modulators<'a> {
    times: Option<u64>,
    until: Option<Test<'a>>,
    emit: Option<Test<'a>>,
}

/// A test, and when it is asked.
#[derive(Clone, Copy)]
struct Test<'a> {
    argument: Option<&'a Argument>,
    of: &'a Instruction,
    place: RoundPlace,
}

/// A test as a column that goes from round to round.
struct Asked {
    carried: Carried,
    place: RoundPlace,
}

/// Adds the rounds.
pub(super) fn repeat(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let (loop_name, body) = match call.arguments() {
        [Argument::Bytecode(body)] => (None, body),
        [own, Argument::Bytecode(body)] => (Some(name(call.instruction, own)?), body),
        _ => return Err(call.wrong("takes a traversal")),
    };
    if body.steps.iter().any(|step| is_call_of(step, &inject::STEP)) {
        return Err(call.wrong("The parent of inject()-step can not be repeat()-step"));
    }
    let modulators = Modulators::of(call)?;
    prepare_tags(traversal, body);
    traversal.sack();
    let none = traversal.plan.column("rounds");
    // Kinds must hold in every round, so those at the end of the body are joined in until none changes.
    for _ in 0..4 {
        let mut wider = traversal.state.clone();
        let built = rounds(traversal, call, (loop_name.clone(), body), &modulators, none)?;
        if !wider.join_kinds(&built.end) {
            traversal.plan.push(built.repeat);
            traversal.state = built.behind;
            return Ok(());
        }
        traversal.state = wider;
    }
    Err(call.wrong("has a body whose results never have one kind"))
}

/// A tag that the body sets may be set again in each round: it is a list from the start.
fn prepare_tags(traversal: &mut Traversal<'_>, body: &Bytecode) {
    let mut set = BTreeSet::new();
    set_tags(&LIST, body, &mut set);
    for name in set {
        let tag = match traversal.state.tags.get(&name).copied() {
            Some(tag) => Tag {
                at: At::new(traversal.tag_as_list(tag), Kind::Any),
                many: true,
                may_miss: true,
            },
            None => {
                let none = traversal.plan.project(&name, Expr::Literal(Value::Null));
                Tag { at: At::new(none, Kind::Any), many: true, may_miss: true }
            }
        };
        traversal.state.tags.insert(name, tag);
    }
}

struct Built {
    repeat: Repeat,
    /// The state of traversers behind it.
    behind: State,
    /// The same at the end of the body.
    end: State,
}

fn rounds(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    (loop_name, body): (Option<Name>, &Bytecode),
    modulators: &Modulators<'_>,
    rounds: ColumnId,
) -> Result<Built> {
    let mut before = traversal.state.clone();
    let mut inside = before.clone();
    inside.other = None;
    inside.property = None;
    for column in inside.columns() {
        *column = traversal.plan.column("carried");
    }
    let until = ask_before(traversal, modulators.until)?;
    let emit = ask_before(traversal, modulators.emit)?;
    let mut state = inside.clone();
    state.loops.push((loop_name, rounds));
    let mut asked = Vec::new();
    let sub = traversal.sub_from(state, |inner| {
        inner.run(body)?;
        if inner.state.loops.len() <= before.loops.len() {
            let detail = "The parent of a reducing barrier can not be repeat()-step";
            return Err(call.wrong(detail));
        }
        count_round(inner);
        asked = vec![
            ask_after(inner, until, modulators.until)?,
            ask_after(inner, emit, modulators.emit)?,
        ];
        Ok(())
    })?;
    let mut end = sub.state;
    end.loops.pop();
    if end.columns().len() != before.columns().len() {
        return Err(call.refused("has a body that sets the first sack: begin with withSack()"));
    }
    let columns = before.columns().into_iter().zip(inside.columns()).zip(end.columns());
    let columns = columns.map(|((from, to), next)| Carried { from: *from, to: *to, next: *next });
    let mut columns: Vec<Carried> = columns.collect();
    columns.extend(asked.iter().flatten().map(|asked| asked.carried));
    let mut tests = asked.into_iter().map(|asked| {
        let Asked { carried, place } = asked?;
        Some(RoundTest { holds: Expr::Column(carried.to), place })
    });
    let (until, emit) = (tests.next().flatten(), tests.next().flatten());
    let times = modulators.times;
    let body: Pipeline = sub.pipeline;
    let repeat = Repeat { columns, body, until, emit, times, rounds: Some(rounds) };
    Ok(Built { repeat, behind: inside, end })
}

/// The result of a test before the first round; false where it is asked behind rounds only.
fn ask_before(traversal: &mut Traversal<'_>, test: Option<Test<'_>>) -> Result<Option<ColumnId>> {
    let Some(test) = test else { return Ok(None) };
    if test.place == RoundPlace::After {
        return Ok(Some(traversal.plan.project("asked", Expr::literal(false))));
    }
    let zero = traversal.plan.project("rounds", Expr::literal(0));
    traversal.state.loops.push((None, zero));
    let found = ask(traversal, test)?;
    traversal.state.loops.pop();
    Ok(Some(found))
}

/// Counts the round that ends, for steps that ask for it later.
fn count_round(traversal: &mut Traversal<'_>) {
    let Some((_, counter)) = traversal.state.loops.last().cloned() else { return };
    let more = Expr::Arithmetic {
        operation: millrace_plan::Arithmetic::Add,
        left: Box::new(Expr::Column(counter)),
        right: Box::new(Expr::literal(1)),
    };
    let now = traversal.plan.project("rounds", more);
    if let Some((_, counter)) = traversal.state.loops.last_mut() {
        *counter = now;
    }
}

/// The result of a test at the end of a round.
fn ask_after(
    traversal: &mut Traversal<'_>,
    from: Option<ColumnId>,
    test: Option<Test<'_>>,
) -> Result<Option<Asked>> {
    let (Some(from), Some(test)) = (from, test) else { return Ok(None) };
    let next = ask(traversal, test)?;
    let to = traversal.plan.column("asked");
    Ok(Some(Asked { carried: Carried { from, to, next }, place: test.place }))
}

fn ask(traversal: &mut Traversal<'_>, test: Test<'_>) -> Result<ColumnId> {
    match test.argument {
        None => Ok(traversal.plan.project("asked", Expr::literal(true))),
        Some(Argument::Bytecode(inner)) => traversal.exists(inner),
        Some(other) => {
            let at = traversal.here(test.of)?;
            let holds = traversal.passes(test.of, Expr::Column(at.column), other)?;
            Ok(traversal.plan.project("asked", holds))
        }
    }
}

impl<'a> Modulators<'a> {
    fn of(call: &Call<'a>) -> Result<Modulators<'a>> {
        let mut all = Modulators::default();
        let before = call.before.iter().map(|modulator| (*modulator, RoundPlace::Before));
        let behind = call.modulators.iter().map(|modulator| (*modulator, RoundPlace::After));
        for (of, place) in before.chain(behind) {
            let argument = of.arguments.first();
            match (&*of.name, argument) {
                ("times", Some(count)) => {
                    let count = integer(of, count)?;
                    // A `times` behind the body is checked after one round at least.
                    let least = i64::from(place == RoundPlace::After);
                    all.times = Some(u64::try_from(count.max(least)).unwrap_or(0));
                }
                ("until", Some(_)) => all.until = Some(Test { argument, of, place }),
                ("emit", _) => all.emit = Some(Test { argument, of, place }),
                _ => return Err(wrong(of, "takes one argument")),
            }
        }
        Ok(all)
    }
}
