//! A database: the graphs of one data folder, opened once and shared by all threads.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use millrace_engine::PlanPool;
use millrace_ingest::load::{Format, LoadOptions, LoadPath, Summary};
use millrace_ingest::reading::{Reading, input_of};
use millrace_ingest::source::Source;
use millrace_model::{Error, ErrorKind, MemoryBudget, Result};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Guarantees, Store, Ticket, non_blocking};
use millrace_store_embedded::maintenance::backup::ArchiveWriter;
use millrace_store_embedded::{EmbeddedBackend, Watcher};

use parking_lot::{RwLock, RwLockReadGuard};

use super::loads::Loads;
use crate::graph::{Graph, GraphSize, graph_size};
use crate::maintenance::{BackupSummary, must_be_no_file};
use crate::monitoring::services::{Service, Services};
use crate::monitoring::{Counters, Metric, StoreEvents};
use crate::procedures::{self, Procedure, Procedures};
use crate::request::{RequestLimits, check_name, is_twin};
use crate::resources::{CommitNotifier, memory};
use crate::settings::{Settings, indexes_of, is_serializable};
use crate::statements::{DetachPlans, StatementCache};
use crate::transaction::DatabaseParts;

/// An open database.
pub struct Database {
    pub(super) backend: Arc<dyn Backend>,
    /// The backend again, if it has a data folder.
    folder: Option<Arc<EmbeddedBackend>>,
    parts: DatabaseParts,
    statements: Arc<StatementCache>,
    /// What was made over the graphs of the backend so far. Which graphs there are is for the backend
    /// to say.
    pub(super) graphs: RwLock<Known>,
    detach_plans: DetachPlans,
    loads: Loads,
    services: Services,
}

/// Graphs that were asked for.
#[derive(Default)]
pub(super) struct Known {
    pub(super) graphs: HashMap<String, Arc<Graph>>,
    /// No more are taken: the database is closed.
    is_closed: bool,
}

impl Known {
    /// The graph of a name, unless it was dropped meanwhile, perhaps elsewhere.
    pub(super) fn get(&self, name: &str) -> Option<Arc<Graph>> {
        self.graphs.get(name).filter(|graph| !graph.is_dropped()).cloned()
    }

    pub(super) fn check_open(&self) -> Result<()> {
        if self.is_closed {
            return Err(Error::new(ErrorKind::Unavailable, "the database is closed"));
        }
        Ok(())
    }
}

impl Database {
    /// Opens a data folder, or makes it. Only one process may have it open.
    pub fn open(folder: &Path, settings: Settings) -> Result<Database> {
        must_be_no_file(folder)?;
        let options = settings.store_options()?;
        let backend = EmbeddedBackend::open_watched(folder, options, Arc::new(StoreEvents))?;
        let database = Database::over(Arc::clone(&backend) as Arc<dyn Backend>, settings)?;
        backend.share_memory(&database.parts.memory);
        database.end_renewals();
        Ok(Database { folder: Some(backend), ..database })
    }

    /// Opens a data folder that is there to read only: nothing of it is written, and several processes may
    /// have it open so. Every write is refused as `ReadOnly`, by the name `READ_ONLY_DATABASE`.
    pub fn open_to_read(folder: &Path, settings: Settings) -> Result<Database> {
        must_be_no_file(folder)?;
        if !folder.is_dir() {
            let detail = format!("there is no data folder {}", folder.display());
            return Err(Error::new(ErrorKind::NotFound, detail));
        }
        let options = settings.store_options()?;
        let memory = MemoryBudget::new(memory::bytes_max(&settings));
        let events = Some(Arc::new(StoreEvents) as Arc<dyn Watcher>);
        let backend = EmbeddedBackend::open_to_read(folder, options, &memory, events)?;
        let database =
            Database::within(memory, Arc::clone(&backend) as Arc<dyn Backend>, settings)?;
        let own = procedures::of_database(&database.backend, database.settings(), true);
        database.parts.procedures.register(own);
        Ok(Database { folder: Some(backend), ..database })
    }

    /// A database in memory: nothing of it is durable. For tests and for trying things.
    pub fn in_memory(settings: Settings) -> Result<Database> {
        Database::over(Arc::new(MemoryBackend::new()), settings)
    }

    fn over(backend: Arc<dyn Backend>, settings: Settings) -> Result<Database> {
        Database::within(MemoryBudget::new(memory::bytes_max(&settings)), backend, settings)
    }

