//! A schema change: its definitions are made beside all writers, and the transaction
//! commits when it is ready.
//!
//! ```text
//!   begin ── record: build, check ──> writers keep to it; those that began before are sent back
//!     │
//!   scan     a later snapshot, a chunk a step: entries, and properties that are not as defined
//!   found    entries under those that writers added since; segments, synced and installed
//!   enforce  unique: a record, from which on writers refuse a second value
//!   validate unique: the writes meanwhile, too
//!     │
//!   commit ── the transaction's own record, with *finish* for each index: ready
//! ```
//!
//! A step that fails withdraws the first records, immediately or when the log has room for it, and
//! nothing of the transaction is left. A crash before the last record leaves none of it either: the
//! next open forgets unfinished definitions, for no client got an answer that they are there.

use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, PropertyDefinition};
use millrace_model::{CatalogChange, Error, ErrorKind, IndexId, Owner, Phase, Result};
use millrace_store::{Changes, ConflictTicketId, WriteBatch, constraint};

use super::build::{IndexBuild, IndexScan, PropertyScan, find_clash};
use super::submit::{needs_graph_alone, submit_judged};
use crate::checkpoint::{OpenFolder, OwnedPin};
use crate::commit::prepare::Parts;
use crate::commit::prepare::marks::Marks;
use crate::commit::{Effect, Footprint, Mark, Physical, Purpose, Record, Submission};
use crate::graph::Graph;
use crate::io::{Bug, is_injected};

/// A transaction that changes the schema, on its way.
pub(crate) struct SchemaChange {
    open: Arc<OpenFolder>,
    graph: Arc<Graph>,
    batch: WriteBatch,
    definitions: Definitions,
    stage: Stage,
    /// Whether the first record may be in the log, and nothing took it back.
    begun: bool,
}

/// The definitions that are made beside writers.
#[derive(Default)]
struct Definitions {
    /// The ticket of the transaction: its own records must not wait for it.
    ticket: Option<ConflictTicketId>,
    owners: Vec<Owner>,
    indexes: Vec<IndexDefinition>,
    properties: Vec<PropertyDefinition>,
    /// Notes that come with the first record, so that what is being built has its name.
    notes: Vec<CatalogChange>,
}

/// The next step.
enum Stage {
    Begin,
    /// All that was to be dropped went with the builds that were ended.
    Dropped,
    Scan {
        pin: OwnedPin,
        indexes: Vec<IndexScan>,
        properties: Vec<PropertyScan>,
    },
    Enforce,
    Validate {
        pin: OwnedPin,
        indexes: Vec<IndexDefinition>,
    },
    Commit,
    Done,
}

impl SchemaChange {
    /// Takes the graph's schema lock, and checks the schema changes since the batch's snapshot.
    pub(crate) fn begin(
        open: &Arc<OpenFolder>,
        graph: &Arc<Graph>,
        batch: WriteBatch,
    ) -> Result<SchemaChange> {
        if batch.changes.catalog.iter().any(CatalogChange::is_internal) {
            let detail = "a store alone makes the steps of a schema change";
            return Err(Error::new(ErrorKind::Bug, detail).in_phase(Phase::Commit));
        }
        let stopped = stop_builds(graph, &batch.changes.catalog);
        open.acquire(|| graph.schema_lock.enter(), || graph.schema_lock.try_enter());
        let (open, graph) = (Arc::clone(open), Arc::clone(graph));
        let is_done = !stopped.is_empty() && drops_only(&batch, &stopped, &graph);
        let stage = if is_done { Stage::Dropped } else { Stage::Begin };
        let definitions = Definitions { ticket: batch.ticket, ..Definitions::default() };
        let begun = false;
        Ok(SchemaChange { open, graph, batch, definitions, stage, begun })
    }

    /// Does the next step; the position, when it has committed. After an error it is over.
    pub(crate) fn step(&mut self) -> Result<Option<u64>> {
        let stage = std::mem::replace(&mut self.stage, Stage::Done);
        let next = match stage {
            Stage::Begin => self.begin_builds(),
            Stage::Dropped => return Ok(Some(self.open.pipeline.progress.visible())),
            Stage::Scan { pin, indexes, properties } => self.scan(pin, indexes, properties),
            Stage::Enforce => self.enforce(),
            Stage::Validate { pin, indexes } => self.validate(pin, indexes),
            Stage::Commit => {
                let position = self.commit();
                if position.is_err() {
                    self.take_back();
                }
                self.begun = false;
                return position.map(Some);
            }
            Stage::Done => Err(Error::new(ErrorKind::Bug, "a schema change goes on after its end")),
        };
        match next {
            Ok(stage) => self.stage = stage,
            Err(error) => {
                self.take_back();
                return Err(error);
            }
        }
        Ok(None)
    }

