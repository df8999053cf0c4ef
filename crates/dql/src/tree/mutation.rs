//! Mutations and upserts. Their data is not parsed here.

use super::{Filter, Fragment, Offset, Query};

/// `upsert { query { … } fragment f { … } mutation @if(…) { … } mutation { … } }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upsert {
    /// Where it begins.
    pub offset: Offset,
    /// The query whose variables the mutations use.
    pub query: Query,
    /// Fragments of the query.
    pub fragments: Vec<Fragment>,
    /// The mutations, one or more.
    pub mutations: Vec<Mutation>,
}

/// `mutation @if(eq(len(v), 0)) { set { … } delete { … } }`, or the same in braces alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// Where it begins.
    pub offset: Offset,
    /// The condition behind `@if`.
    pub condition: Option<Filter>,
    /// Its parts in the order of the text.
    pub parts: Vec<MutationPart>,
}

/// `set { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutationPart {
    /// Where its word begins.
    pub offset: Offset,
    /// What is done with the data.
    pub kind: MutationKind,
    /// The data.
    pub data: RawText,
}

/// What a mutation does with data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutationKind {
    /// `set`: N-Quads that are added.
    Set,
    /// `delete`: N-Quads that are removed.
    Delete,
    /// `schema`, the form of 2016: the text of a schema.
    Schema,
}

impl MutationKind {
    /// All of them.
    pub const ALL: [MutationKind; 3] =
        [MutationKind::Set, MutationKind::Delete, MutationKind::Schema];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            MutationKind::Set => "set",
            MutationKind::Delete => "delete",
            MutationKind::Schema => "schema",
        }
    }
}

/// Text between braces, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawText {
    /// Where it begins, behind its brace: offsets in it count from there.
    pub offset: Offset,
    /// The text.
    pub text: String,
}
