//! One seed: lives of one data folder, each ending badly, each judged by what the next one finds.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, ErrorKind, KeyId, LabelId, Position, VertexId};
use millrace_store::{Backend, Changes, NameKind, Snapshot, Store, Ticket, WriteBatch};
use millrace_store_embedded::io::sim::{PlantedFault, SimDisk};
use millrace_store_embedded::{Durability, EmbeddedBackend, Options, Step};
use millrace_testkit::Rng;

use super::coverage::Coverage;
use super::judge::{Wrong, ids_of_load, judge, read};
use super::model::{Change, Model, Names};
use super::work::{Intent, change, intent, vertices_wanted};

const FOLDER: &str = "/data";
const GRAPH: &str = "graph";

/// A fault of the program that the judge must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mutation {
    None,
    /// Commits are acknowledged before they are on disk.
    AcknowledgesEarly,
    /// The disk acts as if the program forgot something.
    Planted(PlantedFault),
}

/// The lives of one folder.
pub(super) struct Life {
    rng: Rng,
    pub(super) disk: SimDisk,
    options: Options,
    names: Option<Names>,
    /// Whether the graph was ever acknowledged.
    graph_made: bool,
    /// The graph after each accepted commit, by position.
    history: Vec<(u64, Arc<Model>)>,
    /// A change nobody knows the outcome of: the last thing before a crash.
    unknown: Option<Change>,
    /// Whether an acknowledgement says only that a commit is applied.
    asynchronous: bool,
    /// What was acknowledged, or seen by a reader, up to here.
    promised: u64,
    /// Vertex ids below this were given.
    leased: u64,
    pub(super) coverage: Coverage,
    /// What happened, for the report of a failure.
    pub(super) story: Vec<String>,
}

/// The folder while it is open.
struct Open {
    backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
    names: Names,
    readers: Vec<Arc<dyn Snapshot>>,
    tickets: Vec<Ticket>,
}

/// Why a life ends.
enum End {
    /// The machine failed, as it was told to.
    Crash,
    /// The store is wrong.
    Wrong(String),
}

type Lived<T> = Result<T, End>;

impl Life {
    pub(super) fn new(seed: u64, mutation: Mutation) -> Life {
        let mut rng = Rng::new(seed);
        let disk = SimDisk::new(rng.next_u64());
        let mut options = Options {
            id_block_size: *rng.pick(&[40_000, 1_000]),
            large_commit_bytes: *rng.pick(&[1, 250, 1 << 20]),
            segment_bytes_max: *rng.pick(&[0, 20_000, 1 << 30]),
            overlay_rows_min: *rng.pick(&[1, 4, 1 << 20]),
            conflict_bits: 12,
            ..Options::default()
        };
        options.log.first_file_bytes = 16 << 10;
        options.log.file_bytes = 32 << 10;
        let asynchronous = mutation == Mutation::None && rng.chance(0.2);
        if asynchronous {
            options.durability = Some(Durability::Async);
        }
        match mutation {
            Mutation::None => {}
            Mutation::AcknowledgesEarly => options.durability = Some(Durability::Async),
            Mutation::Planted(fault) => disk.plant(fault),
        }
        Life {
            rng,
            disk,
            options,
            names: None,
            graph_made: false,
            history: vec![(0, Arc::default())],
            unknown: None,
            asynchronous,
            promised: 0,
            leased: 0,
            coverage: Coverage::default(),
            story: Vec::new(),
        }
    }

    fn tell(&mut self, what: impl std::fmt::Display) {
        self.story.push(what.to_string());
    }

    /// Lives all lives; the error is what was wrong.
    pub(super) fn run(&mut self) -> Result<(), String> {
        for _ in 0..2 + self.rng.below(3) {
            match self.live() {
                Ok(()) => self.coverage.ended_in_peace += 1,
                Err(End::Crash) => self.coverage.crashed += 1,
                Err(End::Wrong(wrong)) => return Err(wrong),
            }
            let cut = self.rng.chance(0.6);
            self.tell(if cut { "power cut" } else { "process killed" });
            if cut { self.disk.power_cut() } else { self.disk.process_kill() }
        }
        match self.open() {
            Ok(_) => Ok(()),
            Err(End::Crash) => Err("the last opening failed without a fault".to_string()),
            Err(End::Wrong(wrong)) => Err(wrong),
        }
    }

    fn live(&mut self) -> Lived<()> {
        self.open_and_crash()?;
        let mut open = self.open()?;
        self.set_fault();
        for _ in 0..40 + self.rng.below(80) {
            self.act(&mut open)?;
            self.note_visible(&open);
        }
        Ok(())
    }

