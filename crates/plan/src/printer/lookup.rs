//! The lines of operators that ask by name.

use super::{Printer, join};
use crate::call::Call;
use crate::lookup::Lookup;

impl Printer<'_> {
    pub(super) fn lookup(&self, lookup: &Lookup) -> String {
        let map = lookup.map.map(|map| format!("map {}", self.column(map)));
        let tag = lookup.tag.map(|tag| format!("tag {}", self.column(tag)));
        let places = map.into_iter().chain([format!("SideEffect {}", lookup.name)]).chain(tag);
        format!("Lookup {} = {} in {}", self.column(lookup.to), lookup.name, join(places))
    }

    pub(super) fn call(&self, call: &Call) -> String {
        let arguments = join(call.arguments.iter().map(|argument| self.expr(argument)));
        let yields = call.yields.iter();
        let yields = join(yields.map(|(name, to)| format!("{} = {name}", self.column(*to))));
        let yields = if yields.is_empty() { yields } else { format!(" yields {yields}") };
        format!("Call {}({arguments}){yields}", call.procedure)
    }
}
