//! `ElementIdStrategy`: ids are a property of elements, not those of the store.

use millrace_bytecode::{Argument, Bytecode, Instruction, Predicate, Strategy};
use millrace_model::{Result, Token, Value};
use millrace_plan::Name;

use crate::compile::strategies::{added, refused, texts, with_inner};
use crate::steps::{self, Fact, Parameters, Step};

/// The default key of ids.
const DEFAULT_KEY: &str = "__id";

/// Which property is the id.
pub(super) struct ElementId {
    key: Name,
}

impl ElementId {
    /// Reads the settings of a strategy; those that are not supported are errors.
    pub(super) fn of(source: &Instruction, strategy: &Strategy) -> Result<ElementId> {
        let mut key = Name::from(DEFAULT_KEY);
        for (name, setting) in &strategy.configuration {
            match &**name {
                "idPropertyKey" => key = texts(source, setting)?.pop().unwrap_or(key),
                name => {
                    let detail =
                        format!("has ElementIdStrategy with {name}, which is not supported");
                    return Err(refused(source, &detail));
                }
            }
        }
        Ok(ElementId { key })
    }

    /// A traversal that reads and writes ids as that property.
    pub(super) fn rewrite(&self, bytecode: &Bytecode) -> Result<Bytecode> {
        let mut steps = Vec::with_capacity(bytecode.steps.len());
        for (place, step) in bytecode.steps.iter().enumerate() {
            let step = with_inner(step, &mut |inner| self.rewrite(inner))?;
            if let Some(own) = steps::named(&step.name) {
                if own.is(Fact::Creates) && !has_id(own, &bytecode.steps[place + 1..]) {
                    let detail = "without an id is not supported under ElementIdStrategy";
                    return Err(refused(&step, detail));
                }
                if own.is(Fact::Merges) {
                    return Err(refused(&step, "is not supported under ElementIdStrategy"));
                }
            }
            self.add(step, &mut steps);
        }
        Ok(Bytecode { sources: bytecode.sources.clone(), steps })
    }

    fn add(&self, mut step: Instruction, steps: &mut Vec<Instruction>) {
        let key = || Argument::Value(Value::String(self.key.clone()));
        let own = steps::named(&step.name);
        let is = |fact| own.is_some_and(|own| own.is(fact));
        let takes_keys = own.map_or(&*step.name == "by", |own| {
            matches!(own.parameters, Parameters::Compared | Parameters::Assigned)
        });
        match step.arguments.as_slice() {
            ids if !ids.is_empty() && is(Fact::LooksUpIds) => {
                let ids = std::mem::take(&mut step.arguments);
                let kept = self.has(&step, ids);
                steps.extend([step, kept]);
            }
            [predicate @ Argument::Predicate(_)] if is(Fact::ComparesIds) => {
                steps.push(added(&step, "has", vec![key(), predicate.clone()]));
            }
            ids if is(Fact::ComparesIds) => steps.push(self.has(&step, ids.to_vec())),
            [] if is(Fact::GivesId) => steps.push(added(&step, "values", vec![key()])),
            [Argument::Value(Value::Token(Token::Id)), ..] if takes_keys => {
                step.arguments[0] = key();
                steps.push(step);
            }
            _ => steps.push(step),
        }
    }

    fn has(&self, beside: &Instruction, ids: Vec<Argument>) -> Instruction {
        let key = Argument::Value(Value::String(self.key.clone()));
        let within = Argument::Predicate(Predicate::new("within", ids));
        added(beside, "has", vec![key, within])
    }
}

/// Whether the properties that follow a step include the id.
fn has_id(step: &Step, behind: &[Instruction]) -> bool {
    let modulates = |next: &&Instruction| {
        step.modulators.contains(&&*next.name) || steps::is(next, Fact::SetsTags)
    };
    let is_id = |step: &Instruction| {
        matches!(step.arguments.first(), Some(Argument::Value(Value::Token(Token::Id))))
    };
    behind.iter().take_while(modulates).any(is_id)
}
