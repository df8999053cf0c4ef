//! Properties of an element as data, and in which languages their values are wanted.
//!
//! A value's language is a part of the name it is stored under (`model::PropertyName`). A `Fields`
//! without languages gives properties as they are stored, under those names; one with languages parses
//! the names, takes bare keys, and turns a facet of a value into a property of that value.

use millrace_model::Result;

use crate::base::{ColumnId, ColumnSet, Name, PlanNames};
use crate::op::facts::{DependsOn, Facts, Reads};
use crate::op::plan_errors::bad_plan;
use crate::printer::Printer;

/// Adds properties of an element, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    /// The element.
    pub element: ColumnId,
    /// Which; `None`: all.
    pub keys: Option<Vec<Name>>,
    /// In which languages, where keys are bare; `None`: keys are whole names, with any language or facet
    /// in them.
    pub languages: Option<Languages>,
    /// The new column.
    pub to: ColumnId,
}

/// Which of a key's values are returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Languages {
    /// That without a language.
    Untagged,
    /// All of them, as `name@*` asks.
    All,
    /// That of the first language in which there is one, as `name@en:fr:.` asks.
    First(Vec<Language>),
}

/// One of the languages that are asked for, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// That of a tag.
    Tag(Name),
    /// None, or else whichever there is: of several the one with the first tag as text.
    Any,
}

impl Languages {
    fn print(&self) -> String {
        match self {
            Languages::Untagged => " in no language".to_owned(),
            Languages::All => " in *".to_owned(),
            Languages::First(languages) => {
                let tag = |language: &Language| match language {
                    Language::Tag(tag) => tag.to_string(),
                    Language::Any => ".".to_owned(),
                };
                format!(" in {}", languages.iter().map(tag).collect::<Vec<_>>().join(":"))
            }
        }
    }
}

impl Facts for Fields {
    fn print(&self, printer: &Printer<'_>) -> String {
        let [to, element] = [self.to, self.element].map(|column| printer.column(column));
        let keys = self.keys.as_deref();
        let keys = keys.map_or(String::new(), |keys| format!(" ({})", keys.join(", ")));
        let languages = self.languages.as_ref().map_or(String::new(), Languages::print);
        format!("Fields {to} of {element}{keys}{languages}")
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        match &self.languages {
            Some(Languages::First(languages)) if languages.is_empty() => {
                Err(bad_plan("fields are wanted in the first of no languages"))
            }
            _ => Ok(()),
        }
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.element]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn is_needed(&self, live: &ColumnSet) -> bool {
        live.contains(&self.to)
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: false }
    }

    fn reads(&self, reads: &mut Reads) {
        reads.records = true;
        // A bare key is read in all its languages, with the facets of the values.
        reads.keys.all = self.keys.is_none() || self.languages.is_some();
        reads.keys.names.extend(self.keys.iter().flatten().cloned());
    }
}
