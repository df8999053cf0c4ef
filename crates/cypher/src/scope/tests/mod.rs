//! Tests of names, types and aggregates by text: tables of queries, and openCypher's suite.

mod accepted;
mod errors;
mod names;
mod suite;

use millrace_model::Error;
use millrace_plan::{Signature, Signatures, ValueType};

use super::{Resolved, resolve};
use crate::text;
use crate::tree::Statement;

/// A procedure with two arguments and two columns, and one that only works.
pub(super) fn procedures() -> Signatures {
    let pair = Signature::reading("test.pair", "two columns of two arguments")
        .argument("one", ValueType::Float)
        .argument("two", ValueType::Integer)
        .yields("a", ValueType::Integer)
        .yields("b", ValueType::Vertex);
    let work = Signature::reading("test.work", "only works").writing();
    Signatures::new(vec![pair, work])
}

/// The statement of a text, resolved.
pub(super) fn resolved(query: &str) -> Result<(Statement, Resolved), Vec<Error>> {
    resolved_with(query, &procedures())
}

/// The same with other procedures.
pub(super) fn resolved_with(
    query: &str,
    signatures: &Signatures,
) -> Result<(Statement, Resolved), Vec<Error>> {
    let mut statements = text::parse(query)?;
    let mut statement = statements.remove(0);
    let resolved = resolve(&mut statement, signatures)?;
    Ok((statement, resolved))
}

/// The names of the errors of a text, in order.
pub(super) fn faults(query: &str) -> Vec<&'static str> {
    let errors = resolved(query).err().unwrap_or_default();
    errors.iter().map(|error| error.name.unwrap_or("none")).collect()
}
