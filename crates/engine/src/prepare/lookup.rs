//! Operators that ask by name, to stages.

use millrace_model::Result;
use millrace_plan::{Call, Lookup};

use super::compiler::{Compiler, Place, Placed, bug};
use crate::operators::{Call as Calling, Completing, Lookup as LookingUp};
use crate::procedures;

impl Compiler<'_> {
    /// Where the plan says that there is no map or no collection, none is asked.
    pub(super) fn lookup(&self, lookup: &Lookup, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(lookup.to)]);
        let slot = |column| self.slot(place.layout, column);
        let map = lookup.map.filter(|map| !self.elements.contains_key(map));
        let collects = self.plan.collects(&lookup.name);
        let collected = collects.then(|| lookup.name.clone());
        let (map, tag) = (map.map(slot).transpose()?, lookup.tag.map(slot).transpose()?);
        let named = (lookup.name.clone(), lookup.counted);
        let lookup = LookingUp::new(named, (map, collected, tag), keep, to);
        Ok((Box::new(lookup), after))
    }

    pub(super) fn call(&self, call: &Call, place: &Place<'_>) -> Result<Placed> {
        let Some(procedure) = procedures::named(&call.procedure) else {
            return Err(bug("a procedure was compiled that was not checked"));
        };
        let (keep, mut after) = place.keep();
        let mut slots = Vec::new();
        for (name, column) in &call.yields {
            if place.live.contains(column) {
                let slot = procedure.yields().iter().position(|known| **known == **name);
                slots.push(slot.ok_or_else(|| bug("a yield was not checked"))?);
                after.push(*column);
            }
        }
        let arguments = self.exprs(place.layout, &call.arguments)?;
        let call = Calling::new(procedure, arguments, slots, keep);
        Ok((Box::new(Completing::new(call)), after))
    }
}