    fn within(
        memory: MemoryBudget,
        backend: Arc<dyn Backend>,
        settings: Settings,
    ) -> Result<Database> {
        let counters = Arc::new(Counters::default());
        let statements = Arc::new(StatementCache::new(&memory));
        millrace_dql::schema::share_memory(&memory);
        let database = Database {
            backend,
            folder: None,
            loads: Loads::new(Arc::clone(&counters)),
            parts: DatabaseParts {
                memory,
                settings,
                commit_notifier: Arc::new(CommitNotifier::start()?),
                counters,
                plan_pool: Arc::clone(&statements) as Arc<dyn PlanPool>,
                procedures: Arc::default(),
            },
            statements,
            graphs: RwLock::default(),
            detach_plans: DetachPlans::default(),
            services: Services::default(),
        };
        let own = procedures::of_database(&database.backend, &database.parts.settings, false);
        database.parts.procedures.register(own);
        for name in database.graphs() {
            let store = database.backend.graph(&name)?;
            database.remember(&mut database.graphs.write(), &name, store);
        }
        for name in database.unreachable_graphs() {
            let instead = database.settings().graph_named(&name).unwrap_or_default();
            tracing::warn!(name: "graph-unreachable", graph = name, instead);
        }
        Ok(database)
    }

    /// The settings it was opened with.
    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// The names of all graphs, ascending.
    pub fn graphs(&self) -> Vec<String> {
        let mut graphs = self.backend.graphs();
        graphs.retain(|name| !self.settings().is_reserved(name) && !is_twin(name));
        graphs
    }

    /// Graphs of the folder whose names stand for another graph now: made by earlier versions, or while other
    /// settings held. Their data is in backups, and reached once `gremlin.graph` names them.
    pub fn unreachable_graphs(&self) -> Vec<String> {
        let there = self.backend.graphs();
        let reserved = self.settings().reserved_names();
        reserved.filter(|name| there.iter().any(|graph| graph == name)).map(str::to_owned).collect()
    }

