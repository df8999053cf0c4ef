//! A graph of a size, served by a process of its own, and the client that asks it.

use std::net::TcpStream;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::bolt::TransactionOptions;
use millrace_wire::bolt::client::Connection as Driver;
use millrace_wire::bolt::packstream::Datum;

use crate::clients::bolt::driver;
use crate::data::Scratch;
use crate::experiments::cypher::count;
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::process;

/// A graph of a size.
pub(super) struct SizedGraph {
    /// How many of the things it has that grow.
    pub(super) size: u64,
    /// How many were added since by statements that are measured.
    pub(super) added: u64,
    /// Statements so far, for values that differ from one to the next.
    pub(super) asked: u64,
    driver: Driver<TcpStream>,
    served: Served,
    folder: Scratch,
}

impl SizedGraph {
    /// An empty one that is to have a size.
    pub(super) fn start(conditions: &Conditions, row: &str, size: u64) -> Result<SizedGraph> {
        let folder = Scratch::empty(&conditions.data, &format!("{row}.{size}"))?;
        SizedGraph::over(conditions, folder, size)
    }

    /// One that was stopped.
    pub(super) fn over(conditions: &Conditions, folder: Scratch, size: u64) -> Result<SizedGraph> {
        let served = Served::start(conditions, folder.path().to_owned())?;
        let driver = driver(served.bolt())?;
        Ok(SizedGraph { size, added: 0, asked: 0, driver, served, folder })
    }

    /// Kills its server.
    pub(super) fn stop(self) -> Scratch {
        self.folder
    }

    /// The records of a statement.
    pub(super) fn ask(
        &mut self,
        text: &str,
        parameters: &[(&'static str, Value)],
    ) -> Result<Vec<Vec<Datum>>> {
        self.ask_in(None, text, parameters)
    }

    /// The same, in the graph of this name.
    pub(super) fn ask_in(
        &mut self,
        database: Option<&str>,
        text: &str,
        parameters: &[(&'static str, Value)],
    ) -> Result<Vec<Vec<Datum>>> {
        self.asked += 1;
        let parameters: Vec<(Arc<str>, Value)> =
            parameters.iter().map(|(name, value)| (Arc::from(*name), value.clone())).collect();
        let database = database.map(Arc::from);
        let options = TransactionOptions { database, ..TransactionOptions::default() };
        let answer = self.driver.run_with(text, &parameters, options);
        let failed = |error| {
            let text: String = text.chars().take(200).collect();
            Error::new(ErrorKind::Bug, format!("{text}: {error}"))
        };
        Ok(answer.map_err(failed)?.records)
    }

    /// A statement whose only record must be this number.
    pub(super) fn must_give(
        &mut self,
        text: &str,
        parameters: &[(&'static str, Value)],
        expected: u64,
    ) -> Result<()> {
        let records = self.ask(text, parameters)?;
        is_number(text, &records, expected)
    }

    /// The number of the next thing to be added; it counts as added.
    pub(super) fn next(&mut self) -> u64 {
        self.added += 1;
        self.size + self.added - 1
    }

    /// The number of something that is there, another each time.
    pub(super) fn any(&self) -> u64 {
        // Coprime to all sizes, so that each is met.
        self.asked.wrapping_mul(7_919) % self.size
    }

    /// Bytes of the server's memory that no file backs.
    pub(super) fn memory_bytes(&self) -> Option<f64> {
        process::anonymous_bytes_of(self.served.process_id())
    }

    /// Bytes that the server gave to write calls.
    pub(super) fn written_bytes(&self) -> Option<f64> {
        process::written_bytes_of(self.served.process_id())
    }
}

/// Whether this number is the only record.
pub(super) fn is_number(text: &str, records: &[Vec<Datum>], expected: u64) -> Result<()> {
    match count(records)? {
        found if found == expected => Ok(()),
        found => {
            let detail = format!("`{text}` gives {found}, expected {expected}");
            Err(Error::new(ErrorKind::Bug, detail))
        }
    }
}

/// A whole number.
pub(super) fn number(number: u64) -> Value {
    Value::I64(number as i64)
}

/// So many texts, a part of them at a time, joined.
pub(super) fn in_parts(
    size: u64,
    part: u64,
    separator: &str,
    mut text: impl FnMut(u64) -> String,
    mut take: impl FnMut(String) -> Result<()>,
) -> Result<()> {
    for first in (0..size).step_by(part as usize) {
        let texts: Vec<String> = (first..size.min(first + part)).map(&mut text).collect();
        take(texts.join(separator))?;
    }
    Ok(())
}
