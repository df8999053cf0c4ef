//! The shapes that a statement's traversal was seen in: which plan it has, and which variable is which of
//! the plan's parameters.
//!
//! A statement with variables of values like those of an earlier run needs only these values: no
//! instruction is copied or examined. A variable may stand where its value decides what the plan is, as
//! the label of `addV(x)`; such a shape is valid for that value only.

use std::sync::Arc;

use millrace_gremlin::lift::{Lifted, element, is_alike};
use millrace_gremlin::text::Statement;
use millrace_model::Value;
use millrace_model::bytecode::Argument;
use parking_lot::Mutex;

use super::planned::Planned;
use super::variables::Variables;
use crate::limits::SHAPES_KEPT_MAX;

/// The shapes of a statement, the latest last.
#[derive(Default)]
pub(super) struct Shapes(Mutex<Vec<Arc<Shape>>>);

/// One of them.
pub(super) struct Shape {
    planned: Arc<Planned>,
    /// The values that the plan takes, in its order.
    values: Vec<Lifted>,
    /// Variables with values that are part of the plan.
    fixed: Vec<(Arc<str>, Argument)>,
}

impl Shapes {
    /// The plan of a statement for these variables, and the values that it takes; `None`: nothing like it
    /// was seen.
    pub(super) fn find(&self, variables: &Variables) -> Option<(Arc<Planned>, Vec<Value>)> {
        let latest = self.0.lock().last().cloned()?;
        if let Some(values) = latest.values(variables) {
            return Some((Arc::clone(&latest.planned), values));
        }
        let known: Vec<Arc<Shape>> = self.0.lock().iter().rev().cloned().collect();
        known.iter().find_map(|shape| Some((Arc::clone(&shape.planned), shape.values(variables)?)))
    }

    /// Notes what was planned for a statement, and how its values came to be.
    pub(super) fn note(
        &self,
        statement: &Statement,
        variables: &Variables,
        planned: &Arc<Planned>,
        values: Vec<Lifted>,
    ) {
        let lifted = |name: &Arc<str>| {
            values.iter().filter(|own| own.variable.as_ref() == Some(name)).count()
        };
        let mut fixed = Vec::new();
        for variable in &statement.variables {
            let name = &variable.name;
            let count = statement.variables.iter().filter(|own| own.name == *name).count();
            if lifted(name) == count {
                continue;
            }
            // A value that differs each time is no shape.
            let Some(value) = variables.kept(name) else { return };
            fixed.push((Arc::clone(name), value.clone()));
        }
        let mut shapes = self.0.lock();
        if shapes.len() == SHAPES_KEPT_MAX {
            shapes.remove(0);
        }
        shapes.push(Arc::new(Shape { planned: Arc::clone(planned), values, fixed }));
    }
}

impl Shape {
    /// The values of its parameters, if these variables fit it.
    fn values(&self, variables: &Variables) -> Option<Vec<Value>> {
        if !self.fixed.iter().all(|(name, value)| variables.kept(name) == Some(value)) {
            return None;
        }
        let value = |lifted: &Lifted| match &lifted.variable {
            None => Some(lifted.value.clone()),
            Some(name) => match variables.kept(name) {
                Some(Argument::Value(value)) if is_alike(value, &lifted.value) => {
                    Some(value.clone())
                }
                Some(other) => element(other).filter(|value| is_alike(value, &lifted.value)),
                None => None,
            },
        };
        let mut values = Vec::with_capacity(self.values.len());
        for lifted in &self.values {
            values.push(value(lifted)?);
        }
        Some(values)
    }
}
