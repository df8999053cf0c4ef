//! The lines of operators that ask by name.

use super::{Printer, join};
use crate::call::Call;
use crate::languages::{Language, Languages};
use crate::lookup::Lookup;
use crate::plan::{ColumnId, Name};

impl Printer<'_> {
    pub(super) fn lookup(&self, lookup: &Lookup) -> String {
        let map = lookup.map.map(|map| format!("map {}", self.column(map)));
        let tag = lookup.tag.map(|tag| format!("tag {}", self.column(tag)));
        let counted = if lookup.counted { "counted " } else { "" };
        let places =
            map.into_iter().chain([format!("{counted}SideEffect {}", lookup.name)]).chain(tag);
        format!("Lookup {} = {} in {}", self.column(lookup.to), lookup.name, join(places))
    }

    pub(super) fn fields(
        &self,
        [element, to]: [ColumnId; 2],
        keys: Option<&[Name]>,
        languages: Option<&Languages>,
    ) -> String {
        let keys = keys.map_or(String::new(), |keys| format!(" ({})", keys.join(", ")));
        let languages = match languages {
            None => String::new(),
            Some(Languages::Untagged) => " in no language".to_owned(),
            Some(Languages::All) => " in *".to_owned(),
            Some(Languages::First(languages)) => format!(" in {}", chain(languages)),
        };
        format!("Fields {} of {}{keys}{languages}", self.column(to), self.column(element))
    }

    pub(super) fn call(&self, call: &Call) -> String {
        let arguments = join(call.arguments.iter().map(|argument| self.expr(argument)));
        let yields = call.yields.iter();
        let yields = join(yields.map(|(name, to)| format!("{} = {name}", self.column(*to))));
        let yields = if yields.is_empty() { yields } else { format!(" yields {yields}") };
        format!("Call {}({arguments}){yields}", call.procedure)
    }
}

fn chain(languages: &[Language]) -> String {
    let tag = |language: &Language| match language {
        Language::Tag(tag) => tag.to_string(),
        Language::Any => ".".to_owned(),
    };
    languages.iter().map(tag).collect::<Vec<_>>().join(":")
}
