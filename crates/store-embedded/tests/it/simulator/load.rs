//! Bulk loads: begun and pushed by one action, finished by another, so that anything may come
//! between.

use std::sync::Arc;

use millrace_model::{ErrorKind, Result};
use millrace_store::{BulkLoad, Changes, Store};
use millrace_store_embedded::Step;
use millrace_testkit::Rng;

use super::actions::plain;
use super::attempt::Attempt;
use super::judge::{ids_of_load, read};
use super::life::{End, Life, Lived, wrong};
use super::model::{Change, Vertex};
use super::overlap::Kind;
use super::suspended::Answer;

/// A load that was pushed and is not finished.
pub(super) struct Load {
    pub(super) attempt: Attempt,
    pub(super) load: Box<dyn BulkLoad>,
}

impl Life {
    /// Begins a load and pushes all it has.
    pub(super) fn begin_load(&mut self, attempt: Attempt, store: &dyn Store) -> Lived<()> {
        let names = self.names(attempt.graph);
        let parts = attempt.change.for_store(names, &Default::default());
        let begun = store.begin_bulk_load().and_then(|mut load| {
            load.push(Changes { edges: parts.edges, ..Changes::default() })?;
            load.push(Changes { vertices: parts.vertices, ..Changes::default() })?;
            Ok(load)
        });
        match begun {
            Ok(load) => {
                self.tell("load begun");
                self.open().loads.push(Load { attempt, load });
                Ok(())
            }
            // The chosen id is in use by now.
            Err(error) if error.kind == ErrorKind::AlreadyExists => self.refused(&error, attempt),
            Err(error) => self.bear(&error),
        }
    }

    /// Finishes a load.
    pub(super) fn finish_load(&mut self, rng: &mut Rng, load: Load) -> Lived<()> {
        let Load { mut attempt, load } = load;
        let store = Arc::clone(&self.open().stores[attempt.graph]);
        self.note_load_overlaps(&attempt);
        // Conflicting commits are detected from here on.
        attempt.snapshot = store.snapshot().map_err(|error| self.end(&error))?.position().0;
        self.come_to_commit(&mut attempt);
        self.run_suspendable(rng, Some(attempt), move || Answer::Load(load.finish()))
    }

    fn note_load_overlaps(&mut self, attempt: &Attempt) {
        let mut overtakers: Vec<Kind> =
            self.graphs[attempt.graph].kinds_after(attempt.snapshot).collect();
        overtakers.dedup();
        overtakers.into_iter().for_each(|other| self.coverage.overlaps.note(Kind::BulkLoad, other));
        let suspended: Vec<Kind> =
            self.open().suspended.iter().filter_map(super::suspended::Suspended::kind).collect();
        suspended.into_iter().for_each(|other| self.coverage.overlaps.note(other, Kind::BulkLoad));
    }

    /// A load was accepted or refused. The store chose the ids of its edges.
    pub(super) fn judge_load(&mut self, mut attempt: Attempt, outcome: Result<u64>) -> Lived<()> {
        let position = match outcome {
            Ok(position) => position,
            Err(error) => return self.refused(&error, attempt),
        };
        let store = Arc::clone(&self.open().stores[attempt.graph]);
        let snapshot = store.snapshot().map_err(|error| self.end(&error))?;
        let found =
            read(&*snapshot, self.names(attempt.graph)).map_err(|error| self.end(&error))?;
        let before = self.history(attempt.graph).newest();
        let Some(edges) = ids_of_load(&found, &before, &attempt.change.edges) else {
            return wrong(format!("a load at {position} is not all there"));
        };
        attempt.change.edges = edges;
        self.coverage.note("loads");
        self.accept(position, &attempt)
    }
}

/// Symptom: "refused without a reason: Person.name is required". Shape: the schema change that says
/// so was refused, and there was no room on a full disk for the record that takes it back, when a
/// load ended.
#[test]
fn a_schema_change_that_is_refused_on_a_full_disk_is_taken_back_by_room_that_is_kept() {
    let mut met = 0;
    // The record should be the first one that does not fit into a file of the log.
    for (commits, writes) in (0..6).flat_map(|commits| (0..6).map(move |writes| (commits, writes)))
    {
        let mut rng = Rng::new(1);
        let mut lives = (1..).map(|seed| Life::new(seed, None));
        let mut life = lives.find(|life| !life.is_async()).expect("few are");
        life.options.out_of_line_bytes_min = 1 << 20;
        match define_and_load(&mut life, &mut rng, commits, writes) {
            Ok(is_met) => met += u64::from(is_met),
            // The outcome of the schema change is unknown.
            Err(End::Crash) => {}
            Err(End::Wrong(message)) => panic!("{message}\n{}", life.story.join("\n")),
        }
    }
    assert_ne!(met, 0, "a schema change must be refused when the disk is full");
}

/// After some commits, lets some writes through until a schema change is refused and a load ends,
/// which is not refused for that schema change: whether the disk was full, and the log is whole.
fn define_and_load(life: &mut Life, rng: &mut Rng, commits: u64, writes: u64) -> Lived<bool> {
    const NAME_IS_REQUIRED: usize = 1;
    life.reopen(rng)?;
    let begun = life.begin(rng)?;
    let ids = life.lease(rng, &begun, 2 + commits)?.expect("the disk has room");
    let nameless = |id: u64| {
        let vertex = Vertex { labels: [true, false], ..Vertex::default() };
        Change { vertices: vec![(id, vertex)], ..Change::default() }
    };
    life.begin_load(plain("load", &begun, nameless(ids[0])), &*begun.store)?;
    for id in &ids[1..] {
        life.commit(rng, &begun, plain("create", &begun, nameless(*id)))?;
        let backend = &life.open().backend;
        while [Step::Log, Step::Apply].map(|step| backend.step(step)).contains(&Ok(true)) {}
        life.note_visible()?;
    }

    let begun = life.begin(rng)?;
    life.disk.full_after(writes);
    let rule = Change { rules: vec![NAME_IS_REQUIRED], ..Change::default() };
    life.commit(rng, &begun, plain("rule", &begun, rule))?;
    life.resume_all()?;
    let Some(load) = life.open().loads.pop() else { return Ok(false) };
    life.finish_load(rng, load)?;
    life.resume_all()?;
    let is_refused = life.story.iter().any(|message| message.contains("name is required"));
    let is_whole = life.open().metric("millrace_log_failed") == 0;
    Ok(is_refused && is_whole && life.disk.is_full())
}
