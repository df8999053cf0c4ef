//! One graph of an open database: its scripts, its plans, its loads.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use millrace_ingest::declared::DeclaredPredicate;
use millrace_ingest::export::{self, ExportFormat, ExportOptions, ExportSummary, OnExport};
use millrace_ingest::load::{self, Input, Progress, Summary};
use millrace_model::{CatalogChange, Error, ErrorKind, LogPosition, Result};
use millrace_plan::Runner;
use millrace_store::{Isolation, Store, Ticket, Transaction};

use super::load_way::LoadWay;
use crate::dql::{DqlSchema, definition_of, loaded_names};
use crate::limits::{UID_LEASES_MAX, UIDS_LEASED_MAX};
use crate::ragedb::{Interpreters, Script, ScriptResult};
use crate::request::{Pinned, QueryText, RequestLimits};
use crate::transaction::{DatabaseParts, Execution, GraphParts, retrying};

/// A graph. Cheap to share; it stays usable until it is dropped from its database.
pub struct Graph {
    parts: Arc<GraphParts>,
    interpreters: Interpreters,
}

impl Graph {
    pub(crate) fn new(name: &str, store: Arc<dyn Store>, database: &DatabaseParts) -> Graph {
        let parts = Arc::new(GraphParts::new(name, store, database));
        let settings = database.settings.clone();
        let notifier = Arc::clone(&database.commit_notifier);
        let interpreters = Interpreters::new(Arc::clone(&parts), settings, notifier);
        Graph { parts, interpreters }
    }