    fn begin_builds(&mut self) -> Result<Stage> {
        let injected = is_injected(self.open.folder.disk(), Bug::IndexBuiltEarly);
        let early = injected.then(|| OwnedPin::of_now(&self.open));
        // All that was defined before is in the catalog that this one is judged by.
        let last = self.open.pipeline.sequencer.position();
        self.open.pipeline.progress.wait_visible(last, None)?;
        let mut catalog = Footprint::default();
        catalog.check(Mark::Catalog.key(self.graph.id));
        self.open.pipeline.sequencer.table.confirm(&catalog, self.batch.snapshot.0)?;
        self.number_changes();
        let definitions = &self.definitions;
        let builds = definitions.indexes.iter().cloned().map(CatalogChange::BuildIndex);
        let checks = definitions.properties.iter().cloned().map(CatalogChange::CheckProperty);
        let changes: Vec<CatalogChange> = builds.chain(checks).collect();
        if changes.is_empty() {
            return Ok(Stage::Commit);
        }
        let changes = changes.into_iter().chain(definitions.notes.iter().cloned()).collect();
        definitions.indexes.iter().for_each(|index| self.graph.indexes.begin(index.id));
        self.begun = true;
        definitions.record(&self.open, &self.graph, changes, Purpose::Change)?;
        let pin = early.unwrap_or_else(|| OwnedPin::of_now(&self.open));
        let (memory, view) = (self.open.memory(), pin.view(&self.graph));
        let indexes = IndexScan::of(&definitions.indexes, &view, || memory.share())?;
        drop(view);
        let parts = Parts::of(&self.batch);
        let scan = |property: &PropertyDefinition| PropertyScan::new(property.clone(), parts);
        let properties = definitions.properties.iter().map(scan).collect::<Result<_>>()?;
        Ok(Stage::Scan { pin, indexes, properties })
    }

    /// Gives indexes their numbers: in the transaction's own record they are only finished.
    fn number_changes(&mut self) {
        for change in &mut self.batch.changes.catalog {
            if let CatalogChange::CreateIndex(index) = change {
                let index =
                    IndexDefinition { id: IndexId(self.graph.new_index()), ..index.clone() };
                *change = CatalogChange::FinishIndex(index.id);
                self.definitions.owners.push(index.owner);
                self.definitions.indexes.push(index);
            } else if let CatalogChange::CreateProperty(property) = change {
                self.definitions.owners.push(property.owner);
                self.definitions.properties.push(property.clone());
            } else if let CatalogChange::SetNote(_, Some(_)) = change {
                self.definitions.notes.push(change.clone());
            }
        }
    }

    fn scan(
        &self,
        pin: OwnedPin,
        mut indexes: Vec<IndexScan>,
        mut properties: Vec<PropertyScan>,
    ) -> Result<Stage> {
        self.graph.check_there()?;
        self.open.pipeline.sequencer.check_taking()?;
        let view = pin.view(&self.graph);
        if let Some(scan) = properties.iter_mut().find(|scan| !scan.is_done()) {
            scan.step(&view)?;
        } else if let Some(scan) = indexes.iter_mut().find(|scan| !scan.is_done()) {
            scan.step(&view).map_err(|error| self.definitions.named(error))?;
        } else {
            let install = |build: IndexBuild| {
                let index = build.index.id;
                build.install(&self.graph, view.at);
                index
            };
            let builds = indexes.into_iter().flat_map(IndexScan::into_builds);
            let built: Vec<IndexId> = builds.map(install).collect();
            self.open.found_indexes(&self.graph, &built, view.at.0)?;
            return Ok(Stage::Enforce);
        }
        Ok(Stage::Scan { pin, indexes, properties })
    }

    fn enforce(&self) -> Result<Stage> {
        let unique: Vec<IndexDefinition> =
            self.definitions.indexes.iter().filter(|index| index.is_unique()).cloned().collect();
        if unique.is_empty() {
            return Ok(Stage::Commit);
        }
        let enforced = unique.iter().map(|index| CatalogChange::EnforceIndex(index.id));
        self.definitions.record(&self.open, &self.graph, enforced.collect(), Purpose::Change)?;
        Ok(Stage::Validate { pin: OwnedPin::of_now(&self.open), indexes: unique })
    }