    /// The graph that a name stands for, if there is one: also one that was made elsewhere, and not one that was
    /// dropped there. Fails where the backend cannot say.
    pub fn find_graph(&self, name: &str) -> Result<Option<Arc<Graph>>> {
        let name = self.settings().graph_named(name).filter(|own| !is_twin(own));
        let Some(name) = name else { return Ok(None) };
        let known = self.known_graphs()?.get(name);
        if known.is_some() {
            return Ok(known);
        }
        non_blocking::would_block()?;
        // Not under the lock: the backend may have to ask another process.
        match self.backend.graph(name) {
            Ok(store) => {
                let mut graphs = self.graphs.write();
                graphs.check_open()?;
                // Made by this process meanwhile, perhaps after that of the store was dropped.
                let known = graphs.get(name);
                Ok(Some(known.unwrap_or_else(|| self.remember(&mut graphs, name, store))))
            }
            Err(error) if error.kind == ErrorKind::NotFound => {
                self.forget_dropped();
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The graphs that this process has asked for. A thread that must not block does not wait while they change.
    fn known_graphs(&self) -> Result<RwLockReadGuard<'_, Known>> {
        if let Some(graphs) = self.graphs.try_read() {
            return Ok(graphs);
        }
        non_blocking::would_block()?;
        Ok(self.graphs.read())
    }

    /// Frees what was made over graphs that were dropped, perhaps elsewhere.
    fn forget_dropped(&self) {
        if self.graphs.read().graphs.values().any(|graph| graph.is_dropped()) {
            self.graphs.write().graphs.retain(|_, graph| !graph.is_dropped());
        }
    }

    pub(super) fn remember(
        &self,
        graphs: &mut Known,
        name: &str,
        store: Arc<dyn Store>,
    ) -> Arc<Graph> {
        let graph = self.graph_over(name, store);
        graphs.graphs.insert(name.to_owned(), Arc::clone(&graph));
        graph
    }

    fn graph_over(&self, name: &str, store: Arc<dyn Store>) -> Arc<Graph> {
        Arc::new(Graph::new(name, store, &self.parts))
    }

    /// The graph of a name for reading; while there is none, an empty one that is not kept.
    pub(crate) fn graph_to_read(&self, name: &str) -> Result<Arc<Graph>> {
        let name = self.settings().graph_named(name).unwrap_or(name);
        match self.find_graph(name)? {
            Some(graph) => Ok(graph),
            None => Ok(self.graph_over(name, MemoryBackend::new().create_graph(name)?)),
        }
    }

    /// Makes an empty graph, durably; `AlreadyExists` if there is one of that name.
    pub fn create_graph(&self, name: &str) -> Result<Arc<Graph>> {
        check_name(name)?;
        self.check_not_reserved(name)?;
        non_blocking::would_block()?;
        let mut graphs = self.graphs.write();
        graphs.check_open()?;
        self.end_renewal(&mut graphs, name)?;
        let store = self.backend.create_graph(name)?;
        let graph = self.remember(&mut graphs, name, store);
        self.isolate(&graph)?;
        Ok(graph)
    }

    /// Makes the graphs of the settings, fills those that are empty from their files, each in one commit, and behind that makes
    /// their indexes. Returns the summaries of the loads. A database that is open to be read only has the graphs that it has.
    pub fn make_graphs(&self) -> Result<Vec<(String, Summary)>> {
        if self.is_read_only() {
            return Ok(Vec::new());
        }
        for (name, _) in &self.parts.settings.isolations {
            let graph = self.ensure_graph(name)?;
            self.isolate(&graph)?;
        }
        let mut filled = Vec::new();
        for (name, file) in &self.parts.settings.graphs {
            let graph = self.ensure_graph(name)?;
            if file.is_empty() || self.graph_size(name)?.vertices != 0 {
                continue;
            }
            let sources = vec![Source::file(Path::new(file))?];
            let input = input_of(sources, &Reading::of(Format::GraphSon))?;
            let options = LoadOptions { path: LoadPath::Transaction, ..LoadOptions::default() };
            let summary = graph.load(input, options, &mut |_| ControlFlow::Continue(()))?;
            filled.push((name.clone(), summary));
        }
        let limits = RequestLimits::within(u64::MAX, self.settings());
        for (name, list) in &self.parts.settings.indexes {
            self.ensure_graph(name)?.make_indexes(&indexes_of(name, list)?, &limits)?;
        }
        Ok(filled)
    }

    /// Sets the isolation level of a graph that the settings name.
    pub(super) fn isolate(&self, graph: &Graph) -> Result<()> {
        let settings = self.settings();
        let is_meant = |name: &str| settings.graph_named(name) == Some(graph.name());
        let mut isolations = settings.isolations.iter();
        let Some((name, word)) = isolations.find(|(name, _)| is_meant(name)) else {
            return Ok(());
        };
        let demanded = is_serializable(name, word)?;
        if graph.demands_serializable()? == demanded {
            return Ok(());
        }
        graph.demand_serializable(demanded, &self.request_limits())
    }

    /// The graph that a name stands for, made if there is none and the database is not open to be read only.
    pub fn ensure_graph(&self, name: &str) -> Result<Arc<Graph>> {
        if self.is_read_only() {
            return self.graph(name);
        }
        let settings = self.settings();
        let name = settings.graph_named(name).ok_or_else(|| settings.reserved(name))?;
        if let Some(graph) = self.find_graph(name)? {
            return Ok(graph);
        }
        match self.create_graph(name) {
            Err(error) if error.kind == ErrorKind::AlreadyExists => self.graph(name),
            made => made,
        }
    }

    /// What makes, empties or drops a graph names the graph itself.
    pub(super) fn check_not_reserved(&self, name: &str) -> Result<()> {
        match self.settings().is_reserved(name) {
            true => Err(self.settings().reserved(name)),
            false => Ok(()),
        }
    }

    /// The size of a graph.
    pub fn graph_size(&self, name: &str) -> Result<GraphSize> {
        self.graph(name)?.read(&self.request_limits(), graph_size)
    }

    /// Limits of a request that begins now and asks for nothing else.
    pub fn request_limits(&self) -> RequestLimits {
        RequestLimits::within(self.parts.settings.scripts.deadline_ms, &self.parts.settings)
    }

    pub(crate) fn statements(&self) -> &StatementCache {
        &self.statements
    }

    pub(crate) fn detach_plans(&self) -> &DetachPlans {
        &self.detach_plans
    }

    /// Calls back once a commit is visible, or that is known not to happen: on a thread that must not be
    /// kept.
    pub fn when_visible(&self, ticket: Ticket, then: impl FnOnce(Result<()>) + Send + 'static) {
        self.parts.commit_notifier.wait(ticket, Box::new(then));
    }

    /// Registers procedures; one of a name that is there already takes its place. Statements prepared before go on
    /// with those of their time, and are prepared anew when they are asked for again.
    pub fn register_procedures(&self, procedures: Vec<Arc<dyn Procedure>>) {
        self.parts.procedures.register(procedures);
        self.statements.clear();
    }

    /// The procedures that queries may call.
    pub fn procedures(&self) -> Procedures {
        self.parts.procedures.current()
    }

    /// The loads of this process.
    pub fn loads(&self) -> &Loads {
        &self.loads
    }

    /// The process's memory budget for requests. Memory held for a request is reserved here.
    pub fn memory(&self) -> &MemoryBudget {
        &self.parts.memory
    }

    /// What its backend promises.
    pub fn guarantees(&self) -> Guarantees {
        self.backend.guarantees()
    }

    /// Adds a service that runs beside the listeners: health and metrics show it.
    pub fn add_service(&self, service: Arc<dyn Service>) {
        self.services.add(service);
    }

    /// The services that run beside the listeners.
    pub fn services(&self) -> Vec<Arc<dyn Service>> {
        self.services.all()
    }

    /// Counters and gauges.
    pub fn metrics(&self) -> Vec<Metric> {
        let mut metrics = self.parts.counters.metrics();
        metrics.extend(self.statements.metrics());
        metrics.extend(memory::metrics(&self.parts.memory));
        metrics.extend(self.services.metrics());
        self.forget_dropped();
        let interpreters: u64 =
            self.graphs.read().graphs.values().map(|graph| graph.interpreter_count()).sum();
        metrics.push(Metric::gauge(
            "millrace_interpreters",
            "Lua interpreters of all graphs.",
            interpreters as f64,
        ));
        let of_backend = self.backend.metrics().into_iter().map(|(name, help, value)| {
            match name.ends_with("_total") {
                true => Metric::counter(name, help, value),
                false => Metric::gauge(name, help, value),
            }
        });
        metrics.extend(of_backend);
        metrics
    }

    /// Whether it is open to be read only.
    pub fn is_read_only(&self) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.is_read_only())
    }

