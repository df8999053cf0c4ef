//! The syntax of DQL as data: what a text says, and where.
//!
//! ```text
//!   document ──> block ──> child ──> block of children …
//!                  │         │
//!                  └─────────┴──> function, filter, facets, math ──> value
//!   mutation: raw N-Quads     schema: the text of `/alter`
//! ```
//!
//! Plain data, without meaning. Two trees are equal if they say the same, wherever they say it: an [`Offset`] equals
//! any other one.

mod block;
mod child;
mod document;
mod facets;
mod filter;
mod function;
mod math;
mod mutation;
mod schema;
mod value;

pub use block::{
    Block, Cascade, Directives, GroupBy, GroupKey, Order, OrderKey, Page, PathEnd, Recursion, Root,
    ShortestPath,
};
pub use child::{
    Aggregate, AggregateOf, Child, Expand, ExpandOf, PasswordCheck, Selection, Traversal,
};
pub use document::{Document, Fragment, Item, Query, QueryVariable, SchemaRequest, SchemaScope};
pub use facets::{FacetKey, Facets, FacetsKind};
pub use filter::Filter;
pub use function::{Argument, Function, Predicate, Subject};
pub use math::{Math, MathKind, MathOperator};
pub use mutation::{Mutation, MutationKind, MutationPart, RawText, Upsert};
pub use schema::{
    FieldType, PredicateSchema, RESERVED, Schema, SchemaDirective, SchemaItem, Tokenizer,
    TypeField, TypeSchema, ValueType,
};
pub use value::{NamedValue, Value, ValueKind};

/// A byte of the text, from 0, where something begins. It equals every other one: trees are compared by what they say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offset(pub u32);

impl PartialEq for Offset {
    fn eq(&self, _: &Offset) -> bool {
        true
    }
}

impl Eq for Offset {}

/// A name as the user wrote it, without angle brackets and `$`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Where it begins.
    pub offset: Offset,
    /// Its characters.
    pub text: String,
}