    /// Now and then recovery itself is interrupted, and must begin anew.
    fn open_and_crash(&mut self) -> Lived<()> {
        while self.rng.chance(0.3) {
            self.disk.crash_after(self.rng.below(25));
            let opened = self.try_open();
            if let Err(error) = &opened
                && !self.disk.is_crashed()
            {
                return Err(End::Wrong(format!("it does not open: {error}")));
            }
            drop(opened);
            self.coverage.crashed_opening += 1;
            if self.rng.chance(0.6) { self.disk.power_cut() } else { self.disk.process_kill() }
        }
        Ok(())
    }

    fn try_open(&self) -> millrace_model::Result<Arc<EmbeddedBackend>> {
        EmbeddedBackend::open_stepped(self.disk.machine(7), Path::new(FOLDER), self.options)
    }

    fn open(&mut self) -> Lived<Open> {
        let backend =
            self.try_open().map_err(|error| End::Wrong(format!("it does not open: {error}")))?;
        let store = match backend.graph(GRAPH) {
            Ok(store) => store,
            Err(_) if self.graph_made => return Err(End::Wrong("the graph is gone".to_string())),
            Err(_) => backend.create_graph(GRAPH).map_err(|error| self.end(&error))?,
        };
        self.graph_made = true;
        let names = self.intern(&*store)?;
        let mut open = Open { backend, store, names, readers: Vec::new(), tickets: Vec::new() };
        self.judge_recovered(&mut open)?;
        Ok(open)
    }

    fn intern(&mut self, store: &dyn Store) -> Lived<Names> {
        let wanted = [
            (NameKind::Label, "Person"),
            (NameKind::EdgeType, "LIKES"),
            (NameKind::EdgeType, "KNOWS"),
            (NameKind::Key, "age"),
            (NameKind::Key, "weight"),
        ];
        let numbers = store.intern(&wanted).map_err(|error| self.end(&error))?;
        let names = Names {
            person: LabelId(numbers[0]),
            types: [EdgeTypeId(numbers[1]), EdgeTypeId(numbers[2])],
            age: KeyId(numbers[3]),
            weight: KeyId(numbers[4]),
        };
        if let Some(known) = self.names
            && format!("{known:?}") != format!("{names:?}")
        {
            return Err(End::Wrong(format!("names were {known:?} and are {names:?}")));
        }
        self.names = Some(names);
        Ok(names)
    }

    /// What came back must be a prefix, and hold everything that was promised.
    fn judge_recovered(&mut self, open: &mut Open) -> Lived<()> {
        let snapshot = open.store.snapshot().map_err(|error| self.end(&error))?;
        let position = snapshot.position().0;
        let promised = self.promised;
        self.tell(format_args!("recovered {position}, promised {promised}"));
        if position < self.promised && !self.asynchronous {
            let promised = self.promised;
            return Err(End::Wrong(format!("{promised} was promised, {position} came back")));
        }
        // Positions that nobody heard of may be given again.
        self.history.retain(|(at, _)| *at <= position);
        self.promised = position;
        let last = Arc::clone(&self.history.last().expect("position 0 stays").1);
        let outcome = judge(&*snapshot, open.names, &last);
        let unknown = self.unknown.take();
        if let (Err(Wrong::Different(_)), Some(unknown)) = (&outcome, unknown)
            && let Some(after) = after_unknown(&*snapshot, open.names, &last, unknown)
        {
            self.coverage.unknown_came_back += 1;
            self.history.push((position, Arc::new(after)));
            return self.judge_reader(&*snapshot, open.names);
        }
        outcome.map_err(|wrong| End::Wrong(format!("after recovery at {position}: {wrong:?}")))
    }

    fn set_fault(&mut self) {
        match self.rng.below(10) {
            0..=5 => self.disk.crash_after(self.rng.below(150)),
            6 => self.disk.fail_sync_after(self.rng.below(20)),
            7 => self.disk.full_after(self.rng.below(60)),
            _ => {}
        }
    }

    fn act(&mut self, open: &mut Open) -> Lived<()> {
        match self.rng.below(32) {
            0..=13 => self.commit(open),
            14..=18 => self.step(open, Step::Log),
            19..=23 => self.step(open, Step::Apply),
            24 => self.step(open, Step::Idle),
            25 => self.step(open, Step::NextFile),
            26 => self.step(open, Step::Checkpoint),
            27 => self.step(open, Step::Forget),
            28..=29 => self.begin_reading(open),
            30 => self.read(open),
            _ => {
                open.readers.pop();
                Ok(())
            }
        }
    }

