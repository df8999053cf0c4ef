//! In which languages `Fields` gives the values of a property.
//!
//! A value's language is a part of the name it is stored under (`model::PropertyName`). A `Fields`
//! without languages gives properties as they are stored, under those names; one with languages parses
//! the names, takes bare keys, and turns what a name says of another's value (a facet) into a property
//! of that value.

use crate::plan::Name;

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
