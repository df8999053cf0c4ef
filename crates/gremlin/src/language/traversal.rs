//! A traversal without its values: the key of its plan.

use std::any::Any;
use std::hash::{Hash, Hasher};

use millrace_bytecode::Bytecode;
use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::language::{Bound, Compiled, Normalized, Profiler, Scope};

use super::options;
use super::profiler::StepProfiler;
use super::references::References;
use crate::compile::translate;
use crate::parameterize::{parameterize, say_ids};

/// A traversal with parameter slots in place of its values.
struct Traversal(Bytecode);

impl Normalized for Traversal {
    fn hash(&self, mut hasher: &mut dyn Hasher) {
        self.0.hash(&mut hasher);
    }

    fn equals(&self, other: &dyn Normalized) -> bool {
        (other as &dyn Any).downcast_ref::<Traversal>().is_some_and(|other| other.0 == self.0)
    }

    fn compile(&self) -> Result<Compiled> {
        let translation = translate(&self.0)?;
        let number = |name: &str| {
            name.parse().map_err(|_| {
                Error::new(ErrorKind::Bug, format!("a parameter slot is called `{name}`"))
            })
        };
        let slots = translation.parameters.iter().map(|(name, _)| number(name));
        let slots = slots.collect::<Result<_>>()?;
        let profiler = translation.wants_metrics.then(|| StepProfiler::new(translation.steps));
        Ok(Compiled {
            plan: translation.plan,
            slots,
            options: options::of(&self.0)?,
            writer: None,
            profiler: profiler.map(|own| Box::new(own) as Box<dyn Profiler>),
            columns: None,
            is_administrative: false,
        })
    }
}

/// A traversal with its variables bound, apart from its values. Elements that it names by texts are looked up.
pub(super) fn bound(mut bytecode: Bytecode, scope: &mut dyn Scope) -> Result<Bound> {
    say_ids(&mut bytecode);
    let references = References::of(&mut bytecode);
    let is_reusable = references.is_empty();
    if !is_reusable {
        let options = options::of(&bytecode)?;
        references.fill(scope.runner(&options)?, &mut bytecode)?;
    }
    let values = parameterize(&mut bytecode);
    Ok(Bound { statement: Box::new(Traversal(bytecode)), values, is_reusable, catalog: None })
}
