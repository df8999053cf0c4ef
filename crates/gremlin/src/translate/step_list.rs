//! The list of steps, as the translation asks it: it knows no step but by this.

use millrace_bytecode::Instruction;
use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::nearest;

use super::calls::wrong;
use super::step::{Fact, Step};
use crate::replacements::{Use, instead};
use crate::text::endings;

/// Every step, by name.
pub(crate) struct StepList {
    steps: &'static [Step],
}

impl StepList {
    /// A list of steps that are sorted by name.
    pub(crate) const fn of(steps: &'static [Step]) -> StepList {
        StepList { steps }
    }

    /// The step of a name.
    pub(crate) fn named(&self, name: &str) -> Option<&'static Step> {
        let place = self.steps.binary_search_by_key(&name, |step| step.name).ok()?;
        Some(&self.steps[place])
    }

    /// Whether an instruction is a step of which a fact holds.
    pub(crate) fn is(&self, instruction: &Instruction, fact: Fact) -> bool {
        self.named(&instruction.name).is_some_and(|step| step.is(fact))
    }

    /// The step that a word may stand before to modulate it.
    pub(super) fn modulated_behind(&self, word: &str) -> Option<&'static Step> {
        self.steps.iter().find(|step| step.modulators_before.contains(&word))
    }

    /// Whether a word modulates some step.
    pub(super) fn is_modulator(&self, word: &str) -> bool {
        self.steps.iter().any(|step| step.modulators.contains(&word))
    }

    /// The step of an instruction.
    pub(super) fn find(&self, instruction: &Instruction) -> Result<&'static Step> {
        self.named(&instruction.name).ok_or_else(|| self.unknown(instruction))
    }

    /// The error for an unknown step. Its help is the replacement, or a step of a similar name.
    fn unknown(&self, instruction: &Instruction) -> Error {
        let error = wrong(instruction, "is not supported");
        let error = Error { kind: ErrorKind::Unsupported, ..error };
        let name = &*instruction.name;
        if let Some(help) = instead(Use::Call, name) {
            return error.with_help(help);
        }
        let modulators = self.steps.iter().flat_map(|step| step.modulators.iter().copied());
        let known = self.steps.iter().map(|step| step.name).chain(modulators).chain(endings());
        match nearest(name, known) {
            Some(near) => error.with_help(format!("did you mean `{near}()`?")),
            None => error.with_help("docs/reference/gremlin.md has all steps"),
        }
    }
}