    fn validate(&self, pin: OwnedPin, mut indexes: Vec<IndexDefinition>) -> Result<Stage> {
        let Some(index) = indexes.pop() else { return Ok(Stage::Commit) };
        find_clash(&pin.view(&self.graph), &index, Parts::of(&self.batch))?;
        Ok(Stage::Validate { pin, indexes })
    }

    fn commit(&mut self) -> Result<u64> {
        if needs_graph_alone(&self.graph, &self.batch.changes.catalog) {
            return self.commit_alone();
        }
        let shared = self.open.lock_shared(&self.graph);
        self.graph.check_there()?;
        let batch = std::mem::take(&mut self.batch);
        submit_judged(&self.open, &self.graph, batch, &self.definitions.owners, Some(shared))
    }

    /// Whether a type is a set already is judged by all its edges, so no commit runs meanwhile, and
    /// all that was written before is waited for. The index of external ids of edges waits, too: a
    /// commit judged without it has no marks for the numbers that its edges are shown under.
    fn commit_alone(&mut self) -> Result<u64> {
        let (open, dropping) = (&self.open, &self.graph.dropping);
        let _alone = open.acquire(|| dropping.write(), || dropping.try_write());
        self.graph.check_there()?;
        open.pipeline.progress.wait_visible(open.pipeline.sequencer.position(), None)?;
        let batch = std::mem::take(&mut self.batch);
        submit_judged(open, &self.graph, batch, &self.definitions.owners, None)
    }

    /// Ends the unfinished definitions. If the log has no room for that record now,
    /// [`OpenFolder::take_back_left`] writes it later; or the next open forgets them.
    fn take_back(&mut self) {
        if std::mem::take(&mut self.begun) {
            let _ = self.definitions.take_back(&self.open, &self.graph);
        }
    }
}

/// Ends the builds of the indexes that changes drop, for which the changes would wait, and gives their numbers.
fn stop_builds(graph: &Graph, changes: &[CatalogChange]) -> Vec<IndexId> {
    let (catalog, mut stopped) = (graph.catalog.newest(), Vec::new());
    for change in changes {
        let dropped = |index: &IndexDefinition| match change {
            CatalogChange::DropIndex(id) => index.id == *id,
            CatalogChange::DropOwner(owner) => index.owner == *owner,
            _ => false,
        };
        for build in catalog.building.iter().filter(|build| dropped(&build.index)) {
            if let Some(progress) = graph.indexes.build(build.index.id) {
                progress.stop();
                stopped.push(build.index.id);
            }
        }
    }
    stopped
}

/// Whether a batch only drops indexes whose builds were ended, and none of them was ready before that.
fn drops_only(batch: &WriteBatch, stopped: &[IndexId], graph: &Graph) -> bool {
    let catalog = graph.catalog.newest();
    let is_gone = |change: &CatalogChange| match change {
        CatalogChange::DropIndex(id) => {
            stopped.contains(id) && catalog.maintained_index(*id).is_none()
        }
        // Its name went with the build.
        CatalogChange::SetNote(name, None) => catalog.notes.get(name).is_none(),
        _ => false,
    };
    let writes_nothing = batch.changes.writes_nothing() && batch.spilled.is_empty();
    writes_nothing && batch.changes.catalog.iter().all(is_gone)
}

impl Drop for SchemaChange {
    fn drop(&mut self) {
        self.take_back();
        self.definitions.indexes.iter().for_each(|index| self.graph.indexes.end_build(index.id));
        self.graph.schema_lock.leave();
    }
}

impl OpenFolder {
    /// Ends definitions that failed schema changes left in force because the log had no room for
    /// the record.
    pub(crate) fn take_back_left(&self) {
        for graph in self.graphs.all() {
            // While a schema change runs, the unfinished definitions belong to it.
            let is_left = !Definitions::left(&graph).is_empty() && !self.admission.is_read_only();
            if is_left && graph.schema_lock.try_enter().is_some() {
                // After an error it is tried again at the next look.
                let _ = self.take_back_left_of(&graph);
                graph.schema_lock.leave();
            }
        }
    }

    /// The same for a graph without a running schema change.
    fn take_back_left_of(&self, graph: &Arc<Graph>) -> Result<()> {
        // The last schema change may have committed, and is only not applied yet.
        self.pipeline.progress.wait_visible(self.pipeline.sequencer.position(), None)?;
        let left = Definitions::left(graph);
        if left.is_empty() { Ok(()) } else { left.take_back(self, graph) }
    }
}

