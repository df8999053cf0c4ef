//! `and` and `or` between steps: `has('a').or().has('b')` is `or(has('a'), has('b'))`.
//!
//! `and` binds tighter. The steps before the first filter, a source above all, are no part of the condition.

use millrace_bytecode::{Argument, Bytecode, Instruction};

use crate::steps::{self, Fact};

/// The traversal with its connectives around their operands; `None` if it has no connective.
pub(crate) fn connect(bytecode: &Bytecode) -> Option<Bytecode> {
    let is_between =
        |step: &Instruction| joins(step, Fact::Conjunction) || joins(step, Fact::Disjunction);
    if !bytecode.steps.iter().any(is_between) {
        return None;
    }
    let is_beginning =
        |step: &&Instruction| steps::is(step, Fact::Begins) || steps::is(step, Fact::SetsTags);
    // A tag at the start of an operand belongs to it.
    let first = bytecode.steps.first();
    let first_is_source = first.is_some_and(|step| !steps::is(step, Fact::SetsTags));
    let beginning = match first_is_source {
        true => bytecode.steps.iter().take_while(is_beginning).count(),
        false => 0,
    };
    let (before, condition) = bytecode.steps.split_at(beginning);
    let connected = split(condition, Fact::Disjunction, &|part| {
        split(part, Fact::Conjunction, &<[Instruction]>::to_vec)
    });
    let steps = before.iter().cloned().chain(connected).collect();
    Some(Bytecode { sources: bytecode.sources.clone(), steps })
}

/// Whether a step joins the steps before and behind it in this way.
fn joins(step: &Instruction, connective: Fact) -> bool {
    step.arguments.is_empty() && steps::is(step, connective)
}

fn split(
    steps: &[Instruction],
    connective: Fact,
    inner: &dyn Fn(&[Instruction]) -> Vec<Instruction>,
) -> Vec<Instruction> {
    let is_it = |step: &Instruction| joins(step, connective);
    let Some(connective) = steps.iter().find(|step| is_it(step)) else { return inner(steps) };
    let parts = steps
        .split(is_it)
        .map(|part| Argument::Bytecode(Bytecode { sources: Vec::new(), steps: inner(part) }));
    vec![Instruction { arguments: parts.collect(), ..connective.clone() }]
}
