//! The parameters that a plan reads, in order.

use millrace_plan::{Expr, ParameterId, PlanBuilder};

use crate::tree::Name;

/// The parameters of a plan.
#[derive(Debug, Default)]
pub(crate) struct Parameters(Vec<Name>);

impl Parameters {
    /// The value of a parameter.
    pub(crate) fn expr(&mut self, plan: &mut PlanBuilder, name: &Name) -> Expr {
        let place = self.0.iter().position(|own| own == name);
        let place = place.unwrap_or_else(|| {
            self.0.push(name.clone());
            plan.parameter(name);
            self.0.len() - 1
        });
        Expr::Parameter(ParameterId(place as u32))
    }

    /// Their names, in the order of the plan's parameters.
    pub(crate) fn names(&self) -> &[Name] {
        &self.0
    }
}
