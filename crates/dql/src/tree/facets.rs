//! `@facets`: properties of an edge, which a child reads, orders by or filters by.

use super::{Filter, Name, Offset};

/// One `@facets`; a child may have one that filters and one that reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facets {
    /// Where the directive begins.
    pub offset: Offset,
    /// What it does.
    pub kind: FacetsKind,
}

/// What a `@facets` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FacetsKind {
    /// `@facets`: reads all of them.
    All,
    /// `@facets()`: none of them; `@facets(close, s: since, w as weight, orderasc: since, t: v as time)`.
    Keys(Vec<FacetKey>),
    /// `@facets(eq(close, true) AND NOT eq(family, false))`.
    Filter(Filter),
}

/// A facet in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetKey {
    /// `w` of `w as weight`.
    pub variable: Option<Name>,
    /// `s` of `s: since`.
    pub alias: Option<Name>,
    /// Its key.
    pub key: Name,
    /// Whether edges are ordered by it, and then whether downwards: `orderasc: since`, `orderdesc: since`. Such a key
    /// has no alias.
    pub is_descending: Option<bool>,
}