impl Definitions {
    /// The unfinished definitions of a graph; they are left over if no schema change runs.
    fn left(graph: &Graph) -> Definitions {
        let catalog = graph.catalog.newest();
        let indexes: Vec<_> = catalog.building.iter().map(|build| build.index.clone()).collect();
        let properties: Vec<_> = catalog.checking.iter().cloned().collect();
        let owners = indexes.iter().map(|index| index.owner);
        let owners = owners.chain(properties.iter().map(|property| property.owner)).collect();
        Definitions { ticket: None, owners, indexes, properties, notes: Vec::new() }
    }

    fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// The error of a build with the name of the index, if there is one name only.
    fn named(&self, error: Error) -> Error {
        let name = |change: &CatalogChange| match change {
            CatalogChange::SetNote(note, _) => {
                note.strip_prefix(constraint::RULE_NOTES).map(ToOwned::to_owned)
            }
            _ => None,
        };
        let names: Vec<String> = self.notes.iter().filter_map(name).collect();
        match (&names[..], error.kind) {
            ([name], ErrorKind::BadInput | ErrorKind::LimitReached) => {
                constraint::of_build(name, error)
            }
            _ => error,
        }
    }

    /// Logs changes of the catalog of their own, and waits until every new transaction knows them.
    fn record(
        &self,
        open: &OpenFolder,
        graph: &Arc<Graph>,
        changes: Vec<CatalogChange>,
        purpose: Purpose,
    ) -> Result<()> {
        let _stays = open.lock_shared(graph);
        graph.check_there()?;
        let catalog = graph.catalog.newest();
        let table = &open.pipeline.sequencer.table;
        let mut marks = Marks::new(table, graph.id).of_schema_change(&self.owners);
        for change in &changes {
            let build = self.indexes.iter().find(|index| names(change, index.id));
            let owner = build.map(|index| index.owner).or_else(|| catalog.owner_of(change));
            // No transaction that began before the first external id has written one.
            let is_of_external_ids = build.is_some_and(IndexDefinition::is_of_external_ids);
            marks.add_schema(owner.filter(|_| !is_of_external_ids), change);
        }
        if self.indexes.iter().any(IndexDefinition::is_of_external_edge_ids) {
            marks.set(Mark::Schema(Owner::AllEdges));
        }
        let changes = Changes { catalog: changes, ..Changes::default() };
        let physical = Physical { changes, ..Physical::default() };
        let record = Record::new(graph, Effect::Changes(physical))?;
        let (mut footprint, snapshot) = (marks.finish(), u64::MAX);
        footprint.ticket = self.ticket;
        let position = open.sequence(Submission { record, footprint, snapshot }, purpose)?;
        open.pipeline.progress.wait_visible(position, None)
    }

    fn take_back(&self, open: &OpenFolder, graph: &Arc<Graph>) -> Result<()> {
        let catalog = graph.catalog.newest();
        let indexes = self.indexes.iter().map(|index| CatalogChange::DropIndex(index.id));
        let known = |change: &CatalogChange| catalog.owner_of(change).is_some();
        let properties = self
            .properties
            .iter()
            .map(|property| CatalogChange::AbandonProperty(property.owner, property.key));
        // A note that says what is not there means nothing; one that was there before is left.
        let own_note = |change: &CatalogChange| match change {
            CatalogChange::SetNote(name, Some(text)) if catalog.notes.get(name) == Some(text) => {
                Some(CatalogChange::SetNote(name.clone(), None))
            }
            _ => None,
        };
        let notes = self.notes.iter().filter_map(own_note);
        let changes = indexes.filter(known).chain(properties).chain(notes).collect();
        self.record(open, graph, changes, Purpose::Upkeep)
    }
}

fn names(change: &CatalogChange, id: IndexId) -> bool {
    match change {
        CatalogChange::BuildIndex(index) => index.id == id,
        CatalogChange::EnforceIndex(other)
        | CatalogChange::FinishIndex(other)
        | CatalogChange::DropIndex(other) => *other == id,
        CatalogChange::CreateOwner(_)
        | CatalogChange::DropOwner(_)
        | CatalogChange::CreateProperty(_)
        | CatalogChange::DropProperty(..)
        | CatalogChange::CreateIndex(_)
        | CatalogChange::CreateSet(_)
        | CatalogChange::DropSet(_)
        | CatalogChange::DemandSerializable(_)
        | CatalogChange::SetNote(..)
        | CatalogChange::CheckProperty(_)
        | CatalogChange::AbandonProperty(..) => false,
    }
}
