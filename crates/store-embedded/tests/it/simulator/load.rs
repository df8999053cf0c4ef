//! Bulk loads: begun and pushed by one action, finished by another, so that anything may come between.

use std::sync::Arc;

use millrace_model::{ErrorKind, Result};
use millrace_store::{BulkLoad, Changes, Store};
use millrace_testkit::Rng;

use super::attempt::Attempt;
use super::held::Answer;
use super::judge::{ids_of_load, read};
use super::life::{Life, Lived, wrong};
use super::race::Kind;

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
            // What was chosen is there by now.
            Err(error) if error.kind == ErrorKind::AlreadyExists => self.refused(&error, attempt),
            Err(error) => self.bear(&error),
        }
    }

    /// Finishes a load.
    pub(super) fn finish_load(&mut self, rng: &mut Rng, load: Load) -> Lived<()> {
        let Load { mut attempt, load } = load;
        let store = Arc::clone(&self.open().stores[attempt.graph]);
        self.note_load_races(&attempt);
        // What it may not be overtaken by is checked from here on.
        attempt.snapshot = store.snapshot().map_err(|error| self.end(&error))?.position().0;
        self.come_to_commit(&mut attempt);
        self.do_aside(rng, Some(attempt), move || Answer::Load(load.finish()))
    }

    fn note_load_races(&mut self, attempt: &Attempt) {
        let mut overtakers: Vec<Kind> =
            self.graphs[attempt.graph].kinds_after(attempt.snapshot).collect();
        overtakers.dedup();
        overtakers.into_iter().for_each(|other| self.coverage.races.note(Kind::BulkLoad, other));
        let held: Vec<Kind> = self.open().held.iter().filter_map(super::held::Held::kind).collect();
        held.into_iter().for_each(|other| self.coverage.races.note(other, Kind::BulkLoad));
    }

    /// A load was accepted or refused. The store chose the ids of its edges.
    pub(super) fn settle_load(&mut self, mut attempt: Attempt, outcome: Result<u64>) -> Lived<()> {
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