    /// Why writes are refused at the moment, if they are. Cheap; for probes.
    pub fn read_only_reason(&self) -> Option<String> {
        self.folder.as_ref()?.read_only_reason()
    }

    /// Writes a backup of the whole folder as an archive, while reads and writes go on. It contains every
    /// commit acknowledged before the call. `watch` gets bytes done and in all, and may stop it.
    pub fn backup(
        &self,
        out: &mut dyn Write,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<BackupSummary> {
        let folder = self.folder.as_ref().ok_or_else(|| {
            let detail = "a database in memory has no data folder to back up";
            Error::new(ErrorKind::Unsupported, detail)
        })?;
        let mut archive = ArchiveWriter::new(out, Path::new("backup"));
        let made = folder.backup(&mut archive, watch);
        if let Err(error) = &made
            && error.kind == ErrorKind::Corrupt
        {
            tracing::error!(name: "damage", error = error.detail);
            // The client may have the status already, and learns of it in the archive.
            archive.fail(&error.detail)?;
        }
        made
    }

    /// Writes the changes that are only in the log to segments, for a fast next start.
    pub fn checkpoint(&self) -> Result<()> {
        self.backend.checkpoint()
    }

    /// Ends all work: queued requests run, and everything acknowledged is durable. The folder is
    /// free once the last handle is dropped.
    pub fn close(&self) {
        self.loads.cancel_all();
        let mut known = self.graphs.write();
        known.is_closed = true;
        let graphs: Vec<_> = known.graphs.drain().map(|(_, graph)| graph).collect();
        drop(known);
        graphs.iter().for_each(|graph| graph.close());
        self.parts.commit_notifier.close();
    }
}

#[cfg(test)]
mod tests {
    use millrace_store::Freshness;

    use super::*;

    /// Another server of the same graphs is another handle of the backend.
    #[test]
    fn graphs_that_are_made_and_dropped_elsewhere_are_found_and_missed_by_name() {
        let elsewhere = Arc::new(MemoryBackend::new());
        let here = Database::over(elsewhere.clone(), Settings::default()).unwrap();
        assert!(here.find_graph("far").unwrap().is_none());
        elsewhere.create_graph("far").unwrap();
        let first = here.graph("far").unwrap();
        assert!(Arc::ptr_eq(&first, &here.ensure_graph("far").unwrap()));
        elsewhere.drop_graph("far").unwrap();
        assert!(here.find_graph("far").unwrap().is_none());
        assert_eq!(here.graph("far").map(drop).unwrap_err().kind, ErrorKind::NotFound);
        let error = first.read(&here.request_limits(), |_| Ok(())).unwrap_err();
        assert!(error.kind == ErrorKind::NotFound && error.detail.contains("far"), "{error}");
        elsewhere.create_graph("far").unwrap();
        let second = here.graph("far").unwrap();
        assert!(second.store().snapshot_within(Freshness::Latest, None).is_ok());
        assert!(first.is_dropped() && !Arc::ptr_eq(&first, &second));
        elsewhere.drop_graph("far").unwrap();
        here.create_graph("far").unwrap();
        assert_eq!(here.create_graph("far").map(drop).unwrap_err().kind, ErrorKind::AlreadyExists);
        here.close();
        assert_eq!(here.find_graph("far").map(drop).unwrap_err().kind, ErrorKind::Unavailable);
    }
}
