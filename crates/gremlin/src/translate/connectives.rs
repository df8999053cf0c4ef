//! `and` and `or` between steps: `has('a').or().has('b')` is `or(has('a'), has('b'))`.
//!
//! `and` binds tighter. What stands before the first filter, a source above all, is no part of it.

use millrace_model::bytecode::{Argument, Bytecode, Instruction};

/// Steps that begin a traversal and are no part of a condition.
const BEGINNINGS: [&str; 4] = ["E", "V", "as", "inject"];

/// The traversal with its connectives around what they connect, if it has any.
pub(crate) fn connect(bytecode: &Bytecode) -> Option<Bytecode> {
    let is_between =
        |step: &Instruction| matches!(&*step.name, "and" | "or") && step.arguments.is_empty();
    if !bytecode.steps.iter().any(is_between) {
        return None;
    }
    let is_beginning = |step: &&Instruction| BEGINNINGS.contains(&&*step.name);
    // A tag at the start of what is compared belongs to it.
    let first_is_source = bytecode.steps.first().is_some_and(|step| &*step.name != "as");
    let beginning = match first_is_source {
        true => bytecode.steps.iter().take_while(is_beginning).count(),
        false => 0,
    };
    let (before, condition) = bytecode.steps.split_at(beginning);
    let connected = split(condition, "or", &|part| split(part, "and", &<[Instruction]>::to_vec));
    let steps = before.iter().cloned().chain(connected).collect();
    Some(Bytecode { sources: bytecode.sources.clone(), steps })
}

fn split(
    steps: &[Instruction],
    name: &str,
    inner: &dyn Fn(&[Instruction]) -> Vec<Instruction>,
) -> Vec<Instruction> {
    let is_it = |step: &Instruction| &*step.name == name && step.arguments.is_empty();
    let Some(connective) = steps.iter().find(|step| is_it(step)) else { return inner(steps) };
    let parts = steps
        .split(is_it)
        .map(|part| Argument::Bytecode(Bytecode { sources: Vec::new(), steps: inner(part) }));
    vec![Instruction { arguments: parts.collect(), ..connective.clone() }]
}