    /// Whether it was dropped, as far as this process knows.
    pub(crate) fn is_dropped(&self) -> bool {
        self.parts.store.is_dropped()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// Queues a script; `on_done` is called once its commit is visible, or it failed, on a thread
    /// that must not be kept.
    pub fn start_script(
        &self,
        script: Script,
        on_done: impl FnOnce(ScriptResult) + Send + 'static,
    ) {
        let (counters, trace) = (Arc::clone(&self.parts.counters), script.limits.trace.clone());
        trace.describe(|| QueryText::Lua(Arc::clone(&script.text)));
        trace.is_for(|| Arc::clone(&self.parts.name));
        let counted = move |result: ScriptResult| {
            counters.script_ended(result.is_ok());
            let outcome = result.as_ref().map(drop).map_err(|failure| failure.error.kind);
            on_done(result);
            trace.end(outcome);
        };
        self.interpreters.submit(script, Box::new(counted));
    }

    /// Runs a script and waits for its answer.
    pub fn run_script(&self, script: Script) -> ScriptResult {
        let (sender, receiver) = sync_channel(1);
        self.start_script(script, move |result| {
            // The receiver is missing only if the waiting thread is gone.
            let _gone = sender.send(result);
        });
        let dead = || Error::new(ErrorKind::Bug, "an interpreter ended without an answer");
        receiver.recv().unwrap_or_else(|_| Err(dead().into()))
    }

    /// Runs `work` on a snapshot; a write is refused.
    pub fn read<T>(
        &self,
        limits: &RequestLimits,
        work: impl FnOnce(&mut dyn Runner) -> Result<T>,
    ) -> Result<T> {
        work(&mut Execution::reading(&self.parts, limits)?)
    }

    /// Runs `work` in a transaction and commits it, again after a write conflict; returns when the
    /// commit is visible.
    pub fn write<T>(
        &self,
        limits: &RequestLimits,
        work: impl FnMut(&mut dyn Runner) -> Result<T>,
    ) -> Result<T> {
        let (value, ticket) = self.commit(limits, work)?;
        if let Some(ticket) = ticket {
            ticket.wait()?;
        }
        Ok(value)
    }

    /// The same without waiting for the commit: its writes are visible once the ticket resolves.
    pub fn commit<T>(
        &self,
        limits: &RequestLimits,
        mut work: impl FnMut(&mut dyn Runner) -> Result<T>,
    ) -> Result<(T, Option<Ticket>)> {
        let parts = &*self.parts;
        retrying(&parts.store, &parts.counters, limits, |ticket| {
            let mut execution = Execution::begin(parts, limits, ticket)?;
            let value = work(&mut execution)?;
            Ok((value, execution.commit()?))
        })
    }

    /// Whether every transaction of the graph is serializable, whatever it asks for.
    pub fn demands_serializable(&self) -> Result<bool> {
        Ok(self.store().snapshot()?.catalog().serializable)
    }

    /// Demands of every transaction of the graph that it is serializable, or no longer; durable
    /// when it returns. Transactions that began before, and write, run again.
    pub fn demand_serializable(&self, demanded: bool, limits: &RequestLimits) -> Result<()> {
        self.change_catalog(&[CatalogChange::DemandSerializable(demanded)], limits)
    }

    /// Loads files or streams, as one commit or in batches. Returns when all of it is visible.
    pub fn load(
        &self,
        input: Input,
        way: impl Into<LoadWay>,
        on_progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Summary> {
        let store = &**self.store();
        Ok(match way.into() {
            LoadWay::Whole(options) => load::load(store, input, options, on_progress)?,
            LoadWay::Batches(options) => {
                load::load_in_batches(store, input, &options, on_progress)?
            }
        })
    }

    /// Keeps a schema of DQL with the graph, and makes its indexes. `undeclared` are predicates of the data that it does
    /// not have. Says which indexes are left out, a line each.
    pub fn define_dql(
        &self,
        schema: &DqlSchema,
        undeclared: &[DeclaredPredicate],
        limits: &RequestLimits,
    ) -> Result<Vec<String>> {
        let mut notes = schema.notes(undeclared);
        notes.extend(loaded_names(&self.store().snapshot()?.catalog(), &notes));
        self.change_catalog(&notes, limits)?;
        let found = schema.indexes(&self.store().snapshot()?.catalog())?;
        self.make_indexes(&found.indexes, limits)?;
        Ok(found.left_out)
    }

    /// Changes the catalog in a transaction of its own; durable when it returns.
    fn change_catalog(&self, changes: &[CatalogChange], limits: &RequestLimits) -> Result<()> {
        let parts = &*self.parts;
        let done: Result<_> = retrying(&parts.store, &parts.counters, limits, |ticket| {
            let transaction = Transaction::begin(Arc::clone(&parts.store), Isolation::Snapshot)?;
            let transaction = match ticket {
                Some(ticket) => transaction.with_ticket(ticket),
                None => transaction,
            };
            transaction.change_schema(changes)?;
            transaction.commit()
        });
        done?.wait().map(drop)
    }

    /// Writes the graph, as it is now, to a file, or to a folder for CSV.
    pub fn export(
        &self,
        to: &Path,
        options: ExportOptions<'_>,
        on_export: OnExport<'_>,
    ) -> Result<ExportSummary> {
        let snapshot = self.store().snapshot()?;
        let has_schema = matches!(options.format, ExportFormat::Rdf | ExportFormat::RdfSchema);
        let definition = has_schema.then(|| definition_of(&snapshot.catalog()));
        let options = ExportOptions { definition: definition.as_ref(), ..options };
        export::export(&*snapshot, to, options, on_export)
    }

    /// Writes the graph, as it is now, to a stream, in a format of one file. The output of a failed export
    /// is to be discarded.
    pub fn export_to(
        &self,
        out: &mut dyn Write,
        options: ExportOptions<'_>,
        on_export: OnExport<'_>,
    ) -> Result<ExportSummary> {
        let snapshot = self.store().snapshot()?;
        let has_schema = matches!(options.format, ExportFormat::Rdf | ExportFormat::RdfSchema);
        let definition = has_schema.then(|| definition_of(&snapshot.catalog()));
        let options = ExportOptions { definition: definition.as_ref(), ..options };
        export::export_to(&*snapshot, out, options, on_export)
    }

    /// The notes whose names have a prefix, in the newest snapshot.
    pub fn notes(&self, prefix: &str) -> Result<Vec<(Arc<str>, Arc<str>)>> {
        let catalog = self.store().snapshot()?.catalog();
        let own = catalog.notes.named_from(prefix);
        Ok(own.map(|(name, text)| (Arc::clone(name), Arc::clone(text))).collect())
    }

    /// The graph as it is now, for transactions of later requests.
    pub fn pin(&self) -> Result<Pinned> {
        Pinned::of(self.store())
    }

    /// Takes vertex ids that follow one another, the first and the last: they are never given automatically, and a client
    /// may choose them.
    pub fn lease_uids(&self, count: u64) -> Result<(u64, u64)> {
        if !(1..=UIDS_LEASED_MAX).contains(&count) {
            let detail =
                format!("uids are leased by 1 to {UIDS_LEASED_MAX}, and not {count} of them");
            return Err(Error::new(ErrorKind::LimitReached, detail)
                .with_help("lease fewer at once: any number of leases follow one another"));
        }
        let mut run = 0..0;
        // Ids that clients chose lie between those of a lease: what is behind the last of them is where the run begins.
        for _ in 0..UID_LEASES_MAX {
            for range in self.store().lease_vertices(count - (run.end - run.start))? {
                run = if range.start == run.end { run.start..range.end } else { range };
            }
            if run.end - run.start == count {
                return Ok((run.start, run.end - 1));
            }
        }
        let detail =
            format!("no {count} free uids follow one another after {UID_LEASES_MAX} tries");
        Err(Error::new(ErrorKind::Unavailable, detail).with_help("lease fewer at once"))
    }

    /// The graph's store, for a program that writes batches by tickets rather than plans.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.parts.store
    }

    /// The last commit that is visible.
    pub fn visible_position(&self) -> LogPosition {
        self.parts.store.watermark().visible()
    }

    /// Blocks until a commit is visible; fails at the deadline.
    pub fn wait_until_visible(
        &self,
        position: LogPosition,
        deadline: Option<Instant>,
    ) -> Result<()> {
        self.parts.store.watermark().wait(position, deadline)
    }

    pub(crate) fn parts(&self) -> &GraphParts {
        &self.parts
    }

    pub(crate) fn interpreter_count(&self) -> u64 {
        self.interpreters.count()
    }

    /// Runs the queued scripts and ends the interpreters.
    pub(crate) fn close(&self) {
        self.interpreters.close();
    }
}