    fn step(&mut self, open: &Open, step: Step) -> Lived<()> {
        self.tell(format_args!("step {step:?}"));
        match open.backend.step(step) {
            Ok(worked) => {
                if step == Step::Checkpoint && worked {
                    self.coverage.checkpoints += 1;
                }
                Ok(())
            }
            Err(error) => self.bear(&error),
        }
    }

    fn commit(&mut self, open: &mut Open) -> Lived<()> {
        let intent = intent(&mut self.rng);
        let Some(ids) = self.lease(open, intent)? else { return Ok(()) };
        // Some transactions began a while ago.
        let snapshot = match open.readers.first() {
            Some(reader) if self.rng.chance(0.4) => reader.position().0,
            _ => self.visible(open),
        };
        let graph = self.model_at(snapshot);
        let Some(mut change) = change(&mut self.rng, intent, &graph, &ids) else { return Ok(()) };
        if intent == Intent::Load {
            return self.load(open, change);
        }
        self.give_edge_ids(open, &mut change)?;
        let changes = change.for_store(open.names);
        let batch = self.batch(open, snapshot, changes)?;
        match open.store.commit(batch) {
            Ok(ticket) => {
                self.accept(ticket.position.0, &change)?;
                open.tickets.push(ticket);
                Ok(())
            }
            Err(error) => self.refused(&error, change),
        }
    }

    /// A part of some batches is spilled first.
    fn batch(&mut self, open: &Open, snapshot: u64, mut changes: Changes) -> Lived<WriteBatch> {
        let snapshot = Position(snapshot);
        let mut spilled = Vec::new();
        if self.rng.chance(0.1) && changes.catalog.is_empty() && !changes.vertices.is_empty() {
            let vertices = std::mem::take(&mut changes.vertices);
            let part = Changes { vertices, ..Changes::default() };
            match open.store.spill(part) {
                Ok(part) => spilled.push(part),
                Err(error) => return Err(self.end(&error)),
            }
        }
        Ok(WriteBatch { snapshot, changes, spilled, ..WriteBatch::default() })
    }

    fn load(&mut self, open: &mut Open, mut change: Change) -> Lived<()> {
        let before = self.history.last().expect("position 0 stays").1.clone();
        let parts = change.for_store(open.names);
        let loaded = open.store.begin_bulk_load().and_then(|mut load| {
            load.push(Changes { edges: parts.edges, ..Changes::default() })?;
            load.push(Changes { vertices: parts.vertices, ..Changes::default() })?;
            load.finish()
        });
        match loaded {
            Ok(position) => {
                self.coverage.loads += 1;
                let snapshot = open.store.snapshot().map_err(|error| self.end(&error))?;
                let read = read(&*snapshot, open.names).map_err(|error| self.end(&error))?;
                let Some(edges) = ids_of_load(&read, &before, &change.edges) else {
                    return Err(End::Wrong(format!("a load at {position} is not all there")));
                };
                change.edges = edges;
                self.accept(position.0, &change)
            }
            Err(error) => self.refused(&error, change),
        }
    }

    fn accept(&mut self, position: u64, change: &Change) -> Lived<()> {
        self.tell(format_args!("commit {position}: {change:?}"));
        let last = &self.history.last().expect("position 0 stays").1;
        let after = last
            .after(change)
            .map_err(|wrong| End::Wrong(format!("commit {position}: {wrong}")))?;
        self.history.push((position, Arc::new(after)));
        self.coverage.commits += 1;
        Ok(())
    }

    /// A refusal is fine; an unknown outcome must be settled by the next life.
    fn refused(&mut self, error: &millrace_model::Error, change: Change) -> Lived<()> {
        self.tell(format_args!("refused: {change:?}: {error:?}"));
        match error.kind {
            ErrorKind::Conflict => {
                self.coverage.conflicts += 1;
                Ok(())
            }
            // What it named was gone by the time it was judged.
            ErrorKind::NotFound | ErrorKind::Constraint => Ok(()),
            ErrorKind::OutcomeUnknown => {
                self.unknown = Some(change);
                Err(End::Crash)
            }
            _ if self.disk.is_crashed() => {
                self.unknown = Some(change);
                Err(End::Crash)
            }
            _ => self.bear(error),
        }
    }

