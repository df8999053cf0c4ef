//! Whole documents.

use super::{Block, Child, Mutation, Name, Offset, Upsert, Value};

/// A text that a client sends: at most one query, with fragments, beside mutations of the form of 2016; or requests of
/// the schema alone; or an upsert alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its parts in the order of the text.
    pub items: Vec<Item>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `{ … }`, `query name($a: int) { … }`.
    Query(Query),
    /// `fragment name { … }`.
    Fragment(Fragment),
    /// `schema { … }`.
    Schema(SchemaRequest),
    /// `{ set { … } delete { … } }`, `mutation { … }`.
    Mutation(Mutation),
    /// `upsert { query { … } mutation { … } }`.
    Upsert(Upsert),
}

/// `query name($a: string = "d", $n: int) { … }`, or its blocks alone in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Where it begins.
    pub offset: Offset,
    /// Its name.
    pub name: Option<Name>,
    /// Its variables, which a request may set.
    pub variables: Vec<QueryVariable>,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

/// `$a: string! = "d"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryVariable {
    /// Its name, without the dollar.
    pub name: Name,
    /// Its type: `int`, `float`, `bool`, `string`, `float32vector`.
    pub value_type: Name,
    /// Whether the type ends with `!`: the request has to set it.
    pub is_required: bool,
    /// Its value if the request sets none.
    pub default: Option<Value>,
}

/// `fragment name { … }`: children that blocks share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Where it begins.
    pub offset: Offset,
    /// Its name.
    pub name: Name,
    /// Its children.
    pub children: Vec<Child>,
}

/// `schema(pred: [name, age]) { type index }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaRequest {
    /// Where it begins.
    pub offset: Offset,
    /// What it asks about.
    pub scope: SchemaScope,
    /// What it wants to know of each predicate; without any, everything.
    pub fields: Vec<Name>,
}

/// What a request of the schema asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaScope {
    /// `schema {}`: all predicates and types.
    All,
    /// `schema(pred: [name, age]) {}`.
    Predicates(Vec<Name>),
    /// `schema(type: Person) {}`.
    Types(Vec<Name>),
}
