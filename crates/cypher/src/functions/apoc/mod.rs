//! The functions of APOC that public code uses most, a file for each family.
//!
//! What they give is what APOC's documentation says. A digest, a set or a sum of a list is one value for each row: none of
//! them reads the graph but `apoc.node.degree` and the properties of elements, which are read in bulk.

pub(super) mod coll;
pub(super) mod convert;
pub(super) mod counts;
pub(super) mod libraries;
pub(super) mod map;
pub(super) mod other;
pub(super) mod text;

use millrace_model::compare::CompareMode;
use millrace_model::{Error, ErrorKind, Phase, Value};
use millrace_plan::{Expr, Function as F};

use crate::primitives;

/// How values are compared and sorted.
const CYPHER: CompareMode = CompareMode::NullIsUnknown;

/// An argument, or a value in its place.
fn or_else(arguments: &mut impl Iterator<Item = Expr>, default: Value) -> Expr {
    match arguments.next() {
        None | Some(Expr::Literal(Value::Null)) => Expr::Literal(default),
        Some(argument) => Expr::coalesce(vec![argument, Expr::Literal(default)]),
    }
}

/// An argument that is there.
fn next(arguments: &mut impl Iterator<Item = Expr>) -> Expr {
    arguments.next().unwrap_or(Expr::Literal(Value::Null))
}

fn unsupported(detail: &str, help: &str) -> Error {
    Error::new(ErrorKind::Unsupported, detail).with_help(help).in_phase(Phase::Compile)
}

/// The value of a key of a map, a node or a relationship; null of null.
fn value_of_key(of: Expr, key: Expr) -> Expr {
    Expr::call(F::Get, vec![primitives::properties(of), key])
}
