//! Values of variables: a value, or an argument that is none.

use std::any::Any;

use millrace_bytecode::Argument;
use millrace_model::Value;
use millrace_plan::language::{Binding, ForeignBinding};

use crate::parameterize::element;

/// An argument that is no value: a predicate, an element by its id, a traversal.
#[derive(Debug)]
pub struct ArgumentBinding(Argument);

impl ArgumentBinding {
    /// The binding of a variable with this argument.
    pub fn of(argument: Argument) -> Binding {
        match argument {
            Argument::Value(value) => Binding::Value(value),
            other => Binding::Foreign(std::sync::Arc::new(ArgumentBinding(other))),
        }
    }
}

/// The argument that a variable stands for; `None`: another language bound it.
pub(super) fn argument_of(binding: Binding) -> Option<Argument> {
    match binding {
        Binding::Value(value) => Some(Argument::Value(value)),
        Binding::Foreign(foreign) => own(&*foreign).map(|own| own.0.clone()),
    }
}

fn own(foreign: &dyn ForeignBinding) -> Option<&ArgumentBinding> {
    (foreign as &dyn Any).downcast_ref()
}

impl ForeignBinding for ArgumentBinding {
    fn equals(&self, other: &dyn ForeignBinding) -> bool {
        own(other).is_some_and(|other| other.0 == self.0)
    }

    fn slot_value(&self) -> Option<Value> {
        element(&self.0)
    }
}
