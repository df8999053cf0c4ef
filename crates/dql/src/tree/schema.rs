//! The text of `/alter`, which is also that of exported schemas.

use super::{Name, NamedValue};

/// The beginning of names that users cannot declare.
pub const RESERVED: &str = "dgraph.";

/// A schema: predicates and types in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// The statements.
    pub items: Vec<SchemaItem>,
}

/// A statement of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaItem {
    /// `name: string @index(term) .`
    Predicate(PredicateSchema),
    /// `type Person { name }`
    Type(TypeSchema),
}

/// `[0x0] <name>: [string] @index(term) @lang .`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateSchema {
    /// `0x0` of `[0x0]`, as exports have it.
    pub namespace: Option<Name>,
    /// The predicate.
    pub predicate: Name,
    /// The type of its values.
    pub value_type: ValueType,
    /// What stands behind `@`.
    pub directives: Vec<SchemaDirective>,
}

/// `string`, or `[string]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// Its name.
    pub name: Name,
    /// Whether it stands in brackets.
    pub is_list: bool,
}

/// `@index(exact, hnsw(metric: "euclidean"))`, `@lang`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaDirective {
    /// Its name, without `@`.
    pub name: Name,
    /// What stands in its parentheses.
    pub tokenizers: Vec<Tokenizer>,
}

/// `exact`, `hnsw(metric: "euclidean", exponent: "4")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokenizer {
    /// Its name.
    pub name: Name,
    /// Its options.
    pub options: Vec<NamedValue>,
}

/// `type Person { name friend <~friend> }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeSchema {
    /// `0x0` of `[0x0]`, as exports have it.
    pub namespace: Option<Name>,
    /// Its name.
    pub name: Name,
    /// Its predicates.
    pub fields: Vec<TypeField>,
}

/// A predicate of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeField {
    /// The predicate, with `~` if it is walked from its object.
    pub predicate: Name,
    /// `string!` of `name: string!`, the older form; it has no effect in Dgraph.
    pub field_type: Option<FieldType>,
}

/// `string`, `[Person!]!`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldType {
    /// The type.
    pub value_type: ValueType,
    /// Whether the name is followed by `!`.
    pub is_required: bool,
    /// Whether the brackets are followed by `!`.
    pub is_list_required: bool,
}
