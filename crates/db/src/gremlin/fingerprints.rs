//! Statement fingerprints: for which types and values of its variables a statement has which prepared
//! statement, and which variable fills which parameter slot.
//!
//! A statement whose variables fit a known fingerprint needs only their values: no instruction is copied
//! or examined. A variable may stand where its value decides what the plan is, as the label of `addV(x)`;
//! such a fingerprint fits that value only.

use std::sync::Arc;

use millrace_gremlin::parameterize::{ParameterSlot, element, is_alike};
use millrace_gremlin::text::Statement;
use millrace_model::Value;
use millrace_model::bytecode::Argument;
use parking_lot::Mutex;

use super::prepared_statement::PreparedStatement;
use super::variables::Variables;
use crate::limits::FINGERPRINTS_MAX;

/// The fingerprints of a statement, the latest last.
#[derive(Default)]
pub(super) struct Fingerprints(Mutex<Vec<Arc<Fingerprint>>>);

/// One fingerprint.
pub(super) struct Fingerprint {
    prepared: Arc<PreparedStatement>,
    /// The values that the plan takes, in its order.
    slots: Vec<ParameterSlot>,
    /// Variables with values that are part of the plan.
    fixed: Vec<(Arc<str>, Argument)>,
}

impl Fingerprints {
    /// The prepared statement for these variables, and the values of its slots; `None`: no fingerprint
    /// fits.
    pub(super) fn find(
        &self,
        variables: &Variables,
    ) -> Option<(Arc<PreparedStatement>, Vec<Value>)> {
        let latest = self.0.lock().last().cloned()?;
        if let Some(values) = latest.values(variables) {
            return Some((Arc::clone(&latest.prepared), values));
        }
        let known: Vec<Arc<Fingerprint>> = self.0.lock().iter().rev().cloned().collect();
        known.iter().find_map(|one| Some((Arc::clone(&one.prepared), one.values(variables)?)))
    }

    /// Adds the fingerprint of a statement that was just prepared.
    pub(super) fn add(
        &self,
        statement: &Statement,
        variables: &Variables,
        prepared: &Arc<PreparedStatement>,
        slots: Vec<ParameterSlot>,
    ) {
        let slots_of = |name: &Arc<str>| {
            slots.iter().filter(|own| own.variable.as_ref() == Some(name)).count()
        };
        let mut fixed = Vec::new();
        for variable in &statement.variables {
            let name = &variable.name;
            let count = statement.variables.iter().filter(|own| own.name == *name).count();
            if slots_of(name) == count {
                continue;
            }
            // A value that differs in each run has no fingerprint.
            let Some(value) = variables.assigned(name) else { return };
            fixed.push((Arc::clone(name), value.clone()));
        }
        let mut fingerprints = self.0.lock();
        if fingerprints.len() == FINGERPRINTS_MAX {
            fingerprints.remove(0);
        }
        fingerprints.push(Arc::new(Fingerprint { prepared: Arc::clone(prepared), slots, fixed }));
    }
}

impl Fingerprint {
    /// The values of its parameters, if these variables fit it.
    fn values(&self, variables: &Variables) -> Option<Vec<Value>> {
        if !self.fixed.iter().all(|(name, value)| variables.assigned(name) == Some(value)) {
            return None;
        }
        let value = |slot: &ParameterSlot| match &slot.variable {
            None => Some(slot.value.clone()),
            Some(name) => match variables.assigned(name) {
                Some(Argument::Value(value)) if is_alike(value, &slot.value) => Some(value.clone()),
                Some(other) => element(other).filter(|value| is_alike(value, &slot.value)),
                None => None,
            },
        };
        let mut values = Vec::with_capacity(self.slots.len());
        for slot in &self.slots {
            values.push(value(slot)?);
        }
        Some(values)
    }
}
