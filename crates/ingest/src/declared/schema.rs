//! The declared predicates of a load.

use rustc_hash::FxHashMap;

/// The key of a node's external name in a load with a schema, unique in the graph. It is one of Dgraph's own predicates, of
/// which no statement of a file is loaded, so that no predicate of a user has this name; `xid` and `_xid_` are free.
pub const EXTERNAL_NAME: &str = "dgraph.xid";

/// How Dgraph's own predicates begin.
const RESERVED: &str = "dgraph.";

/// The type of a predicate's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// Text, whatever it is a text of.
    Default,
    /// Text.
    String,
    /// Whole numbers of 64 bits.
    Int,
    /// Numbers of double precision.
    Float,
    /// `true` and `false`.
    Bool,
    /// Points in time.
    DateTime,
    /// Texts that are kept as a hash.
    Password,
    /// Exact decimals.
    BigFloat,
    /// Numbers of single precision.
    Vector,
    /// Geometry.
    Geo,
    /// Nodes.
    Uid,
}

impl DeclaredKind {
    /// The kind of a type's name, in any case: `int`, `dateTime`.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "default" => Self::Default,
            "string" => Self::String,
            "int" => Self::Int,
            "float" => Self::Float,
            "bool" => Self::Bool,
            "datetime" => Self::DateTime,
            "password" => Self::Password,
            "bigfloat" => Self::BigFloat,
            "float32vector" => Self::Vector,
            "geo" => Self::Geo,
            "uid" => Self::Uid,
            _ => return None,
        })
    }

    /// The type's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::String => "string",
            Self::Int => "int",
            Self::Float => "float",
            Self::Bool => "bool",
            Self::DateTime => "datetime",
            Self::Password => "password",
            Self::BigFloat => "bigfloat",
            Self::Vector => "float32vector",
            Self::Geo => "geo",
            Self::Uid => "uid",
        }
    }
}

/// A predicate with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredPredicate {
    /// Its name.
    pub name: Box<str>,
    /// The type of a value.
    pub kind: DeclaredKind,
    /// Whether a node may have several.
    pub is_list: bool,
    /// Whether a value may be in a language.
    pub has_languages: bool,
}

/// The predicates of a load, by name.
#[derive(Clone, Debug, Default)]
pub struct DeclaredSchema {
    predicates: FxHashMap<Box<str>, DeclaredPredicate>,
    namespace: u64,
}

impl DeclaredSchema {
    /// A schema of predicates in a namespace. Of two with one name the last counts.
    pub fn new(predicates: impl IntoIterator<Item = DeclaredPredicate>, namespace: u64) -> Self {
        let named = predicates.into_iter().map(|predicate| (predicate.name.clone(), predicate));
        Self { predicates: named.collect(), namespace }
    }

    /// A predicate, if it is declared.
    pub fn get(&self, name: &str) -> Option<&DeclaredPredicate> {
        self.predicates.get(name)
    }

    /// Refuses a statement of another namespace than that of the schema: its predicates are others.
    pub(crate) fn check_namespace(&self, namespace: Option<u64>) -> Result<(), String> {
        match namespace {
            Some(number) if number != self.namespace => Err(format!(
                "this is of the namespace {number:#x}, and the schema is of {:#x}: a load takes one namespace, so export \
                 each by itself",
                self.namespace
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether a predicate is Dgraph's own: of users and their rules, of its GraphQL schema, of namespaces.
    pub fn is_reserved(predicate: &str) -> bool {
        predicate.starts_with(RESERVED) && predicate != "dgraph.type"
    }

    /// Whether a label is that of Dgraph's own nodes.
    pub(crate) fn is_reserved_label(label: &str) -> bool {
        label.starts_with(RESERVED)
    }
}
