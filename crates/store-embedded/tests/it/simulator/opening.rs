//! Between two lives: the end of one, and the state that the next finds.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{ErrorKind, LogPosition, Result};
use millrace_store::{Backend, Store, WriteBatch};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Step};
use millrace_testkit::Rng;

use super::actions::plain;
use super::history::History;
use super::judge::{Wrong, ids_of_load, judge, read};
use super::life::{End, Life, Lived, Open, Reader, Unknown, wrong};
use super::model::{Change, Model, Vertex};
use super::schema::{NAMES, Names};

pub(super) const FOLDER: &str = "/data";
/// The graph that is always there.
const FIRST_GRAPH: &str = "first";
/// Steps that finish all work there is, unless something is wrong.
const STEPS_MAX: usize = 1_000;
/// The share of lives that are followed by a check of the folder that they leave, and of openings
/// that are followed by one.
const CLOSED_CHECKS: f64 = 0.25;
/// How many openings find a disk that fills up.
const FULL_OPENINGS: f64 = 0.1;
const OPEN_CHECKS: f64 = 0.5;

impl Life {
    /// Ends the life as the dice say, and begins the next.
    pub(super) fn restart(&mut self, rng: &mut Rng) -> Lived<()> {
        self.end_life(rng)?;
        self.reopen(rng)
    }

    /// Ends the life: by power loss, by the end of the process, or by closing in order.
    pub(super) fn end_life(&mut self, rng: &mut Rng) -> Lived<()> {
        self.note_failed_syncs();
        let crashed = self.disk.is_crashed();
        self.coverage.note(if crashed { "crashes" } else { "lives without a crash" });
        self.closed = !crashed && rng.chance(0.3);
        if self.closed {
            self.close_in_order()?;
            self.closed = !self.disk.is_crashed();
        }
        self.disk.crash_now();
        self.resume_all()?;
        self.open = None;
        self.disk.reseed(rng.next_u64());
        self.lose_power_or_kill(rng);
        if rng.chance(CLOSED_CHECKS) { self.check_closed(rng) } else { Ok(()) }
    }

    /// Writes all that waits, and vouches for it.
    fn close_in_order(&mut self) -> Lived<()> {
        self.resume_all()?;
        self.disk.heal();
        let backend = Arc::clone(&self.open().backend);
        let done =
            |step: Step| (0..STEPS_MAX).all(|_| backend.step(step).is_ok_and(|worked| worked));
        for step in [Step::Log, Step::Apply, Step::Idle] {
            if done(step) {
                return wrong(format!("{step:?} never ends"));
            }
        }
        self.note_visible()?;
        self.check_open(false)?;
        let position = self.promised;
        // A log that met a failed write takes nothing more, so nothing vouches for its end. The
        // same holds where the machine stopped before the vouching batch was on disk.
        if !self.met_errors && !self.disk.is_crashed() {
            self.vouched = position;
        }
        // Best effort, as in a close.
        let _cut_off = backend.step(Step::Close);
        self.tell(format_args!("closed in order at {position}"));
        Ok(())
    }

    fn lose_power_or_kill(&mut self, rng: &mut Rng) {
        if rng.chance(0.6) {
            let report = self.disk.power_loss();
            self.tell("power loss");
            self.coverage.note_many("batches torn by power loss", report.torn_batches);
            let reordered = report.reordered_batches;
            self.coverage.note_many("batches whose sectors landed out of order", reordered);
            self.coverage.note_many("other files torn by power loss", report.torn_files);
        } else {
            self.disk.process_kill();
            self.tell("process killed");
        }
    }

    /// Opens, perhaps after crashes on the way, and judges the recovered state.
    pub(super) fn reopen(&mut self, rng: &mut Rng) -> Lived<()> {
        // Now and then recovery itself is interrupted, and must begin anew.
        while rng.chance(0.3) {
            self.disk.crash_after(rng.below(25));
            let opened = self.try_open(&self.disk, rng);
            if let Err(error) = &opened
                && !self.disk.is_crashed()
            {
                return wrong(format!("it does not open: {error}"));
            }
            self.disk.crash_now();
            drop(opened);
            self.closed = false;
            self.coverage.note("crashes while opening");
            self.lose_power_or_kill(rng);
        }
        let backend = self.open_perhaps_full(rng);
        let backend = backend.or_else(|error| wrong(format!("it does not open: {error}")))?;
        self.begin_life(&backend)?;
        if !rng.chance(OPEN_CHECKS) {
            return Ok(());
        }
        self.note_recovered();
        self.check_open(rng.chance(0.5))
    }

