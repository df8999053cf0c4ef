//! Steps with their modulators: `order().by('age').by('name')` is one call.
//!
//! `as` modulates no step. It tags whatever the traverser is at, and may stand between a step and its
//! modulators.

use millrace_bytecode::{Argument, Bytecode, Instruction};
use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_plan::Name;

use super::step::{Fact, Step};
use super::step_list::StepList;
use super::values::scope;

/// A step with its modulators.
pub(crate) struct Call<'a> {
    /// How the step is translated.
    pub step: &'static Step,
    /// Whether it is the first of its traversal.
    pub is_first: bool,
    /// The step itself.
    pub instruction: &'a Instruction,
    /// Modulators that stood before it: `until` and `emit` of a `repeat`.
    pub before: Vec<&'a Instruction>,
    /// Modulators behind it, in order.
    pub modulators: Vec<&'a Instruction>,
    /// Tags of the object it leads to.
    pub tags: Vec<&'a Instruction>,
}

/// The calls of a traversal.
pub(crate) fn calls<'a>(list: &StepList, bytecode: &'a Bytecode) -> Result<Vec<Call<'a>>> {
    let mut calls = Vec::new();
    let mut before = Vec::new();
    let mut left = bytecode.steps.iter().peekable();
    while let Some(instruction) = left.next() {
        if list.modulated_behind(&instruction.name).is_some() {
            before.push(instruction);
            continue;
        }
        let step =
            list.find(instruction).map_err(|error| misplaced(list, instruction, &calls, error))?;
        if !before.iter().all(|word| step.modulators_before.contains(&&*word.name)) {
            break;
        }
        let mut call = Call {
            step,
            is_first: calls.is_empty(),
            instruction,
            before: std::mem::take(&mut before),
            modulators: vec![],
            tags: vec![],
        };
        while let Some(next) = left.next_if(|next| call.takes(list, next)) {
            let sets_tags = list.is(next, Fact::SetsTags);
            let kind = if sets_tags { &mut call.tags } else { &mut call.modulators };
            kind.push(next);
        }
        calls.push(call);
    }
    let lost = before.first().and_then(|lost| Some((lost, list.modulated_behind(&lost.name)?)));
    match lost {
        None => Ok(calls),
        Some((lost, Step { name, .. })) => Err(wrong(
            lost,
            format!("has no {name}() beside it: The {name}()-traversal was not defined"),
        )),
    }
}

/// The error for a word that is no step: `error`, unless the word is a modulator. Then it stands behind a step that
/// it does not modulate, or behind none.
fn misplaced(
    list: &StepList,
    instruction: &Instruction,
    calls: &[Call<'_>],
    error: Error,
) -> Error {
    if !list.is_modulator(&instruction.name) {
        return error;
    }
    match calls.last() {
        Some(call) => wrong(instruction, format!("does not modulate {}()", call.step.name)),
        None => wrong(instruction, "follows no step"),
    }
}

impl<'a> Call<'a> {
    fn takes(&self, list: &StepList, next: &Instruction) -> bool {
        self.step.modulators.contains(&&*next.name) || list.is(next, Fact::SetsTags)
    }

    /// Its arguments.
    pub(crate) fn arguments(&self) -> &'a [Argument] {
        &self.instruction.arguments
    }

    /// Its modulators of a name.
    pub(crate) fn modulated(&self, name: &'static str) -> impl Iterator<Item = &'a Instruction> {
        self.modulators.iter().copied().filter(move |modulator| &*modulator.name == name)
    }

    /// An error about this call.
    pub(crate) fn wrong(&self, detail: impl AsRef<str>) -> Error {
        wrong(self.instruction, detail)
    }

    /// An error: the call is known by name and not supported.
    pub(crate) fn refused(&self, detail: impl AsRef<str>) -> Error {
        Error { kind: ErrorKind::Unsupported, ..self.wrong(detail) }
    }

    /// Whether the scope is local, of a step that takes a scope or no argument.
    pub(crate) fn is_local(&self) -> Result<bool> {
        match scope(self.arguments()) {
            (local, []) => Ok(local),
            _ => Err(self.wrong("takes a scope or no argument")),
        }
    }

    /// Fails if there is more than one `by`; `step` is the step's name in the message.
    pub(crate) fn check_single_by(&self, step: &str) -> Result<()> {
        match self.modulated("by").count() {
            0 | 1 => Ok(()),
            _ => Err(self.wrong(format!("{step} step can only have one by modulator"))),
        }
    }

    /// Arguments that are names.
    pub(crate) fn names(&self) -> Result<Vec<Name>> {
        names(self.instruction)
    }

    /// Arguments that are keys of properties; null is no key.
    pub(crate) fn keys(&self) -> Result<Vec<Name>> {
        let keys = self.arguments().iter();
        let keys = keys.filter(|key| !matches!(key, Argument::Value(millrace_model::Value::Null)));
        keys.map(|key| name(self.instruction, key)).collect()
    }

    /// The only argument, if it is a traversal.
    pub(crate) fn traversal(&self) -> Option<&'a Bytecode> {
        match self.arguments() {
            [Argument::Bytecode(bytecode)] => Some(bytecode),
            _ => None,
        }
    }
}

/// An error about an instruction.
pub(crate) fn wrong(instruction: &Instruction, detail: impl AsRef<str>) -> Error {
    let detail = format!("{}() {}", instruction.name, detail.as_ref());
    let error = Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile);
    match instruction.position {
        Some(position) => error.at(position),
        None => error,
    }
}

/// Fails unless an instruction has so many arguments.
pub(crate) fn check_count(instruction: &Instruction, least: usize, most: usize) -> Result<()> {
    let count = instruction.arguments.len();
    if (least..=most).contains(&count) {
        return Ok(());
    }
    let wanted = match (least, most) {
        (least, usize::MAX) => format!("at least {least}"),
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least} to {most}"),
    };
    Err(wrong(instruction, format!("takes {wanted} arguments, not {count}")))
}

/// Arguments that are names: texts, or lists of them.
pub(crate) fn names(instruction: &Instruction) -> Result<Vec<Name>> {
    instruction.arguments.iter().map(|argument| name(instruction, argument)).collect()
}

/// An argument that is a name.
pub(crate) fn name(instruction: &Instruction, argument: &Argument) -> Result<Name> {
    match argument {
        Argument::Value(millrace_model::Value::String(text)) => Ok(text.clone()),
        Argument::Binding(_, inner) => name(instruction, inner),
        _ => Err(wrong(instruction, "takes names as text")),
    }
}
