//! Tests of names, types and aggregates by text: tables of queries, and openCypher's suite.

mod errors;
mod names;
mod suite;

use millrace_model::Error;
use millrace_plan::{Signature, Signatures};

use super::{Resolved, resolve};
use crate::text;
use crate::tree::Statement;

/// A procedure with two arguments and two columns, and one that only works.
pub(super) fn procedures() -> Signatures {
    let procedure = |name: &str, arguments: usize, columns: &[&str]| Signature {
        name: name.into(),
        arguments_min: arguments,
        arguments_max: arguments,
        columns: columns.iter().map(|column| (*column).into()).collect(),
        writes: false,
    };
    Signatures {
        procedures: vec![procedure("test.pair", 2, &["a", "b"]), procedure("test.work", 0, &[])],
    }
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
