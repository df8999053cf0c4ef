//! Names, static types and rules of aggregation: a tree without symbols becomes one that a translator can trust.
//!
//! ```text
//!   Statement ──names──> each Variable has its Symbol ──types──> each Symbol has its Type ──> Resolved
//!                 `*` expanded, aliases filled, ORDER BY reads columns
//! ```
//!
//! - `resolver`: the state of a pass over a statement; `bindings`, `surroundings`, `parameters`: what it knows and finds;
//!   `faults`: errors.
//! - `expressions`: names, aggregates and types of expressions.
//! - `patterns`: patterns that are matched, and those that are made.
//! - `queries`: the scope of each clause, and which clauses may follow. `commands`, `shown`: those of `SHOW`.
//!
//! Whatever is wrong with a text is found here, with its place, and as much of it as possible. A statement is resolved
//! once: a variable that has a symbol keeps it. Nothing here makes a plan.

mod bindings;
mod commands;
mod expressions;
mod faults;
mod parameters;
mod patterns;
mod queries;
mod resolver;
mod shown;
mod surroundings;

pub(crate) use expressions::typing::type_of;
pub(crate) use parameters::WrittenParameter;

use millrace_model::Error;
use millrace_plan::Signatures;

use crate::tree::{Body, Name, Statement, Symbol};
use crate::types::Symbols;
use crate::{apoc, text};
use resolver::Resolver;

/// The facts of a statement after its names are resolved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Resolved {
    /// Its symbols.
    pub(crate) symbols: Symbols,
    /// The columns of its result, in order.
    pub(crate) columns: Vec<Name>,
    /// The symbols of these columns.
    pub(crate) outputs: Vec<Symbol>,
    /// Whether it may write to the graph.
    pub(crate) writes: bool,
    /// The parameters that stand for something that is written.
    pub(crate) parameters: Vec<WrittenParameter>,
}

/// Resolves the names of a statement and judges it.
///
/// Afterwards each variable has a symbol, no `*` is left, each item of a projection has an alias, and what `ORDER BY`
/// and the `WHERE` of a `WITH` have in common with the items are variables. A variable that is passed on under its own
/// name keeps its symbol; the columns of all parts of a `UNION` have the symbols of the first.
pub(crate) fn resolve(
    statement: &mut Statement,
    signatures: &Signatures,
) -> Result<Resolved, Vec<Error>> {
    let origins = apoc::expand(statement)?;
    let mut resolver = Resolver::new(signatures);
    let columns = match &mut statement.body {
        Body::Query(query) => resolver.whole_query(query),
        Body::Command(command) => resolver.command(command),
    };
    if !resolver.errors.is_empty() {
        return Err(origins.all_positioned(resolver.distinct_errors()));
    }
    let (columns, outputs) = columns.into_iter().unzip();
    let Resolver { symbols, writes, parameters, .. } = resolver;
    Ok(Resolved { symbols, columns, outputs, writes, parameters })
}

/// All that is wrong with a text: with its syntax, or else with its names, types and aggregates.
pub fn diagnose(text: &str, signatures: &Signatures) -> Vec<Error> {
    match text::parse(text) {
        Err(errors) => errors,
        Ok(statements) => {
            let errors = |mut statement| resolve(&mut statement, signatures).err();
            statements.into_iter().filter_map(errors).flatten().collect()
        }
    }
}

#[cfg(test)]
mod tests;
