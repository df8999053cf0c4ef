//! Readers, each at one position for as long as it likes, across checkpoints.

use std::sync::Arc;

use millrace_testkit::Rng;

use super::{Action, ORDINARY};
use crate::simulator::life::{Life, Lived, Reader};

pub(super) const BEGIN_READER: Action =
    Action { name: "begin reader", weight: 7, play: begin, ..ORDINARY };

pub(super) const READ: Action = Action {
    name: "read",
    weight: 6,
    meets: &["reads of an old snapshot", "reads of an old snapshot after a checkpoint"],
    play: read,
    ..ORDINARY
};

pub(super) const END_READER: Action =
    Action { name: "end reader", weight: 4, play: end, ..ORDINARY };

const READERS_MAX: usize = 6;

fn begin(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    if READERS_MAX <= life.open().readers.len() {
        return Ok(());
    }
    let (graph, store) = life.any_graph(rng);
    let snapshot = store.snapshot().map_err(|error| life.end(&error))?;
    let model = life.history(graph).at(snapshot.position().0);
    let names = life.names(graph);
    let reader = Reader { graph, snapshot, names, model, is_of_dropped: false };
    life.tell(format_args!("reader of {graph} at {}", reader.snapshot.position()));
    if rng.chance(0.3) {
        life.judge_reader(&reader)?;
    }
    life.open().readers.push(reader);
    Ok(())
}

fn read(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let readers = life.open().readers.len();
    if readers == 0 {
        return Ok(());
    }
    let place = rng.index(readers);
    let reader = life.open().readers.swap_remove(place);
    let position = reader.snapshot.position().0;
    life.tell(format_args!("read {} at {position}", reader.graph));
    if position < life.promised {
        life.coverage.note("reads of an old snapshot");
    }
    if life.checkpointed_since(&reader) {
        life.coverage.note("reads of an old snapshot after a checkpoint");
    }
    let judged = life.judge_reader(&reader);
    if rng.chance(0.7) {
        life.open().readers.push(reader);
    }
    judged
}

fn end(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let readers = life.open().readers.len();
    if readers != 0 {
        life.open().readers.swap_remove(rng.index(readers));
    }
    Ok(())
}

impl Life {
    /// Whether there was a checkpoint after the reader's position.
    fn checkpointed_since(&self, reader: &Reader) -> bool {
        let at = Arc::clone(&reader.snapshot).position().0;
        self.open.as_ref().and_then(|open| open.checkpointed).is_some_and(|last| at < last)
    }
}