    /// Opens, now and then on a full disk, which has room again afterwards. There it opens for
    /// reading, but for a folder that has no log yet, and on a disk that copies on write.
    fn open_perhaps_full(&mut self, rng: &mut Rng) -> Result<Arc<EmbeddedBackend>> {
        if !rng.chance(FULL_OPENINGS) {
            return self.try_open(&self.disk, rng);
        }
        self.disk.full_after(rng.below(4));
        let opened = self.try_open(&self.disk, rng);
        self.opened_full = self.disk.is_full();
        self.coverage.note_many("openings on a full disk", u64::from(self.opened_full));
        self.disk.free_room();
        match opened {
            Err(full) if full.kind == ErrorKind::ReadOnly && self.may_refuse_full() => {
                self.disk.process_kill();
                self.try_open(&self.disk, rng)
            }
            opened => opened,
        }
    }

    fn may_refuse_full(&self) -> bool {
        self.disk.copies_on_write() || self.promised == 0
    }

    pub(super) fn try_open(&self, disk: &SimDisk, rng: &mut Rng) -> Result<Arc<EmbeddedBackend>> {
        let machine = disk.machine(rng.next_u64());
        EmbeddedBackend::open_stepped(machine, Path::new(FOLDER), self.options)
    }

    fn begin_life(&mut self, backend: &Arc<EmbeddedBackend>) -> Lived<()> {
        self.met_errors = false;
        self.judge_graphs(backend)?;
        let mut open = Open {
            backend: Arc::clone(backend),
            stores: std::collections::BTreeMap::new(),
            readers: Vec::new(),
            loads: Vec::new(),
            suspended: Vec::new(),
            failed_schema_changes: Vec::new(),
            checkpointed: None,
            delayed: None,
        };
        for graph in self.graphs.keys() {
            let store = backend.graph(graph);
            let store = store.or_else(|error| wrong(format!("{graph} is gone: {error}")))?;
            open.stores.insert(graph, store);
        }
        // An opening makes all that it shows durable, and vouches for it; not for later commits.
        let snapshot = open.stores.values().next().map(|store| store.snapshot()).transpose();
        let snapshot = snapshot.map_err(|error| self.end(&error))?;
        let recovered = snapshot.map_or(0, |snapshot| snapshot.position().0);
        // On a full disk there may be no room for the batch that vouches.
        if !std::mem::take(&mut self.opened_full) {
            self.vouched = recovered;
        }
        self.open = Some(open);
        if !self.graphs.contains_key(FIRST_GRAPH) {
            self.make_graph(FIRST_GRAPH)?;
        }
        self.judge_recovered(recovered)
    }

    /// The graphs there are must be those that were made and not dropped.
    fn judge_graphs(&mut self, backend: &EmbeddedBackend) -> Lived<()> {
        let there = backend.graphs();
        for unknown in &self.unknown {
            match unknown {
                Unknown::Made(name) if there.iter().any(|graph| graph == name) => {
                    self.graphs.insert(name, History::new());
                }
                Unknown::Dropped(name) if there.iter().all(|graph| graph != name) => {
                    self.graphs.remove(name);
                }
                Unknown::Made(_) | Unknown::Dropped(_) | Unknown::Change(..) => {}
            }
        }
        let known: Vec<&str> = self.graphs.keys().copied().collect();
        if there != known {
            return wrong(format!("the graphs are {there:?}, not {known:?}"));
        }
        Ok(())
    }

    /// Makes a graph durably, with its names.
    pub(super) fn make_graph(&mut self, name: &'static str) -> Lived<()> {
        let backend = Arc::clone(&self.open().backend);
        match backend.create_graph(name) {
            Ok(store) => {
                self.tell(format_args!("graph {name} is made"));
                self.graphs.insert(name, History::new());
                self.open().stores.insert(name, store);
            }
            Err(error) => {
                if error.kind == ErrorKind::OutcomeUnknown || self.disk.is_crashed() {
                    self.unknown.push(Unknown::Made(name));
                    return Err(self.end(&error));
                }
                // Refused for sure; but without any graph nothing can go on.
                let is_first = self.open().stores.is_empty();
                return if is_first { Err(self.end(&error)) } else { self.bear(&error) };
            }
        }
        self.intern(name)
    }

    /// Gives a graph its names, or requires them to be those it had.
    fn intern(&mut self, graph: &'static str) -> Lived<()> {
        let store = Arc::clone(&self.open().stores[graph]);
        let numbers = store.intern(&NAMES).map_err(|error| self.end(&error))?;
        let names = Names::of(&numbers);
        let known = self.history(graph).names.replace(names);
        match known.filter(|known| *known != names) {
            Some(known) => wrong(format!("names were {known:?} and are {names:?}")),
            None => Ok(()),
        }
    }