    /// Ids for new vertices, spread over partitions.
    fn lease(&mut self, open: &Open, intent: Intent) -> Lived<Option<Vec<u64>>> {
        let wanted = vertices_wanted(&mut self.rng, intent);
        if wanted == 0 {
            return Ok(Some(Vec::new()));
        }
        let skipped = if self.rng.chance(0.1) { 30_000 } else { 0 };
        let ranges = match open.store.lease_vertices(wanted + skipped) {
            Ok(ranges) => ranges,
            Err(error) => return self.bear(&error).map(|()| None),
        };
        let ids: Vec<u64> = ranges.into_iter().flatten().skip(skipped as usize).collect();
        let first = ids[0];
        if first < self.leased || first == 0 {
            return Err(End::Wrong(format!("vertex {first} was leased twice")));
        }
        self.leased = ids[ids.len() - 1] + 1;
        Ok(Some(ids))
    }

    fn give_edge_ids(&mut self, open: &Open, change: &mut Change) -> Lived<()> {
        for kind in 0..2 {
            let of_kind: Vec<usize> =
                (0..change.edges.len()).filter(|row| change.edges[*row].1.kind == kind).collect();
            let sources: Vec<VertexId> =
                of_kind.iter().map(|row| VertexId(change.edges[*row].1.source)).collect();
            let leased = open.store.lease_edges(open.names.types[kind], &sources);
            let ids: Vec<EdgeId> = leased.map_err(|error| self.end(&error))?;
            for (row, id) in of_kind.into_iter().zip(ids) {
                change.edges[row].0 = Some(id.0);
            }
        }
        Ok(())
    }

    fn begin_reading(&mut self, open: &mut Open) -> Lived<()> {
        let snapshot = open.store.snapshot().map_err(|error| self.end(&error))?;
        self.judge_reader(&*snapshot, open.names)?;
        open.readers.push(snapshot);
        Ok(())
    }

    fn read(&mut self, open: &mut Open) -> Lived<()> {
        if open.readers.is_empty() {
            return Ok(());
        }
        let reader = self.rng.index(open.readers.len());
        let snapshot = Arc::clone(&open.readers[reader]);
        self.coverage.old_reads += 1;
        self.judge_reader(&*snapshot, open.names)
    }

    fn judge_reader(&mut self, snapshot: &dyn Snapshot, names: Names) -> Lived<()> {
        let position = snapshot.position().0;
        self.promised = self.promised.max(position);
        match judge(snapshot, names, &self.model_at(position)) {
            Ok(()) => Ok(()),
            Err(Wrong::Unreadable(error)) if error.kind == ErrorKind::Conflict => {
                self.coverage.too_old += 1;
                Ok(())
            }
            Err(Wrong::Unreadable(error)) => self.bear(&error),
            Err(Wrong::Different(wrong)) => {
                Err(End::Wrong(format!("a reader at {position}: {wrong}")))
            }
        }
    }

    /// What is visible is promised: whoever asks is told.
    fn note_visible(&mut self, open: &Open) {
        self.promised = self.promised.max(self.visible(open));
    }

    fn visible(&self, open: &Open) -> u64 {
        let acknowledged = open.tickets.iter().filter(|ticket| ticket.is_visible());
        let last = acknowledged.map(|ticket| ticket.position.0).max().unwrap_or(0);
        last.max(self.promised)
    }

    fn model_at(&self, position: u64) -> Arc<Model> {
        let next = self.history.partition_point(|(at, _)| *at <= position);
        Arc::clone(&self.history[next - 1].1)
    }

    /// An error that the machine's faults explain is borne or ends the life; no other is.
    fn bear(&mut self, error: &millrace_model::Error) -> Lived<()> {
        self.tell(format_args!("  error: {error:?}"));
        if self.disk.is_crashed() {
            return Err(End::Crash);
        }
        match error.kind {
            ErrorKind::ReadOnly | ErrorKind::OutcomeUnknown | ErrorKind::Unavailable => {
                self.coverage.writing_stopped += 1;
                Ok(())
            }
            // A sync that was told to fail, once, outside of the log.
            ErrorKind::Io => {
                self.coverage.failed_elsewhere += 1;
                Ok(())
            }
            _ => Err(End::Wrong(format!("an error without a fault: {error:?}"))),
        }
    }

    fn end(&mut self, error: &millrace_model::Error) -> End {
        match self.bear(error) {
            Ok(()) | Err(End::Crash) => End::Crash,
            Err(wrong) => wrong,
        }
    }
}

/// The graph with a change that came back, if it did.
fn after_unknown(
    snapshot: &dyn Snapshot,
    names: Names,
    last: &Model,
    mut change: Change,
) -> Option<Model> {
    let read = read(snapshot, names).ok()?;
    if change.edges.iter().any(|(id, _)| id.is_none()) {
        change.edges = ids_of_load(&read, last, &change.edges)?;
    }
    let after = last.after(&change).ok()?;
    judge(snapshot, names, &after).is_ok().then_some(after)
}
