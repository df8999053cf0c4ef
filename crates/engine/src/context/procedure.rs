//! A procedure that a plan may call, and the registry of them.
//!
//! A procedure is called once for a batch of arguments, never once for each row. It stands beside the context,
//! as each knows the other: a context has a registry, and a procedure is called in a context.

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{Signature, Signatures};

use super::arguments::Arguments;
use super::statement::Context;
use crate::limits;

/// A procedure.
pub trait Procedure: Send + Sync {
    /// Its name, arguments and columns.
    fn signature(&self) -> Signature;

    /// The rows it yields for `len` rows of arguments, in order of the rows. Arguments that were left out are
    /// missing at the end.
    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded>;

    /// Whether its rows are many, and come piece by piece from [`Procedure::open`].
    fn streams(&self) -> bool {
        false
    }

    /// Begins to yield the rows for one row of arguments, if it streams.
    fn open(&self, _arguments: Arguments<'_>, _context: &Context) -> Result<Box<dyn RowStream>> {
        Err(Error::new(ErrorKind::Bug, "a procedure that does not stream was opened"))
    }
}

/// The rows that a procedure yields for one row of arguments.
pub trait RowStream: Send {
    /// A column for each column of its signature, of at most so many rows and at least one; `None` at the end.
    fn next(&mut self, rows_max: usize, context: &Context) -> Result<Option<Vec<Column>>>;
}

/// The result of a procedure.
pub struct Yielded {
    /// For each row the row of arguments that it belongs to.
    pub rows: Vec<u32>,
    /// A column for each column of its signature.
    pub columns: Vec<Column>,
}

impl Yielded {
    /// Nothing, for each of some rows of arguments.
    pub fn void(len: usize) -> Yielded {
        Yielded { rows: (0..len as u32).collect(), columns: Vec::new() }
    }

    /// All rows of a procedure that streams.
    pub fn of_streams(
        procedure: &dyn Procedure,
        columns: &[Arc<Column>],
        len: usize,
        context: &Context,
    ) -> Result<Yielded> {
        let width = procedure.signature().columns.len();
        let all = (0..len).map(|row| {
            let mut stream = procedure.open(Arguments { columns, row }, context)?;
            let mut rows = Vec::new();
            while let Some(columns) = stream.next(limits::BATCH_ROWS_MAX, context)? {
                let piece = 0..columns.first().map_or(0, Column::len);
                let cells =
                    |row| columns.iter().map(move |own: &Column| own.get(row).unwrap_or_default());
                rows.extend(piece.map(|row| cells(row).collect::<Vec<_>>()));
            }
            Ok(rows)
        });
        Yielded::of_rows(width, all)
    }

    /// Rows of so many columns, for each row of arguments in order.
    pub fn of_rows(
        width: usize,
        each: impl Iterator<Item = Result<Vec<Vec<Value>>>>,
    ) -> Result<Yielded> {
        let mut yielded = Yielded { rows: Vec::new(), columns: vec![Column::default(); width] };
        for (number, found) in (0u32..).zip(each) {
            for values in found? {
                yielded.rows.push(number);
                let columns = yielded.columns.iter_mut();
                columns.zip(values).for_each(|(column, value)| column.push(value));
            }
        }
        Ok(yielded)
    }
}

/// The procedures of a database.
#[derive(Clone)]
pub struct Procedures(Arc<Registered>);

struct Registered {
    signatures: Signatures,
    /// In the order of the signatures.
    procedures: Vec<Arc<dyn Procedure>>,
}

impl Procedures {
    /// These, of which no two have one name.
    pub(crate) fn of(mut procedures: Vec<Arc<dyn Procedure>>) -> Procedures {
        procedures.sort_by_cached_key(|procedure| procedure.signature().name);
        let signatures =
            Signatures::new(procedures.iter().map(|procedure| procedure.signature()).collect());
        Procedures(Arc::new(Registered { signatures, procedures }))
    }

    /// These and others; one of a name that is there already takes its place.
    pub fn with(&self, others: Vec<Arc<dyn Procedure>>) -> Procedures {
        let names: Vec<_> = others.iter().map(|procedure| procedure.signature().name).collect();
        let known = self.0.signatures.iter().zip(&self.0.procedures);
        let stay = known.filter(|(signature, _)| !names.contains(&signature.name));
        let stay = stay.map(|(_, procedure)| Arc::clone(procedure));
        Procedures::of(stay.chain(others).collect())
    }

    /// What front ends know of them.
    pub fn signatures(&self) -> &Signatures {
        &self.0.signatures
    }

    /// The procedure of a name, with its signature.
    pub(crate) fn named(&self, name: &str) -> Option<(&Signature, &Arc<dyn Procedure>)> {
        let at = self.0.signatures.position(name)?;
        Some((self.0.signatures.iter().nth(at)?, self.0.procedures.get(at)?))
    }
}