    /// The recovered state must be a prefix, and hold everything that was promised.
    fn judge_recovered(&mut self, recovered: u64) -> Lived<()> {
        let before = self.promised;
        self.tell(format_args!("recovered {recovered}, promised {before}"));
        if recovered < before && !self.is_async() {
            return wrong(format!("{before} was promised, {recovered} came back"));
        }
        let graphs: Vec<&'static str> = self.graphs.keys().copied().collect();
        for graph in &graphs {
            // Positions that were never reported may be given again, and names take the first of
            // them.
            self.history(graph).truncate_after(recovered);
            self.intern(graph)?;
        }
        let first = Arc::clone(self.open().stores.values().next().expect("one is always there"));
        let position = first.snapshot().map_err(|error| self.end(&error))?.position().0;
        (self.promised, self.newest) = (position, position);
        let unknown = std::mem::take(&mut self.unknown);
        for graph in graphs {
            let store = Arc::clone(&self.open().stores[graph]);
            self.judge_graph(graph, &*store, position, &unknown)?;
        }
        self.coverage.note_many("external ids that came back", self.count_external());
        Ok(())
    }

    fn judge_graph(
        &mut self,
        graph: &'static str,
        store: &dyn Store,
        position: u64,
        unknown: &[Unknown],
    ) -> Lived<()> {
        let snapshot = store.snapshot().map_err(|error| self.end(&error))?;
        let names = self.names(graph);
        let model = self.history(graph).newest();
        let message = match judge(&*snapshot, names, &model) {
            Ok(()) => {
                let lost =
                    unknown.iter().filter(|u| matches!(u, Unknown::Change(g, _) if *g == graph));
                self.coverage.note_many("unknown commits that did not", lost.count() as u64);
                return Ok(());
            }
            Err(Wrong::Unreadable(error)) => format!("{error:?}"),
            Err(Wrong::Different(message)) => message,
        };
        let Some(after) = after_unknown(graph, &*snapshot, names, &model, unknown) else {
            return wrong(format!("{graph} after recovery at {position}: {message}"));
        };
        self.coverage.note("unknown commits that came back");
        self.history(graph).replace(position, after);
        let model = self.history(graph).newest();
        self.judge_reader(&Reader { graph, snapshot, names, model, is_of_dropped: false })
    }
}

/// The graph with one of the changes of unknown outcome, if the snapshot shows that one.
fn after_unknown(
    graph: &str,
    snapshot: &dyn millrace_store::Snapshot,
    names: Names,
    model: &Model,
    unknown: &[Unknown],
) -> Option<Model> {
    let found = read(snapshot, names).ok()?;
    unknown.iter().find_map(|unknown| {
        let Unknown::Change(of, change) = unknown else { return None };
        let mut change = (**change).clone();
        if *of != graph {
            return None;
        }
        if change.edges.iter().any(|(id, _)| id.is_none()) {
            change.edges = ids_of_load(&found, model, &change.edges)?;
        }
        let after = model.after(&change).ok()?;
        judge(snapshot, names, &after).is_ok().then_some(after)
    })
}

impl From<Wrong> for End {
    fn from(wrong: Wrong) -> End {
        End::Wrong(format!("{wrong:?}"))
    }
}

/// Symptom: "indexes: found {1}, expected {}" after a recovery. Shape: a commit that was accepted
/// and never reached the disk, and a graph without names, which the next life gave that commit's
/// position.
#[test]
fn a_commit_that_was_lost_is_not_expected_because_an_opening_wrote_at_its_position() {
    let mut rng = Rng::new(1);
    let mut lives = (1..).map(|seed| Life::new(seed, None));
    let mut life = lives.find(|life| !life.is_async()).expect("few are");
    life.options.out_of_line_bytes_min = 1 << 20;
    assert!(life.reopen(&mut rng).is_ok());
    let Ok(begun) = life.begin(&mut rng) else { panic!("nothing went wrong yet") };
    let Ok(Some(ids)) = life.lease(&mut rng, &begun, 1) else { panic!("nothing went wrong yet") };
    let backend = Arc::clone(&life.open().backend);
    assert!(backend.create_graph("third").is_ok());
    life.graphs.insert("third", History::new());

    let catalog = begun.store.snapshot().map(|snapshot| snapshot.catalog());
    let catalog = catalog.unwrap_or_else(|error| panic!("{error}"));
    let change = Change { vertices: vec![(ids[0], Vertex::default())], ..Change::default() };
    let changes = change.for_store(life.names(FIRST_GRAPH), &catalog);
    let batch =
        WriteBatch { snapshot: LogPosition(begun.snapshot), changes, ..WriteBatch::default() };
    let lost = begun.store.commit(batch).map(|ticket| ticket.position.0);
    let position = lost.clone().unwrap_or_else(|error| panic!("{error}"));
    assert!(life.judge_commit(plain("create", &begun, change), lost).is_ok());
    drop((begun, backend));

    life.disk.crash_now();
    life.open = None;
    life.disk.power_loss();
    if let Err(End::Wrong(message)) = life.reopen(&mut rng) {
        panic!("{message}");
    }
    assert_eq!(life.promised, position, "the names of the third graph");
    assert!(life.graphs[FIRST_GRAPH].newest().vertices.is_empty());
}
