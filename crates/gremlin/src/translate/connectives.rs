//! `and` and `or` between steps: `has('a').or().has('b')` is `or(has('a'), has('b'))`.
//!
//! `and` binds tighter. The steps before the first filter, a source above all, are no part of the condition.

use millrace_bytecode::{Argument, Bytecode, Instruction};

use super::step::Fact;
use super::step_list::StepList;

/// The traversal with its connectives around their operands; `None` if it has no connective.
pub(crate) fn connect(list: &StepList, bytecode: &Bytecode) -> Option<Bytecode> {
    let is_between = |step: &Instruction| {
        joins(list, step, Fact::Conjunction) || joins(list, step, Fact::Disjunction)
    };
    if !bytecode.steps.iter().any(is_between) {
        return None;
    }
    let is_beginning =
        |step: &&Instruction| list.is(step, Fact::Begins) || list.is(step, Fact::SetsTags);
    // A tag at the start of an operand belongs to it.
    let first = bytecode.steps.first();
    let first_is_source = first.is_some_and(|step| !list.is(step, Fact::SetsTags));
    let beginning = match first_is_source {
        true => bytecode.steps.iter().take_while(is_beginning).count(),
        false => 0,
    };
    let (before, condition) = bytecode.steps.split_at(beginning);
    let connected = split(list, condition, Fact::Disjunction, &|part| {
        split(list, part, Fact::Conjunction, &<[Instruction]>::to_vec)
    });
    let steps = before.iter().cloned().chain(connected).collect();
    Some(Bytecode { sources: bytecode.sources.clone(), steps })
}

/// Whether a step joins the steps before and behind it in this way.
fn joins(list: &StepList, step: &Instruction, connective: Fact) -> bool {
    step.arguments.is_empty() && list.is(step, connective)
}

fn split(
    list: &StepList,
    steps: &[Instruction],
    connective: Fact,
    inner: &dyn Fn(&[Instruction]) -> Vec<Instruction>,
) -> Vec<Instruction> {
    let is_it = |step: &Instruction| joins(list, step, connective);
    let Some(connective) = steps.iter().find(|step| is_it(step)) else { return inner(steps) };
    let parts = steps
        .split(is_it)
        .map(|part| Argument::Bytecode(Bytecode { sources: Vec::new(), steps: inner(part) }));
    vec![Instruction { arguments: parts.collect(), ..connective.clone() }]
}
