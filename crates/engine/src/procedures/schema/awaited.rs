//! `db.awaitIndex` and `db.awaitIndexes`: wait until indexes that others build are for use, or fail; and `db.resampleIndex`,
//! which has nothing to do.
//!
//! A statement that makes an index ends when the index is ready, so only the builds of other clients are waited for. The
//! snapshot of the waiting transaction stays as it is: the transaction after it reads the index.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use millrace_model::{Catalog, Column, Error, ErrorKind, IndexId, Result};
use millrace_plan::{Name, Signature, ValueType, nearest};
use millrace_store::{IndexState, IndexUsage, non_blocking};

use super::options::wrong;
use super::rules::{Named, indexes_of, rules};
use super::show::is_lookup;
use crate::context::{Arguments, Context, Procedure, Yielded};

/// What is waited without a number, as in Neo4j.
const SECONDS: i64 = 300;

/// Between two looks at a build, at which the deadline of the query and its end by another are looked at, too.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// `db.awaitIndex`.
pub(super) struct AwaitIndex;

/// `db.awaitIndexes`.
pub(super) struct AwaitIndexes;

/// `db.resampleIndex`.
pub(super) struct ResampleIndex;

impl Procedure for AwaitIndex {
    fn signature(&self) -> Signature {
        let description = "Waits until the index of a name is for use, so many seconds (300).";
        Signature::reading("db.awaitIndex", description)
            .argument("indexName", ValueType::Text)
            .optional("timeOutSeconds", ValueType::Integer)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let catalog = context.catalog();
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let until = end_of(arguments, 1)?;
            if let Some(named) = named(&catalog, &arguments.must_text(0)?)? {
                wait_for(&[of_rule(&catalog, named)], until, context)?;
            }
        }
        Ok(Yielded::void(len))
    }
}

impl Procedure for AwaitIndexes {
    fn signature(&self) -> Signature {
        let description = "Waits until all indexes are for use, so many seconds (300).";
        Signature::reading("db.awaitIndexes", description)
            .optional("timeOutSeconds", ValueType::Integer)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let catalog = context.catalog();
        let all: Vec<Awaited> =
            rules(&catalog).into_iter().map(|named| of_rule(&catalog, named)).collect();
        for row in 0..len {
            let until = end_of(Arguments { columns, row }, 0)?;
            wait_for(&all, until, context)?;
        }
        Ok(Yielded::void(len))
    }
}

impl Procedure for ResampleIndex {
    fn signature(&self) -> Signature {
        let description = "Nothing to do: an index is sampled when a query is planned.";
        Signature::reading("db.resampleIndex", description).argument("indexName", ValueType::Text)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let catalog = context.catalog();
        for row in 0..len {
            named(&catalog, &Arguments { columns, row }.must_text(0)?)?;
        }
        Ok(Yielded::void(len))
    }
}

/// An index by its name, and what the store has of it.
struct Awaited {
    name: Name,
    ids: Vec<IndexId>,
}

fn of_rule(catalog: &Catalog, Named { name, rule }: Named) -> Awaited {
    Awaited { name, ids: indexes_of(catalog, &rule) }
}

/// The index of a name, which must be there; `None` of one that every graph has.
fn named(catalog: &Catalog, name: &Name) -> Result<Option<Named>> {
    let mut indexes = rules(catalog);
    indexes.retain(|own| own.rule.what.index().is_some());
    if let Some(at) = indexes.iter().position(|own| own.name == *name) {
        return Ok(Some(indexes.swap_remove(at)));
    }
    if is_lookup(name) {
        return Ok(None);
    }
    let error = Error::new(ErrorKind::NotFound, format!("No such index '{name}'"));
    let error = error.with_name("IndexNotFound");
    Err(match nearest(name, indexes.iter().map(|own| &*own.name)) {
        Some(near) => error.with_help(format!("the nearest name is `{near}`")),
        None => error.with_help("`SHOW INDEXES` lists them"),
    })
}

/// The seconds of a wait, and when it ends that begins now; never, where that is beyond the reach of the clock.
fn end_of(arguments: Arguments<'_>, number: usize) -> Result<(u64, Option<Instant>)> {
    let value = arguments.value(number);
    let seconds = if value.is_null() { Some(SECONDS) } else { value.as_int() };
    let seconds = seconds.ok_or_else(|| wrong("timeOutSeconds", "an integer", &value))?;
    // As in Neo4j, a negative one is none.
    let seconds = u64::try_from(seconds).unwrap_or(0);
    Ok((seconds, Instant::now().checked_add(Duration::from_secs(seconds))))
}

/// Waits until all are for use.
fn wait_for(
    awaited: &[Awaited],
    (seconds, until): (u64, Option<Instant>),
    context: &Context,
) -> Result<()> {
    for Awaited { name, ids } in awaited {
        loop {
            let usage = context.graph().index_usage(ids)?;
            if usage.iter().any(|own| own.state == IndexState::Gone) {
                let detail =
                    format!("Index '{name}' is in failed state: its build ended without it");
                let error =
                    Error::new(ErrorKind::NotFound, detail).with_name("IndexCreationFailed");
                let help = "the statement that made it says why; or it was dropped";
                return Err(error.with_help(help));
            }
            if usage.iter().all(|own| own.state == IndexState::Ready) {
                break;
            }
            non_blocking::would_block()?;
            context.check()?;
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                let percent = usage.iter().map(IndexUsage::percent).fold(100.0, f64::min);
                let detail = format!(
                    "Index '{name}' did not come online within {seconds} seconds: it is at {percent:.1} %"
                );
                let error = Error::new(ErrorKind::DeadlineExceeded, detail);
                let help = "wait longer; its build goes on";
                return Err(error.with_name("ProcedureTimedOut").with_help(help));
            }
            thread::sleep(BETWEEN_LOOKS);
        }
    }
    Ok(())
}
